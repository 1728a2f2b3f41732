"""Check a paper's printed numbers: whole tables at once, and the facts of its running text."""

import re
from fnmatch import translate
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.sources import published
from helpers.sources.files import DataError, refuse
from helpers.sources.published import Printed, Rounded, agrees, read_lines, to_number

RULE = ["table", "row", "column", "fact", "is", "basis", "how"]
RELATIONS = {  # of a printed value to a fact, known to lie in [low, high]
    "": agrees,
    "each": lambda value, low, high: agrees(value, low) and agrees(value, high),
    "<": lambda value, low, high: high < to_number(value),
    "<=": lambda value, low, high: high <= to_number(value),
    ">": lambda value, low, high: low > to_number(value),
    "1/n": lambda value, low, high: (
        min(low, high, to_number(value)) > 0
        and round(1 / low) == round(1 / high) == round(1 / to_number(value))
    ),
}
SUMMARIES = {  # of printed numbers, {key: number}, that a fact with wildcards names
    "max": lambda cells: max(cells.values()),
    "min": lambda cells: min(cells.values()),
    "rows": lambda cells: len({row for _, row, _ in cells}),
    "columns": lambda cells: len({column for _, _, column in cells}),
}
BOUNDS = ("<", "<=", ">")  # with "within N": relations that only bound a value
SAME = "the same quantity is printed in two places"
BASES = ["raw", "code", "printed", "none"]  # strongest first
LOOSE = 2  # last places: a check that leaves a wider window bounds a number and does not fix it


class Paper(Printed):
    """A paper under audit; `found` holds each number's first check of the strongest basis."""

    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        self.found = {}

    def note(self, key, computed, basis, how, holds, bound=False):
        """Keep a check at `key`, unless an equal or stronger one stands there. One that fixes a
        number is stronger than a `bound` (or a use as input); of bounds one that fails counts."""
        self.text(*key)
        if basis not in BASES:
            where = " | ".join(key)
            raise DataError(f"{self.paper}, {where}: basis {basis!r}; expected one of {BASES}")
        line = {"computed": computed, "basis": basis, "how": how}
        line |= {"holds": bool(holds), "bound": bool(bound)}
        self.found[key] = min(self.found.get(key, line), line, key=rank_of)

    def check(self, table, found, how, basis="printed", holds=None, bound=None):
        """Check cells of a table against `found`, a DataFrame (or Rounded) with the printed labels.

        A cell holds if its printed value rounds what was found, or as `holds` says; nan is left.
        how: a phrase; bound: does the check only bound the cells (default: `is_loose`). All three
        may be DataFrames. KeyError for what the paper does not print.
        """
        found = Rounded(found)
        cells = found.mid if holds is None else holds
        parts = [part.reindex_like(cells).to_numpy() for part in (found.mid, found.low, found.high)]
        for i, j in np.argwhere(cells.notna().to_numpy()):
            row, column = cells.index[i], cells.columns[j]
            fact, text = Rounded(*(part[i, j] for part in parts)), self.text(table, row, column)
            right = agrees(text, fact.low, fact.high) if holds is None else holds.at[row, column]
            words = how.at[row, column] if isinstance(how, pd.DataFrame) else how
            loose = bound.at[row, column] if isinstance(bound, pd.DataFrame) else bound
            if loose is None:
                loose = is_loose(text, fact)
                words += window(fact) * (loose and not words.startswith("claim"))
            self.note((table, row, column), fact.mid, basis, words, right, loose)

    def same(self, key, other, how=SAME):
        """Check that two keys print one number, up to the coarser rounding, from both sides."""
        for one, two, words in ((key, other, how), (other, key, SAME)):
            fact, value = self.copy(one, two), self.text(*one)
            right = agrees(value, fact.low, fact.high)
            self.note(one, fact.mid, "printed", words, right, is_loose(value, fact))

    def copy(self, key, other):
        """Return what `key` must print if it copies `other`: Rounded, exact if as precise."""
        alike = published.tolerance(self.text(*key)) == published.tolerance(self.text(*other))
        return Rounded(self.number(*other), *(() if alike else self.bounds(*other)))

    def leads(self, table, best, rivals, above="", below="", columns=slice(None)):
        """Check that a row exceeds its rivals by column: itself (`above`), them (`below`)."""
        grid = self.grid(table).loc[:, columns]
        rivals = grid.loc[[row for row in rivals if row != best]]
        if above:
            other = rivals.max().to_frame(best).T
            holds = grid.loc[[best]] > other
            self.check(table, other, f"claim: {above}", holds=holds, bound=True)
        if below:
            top = rivals * 0 + grid.loc[best]
            holds = (rivals < top).where(rivals.notna())
            self.check(table, top, f"claim: {below}", holds=holds, bound=True)

    def facts(self, known=None):
        """Check running text by the rules of the paper's facts.csv: which number states what.

        A rule's fact is a printed cell, "Table 5 | row | column"; a summary of cells, "Table 5 | *
        | column | max" (`SUMMARIES`; * stands for anything); or a name in `known`: {name: number,
        Rounded number, {reading: number}, of which the nearest counts, or words}. A rule's `how`
        may name facts in braces, and {reading}. A raw fact that is not known needs data that are
        not here.
        """
        known = known or {}
        for rule in read_rules(self.paper, self.folder):
            fact = self.fact(rule, known)
            if fact is not None or rule["basis"] == "none":
                for key in self.matching(rule["table"], rule["row"], rule["column"]):
                    self.state(key, rule, fact, known)

    def state(self, key, rule, fact, known):
        """Check that the number at `key` states `fact`, as the rule relates them."""
        value, how = self.text(*key), rule["how"]
        if fact is None:
            return self.note(key, None, "none", how.format_map(known), False)
        if isinstance(fact, tuple) and not rule["is"]:
            return self.same(key, fact, how)
        fact = self.copy(key, fact) if isinstance(fact, tuple) else fact
        readings = fact if isinstance(fact, dict) else {"": fact}
        readings = {name: Rounded(one) for name, one in readings.items()}
        reading = min(readings, key=lambda name: abs(readings[name].mid - to_number(value)))
        one = readings[reading]
        loose = rule["is"] in BOUNDS or "within" in rule["is"] or is_loose(value, one)
        holds = value != "" and relate(value, rule["is"], one.low, one.high)
        words = how.format_map({**known, "reading": reading})
        if not rule["is"] and loose and not words.startswith("claim"):
            words += window(one)
        return self.note(key, one.mid, rule["basis"], words, holds, loose)

    def fact(self, rule, known):
        """Return a rule's fact: a number, or the key of a printed cell; None if there is none."""
        name, where = rule["fact"], f"{self.paper}/facts.csv, {rule['where']}"
        *key, summary = name.split(" | ")
        if len(key) == 2:
            return *key, summary
        if len(key) == 3:
            cells = {one: self.number(*one) for one in self.matching(*key) if self.text(*one)}
            if not cells or summary not in SUMMARIES:
                words = f"must be printed cells and one of {', '.join(SUMMARIES)}"
                raise DataError(f"{where}: {name!r} {words}")
            return SUMMARIES[summary](cells)
        if name and name not in known and rule["basis"] != "raw":
            raise DataError(f"{where}: no fact {name!r}; known: {', '.join(known)}")
        return known.get(name)

    def matching(self, *patterns):
        """Return the keys that table, row and column patterns match (* stands for anything)."""
        like = re.compile(translate(" | ".join(patterns))).match
        return [key for key in self.values if like(" | ".join(key))]


