"""Read a reader's own texts, as `goodjudge` reads folders and tables."""

from pathlib import Path

import pandas as pd
from goodjudge.data.names import count_words, tidy_name
from goodjudge.data.tables import lay_out, load
from goodjudge.data.texts import ENDINGS, list_files, read_text

from helpers.sources.files import DataError, refuse, require_columns
from helpers.sources.public import ROOT

LEAST = 30  # words of a story
SHORT = f"at least {LEAST}: add to the story or remove it; poems go into notebook 04"


def resolve(path, expected):
    """Return a reader's path (relative: in the project); DataError if nothing is there."""
    try:
        whole_path = ROOT / Path(path).expanduser()
        exists = whole_path.exists()
    except (TypeError, RuntimeError, ValueError):  # a number or list, nobody's home, a NUL
        raise DataError(f"{path!r:.60}: expected {expected}") from None
    if not exists:
        about = "(a relative path starts at the project's folder)"
        raise DataError(f"{whole_path}: no such file or folder; expected {expected} {about}")
    return whole_path


def load_stories(path):
    """Return a reader's stories: story, group, writer, title, text, words; DataError for bad ones.

    path: a folder of .txt or .md files (title = file name), or one of them; or a CSV (title, text,
    perhaps group, writer).
    """
    expected = "a folder of .txt files or a CSV file"
    path, table = read_texts(path, "*", ("title", "text"), expected)
    table["words"] = table["text"].map(count_words)
    is_taken = table["title"].str.casefold().duplicated()
    checks = [
        ("title", table["title"].str.strip() == "", "a title"),
        ("words", table["words"] < LEAST, SHORT),
        ("title", is_taken, "a title that no earlier story has, capitals aside"),
        ("text", table["text"].duplicated(), "a text that no earlier story has"),
    ]
    refuse(table, path.name, checks)
    table = pd.DataFrame({"group": 0, "writer": "reader"}, table.index).assign(**table)
    table["story"] = table["title"]
    return table[["story", "group", "writer", "title", "text", "words"]]


def read_texts(path, pattern, needed, expected):
    """Return (path, table) of a reader's folder, one file or CSV: `needed` columns and `where`."""
    path = resolve(path, expected)
    is_one_text = path.is_file() and path.suffix.lower() in ENDINGS
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


def find_texts(folder, pattern):
    """Return the texts of a folder ("*") or of its subfolders ("*/*") by name; DataError for a link
    that leads outside and for a document that is no plain text."""
    inside = sorted(one for one in folder.iterdir() if one.is_dir() and one.name[0] != ".")
    folders = [folder] if pattern == "*" else inside
    return [file for one in folders for file in list_files(one)]


def read_csv(path, needed):
    """Return a reader's CSV as text, and `where` ("row 2", …: as a spreadsheet counts); DataError
    for a bad one, and for one of which `goodjudge` would leave something out."""
    cells, notes, _ = lay_out(load(path))
    if notes:
        advice = "expected a row with the columns' names, then a row per text, parted by commas"
        raise DataError(f"{path.name}: {notes[0].rstrip('.')}; {advice}")
    require_columns(cells, path.name, needed)
    table = cells.assign(where=[f"row {number}" for number in cells.index])
    for name in needed:
        table[name] = table[name].map(str.strip if name == "text" else tidy_name)
    return table.reset_index(drop=True)
