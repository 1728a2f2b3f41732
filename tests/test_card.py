# ruff: noqa: F811 (fixtures)
"""A judge card says what the run says: of any judge, with and without experts, and nothing that it
cannot know."""

import json

import numpy as np
import pandas as pd
import pytest
from test_judging import TESTS, answer, truth, verdicts  # noqa: F401 (fixtures)

from helpers.measures import adds, compare, ratings, statistics
from helpers.ttcw import ask, card
from helpers.ttcw import load as ttcw

NAMES = pd.Series({test: f"Test {test}" for test in TESTS})


def run(truth, judge, says, **columns):
    """Answers as `ask.ask_panel` returns them."""
    nothing = {"score": np.nan, "input_tokens": 0, "output_tokens": 0, "usd": 0.0, "seconds": 0.0}
    return answer(truth, judge, says).assign(**nothing | columns)


def table_of(found, title):
    section = next(section for section in found["sections"] if section["title"] == title)
    return pd.DataFrame(section["rows"], columns=section["columns"]), section["says"]


@pytest.fixture
def words(truth):
    return {story: 100 + place for place, story in enumerate(truth["item"].unique())}


def rate(verdicts, words):
    """The experts' `Ratings`, with the words of all stories."""
    stories = verdicts.drop_duplicates("story")[["story", "group", "writer"]]
    return ttcw.to_ratings(verdicts, stories.assign(words=stories["story"].map(words)))


@pytest.fixture
def data(verdicts, words):
    return rate(verdicts, words)


def test_a_card_is_the_comparison_and_counts_lost_answers_apart(truth, words, data, verdicts, rng):
    answers = run(truth, "recorded/gpt4", truth["truth"] ^ (rng.random(len(truth)) < 0.2))
    answers.loc[:9, "status"] = "refused"
    answers.loc[10:13, "status"] = "error"
    answers.loc[:13, "yes"] = False
    found = card.make_card("recorded/gpt4", answers, NAMES, words, data, level=0.99)
    assert (found["name"], found["texts"]) == ("GPT-4", "ttcw")
    counts, says = table_of(found, "What it answered")
    assert counts["answers"].tolist() == [490, 10, 0, 0, 4] and "490 of 504" in says
    assert counts["%"].tolist() == [97, 2, 0, 0, 1]
    good, votes = answers[14:], verdicts[verdicts["story"] != "0_Claude"]
    shares, says = table_of(found, "How easily it says Yes")
    assert shares["estimate"].tolist() == pytest.approx(
        [good["yes"].mean(), votes["passed"].mean()]
    )
    machines = ratings.keep(data, data.items["writer"] != "NewYorker")
    scores, rated = ask.score(answers), table_of(found, "Agreement with experts")[0]
    for label, part in {"all stories": data, "machine stories": machines}.items():
        # a person and the controls are held to the cases that the judge answered
        same = part.ratings.merge(scores[["item", "aspect"]])
        assert len(same) < len(part.ratings)
        answered = part.items[part.items["item"].isin(same["item"])]
        part = part._replace(items=answered, ratings=same)
        wanted = compare.compare(part, scores, statistics.balanced_accuracy, within=("aspect",))
        control, stranger = wanted.attrs["control"], wanted.attrs["stranger"]
        other = wanted.loc[stranger, compare.ENDS]
        most = "" if wanted.attrs["chosen"] == control else " for most plots"
        named = {f"control: {control}": f"control: {wanted.attrs['chosen']}{most}"}
        wanted = compare.summarise(wanted, "recorded/gpt4").rename(named)
        if control != stranger:
            wanted.loc[f"control without the author: {stranger}"] = other
        ours = rated[rated["stories"] == label]
        beside = ours["who"].str.startswith("control without the author: ").any()
        assert beside == (control != stranger)
        assert ours["who"].tolist() == list(wanted.index)
        assert ours[compare.ENDS].to_numpy(float) == pytest.approx(
            wanted.to_numpy(float), nan_ok=True
        )
    gain, says = table_of(found, "What it adds")
    assert gain["who"].tolist() == 2 * ["the judge", "a person"]
    cases = ratings.find_cases(machines)
    score = ratings.match_scores(cases, scores)["recorded/gpt4"]
    wanted = adds.find_gain(cases, score, level=0.99)
    assert gain.loc[2, compare.ENDS].tolist() == pytest.approx(wanted[compare.ENDS].tolist())
    person = adds.find_gain(cases[~np.isnan(score)], cases["person"][~np.isnan(score)], level=0.99)
    assert gain.at[3, "estimate"] == pytest.approx(person["estimate"])
    assert "all stories and machine stories" in says and "widened" in says
    by_test, _ = table_of(found, "Test by test")
    assert by_test["estimate"].dropna().is_monotonic_decreasing and by_test["answers"].sum() == 490
    one = data._replace(ratings=data.ratings.query("aspect == 8"))
    wanted = compare.compare(one, scores, statistics.balanced_accuracy)
    eighth = by_test.set_index("test").loc["Test 8"]
    assert eighth["estimate"] == pytest.approx(wanted.at["recorded/gpt4", "estimate"])
    assert eighth["low"] == pytest.approx(wanted.at["recorded/gpt4", "low"])


