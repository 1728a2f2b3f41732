"""How far a judge of edits sides with writers, and its habits, beside the longer text."""

from typing import NamedTuple

import pandas as pd
from goodjudge.comparison import compare, controls
from goodjudge.diagnostics import consistency as steadiness

from helpers.edits.ask import score
from helpers.edits.load import KINDS
from helpers.edits.pairs import ALL, compare_kinds, list_pairs

LONGER = "the longer is better"
ALL_BY_LENGTH = f"{ALL}, {LONGER}"
LEADS = {  # of `compare`: the control that a user could have, and the one that knows who edited
    f"over {rival}{end}": f"over {name}{end}"
    for rival, name in (("stranger", "length"), ("control", "authorship"))
    for end in ("", " low", " high")
}
TURNS, PREFERS_LONGER = "a swap changes the winner", "the longer wins"


class Judged(NamedTuple):
    """What a judge made of LAMP's triples.

    full, asked: of how many triples every answer is usable, and how many were asked about; row: its
    line of `compare.compare` about all three pairs. habits: how often a swap changes the winner and
    how often the longer text wins (estimate, low, high, n, n counts); away: the median distance of
    its averaged preferences from one half; sides: how far it agrees with writers, a row per pair of
    kinds and for the longer text (estimate, low, high, n, and the leads over length, authorship and
    a person); these three are None where `full` is below `compare.ENOUGH`.
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
    preferences = keep_full_triples(score(answers))
    by_pair = compare_by_pair(preferences, data)
    row = by_pair[ALL][by_pair[ALL].index == judge]  # none if no triple was answered in full
    full, asked = preferences["group"].nunique(), answers["group"].nunique()
    if full < compare.ENOUGH:
        return Judged(full, asked, row)
    sides = pd.DataFrame({pair: table.loc[judge] for pair, table in by_pair.items()}).T
    sides.loc[ALL_BY_LENGTH] = follow_longer(preferences, data)
    by_rival = [*LEADS, *compare.lead_names("person")]
    sides = sides[[*compare.ENDS, *by_rival]].rename(columns=LEADS)
    by_order = spread_orders(preferences)
    habits = {
        TURNS: steadiness.count_turned(by_order["first"], by_order["second"]),
        PREFERS_LONGER: controls.count_longer(data.items, preferences),
    }
    habits = pd.DataFrame(habits).T.assign(**{"n counts": ["pairs", "triples"]})
    away = by_order.mean(axis=1).abs().median()
    return Judged(full, asked, row, habits, away, sides)


def keep_full_triples(preferences):
    """Return the preferences (of `ask.score`) about triples of which every answer is usable."""
    is_usable = preferences["status"].eq("ok")
    is_in_full = is_usable.groupby(preferences["group"]).transform("all")
    return preferences[is_in_full]


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


def spread_orders(preferences):
    """Return how far each first text of a pair is preferred, less one half, in both orders: a line
    per pair, columns first and second; preferences: of `ask.score`."""
    once = preferences[preferences["item"] < preferences["partner"]]
    return once.pivot(index=["item", "partner"], columns="order", values="score") - 0.5
