"""Cells as numbers: digits of any script, labels, what is not clear."""

import pandas as pd
import pytest
from goodjudge.data.numbers import read_numbers
from made_files import RATINGS, rows, sizes


@pytest.mark.parametrize(
    "cells, numbers",
    [
        ("4 3.5 3,5 .5 1e1", [4, 3.5, 3.5, 0.5, 10]),
        ("Yes No yes", [1, 0, 1]),
        ("Y N y", [1, 0, 1]),
        ("true false true", [1, 0, 1]),
        ("ja nein ja", [1, 0, 1]),
        ("٤ ٣ ٧", [4, 3, 7]),
        ("４ ３ ７", [4, 3, 7]),
        ("४ ३ ७", [4, 3, 7]),
        ("1.050 2.5 3", [1.05, 2.5, 3]),
    ],
)
def test_what_is_clear_is_read(cells, numbers):
    read = read_numbers(pd.Series(cells.split()))
    assert read.values.tolist() == numbers and not read.expected


@pytest.mark.parametrize(
    "cells, number",
    [
        (["7 - Strongly agree", "4", "5"], 7),
        (["7 (very)", "4"], 7),
        (["7: very", "1: not", "4"], 7),
        (["7 Strongly agree", "4"], 7),
        (["Strongly agree (7)", "4"], 7),
        (["Rating: 7", "4"], 7),
        (["'7", "4"], 7),
        (["7%", "40 %", "85%"], 7),
        (['[{"rating": 7}]', "4"], 7),
        (['{"choices": ["7"]}', "4"], 7),
        (["Strongly Agree", "disagree", "Neutral"], 5),
        (["strongly agree", "somewhat agree", "Neutral"], 7),
        (["always", "never"], 5),
    ],
)
def test_labels_are_read_and_told(cells, number):
    read = read_numbers(pd.Series(cells))
    assert read.values[0] == number and read.labels[cells[0]] == number


@pytest.mark.parametrize(
    "cells, odd, what",
    [
        (["4", "5", "Yes"], "Yes", "a number, as elsewhere"),
        (["4", "5", "good"], "good", "a number, or Yes or No"),
        (["Yes", "No", "Yes", "3"], "Yes", "a number, as elsewhere"),
        (["1,050", "2,075"], "1,050", "a number"),
        (["3-Jul", "4"], "3-Jul", "a number"),
        (["3/7", "4/5"], "3/7", "a number"),
        (["12 Angry Men", "12 Monkeys", "4"], "12 Angry Men", "a number"),
        (["agree", "sure"], "sure", "a number"),
    ],
)
def test_what_is_not_clear_is_told(cells, odd, what):
    assert what in read_numbers(pd.Series(cells)).expected[odd]


def test_words_of_another_language_are_one_sentence_and_are_mended_by_labels(refuse, read):
    words = {1: "nein, gar nicht", 7: "ja, sehr"}
    content = rows(
        mark=";",
        header="item;rater;score",
        cell=lambda text, rater, score: words[7 if score > 4 else 1],
    )
    fault = str(refuse(content))
    assert (
        "score is 'ja, sehr', 'nein, gar nicht'" in fault
        and "--label" in fault
        and "\n" not in fault
    )
    data = read(content, labels={"nein, gar nicht": 1, "ja, sehr": 7})
    assert sizes(data) == (24, 4, 96) and data.report.labels["ja, sehr"] == 7
    assert "Read as numbers" in str(data.report)


def test_all_odd_cells_of_a_kind_are_one_line_with_their_rows(refuse):
    odd = {1: "good", 2: "bad"}
    fault = str(refuse(rows(cell=lambda text, rater, score: odd.get(text, score))))
    assert fault.count("\n") == 0 and "rows 2, 3, 4" in fault and "'good', 'bad'" in fault


def test_scores_that_a_spreadsheet_made_dates_of(refuse):
    fault = str(refuse(rows(cell=lambda t, rater, score: f"{score}-Jul" if t == 3 else score)))
    assert "rows 10, 11, 12, 13: score is '5-Jul', '6-Jul'; expected a number" in fault


def test_what_says_that_there_is_no_score_is_missing(read):
    said = {1: "n/a", 2: "-", 3: "Prefer not to say", 4: "", 5: "NaN"}
    data = read(rows(cell=lambda text, rater, score: said.get(text, score)))
    assert data.report.missing == 20 and len(data.ratings) == 76
    assert "Missing: 20 of 96" in str(data.report)


def test_one_rater_in_yes_and_no_beside_numbers_is_refused(refuse):
    cell = lambda text, rater, score: "Yes" if rater == "Kim" else score  # noqa: E731
    assert "a number, as elsewhere" in str(refuse(rows(cell=cell)))


def test_the_same_numbers_in_any_script(read):
    plain = read(rows()).ratings
    arabic = read(rows(cell=lambda text, rater, score: chr(0x660 + score))).ratings
    assert plain["score"].tolist() == arabic["score"].tolist() == [*map(float, RATINGS.values())]
