"""One story and one test in one word: a judge whose probability of a Yes is its grade."""

import numpy as np
import pandas as pd
import pingouin as pg
from sklearn.metrics import roc_auc_score

from helpers import judges
from helpers.judges import labels, prompts
from helpers.measures import intervals, validity
from helpers.ttcw import data as ttcw
from helpers.ttcw import judging

parse = labels.choice({"Yes": 1, "No": 0})


def requests(reasons=False):
    """Return the requests, one a story with public text and a test; items as in `data.make_requests`.

    reasons: the judge gives its reasons first, on the first test of each of the four dimensions.
    """
    stories, tests = ttcw.load_stories(), ttcw.load_tests()
    tests = tests.drop_duplicates("category") if reasons else tests
    return ttcw.make_requests(stories[stories["text"] != ""], tests, prompts.load("ttcw-yes-no" if reasons else "graded-test"))


def ask(judge, verdicts, **options):
    """Return one row a story and test that `judge` answered: what `judging.find_majority` knows, score (P(Yes)), yes, words."""
    asked = requests()
    answers = judges.ask(asked, judge, parse, **options).set_index("item")
    words = ttcw.load_stories().set_index("story")["words"]
    table = judging.find_majority(verdicts).join(answers[["score", "verdict", "status"]], on="item", how="inner")
    return table.assign(yes=table["verdict"].eq("Yes"), words=table["story"].map(words))


def read(table, verdicts):
    """Return how far the grades follow the experts (estimate, low, high, n: groups of stories).

    Rows: Spearman's r of a story's mean P(Yes) with its experts' score, of length, and of the first with length held; of the
    machine that wrote, by its other stories; and the mean AUC within the tests.
    """
    stories = judging.add_scores(verdicts, table.assign(judge="graded", yes=table["score"])).dropna(subset=["graded"])
    known = stories["expert"], stories["story"].map(table.drop_duplicates("story").set_index("story")["words"]), stories["group"]
    rows = validity.beside_length(stories["graded"], *known)
    rows.loc["who wrote"] = validity.beside_length(stories["who wrote"], *known).iloc[0]
    part = table.dropna(subset=["score"]).reset_index(drop=True)

    def within(chosen):
        tests = part.iloc[chosen].groupby("test")
        return np.mean([roc_auc_score(t["truth"], t["score"]) for _, t in tests if t["truth"].nunique() == 2])

    rows.loc["AUC within tests"] = intervals.over_groups(part["group"], within)
    return rows


def steadiness(table, verdicts, rng, runs=10):
    """Return ICC(A,k) of the mean of `runs` repeated gradings, and the mean Spearman's r of one of them with the experts.

    At temperature 1 a judge says Yes as often as its probability says, so asking again is drawing again.
    """
    drawn = rng.random((len(table), runs)) < table["score"].to_numpy()[:, None]
    scores = pd.DataFrame(drawn, index=table["story"]).groupby(level=0).mean()
    long = scores.reset_index().melt("story", var_name="run", value_name="passed")
    icc = pg.intraclass_corr(long, "story", "run", "passed").set_index("Type").loc["ICC(A,k)", "ICC"]
    human = verdicts.groupby("story")["passed"].sum().reindex(scores.index)
    return pd.Series({f"ICC(A,{runs})": icc, "r of one run": scores.corrwith(human, method="spearman").mean()})