def test_a_card_says_so_where_no_ceiling_is_known(truth, words, verdicts, rng):
    # experts who draw agree about nothing
    drawn = rng.random(len(verdicts)) < 0.5
    data = rate(verdicts.assign(passed=drawn), words)
    found = card.make_card("recorded/gpt4", run(truth, "recorded/gpt4", True), NAMES, words, data)
    rated, says = table_of(found, "Agreement with experts")
    assert compare.CEILING not in set(rated["who"])
    assert (
        "What a perfect judge could reach is not known: it is not clear that people agree" in says
    )
    assert "nan" not in card.card_markdown(found).replace("nanc", "")


def test_a_judge_that_always_says_yes_adds_nothing_but_its_probabilities_may(truth, words, data):
    paid = {"output_tokens": 2, "usd": 0.01, "seconds": 0.5}
    answers = run(truth, "local/x", True, score=truth["truth"] * 0.1 + 0.6, **paid)
    found = card.make_card("local/x", answers, NAMES, words, data)
    rated, _ = table_of(found, "Agreement with experts")
    rated = rated[rated["stories"] == "all stories"].set_index("who")["estimate"]
    assert rated["the judge"] == 0.5
    assert rated["the judge, AUC of its probability of Yes"] > 0.9
    assert "on: none" in table_of(found, "What it adds")[1]
    cost, _ = table_of(found, "Cost")
    assert cost.loc[0].tolist() == [504, 0, 1008, pytest.approx(5.04), 0.5]
    short = run(truth[truth["item"] == "0_GPT4"], "local/x", True)
    found = card.make_card("local/x", short, NAMES, words, data)
    assert "None" not in card.card_markdown(found)
    assert set(table_of(found, "What it adds")[0]["stories"]) == {"machine stories"}


