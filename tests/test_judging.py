"""Judges of the fourteen tests: asked, made ready for the comparison; what one is worth that
follows the experts, and ones that answer little."""

import numpy as np
import pandas as pd
import pytest

from helpers import judges
from helpers.ttcw import ask, worth
from helpers.ttcw import load as ttcw


@pytest.fixture
def verdicts():
    return ttcw.load_verdicts()


@pytest.fixture
def truth(verdicts):
    return ttcw.find_majority(verdicts)


def answer(truth, judge, says, status="ok"):
    """Answers of one made-up judge about every item of `truth`."""
    return truth.assign(judge=judge, yes=np.asarray(says, bool), status=status)


def test_the_majority_and_the_scores_of_judges(verdicts, truth):
    assert len(truth) == 48 * 14 and truth["votes"].sum() == verdicts["passed"].sum()
    assert (truth["truth"] == (truth["votes"] > 1)).all() and truth.at[0, "item"] == "0_Claude"
    both = pd.concat([answer(truth, "recorded/gpt4", True), answer(truth, "recorded/cgpt", False)])
    both.iloc[:5, both.columns.get_loc("status")] = "refused"
    found = ask.score(both)
    assert len(found) == 2 * len(truth) - 5, "a refused answer is neither Yes nor No"
    assert found.groupby("judge", sort=False)["score"].mean().to_dict() == {
        "recorded/gpt4": 1,
        "recorded/cgpt": 0,
    }
    assert found[["item", "aspect"]].equals(both[["item", "aspect"]][5:])
    both["score"] = [0.25] * 9 + [np.nan] * (len(both) - 9)
    assert ask.score(both, "score")["score"].tolist() == [0.25] * 9, "grades need no verdict"


STORIES = {"story": ["0_GPT4", "1_GPT4"], "group": [0, 1], "writer": "GPT4"}
STORIES = pd.DataFrame(STORIES | {"text": ["A fox ran.", ""]})
QUESTIONS = {"test": [1, 2], "question": ["Does it end?", "Is it new?"], "full_prompt": ""}
QUESTIONS = pd.DataFrame(QUESTIONS | {"category": ["E", "O"]})


def test_answers_are_joined_to_the_truth(tmp_path):
    items, tests = ["0_GPT4", "0_GPT4", "1_GPT4", "1_GPT4"], [1, 2, 1, 2]
    right = [True, False, True, False]
    truth = pd.DataFrame({"item": items, "aspect": tests, "truth": right})
    options = judges.Options(repeats=3, limit=1, transcripts=tmp_path / "store.sqlite")
    panel = ["simulated/always-yes", "simulated/coin"]
    found = ask.ask_panel(panel, STORIES, QUESTIONS, truth, options)
    # all is asked once: repeats and limit are for live judges
    assert found["judge"].tolist() == [name for name in panel for _ in range(4)]
    assert found["item"].tolist() == 2 * items and found["truth"].tolist() == 4 * [True, False]
    assert found["yes"][:4].all() and found["status"].eq("ok").all()
    plan = ask.plan_panel(STORIES, QUESTIONS, "openai/gpt-4o", options)
    assert plan["calls"].item() == 3, "one request of the one public story, three times"


def test_a_live_judge_without_the_public_texts_is_told_what_is_missing(no_data):
    stories, tests = ttcw.load_stories(), ttcw.load_tests()
    truth = pd.DataFrame({"item": [], "aspect": [], "truth": []})
    with pytest.raises(FileNotFoundError, match="has the texts of a data set.*make fetch"):
        ask.plan_panel(stories, tests, "openai/gpt-4o", judges.Options())
    with pytest.raises(FileNotFoundError, match="has the texts of a data set.*make fetch"):
        ask.ask_panel(["openai/gpt-4o"], stories, tests, truth)


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
