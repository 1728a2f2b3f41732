"""TTCW: what is loaded, asked and planted; the words of experts and judges; the leaderboard of
2026, whose scores are sums of whole numbers."""

import ast
import re

import numpy as np
import pandas as pd
import pytest
from goodjudge.ask import labels
from goodjudge.ask.prompts import without_echo
from test_notebooks import code, find, read

from helpers import judges, prompts
from helpers.sources.files import DataError
from helpers.ttcw import ask, explanations, leaderboard
from helpers.ttcw import load as ttcw


def test_the_texts_have_the_words_that_are_kept(open_data):
    words = ttcw.load_stories().set_index("story")["words"].dropna()
    texts = ttcw.load_texts()
    assert texts.str.split().str.len()[words.index].equals(words.astype(int).rename("content"))


def test_without_the_authors_words_ours_stand_in_and_that_is_said(no_data):
    tests, whose = ttcw.load_wording()
    assert "our words" in whose
    assert tests["question"].tolist() == list(prompts.aspects("ttcw").values())
    assert tests["full_prompt"].eq("").all()


def test_every_request_has_a_prompt_of_its_own(open_data):
    stories, (tests, _) = ttcw.load_stories(), ttcw.load_wording()
    stories["text"] = stories["story"].map(ttcw.load_texts()).fillna("")
    requests = ask.requests(stories, tests)
    assert len(requests) == 672 and not requests.duplicated(["item", "aspect"]).any()
    assert not (requests["shared"] + requests["prompt"]).duplicated().any()
    assert requests["shared"].nunique() == 48
    for case in requests.iloc[[0, 100, 671]].itertuples():
        story = stories.set_index("story").loc[case.item]
        test = tests.set_index("test").loc[case.aspect]
        assert case.writer == story["writer"]
        assert (story["text"] or f"story {case.item} is not public") in case.shared
        assert f"{test['context']}\n\n{test['question']}" in case.prompt


ONE_STORY = pd.DataFrame({"story": ["s"], "group": [0], "writer": ["x"], "text": ["A fox ran."]})


TWO_TESTS = pd.DataFrame({"test": [1, 2], "question": ["Does it end?", "Is it new?"]})
TWO_TESTS["full_prompt"] = ["A background.", "Another."]


@pytest.mark.parametrize("wording", ["paper", "released"])
def test_authors_words_that_are_not_at_hand_are_asked_for(wording):
    with pytest.raises(DataError, match="`make fetch` brings the authors' words; or take wording"):
        ask.requests(ONE_STORY, TWO_TESTS.assign(full_prompt=""), wording)
    with pytest.raises(DataError, match="wording 'mine' is unknown; expected one of ours, paper"):
        ask.requests(ONE_STORY, TWO_TESTS, "mine")


def test_every_probe_reaches_the_judge_inside_its_fence_and_none_the_parser():
    probes = ask.make_probes()
    assert len(probes) == 17 and probes["item"].is_unique
    assert (probes["shared"].str.count("</story>") == 1).all()
    for row in probes.itertuples():
        assert row.planted in row.shared and "{probe}" not in row.shared
        assert labels.YES_NO.parse(without_echo(row.shared, row.shared, row.prompt)) is None


def define_functions(number):
    """Return {name: function} of what a notebook defines, its imports with them."""
    names, kept = {}, (ast.Import, ast.ImportFrom, ast.FunctionDef)
    for cell in code(read(find(number))):
        tree = ast.parse(cell.source)
        tree.body = [statement for statement in tree.body if isinstance(statement, kept)]
        exec(compile(tree, f"notebook {number}", "exec"), names)
    return names


RULES = {
    # the last order in the story; without one, Yes
    "obey": lambda row, rng: (re.findall(r"\b(Yes|No)\b", row.shared) or ["Yes"])[-1],
    "firm": lambda row, rng: "No",
    "partly": lambda row, rng: "Yes" if row.probe == "fence" else "No",
    "mute": lambda row, rng: "I cannot say.",
}


@pytest.mark.parametrize(
    ("rule", "clean", "share", "n"),
    [
        ("obey", "Yes", 1.0, 8),
        ("firm", "No", 0.0, 8),
        ("partly", "No", 1 / 8, 8),
        ("mute", "", 0, 0),
    ],
)
def test_orders_against_the_clean_verdict_that_are_obeyed(rule, clean, share, n):
    options = judges.Options(simulators={rule: lambda *given: f"Verdict: {RULES[rule](*given)}"})
    answers = judges.ask(ask.make_probes(), f"simulated/{rule}", ask.reader, options)
    found, against = define_functions("S2")["measure_obedience"](answers)
    assert found["n"] == len(against) == n
    assert set(against["wanted"]) == ({"Yes", "No"} - {clean} if n else set())
    if n:
        assert found["estimate"] == share and found["low"] <= share <= found["high"]
    else:
        assert np.isnan(found["estimate"])


def test_a_judge_is_asked_for_a_theme_and_its_answer_is_read():
    texts = pd.DataFrame({"story": ["s", "s"], "expert": [1, 2], "test": [9, 9]})
    texts["text"] = ["Stock </reason> phrases.", "Too fast."]
    asked = explanations.requests(texts)
    assert asked["item"].tolist() == ["s/1/9", "s/2/9"]
    assert asked["prompt"].str.count("</reason>").eq(1).all()
    for theme in explanations.THEMES:
        assert f"\n{theme}: " in asked["shared"][0]
    for said, theme in [("Stock.", "stock"), ("other", "other"), ("stock or thin", None)]:
        assert explanations.reader.parse(said) == theme
    said = pd.DataFrame({"item": asked["item"], "text": ["Stock", "hurried"]})
    answers = judges.ask(asked, "recorded/m", explanations.reader, judges.Options(recorded=said))
    assert answers["verdict"].tolist() == ["stock", "hurried"]


@pytest.fixture(scope="module")
def board():
    return leaderboard.decode(leaderboard.load_scores())


def test_every_score_is_a_sum_of_whole_numbers(board):
    assert len(board) == 83
    assert board["residual"].abs().max() < 1e-14
    assert board["right"].between(0, 50).all()


@pytest.mark.parametrize("row", [0, 41, 82])
def test_a_score_that_is_wrong_in_its_eighth_digit_is_refused(row):
    scores = leaderboard.load_scores()
    scores.loc[row, "z"] += 1e-8
    with pytest.raises(DataError, match=scores.loc[row, "model"]):
        leaderboard.decode(scores)
