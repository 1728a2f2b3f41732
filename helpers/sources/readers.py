"""Read a reader's own texts and rubric, with one clear error for bad ones."""

import csv
import io
import stat
from pathlib import Path

import pandas as pd
from goodjudge.data.names import count_words, tidy_name
from goodjudge.rubric import read_rubric

from helpers.sources.files import DataError, refuse, require_columns
from helpers.sources.public import ROOT

TEXTS, LEAST = (".txt", ".md"), 30  # endings; words of a story
SHORT = f"at least {LEAST}: add to the story or remove it; poems go into notebook 04"
HOW = "save it as CSV with commas, in UTF-8 (Excel: 'CSV UTF-8'; LibreOffice: field delimiter ',')"
PLAIN = "save it as plain text (.txt, UTF-8) or leave it out"
DOCUMENTS = dict.fromkeys((".doc", ".docx"), f"a Word file; {PLAIN}")
DOCUMENTS |= {".odt": f"a LibreOffice file; {PLAIN}", ".pdf": f"a PDF file; {PLAIN}"}
DOCUMENTS |= {".rtf": f"an RTF file; {PLAIN}", ".xlsx": f"an Excel file; {HOW}"}


def resolve(path, expected):
    """Return a reader's path (relative: in the project); DataError if nothing is there."""
    try:
        whole_path = check_name(ROOT / Path(path).expanduser())
        exists = whole_path.exists()
    except DataError:  # says what is wrong; it is a ValueError, which the next line would take
        raise
    except (TypeError, RuntimeError, ValueError):  # a number or list, nobody's home, a NUL
        raise DataError(f"{path!r:.60}: expected {expected}") from None
    if not exists:
        about = "(a relative path starts at the project's folder)"
        raise DataError(f"{whole_path}: no such file or folder; expected {expected} {about}")
    if not whole_path.is_dir():
        refuse_special(whole_path)
    return whole_path


def check_name(path):
    """Return a path; DataError if its name is no UTF-8, so that no table or page can show it."""
    shown = str(path).encode("utf8", "surrogateescape").decode("utf8", "replace")
    if shown != str(path):
        raise DataError(f"{shown}: its name is not UTF-8 text (see the mark �); rename it")
    return path


def refuse_special(path):
    """Raise DataError for a pipe, a device or a socket: reading one may never end."""
    if not stat.S_ISREG(path.stat().st_mode):
        what = "is no regular file but a pipe, a device or a socket"
        raise DataError(f"{path}: {what}; copy what it holds into a file")


def load_stories(path):
    """Return a reader's stories: story, group, writer, title, text, words; DataError for bad ones.

    path: a folder of .txt or .md files (title = file name), or one of them; or a CSV (title, text,
    perhaps group, writer).
    """
    expected = "a folder of .txt files or a CSV file"
    path, table = read_texts(path, "*", ("title", "text"), expected)
    table["words"] = table["text"].map(count_words)
    checks = [
        ("title", table["title"].str.strip() == "", "a title"),
        ("words", table["words"] < LEAST, SHORT),
        ("title", repeats(table["title"]), "a title that no earlier story has, capitals aside"),
        ("text", table["text"].duplicated(), "a text that no earlier story has"),
    ]
    refuse(table, path.name, checks)
    table = pd.DataFrame({"group": 0, "writer": "reader"}, table.index).assign(**table)
    table["story"] = table["title"]
    return table[["story", "group", "writer", "title", "text", "words"]]


def read_texts(path, pattern, needed, expected):
    """Return (path, table) of a reader's folder, one file or CSV: `needed` columns and `where`."""
    path = resolve(path, expected)
    is_one_text = path.is_file() and path.suffix.lower() in TEXTS
    if not is_one_text and not path.is_dir():
        return path, read_csv(path, needed)
    files = [path] if is_one_text else find_texts(path, pattern)
    if not files:
        raise DataError(f"{path}: no .txt or .md file; expected {expected}")
    stems = [tidy_name(file.stem) for file in files]
    table = pd.DataFrame({"title": stems, "writer": stems})
    table["group"] = [file.parent.name for file in files]
    table["text"] = [read_text(file) for file in files]
    folder = path.parent if is_one_text else path
    table["where"] = [str(file.relative_to(folder)) for file in files]
    return path, table[[*needed, "where"]]


def repeats(names):
    """Return which names an earlier one already has, whether in capitals or not."""
    return names.str.casefold().duplicated()


