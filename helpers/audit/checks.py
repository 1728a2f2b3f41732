"""Check a paper's printed numbers: whole tables at once, and the facts of its running text.

A `Check` says whether a number holds and on what that rests; `ledger.verdict_of` makes the verdict
of it."""

import re
from fnmatch import translate
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.sources.files import DataError, refuse
from helpers.sources.published import (
    Printed,
    Rounded,
    agrees,
    name_file,
    read_lines,
    to_number,
    tolerance,
)

RULE = ["table", "row", "column", "fact", "is", "basis", "how"]
SAME = "the same quantity is printed in two places"
BASES = ["raw", "code", "printed", "none"]  # strongest first
LOOSE = 2  # last places: a check that leaves a wider window bounds a number and does not fix it
CLAIM = "claim"  # begins the `how` of a claim, or of what must hold of any such number


def is_unit_fraction(value, low, high):
    """Return whether a printed fraction, 1/n, is the nearest unit fraction to all of a fact."""
    printed = to_number(value)
    if min(low, high, printed) <= 0:
        return False
    return round(1 / low) == round(1 / high) == round(1 / printed)


RELATIONS = {  # of a printed value to a fact, known to lie in [low, high]
    "": agrees,
    "each": lambda value, low, high: agrees(value, low) and agrees(value, high),
    "<": lambda value, low, high: high < to_number(value),
    "<=": lambda value, low, high: high <= to_number(value),
    ">": lambda value, low, high: low > to_number(value),
    "1/n": is_unit_fraction,
}
WITHIN = "within "  # and a number: a relation that is no word of `RELATIONS`
BOUNDS = ("<", "<=", ">")  # with "within N": relations that only bound a value
SUMMARIES = {  # of printed numbers, {key: number}, that a fact with wildcards names
    "max": lambda numbers: max(numbers.values()),
    "min": lambda numbers: min(numbers.values()),
    "rows": lambda numbers: len({row for _, row, _ in numbers}),
    "columns": lambda numbers: len({column for _, _, column in numbers}),
}


class Check(NamedTuple):
    """What one check says of a printed number."""

    computed: float | None  # what we get; None if nothing can be computed
    basis: str  # one of BASES
    how: str  # the definition used, or the reason, as a phrase
    holds: bool  # does the printed number agree?
    bound: bool  # does the check only bound the number, and not fix it?


