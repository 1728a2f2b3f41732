"""How far a judge of edits sides with writers, and its habits, beside the longer text."""

from typing import NamedTuple

import pandas as pd

from helpers.edits.ask import score
from helpers.edits.load import KINDS
from helpers.edits.pairs import ALL, compare_kinds, list_pairs
from helpers.measures import compare, controls, steadiness
from helpers.results import format_interval
from helpers.sources.names import display_name

LONGER = "the longer is better"
TURNS = "a swap changes the winner (n: pairs)"
PREFERS_LONGER = "the longer wins (n: triples)"


class Judged(NamedTuple):
    """What a judge made of LAMP's triples.

    enough: whether it answered enough of them in full; finding: a sentence about it, for fewer
    triples that they are too few; row: its line of `compare.compare` about all three pairs. habits:
    how often a swap changes the winner and how often the longer text wins (estimate, low, high, n);
    away: the median distance of its averaged preferences from one half; sides: how far it agrees
    with writers, a row per pair of kinds and for the longer text (estimate, low, high, n, and both
    leads); these three are None for fewer triples.
    """

    enough: bool
    finding: str
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
    usable = preferences["status"].eq("ok")
    preferences = preferences[usable.groupby(preferences["group"]).transform("all")]
    by_pair = compare_by_pair(preferences, data)
    row = by_pair[ALL][by_pair[ALL].index == judge]  # none if no triple was answered in full
    triples = preferences["group"].nunique()
    if triples < compare.ENOUGH:
        finding = (
            f"{display_name(judge)} answered every question about {triples} of"
            f" {answers['group'].nunique()} triples: too few to say how well it judges (an interval"
            f" takes {compare.ENOUGH})."
        )
        return Judged(False, finding, row)
    sides = pd.DataFrame({pair: table.loc[judge] for pair, table in by_pair.items()}).T
    sides.loc[f"{ALL}, {LONGER}"] = follow_longer(preferences, data)
    sides = sides.drop(columns=["kind", "visible", *compare.lead_names("stranger")])
    by_order = spread_orders(preferences)
    habits = {
        TURNS: steadiness.count_turned(by_order["first"], by_order["second"]),
        PREFERS_LONGER: controls.count_longer(data.items, preferences),
    }
    habits = pd.DataFrame(habits).T
    finding = (
        f"When two LAMP texts swap places, {display_name(judge)} changes the winner in"
        f" {format_interval(habits.loc[TURNS])} of pairs. Averaged over both orders it prefers the"
        f" longer text in {format_interval(habits.loc[PREFERS_LONGER])}, and sides with writers in"
        f" {format_interval(sides.loc[ALL])}; the rule *{LONGER}* does in"
        f" {format_interval(sides.loc[f'{ALL}, {LONGER}'])}."
    )
    away = by_order.mean(axis=1).abs().median()
    return Judged(True, finding, row, habits, away, sides)


def compare_by_pair(preferences, data):
    """Return {pair of kinds, or all: the rows of `compare.compare`}; preferences: of `ask.score`,
    data: LAMP's `Ratings`."""
    kind_of_item = data.items.set_index("item")["kind"]
    partner_kind = preferences["partner"].map(kind_of_item)
    by_pair = {}
    for pair, kinds in (list_pairs(KINDS["LAMP"]) | {ALL: tuple(KINDS["LAMP"])}).items():
        of_pair = preferences[partner_kind.isin(kinds)]
        by_pair[pair] = compare_kinds(data, kinds, of_pair)
    return by_pair


def follow_longer(preferences, data):
    """Return the line of `compare.compare` about all three pairs of the rule that the longer text
    is better, in the triples that preferences (of `ask.score`) are about."""
    items = data.items[data.items["group"].isin(preferences["group"])]
    by_words = items[["item"]].assign(judge=LONGER, score=items["words"])
    return compare_kinds(data, tuple(KINDS["LAMP"]), by_words).loc[LONGER]


def spread_orders(preferences):
    """Return how far each first text of a pair is preferred, less one half, in both orders: a line
    per pair, columns first and second; preferences: of `ask.score`."""
    once = preferences[preferences["item"] < preferences["partner"]]
    return once.pivot(index=["item", "partner"], columns="order", values="score") - 0.5
