"""Read a CSV file that a form or a spreadsheet exported: its rows, its numbers, all its faults."""

import csv
import io
import re

import numpy as np
import pandas as pd

from helpers.sources.files import DataError
from helpers.sources.readers import HOW, read_text, resolve, tidy_name

LIMIT = 200_000_000  # bytes
MOST = 10  # faults that are told one by one
HUGE = 1e9
VERDICTS = {"yes": 1, "no": 0, "true": 1, "false": 0, "pass": 1, "fail": 0, "ja": 1, "nein": 0}
NO_NUMBER = "a number, or Yes or No; leave the cell empty if there is none"
VERDICT = "Yes or No, as elsewhere; leave the cell empty if there is none"
NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}([.,])\d{3}")  # 1,050: 1050 or 1.05?
SEPARATOR = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # Excel's first line


def raise_faults(where, faults):
    """Raise DataError with all faults of a file, by row; do nothing if there is none.

    where: the file's name; faults: (number of the row, or 0 for the whole file; what is wrong).
    """
    if not faults:
        return
    faults = sorted(faults, key=lambda fault: fault[0])
    lines = [f"row {row}: {fault}" if row else fault for row, fault in faults]
    if len(lines) == 1:
        is_in_row = faults[0][0] > 0
        raise DataError(f"{where}{',' if is_in_row else ':'} {lines[0]}")
    first = f"; the first {MOST}" if len(lines) > MOST else ""
    heading = f"{where}: {len(lines):,} faults{first}:"
    raise DataError("\n  ".join([heading, *lines[:MOST]]))


def find_faults(table, column, bad, expected, theirs=None):
    """Return the bad cells of a column as faults: (row, the cell and what was expected); theirs:
    the column's name in the file, if it is another."""
    bad_cells = table[column].iloc[np.flatnonzero(bad)]
    name = theirs or column
    faults = []
    for row, cell in bad_cells.items():
        faults.append((row, f"{name} is {cell!r:.60}; expected {expected}"))
    return faults


def read_grid(path):
    """Return (file name, table, faults) of a reader's CSV file: all cells as text without blanks
    around them, the index each row's number as a spreadsheet counts it; DataError for no table.

    Commas, semicolons or tabs may part the cells. Excel's first line "sep=;" and lines above the
    header that begin with # are understood. faults: rows with too few or too many
    cells, which are left out.
    """
    path = resolve(path, "a CSV file with a row per rating")
    lines = read_text(path, LIMIT, HOW).splitlines(keepends=True)
    mark, above = skip_preamble(lines)
    first, rows = split_rows("".join(lines[above:]), mark, path.name)
    header = clean_header(first, rows, above, path.name)
    faults = []
    for name in sorted(set(header)):
        if name and header.count(name) > 1:
            faults.append((above + 1, f"column {name!r} stands twice; remove one"))
    is_sound = not faults
    whole_rows = {}
    for number, row in enumerate(rows, above + 2):
        row = trim_row(row, len(header))
        if not any(row):
            continue
        if len(row) == len(header):
            whole_rows[number] = row
        else:
            faults.append((number, tell_size(len(row), len(header))))
    if not is_sound:
        raise_faults(path.name, faults)
    places = range(len(header))
    table = pd.DataFrame.from_dict(whole_rows, orient="index", columns=places, dtype=str)
    table.columns = header
    has_name = [bool(name) for name in header]
    return path.name, table.loc[:, has_name], faults


def skip_preamble(lines):
    """Return (mark, above): what parts the cells, by Excel's line "sep=;" (None without one), and
    how many lines stand above the header, that line and those that begin with #."""
    mark = None
    for above, line in enumerate(lines):
        separator = SEPARATOR.fullmatch(line)
        if separator:
            mark = separator.group(1)
        elif not line.startswith("#"):
            return mark, above
    return mark, len(lines)


def split_rows(text, mark, name):
    """Return (first row, other rows) of a CSV text, lists of cells; DataError naming the file.

    mark: what parts the cells; None: whichever of , ; and tab parts the first row into most cells.
    """
    csv.field_size_limit(LIMIT)
    try:
        if mark is None:
            mark = max(",;\t", key=lambda mark: len(next(read_rows(text, mark), [])))
        rows = list(read_rows(text, mark))
    except csv.Error as fault:
        raise DataError(f"{name}: cannot be read as a CSV ({fault}); {HOW}") from None
    if not rows or not any(cell.strip() for cell in rows[0]):
        raise DataError(f"{name}: cannot be read as a CSV (its first row is empty); {HOW}")
    return rows[0], rows[1:]


