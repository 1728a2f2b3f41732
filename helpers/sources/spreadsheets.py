"""Read a CSV file that a form or a spreadsheet exported, or a program's JSON lines: its rows, and
all its faults at once.

Such a file may part its cells by semicolons or tabs, begin with a line of Excel's or with remarks,
and end with empty rows and columns:

    sep=;
    # exported in November
    text; rater; score
    a;    Ann;   4

`read_grid` returns its cells as texts, in a table whose index is each row's number as a spreadsheet
counts it (here 4). Faults, pairs (row, what is wrong), are collected, and `raise_faults` tells them
together. What number a cell means, `numerals` says.
"""

import csv
import io
import itertools
import json
import re

import numpy as np
import pandas as pd

from helpers.sources.files import DataError
from helpers.sources.readers import HOW, read_text, resolve, tidy_name

LIMIT = 200_000_000  # bytes
MOST = 10  # faults that are told one by one
MARKS = ",;\t"  # what may part the cells
JSON_LINES = (".jsonl", ".ndjson")
SEPARATOR = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # Excel's first line


def read_grid(path):
    """Return (file name, table, faults) of a reader's CSV file, or of JSON lines (.jsonl).

    table: all cells as texts without blanks around them, the index each row's number. Raises
    DataError for what is no table.

    faults: rows with too few or too many cells, and lines that are no flat object, which are left
    out.
    """
    path = resolve(path, "a CSV file with a row per rating")
    if path.suffix.lower() in JSON_LINES:
        return path.name, *read_json_lines(path)
    lines = read_text(path, LIMIT, HOW).splitlines(keepends=True)
    mark, above = skip_preamble(lines)
    first, rows = split_rows("".join(lines[above:]), mark, path.name)
    header = clean_header(first, rows, above, path.name)
    doubles = find_doubles(header, above + 1)
    whole_rows, faults = check_rows(rows, len(header), above + 2)
    if doubles:
        raise_faults(path.name, doubles + faults)
    places = range(len(header))
    table = pd.DataFrame.from_dict(whole_rows, orient="index", columns=places, dtype=str)
    table.columns = header
    has_name = [bool(name) for name in header]
    return path.name, table.loc[:, has_name], faults


def read_json_lines(path):
    """Return (table, faults) of a file with an object per line, such as {"item": "a", "score": 4};
    a name that a line lacks is an empty cell, and so is null. Raises DataError for no object at
    all."""
    rows, faults = {}, []
    for number, line in enumerate(read_text(path, LIMIT).splitlines(), 1):
        if not line.strip():
            continue
        row = read_object(line)
        if row is None:
            expected = 'a flat object in one line, such as {"item": "a", "score": 4}'
            faults.append((number, f"{line.strip():.40} is no row; expected {expected}"))
        else:
            rows[number] = row
    if not rows:
        raise_faults(path.name, faults or [(0, "no line in it; expected an object in each line")])
    table = pd.DataFrame.from_dict(rows, orient="index", dtype=object).fillna("")
    return table, faults


def read_object(line):
    """Return {name: cell as text} of a line of JSON, None for what is no flat object."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_flat = isinstance(row, dict) and not any(
        isinstance(cell, (dict, list)) for cell in row.values()
    )
    if not is_flat:
        return None
    return {
        tidy_name(name): "" if cell is None else str(cell).strip() for name, cell in row.items()
    }


def skip_preamble(lines):
    """Return (mark, above): what parts the cells, by Excel's line "sep=;" (None without one), and
    how many lines stand above the header, that line and those that begin with #."""
    mark = None
    for above, line in enumerate(lines):
        separator = SEPARATOR.fullmatch(line)
        if separator:
            mark = separator[1]
        elif not line.startswith("#"):
            return mark, above
    return mark, len(lines)


def split_rows(text, mark, name):
    """Return (first row, other rows) of a CSV text, lists of cells. Raises DataError naming the
    file for what cannot be read.

    mark: what parts the cells; None: of `guess_mark`.
    """
    csv.field_size_limit(LIMIT)
    try:
        rows = list(read_rows(text, mark or guess_mark(text)))
    except csv.Error as fault:
        raise DataError(f"{name}: cannot be read as a CSV ({fault}); {HOW}") from None
    if not rows or not any(cell.strip() for cell in rows[0]):
        raise DataError(f"{name}: cannot be read as a CSV (its first row is empty); {HOW}")
    return rows[0], rows[1:]


def guess_mark(text):
    """Return the mark that parts the first row of a CSV text into most cells; the second row, where
    the first seems to be a title: it has one cell, or the second has fewer than it."""
    sizes = {mark: count_cells(text, mark) for mark in MARKS}
    by_header = max(sizes, key=lambda mark: sizes[mark][0])
    first, second = sizes[by_header]
    if first > 1 and second >= first:
        return by_header
    return max(sizes, key=lambda mark: sizes[mark][1])


def count_cells(text, mark):
    """Return how many cells the first and the second row of a CSV text have, 0 where there is none
    or it cannot be read."""
    sizes = [0, 0]
    try:
        for place, row in enumerate(itertools.islice(read_rows(text, mark), 2)):
            sizes[place] = len(row)
    except csv.Error:  # told where the file is read
        pass
    return sizes


def read_rows(text, mark):
    """Return the rows of a CSV text, one by one."""
    return csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)


def clean_header(first, rows, above, name):
    """Return the names of the columns, each in one spelling, without empty ones at the end.

    first, rows: of `split_rows`; above: how many lines stand above them. Raises DataError for a
    line that is too short to be a header, such as a title.
    """
    header = list(first)
    while not header[-1].strip():
        header.pop()
    next_size = len(rows[0]) if rows else 0
    is_title = len(header) < 3 and next_size > len(header) + 1
    if is_title:
        sizes = f"row {above + 1} has {len(header)}, row {above + 2} has {next_size} cells"
        advice = "the first row must hold the names of the columns: remove what stands above them"
        raise DataError(f"{name}: {sizes}; {advice}")
    return [tidy_name(cell) for cell in header]


def find_doubles(header, row):
    """Return the names that stand twice in a header, as faults of its row, by name."""
    doubles = {name for name in header if name and header.count(name) > 1}
    return [(row, f"column {name!r} stands twice; remove one") for name in sorted(doubles)]


def check_rows(rows, size, first_number):
    """Return ({number of the row: its cells}, faults): rows of as many cells as the header, and
    others as faults. Empty rows are left out.

    size: of the header; first_number: of the first row, as a spreadsheet counts it.
    """
    whole_rows = {}
    faults = []
    for number, row in enumerate(rows, first_number):
        cells = trim_row(row, size)
        if not any(cells):
            continue
        if len(cells) == size:
            whole_rows[number] = cells
        else:
            faults.append((number, tell_size(len(cells), size)))
    return whole_rows, faults


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


def find_faults(table, column, bad, expected, theirs=None):
    """Return the bad cells of a column as faults: (row, the cell and what was expected).

    bad: a mask of the rows; theirs: the column's name in the file, if it is another.
    """
    bad_cells = table[column].iloc[np.flatnonzero(bad)]
    name = theirs or column
    faults = []
    for row, cell in bad_cells.items():
        faults.append((row, f"{name} is {cell!r:.60}; expected {expected}"))
    return faults


def raise_faults(where, faults):
    """Raise DataError with the faults of a file, by row; do nothing if there is none.

    where: the file's name; faults: (number of the row, or 0 for the whole file; what is wrong). One
    fault is told in a sentence, of several the first MOST, a line each.
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
