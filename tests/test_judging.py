"""Judges of the fourteen tests: asked, rated beside experts, calibrated, and held against the
printed Table 9."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

from helpers import judges
from helpers.audit import ttcw as audit
from helpers.audit.checks import Paper
from helpers.measures import agreement, baselines
from helpers.ttcw import ask, judging
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
    return judging.find_majority(verdicts)


def answer(truth, judge, says, status="ok"):
    """Answers of one made-up judge about every item of `truth`."""
    return truth.assign(judge=judge, yes=np.asarray(says, bool), status=status)


def test_the_majority_and_what_a_judge_said_first(verdicts, truth):
    assert len(truth) == 36 * 14 and truth["votes"].sum() == verdicts["passed"].sum()
    assert (truth["truth"] == (truth["votes"] > 1)).all() and truth.at[0, "item"] == "0_Claude/1"
    twice = pd.concat([answer(truth, "recorded/gpt4", True), answer(truth, "recorded/gpt4", False)])
    twice.iloc[:5, twice.columns.get_loc("status")] = "refused"
    said = judging.add_answers(truth, twice)["GPT-4"]
    assert said[:5].eq(False).all() and said[5:].eq(True).all(), "the first usable answer counts"
    lost = judging.add_answers(truth, twice.head(len(truth)))["GPT-4"]
    assert lost[:5].isna().all(), "a refused answer is neither Yes nor No"


def test_ratings_by_hand_leave_out_what_was_not_answered(truth):
    perfect = truth["truth"].astype(object).where(truth.index > 99, None)
    table = truth.assign(perfect=perfect, contrary=~truth["truth"], easy=truth["test"] > 7)
    found = judging.rate(table, ["perfect", "contrary", "easy"])
    # two groups have no answer
    assert found["estimate"].tolist()[:2] == [1, 0] and found["n"].tolist() == [10, 12, 12]
    expected = agreement.balanced_accuracy(table["easy"], table["truth"])
    assert found.at["easy", "estimate"] == pytest.approx(expected) and expected > 0.5
    within = judging.rate(table, ["easy"], within=True)
    assert within.at["easy", "estimate"] == 0.5, "it only knows the tests"
    one = judging.rate(table[table["group"] == 3], ["easy"])
    assert one.at["easy", "n"] == 1 and np.isnan(one.at["easy", "low"])


def test_a_generous_judge_that_reads_gains_by_a_stricter_threshold_and_a_coin_does_not(truth, rng):
    reads = truth["truth"] | (rng.random(len(truth)) < 0.35)
    table = truth.assign(reads=reads, coin=rng.random(len(truth)) < 0.8, early=None)
    found = judging.compare_threshold(table, ["reads", "coin"])
    assert found.at["reads", "low"] > 0.1 and found.at["coin", "low"] <= 0
    for name, row in found.iterrows():
        assert row["Yes, %"] == pytest.approx(100 * table[name].mean())
        answered = agreement.balanced_accuracy(table[name], table["truth"])
        assert row["as answered"] == pytest.approx(answered) and row["n"] == 12
        for label, extra in ((judging.STRICT, name), ("test rates alone", None)):
            guess = baselines.predict_probability(table, extra)
            often = np.sort(guess)[::-1][round(len(guess) * table["truth"].mean()) - 1]
            strict = agreement.balanced_accuracy(guess >= often, table["truth"])
            assert row[label] == pytest.approx(strict, abs=0.01)
        assert row["estimate"] == row[judging.STRICT] - row["test rates alone"]
    alone = judging.compare_threshold(table[table["group"] == 1], ["reads"])
    assert alone.empty, "one group has nothing to learn from"


@pytest.mark.parametrize("error", [0.05, 0.5])
def test_the_labels_saved_are_those_by_which_the_interval_narrows(truth, error):
    rng = np.random.default_rng(2)
    judge = truth["truth"] ^ (rng.random(len(truth)) < error)
    table = truth.assign(judge=judge.astype(object))
    drawn = [judging.estimate_rate(table, "judge", 100, rng) for _ in range(40)]
    assert list(drawn[0].index) == ["100 labels alone", "100 labels and judge"]
    widths = [(rows["high"] - rows["low"]).to_numpy(float) ** 2 for rows in drawn]
    alone, helped = np.mean(widths, axis=0)
    saved = judging.count_saved(table, "judge", 100)
    assert 100 * (1 - helped / alone) == pytest.approx(saved["estimate"], abs=6)
    r = np.corrcoef(judge, truth["truth"])[0, 1]
    expected = 100 * max(r, 0) ** 2 * (1 - 100 / len(truth))
    assert saved["estimate"] == pytest.approx(expected)
    assert 0 <= saved["low"] <= saved["estimate"] <= saved["high"] <= 100
    wide = judging.count_saved(table, "judge", 100, 0.99)
    assert wide["low"] <= saved["low"] and wide["high"] > saved["high"]
    # a judge that is mostly wrong, or always says Yes, gets no weight
    contrary = table.assign(judge=~judge if error < 0.5 else True)
    assert not judging.count_saved(contrary, "judge", 100)["estimate"] > 0


def test_scores_of_stories_and_the_writer_who_is_known(verdicts, truth):
    answers = pd.concat(
        [answer(truth, "recorded/gpt4", truth["test"] <= 7), answer(truth, "recorded/cgpt", True)]
    )
    scores = judging.add_scores(verdicts, answers).set_index("story")
    assert scores["GPT-4"].eq(7).all() and scores["jury"].eq(10.5).all()
    by_hand = verdicts[verdicts["story"] == "4_GPT4"]["passed"].sum() / 3
    assert scores.at["4_GPT4", "expert"] == pytest.approx(by_hand)
    others = scores[(scores["writer"] == "GPT4") & (scores["group"] != 4)]["expert"].mean()
    assert scores.at["4_GPT4", "who wrote"] == pytest.approx(others)
    said = truth.assign(judge=truth["truth"].astype(object).where(truth.index > 9, None))
    row = {"estimate": 0.7, "low": 0.6, "high": 0.8}
    values = judging.list_values(said, "judge", row)
    assert list(values.values()) == [0.7, 0.6, 0.8, 1, said["judge"].mean(), len(truth) - 10]


def test_a_third_expert_and_a_judge_meet_the_same_two_others(verdicts, truth):
    scores = judging.add_scores(verdicts, answer(truth, "recorded/gpt4", truth["test"] <= 7))
    found = judging.against_others(verdicts, scores)
    passed = verdicts.pivot_table(index="story", columns="expert", values="passed", aggfunc="sum")
    assert len(found) == 3 * len(scores) and found["GPT-4"].eq(7).all()
    for story, mine, others in found[["story", "a third expert", "expert"]].values:
        assert mine in passed.loc[story].to_numpy()
        assert others == (passed.loc[story].sum() - mine) / 2


def test_who_is_asked():
    recorded = [f"recorded/{name}" for name in ttcw.JUDGES]
    assert ask.list_panel("recorded/all", "open", "") == recorded
    assert ask.list_panel("recorded/gpt4", "open", "") == recorded, "it is there already"
    assert ask.list_panel("openai/x", "open", "") == [*recorded, "openai/x"]
    assert ask.list_panel("openai/x", "open", "my-stories") == recorded, "it reads my stories"
    simulated = ["simulated/lenient", "simulated/coin"]
    assert ask.list_panel("recorded/all", "simulated", "") == simulated


STORIES = {"story": ["0_GPT4", "1_GPT4"], "group": [0, 1], "writer": "GPT4"}
STORIES = pd.DataFrame(STORIES | {"text": ["A fox ran.", ""]})
QUESTIONS = {"test": [1, 2], "question": ["Does it end?", "Is it new?"], "full_prompt": ""}
QUESTIONS = pd.DataFrame(QUESTIONS | {"category": ["E", "O"]})


def test_answers_are_joined_to_the_truth(tmp_path):
    items = ["0_GPT4/1", "0_GPT4/2", "1_GPT4/1", "1_GPT4/2"]
    truth = pd.DataFrame({"item": items, "truth": [True, False, True, False]})
    options = judges.Options(repeats=3, limit=1, transcripts=tmp_path / "store.sqlite")
    panel = ["simulated/always-yes", "simulated/lenient"]
    found = ask.ask_panel(panel, STORIES, QUESTIONS, truth, options)
    # all is asked once: repeats and limit are for live judges
    assert found["judge"].tolist() == [name for name in panel for _ in range(4)]
    assert found["item"].tolist() == 2 * items and found["truth"].tolist() == 4 * [True, False]
    assert found["yes"][:4].all() and found["status"].eq("ok").all()
    plan = ask.plan_panel(STORIES, QUESTIONS, "openai/gpt-4o", options)
    assert plan["calls"].item() == 3, "one request of the one public story, three times"


def test_a_generous_judge_says_yes_three_times_in_four(rng):
    said = [ask.say_yes_often(None, rng) for _ in range(2000)]
    assert np.mean([one == "Verdict: Yes" for one in said]) == pytest.approx(0.75, abs=0.03)


def test_own_stories_are_judged_and_written(tmp_path):
    judge, options = "simulated/always-yes", judges.Options(transcripts=tmp_path / "store.sqlite")
    mine = ask.judge_own(STORIES, QUESTIONS, judge, options)
    assert mine["yes"].all() and (mine["group"] == mine["story"]).all(), "a text is a group"
    mine.loc[0, ["verdict", "status", "usd"]] = [None, "refused", 0.1]
    table, sentence, title = ask.write_own(mine, QUESTIONS, judge, tmp_path)
    said = "2 stories × 2 tests, judge simulated/always-yes: 3 of 4 answers have a verdict, 100 %"
    assert sentence.startswith(said) and "This judge is made up" in sentence
    assert title == "3 of 3 answers by simulated judge (always-yes) are Yes"
    written = pd.read_csv(
        tmp_path / "own-results-02-simulated-always-yes.csv", keep_default_na=False
    )
    assert written.iloc[0].tolist() == [judge, "0_GPT4", "E", 1, "", "refused", 0.1]
    assert len(written) == len(table) == 4


def test_a_rubric_needs_stories_and_two_texts_are_enough_to_start():
    with pytest.raises(ValueError, match="rubric needs own_stories"):
        ask.load_own("", "rubric.yaml", "simulated/coin")
    assert ask.load_own("", "", "recorded/all") == (None, None, "recorded/all")
    assert ask.load_own(["word " * 40], "", "recorded/all")[2] == "simulated/coin"


def test_a_column_of_table_9_by_hand(truth, rng):
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
