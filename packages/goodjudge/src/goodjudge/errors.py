"""The one exception for input that cannot be used."""

from typing import NamedTuple


class Answer(NamedTuple):
    """A way to answer what a `DataError` asks.

    words: when it is right, as "if it says which criterion was rated"; options: arguments of
    `read_ratings` or `read_scores`; result: what the file gives with them, as it was tried.
    """

    words: str
    options: dict
    result: str = ""


class DataError(ValueError):
    """A file or an option that cannot be used, in words that name the file, the row, the column,
    what was expected and the option that mends it.

    answers: tuple of `Answer`. In an error that reaches a caller of `read_ratings` or `read_scores`
    each was tried on the file, and reads it.

    >>> raise DataError("ratings.csv: no column rater")
    Traceback (most recent call last):
    goodjudge.errors.DataError: ratings.csv: no column rater
    """

    def __init__(self, message: str, answers=()):
        super().__init__(message)
        self.answers = tuple(answers)
