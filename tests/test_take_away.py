"""What is taken away from a card: which first line a judge gets, and what the paragraph says."""

import pandas as pd
import pytest

from helpers import figures
from helpers.measures import corrected, take_away
from helpers.measures.open_verdicts import NO, PERSON, READS, UNDECIDED, YES
from helpers.measures.ratings import Ratings
from helpers.sources.files import DataError

FAIR = pd.Series({"estimate": 0.1, "low": -0.1, "high": 0.3})
KIND = pd.Series({"estimate": 0.5, "low": 0.3, "high": 0.7})
WHY = "Its lead is 0.2."


@pytest.mark.parametrize(
    ("reads", "as_good", "leniency", "use"),
    [
        (NO, YES, FAIR, take_away.NOT_USE),
        (UNDECIDED, YES, FAIR, take_away.NOT_YET),
        (YES, YES, FAIR, take_away.RATER),
        (YES, YES, KIND, take_away.RANK),
        (YES, YES, None, take_away.RANK),
        (YES, UNDECIDED, FAIR, take_away.RANK),
    ],
)
def test_what_a_judge_may_be_used_for(reads, as_good, leniency, use):
    assert take_away.choose_use({READS: reads, PERSON: as_good}, leniency) == use


@pytest.mark.parametrize(
    ("reads", "seen", "beyond", "use"),
    [
        (YES, False, False, take_away.RANK_AUTHORS),
        (YES, False, True, take_away.RATER),
        (UNDECIDED, True, True, take_away.MAY_KNOW),
        (NO, True, True, take_away.NOT_USE),
    ],
)
def test_who_may_know_the_ratings_or_only_the_author_is_not_used_as_a_rater(
    reads, seen, beyond, use
):
    assert take_away.choose_use({READS: reads, PERSON: YES}, FAIR, seen, beyond) == use


def test_each_first_line_begins_with_yes_no_or_undecided():
    uses = [take_away.NOT_USE, take_away.MAY_KNOW, take_away.NOT_SHOWN, take_away.NOT_YET]
    uses += [take_away.RANK, take_away.RANK_AUTHORS, take_away.RATER]
    assert {use.split()[0].rstrip(":,") for use in uses} == {"Yes", "No", "Undecided"}


def test_what_is_not_shown_begins_with_what_is_known_best():
    names = ["question", "verdict", "why", "what would decide"]
    rows = [(READS, UNDECIDED, WHY, ""), (PERSON, NO, WHY, "")]
    table = pd.DataFrame(rows, columns=names).set_index("question")
    first, second, *_ = take_away.write_lines(table, "j", None, [], "points")
    assert first == f"**{take_away.NOT_SHOWN}** {PERSON} *No.* {WHY}"
    assert second.startswith(READS)


@pytest.fixture
def table():
    """Verdicts on a judge that reads, and is perhaps as good as a person."""
    rows = [(READS, YES, WHY, ""), (PERSON, UNDECIDED, WHY, "About 30 more items.")]
    names = ["question", "verdict", "why", "what would decide"]
    return pd.DataFrame(rows, columns=names).set_index("question")


def test_an_undecided_line_says_what_would_decide(table):
    lines = take_away.write_lines(table, "j", None, ["Saved."], "points")
    assert lines[0].startswith(f"**{take_away.RANK}** {READS} *Yes.* {WHY}")
    assert lines[1].endswith("What would decide: about 30 more items.")
    assert lines[-1] == "Saved."


def test_a_lenient_judge_is_told_with_its_interval(table):
    names = pd.MultiIndex.from_tuples([("j", "leniency")])
    strict = pd.DataFrame([KIND], index=names)
    told = take_away.write_lines(table, "j", strict, [], "points")[2]
    assert told.startswith("Its scores lie 0.50 [0.30, 0.70] points above")
    assert "clearly too high" in told


def test_without_a_judge_the_lines_are_about_people(table):
    assert take_away.write_lines(table, None, None, [], "points") == [take_away.NO_JUDGE]


def test_the_intervals_name_their_source_and_new_raters_where_there_is_a_person():
    person = pd.DataFrame({"estimate": [0.5]}, ["a person"])
    nobody = pd.DataFrame({"estimate": [float("nan")]}, ["a person"])
    assert take_away.EFRON in take_away.tell_intervals(person)
    assert take_away.CAMERON in take_away.tell_intervals(person)
    assert take_away.CAMERON not in take_away.tell_intervals(nobody)


def test_versions_name_the_project_as_it_is_cited():
    assert take_away.tell_versions().startswith("Made with Judging Creativity ")


def test_the_same_figure_is_the_same_svg_without_a_date(tmp_path):
    rows = pd.DataFrame({"estimate": [0.2], "low": [0.1], "high": [0.3], "n": [9]}, ["someone"])
    for name in ("one", "two"):
        fig = figures.dots(rows, "A title", "a measure")
        figures.save_svg(fig, tmp_path / name / "figure.svg")
    first, second = ((tmp_path / name / "figure.svg").read_bytes() for name in ("one", "two"))
    assert first == second
    assert b"A title" in first
    assert b"<dc:date>" not in first


@pytest.fixture
def rated():
    """Two rated items of one group each, and a judge's scores of them."""
    items = pd.DataFrame({"item": ["a", "b"], "group": [1, 2]})
    ratings = pd.DataFrame({"item": ["a", "b"], "rater": "R1", "score": [1.0, 2.0]})
    scores = pd.DataFrame({"item": ["a", "b"], "judge": "j", "score": [2.0, 3.0]})
    return Ratings(items, ratings, "own"), scores


def test_items_that_nobody_rated_join_those_that_people_rated(rated):
    unrated = pd.DataFrame({"item": ["c"], "judge": "j", "score": [4.0], "group": [2]})
    table = corrected.list_items(*corrected.join_unrated(*rated, unrated), "j")
    assert table["item"].tolist() == ["a", "b", "c"]
    assert table["score"].tolist() == [2, 3, 4]
    assert table["rating"].isna().tolist() == [False, False, True]


def test_an_unrated_item_without_its_group_is_one_clear_error(rated):
    unrated = pd.DataFrame({"item": ["c"], "judge": "j", "score": [4.0]})
    with pytest.raises(DataError, match="no column group; expected one"):
        corrected.join_unrated(*rated, unrated)


def test_writers_are_conditions_only_where_people_rated_each():
    table = pd.DataFrame({"writer": ["x", "x", "y"], "rating": [1.0, None, 2.0]})
    assert corrected.choose_conditions(table) == "writer"
    assert corrected.choose_conditions(table.assign(rating=[1.0, 2.0, None])) is None
