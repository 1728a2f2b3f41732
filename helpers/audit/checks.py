"""Check a paper's printed numbers: one expression over a whole table, or the facts of its running text."""
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import optimize, stats

from helpers.sources.published import DATA, LedgerError, Printed, Rounded, agrees, read_lines, to_number

RULE = ["table", "row", "column", "fact", "is", "basis", "how"]
RELATIONS = {"": agrees, "each": lambda value, low, high: agrees(value, low) and agrees(value, high),
             "<": lambda value, low, high: high < to_number(value),
             "<=": lambda value, low, high: high <= to_number(value),
             ">": lambda value, low, high: low > to_number(value),
             "1/n": lambda value, low, high: round(1 / low) == round(1 / high) == round(1 / to_number(value))}
SAME = "the same quantity is printed in two places"
BASES = ["raw", "printed", "none"]  # strongest first


class Paper(Printed):
    """A paper under audit; `found` holds the first check of the strongest basis of each printed number."""

    def __init__(self, paper, data=DATA, lines=None):
        super().__init__(paper, data, lines)
        self.found = {}

    def note(self, key, computed, basis, how, holds):
        """Keep one check: {computed, basis, how, holds} at `key`, unless an equal or stronger one stands."""
        self.text(*key)
        if basis not in BASES:
            raise LedgerError(f"{self.paper}, {' | '.join(key)}: basis {basis!r}; expected raw, printed or none")
        if key not in self.found or BASES.index(basis) < BASES.index(self.found[key]["basis"]):
            self.found[key] = {"computed": computed, "basis": basis, "how": how, "holds": bool(holds)}

    def check(self, table, found, how, basis="printed", holds=None):
        """Check cells of a table against `found`, a DataFrame or Rounded one with the printed labels.

        A cell holds if its printed value is a rounding of what was found (anywhere in low to high), or as the
        DataFrame `holds` (True, False) says; cells that are nan in both are left. how: a phrase, or a DataFrame
        of phrases. Raises KeyError for a label that the paper does not print.
        """
        found = found if isinstance(found, Rounded) else Rounded(found)
        decided = found.mid.notna() if holds is None else holds.notna()
        for i, j in np.argwhere(decided.to_numpy()):
            row, column = decided.index[i], decided.columns[j]
            key, computed = (table, row, column), found.mid.at[row, column]
            right = (agrees(self.text(*key), found.low.at[row, column], found.high.at[row, column]) if holds is None
                     else holds.at[row, column])
            self.note(key, computed, basis, how if isinstance(how, str) else how.at[row, column], right)

    def same(self, key, other, how=SAME):
        """Check that the number at `key` is the one printed at the key `other`, up to the coarser rounding."""
        self.note(key, self.number(*other), "printed", how, agrees(self.text(*key), *self.bounds(*other)))

    def leads(self, table, best, rivals, above="", below="", columns=None):
        """Check that row `best` exceeds the `rivals` in each column: itself (`above`), and each of them (`below`).

        Computed for the best row is the next best, for a rival the best row; a phrase of '' leaves that part out.
        """
        grid = self.grid(table)
        grid = grid if columns is None else grid[columns]
        rivals = grid.loc[[row for row in rivals if row != best]]
        top, other = grid.loc[[best]], rivals.max().to_frame(best).T
        if above:
            self.check(table, other, f"claim: {above}", holds=top > other)
        if below:
            best = pd.DataFrame(np.tile(top, (len(rivals), 1)), rivals.index, rivals.columns)
            self.check(table, best, f"claim: {below}", holds=(rivals < best).where(rivals.notna()))

    def facts(self, known):
        """Check running text: each rule of data/checks/<paper>.csv says which numbers state which fact of `known`.

        known: {name: number, Rounded number, {reading: number} of which the nearest counts, or string for `how`};
        a rule's fact may also be a printed cell, "Table 5 | row | column". A raw fact that is not in `known` needs
        data that are not here. `how` may name facts in braces, and {reading}.
        """
        for rule in read_rules(self.paper, self.data / "checks"):
            fact = self.fact(rule, known)
            for key in self.matching(rule) if fact is not None or rule["basis"] == "none" else ():
                self.state(key, rule, fact, known)

    def state(self, key, rule, fact, known):
        """Check that the number at `key` states `fact`, in the relation and with the words of its rule."""
        reading, value = "", self.text(*key)
        if isinstance(fact, dict):
            reading = min(fact, key=lambda name: abs(fact[name] - to_number(value)))
            fact = fact[reading]
        fact = fact if isinstance(fact, Rounded) else Rounded(fact)
        holds = rule["basis"] != "none" and relate(value, rule["is"], fact.low, fact.high)
        self.note(key, fact.mid, rule["basis"], rule["how"].format_map({**known, "reading": reading}), holds)

    def fact(self, rule, known):
        """Return what a rule's fact is; None for a rule without one, or a raw one without the data."""
        name = rule["fact"]
        if " | " in name:
            key = tuple(name.split(" | "))
            return Rounded(self.number(*key), *self.bounds(*key))
        if name and name not in known and rule["basis"] != "raw":
            raise LedgerError(f"{self.paper}.csv, line {rule['line']}: no fact {name!r}; known: {', '.join(known)}")
        return known.get(name)

    def matching(self, rule):
        """Return the keys that a rule matches (* stands for anything)."""
        return [key for key in self.values if all(fnmatchcase(part, rule[name]) for part, name in zip(key, RULE))]


