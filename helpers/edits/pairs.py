"""Pairs of texts of two kinds: which of them a rater or a judge puts above the other."""

from itertools import combinations, product

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


def count_hits(wins, scored, sets):
    """Return the per cent of cases in which raters prefer what a score does: a row per set of pairs
    and rule (pairs, decided by), columns all, differ by > 1 (the score's lead).

    wins, scored: of `list_wins`, of raters and of the score; sets: {name: pairs}. Say two of three
    raters order a pair as the score does: then two of its three rankings are hits, and its majority
    is one hit. Of two raters who differ, the majority is half a hit, or is left out.
    """
    cases = wins.merge(scored, on=["group", "pair"], suffixes=("", " by score"))
    cases["hit"] = cases["won"].eq(cases["won by score"]).astype(float)
    cases["is far"] = cases["lead by score"].abs() > 1  # the same for all raters of a pair
    share_of_raters = cases.groupby(["group", "pair", "is far"])["hit"].mean()
    majority_hit = (np.sign(share_of_raters - 0.5) + 1) / 2  # 0, 0.5 (a tie) or 1
    votes = majority_hit.reset_index()
    decided = votes[votes["hit"] != 0.5]
    rules = {"each ranking": cases, "majority, a tie is half": votes, "majority, no ties": decided}
    shares = {}
    for (name, pairs), rule in product(sets.items(), rules):
        table = rules[rule]
        table = table[table["pair"].isin(pairs)]
        far_apart = table[table["is far"]]
        shares[name, rule] = {"all": table["hit"].mean(), "differ by > 1": far_apart["hit"].mean()}
    return 100 * pd.DataFrame(shares).T.rename_axis(["pairs", "decided by"])


def find_nearest(wins, scored, printed):
    """Return the table of `count_hits` for every set of pairs that one may mean, what comes nearest
    to two printed numbers first.

    wins, scored: of `list_wins`, of triples of two edits and a draft; printed: two numbers in per
    cent, for all cases and for those where the score differs by more than 1.
    """
    between_edits, *over_draft = wins["pair"].unique()
    sets = {pair: [pair] for pair in [between_edits, *over_draft]}
    sets["all pairs"] = [between_edits, *over_draft]
    sets["edits over draft"] = over_draft
    sets["chosen edit over others"] = [between_edits, over_draft[0]]
    counted = count_hits(wins, scored, sets)
    away = (counted - printed).abs().max(axis=1).round(6)
    return counted.loc[away.sort_values(kind="stable").index]
