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
from goodjudge.data.numbers import NO_SCORE, parse_cell
from goodjudge.errors import Answer, DataError

LIMIT = 300_000_000  # bytes
MARKS = ",;\t|"
SEPARATOR = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # Excel's first line
AS_CSV = "save it as CSV (Excel: 'CSV UTF-8'; LibreOffice: Text CSV, UTF-8; R: write.csv)"
BINARY = {  # how a file that is no text begins, what it is
    b"PK\x03\x04": "an Excel or LibreOffice file, or another zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file",
    b"$FL2": "an SPSS file",
    b"$FL3": "an SPSS file",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF file",
    b"\x1f\x8b": "a gzip archive",
    b"<stata_dta>": "a Stata file",
    b"SQLite format 3": "an SQLite database",
    b"RDX": "an R data file",
}
WINDOWS, MAC = "cp1252", "mac_roman"


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
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise DataError(f"{where}: is no file; expected a CSV file or JSON")
        with path.open("rb") as opened:
            content = opened.read(LIMIT + 1)
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as fault:
        why = getattr(fault, "strerror", None) or fault
        raise DataError(f"{where}: cannot be read ({why})") from None
    if len(content) > LIMIT:
        raise DataError(f"{where}: larger than {LIMIT:,} bytes; split it")
    text, notes = decode(content, where, encoding)
    if not text.strip():
        raise DataError(f"{where}: is empty")
    if text.lstrip()[0] in "[{":
        records = read_json(text, where)
        if records is not None:
            return Source(where, None, records, notes)
    rows, more = split_rows(text, where)
    if not rows:
        raise DataError(f"{where}: holds no row but remarks")
    return Source(where, rows, None, notes + more)


def decode(content: bytes, where: str, encoding: str | None) -> tuple[str, list[str]]:
    """Return (text, notes) of a file's bytes; DataError for what is no text, or in an encoding that
    nothing marks."""
    for start, what in BINARY.items():
        if content.startswith(start):
            raise DataError(f"{where}: is {what}; {AS_CSV}")
    notes, known = [], encoding
    if known is None:
        known = find_encoding(content)
        if known not in (None, "utf-8-sig"):
            notes.append(f"The file is in {known.upper()[:6]}, as Windows writes 'Unicode text'.")
    try:
        text = content.decode(known or "utf-8-sig")
    except LookupError:
        raise DataError(f"encoding={encoding!r} is none; say 'utf-8' or 'cp1252'") from None
    except UnicodeDecodeError as fault:
        if known is not None:
            raise DataError(f"{where}: is not in {known} (byte {fault.start:,})") from None
        raise DataError(*ask_encoding(content, where, fault.start)) from None
    if "\0" in text:
        raise DataError(f"{where}: is no plain text (it holds a NUL character); {AS_CSV}")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), notes


def find_encoding(content: bytes) -> str | None:
    """Return the encoding that a file's mark names, or its zeros: UTF-16 and UTF-32; else None."""
    marks = {"utf-32": (b"\xff\xfe\0\0", b"\0\0\xfe\xff"), "utf-16": (b"\xff\xfe", b"\xfe\xff")}
    for name, starts in marks.items():
        if content.startswith(starts):
            return name
    start = content[:2000]
    if start[1::2].count(0) > 0.4 * len(start) / 2:
        return "utf-16-le"
    if start[0::2].count(0) > 0.4 * len(start) / 2:
        return "utf-16-be"
    return None


def ask_encoding(content: bytes, where: str, place: int) -> tuple[str, list[Answer]]:
    """Return (what is wrong, answers) of a file that is not UTF-8 and has no mark."""
    row = content.count(b"\n", 0, place) + 1
    message = f"{where}, row {row}: is not UTF-8 text (byte {place:,}); {AS_CSV}"
    answers = []
    for name in (WINDOWS, MAC):
        line = content.splitlines()[min(row, len(content.splitlines())) - 1]
        word = re.findall(rb"[^\s,;\t]*[\x80-\xff][^\s,;\t]*", line)
        shown = word[0].decode(name, "replace") if word else ""
        answers.append(Answer(f"if that row holds {shown!r}", {"encoding": name}))
    return message, answers


