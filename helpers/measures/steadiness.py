"""Does a judge say the same again: in the other order, and when asked again?"""

from functools import partial

import numpy as np
import pandas as pd

from helpers.measures import intervals


def count_turned(first, second, groups=None):
    """Return how often a preference turns when two texts change places (n: comparisons or groups).

    first, second: how much the same text is preferred in the two orders; a tie in either counts as
    no preference. groups: what belongs together, such as the questions about one story; without it
    every comparison stands for itself.
    """
    first, second = np.sign(np.asarray(first, float)), np.sign(np.asarray(second, float))
    there = (first != 0) & (second != 0)
    turned = (first != second)[there]
    if groups is None:
        return intervals.of_share(turned.sum(), there.sum())
    return intervals.over_groups(np.asarray(groups)[there], lambda rows: turned[rows].mean())


def count_repeated(data, scores, level=0.95):
    """Return how often two answers to the same question are the same: one row per judge (estimate,
    low, high, n: groups), the mean over the questions asked more than once.

    data: `Ratings`; scores: item, judge, score and perhaps aspect, order, partner, status (only
    "ok" counts). A judge that was never asked twice has no row.
    """
    scores = scores[scores["status"] == "ok"] if "status" in scores else scores
    asked = ["judge", *(name for name in ("item", "aspect", "order", "partner") if name in scores)]
    alike = scores.groupby([*asked, "score"]).size().rename("alike").reset_index()
    alike["pairs"] = alike["alike"] * (alike["alike"] - 1)
    told = alike.groupby(asked)[["alike", "pairs"]].sum().query("alike > 1").reset_index()
    told = told.assign(same=told["pairs"] / (told["alike"] * (told["alike"] - 1)))
    told["group"] = told["item"].map(data.items.set_index("item")["group"])
    rows = {}
    for judge, part in told.groupby("judge", sort=False):
        same = part["same"].to_numpy()
        enough = part["group"].nunique() > 1
        given = part["group"].to_numpy() if enough else np.arange(len(part))
        rows[judge] = intervals.over_groups(given, lambda rows, same=same: same[rows].mean(), level)
    return pd.DataFrame(rows).T


def find_kappas(given, pairs, beside):
    """Return how far answers to the same question agree beyond chance: a row (estimate, low, high,
    n: groups) for each of {name: pairs of judges}, the mean of Cohen's kappa over its pairs, and
    the paired difference from the row `beside`: less, less low, less high.

    given: a column per judge of 1, 0 or nothing, a row per question, with a level `group`.
    """
    groups, rows = given.index.get_level_values("group"), {}
    answers = {
        name: [(given[a].to_numpy(float), given[b].to_numpy(float)) for a, b in both]
        for name, both in pairs.items()
    }

    def average(name, chosen):
        return np.nanmean([find_kappa(one[chosen], two[chosen]) for one, two in answers[name]])

    for name in pairs:
        row = intervals.over_groups(groups, partial(average, name), scale="correlation")
        if name != beside:
            less = intervals.over_groups(
                groups, lambda chosen, name=name: average(name, chosen) - average(beside, chosen)
            )
            row = pd.concat([row, less.drop("n").set_axis(["less", "less low", "less high"])])
        rows[name] = row
    return pd.DataFrame(rows).T


def find_kappa(one, two):
    """Return Cohen's kappa of two judges' answers (1, 0, nan), where both answered; nan where both
    always say the same."""
    known = ~np.isnan(one + two)
    same = (one[known] == two[known]).mean()
    yes, also = one[known].mean(), two[known].mean()
    chance = yes * also + (1 - yes) * (1 - also)
    return (same - chance) / (1 - chance) if chance < 1 else np.nan
