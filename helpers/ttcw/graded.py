"""How far grades, a judge's probabilities of Yes, follow the experts, and how steady they are."""

import pandas as pd

from helpers.measures import intervals, validity
from helpers.ttcw import judging


def read(table, verdicts):
    """Return how far the grades follow the experts (estimate, low, high, n: groups of stories).

    Rows: Spearman's r of a story's mean P(Yes) with its experts' score, of length, and of the first
    with length held; of the machine that wrote, by its other stories; and the mean AUC within the
    tests.
    """
    graded = table.assign(judge="graded", yes=table["score"])
    stories = judging.add_scores(verdicts, graded).dropna(subset=["graded"])
    stories["words"] = stories["story"].map(table.groupby("story")["words"].first())
    known = stories["expert"], stories["words"], stories["group"]
    rows = validity.beside_length(stories["graded"], *known)
    rows.loc["who wrote"] = validity.beside_length(stories["who wrote"], *known).iloc[0]
    apart = stories[["graded", "expert", "words"]]
    apart -= apart.groupby(stories["writer"]).transform("mean")
    within = validity.beside_length(*apart.to_numpy().T, stories["group"])
    rows.loc["the judge, within a machine"] = within.iloc[0]
    rows.loc["AUC within tests"] = judging.rank_within(table.dropna(subset=["score"]))
    return rows


def steadiness(table, verdicts, rng, runs=10, draws=200):
    """Return how steady the mean of `runs` repeated gradings is, and how one of them follows the
    experts (rows of an interval).

    At temperature 1 a judge says Yes as often as its probability says, so asking again is drawing
    again. Rows: ICC(A,k) of a story's mean over one and over all runs, from the variance of the
    scores and of a draw; the mean Spearman's r of one run.
    """
    by_story = table.groupby("story")
    score, groups = by_story["score"].mean(), by_story["group"].first()
    spread = (table["score"] * (1 - table["score"])).groupby(table["story"]).sum()
    spread /= by_story.size() ** 2
    drawn = rng.random((len(table), draws)) < table["score"].to_numpy()[:, None]
    drawn = pd.DataFrame(drawn, index=table["story"]).groupby(level=0).mean()
    human = verdicts.groupby("story")["passed"].sum().reindex(score.index)

    def icc(rows, k=runs):
        return score.iloc[rows].var() / (score.iloc[rows].var() + spread.iloc[rows].mean() / k)

    def one(rows):
        return drawn.iloc[rows].corrwith(human.iloc[rows], method="spearman").mean()

    rows = {
        "ICC(A,1) of one run": intervals.over_groups(groups, lambda rows: icc(rows, 1)),
        f"ICC(A,{runs}) of the mean of {runs} runs": intervals.over_groups(groups, icc),
        "r of one run": intervals.over_groups(groups, one, scale="correlation"),
    }
    return pd.DataFrame(rows).T