class Paper(Printed):
    """A paper under audit; `checked` holds the `Check` that counts for each number, by its key
    (table, row, column): the first of the strongest basis."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.checked = {}

    def note(self, key, computed, basis, how, holds, bound=False):
        """Keep a check at `key`, unless an equal or stronger one stands there. One that fixes a
        number is stronger than a `bound` (or a use as input); of bounds one that fails counts.

        Raises KeyError for a number that is not printed, DataError for an unknown basis.
        """
        self.text(*key)
        if basis not in BASES:
            where = " | ".join(key)
            raise DataError(f"{self.paper}, {where}: basis {basis!r}; expected one of {BASES}")
        new = Check(computed, basis, how, bool(holds), bool(bound))
        earlier = self.checked.get(key)
        if earlier is None or rank_of(new) < rank_of(earlier):
            self.checked[key] = new

    def check(self, table, computed, how, basis="printed", holds=None, bound=None, remark=""):
        """Check cells of a table against `computed`, a DataFrame (or Rounded) with the printed
        labels.

        A cell holds if its printed value rounds what was computed, or as `holds` says; where
        `holds`, or else `computed`, is nan the cell is left.
        how: a phrase; bound: does the check only bound the cells (None: as `is_loose` says);
        remark: what follows the phrase and the window. Any of these may be a DataFrame as well.
        Raises KeyError for what the paper does not print.
        """
        computed = Rounded(computed)
        judged = computed.mid if holds is None else holds
        computed = computed.each(lambda part: part.reindex_like(judged))
        for row, column in list_cells(judged):
            value = self.text(table, row, column)
            fact = computed.at(row, column)
            words = take(how, row, column)
            loose = take(bound, row, column)
            if loose is None:
                loose = is_loose(value, fact)
                words += window(words, fact) if loose else ""
            if holds is None:
                right = agrees(value, fact.low, fact.high)
            else:
                right = holds.at[row, column]
            words += take(remark, row, column)
            self.note((table, row, column), fact.mid, basis, words, right, loose)

    def same(self, key, other, how=SAME):
        """Check that two keys print one number, up to the coarser rounding, from both sides."""
        self.check_copy(key, other, how)
        self.check_copy(other, key, SAME)

    def check_copy(self, key, source, how):
        """Check that the number at `key` is the number printed at `source`."""
        value = self.text(*key)
        fact = self.copy(key, source)
        right = agrees(value, fact.low, fact.high)
        self.note(key, fact.mid, "printed", how, right, is_loose(value, fact))

    def copy(self, key, source):
        """Return what `key` must print if it copies `source`: Rounded, exact if as precise."""
        number = self.number(*source)
        if tolerance(self.text(*key)) == tolerance(self.text(*source)):
            return Rounded(number)
        low, high = self.bounds(*source)
        return Rounded(number, low, high)

    def leads(self, table, best, rivals, above="", below="", columns=slice(None)):
        """Check that a row exceeds its rivals by column.

        best: the row's label; rivals: labels of rows, of which `best` itself is left out.
        above: what is said of the row, whose numbers are compared with the next best; below: what
        is said of each rival, whose numbers are compared with the row's. '' leaves that side out.
        """
        grid = self.grid(table).loc[:, columns]
        others = [row for row in rivals if row != best]
        rivals = grid.loc[others]
        if above:
            next_best = rivals.max().to_frame(best).T
            leads = grid.loc[[best]] > next_best
            self.check(table, next_best, f"claim: {above}", holds=leads, bound=True)
        if below:
            top = rivals * 0 + grid.loc[best]
            trails = (rivals < top).where(rivals.notna())
            self.check(table, top, f"claim: {below}", holds=trails, bound=True)

    def facts(self, known=None):
        """Check running text by the rules of the paper's facts.csv: which number states what.

        A rule's fact is a printed cell, "Table 5 | row | column"; a summary of cells, "Table 5 | *
        | column | max" (`SUMMARIES`; * stands for anything); or a name in `known`: {name: number,
        Rounded number, {reading: number}, of which the nearest counts, or words}. A rule's `how`
        may name facts in braces, and {reading}. A raw fact that is not known needs data that are
        not here. Raises DataError for a rule that cannot be read, with file and line.
        """
        known = known or {}
        for rule in read_rules(self.paper, self.folder):
            fact = self.fact(rule, known)
            if fact is None and rule["basis"] != "none":
                continue
            for key in self.matching(rule["table"], rule["row"], rule["column"]):
                self.state(key, rule, fact, known)

    def state(self, key, rule, fact, known):
        """Check that the number at `key` states `fact`, as the rule relates them.

        fact: as `fact` returns it; known: the facts that the rule's `how` may name.
        """
        value = self.text(*key)
        relation = rule["is"]
        is_copy = isinstance(fact, tuple)
        if fact is None:
            self.note(key, None, "none", rule["how"].format_map(known), False)
            return
        if is_copy and relation == "":
            self.same(key, fact, rule["how"])
            return
        if is_copy:
            fact = self.copy(key, fact)
        reading, fact = nearest_reading(fact, to_number(value))
        only_bounds = relation in BOUNDS or relation.startswith(WITHIN)
        loose = only_bounds or is_loose(value, fact)
        holds = value != "" and relate(value, relation, fact.low, fact.high)
        words = rule["how"].format_map({**known, "reading": reading})
        if loose and relation == "":
            words += window(words, fact)
        self.note(key, fact.mid, rule["basis"], words, holds, loose)

    def fact(self, rule, known):
        """Return a rule's fact: a number, or the key of a printed cell; None if there is none.

        Raises DataError, with file and line, for a fact that nothing gives.
        """
        name = rule["fact"]
        where = f"{self.paper}/facts.csv, {rule['where']}"
        parts = name.split(" | ")
        if len(parts) == 3:
            return tuple(parts)
        if len(parts) == 4:
            *pattern, summary = parts
            keys = [key for key in self.matching(*pattern) if self.text(*key)]
            numbers = {key: self.number(*key) for key in keys}
            if not numbers or summary not in SUMMARIES:
                words = f"must be printed cells and one of {', '.join(SUMMARIES)}"
                raise DataError(f"{where}: {name!r} {words}")
            return SUMMARIES[summary](numbers)
        if name and name not in known and rule["basis"] != "raw":
            raise DataError(f"{where}: no fact {name!r}; known: {', '.join(known)}")
        return known.get(name)

    def matching(self, *patterns):
        """Return the keys that table, row and column patterns match (* stands for anything)."""
        matches = re.compile(translate(" | ".join(patterns))).match
        return [key for key in self.values if matches(" | ".join(key))]


def rank_of(check):
    """Return what orders checks of one number: fixing before bounding, raw before printed."""
    is_empty = check.basis == "none"
    holds_as_bound = check.bound and check.holds
    return is_empty, check.bound, BASES.index(check.basis), holds_as_bound


def list_cells(table):
    """Return the (row, column) labels of a DataFrame's cells that are not nan, row by row."""
    there = table.notna()
    every = [(row, column) for row in table.index for column in table.columns]
    return [cell for cell in every if there.at[cell]]


