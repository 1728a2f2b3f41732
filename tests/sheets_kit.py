"""A reader's CSV files written out and read, or refused: fixtures of the tests of sheets."""

import pytest

from helpers.measures import sheets
from helpers.sources.files import DataError


@pytest.fixture
def read(tmp_path):
    """Return a function that reads `Ratings` from the text of a CSV; with a judge's file it returns
    (the ratings, the judge's scores)."""

    def load(text, columns=None, scores=None):
        path = tmp_path / "mine.csv"
        path.write_text(text, encoding="utf8")
        data = sheets.read_ratings(path, columns)
        if scores is None:
            return data
        judge = tmp_path / "judge.csv"
        judge.write_text(scores, encoding="utf8")
        return data, sheets.read_scores(judge, data, columns)

    return load


@pytest.fixture
def refuse(read):
    """Return a function that reads files and returns the message with which they are refused."""

    def told(*given, **more):
        with pytest.raises(DataError) as fault:
            read(*given, **more)
        return str(fault.value)

    return told
