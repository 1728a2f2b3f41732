"""From a file to a table of texts: encodings, separators, headers, JSON.

Such a file may part its cells by semicolons or tabs, begin with a line of Excel's, a title or
remarks, hold R's row names or two rows of headers, and end with empty rows and columns:

    sep=;
    # exported in November
    text; rater; score
    a;    Ann;   4

`load` opens a file and says what it found on the way (`Source.notes`); `lay_out` makes a `Table` of
it, whose index is each row's number as a spreadsheet counts it (here 4).
"""

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from goodjudge.data.names import list_rows, list_some, tidy_name
from goodjudge.data.numbers import FAILED, NO_SCORE, parse_cell
from goodjudge.errors import Answer, DataError

LIMIT = 300_000_000  # bytes
SEPARATOR = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # Excel's first line
MARKS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # how such a file begins
AS_CSV = "save it as CSV (Excel: 'CSV UTF-8'; LibreOffice: Text CSV, UTF-8; R: write.csv)"
BINARY = {  # how a file that is no text begins, what it is
    b"PK\x03\x04": "an Excel or LibreOffice file, or another zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file",
    b"$FL2": "an SPSS file",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF file",
}


class Source(NamedTuple):
    """A file as it was opened.

    where: its name; rows: [(number of the row, its cells)], None for JSON; records: a list of
    objects, None for a CSV; notes: sentences about what was found on the way.
    """

    where: str
    rows: list | None
    records: list | None
    notes: list[str]


class Table(NamedTuple):
    """A file as a table of texts.

    cells: the index is each row's number in the file; notes: sentences; labels: {a column: what
    another row of the header, or a tool, calls it}.
    """

    cells: pd.DataFrame
    notes: list[str]
    labels: dict[str, str]


def load(path: str | Path, encoding: str | None = None) -> Source:
    """Return the `Source` of a CSV file (commas, semicolons, tabs), JSON or JSON lines.

    encoding: as Python calls it, where it is neither UTF-8 nor marked. Raises DataError for what
    cannot be opened, is no text, or cannot be taken apart; the first cause is named.
    """
    path = Path(path).expanduser()
    where = path.name
    if path.exists() and not path.is_file():
        raise DataError(f"{where}: cannot be read (it is no file); expected a CSV file or JSON")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as fault:
        raise DataError(f"{where}: cannot be read ({fault})") from None
    if len(content) > LIMIT:
        raise DataError(f"{where}: larger than {LIMIT:,} bytes; split it")
    text = decode(content, where, encoding)
    if not text.strip():
        raise DataError(f"{where}: is empty")
    if text.lstrip()[0] in "[{":
        return Source(where, None, read_json(text, where), [])
    return Source(where, *split_rows(text, where))


def decode(content: bytes, where: str, encoding: str | None) -> str:
    """Return a file's text; DataError for what is none, or in an encoding that nothing marks."""
    for start, what in BINARY.items():
        if content.startswith(start):
            raise DataError(f"{where}: is {what}; {AS_CSV}")
    marked = "utf-16" if content.startswith(UTF_16) else "utf-8-sig"
    try:
        text = content.decode(encoding or marked)
    except LookupError:
        raise DataError(f"encoding={encoding!r} is none; say 'utf-8' or 'cp1252'") from None
    except UnicodeDecodeError as fault:
        row = content.count(b"\n", 0, fault.start) + 1
        message = f"{where}, row {row}: is not {encoding or 'UTF-8'} text; {AS_CSV}"
        answers = [Answer("if Windows wrote it", {"encoding": "cp1252"})]
        raise DataError(message, [] if encoding else answers) from None
    if "\0" in text:
        raise DataError(f"{where}: is no plain text (it holds a NUL character); {AS_CSV}")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read_json(text: str, where: str) -> list:
    """Return the objects of JSON: an array of them, an object that holds one, or one object per
    line. Raises DataError for lines that are none."""
    try:
        content = json.loads(text)
    except RecursionError:
        raise DataError(f"{where}: its JSON is nested too deeply") from None
    except ValueError as fault:
        return read_json_lines(text, where, fault)
    if isinstance(content, dict):
        if len(content) > 1 and all(isinstance(inner, dict) for inner in content.values()):
            raise DataError(
                f"{where}: is an object of objects ({list_some(list(content))}), and what stands "
                "inside may be raters or criteria; expected a list that names them: "
                '[{"item": "a", "rater": "r1", "aspect": "style", "score": 4}, …]'
            )
        return open_report(content)
    odd = [number for number, record in enumerate(content, 1) if not isinstance(record, dict)]
    if odd or not content:
        what = f"entries {list_some(odd)} are no objects" if odd else "is an empty array"
        raise DataError(f'{where}: {what}; expected [{{"item": "a", "score": 4}}, …]')
    return content


