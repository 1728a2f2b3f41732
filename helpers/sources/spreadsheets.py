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
    told = [f"row {row}: {what}" if row else what for row, what in faults]
    if len(told) == 1:
        raise DataError(f"{where}{',' if faults[0][0] else ':'} {told[0]}")
    first = f"; the first {MOST}" if len(told) > MOST else ""
    raise DataError("\n  ".join([f"{where}: {len(told):,} faults{first}:", *told[:MOST]]))


def find_faults(table, column, bad, expected, theirs=None):
    """Return the bad cells of a column as faults: (row, the cell and what was expected); theirs:
    the column's name in the file, if it is another."""
    rows = np.flatnonzero(bad)
    cells = zip(table.index[rows], table[column].iloc[rows])
    name = theirs or column
    return [(row, f"{name} is {cell!r:.60}; expected {expected}") for row, cell in cells]


def read_grid(path):
    """Return (file name, table, faults) of a reader's CSV file: all cells as text without blanks
    around them, the index each row's number as a spreadsheet counts it; DataError for no table.

    Commas, semicolons or tabs may part the cells. Excel's first line "sep=;" and lines above the
    header that begin with # are understood. faults: rows with too few or too many
    cells, which are left out.
    """
    path = resolve(path, "a CSV file with a row per rating")
    lines = read_text(path, LIMIT, HOW).splitlines(keepends=True)
    mark, above = None, 0
    for line in lines:
        separator = SEPARATOR.fullmatch(line)
        if not separator and not line.startswith("#"):
            break
        mark = separator.group(1) if separator else mark
        above += 1
    body = "".join(lines[above:])
    csv.field_size_limit(LIMIT)
    try:
        mark = mark or max(",;\t", key=lambda one: len(next(read_rows(body, one), [])))
        header, *rows = read_rows(body, mark) if body else [[]]
    except csv.Error as fault:
        raise DataError(f"{path.name}: cannot be read as a CSV ({fault}); {HOW}") from None
    if not any(header):
        raise DataError(f"{path.name}: cannot be read as a CSV (its first row is empty); {HOW}")
    while not header[-1].strip():
        header.pop()
    if len(header) < 3 and rows and len(rows[0]) > len(header) + 1:
        sizes = f"row {above + 1} has {len(header)}, row {above + 2} has {len(rows[0])} cells"
        advice = "the first row must hold the names of the columns: remove what stands above them"
        raise DataError(f"{path.name}: {sizes}; {advice}")
    header = [tidy_name(name) for name in header]
    twice = {name for name in header if name and header.count(name) > 1}
    faults = [(above + 1, f"column {name!r} stands twice; remove one") for name in sorted(twice)]
    kept = {}
    for number, row in enumerate(rows, above + 2):
        row = [cell.strip() for cell in row]
        if not any(row):
            continue
        while len(row) > len(header) and not row[-1]:
            row.pop()
        if len(row) == len(header):
            kept[number] = row
            continue
        size = "more" if len(row) > len(header) else "fewer"
        what = f"{size} cells than the header ({len(row)}, not {len(header)})"
        advice = "a text or a number with a comma stands in quotation marks"
        if size == "fewer":
            advice = "complete the row or remove it"
        faults.append((number, f"has {what}; {advice}"))
    table = pd.DataFrame.from_dict(kept, orient="index", columns=range(len(header)), dtype=str)
    table.columns = header
    raise_faults(path.name, faults if twice else [])
    return path.name, table.loc[:, [bool(name) for name in header]], faults


def read_rows(text, mark):
    """Return the rows of a CSV text, one by one."""
    return csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)


def read_numbers(texts):
    """Return (numbers, expected): floats of a column of texts, nan where a cell is no number, and
    there what was expected ("" elsewhere).

    A decimal comma is read (3,5), and Yes and No are 1 and 0 where they stand alone. Asked about:
    a comma or a point before exactly three digits (1,050), unless other cells tell what it means.
    """
    cells = pd.Series(texts.unique(), dtype=object)
    low = cells.str.casefold()
    number = low.map(lambda text: bool(NUMBER.fullmatch(text)))
    values = pd.to_numeric(low.where(number).str.replace(",", "."), errors="coerce")
    verdicts = low.map(VERDICTS)
    expected = pd.Series("", cells.index)
    expected[~number & verdicts.isna()] = NO_NUMBER
    expected[values.abs() > HUGE] = "a number below a billion"
    for mark in ",.":
        odd = find_thousands(low[number], mark, values[number])
        for place in odd:
            cell = cells[place]
            whole, decimal = cell.replace(mark, ""), cell.replace(",", ".")
            expected[place] = f"{whole} or {float(decimal):g}, whichever is meant"
    scale = values[number & ~values.isin([0, 1])]
    if len(scale):
        example = cells[scale.index[0]]
        expected[verdicts.notna()] = f"a number, as elsewhere (say {example})"
    values = values.fillna(verdicts).where(expected == "").astype(float)
    place = pd.Series(cells.index, cells).reindex(texts)
    found = [part.iloc[place].set_axis(texts.index) for part in (values, expected)]
    return found[0], found[1]


def find_thousands(texts, mark, values):
    """Return the places of numbers in which the mark may part thousands, or decimals.

    A comma is decimal for sure where another number of the column has one before another count of
    digits. A point parts decimals, unless every point of the column stands before three digits and
    whole numbers of 100 and more stand beside them.
    """
    marked = texts[texts.str.contains(mark, regex=False)]
    doubtful = marked.map(lambda text: bool(THOUSANDS.fullmatch(text)))
    if not len(marked) or not doubtful.all():
        return []
    if mark == ".":
        whole = values.drop(marked.index)
        if not (whole.abs() >= 100).any():
            return []
    return marked.index.tolist()
