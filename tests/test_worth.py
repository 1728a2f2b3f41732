"""What a judge that was asked is worth: one that follows the experts on machine stories, and ones
that answer little."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.comparison import compare
from panel_kit import draw_panel

from helpers.ttcw import load as ttcw
from helpers.ttcw import worth


@pytest.fixture(scope="module")
def panel():
    """The experts, and scores of a judge that follows them on machine stories and of a coin."""
    rng = np.random.default_rng(3)
    verdicts = draw_panel(rng)
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


def test_a_perfect_judge_that_is_not_known_has_no_row(panel):
    own = worth.rate(*panel, "local/sage", "coin", 504, 0.99)
    own.table.loc[compare.CEILING, ["estimate", "low", "high"]] = np.nan
    assert compare.CEILING not in worth.list_rows(own).index
    assert "nan" not in worth.tidy_rows(own).to_string()


def test_two_controls_stand_beside_a_judge_with_and_without_the_author(panel):
    own = worth.rate(*panel, "local/sage", "coin", 504, 0.99)
    rows = worth.list_rows(own)
    (knows,) = (name for name in rows.index if name.startswith(worth.TAUGHT))
    (stranger,) = (name for name in rows.index if name.startswith(worth.STRANGER))
    assert "authorship" in knows
    assert "authorship" not in stranger
    lead = rows.loc["local/sage", "estimate"] - rows.loc[stranger, "estimate"]
    assert rows.loc[stranger, "lead of local/sage"] == pytest.approx(lead)


def test_a_judge_with_two_stories_has_no_interval(panel):
    people, scores = panel
    two = scores[(scores["judge"] == "coin") | scores["item"].isin(["0_GPT4", "1_GPT4"])]
    own = worth.rate(people, two, "local/sage", "coin", 504, 0.99)
    assert own.answered == 28 and np.isnan(worth.own_row(own)["low"])


def test_a_judge_that_never_answers_gets_no_number(panel):
    own = worth.rate(*panel, "local/mute", "coin", 504, 0.99)
    assert own.answered == 0 and own.table.empty and np.isnan(worth.own_row(own)["estimate"])
    assert worth.tidy_rows(own).empty


def test_a_judge_on_fewer_stories_has_no_mark_among_all_stories(panel):
    people, scores = panel
    own = worth.rate(people, scores, "local/sage", "coin", 504, 0.99)
    name, placed = worth.place(own, ttcw.split(people), scores)
    assert name == "local/sage"
    assert placed["48 stories"] == (None, "answered about 36 of 48 stories")
    row, marked = placed["36 machine stories"]
    assert row["estimate"] == own.table.loc["local/sage", "estimate"]
    assert marked == ""


def test_a_judge_that_refuses_cases_is_marked_where_it_stands(panel):
    people, scores = panel
    own = scores[scores["judge"] == "local/sage"]
    shy = pd.concat([scores[scores["judge"] == "coin"], own.groupby("item").head(7)])
    rated = worth.rate(people, shy, "local/sage", "coin", 504, 0.99)
    assert worth.place(rated, ttcw.split(people), shy)[1]["36 machine stories"][1] == (
        "252 of 504 cases"
    )
    assert rated.answered == 252