def open_report(content: dict) -> list:
    """Return the list of objects inside an object, or the object alone where it is a tool's whole
    report, which its importer takes apart."""
    if {"eval", "evalId", "config", "hyperparameters", "testCases"} & set(content):
        return [content]
    for name in ("results", "data", "rows", "items", "samples", "test_results"):
        inside = content.get(name)
        if isinstance(inside, list) and inside and isinstance(inside[0], dict):
            return inside
    return [content]


def read_json_lines(text: str, where: str, fault: ValueError) -> list:
    """Return the object of each line; fault: why the whole is no JSON."""
    records, odd = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict):
            records.append(record)
        else:
            odd.append(number)
    if not records:
        raise DataError(f"{where}: is no whole JSON ({fault})") from None
    if odd:
        expected = 'an object in one line, such as {"item": "a", "score": 4}'
        raise DataError(f"{where}, {list_rows(odd)}: no JSON object; expected {expected}")
    return records


def split_rows(text: str, where: str) -> tuple[list, None, list[str]]:
    """Return ([(number, cells)], no records, notes) of a CSV text, without empty rows, remarks,
    a title and Excel's first line; the first row is the header."""
    first, _, rest = text.partition("\n")
    separator = SEPARATOR.fullmatch(first)
    mark = separator[1] if separator else guess_mark(text)
    body = rest if separator else text
    number = 1 if separator else 0
    csv.field_size_limit(LIMIT)
    rows = []
    try:
        for cells in csv.reader(io.StringIO(body), delimiter=mark, strict=True):
            number += 1  # as a spreadsheet counts
            cells = [cell.strip() for cell in cells]
            if any(cells):
                rows.append((number, cells))
    except csv.Error:
        raise DataError(
            f"{where}, row {number + 1}: a quotation mark stands alone, or opens and does not "
            "close; a text with a quotation mark or a separator in it stands between quotation "
            "marks, and its own are doubled"
        ) from None
    notes = [] if mark == "," else [f"Cells are parted by {MARKS.get(mark, repr(mark))}."]
    rows = skip_remarks(rows, notes)
    if not rows:
        raise DataError(f"{where}: holds no row but remarks")
    return rows, None, notes


def guess_mark(text: str) -> str:
    """Return the mark that stands most often, and equally often, in the first lines."""
    lines = [line for line in text[:200_000].split("\n") if line.strip()][:60]
    best = (0, 0, ",")
    for mark in MARKS:
        sizes = Counter(line.count(mark) for line in lines if mark in line)
        if sizes:
            size, count = sizes.most_common(1)[0]
            best = max(best, (round(count / len(lines), 1), size, mark))
    return best[2]


def skip_remarks(rows: list, notes: list[str]) -> list:
    """Return rows from the header on, without remarks that begin with # and a title alone in its
    row; a header may begin with #, too: then numbers stand below it."""
    while len(rows) > 1:
        (number, cells), below = rows[0], rows[1][1]
        is_title = sum(map(bool, cells)) == 1 and sum(map(bool, below)) > 2 and cells[0]
        if not cells[0].startswith("#") and not is_title:
            break
        if len(cells) == len(below) > 1 and any(map(is_plain_number, below)):
            first = cells[0].lstrip("#").strip() or "#"
            notes.append(f"Row {number} begins with # and is the header.")
            return [(number, [first, *cells[1:]]), *rows[1:]]
        if is_title and not cells[0].startswith("#"):
            notes.append(f"A title above the header was left out: row {number}.")
        rows = rows[1:]
    return rows


def is_plain_number(cell: str) -> bool:
    """Return whether a cell is a number, without words."""
    return parse_cell(cell.strip())[0] == "number"


def lay_out(source: Source) -> Table:
    """Return the `Table` of a file whose tool is not known. Raises DataError for a header that
    names two columns alike, or rows that do not fit below it."""
    if source.records is not None:
        return flatten(source)
    (top, header), rows = source.rows[0], source.rows[1:]
    notes = [*source.notes]
    header = [tidy_name(cell) for cell in header]
    while not header[-1] and not any(len(header) == len(cells) and cells[-1] for _, cells in rows):
        header.pop()
    rows = mend_sizes(source.where, rows, header, notes)
    filled = [any(cells[place] for _, cells in rows) for place in range(len(header))]
    labels = {}
    if has_second_header(rows, header, filled):
        number, under = rows[0]
        rows = rows[1:]
        labels = dict(enumerate(under))
        notes.append(f"Row {number} belongs to the header: it names columns and is no answer.")
        header = name_unnamed(header, under)
    places = [place for place, name in enumerate(header) if name or filled[place]]
    names = [header[place] or f"column {place + 1}" for place in places]
    unnamed = [name for name, place in zip(names, places) if not header[place]]
    if unnamed:
        notes.append(f"Columns without a name hold values: {list_some(unnamed)}.")
    doubles = [repr(name) for name, count in Counter(names).items() if count > 1]
    if doubles:
        raise DataError(
            f"{source.where}, row {top}: two columns are called {list_some(doubles)}; rename or "
            "remove one of each"
        )
    cells = pd.DataFrame([cells for _, cells in rows], dtype=object)[places]
    cells.columns = names
    cells.index = [number for number, _ in rows]
    labels = {name: labels[place] for name, place in zip(names, places) if labels.get(place)}
    return Table(cells, notes, labels)