def rank_of(line):
    """Return what orders checks of one number: fixing before bounding, raw before printed."""
    none, bound = line["basis"] == "none", line["bound"]
    return none, bound, BASES.index(line["basis"]), bound and line["holds"]


def window(fact):
    """Return what a fact leaves open, in words: '; so between 0.3 and 0.7'."""
    return f"; so between {fact.low:.4g} and {fact.high:.4g}"


def is_loose(value, fact):
    """Return whether a fact leaves more than LOOSE units of a printed value's last place."""
    unit = 2 * published.tolerance(value) if str(value) else np.inf
    return bool(fact.high > fact.low + LOOSE * unit * (1 + 1e-6))


def read_rules(paper, folder):
    """Return a paper's rules as dicts of `RULE` and where; DataError for a malformed one."""
    path = Path(folder) / paper / "facts.csv"
    rules = read_lines(path, RULE)
    relations = [*RELATIONS, "within N"]
    unknown = ~rules["is"].str.fullmatch(r"within [\d.]+") & ~rules["is"].isin(RELATIONS)
    idle = (rules["fact"] == "") != (rules["basis"] == "none")
    checks = [
        ("basis", ~rules["basis"].isin(BASES), f"one of {', '.join(BASES)}"),
        ("fact", idle, "a fact with basis raw, code or printed, none without one"),
        ("is", unknown, f"one of {', '.join(map(repr, relations))}"),
    ]
    refuse(rules, published.name_file(path), checks)
    return rules.to_dict("records")


def relate(value, relation, low, high):
    """Return whether a printed value stands to a fact, in [low, high], as `relation` says.

    '': the fact can round to the value; each: its low and its high both do; <, <=, >: all of the
    fact is so; 1/n: the value is its nearest unit fraction; within N: all of it is so near.
    """
    if relation.startswith("within "):
        far = max(abs(low - to_number(value)), abs(high - to_number(value)))
        return far <= float(relation.removeprefix("within "))
    return bool(RELATIONS[relation](value, low, high))
