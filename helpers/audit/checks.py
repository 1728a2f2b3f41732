"""Check a paper's printed numbers: whole tables at once, and the facts of its running text.

A page of checks computes what a table should print and hands it to its `Paper`. Say Table 1 of a
made-up paper prints

    row  Sea   Shore  Mean
    A    85.0  60.0   72.5
    B    55.0  46.7   51.9

    rates = paper.table("Table 1")[["Sea", "Shore"]]
    paper.check("Table 1", rates.mean(axis=1).to_frame("Mean"), "mean of the two rates")

then `paper.checked` has a `Check` for each cell of the column Mean. The one of row A holds. The one
of row B does not: its rates, unrounded, allow means of 50.8 to 50.9. `ledger.verdict_of` makes a
verdict of each check.

`check` compares cells with what was computed, `require` asks whether they can stand, `claim`
whether they are as the paper says; `contradict` notes numbers that exclude each other, `leads` and
`trails` compare a row with its rivals, `same` two cells, `facts` checks running text.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.audit.facts import BASES, find_fact, nearest_reading, only_bounds, read_rules, relates
from helpers.sources.files import DataError
from helpers.sources.published import Printed, Rounded, agrees, tolerance

SAME = "the same quantity is printed in two places"
LOOSE = 2  # last places: a check that leaves a wider window bounds a number and does not fix it
CLAIM = "claim: "  # begins the `how` of a claim, or of what must hold of any such number


class Check(NamedTuple):
    """What one check says of a printed number."""

    computed: float | None  # what we get; None if nothing can be computed
    basis: str  # one of BASES
    how: str  # the definition used, or the reason, as a phrase
    holds: bool  # does the printed number agree?
    bound: bool  # does the check only bound the number, and not fix it?


class Paper(Printed):
    """A paper under audit.

    `checked` holds, by the key (table, row, column) of each number that was checked, the `Check`
    that counts for it: `rank_of` says which of several that is.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.checked = {}

    def check(self, table, computed, how, basis="printed", remark=""):
        """Check that cells of a table round what was computed.

        computed: a DataFrame, or Rounded, with the printed labels; nan where a cell is left. how:
        the definition, as a phrase; remark: what follows it, after the window that a loose check
        leaves. Both are one text, or a DataFrame of texts. Raises KeyError for a cell that is not
        printed.
        """
        computed = Rounded(computed)
        for row, column in list_cells(computed.mid):
            words = pick(how, row, column)
            words_after = pick(remark, row, column)
            number = computed.at(row, column)
            self.check_number((table, row, column), number, words, basis, words_after)

    def check_number(self, key, computed, how, basis="printed", remark=""):
        """Check that the number at `key` rounds what was computed, a Rounded number."""
        value = self.text(*key)
        holds = agrees(value, computed.low, computed.high)
        loose = is_loose(value, computed)
        if loose:
            how += tell_window(how, computed)
        self.note(key, computed.mid, basis, how + remark, holds, loose)

    def require(self, table, holds, how, compared=None, basis="printed", bound=False):
        """Check cells of a table by another rule than rounding.

        holds: can the cell stand? a DataFrame with the printed labels, nan where it is left.
        compared: the number that is shown beside it, a DataFrame; None for none. how: the rule, as
        a phrase; bound: does the rule only bound the cell? Both may be DataFrames.
        """
        for row, column in list_cells(holds):
            key = (table, row, column)
            number = None if compared is None else compared.at[row, column]
            words = pick(how, row, column)
            self.note(key, number, basis, words, holds.at[row, column], pick(bound, row, column))

    def claim(self, table, holds, what, compared=None, bound=True):
        """Check what the paper claims of cells, or what must hold of any such number.

        what: the claim in words; the other arguments as in `require`.
        """
        self.require(table, holds, CLAIM + what, compared, bound=bound)

    def contradict(self, table, fails, how):
        """Contradict the cells where `fails`, a DataFrame of bools, and leave the others: printed
        numbers that exclude each other, though nothing printed gives the right ones."""
        holds = (~fails).where(fails)  # False, or nan
        self.require(table, holds, how)

    def leads(self, table, leader, rivals, what, columns=slice(None)):
        """Check the claim that a row has higher numbers than its rivals: at its own cells, each of
        which is compared with the next best.

        leader: the row's label; rivals: labels of rows, of which `leader` itself is left out; what:
        the claim in words; columns: names of those that it is about.
        """
        grid = self.grid(table).loc[:, columns]
        others = [row for row in rivals if row != leader]
        next_best = grid.loc[others].max().to_frame(leader).T
        is_higher = grid.loc[[leader]] > next_best
        self.claim(table, is_higher, what, next_best)

    def trails(self, table, leader, rivals, what, columns=slice(None)):
        """Check the same claim at the cells of the rivals, each of which is compared with the
        leader's. Arguments as in `leads`; what: the claim about a rival, in words."""
        grid = self.grid(table).loc[:, columns]
        others = [row for row in rivals if row != leader]
        numbers = grid.loc[others]
        of_leader = numbers * 0 + grid.loc[leader]
        is_lower = (numbers < of_leader).where(numbers.notna())
        self.claim(table, is_lower, what, of_leader)

    def same(self, key, other, how=SAME):
        """Check that two keys print one number, up to the coarser rounding, from both sides."""
        self.check_copy(key, other, how)
        self.check_copy(other, key, SAME)

    def check_copy(self, key, source, how):
        """Check that the number at `key` is the number printed at `source`."""
        value = self.text(*key)
        number = self.copy(key, source)
        holds = agrees(value, number.low, number.high)
        self.note(key, number.mid, "printed", how, holds, is_loose(value, number))

    def copy(self, key, source):
        """Return what `key` must print if it copies `source`: Rounded, exact if as precise."""
        number = self.number(*source)
        if tolerance(self.text(*key)) == tolerance(self.text(*source)):
            return Rounded(number)
        low, high = self.bounds(*source)
        return Rounded(number, low, high)

    def facts(self, known=None):
        """Check running text by the rules of the paper's facts.csv: which number states what.

        known: {name: fact} of the facts that the page of checks has computed, each a number, a
        Rounded number, {reading: number}, or words that a rule's `how` names. A rule is left whose
        raw fact is not known, as its data are not here. Raises DataError for a rule that cannot be
        read, with file and line.
        """
        known = known or {}
        for rule in read_rules(self.paper, self.folder):
            fact = find_fact(rule, self, known)
            for key in self.matching(rule.table, rule.row, rule.column):
                if rule.basis == "none":
                    self.leave_open(key, rule.how.format_map(known))
                elif fact is not None:
                    self.check_fact(key, rule, fact, known)

    def check_fact(self, key, rule, fact, known):
        """Check that the number at `key` states a `Fact`, as its `Rule` relates them; known: what
        the rule's `how` may name beside {reading}."""
        if fact.source is not None and rule.relation == "":
            self.same(key, fact.source, rule.how)
            return
        readings = fact.readings
        if fact.source is not None:
            readings = {"": self.copy(key, fact.source)}
        reading, number = nearest_reading(readings, self.number(*key))
        value = self.text(*key)
        how = rule.how.format_map({**known, "reading": reading})
        loose = is_loose(value, number)
        if loose and rule.relation == "":
            how += tell_window(how, number)
        holds = relates(value, rule.relation, number)
        bound = loose or only_bounds(rule.relation)
        self.note(key, number.mid, rule.basis, how, holds, bound)

    def leave_open(self, key, reason):
        """Note that nothing can check the number at `key`, and why."""
        self.note(key, None, "none", reason, holds=False)

    def note(self, key, computed, basis, how, holds, bound=False):
        """Keep a check of the number at `key`, unless the one that is there ranks as high.

        Arguments: the fields of `Check`. Raises KeyError for a number that is not printed,
        DataError for an unknown basis.
        """
        self.text(*key)  # which raises the KeyError
        if basis not in BASES:
            where = " | ".join(key)
            raise DataError(f"{self.paper}, {where}: basis {basis!r}; expected one of {BASES}")
        new = Check(computed, basis, how, bool(holds), bool(bound))
        earlier = self.checked.get(key)
        if earlier is None or rank_of(new) < rank_of(earlier):
            self.checked[key] = new