@pytest.mark.parametrize(("passed", "shown"), [(9, False), (10, True)])
def test_few_cases_of_one_verdict_give_no_balanced_accuracy(truth, words, verdicts, passed, shown):
    stories = sorted(verdicts["story"].unique())
    some = verdicts["story"].isin(stories[: passed // 3]) & (verdicts["test"] == 9)
    some |= (verdicts["story"] == stories[20]) & (verdicts["test"] == 9)
    votes = verdicts.assign(passed=np.where(verdicts["test"] == 9, some, verdicts["passed"]))
    lone = (votes["story"] == stories[20]) & (votes["test"] == 9) & (votes["expert"] > passed - 9)
    votes["passed"] &= ~lone
    rarer = ratings.find_cases(rate(votes, words)).query("aspect == 9 and target == 1")
    answers = run(truth, "recorded/gpt4", truth["truth"])
    found = card.make_card("recorded/gpt4", answers, NAMES, words, rate(votes, words))
    by_test = table_of(found, "Test by test")[0].set_index("test")["estimate"]
    assert len(rarer) == passed and (not np.isnan(by_test["Test 9"])) == shown
    assert by_test[["Test 8", "Test 10"]].notna().all()


def test_without_experts_a_card_says_so_and_claims_no_agreement(truth, words):
    mine = truth[truth["writer"] == "GPT4"].assign(group=lambda t: t["item"])
    long = mine["item"].map(words) > 115
    twice = pd.concat([run(mine, "simulated/coin", long).assign(repeat=k) for k in (1, 2)])
    twice = twice.drop(columns="judge")  # `ask.judge_own` has one judge and does not say which
    found = card.make_card("simulated/coin", twice, NAMES, words)
    assert found["texts"] == "own" and "reads nothing" in table_of(found, "What it answered")[1]
    assert "No expert judged these texts" in table_of(found, "Agreement with experts")[1]
    text = card.card_markdown(found)
    assert "balanced accuracy [" not in text and "What it adds" not in text
    length, says = table_of(found, "Length, place, repeats")
    share = 1.0 * long.groupby(mine["item"]).first()
    r = np.corrcoef(share, share.index.map(words))[0, 1]
    assert length.at[0, "estimate"] == pytest.approx(r) and length.at[0, "low"] > 0
    assert "more often to longer texts (12 texts)" in says and "100 % of 168 cases" in says
    short = card.make_card("simulated/coin", run(mine, "simulated/coin", ~long), NAMES, words)
    assert "less often to longer" in table_of(short, "Length, place, repeats")[1]
    assert len(table_of(found, "Story by story")[0]) == 12


def test_one_text_or_no_usable_answer_still_gives_a_card(truth, words):
    one = run(truth[truth["item"] == "0_GPT4"], "openai/x", True, output_tokens=1)
    found = card.make_card("openai/x", one, NAMES, words)
    shares, says = table_of(found, "How easily it says Yes")
    assert "Nearly every text" in says and shares["low"].isna().all(), "one text has no interval"
    assert "Too few texts" in table_of(found, "Length, place, repeats")[1]
    lost = card.make_card("openai/x", one.assign(status="refused"), NAMES, words)
    assert [section["title"] for section in lost["sections"]] == ["What it answered", "Cost"]


def test_a_card_is_written_as_json_and_read_as_text(truth, words, tmp_path):
    title = "<b>A|story</b>"
    mine = run(truth[truth["item"] == "0_GPT4"].assign(item=title), "local/my model:7b", True)
    found = card.make_card("local/my model:7b", mine, NAMES, {title: 100})
    path = card.write_card(found, tmp_path)
    assert path == tmp_path / "judges" / "own-local-my-model-7b.json"
    assert json.loads(path.read_text(encoding="utf8")) == found
    text = card.card_markdown(found, "### {}")
    assert text.startswith("### What it answered") and "&lt;b&gt;A|story" in text
    assert title not in text


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("texts", [1, 2, 6, 36])
@pytest.mark.parametrize("chance", [0, 0.02, 0.5, 1])
def test_any_number_of_own_texts_and_any_share_of_yes_give_a_card_without_a_warning(
    truth, words, rng, texts, chance
):
    mine = truth[truth["item"].isin(truth["item"].unique()[:texts])]
    mine = mine.assign(group=mine["item"])
    answers = run(mine, "openai/x", rng.random(len(mine)) < chance)
    found = card.make_card("openai/x", answers, NAMES, words)
    assert f"{texts} texts" in found["sections"][0]["says"] and card.card_markdown(found)
    shares, _ = table_of(found, "How easily it says Yes")
    assert shares["low"].isna().all() == (texts < 5)


@pytest.mark.parametrize(
    ("judge", "usd", "known"), [("local/x", 0.0, False), ("openai/x", 0.2, True)]
)
def test_a_cost_of_which_no_price_is_known_is_not_called_0(judge, usd, known):
    answers = {"status": ["ok"], "input_tokens": [9], "output_tokens": [2], "usd": [usd]}
    section = card.tell_cost(pd.DataFrame({**answers, "seconds": [1.0]}), judge)
    assert ("USD" in section["columns"]) == known
    assert ("No price is known" in section["says"]) == (not known)
