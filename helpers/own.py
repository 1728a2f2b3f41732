"""Load a reader's own stories (folder or CSV) and own rubric (a YAML file of tests), with one clear error for bad files."""

from pathlib import Path

import pandas as pd
import yaml

from helpers.data import DataError


def load_stories(path, minimum=30):
    """Return a reader's stories: story, group, writer, title, text, words.

    path: a folder of .txt or .md files (title = file name) or a CSV with the columns title, text and perhaps group, writer.
    Raises DataError naming file or row: nothing there, unreadable text, an empty or very short text (under `minimum` words),
    a title or a text twice.
    """
    path = Path(path)
    if path.is_dir():
        table = pd.DataFrame([(file.stem, read_text(file), file.name) for file in sorted(path.iterdir())
                              if file.suffix.lower() in (".txt", ".md")], columns=["title", "text", "where"])
        if table.empty:
            raise DataError(f"{path}: no .txt or .md file in this folder; expected one file a story")
    elif path.is_file():
        table = read_csv(path)
    else:
        raise DataError(f"{path}: neither a folder of .txt files nor a CSV file; check the path (it is relative to notebooks/)")
    words = table["text"].str.split().str.len()
    checks = [(table["title"].str.strip() == "", "has no title"), (words < minimum, f"has fewer than {minimum} words"),
              (table["title"].duplicated(), "has a title that another one has too"),
              (table["text"].duplicated(), "has the same text as another one")]
    for bad, what in checks:
        if bad.any():
            raise DataError(f"{path.name}: the story in {table.loc[bad.idxmax(), 'where']} {what}; mend or remove it")
    return pd.DataFrame({"story": table["title"], "group": table.get("group", pd.Series(0, table.index)),
                         "writer": table.get("writer", pd.Series("reader", table.index)), "title": table["title"],
                         "text": table["text"], "words": words})


def read_text(file):
    """Return the text of a UTF-8 file; raise DataError naming the file if it is not UTF-8."""
    try:
        return Path(file).read_text(encoding="utf-8-sig").strip()
    except UnicodeDecodeError as fault:
        raise DataError(f"{Path(file).name}: not UTF-8 text (byte {fault.start}); save it as UTF-8") from None


def read_csv(path):
    """Return a CSV of stories with a column `where`; raise DataError for missing columns."""
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except (UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as fault:
        raise DataError(f"{path.name}: cannot be read as a UTF-8 CSV ({fault})") from None
    missing = {"title", "text"} - set(table.columns)
    if missing:
        raise DataError(f"{path.name}: column {sorted(missing)[0]!r} is missing; expected title, text and perhaps group, writer")
    return table.assign(where=[f"row {number + 2}" for number in range(len(table))])


def load_rubric(path):
    """Return a reader's tests: test (1…), dimension, category, question, full_prompt.

    path: a YAML file with a list under `tests`, each with `name`, `question` and perhaps `dimension` and `background`.
    Raises DataError naming the entry for a missing or empty field, an unknown field or a name twice.
    """
    path = Path(path)
    try:
        content = yaml.safe_load(read_text(path))
    except (OSError, yaml.YAMLError) as fault:
        raise DataError(f"{path.name}: cannot be read as YAML ({type(fault).__name__}: {str(fault).splitlines()[0]})") from None
    tests = content.get("tests") if isinstance(content, dict) else None
    if not isinstance(tests, list) or not tests:
        raise DataError(f"{path.name}: expected a list under 'tests', each entry with name and question")
    known, rows = {"name", "question", "dimension", "background"}, []
    for number, test in enumerate(tests, 1):
        wrong = [field for field in ("name", "question") if not str((test or {}).get(field) or "").strip()]
        unknown = sorted(set(test or {}) - known)
        if wrong or unknown:
            problem = f"{wrong[0]!r} is missing or empty" if wrong else f"unknown field {unknown[0]!r}"
            raise DataError(f"{path.name}, test {number}: {problem}; the fields are {', '.join(sorted(known))}")
        rows.append((number, test.get("dimension", ""), test["name"], test["question"], test.get("background", "")))
    table = pd.DataFrame(rows, columns=["test", "dimension", "category", "question", "full_prompt"])
    if table["category"].duplicated().any():
        raise DataError(f"{path.name}: two tests are named {table.loc[table['category'].duplicated(), 'category'].iloc[0]!r}")
    return table
