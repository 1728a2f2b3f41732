"""The cases of one comparison, its measure and its groups: rates scores, alone and in pairs."""

import copy
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from goodjudge.stats import covariates, intervals, metrics
from goodjudge.stats.covariates import join_codes, number_names, renumber
from goodjudge.stats.intervals import ENOUGH
from goodjudge.stats.jackknife import average, by_block, leave_out

ALONE = 10  # items of a rater who has a correlation of his or her own; others are taken together
BLOCKS = 200  # of very many groups whole blocks are left out: the same variance in less time


def lead_names(rival):
    """Return the columns of the paired lead over the "control", a "stranger" or a "person"."""
    return [f"over {rival}", f"over {rival} low", f"over {rival} high"]


class Measured(NamedTuple):
    """A score, measured on some of the cases of a `Trial`.

    score: one number per case, nan where there is none; rows: the positions of these cases; value:
    the measure over them; left: for each kind of groups, the measure without each group in turn.
    """

    score: np.ndarray
    rows: np.ndarray
    value: float
    left: list


class Trial:
    """The cases of one comparison, its measure and its groups.

    cases: of `ratings.find_cases`; measure: of `statistics`, within the columns `within`; over: one
    kind of groups or two. A correlation is taken rater by rater, then averaged by how many cases
    each has: people differ in strictness, in how much of the scale they use and in taste, and in
    one correlation over all raters this would count against a person, not against a judge. Raters
    of fewer than ten items are taken together.
    """

    def __init__(self, cases, measure, within, over, level):
        self.cases, self.measure, self.level = cases, measure, level
        self.within = within
        self.items = pd.factorize(cases["item"])[0]
        self.target = find_target(cases["target"].to_numpy(float), self.items)
        self.labels = label_cases(cases, within)
        self.blocks = self.find_blocks()
        self.kinds = [pd.factorize(cases[name])[0] for name in over]
        left_out_in_turn = list(self.kinds)
        if len(over) > 1:
            left_out_in_turn.append(cases.groupby([*over]).ngroup().to_numpy())
        self.groups = [limit_groups(codes) for codes in left_out_in_turn]
        self.scale = "correlation" if measure in metrics.CORRELATIONS else None

    def find_blocks(self):
        """Return for each case whose correlation it belongs to: 0, 1, …"""
        if self.measure not in metrics.POOLED:
            return np.zeros(len(self.cases), int)
        items = self.cases.groupby("rater")["item"].transform("nunique")
        alone = self.cases["rater"].where(items >= ALONE, "")
        return pd.factorize(alone, sort=True)[0]

    @cached_property
    def known(self):
        """What is known of the cases without reading: `covariates.Unread`."""
        return covariates.lay_out(self.cases)

    def keep(self, kept):
        """Return a `Trial` of some of the cases, over the same groups; kept: True for each.

        Everything is that of the whole, kept as numbers: finding it in a table of cases again, or
        making such a table, would take most of the time. So `cases` is None.
        """
        smaller = copy.copy(self)
        smaller.cases = None
        smaller.known = self.known.keep(kept)
        smaller.items = self.items[kept]
        smaller.target = find_target(smaller.known.target, smaller.items)
        smaller.labels = renumber(self.labels[kept])
        smaller.blocks = self.blocks[kept]
        smaller.kinds = [renumber(codes[kept]) for codes in self.kinds]
        smaller.groups = [renumber(codes[kept]) for codes in self.groups]
        return smaller

    def answered(self, score=0.0):
        """Return the positions of the cases that have a target and this score."""
        return np.flatnonzero(~np.isnan(self.target + score))

    def value(self, score, rows, target=None):
        """Return the measure of a score over some cases; target: instead of the people's."""
        target = self.target if target is None else target
        sides = score[rows], target[rows], self.labels[rows]
        values, counts = by_block(self.measure, *sides, self.blocks[rows])
        return average(values, counts)

    def apply(self, score, rows=None):
        """Return the `Measured` of a score on some cases, by default on all that it answered."""
        rows = self.answered(score) if rows is None else rows
        if not len(rows):
            return Measured(score, rows, np.nan, [])
        sides = score[rows], self.target[rows], self.labels[rows]
        blocks = self.blocks[rows]
        left = [leave_out(self.measure, *sides, groups[rows], blocks) for groups in self.groups]
        return Measured(score, rows, self.value(score, rows), left)

    def measure_alone(self, score):
        """Return the `Measured` of a score on all cases that it answered, without a jackknife."""
        rows = self.answered(score)
        value = self.value(score, rows) if len(rows) else np.nan
        return Measured(score, rows, value, [])

    def count_constant_as_zero(self, measured):
        """Return the `Measured` of a control; 0 where it does not vary (on all cases, or without
        some group) and a correlation is measured: a constant has none, and 0 is one."""
        if not self.scale or not len(measured.rows):
            return measured
        value = float(np.nan_to_num(measured.value, nan=0.0))
        left = [np.nan_to_num(part, nan=0.0) for part in measured.left]
        return measured._replace(value=value, left=left)

    def narrow(self, measured, rows):
        """Return a `Measured` on fewer cases; rows: some of its positions."""
        if len(rows) == len(measured.rows):
            return measured
        return self.apply(measured.score, rows)

    def rate(self, measured, extra=0.0):
        """Return estimate, low, high, n of a `Measured`; extra: as in `lead`."""
        if not len(measured.rows):
            return intervals.row()
        if self.scale and extra:  # of a correlation r: on Fisher's z, as dz / dr = 1 / (1 - r²)
            extra = extra / max(1 - measured.value**2, 1e-6) ** 2
        return self.bound(measured.value, measured.left, measured.rows, self.scale, extra)

    def count(self, rows):
        """Return how many groups some cases have; of two kinds, the smaller number."""
        return min(len(np.unique(groups[rows])) for groups in self.kinds)

    def bound(self, estimate, parts, rows, scale=None, extra=0.0):
        """Return estimate, low, high, n; without an interval where there are few groups; scale,
        extra: of `intervals.combine`."""
        n = self.count(rows)
        if n < ENOUGH or np.isnan(estimate):
            return intervals.row(estimate, n=n)
        row = intervals.combine(estimate, parts, self.level, scale, extra)
        return intervals.row(row["estimate"], row["low"], row["high"], n)

    def subtract(self, mine, against):
        """Return (the lead of one scorer over another; for each kind of groups, the same without
        each group in turn; the positions of the cases that both answered).

        mine, against: a `Measured` each. Of a correlation a rival that is constant counts as 0.
        """
        rows = list_shared(mine, against)
        mine, against = self.narrow(mine, rows), self.narrow(against, rows)
        value, left = against.value, against.left
        if self.scale:
            is_constant = np.isnan(value) or np.ptp(against.score[rows]) == 0
            if is_constant:
                value = 0.0
                left = [np.zeros(len(part)) for part in mine.left]
            # also where it is constant without some group
            left = [np.nan_to_num(part, nan=0.0) for part in left]
        differences = [own - other for own, other in zip(mine.left, left)]
        return mine.value - value, differences, rows

    def lead(self, rival, mine, against, extra=0.0):
        """Return by how much one scorer leads another on the cases that both answered, by columns.

        rival: for the columns' names (`lead_names`); mine, against: a `Measured` each; extra: a
        variance that the other has besides the jackknife's (`compare.find_unrest`). Of a
        correlation: a rival that is constant counts as 0; a scorer that is constant has no lead.
        """
        if not len(list_shared(mine, against)):
            return {}
        value, differences, rows = self.subtract(mine, against)
        row = self.bound(value, differences, rows, extra=extra)
        lead = dict(zip(lead_names(rival), row))
        if rival == "control":
            half = row["high"] - row["estimate"]
            lead["visible"] = intervals.find_visible(half, row["n"], self.level)
        return lead


def list_shared(mine, against):
    """Return the positions of the cases that two scorers were measured on; both: `Measured`."""
    is_shared = np.zeros(len(mine.score), bool)
    is_shared[mine.rows] = True
    return against.rows[is_shared[against.rows]]


def find_target(target, items):
    """Return the target of each case; nan for all where there is one item alone, which has no order
    that anybody could follow; items: a number for each case."""
    if not len(items) or items.min() == items.max():
        return np.full(len(target), np.nan)
    return target


def label_cases(cases, within):
    """Return the label of each case, 0, 1, …: the same for cases alike in the columns `within`; 0
    for all where there are none."""
    return join_codes([number_names(cases[name]) for name in within], len(cases))


def limit_groups(codes):
    """Return codes of groups 0, 1, …; more than two thousand are put into 200 blocks."""
    return codes % BLOCKS if codes.max(initial=0) > 2000 else codes
