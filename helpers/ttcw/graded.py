"""How steady grades, a judge's probabilities of Yes, are when the judge is asked again."""

import pandas as pd

from helpers.measures import intervals


def steadiness(table, runs=10):
    """Return how steady one grading of a story is, and the mean of `runs` (rows of an interval).

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
