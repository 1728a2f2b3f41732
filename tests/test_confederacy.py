"""The Confederacy loader: shape, bad cells, raters' agreement."""

import numpy as np
import openpyxl
import pytest

from helpers.refbased import confederacy
from helpers.sources.public import DataError, available, locate

pytestmark = pytest.mark.skipif(not available("confederacy"), reason="needs the open data")


def test_every_group_has_thirteen_writers_two_raters_ten_aspects():
    table = confederacy.load_ratings()
    assert len(table) == 5 * 13 * 2 * 10 and table["score"].between(0, 10).all()
    assert confederacy.load_words().shape == (5, 13) and confederacy.load_words().notna().all(
        axis=None
    )


@pytest.mark.parametrize(
    "cell, value, message",
    [
        ("E20", "ten", "row 20, readability of rater 1: score is 'ten'"),
        ("AB20", 11, "row 20, humor of rater 2: score is 11"),
        ("B20", "bard", "writer is 'bard'; expected each writer once"),
    ],
)
def test_a_bad_cell_is_named(tmp_path, cell, value, message):
    book = openpyxl.load_workbook(locate(confederacy.NAME)[0], data_only=True)
    book.worksheets[0][cell] = value
    book.save(tmp_path / "sheet.xlsx")
    with pytest.raises(DataError, match=message):
        confederacy.load_ratings(tmp_path / "sheet.xlsx")


def test_raters_agree_better_than_a_shuffled_rater():
    table, rng = confederacy.load_ratings(), np.random.default_rng(0)
    one, two = confederacy.totals(table, [1]), confederacy.totals(table, [2])
    shuffled = two.apply(lambda row: rng.permutation(row), axis=1, result_type="broadcast")
    good, bad = (
        confederacy.agreement(one, scores).loc["accuracy", "estimate"] for scores in (two, shuffled)
    )
    assert good > bad and good > 0.6