def read_rules(paper, folder=DATA / "checks"):
    """Return the rules of data/checks/<paper>.csv as dicts of `RULE` and line; LedgerError for a malformed one."""
    path = Path(folder) / f"{paper}.csv"
    rules = [{**dict(zip(RULE, cells)), "line": line} for line, cells in zip(*read_lines(path, RULE))]
    for rule in rules:
        if rule["basis"] not in BASES or bool(rule["fact"]) == (rule["basis"] == "none"):
            raise LedgerError(f"{path.name}, line {rule['line']}: expected a fact with basis raw or printed, or "
                              f"basis none and no fact; found {rule['fact']!r} with {rule['basis']!r}")
        if rule["is"] not in RELATIONS and not rule["is"].startswith("within "):
            raise LedgerError(f"{path.name}, line {rule['line']}: is {rule['is']!r}; expected one of "
                              f"{', '.join(map(repr, RELATIONS))} or within N")
    return rules


def relate(value, relation, low, high):
    """Return whether a printed value stands to a fact, known to lie in [low, high], as `relation` says.

    '': the fact can round to the value; each: its low and its high both do; <, <=, >: all of the fact is so;
    1/n: the value is the nearest unit fraction; within N: no part of the fact is farther than N from the value.
    """
    if relation.startswith("within "):
        return max(abs(low - to_number(value)), abs(high - to_number(value))) <= float(relation.split()[1])
    return bool(RELATIONS[relation](value, low, high))


def nearest(values, attainable):
    """Return, for a printed number or a DataFrame of them, the attainable numbers that are nearest."""
    attainable = np.asarray(attainable, float)
    places = np.abs(attainable - np.asarray(values, float)[..., None]).argmin(axis=-1)
    found = np.where(np.isnan(values), np.nan, attainable[places])
    return pd.DataFrame(found, values.index, values.columns) if isinstance(values, pd.DataFrame) else float(found)


def shares(percentages, n):
    """Return the attainable percentages 100 k / n that are nearest to printed ones (GRIM)."""
    return 100 * (percentages / 100 * n).round() / n


def spearman_p(rho, n):
    """Return the two-sided p of a rank correlation by the usual t approximation with n - 2 degrees of freedom."""
    rho = np.clip(rho, -1, 1)
    with np.errstate(divide="ignore"):
        return 2 * stats.t.sf(np.abs(rho) * np.sqrt((n - 2) / (1 - rho**2)), n - 2)


def p_of_f(f, df1, df2):
    """Return the upper tails of F(df1, df2) at printed Fs, a Rounded column (low and high change places)."""
    return Rounded(*(part.map(lambda x: float(stats.f.sf(x, df1, df2))) for part in (f.mid, f.high, f.low)))


def f_of_p(p, df1, df2):
    """Return the Fs with printed upper tails, a Rounded column or single p (low and high change places).

    By a root search, because scipy's isf loses F at p below 1e-16; no p gives an F outside 0 to infinity.
    """
    def solve(tail):
        if not 0 < tail < 1:
            return np.inf if tail <= 0 else 0.0
        return float(optimize.brentq(lambda f: np.log(stats.f.sf(f, df1, df2)) - np.log(tail), 1e-9, 1e4, xtol=1e-10))

    return Rounded(*(part.map(solve) for part in (p.mid, p.high, p.low)))