def find_texts(folder, pattern):
    """Return a folder's texts by name, then documents to refuse; DataError for a link outside."""
    files = []
    for file in sorted(folder.glob(pattern)):
        is_hidden = file.name.startswith(".")
        is_readme = file.stem.casefold() == "readme"
        if not is_hidden and not is_readme:
            files.append(file)
    texts = [file for file in files if file.suffix.lower() in TEXTS]
    for file in texts:
        shown = check_name(file.relative_to(folder))
        advice = "copy the text itself into it"
        try:
            target = file.resolve()
        except RuntimeError:
            raise DataError(f"{shown}: is a link that leads to itself; {advice}") from None
        if not target.is_relative_to(folder.resolve()):
            raise DataError(f"{shown}: is a link that leads out of the folder; {advice}")
    saved_as_text = [file.with_suffix("") for file in texts]
    documents = [file for file in files if file.suffix.lower() in DOCUMENTS]
    return texts + [file for file in documents if file.with_suffix("") not in saved_as_text]


def read_text(file, limit=1_000_000, how="save it as UTF-8"):
    """Return the text of a UTF-8 file; DataError naming the file and `how` to mend it."""
    file = Path(file)
    name = file.name
    if file.suffix.lower() in DOCUMENTS:
        raise DataError(f"{name}: is {DOCUMENTS[file.suffix.lower()]}")
    try:
        if not file.is_dir():
            refuse_special(file)
        with file.open("rb") as opened:
            content = opened.read(limit + 1)
    except OSError as fault:
        advice = "expected a text file that you may read"
        raise DataError(f"{name}: cannot be read ({fault.strerror}); {advice}") from None
    if len(content) > limit:
        raise DataError(f"{name}: larger than {limit:,} bytes; split it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        what = f"not UTF-8 text (byte {fault.start})"
        raise DataError(f"{name}: {what}; {how}") from None
    if "\0" in text:
        raise DataError(f"{name}: not plain text (it has a NUL character); {how}")
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def read_csv(path, needed, limit=20_000_000):
    """Return a reader's CSV as text, and `where` ("row 2", …: as a spreadsheet counts); DataError,
    with the way to save it, for a bad one."""
    csv.field_size_limit(limit)
    lines = csv.reader(io.StringIO(read_text(path, limit, HOW)), strict=True)
    try:
        header, *rows = list(lines) or [[]]
    except csv.Error as fault:
        place = f"line {lines.line_num}: {fault}"
        raise DataError(f"{path.name}: cannot be read as a CSV ({place}); {HOW}") from None
    header = check_header(header, path.name)
    require_columns(header, path.name, needed)
    cells_by_row = {}
    for number, row in enumerate(rows, 2):
        if any(row):
            where = f"row {number}"
            cells_by_row[where] = check_row(row, len(header), f"{path.name}: {where}")
    if not cells_by_row:
        raise DataError(f"{path.name}: no row below the names of the columns")
    table = pd.DataFrame(cells_by_row.values(), columns=header, dtype=str)
    for name in needed:
        table[name] = table[name].map(str.strip if name == "text" else tidy_name)
    return table.assign(where=list(cells_by_row))


def check_header(cells, source):
    """Return the names of a CSV's columns, each in one spelling, without empty ones at the end;
    DataError for columns that no comma parts, or a name that stands twice. source: the file."""
    for mark, marks in ((";", "semicolons"), ("\t", "tabs")):
        if len(cells) == 1 and mark in cells[0]:
            raise DataError(f"{source}: its columns are separated by {marks}; {HOW}")
    header = [tidy_name(cell) for cell in cells]
    while header and not header[-1]:  # a spreadsheet's empty columns
        header.pop()
    for name in header:
        if header.count(name) > 1:
            raise DataError(f"{source}: column {name!r} stands twice in the header; remove one")
    return header


def check_row(row, size, where):
    """Return a row without empty cells beyond the `size` of the header; DataError if there are more
    or fewer cells than in it. where: the file and the row."""
    beyond = [cell for cell in row[size:] if cell]
    count = min(len(row), size) + len(beyond)
    if count != size:
        compared = "more" if count > size else "fewer"
        fault = f"has {compared} cells ({count}) than the header ({size})"
        advice = "a text with commas stands in quotation marks"
        raise DataError(f"{where} {fault}; {advice}: {HOW}")
    return row[:size]


def load_rubric(path):
    """Return a reader's tests, of YAML like data/rubrics/example.yaml: test (1…), dimension,
    category, question, full_prompt; DataError names a bad entry and its field."""
    path = resolve(path, "one like data/rubrics/example.yaml")
    tests = read_rubric(path)["tests"]
    fields = ["dimension", "name", "question", "background"]
    table = pd.DataFrame(tests).reindex(columns=fields).fillna("")
    table.insert(0, "test", range(1, len(table) + 1))
    return table.rename(columns={"name": "category", "background": "full_prompt"})


def ask_of(tests):
    """Return {test: what the judge is asked} of a rubric: question and background."""
    wording = (tests["question"] + " " + tests["full_prompt"]).str.strip()
    return dict(zip(tests["test"], wording))
