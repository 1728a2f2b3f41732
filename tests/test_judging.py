"""Judges of the fourteen tests: asked, made ready for the comparison, and held against the printed
Table 9."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.ask.calls import list_calls
from goodjudge.data import ratings
from sklearn.metrics import cohen_kappa_score

from helpers import judges
from helpers.audit.checks import Paper
from helpers.papers.ttcw import tables
from helpers.ttcw import ask
from helpers.ttcw import load as ttcw

WRITERS, TESTS = ["GPT4", "Claude", "NewYorker"], range(1, 15)


@pytest.fixture
def verdicts(rng):
    """Twelve groups, three stories each, three experts, fourteen tests; one expert in three is a
    coin."""
    names = ["group", "writer", "expert", "test"]
    index = pd.MultiIndex.from_product([range(12), WRITERS, range(3), TESTS], names=names)
    table = index.to_frame(index=False)
    table["story"] = table["group"].astype(str) + "_" + table["writer"]
    quality = dict(zip(table["story"].unique(), rng.normal(size=36)))
    easy = table["story"].map(quality) + 0.15 * (table["test"] - 7)
    noise = np.where(table["expert"] == 2, 3, 0.5)
    return table.assign(passed=easy + noise * rng.normal(size=len(table)) > 0)


@pytest.fixture
def truth(verdicts):
    return ttcw.find_majority(verdicts)


def answer(truth, judge, says, status="ok"):
    """Answers of one made-up judge about every item of `truth`."""
    return truth.assign(judge=judge, yes=np.asarray(says, bool), status=status)


def test_the_majority_and_the_scores_of_judges(verdicts, truth):
    assert len(truth) == 36 * 14 and truth["votes"].sum() == verdicts["passed"].sum()
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


def test_verdicts_become_ratings(verdicts):
    stories = verdicts.drop_duplicates("story")[["story", "group", "writer"]]
    stories["words"] = stories["group"].where(stories["writer"] != "NewYorker")
    data = ttcw.to_ratings(verdicts, stories)
    assert list(data.items) == ["item", "group", "writer", "words"] and len(data.ratings) == 1512
    assert data.items["words"].isna().sum() == 12, "no text, no length"
    cases = ratings.find_cases(data)
    agreed = cases[cases["target"] != 0.5]
    total = verdicts.groupby(["story", "test"])["passed"].transform("sum") - verdicts["passed"]
    assert (
        len(agreed) == (total != 1).sum()
        and agreed["person"].sum() == (verdicts["passed"] & (total != 1)).sum()
    )


def test_who_is_asked():
    recorded = [f"recorded/{name}" for name in ttcw.JUDGES]
    assert ask.list_panel("recorded/all") == recorded
    assert ask.list_panel("recorded/gpt4") == recorded, "it is there already"
    assert ask.list_panel("openai/x") == [*recorded, "openai/x"]


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


def test_several_answers_at_temperature_0_are_refused():
    requests = ask.requests(STORIES[:1], QUESTIONS)
    for judge in ("local/m", "openai/gpt-4o?temperature=0"):
        with pytest.raises(judges.JudgeError, match="repeats=2: at temperature 0"):
            list_calls(requests, judge, judges.Options(repeats=2), ask.reader)
    for judge in ("local/m?temperature=1", "openai/gpt-4o", "simulated/coin"):
        calls = list_calls(requests, judge, judges.Options(repeats=2), ask.reader)
        assert [call.repeat for call in calls] == [1, 2, 1, 2]


def test_a_column_of_table_9_by_hand(truth, rng):
    answers = answer(truth, "recorded/gpt4", truth["truth"] ^ (rng.random(len(truth)) < 0.3))
    answers.loc[rng.random(len(truth)) < 0.2, "status"] = "refused"
    others = answer(truth, "recorded/cgpt", True)
    kappas = {
        ttcw.ROWS[test]: cohen_kappa_score(one["yes"], one["truth"])
        for test, one in answers[answers["status"] == "ok"].groupby("aspect")
    }
    paper = Paper("ttcw")
    for row in list(ttcw.ROWS.values())[:3]:  # as if three cells were printed so
        paper = paper.changed(("Table 9", row, "GPT4"), f"{kappas[row]:.2f}")
    assert tables.check_judges(paper, others[:0]) == 0
    assert tables.check_judges(paper, pd.concat([others, answers])) == 3
    checks = {row: paper.checked["Table 9", row, "GPT4"] for row in kappas}
    assert {row: check.computed for row, check in checks.items()} == pytest.approx(kappas)
    assert {check.basis for check in checks.values()} == {"none"}
