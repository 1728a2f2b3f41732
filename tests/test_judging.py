"""Judges of the fourteen tests: asked, rated beside experts, calibrated, and held against the
printed Table 9."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

from helpers import judges
from helpers.audit import ttcw as audit
from helpers.audit.checks import Paper
from helpers.measures import agreement
from helpers.ttcw import ask, judging
from helpers.ttcw import load as ttcw

WRITERS, TESTS = ["GPT4", "Claude", "NewYorker"], range(1, 15)


@pytest.fixture
def verdicts(rng):
    """Twelve groups, three stories each, three experts, fourteen tests; one expert in three is a
    coin."""
    index = pd.MultiIndex.from_product(
        [range(12), WRITERS, range(3), TESTS], names=["group", "writer", "expert", "test"]
    )
    table = index.to_frame(index=False)
    table["story"] = table["group"].astype(str) + "_" + table["writer"]
    quality = dict(zip(table["story"].unique(), rng.normal(size=36)))
    easy = table["story"].map(quality) + 0.15 * (table["test"] - 7)
    noise = np.where(table["expert"] == 2, 3, 0.5)
    return table.assign(passed=easy + noise * rng.normal(size=len(table)) > 0)


def answer(truth, judge, says, status="ok"):
    """Answers of one made-up judge about every item of `truth`."""
    return truth.assign(judge=judge, yes=np.asarray(says, bool), status=status)


def test_the_majority_and_what_a_judge_said_first(verdicts):
    truth = judging.find_majority(verdicts)
    assert (
        len(truth) == 36 * 14
        and set(truth["votes"]) <= {0, 1, 2, 3}
        and (truth["truth"] == (truth["votes"] > 1)).all()
    )
    twice = pd.concat([answer(truth, "recorded/gpt4", True), answer(truth, "recorded/gpt4", False)])
    twice.iloc[:5, twice.columns.get_loc("status")] = "refused"
    said = judging.add_answers(truth, twice)["GPT-4"]
    assert said[:5].eq(False).all() and said[5:].eq(True).all(), "the first usable answer counts"
    lost = judging.add_answers(truth, twice.head(len(truth)))["GPT-4"]
    assert lost[:5].isna().all(), "a refused answer is neither Yes nor No"


def test_ratings_by_hand_leave_out_what_was_not_answered(verdicts):
    truth = judging.find_majority(verdicts)
    table = truth.assign(
        perfect=truth["truth"].astype(object), contrary=~truth["truth"], easy=truth["test"] > 7
    )
    table.loc[:99, "perfect"] = None
    found = judging.rate(table, ["perfect", "contrary", "easy"])
    assert found["estimate"].tolist()[:2] == [1, 0] and found["n"].tolist() == [10, 12, 12], (
        "two groups have no answer"
    )
    expected = agreement.balanced_accuracy(table["easy"], table["truth"])
    assert found.at["easy", "estimate"] == pytest.approx(expected) and expected > 0.5
    assert judging.rate(table, ["easy"], within=True).at["easy", "estimate"] == 0.5, (
        "it only knows the tests"
    )
    one = judging.rate(table[table["group"] == 3], ["easy"])
    assert one.at["easy", "n"] == 1 and np.isnan(one.at["easy", "low"])


def test_a_generous_judge_that_reads_gains_by_a_stricter_threshold_and_a_coin_does_not(
    verdicts, rng
):
    truth = judging.find_majority(verdicts)
    reads = truth["truth"] | (rng.random(len(truth)) < 0.35)
    table = truth.assign(reads=reads, coin=rng.random(len(truth)) < 0.8, early=None)
    found = judging.compare_threshold(table, ["reads", "coin"])
    assert (
        found.at["reads", "low"] > 0.1
        and found.at["coin", "low"] < 0 < found.at["coin", "high"] + 0.05
    )
    lead = found["at the experts' rate"] - found["test rates alone"]
    assert found["estimate"].tolist() == pytest.approx(lead.tolist())
    assert judging.compare_threshold(table[table["group"] == 1], ["reads"]).empty, (
        "one group has nothing to learn from"
    )


@pytest.mark.parametrize("error", [0.05, 0.5])
def test_the_labels_saved_are_those_by_which_the_interval_narrows(verdicts, error):
    rng = np.random.default_rng(2)
    truth = judging.find_majority(verdicts)
    table = truth.assign(judge=(truth["truth"] ^ (rng.random(len(truth)) < error)).astype(object))
    drawn = [judging.estimate_rate(table, "judge", 100, rng) for _ in range(40)]
    alone, helped = np.mean(
        [(rows["high"] - rows["low"]).to_numpy(float) ** 2 for rows in drawn], axis=0
    )
    saved = judging.count_saved(table, "judge", 100)
    assert 100 * (1 - helped / alone) == pytest.approx(saved["estimate"], abs=6)
    assert 0 <= saved["low"] <= saved["estimate"] <= saved["high"] <= 100
    contrary = table.assign(judge=~(table["judge"].astype(bool)) if error < 0.5 else True)
    nothing = judging.count_saved(contrary, "judge", 100)
    assert not nothing["estimate"] > 0, (
        "a judge that is mostly wrong, or always says Yes, gets no weight"
    )


def test_scores_of_stories_and_the_writer_who_is_known(verdicts):
    truth = judging.find_majority(verdicts)
    scores = judging.add_scores(
        verdicts, answer(truth, "recorded/gpt4", truth["test"] <= 7)
    ).set_index("story")
    assert scores["GPT-4"].eq(7).all() and scores["jury"].eq(7).all()
    assert scores["expert"].sum() == pytest.approx(verdicts["passed"].sum() / 3)
    others = scores[(scores["writer"] == "GPT4") & (scores["group"] != 4)]["expert"].mean()
    assert scores.at["4_GPT4", "who wrote"] == pytest.approx(others)
    values = judging.list_values(
        truth.assign(judge=truth["truth"]), "judge", {"estimate": 1, "low": 1, "high": 1}
    )
    assert (
        values["kappa"] == 1
        and values["n"] == len(truth)
        and values["yes"] == truth["truth"].mean()
    )


def test_who_is_asked():
    assert ask.list_panel("recorded/all", "open", "") == [
        f"recorded/{name}" for name in ttcw.JUDGES
    ]
    assert ask.list_panel("recorded/gpt4", "open", "") == [
        f"recorded/{name}" for name in ttcw.JUDGES
    ], "it is there already"
    assert ask.list_panel("openai/x", "open", "")[-1] == "openai/x"
    assert "openai/x" not in ask.list_panel("openai/x", "open", "my-stories"), (
        "it is asked about my stories"
    )
    assert ask.list_panel("recorded/all", "simulated", "") == [
        "simulated/lenient",
        "simulated/coin",
    ]


def test_answers_are_joined_to_the_truth_and_a_rubric_needs_stories(tmp_path):
    stories = pd.DataFrame(
        {
            "story": ["0_GPT4", "1_GPT4"],
            "group": [0, 1],
            "writer": "GPT4",
            "text": ["A fox ran.", ""],
        }
    )
    tests = pd.DataFrame(
        {
            "test": [1, 2],
            "question": ["Does it end?", "Is it new?"],
            "full_prompt": "",
            "category": ["E", "O"],
        }
    )
    truth = pd.DataFrame(
        {
            "item": ["0_GPT4/1", "0_GPT4/2", "1_GPT4/1", "1_GPT4/2"],
            "truth": [True, False, True, False],
        }
    )
    found = ask.ask_panel(
        ["simulated/always-yes", "simulated/lenient"], stories, tests, truth, judges.Options(seed=1)
    )
    assert found["judge"].value_counts().to_dict() == {
        "simulated/always-yes": 4,
        "simulated/lenient": 4,
    }
    assert (
        found[found["judge"] == "simulated/always-yes"]["yes"].all()
        and found["status"].eq("ok").all()
    )
    assert set(found["truth"]) == {True, False}
    mine = ask.judge_own(stories, tests, "simulated/always-yes")
    assert mine["yes"].all() and (mine["group"] == mine["story"]).all(), (
        "every text is a group of its own"
    )
    mine.loc[0, ["verdict", "status", "usd"]] = [None, "refused", 0.1]
    table, sentence, title = ask.write_own(mine, tests, "simulated/always-yes", tmp_path)
    assert "3 of 4 answers have a verdict, 100 % of them Yes. This judge is made up" in sentence
    assert title == "3 of 3 answers by simulated judge (always-yes) are Yes"
    written = pd.read_csv(tmp_path / "own-results.csv", keep_default_na=False)
    assert (
        written.iloc[0].tolist() == ["0_GPT4", "E", 1, "", "refused", 0.1]
        and len(written) == len(table) == 4
    )
    with pytest.raises(ValueError, match="rubric needs own_stories"):
        ask.load_own("", "rubric.yaml", "simulated/coin")
    assert ask.load_own("", "", "recorded/all") == (None, None, "recorded/all")
    assert ask.load_own(["word " * 40], "", "recorded/all")[2] == "simulated/coin", (
        "two texts are enough to start"
    )


def test_a_column_of_table_9_by_hand(verdicts, rng):
    truth = judging.find_majority(verdicts)
    answers = answer(truth, "recorded/gpt4", truth["truth"] ^ (rng.random(len(truth)) < 0.3))
    answers.loc[rng.random(len(truth)) < 0.2, "status"] = "refused"
    others = answer(truth, "recorded/cgpt", True)
    kappas = {
        ttcw.ROWS[test]: cohen_kappa_score(one["yes"], one["truth"])
        for test, one in answers[answers["status"] == "ok"].groupby("test")
    }
    paper = Paper("ttcw")
    for row in list(ttcw.ROWS.values())[:3]:  # as if three cells were printed so
        paper = paper.changed(("Table 9", row, "GPT4"), f"{kappas[row]:.2f}")
    assert audit.check_column(paper, "GPT4", pd.concat([others, answers])) == 3
    found = {row: paper.found["Table 9", row, "GPT4"] for row in kappas}
    assert {row: cell["computed"] for row, cell in found.items()} == pytest.approx(kappas)
    assert {cell["basis"] for cell in found.values()} == {"none"}
