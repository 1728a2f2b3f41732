"""What notebook 02 says of a judge that was asked: one that follows the experts on machine stories,
and ones that answer little."""

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


def test_a_good_judge_is_said_to_beat_guessing_and_to_add(panel):
    own = worth.rate(*panel, "local/sage", "coin", 504, 0.99)
    first, gain = worth.tell(own)
    assert first.startswith("local/sage clearly beats guessing: its balanced accuracy is ")
    assert "504 of 504 cases (stories: 36, plots: 12, all by machines)" in first
    assert gain.startswith("local/sage clearly adds to knowing how often each test is passed")


def rate_with_ceiling(panel, estimate, low, high):
    """The judge's result, with another perfect judge."""
    own = worth.rate(*panel, "local/sage", "coin", 504, 0.99)
    own.table.loc[compare.CEILING, ["estimate", "low", "high"]] = estimate, low, high
    own.table.attrs["why"] = "it is not clear that people agree"
    return own


def test_a_judge_above_the_perfect_one_is_told_without_contradiction(panel):
    below = worth.tell(rate_with_ceiling(panel, 1, 0.99, 1))[0]
    assert "A perfect judge is estimated to have 100 [99, 100] %. It gave" in below
    near = worth.tell(rate_with_ceiling(panel, 0.6, 0.5, 1))[0]
    assert (
        "A perfect judge is estimated to have 60 [50, 100] %: that this judge has more may" in near
    )
    above = worth.tell(rate_with_ceiling(panel, 0.55, 0.51, 0.6))[0]
    assert "this judge clearly has more. Either that estimate is too low here, or the" in above


def test_without_a_ceiling_the_judge_is_told_that_none_is_known(panel):
    own = rate_with_ceiling(panel, np.nan, np.nan, np.nan)
    own.table.attrs |= dict.fromkeys(["found", "found low", "found high"], np.nan)
    first = worth.tell(own)[0]
    assert (
        "What a perfect judge could reach is not known: it is not clear that people agree" in first
    )
    assert "nan" not in first
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


def test_a_judge_with_two_stories_is_not_compared(panel):
    people, scores = panel
    two = scores[(scores["judge"] == "coin") | scores["item"].isin(["0_GPT4", "1_GPT4"])]
    (said,) = worth.tell(worth.rate(people, two, "local/sage", "coin", 28, 0.99))
    assert "was asked too little to say how well it judges" in said
    assert "28 of 28 cases" in said
    assert "nan" not in said
    (said,) = worth.tell(worth.rate(people, two, "local/sage", "coin", 504, 0.99))
    assert "answered too little to say how well it judges" in said
    assert "28 of 504 cases" in said


def test_a_judge_that_never_answers_gets_no_number(panel):
    people, scores = panel
    (said,) = worth.tell(worth.rate(people, scores, "local/mute", "coin", 504, 0.99))
    assert said == ("local/mute gave a verdict in none of 504 cases, so nothing can be said of it.")


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
    assert "gave no verdict in 252 of 504 cases" in worth.tell(rated)[1]
