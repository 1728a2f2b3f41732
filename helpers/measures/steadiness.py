"""Does a judge say the same again: in the other order, and when asked again?"""

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


def of_grades(table, runs=10):
    """Return how steady one grading of a story is by probabilities of Yes, and the mean of `runs`
    gradings (rows of an interval).

    table: story, group, score (of one answer). At temperature 1 a judge says Yes as often as its
    probability says, so what asking again would give is known: ICC(A,k) of a story's mean over k
    runs, from the variance of the scores and of a draw.
    """
    by_story = table.groupby("story")
    score, groups = by_story["score"].mean(), by_story["group"].first()
    spread = (table["score"] * (1 - table["score"])).groupby(table["story"]).sum()
    spread /= by_story.size() ** 2

    def icc(k):
        def of(rows):
            return score.iloc[rows].var() / (score.iloc[rows].var() + spread.iloc[rows].mean() / k)

        return intervals.over_groups(groups, of)

    rows = {"ICC(A,1) of one run": icc(1), f"ICC(A,{runs}) of the mean of {runs} runs": icc(runs)}
    return pd.DataFrame(rows).T