def mend_sizes(where: str, rows: list, header: list[str], notes: list[str]) -> list:
    """Return rows with as many cells as the header has, R's row names left out; DataError with all
    other rows in one line."""
    size = len(header)
    if not rows:
        raise DataError(f"{where}: has a header ({list_some(header)}) and no row below it")
    rows = [(number, trim(cells, size)) for number, cells in rows]
    sizes = {len(cells) for _, cells in rows}
    if sizes == {size + 1} and len({cells[0] for _, cells in rows}) == len(rows):
        notes.append("The first column has no name in the header (R's row names): not read.")
        return [(number, cells[1:]) for number, cells in rows]
    odd = [number for number, cells in rows if len(cells) != size]
    if odd:
        compared = "more" if max(sizes) > size else "fewer"
        raise DataError(
            f"{where}, {list_rows(odd)}: {compared} cells than the header, which has {size}; a "
            "text with the separator in it stands in quotation marks, and no cell is left away"
        )
    return rows


def trim(cells: list[str], size: int) -> list[str]:
    """Return a row's cells without empty ones beyond `size`."""
    while len(cells) > size and not cells[-1]:
        cells = cells[:-1]
    return cells


def has_second_header(rows: list, header: list[str], filled: list[bool]) -> bool:
    """Return whether the first row below the header belongs to it: it names filled columns that the
    header leaves unnamed, or has words above columns of numbers."""
    first, below = rows[0][1], [cells for _, cells in rows[1:51]]
    unnamed = [place for place, name in enumerate(header) if not name and filled[place]]
    above = [first[place] for place in unnamed]
    if len(unnamed) < 2 or not all(above):
        columns = [[c for c in column if c.casefold() not in NO_SCORE] for column in zip(*below)]
        above = [
            first[place]
            for place, column in enumerate(columns)
            if column and all(map(is_plain_number, column))
        ]
    worded = [cell for cell in above if is_word(cell)]
    is_answer = any(map(is_plain_number, above)) or all(map(FAILED.search, worded))
    return len(above) > 1 and len(worded) > 0.8 * len(above) and not is_answer


def is_word(cell: str) -> bool:
    """Return whether a cell is a word, no number and no sign for no answer."""
    return parse_cell(cell)[0] == "word" and cell.casefold() not in NO_SCORE


def name_unnamed(header: list[str], under: list[str]) -> list[str]:
    """Return the header with the names of its second row where it has none or the first of a
    question's columns, as in a matrix; under: the second row."""
    named, question = [], ""
    for place, name in enumerate(header):
        question = name or question
        starts_matrix = name and place + 1 < len(header) and not header[place + 1]
        if (not name or starts_matrix) and under[place]:
            name = f"{question} - {under[place]}" if question else under[place]
        named.append(tidy_name(name))
    return named


def flatten(source: Source) -> Table:
    """Return the `Table` of JSON objects: nested ones as "outer.inner", lists of values in one
    cell, a name that an object lacks as an empty cell; a row counts from 1."""
    rows = [dict(list_fields(record)) for record in source.records]
    cells = pd.DataFrame(rows, index=range(1, len(rows) + 1), dtype=object)
    return Table(cells.where(cells.notna(), ""), [*source.notes], {})


def list_fields(record: dict, before: str = "", depth: int = 0):
    """Return (name, cell as text) of each field of an object, one by one.

    >>> dict(list_fields({"item": "a", "result": {"score": 4}}))
    {'item': 'a', 'result.score': '4'}
    """
    for name, value in record.items():
        name = before + tidy_name(str(name))
        if isinstance(value, dict) and value and depth < 20:
            yield from list_fields(value, f"{name}.", depth + 1)
        else:
            yield name, as_text(value)


def as_text(value) -> str:
    """Return a value of JSON as the text of a cell."""
    if value is None or value == [] or value == {}:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list) and not any(isinstance(part, (dict, list)) for part in value):
        return ", ".join(as_text(part) for part in value)
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    text = str(value).replace("\0", "").strip()  # half a surrogate, NUL: allowed in JSON alone
    return text.encode("utf-8", "replace").decode("utf-8")
