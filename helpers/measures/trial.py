"""The cases of one comparison, its measure and its groups: rates scores, alone and in pairs."""

import numpy as np
import pandas as pd

from helpers.measures import intervals, statistics
from helpers.measures.intervals import ENOUGH

ALONE = 10  # items of a rater who has a correlation of his or her own; others are taken together
BLOCKS = 200  # of very many groups whole blocks are left out: the same variance in less time


def lead_names(rival):
    """Return the columns of the paired lead over the "control", a "stranger" or a "person"."""
    return [f"over {rival}", f"over {rival} low", f"over {rival} high"]


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
        self.within, self.known = within, {}
        self.target = cases["target"].to_numpy(float)
        if cases["item"].nunique() < 2:  # one item has no order that anybody could follow
            self.target = np.full(len(cases), np.nan)
        self.labels = cases.groupby([*within] or np.zeros(len(cases))).ngroup().to_numpy()
        self.blocks = self.find_blocks()
        self.groups = [pd.factorize(cases[name])[0] for name in over]
        if len(over) > 1:
            self.groups.append(cases.groupby([*over]).ngroup().to_numpy())
        self.named = self.groups[:2]
        self.groups = [
            part % BLOCKS if part.max(initial=0) > 2000 else part for part in self.groups
        ]
        self.scale = "correlation" if measure in statistics.CORRELATIONS else None

    def find_blocks(self):
        """Return for each case whose correlation it belongs to: 0, 1, …"""
        if self.measure not in statistics.POOLED:
            return np.zeros(len(self.cases), int)
        items = self.cases.groupby("rater")["item"].transform("nunique")
        alone = self.cases["rater"].where(items >= ALONE, "")
        return pd.factorize(alone, sort=True)[0]

    def value(self, score, rows, target=None):
        """Return the measure of a score over some cases; target: instead of the people's."""
        target = self.target if target is None else target
        given = score[rows], target[rows], self.labels[rows]
        return statistics.average(*statistics.by_block(self.measure, *given, self.blocks[rows]))

    def leave_out(self, score, rows):
        """Return the measure over some cases, and without each group in turn, kind by kind."""
        key = score.tobytes(), rows.tobytes()
        if key not in self.known:
            given = self.measure, score[rows], self.target[rows], self.labels[rows]
            blocks = self.blocks[rows]
            parts = [statistics.leave_out(*given, groups[rows], blocks) for groups in self.groups]
            self.known[key] = self.value(score, rows), parts
        return self.known[key]

    def answered(self, *scores):
        """Return the positions of the cases that have a target and all of these scores."""
        return np.flatnonzero(~np.isnan(sum(scores, self.target)))

    def rate(self, score):
        """Return estimate, low, high, n of one scorer, on the cases that it answered."""
        rows = self.answered(score)
        if not len(rows):
            return intervals.row()
        return self.bound(*self.leave_out(score, rows), rows, self.scale)

    def count(self, rows):
        """Return how many groups some cases have; of two kinds, the smaller number."""
        return min(len(np.unique(groups[rows])) for groups in self.named)

    def bound(self, estimate, parts, rows, scale=None):
        """Return estimate, low, high, n; without an interval where there are few groups."""
        n = self.count(rows)
        if n < ENOUGH or np.isnan(estimate):
            return intervals.row(estimate, n=n)
        found = intervals.combine(estimate, parts, self.level, scale)
        return intervals.row(found["estimate"], found["low"], found["high"], n)

    def lead(self, rival, score, against):
        """Return by how much a scorer leads a rival on the cases that both answered, by columns."""
        rows = self.answered(score, against)
        if not len(rows):
            return {}
        mine, mine_left = self.leave_out(score, rows)
        other, other_left = self.leave_out(against, rows)
        if self.scale and (np.isnan(other) or np.ptp(against[rows]) == 0):
            other = 0.0  # a constant has no correlation: 0
            other_left = [np.zeros(len(part)) for part in mine_left]
        differences = [one - two for one, two in zip(mine_left, other_left)]
        lead = self.bound(mine - other, differences, rows)
        found = dict(zip(lead_names(rival), lead))
        if rival == "control":
            half = lead["high"] - lead["estimate"]
            found["visible"] = intervals.find_visible(half, lead["n"], self.level)
        return found
