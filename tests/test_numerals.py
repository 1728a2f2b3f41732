"""Cells of a column are read as numbers, and asked about where another meaning is possible."""

import numpy as np
import pandas as pd
import pytest

from helpers.sources import numerals

READ = [  # cells, numbers
    (["4", "3.5", "3,5", ".5", "1e3"], [4, 3.5, 3.5, 0.5, 1000]),
    (["Yes", "no", "JA", "fail"], [1, 0, 1, 0]),
    (["1", "0", "Yes"], [1, 0, 1]),
    (["1,050", "2,07"], [1.05, 2.07]),
    (["1.050", "2.075"], [1.05, 2.075]),
    (["1.050", "99"], [1.05, 99]),
    (["7", "7"], [7, 7]),
]


@pytest.mark.parametrize(("cells", "numbers"), READ)
def test_what_is_clear_is_read(cells, numbers):
    read, expected = numerals.read_numbers(pd.Series(cells))
    assert read.tolist() == numbers
    assert set(expected) == {""}


ASKED = [  # cells, one of them that is asked about, what was expected of it
    (["4", "good"], "good", numerals.NO_NUMBER),
    (["4", ""], "", numerals.NO_NUMBER),
    (["4", "٣"], "٣", numerals.NO_NUMBER),
    (["4", "1e10"], "1e10", numerals.TOO_LARGE),
    (["1,050", "2,075"], "1,050", "1050 or 1.05, whichever is meant"),
    (["1.050", "100"], "1.050", "1050 or 1.05, whichever is meant"),
    (["4", "5", "Yes"], "Yes", "a number, as elsewhere (say 4)"),
    (["Yes", "No", "4"], "4", numerals.VERDICT),
]


@pytest.mark.parametrize(("cells", "cell", "what"), ASKED)
def test_what_is_not_clear_is_asked_about_and_not_read(cells, cell, what):
    read, expected = numerals.read_numbers(pd.Series(cells))
    place = cells.index(cell)
    assert expected[place] == what
    assert np.isnan(read[place])


def test_the_rest_of_a_column_is_read_beside_a_cell_that_is_asked_about():
    read, expected = numerals.read_numbers(pd.Series(["4", "good", "5"], index=[7, 8, 9]))
    assert read[[7, 9]].tolist() == [4, 5]
    assert expected.tolist() == ["", numerals.NO_NUMBER, ""]
    assert list(read.index) == list(expected.index) == [7, 8, 9]


def test_of_yes_and_scores_the_rarer_cells_are_wrong_and_not_the_rarer_words():
    read, _ = numerals.read_numbers(pd.Series(["Yes", "Yes", "Yes", "4", "5"]))
    assert read.isna().tolist() == [False, False, False, True, True]