def read_json(text: str, where: str) -> list | None:
    """Return the objects of JSON: an array of them, an object that holds one, or one object per
    line; None where it is no JSON at all. Raises DataError for lines that are none."""
    try:
        content = json.loads(text)
    except RecursionError:
        raise DataError(f"{where}: its JSON is nested too deeply") from None
    except ValueError as fault:
        return read_json_lines(text, where, fault)
    if isinstance(content, dict):
        for name in ("results", "data", "rows", "items", "samples", "test_results"):
            inside = content.get(name)
            if isinstance(inside, list) and inside and isinstance(inside[0], dict):
                return [content] if is_tool(content) else inside
        return [content]
    is_object = [isinstance(record, dict) for record in content]
    if not content or not all(is_object):
        odd = [number for number, fine in enumerate(is_object, 1) if not fine]
        what = f"entries {list_some(odd)} are no objects" if odd else "is an empty array"
        raise DataError(f'{where}: {what}; expected [{{"item": "a", "score": 4}}, …]')
    return content


def is_tool(content: dict) -> bool:
    """Return whether an object is a tool's whole report, which its importer takes apart."""
    return bool({"eval", "evalId", "config", "hyperparameters", "testCases"} & set(content))


def read_json_lines(text: str, where: str, fault: ValueError) -> list | None:
    """Return the object of each line; None where the first line is none."""
    records, odd = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            if isinstance(record, dict):
                records.append(record)
            else:
                odd.append(number)
    if odd and not records:
        if text.lstrip()[0] == "[" or text.count("\n") < 2:
            raise DataError(f"{where}: is no whole JSON ({fault})") from None
        return None
    if odd:
        expected = 'an object in one line, such as {"item": "a", "score": 4}'
        raise DataError(f"{where}, {list_rows(odd)}: no JSON object; expected {expected}")
    return records


