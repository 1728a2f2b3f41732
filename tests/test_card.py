"""A judge card says what the run says: of any judge, with and without experts, and nothing that it
cannot know."""

import json

import numpy as np
import pandas as pd
import pytest
from test_judging import TESTS, answer, verdicts  # noqa: F401

from helpers.measures import agreement, baselines
from helpers.ttcw import card, judging

NAMES = pd.Series({test: f"Test {test}" for test in TESTS})


def run(truth, judge, says, **columns):
    """Answers as `ask.ask_panel` returns them."""
    nothing = {"score": np.nan, "input_tokens": 0, "output_tokens": 0, "usd": 0.0, "seconds": 0.0}
    return answer(truth, judge, says).assign(**nothing | columns)


def table_of(found, title):
    section = next(section for section in found["sections"] if section["title"] == title)
    return pd.DataFrame(section["rows"], columns=section["columns"]), section["says"]


@pytest.fixture
def truth(verdicts):  # noqa: F811
    return judging.find_majority(verdicts)


@pytest.fixture
def words(truth):
    return {story: 100 + place for place, story in enumerate(truth["story"].unique())}


def test_a_card_holds_what_the_notebook_computes_and_counts_lost_answers_apart(
    truth,
    words,
    verdicts,  # noqa: F811
    rng,
):
    answers = run(truth, "recorded/gpt4", truth["truth"] ^ (rng.random(len(truth)) < 0.2))
    answers.loc[:9, "status"], answers.loc[10:13, "status"] = "refused", "error"
    answers.loc[:13, "yes"] = False
    found = card.make_card("recorded/gpt4", answers, NAMES, words, verdicts, level=0.99)
    assert (found["name"], found["texts"]) == ("GPT-4", "ttcw")
    counts, says = table_of(found, "What it answered")
    assert (
        counts.set_index("outcome")["answers"].tolist() == [490, 10, 0, 0, 4]
        and "490 of 504" in says
    )
    shares, says = table_of(found, "How easily it says Yes")
    assert shares.at[0, "estimate"] == pytest.approx(answers.loc[14:, "yes"].mean()), (
        "a lost answer is no No"
    )
    agreed = judging.add_answers(
        agreement.find_agreed(verdicts).assign(
            item=lambda t: t["story"] + "/" + t["test"].astype(str)
        ),
        answers,
    ).dropna(subset=["GPT-4"])
    rated, says = table_of(found, "Agreement with experts")
    expected = judging.rate(agreed, ["GPT-4"], within=True).loc["GPT-4"]
    assert rated.loc[0, ["estimate", "low", "high", "n"]].tolist() == pytest.approx(
        expected.tolist()
    )
    assert "96 times in 100" in says, "coverage as simulated"
    gain, says = table_of(found, "What it adds")
    expected = baselines.gain_in_auc(agreed, "GPT-4", 0.99)
    assert gain.loc[0, ["estimate", "low"]].tolist() == pytest.approx(
        expected[["estimate", "low"]].tolist()
    )
    assert "all stories and machine stories" in says and "widened" in says
    by_test, _ = table_of(found, "Test by test")
    assert by_test["estimate"].dropna().is_monotonic_decreasing and by_test["answers"].sum() == 490


def test_a_judge_that_always_says_yes_adds_nothing_but_its_probabilities_may(
    truth,
    words,
    verdicts,  # noqa: F811
):
    found = card.make_card(
        "local/x",
        run(
            truth,
            "local/x",
            True,
            score=truth["truth"] * 0.1 + 0.6,
            output_tokens=2,
            usd=0.01,
            seconds=0.5,
        ),
        NAMES,
        words,
        verdicts,
    )
    rated, _ = table_of(found, "Agreement with experts")
    rated = rated[rated["stories"] == "all stories"].set_index("who")["estimate"]
    assert rated["local/x"] == 0.5 and rated["local/x, AUC of its probability of Yes"] > 0.9
    assert "on: none" in table_of(found, "What it adds")[1]
    short = card.make_card(
        "local/x", run(truth[truth["story"] == "0_GPT4"], "local/x", True), NAMES, words, verdicts
    )
    assert "None" not in card.card_markdown(short) and set(
        table_of(short, "What it adds")[0]["stories"]
    ) == {"machine stories"}
    cost, _ = table_of(found, "Cost")
    assert cost.loc[0].tolist() == [504, 0, 1008, pytest.approx(5.04), 0.5]


