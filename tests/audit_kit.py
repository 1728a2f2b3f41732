"""Made-up papers for the tests of the audit: table T of the paper "made"."""

import pandas as pd

from helpers.audit.checks import Paper
from helpers.sources.published import KEY, Printed


def lines_of(cells):
    """Return printed lines from {(row, column): value}."""
    lines = [("made", "T", row, column, value) for (row, column), value in cells.items()]
    return pd.DataFrame(lines, columns=[*KEY, "value"])


def paper_of(cells):
    """Return a Paper whose table T prints {(row, column): value}."""
    return Paper("made", lines=lines_of(cells))


def one_row(**values):
    """Return a Paper whose table T prints `values` in one row r."""
    return paper_of({("r", column): value for column, value in values.items()})


def printed_row(**values):
    """Return the same as `one_row`, without an audit."""
    return Printed(
        "made", lines=lines_of({("r", column): value for column, value in values.items()})
    )


def check_of(paper, column):
    """Return the check that counts in row r of a made-up paper."""
    return paper.checked["T", "r", column]


def holds(paper, *columns):
    """Return whether the numbers of row r hold."""
    return [check_of(paper, column).holds for column in columns]
