"""Pairs of texts of two kinds: which of them a rater or a judge puts above the other; how far a
judge of edits sides with writers, and its habits, beside the longer text."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from goodjudge.comparison import compare, controls
from goodjudge.comparison.cases import Trial
from goodjudge.data import ratings
from goodjudge.diagnostics import consistency, reliability
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics

from helpers import choices
from helpers.edits.ask import score
from helpers.edits.load import KINDS, load_reward

ALL = "all three pairs"
WITHIN = ("group", "rater")  # a measure is taken within each ranking
LONGER = "the longer is better"
ALL_BY_LENGTH = f"{ALL}, {LONGER}"
LEADS = {  # of `compare`: the control that a user could have, and the one that knows who edited
    f"over {rival}{end}": f"over {name}{end}"
    for rival, name in (("stranger", "length"), ("control", "authorship"))
    for end in ("", " low", " high")
}
TURNS, PREFERS_LONGER = "a swap changes the winner", "the longer wins"


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


class Judged(NamedTuple):
    """What a judge made of LAMP's triples.

    full, asked: of how many triples every answer is usable, and how many were asked about; row: its
    line of `compare.compare` about all three pairs. habits: how often a swap changes the winner and
    how often the longer text wins (estimate, low, high, n: pairs, triples); away: the median
    distance of its averaged preferences from one half; sides: how far it agrees with writers, a row
    per pair of kinds and for the longer text (estimate, low, high, n, and the leads over length,
    authorship and a person); these three are None where `full` is below `compare.ENOUGH`.
    """

    full: int
    asked: int
    row: pd.DataFrame
    habits: pd.DataFrame | None = None
    away: float | None = None
    sides: pd.DataFrame | None = None


def judge_edits(answers, data):
    """Return the `Judged` of one judge.

    answers: of `ask.ask_pairs` about LAMP; only triples of which every answer is usable count.
    data: LAMP's `Ratings`.
    """
    judge = answers["judge"].iloc[0]
    preferences = score(answers)
    is_in_full = preferences["status"].eq("ok").groupby(preferences["group"]).transform("all")
    preferences = preferences[is_in_full]
    by_pair = compare_by_pair(preferences, data)
    row = by_pair[ALL][by_pair[ALL].index == judge]  # none if no triple was answered in full
    full, asked = preferences["group"].nunique(), answers["group"].nunique()
    if full < compare.ENOUGH:
        return Judged(full, asked, row)
    sides = pd.DataFrame({pair: table.loc[judge] for pair, table in by_pair.items()}).T
    sides.loc[ALL_BY_LENGTH] = follow_longer(preferences, data)
    by_rival = [*LEADS, *compare.lead_names("person")]
    sides = sides[[*compare.ENDS, *by_rival]].rename(columns=LEADS)
    once = preferences[preferences["item"] < preferences["partner"]]
    by_order = once.pivot(index=["item", "partner"], columns="order", values="score") - 0.5
    habits = {
        TURNS: consistency.count_turned(by_order["first"], by_order["second"]),
        PREFERS_LONGER: controls.count_longer(data.items, preferences),
    }
    away = by_order.mean(axis=1).abs().median()
    return Judged(full, asked, row, pd.DataFrame(habits).T, away, sides)


def compare_by_pair(preferences, data):
    """Return {pair of kinds, or all: the rows of `compare.compare`}; preferences: of `ask.score`,
    data: LAMP's `Ratings`."""
    kind_of_item = data.items.set_index("item")["kind"]
    partner_kind = preferences["partner"].map(kind_of_item)
    pairs = list_pairs(KINDS["LAMP"])
    pairs[ALL] = tuple(KINDS["LAMP"])
    by_pair = {}
    for pair, kinds in pairs.items():
        of_pair = preferences[partner_kind.isin(kinds)]
        by_pair[pair] = compare_kinds(data, kinds, of_pair)
    return by_pair


def follow_longer(preferences, data):
    """Return the line of `compare.compare` about all three pairs of the rule that the longer text
    is better, in the triples that preferences (of `ask.score`) are about."""
    items = data.items[data.items["group"].isin(preferences["group"])]
    by_words = items[["item"]].assign(judge=LONGER, score=items["words"])
    return compare_kinds(data, tuple(KINDS["LAMP"]), by_words).loc[LONGER]


# ── The main claim of notebook 08 under other definitions: does it depend on a choice? ────────────


def vary_lead(data):
    """Return a table of `choices.vary`: by how much a person leads length in LAMP, by each
    definition; a lead of 0 would mean that there is nothing to judge beyond length.

    data: LAMP's `Ratings`. n counts triples, or raters where the row says so.
    """
    claims = {ALL: lead_over_length(data)}
    for pair, kinds in list_pairs(KINDS["LAMP"]).items():
        is_of_pair = data.items["kind"].isin(kinds)
        claims[pair] = lead_over_length(ratings.keep(data, is_of_pair))
    claims["Kendall's tau"] = lead_over_length(data, statistics.kendall)
    claims["rater by rater (n: raters)"] = lead_by_rater(data)
    left_out = choices.leave_raters_out(data, lead_over_length)
    claims |= choices.find_extremes(left_out, "one rater left out")
    nobody = load_reward().head(0)
    new_raters = reliability.for_new_raters(
        data, nobody, statistics.pairwise_accuracy, within=WITHIN
    )
    claims["for new raters too (n: raters)"] = take_lead(new_raters)
    return choices.vary(claims).rename_axis("a person's lead over length")


def lead_over_length(data, measure=statistics.pairwise_accuracy):
    """Return by how much a person leads the best control: estimate, low, high, n (triples).

    data: `Ratings` of triples, or of one pair of each; measure: of `statistics`.
    """
    nobody = load_reward().head(0)
    comparison = compare.compare(data, nobody, measure, within=WITHIN, simulate=False)
    return take_lead(comparison)


def take_lead(comparison):
    """Return a person's lead over the best control as estimate, low, high, n; comparison: of
    `compare.compare`."""
    lead = comparison.loc[compare.PERSON, [*compare.lead_names("control"), "n"]]
    return lead.set_axis(compare.ENDS)
