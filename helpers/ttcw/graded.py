"""One story and one test in one word: a judge whose probability of a Yes is its grade."""

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from helpers import judges
from helpers.judges import labels, prompts
from helpers.measures import intervals, validity
from helpers.ttcw import judging
from helpers.ttcw import load as ttcw

parse = labels.choice({"Yes": 1, "No": 0})


def requests(reasons=False):
    """Return the requests, one a story with public text and a test; items as in
    `data.make_requests`.

    reasons: the judge gives its reasons first, on the first test of each of the four dimensions.
    """
    stories, tests = ttcw.load_stories(), ttcw.load_tests()
    tests = tests.drop_duplicates("dimension") if reasons else tests
    return ttcw.make_requests(
        stories[stories["text"] != ""],
        tests,
        prompts.load("ttcw-yes-no" if reasons else "graded-test"),
    )


def ask(judge, verdicts):
    """Return one row a story and test: what `judges.ask` returns and `judging.find_majority` knows,
    judge, yes, words.

    score is P(Yes); yes: 1 or 0, nothing where the answer is neither; then its probabilities still
    are a grade.
    """
    answers = judges.ask(requests(), judge, parse)
    table = answers.merge(judging.find_majority(verdicts), on="item")
    words = ttcw.load_stories().set_index("story")["words"]
    return table.assign(
        judge=judge,
        yes=table["verdict"].map({"Yes": 1.0, "No": 0.0}),
        words=table["story"].map(words),
    )


def ask_reasons(judge, table):
    """Return the cases of `table` (as of `ask`) that `judge` was asked with its reasons first;
    reasons: 1, 0 or nothing."""
    answers = judges.ask(requests(reasons=True), judge, labels.parse_yes_no).set_index("item")
    said = answers["verdict"].map({"Yes": 1.0, "No": 0.0})
    return table.join(said.rename("reasons"), on="item", how="inner")


def read(table, verdicts):
    """Return how far the grades follow the experts (estimate, low, high, n: groups of stories).

    Rows: Spearman's r of a story's mean P(Yes) with its experts' score, of length, and of the first
    with length held; of the machine that wrote, by its other stories; and the mean AUC within the
    tests.
    """
    stories = judging.add_scores(verdicts, table.assign(judge="graded", yes=table["score"])).dropna(
        subset=["graded"]
    )
    known = (
        stories["expert"],
        stories["story"].map(table.drop_duplicates("story").set_index("story")["words"]),
        stories["group"],
    )
    rows = validity.beside_length(stories["graded"], *known)
    rows.loc["who wrote"] = validity.beside_length(stories["who wrote"], *known).iloc[0]
    apart = pd.DataFrame(
        {"graded": stories["graded"], "expert": stories["expert"], "words": known[1]}
    )
    apart -= apart.groupby(stories["writer"]).transform("mean")
    rows.loc["the judge, within a machine"] = validity.beside_length(
        *apart.to_numpy().T, stories["group"]
    ).iloc[0]
    part = table.dropna(subset=["score"]).reset_index(drop=True)

    def within(chosen):
        tests = part.iloc[chosen].groupby("test")
        return np.mean(
            [roc_auc_score(t["truth"], t["score"]) for _, t in tests if t["truth"].nunique() == 2]
        )

    rows.loc["AUC within tests"] = intervals.over_groups(part["group"], within)
    return rows


def steadiness(table, verdicts, rng, runs=10, draws=200):
    """Return how steady the mean of `runs` repeated gradings is, and how one of them follows the
    experts (rows of an interval).

    At temperature 1 a judge says Yes as often as its probability says, so asking again is drawing
    again. Rows: ICC(A,k) of a story's mean over one and over all runs, from the variance of the
    scores and of a draw; the mean Spearman's r of one run.
    """
    by_story = table.groupby("story")["score"]
    score, spread = (
        by_story.mean(),
        (table["score"] * (1 - table["score"])).groupby(table["story"]).sum()
        / by_story.size() ** 2,
    )
    drawn = pd.DataFrame(
        rng.random((len(table), draws)) < table["score"].to_numpy()[:, None], index=table["story"]
    )
    drawn, human = (
        drawn.groupby(level=0).mean(),
        verdicts.groupby("story")["passed"].sum().reindex(score.index),
    )

    def icc(rows, k=runs):
        return score.iloc[rows].var() / (score.iloc[rows].var() + spread.iloc[rows].mean() / k)

    def one(rows):
        return drawn.iloc[rows].corrwith(human.iloc[rows], method="spearman").mean()

    groups = table.drop_duplicates("story").set_index("story")["group"].loc[score.index]
    return pd.DataFrame(
        {
            "ICC(A,1) of one run": intervals.over_groups(groups, lambda rows: icc(rows, 1)),
            f"ICC(A,{runs}) of the mean of {runs} runs": intervals.over_groups(groups, icc),
            "r of one run": intervals.over_groups(groups, one, scale="correlation"),
        }
    ).T