def take(value, row, column):
    """Return a DataFrame's cell, or the value itself if it is one for all cells."""
    return value.at[row, column] if isinstance(value, pd.DataFrame) else value


def window(how, fact):
    """Return what a fact leaves open, in words ('; so between 0.3 and 0.7'); '' after a claim."""
    if how.startswith(CLAIM):
        return ""
    return f"; so between {fact.low:.4g} and {fact.high:.4g}"


def is_loose(value, fact):
    """Return whether a fact leaves more than LOOSE units of a printed value's last place."""
    unit = 2 * tolerance(value) if str(value) else np.inf
    return bool(fact.high > fact.low + LOOSE * unit * (1 + 1e-6))


def nearest_reading(fact, printed):
    """Return (name, Rounded) of the reading that is nearest to a printed number.

    fact: {reading: number or Rounded}, or a single one, whose reading has the name ''.
    """
    readings = fact if isinstance(fact, dict) else {"": fact}
    readings = {name: Rounded(number) for name, number in readings.items()}
    off = {name: abs(number.mid - printed) for name, number in readings.items()}
    nearest = min(off, key=off.get)
    return nearest, readings[nearest]


def read_rules(paper, folder):
    """Return a paper's rules as dicts of `RULE` and where; DataError for a malformed one."""
    path = Path(folder) / paper / "facts.csv"
    rules = read_lines(path, RULE)
    is_within = rules["is"].str.fullmatch(rf"{WITHIN}[\d.]+")
    is_known = rules["is"].isin(RELATIONS)
    has_fact = rules["fact"] != ""
    wants_fact = rules["basis"] != "none"
    relations = ", ".join(map(repr, [*RELATIONS, "within N"]))
    checks = [
        ("basis", ~rules["basis"].isin(BASES), f"one of {', '.join(BASES)}"),
        (
            "fact",
            has_fact != wants_fact,
            "a fact with basis raw, code or printed, none without one",
        ),
        ("is", ~is_within & ~is_known, f"one of {relations}"),
    ]
    refuse(rules, name_file(path), checks)
    return rules.to_dict("records")


def relate(value, relation, low, high):
    """Return whether a printed value stands to a fact, in [low, high], as `relation` says.

    '': the fact can round to the value; each: its low and its high both do; <, <=, >: all of the
    fact is so; 1/n: the value is its nearest unit fraction; within N: all of it is so near.
    """
    if relation.startswith(WITHIN):
        printed = to_number(value)
        farthest = max(abs(low - printed), abs(high - printed))
        return farthest <= float(relation.removeprefix(WITHIN))
    return bool(RELATIONS[relation](value, low, high))
