"""Made-up papers for the tests of the audit: the paper "made" prints one table, T.

`paper_of` prints any cells of T, `one_row` a single row r (the usual case), `with_rules` such a row
and a facts.csv; `printed_row` is `one_row` before an audit. `check_of` and `holds` say what an
audit noted in row r.

    paper = one_row(x="3", y="5", gap="2")
    cells = paper.table("T")
    paper.check("T", (cells["y"] - cells["x"]).to_frame("gap"), "difference")
    assert holds(paper, "gap") == [True]
"""

import pandas as pd

from helpers.audit import facts
from helpers.audit.checks import Paper
from helpers.sources.published import KEY, Printed


def lines_of(cells):
    """Return printed lines from {(row, column): value as printed}: paper, table, row, column,
    value."""
    lines = [("made", "T", row, column, value) for (row, column), value in cells.items()]
    return pd.DataFrame(lines, columns=[*KEY, "value"])


def paper_of(cells):
    """Return a Paper whose table T prints {(row, column): value}."""
    return Paper("made", lines=lines_of(cells))


def one_row(**values):
    """Return a Paper whose table T prints `values` in one row r."""
    return paper_of({("r", column): value for column, value in values.items()})


def printed_row(**values):
    """Return the same numbers as `one_row`, without an audit: `Printed`."""
    cells = {("r", column): value for column, value in values.items()}
    return Printed("made", lines=lines_of(cells))


def with_rules(folder, rules, **values):
    """Return a Paper of one row with the lines `rules` in its facts.csv, written to `folder`."""
    path = folder / "made" / "facts.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{','.join(facts.RULE)}\n{rules}")
    paper = one_row(**values)
    paper.folder = folder
    return paper


def cell(column, value):
    """Return a DataFrame of one cell, in row r."""
    return pd.DataFrame({column: {"r": value}})


def check_of(paper, column):
    """Return the `Check` that counts in row r of a made-up paper."""
    return paper.checked["T", "r", column]


def holds(paper, *columns):
    """Return whether the numbers of row r hold, a list of bools."""
    return [check_of(paper, column).holds for column in columns]
