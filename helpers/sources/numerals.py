"""Read a column of cells as numbers, as people write them; ask where a cell is not clear.

    cells              read as      expected
    4, 3.5, 3,5        4, 3.5, 3.5
    Yes, No, Yes       1, 0, 1
    4, 5, Yes          4, 5, nan    of Yes: a number, as elsewhere (say 4)
    4, 5, good         4, 5, nan    of good: a number, or Yes or No; …
    1,050 and 2,075    nan, nan     1050 or 1.05, whichever is meant

`read_numbers` does all of it. The column as a whole decides what a cell means: a comma is decimal
for sure where another number has one before two digits, and Yes is no score among scores.
"""

import re

import pandas as pd

HUGE = 1e9
VERDICTS = {"yes": 1, "no": 0, "true": 1, "false": 0, "pass": 1, "fail": 0, "ja": 1, "nein": 0}
NO_NUMBER = "a number, or Yes or No; leave the cell empty if there is none"
VERDICT = "Yes or No, as elsewhere; leave the cell empty if there is none"
TOO_LARGE = "a number below a billion"
NUMBER = re.compile(
    r"""
    [+-]?
    ( \d+ ([.,]\d*)? | [.,]\d+ )    # 4, 3.5, 3,5, .5
    ( e [+-]? \d+ )?                # 1e3
    """,
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)  # 1,050: 1050 or 1.05?


def read_numbers(texts):
    """Return (numbers, expected) of a column of texts: floats, nan where a cell is no number, and
    there what was expected ("" elsewhere), two Series.

    A decimal comma is read (3,5), and Yes and No are 1 and 0 where they stand alone; beside other
    numbers the rarer of the two is wrong. Asked about: a comma or a point before exactly three
    digits (1,050), unless other cells tell what it means.
    """
    cells = list_cells(texts)
    expected = pd.Series("", cells.index)
    is_neither = cells["number"].isna() & cells["verdict"].isna()
    expected[is_neither] = NO_NUMBER
    expected[cells["number"].abs() > HUGE] = TOO_LARGE
    for mark in (",", "."):
        for cell in find_thousands(cells["number"], mark):
            whole = cell.replace(mark, "")
            decimal = float(cell.replace(",", "."))
            expected[cell] = f"{whole} or {decimal:g}, whichever is meant"
    for cell, what in find_mixture(cells).items():
        expected[cell] = what
    numbers = cells["number"].fillna(cells["verdict"]).where(expected == "").rename(None)
    # from each kind of cell to each cell
    numbers = numbers.reindex(texts).set_axis(texts.index)
    expected = expected.reindex(texts).set_axis(texts.index)
    return numbers, expected


def list_cells(texts):
    """Return each kind of cell once, a table by its text: number (nan for none), verdict (1 for
    Yes, 0 for No, nan for another word) and rows (how many cells are so)."""
    rows = texts.value_counts(sort=False)
    words = rows.index.to_series()
    is_number = words.map(lambda text: bool(NUMBER.fullmatch(text)))
    decimal = words.where(is_number).str.replace(",", ".")
    number = pd.to_numeric(decimal, errors="coerce").astype(float)
    verdict = words.str.casefold().map(VERDICTS).astype(float)
    return pd.DataFrame({"number": number, "verdict": verdict, "rows": rows})


def find_thousands(numbers, mark):
    """Return the cells in which a comma or a point may part thousands, or decimals.

    A mark is decimal for sure where a number has it before another count of digits than three. A
    point is decimal as well, unless whole numbers of 100 and more stand beside. numbers: of
    `list_cells`, by text; mark: "," or ".".
    """
    numbers = numbers.dropna()
    is_marked = numbers.index.str.contains(mark, regex=False)
    marked = list(numbers.index[is_marked])
    if not all(THOUSANDS.fullmatch(cell) for cell in marked):
        return []
    has_large_whole = (numbers[~is_marked].abs() >= 100).any()
    if mark == "." and not has_large_whole:
        return []
    return marked


def find_mixture(cells):
    """Return {cell: what was expected} where scores and words such as Yes stand in one column: all
    cells of the rarer kind. cells: of `list_cells`; 0 and 1 are no scores here, as they may be No
    and Yes."""
    is_score = cells["number"].notna() & ~cells["number"].isin([0, 1])
    is_word = cells["verdict"].notna()
    if not is_score.any():
        return {}
    scores, words = cells[is_score], cells[is_word]
    if words["rows"].sum() > scores["rows"].sum():
        return dict.fromkeys(scores.index, VERDICT)
    return dict.fromkeys(words.index, f"a number, as elsewhere (say {scores.index[0]})")