def test_few_cases_of_one_verdict_give_no_balanced_accuracy(truth, words, verdicts):  # noqa: F811
    strict = verdicts.assign(passed=verdicts["passed"] & (verdicts["test"] != 9))
    found = card.make_card(
        "recorded/gpt4", run(truth, "recorded/gpt4", truth["truth"]), NAMES, words, strict
    )
    by_test = table_of(found, "Test by test")[0].set_index("test")["estimate"]
    assert np.isnan(by_test["Test 9"]) and by_test[["Test 8", "Test 10"]].notna().all()


def test_without_experts_a_card_says_so_and_claims_no_agreement(truth, words):
    mine = truth[truth["writer"] == "GPT4"].assign(group=lambda t: t["story"])
    long = mine["story"].map(words) > 115
    twice = pd.concat([run(mine, "simulated/coin", long).assign(repeat=k) for k in (1, 2)])
    found = card.make_card("simulated/coin", twice, NAMES, words)
    assert (
        found["texts"] == "own"
        and "No expert judged these texts" in table_of(found, "Agreement with experts")[1]
    )
    assert "balanced accuracy [" not in card.card_markdown(
        found
    ) and "What it adds" not in card.card_markdown(found)
    assert "reads nothing" in table_of(found, "What it answered")[1]
    length, says = table_of(found, "Length, place, repeats")
    assert (
        length.at[0, "low"] > 0
        and "more often to longer texts (12 texts)" in says
        and "100 % of 168 cases" in says
    )
    assert len(table_of(found, "Story by story")[0]) == 12


def test_one_text_or_no_usable_answer_still_gives_a_card(truth, words):
    one = run(truth[truth["story"] == "0_GPT4"], "openai/x", True, output_tokens=1)
    found = card.make_card("openai/x", one, NAMES, words)
    shares, says = table_of(found, "How easily it says Yes")
    assert "Nearly every text" in says and shares["low"].isna().all(), "one text has no interval"
    assert "Too few texts" in table_of(found, "Length, place, repeats")[1]
    lost = card.make_card("openai/x", one.assign(status="refused"), NAMES, words)
    assert [section["title"] for section in lost["sections"]] == ["What it answered", "Cost"]


def test_a_card_is_written_as_json_and_read_as_text(truth, words, tmp_path):
    title = "<b>A|story</b>"
    mine = run(truth[truth["story"] == "0_GPT4"].assign(story=title), "local/my model:7b", True)
    found = card.make_card("local/my model:7b", mine, NAMES, {title: 100})
    path = card.write_card(found, tmp_path)
    assert path == tmp_path / "judges" / "own-local-my-model-7b.json"
    assert json.loads(path.read_text(encoding="utf8")) == found
    text = card.card_markdown(found, "### {}")
    assert (
        text.startswith("### What it answered") and "&lt;b&gt;A|story" in text and title not in text
    )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("texts", [1, 2, 3, 6, 36])
@pytest.mark.parametrize("chance", [0, 0.02, 0.5, 1])
def test_any_number_of_own_texts_and_any_share_of_yes_give_a_card_without_a_warning(
    truth, words, rng, texts, chance
):
    mine = truth[truth["story"].isin(truth["story"].unique()[:texts])].assign(
        group=lambda t: t["story"]
    )
    found = card.make_card(
        "openai/x", run(mine, "openai/x", rng.random(len(mine)) < chance), NAMES, words
    )
    assert f"{texts} texts" in found["sections"][0]["says"] and card.card_markdown(found)