def clean_header(first, rows, above, name):
    """Return the names of the columns, each in one spelling, without empty ones at the end.

    first, rows: of `split_rows`; above: how many lines stand above them. DataError for a line that
    is too short to be a header, such as a title.
    """
    header = list(first)
    while not header[-1].strip():
        header.pop()
    if len(header) < 3 and rows and len(rows[0]) > len(header) + 1:
        sizes = f"row {above + 1} has {len(header)}, row {above + 2} has {len(rows[0])} cells"
        advice = "the first row must hold the names of the columns: remove what stands above them"
        raise DataError(f"{name}: {sizes}; {advice}")
    return [tidy_name(cell) for cell in header]


def trim_row(row, size):
    """Return a row's cells without blanks around them, and without empty ones beyond `size`."""
    row = [cell.strip() for cell in row]
    while len(row) > size and not row[-1]:
        row.pop()
    return row


def tell_size(count, size):
    """Return what is wrong with a row of `count` cells below a header of `size`, in words."""
    if count < size:
        compared, advice = "fewer", "complete the row or remove it"
    else:
        compared, advice = "more", "a text or a number with a comma stands in quotation marks"
    return f"has {compared} cells than the header ({count}, not {size}); {advice}"


def read_rows(text, mark):
    """Return the rows of a CSV text, one by one."""
    return csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)


def read_numbers(texts):
    """Return (numbers, expected): floats of a column of texts, nan where a cell is no number, and
    there what was expected ("" elsewhere).

    A decimal comma is read (3,5), and Yes and No are 1 and 0 where they stand alone; beside other
    numbers the rarer of the two is wrong. Asked about: a comma or a point before exactly three
    digits (1,050), unless other cells tell what it means.
    """
    cells = pd.Series(texts.unique(), dtype=object)  # each kind of cell once
    lower = cells.str.casefold()
    is_number = lower.map(lambda text: bool(NUMBER.fullmatch(text)))
    numbers = pd.to_numeric(lower.where(is_number).str.replace(",", "."), errors="coerce")
    verdicts = lower.map(VERDICTS)  # of Yes and No, else nan
    expected = pd.Series("", cells.index)
    expected[~is_number & verdicts.isna()] = NO_NUMBER
    expected[numbers.abs() > HUGE] = "a number below a billion"
    for mark in ",.":
        for place in find_thousands(lower[is_number], mark, numbers[is_number]):
            whole = cells[place].replace(mark, "")
            decimal = float(cells[place].replace(",", "."))
            expected[place] = f"{whole} or {decimal:g}, whichever is meant"
    on_a_scale = numbers[is_number & ~numbers.isin([0, 1])]
    if len(on_a_scale):  # here Yes and No do not stand alone
        scores = texts.isin(cells[on_a_scale.index])
        words = texts.isin(cells[verdicts.notna()])
        if words.sum() > scores.sum():
            expected[on_a_scale.index] = VERDICT
        else:
            example = cells[on_a_scale.index[0]]
            expected[verdicts.notna()] = f"a number, as elsewhere (say {example})"
    numbers = numbers.fillna(verdicts).where(expected == "").astype(float)
    place = pd.Series(cells.index, cells).reindex(texts)
    number_of_each = numbers.iloc[place].set_axis(texts.index)
    expected_of_each = expected.iloc[place].set_axis(texts.index)
    return number_of_each, expected_of_each


def find_thousands(texts, mark, values):
    """Return the places of numbers in which the mark may part thousands, or decimals.

    A comma is decimal for sure where another number of the column has one before another count of
    digits. A point parts decimals, unless every point of the column stands before three digits and
    whole numbers of 100 and more stand beside them.
    """
    marked = texts[texts.str.contains(mark, regex=False)]
    is_doubtful = marked.map(lambda text: bool(THOUSANDS.fullmatch(text)))
    if not len(marked) or not is_doubtful.all():
        return []
    if mark == ".":
        whole = values.drop(marked.index)
        if not (whole.abs() >= 100).any():
            return []
    return marked.index.tolist()