def split_rows(text: str, where: str) -> tuple[list, list[str]]:
    """Return ([(number, cells)], notes) of a CSV text, without empty rows, remarks and Excel's
    first line; the first of them is the header."""
    lines = text.split("\n")
    notes, mark, above = [], None, 0
    while above < len(lines):
        line = lines[above]
        separator = SEPARATOR.fullmatch(line)
        if separator:
            mark = separator[1]
        elif line.strip() and not (line.startswith("#") and is_remark(lines[above:], mark)):
            break
        above += 1
    body = "\n".join(lines[above:])
    mark = mark or guess_mark(body)
    csv.field_size_limit(LIMIT)
    rows, number = [], above
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
    if rows and rows[0][1][0].startswith("#") and len(rows[0][1]) > 1:
        first = rows[0][1][0].lstrip("#").strip() or "#"
        rows[0] = (rows[0][0], [first, *rows[0][1][1:]])
        notes.append(f"Row {rows[0][0]} begins with # and is the header.")
    if mark in ";|\t ":
        name = {";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}[mark]
        notes.append(f"Cells are parted by {name}.")
    return rows, notes


def is_remark(lines: list[str], mark: str | None) -> bool:
    """Return whether the first of some lines, which begins with #, is a remark and no header: it is
    a header if it has as many cells as the next line, and numbers stand only in the next."""
    below = [line for line in lines[1:] if line.strip()][:1]
    if not below or below[0].startswith("#"):
        return True
    for sign in [mark] if mark else MARKS:
        first, second = (list(split_line(line, sign)) for line in (lines[0], below[0]))
        if len(first) == len(second) > 1:
            has_number = [any(is_plain_number(cell) for cell in row) for row in (first, second)]
            return has_number != [False, True]
    return True


def split_line(line: str, mark: str) -> list[str]:
    """Return the cells of one line, [] where it cannot be taken apart."""
    try:
        return next(csv.reader([line], delimiter=mark), [])
    except csv.Error:
        return []


def guess_mark(text: str) -> str:
    """Return the mark under which the first rows have equally many cells, and most."""
    sample = text[:200_000]
    best = (0.0, 0, ",")
    for mark in [*MARKS, " "]:  # R's write.table parts by blanks
        if mark == " " and best[1]:
            break
        try:
            sizes = [len(row) for row in zip_rows(sample, mark) if any(map(str.strip, row))][:60]
        except csv.Error:
            continue
        if not sizes:
            continue
        size, count = Counter(sizes[1:] or sizes).most_common(1)[0]
        if size > 1 and (mark != " " or count > 0.9 * len(sizes[1:])):
            best = max(best, (round(count / len(sizes[1:] or sizes), 1), size, mark))
    return best[2]


def zip_rows(sample: str, mark: str) -> list[list[str]]:
    """Return the first rows of a text; a last one that the sample cuts is left out."""
    rows = []
    for row in csv.reader(io.StringIO(sample), delimiter=mark):
        rows.append(row)
        if len(rows) > 61:
            return rows
    return rows


def is_plain_number(cell: str) -> bool:
    """Return whether a cell is a number, without words."""
    return parse_cell(cell.strip())[0] == "number"


def lay_out(source: Source) -> Table:
    """Return the `Table` of a file whose tool is not known. Raises DataError for a header that
    names two columns alike, or rows that do not fit below it."""
    if source.records is not None:
        return flatten(source)
    rows, notes = skip_titles(source.rows, source.notes)
    (top, header), rows = rows[0], rows[1:]
    header = [tidy_name(cell) for cell in header]
    while header and not header[-1]:
        header.pop()
    rows, header, more = mend_sizes(source.where, rows, header)
    notes = notes + more
    filled = [any(cells[place] for _, cells in rows) for place in range(len(header))]
    labels = {}
    second = find_second_header(rows, header, filled)
    if second:
        number, under = rows[0]
        rows = rows[1:]
        labels = dict(enumerate(under))
        notes.append(f"Row {number} belongs to the header: it names columns and is no answer.")
        header = name_unnamed(header, under)
    last = max(range(len(header)), key=lambda place: len(header[place]))
    same = [(number, cells) for number, cells in rows if tidy_name(cells[last]) == header[last]]
    again = [number for number, cells in same if list(map(tidy_name, cells)) == header]
    if again:
        rows = [(number, cells) for number, cells in rows if number not in set(again)]
        notes.append(f"The header stands again in {list_rows(again)}, which was left out.")
    kept, names = [], []
    for place, name in enumerate(header):
        if name or filled[place]:
            kept.append(place)
            names.append(name or f"column {place + 1}")
    unnamed = [name for name, place in zip(names, kept) if not header[place]]
    if unnamed:
        notes.append(f"Columns without a name hold values: {list_some(unnamed)}.")
    refuse_doubles(source.where, top, names)
    cells = pd.DataFrame(
        [
            cells if len(kept) == len(cells) else [cells[place] for place in kept]
            for _, cells in rows
        ],
        index=[number for number, _ in rows],
        columns=names,
        dtype=object,
    )
    labels = {name: labels[place] for name, place in zip(names, kept) if labels.get(place)}
    return Table(drop_row_numbers(cells, notes), notes, labels)


def skip_titles(rows: list, notes: list[str]) -> tuple[list, list[str]]:
    """Return (rows, notes) without titles above the header: rows with one or two cells above rows
    that have at least two more."""
    usual = Counter(len(cells) for _, cells in rows[1:]).most_common(1)
    usual = usual[0][0] if usual else 0
    start = 0
    while start < len(rows) - 1:
        filled = sum(bool(cell) for cell in rows[start][1])
        if filled > 2 or usual < filled + 2 or rows[start][1][0] == "":
            break
        if len(rows) <= start + 2:
            break
        start += 1
    if start:
        skipped = list_rows(number for number, _ in rows[:start])
        notes = [*notes, f"A title above the header was left out: {skipped}."]
    return rows[start:], notes


def mend_sizes(where: str, rows: list, header: list[str]) -> tuple[list, list[str], list[str]]:
    """Return (rows, header, notes) with as many cells in each row as in the header, R's row names
    left out; DataError with all other rows in one line."""
    size, notes = len(header), []
    trimmed = rows
    if any(len(cells) > size for _, cells in rows):
        trimmed = [(number, trim(cells, size)) for number, cells in rows]
    if not trimmed:
        raise DataError(f"{where}: has a header ({list_some(header)}) and no row below it")
    if len(trimmed) > 1 and all(len(cells) == size + 1 for _, cells in trimmed):
        names = [cells[0] for _, cells in trimmed]
        if len(set(names)) == len(names) and header[0]:
            notes.append("The first column has no name in the header (R's row names): not read.")
            return [(number, cells[1:]) for number, cells in trimmed], header, notes
    for more, advice in (
        (True, "a text or a number with the separator in it stands in quotation marks"),
        (False, "complete them or take them out"),
    ):
        odd = [n for n, cells in trimmed if (len(cells) > size if more else len(cells) < size)]
        if odd:
            sizes = sorted({len(cells) for number, cells in trimmed if number in set(odd)})
            compared = "more" if more else "fewer"
            raise DataError(
                f"{where}, {list_rows(odd)}: {compared} cells than the header "
                f"({list_some(sizes)}, not {size}); {advice}"
            )
    return trimmed, header, notes


def trim(cells: list[str], size: int) -> list[str]:
    """Return a row's cells without empty ones beyond `size`."""
    while len(cells) > size and not cells[-1]:
        cells = cells[:-1]
    return cells


def find_second_header(rows: list, header: list[str], filled: list[bool]) -> bool:
    """Return whether the first row below the header belongs to it: it has words above columns of
    numbers, or names filled columns that the header leaves unnamed."""
    if len(rows) < 2:
        return False
    first, below = rows[0][1], [cells for _, cells in rows[1:]]
    unnamed = [place for place, name in enumerate(header) if not name and filled[place]]
    if len(unnamed) > 1 and all(first[place] for place in unnamed):
        return not any(is_plain_number(first[place]) for place in unnamed)
    worded = numeric = 0
    for place in range(len(header)):
        values = [cells[place] for cells in below if cells[place]][:50]
        values = [value for value in values if value.casefold() not in NO_SCORE]
        if values and all(is_plain_number(value) for value in values):
            numeric += 1
            cell = first[place]
            if parse_cell(cell)[0] != "word" or not cell:
                return False
            worded += len(cell) > 2 and cell.casefold() not in NO_SCORE
    return numeric > 1 and worded > 0.8 * numeric


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


def refuse_doubles(where: str, row: int, names: list[str]) -> None:
    """Raise DataError for names that stand twice in a header."""
    doubles = [name for name, count in Counter(names).items() if count > 1]
    if doubles:
        raise DataError(
            f"{where}, row {row}: two columns are called {list_some(map(repr, doubles))}; "
            "rename or remove one of each"
        )


def drop_row_numbers(cells: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """Return the cells without a first column that has no name and counts the rows."""
    if len(cells.columns) > 1 and cells.columns[0] == "column 1" and len(cells) > 1:
        numbers = [int(cell) if cell.isdigit() else -1 for cell in cells.iloc[:, 0]]
        if numbers[0] in (0, 1) and numbers == [*range(numbers[0], numbers[0] + len(numbers))]:
            notes.append("The first column has no name and counts the rows: not read.")
            return cells.iloc[:, 1:]
    return cells


def flatten(source: Source) -> Table:
    """Return the `Table` of JSON objects: nested ones as "outer.inner", lists of values in one
    cell, a name that an object lacks as an empty cell."""
    cells = make_cells(source.records)
    return Table(cells, [*source.notes], {})


def make_cells(records: list[dict]) -> pd.DataFrame:
    """Return a table of texts of objects, a row per object, counted from 1.

    >>> make_cells([{"item": "a", "result": {"score": 4}}]).iloc[0].to_dict()
    {'item': 'a', 'result.score': '4'}
    """
    rows = [dict(list_fields(record)) for record in records]
    cells = pd.DataFrame(rows, index=range(1, len(rows) + 1), dtype=object)
    return cells.where(cells.notna(), "")


def list_fields(record: dict, before: str = "", depth: int = 0):
    """Return (name, cell as text) of each field of an object, one by one."""
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
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
