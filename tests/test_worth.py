"""What a judge that was asked is worth: one that follows the experts on machine stories, and ones
that answer little."""

import numpy as np
import pandas as pd
import pytest

from helpers.ttcw import load as ttcw
from helpers.ttcw import worth


@pytest.fixture(scope="module")
def panel():
    """The experts, and scores of a judge that follows them on machine stories and of a coin."""
    rng = np.random.default_rng(3)
    verdicts = ttcw.load_verdicts()
    people = ttcw.to_ratings(verdicts, ttcw.load_stories())
    truth = ttcw.find_majority(verdicts)
    coin = truth.assign(judge="coin", score=rng.integers(0, 2, len(truth)).astype(float))
    sage = truth[truth["writer"] != "NewYorker"].assign(judge="local/sage")
    sage["score"] = sage["truth"].astype(float)
    scores = pd.concat([coin, sage])
    return people, scores[["item", "aspect", "judge", "score"]]


def test_a_judge_and_its_rivals_meet_on_the_cases_that_both_judges_answered(panel):
    people, scores = panel
    kept = worth.keep_answered(people, scores, ["local/sage", "coin"])
    assert len(kept.items) == 36
    assert "NewYorker" not in set(kept.items["writer"])
    cases = kept.ratings.drop_duplicates(["item", "aspect"])
    assert len(cases) == 504


def test_a_good_judge_beats_guessing_and_adds(panel):
    own = worth.rate(*panel, "local/sage", "coin", 504, 0.99)
    assert (own.answered, len(own.people.items)) == (504, 36)
    assert worth.own_row(own)["low"] > 0.5 and own.gains.loc["local/sage", "low"] > 0
    coin = own.table.loc["coin"]
    assert coin["low"] < 0.5 < coin["high"]


def test_a_judge_with_two_stories_has_no_interval(panel):
    people, scores = panel
    two = scores[(scores["judge"] == "coin") | scores["item"].isin(["0_GPT4", "1_GPT4"])]
    own = worth.rate(people, two, "local/sage", "coin", 504, 0.99)
    assert own.answered == 28 and np.isnan(worth.own_row(own)["low"])


def test_a_judge_that_never_answers_gets_no_number(panel):
    own = worth.rate(*panel, "local/mute", "coin", 504, 0.99)
    assert own.answered == 0 and own.table.empty and np.isnan(worth.own_row(own)["estimate"])
    assert worth.tidy_rows(own).empty
