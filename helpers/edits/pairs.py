"""Pairs of texts of two kinds: which of them a rater or a judge puts above the other."""

from itertools import combinations

import numpy as np
import pandas as pd
from goodjudge.comparison import compare
from goodjudge.comparison.cases import Trial
from goodjudge.data import ratings
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics

ALL = "all three pairs"
WITHIN = ("group", "rater")  # a measure is taken within each ranking


def list_pairs(kinds):
    """Return {name: (kind, kind)} of all pairs of kinds of texts, an edit before its draft."""
    edits_first = sorted(kinds, key=lambda kind: kind == "draft")
    pairs = combinations(edits_first, 2)
    return {f"{first} over {second}": (first, second) for first, second in pairs}


def list_wins(items, scores, kinds):
    """Return one row per group, rater and pair of kinds: group, rater, pair, lead (the first kind's
    score less the second's), won (1 if it is above 0, 0.5 for a tie).

    items: item, group, kind; scores: item, rater (or judge), score; kinds: of texts.
    """
    table = scores.rename(columns={"judge": "rater"}).merge(items, on="item")
    score_by_kind = table.pivot_table("score", ["group", "rater"], "kind").dropna()
    leads = {}
    for name, (first, second) in list_pairs(kinds).items():
        leads[name] = (score_by_kind[first] - score_by_kind[second]).round(9)
    wins = pd.DataFrame(leads).rename_axis(columns="pair").stack().rename("lead").reset_index()
    return wins.assign(won=(np.sign(wins["lead"]) + 1) / 2)


def agree(wins):
    """Return by pair how often two raters of a group order it alike (estimate, low, high, n
    groups), beside how often the first kind is "ranked above" the other; and, as the last row,
    Kendall's tau of two rankings: means over the groups. wins: of `list_wins`."""
    both = wins.merge(wins, on=["group", "pair"], suffixes=("", " too"))
    both = both[both["rater"] < both["rater too"]]  # every two raters once
    both["alike"] = both["won"] == both["won too"]
    alike = both.groupby(["group", "pair"])["alike"].mean().unstack()  # groups x pairs
    won = wins.groupby(["group", "pair"])["won"].mean().unstack()
    order = wins["pair"].unique()
    agreement = alike[order].apply(intervals.of_mean).T
    tau = 2 * alike.mean(axis=1) - 1
    agreement.loc["Kendall's tau of two rankings"] = intervals.of_mean(tau)
    above = won[order].apply(intervals.of_mean).T.drop(columns="n")
    above.columns = ["ranked above", "ranked above low", "ranked above high"]
    return above.reindex(agreement.index).join(agreement)


def compare_kinds(data, kinds, scores, simulate=False):
    """Return the rows of `compare.compare` about the texts of some kinds: pairwise accuracy, in
    each ranking.

    data: `Ratings`, with kind among the items; scores: item, judge, score and more; simulate:
    whether a perfect judge is simulated.
    """
    of_kinds = ratings.keep(data, data.items["kind"].isin(kinds))
    measure = statistics.pairwise_accuracy
    return compare.compare(of_kinds, scores, measure, within=WITHIN, simulate=simulate)


def lead_by_rater(data):
    """Return by how much a rater leads the rule "the shorter is better" in pairwise accuracy
    against the others, the mean over raters (estimate, low, high, n: raters). The rule stands as
    the "control"."""
    leads = []
    for _, own in ratings.find_cases(data).groupby("rater"):
        own = own.reset_index(drop=True)
        measure = statistics.pairwise_accuracy
        alone = Trial(own, measure, within=("group",), over=("group",), level=0.95)
        person = alone.apply(own["person"].to_numpy(float))
        shorter = alone.apply(-own["words"].to_numpy(float))
        leads.append(alone.lead("control", person, shorter)["over control"])
    return intervals.of_mean(leads)