def rank_of(check):
    """Return what orders several checks of one number; the lowest counts, and the first of equals.

    A check counts before none; one that fixes the number before one that bounds it; then the
    stronger basis, raw before printed; of two bounds the one that fails.
    """
    is_none = check.basis == "none"
    bounds_and_holds = check.bound and check.holds
    return is_none, check.bound, BASES.index(check.basis), bounds_and_holds


def list_cells(table):
    """Return the (row, column) labels of a DataFrame's cells that are not nan, row by row."""
    there = table.notna()
    every = [(row, column) for row in table.index for column in table.columns]
    return [cell for cell in every if there.at[cell]]


def pick(value, row, column):
    """Return a DataFrame's cell, or the value itself if it is one for all cells."""
    return value.at[row, column] if isinstance(value, pd.DataFrame) else value


def is_loose(value, computed):
    """Return whether what was computed, a Rounded number, leaves more than LOOSE units of a printed
    value's last place."""
    unit = 2 * tolerance(value) if str(value) else np.inf
    return bool(computed.high > computed.low + LOOSE * unit * (1 + 1e-6))


def tell_window(how, computed):
    """Return what a check leaves open, in words ('; so between 0.3 and 0.7'); '' after a claim."""
    if how.startswith(CLAIM):
        return ""
    return f"; so between {computed.low:.4g} and {computed.high:.4g}"
