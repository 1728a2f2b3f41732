"""Pairs of texts of two kinds: which of them a rater or a judge puts above the other."""

from itertools import combinations, product

import numpy as np
import pandas as pd

from helpers.measures import intervals, ratings, statistics
from helpers.measures.trial import Trial


def list_pairs(kinds):
    """Return {name: (kind, kind)} of all pairs of kinds of texts, an edit before its draft."""
    ordered = sorted(kinds, key=lambda kind: kind == "draft")
    return {f"{a} over {b}": (a, b) for a, b in combinations(ordered, 2)}


def list_wins(items, scores, kinds):
    """Return one row per group, rater and pair of kinds: group, rater, pair, lead (the first kind's
    score less the second's), won (1 if it is above 0, 0.5 for a tie); scores: item, rater (or
    judge), score."""
    table = scores.rename(columns={"judge": "rater"}).merge(items, on="item")
    wide = table.pivot_table("score", ["group", "rater"], "kind").dropna()
    leads = {name: (wide[a] - wide[b]).round(9) for name, (a, b) in list_pairs(kinds).items()}
    found = pd.DataFrame(leads).rename_axis(columns="pair").stack().rename("lead").reset_index()
    return found.assign(won=(np.sign(found["lead"]) + 1) / 2)


def agree(wins):
    """Return by pair how often two raters of a group order it alike, beside how often the first
    kind is "ranked above" the other; and Kendall's tau of two rankings: means over the groups."""
    both = wins.merge(wins, on=["group", "pair"], suffixes=("", " too"))
    both = both[both["rater"] < both["rater too"]]
    alike = (both["won"] == both["won too"]).groupby([both["group"], both["pair"]]).mean().unstack()
    means = wins.groupby(["group", "pair"])["won"].mean().unstack()
    order = wins["pair"].unique()
    found, above = (part[order].apply(intervals.of_mean).T for part in (alike, means))
    found.loc["Kendall's tau of two rankings"] = intervals.of_mean(2 * alike.mean(axis=1) - 1)
    names = ["ranked above", "ranked above low", "ranked above high"]
    return above.drop(columns="n").set_axis(names, axis=1).reindex(found.index).join(found)


def lead_by_rater(data):
    """Return by how much a rater leads the rule "the shorter is better" in pairwise accuracy
    against the others, the mean over raters (estimate, low, high, n: raters)."""
    leads = []
    for _, own in ratings.find_cases(data).groupby("rater"):
        own = own.reset_index(drop=True)
        alone = Trial(own, statistics.pairwise_accuracy, ("group",), ("group",), 0.95)
        person = alone.apply(own["person"].to_numpy(float))
        shorter = alone.apply(-own["words"].to_numpy(float))
        leads.append(alone.lead("control", person, shorter)["over control"])
    return intervals.of_mean(leads)


def count_hits(wins, scored, sets):
    """Return the per cent of cases in which raters prefer what a score does, all and where it
    differs by more than 1: by set of pairs and by rule; wins, scored: of `list_wins`."""
    cases = wins.merge(scored, on=["group", "pair"], suffixes=("", " by score"))
    cases["hit"] = cases["won"].eq(cases["won by score"]).astype(float)
    cases["far"] = cases["lead by score"].abs() > 1
    votes = cases.groupby(["group", "pair", "far"])["hit"].mean().reset_index()
    votes["hit"] = (np.sign(votes["hit"] - 0.5) + 1) / 2
    clear, found = votes[votes["hit"] != 0.5], {}
    ways = {"each ranking": cases, "majority, a tie is half": votes, "majority, no ties": clear}
    for (of, kinds), (way, rows) in product(sets.items(), ways.items()):
        rows = rows[rows["pair"].isin(kinds)]
        found[of, way] = rows["hit"].mean(), rows.loc[rows["far"], "hit"].mean()
    table = pd.DataFrame(found, index=["all", "differ by > 1"]).T
    return 100 * table.rename_axis(["pairs", "decided by"])
