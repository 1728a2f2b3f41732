"""A reader's texts, and what is known of each without reading it: writer, group, words."""

import hashlib
import stat
from pathlib import Path

import numpy as np
import pandas as pd

from goodjudge.data.columns import find_columns, name_columns
from goodjudge.data.names import count_words, list_some, make_key, match_names, tidy_name
from goodjudge.data.ratings import Ratings
from goodjudge.data.tables import lay_out, load
from goodjudge.errors import DataError

FACTS = ["group", "writer", "words"]
LARGEST = 1_000_000  # bytes of a text, of a rubric
ENDINGS = (".txt", ".md")
DOCUMENTS = (".doc", ".docx", ".odt", ".rtf", ".pdf", ".pages")
MOST_UNKNOWN = 0.2  # share of the rated texts of which nothing may be known


def add_texts(data: Ratings, path: str | Path, *, columns: dict | None = None) -> Ratings:
    """Return `Ratings` with what another file says of each text.

    path: CSV or JSON with item (or id) and some of group (or prompt), writer (or author), words, or
    text, whose words are counted; columns: {its name of a column: ours}. What it says counts before
    what the ratings' own file says. Its report gets a sentence. Raises DataError for a file that
    says nothing of many rated texts.
    """
    path = Path(path)
    known, not_read = read_facts(path, columns or {})
    of_item = "name" if "name" in data.items else "item"
    same = match_names(data.items[of_item].unique(), known.index)
    found = data.items[of_item].map(same)
    if found.isna().mean() > MOST_UNKNOWN:
        raise DataError(
            f"{path.name}: says nothing of {found.isna().sum():,} of {len(found):,} rated texts, "
            f"such as {data.items.loc[found.isna(), of_item].iloc[0]!r:.60}; its own are "
            f"{list_some(known.index, 3)}; spell them alike"
        )
    rows = known.reindex(found).reset_index(drop=True)
    items = data.items.reset_index(drop=True)
    for name in rows:
        before = items[name] if name in items else pd.Series(np.nan, items.index, dtype=object)
        items[name] = rows[name].where(rows[name].notna(), before)
    if data.report is not None:
        data.report.notes.append(f"{path.name} says of each text: {', '.join(rows)}.")
        if not_read:
            data.report.notes.append(
                f"{path.name}, not read: {list_some(not_read, 15)}; to have one read, say "
                f'--texts-column "its name=group" (or item, writer, words, text).'
            )
    return data._replace(items=items)


def read_facts(path: Path, columns: dict) -> tuple[pd.DataFrame, list]:
    """Return (a table of FACTS, those that a file has, its index the names of the texts; the
    columns that are not read)."""
    cells = lay_out(load(path)).cells
    given = find_columns(columns, list(cells), {}, path.name)
    meaning = {ours: name for name, ours in name_columns(cells, given, {}, False).items() if ours}
    wanted = [name for name in [*FACTS, "text"] if name in meaning]
    if "item" not in meaning or not wanted:
        raise DataError(
            f"{path.name}: expected a column item (or id), and some of {', '.join(FACTS)}; found "
            f"{list_some(cells, 15)}"
        )
    names = cells[meaning["item"]].map(tidy_name)
    again = names.index[names.duplicated()]
    if len(again):
        raise DataError(f"{path.name}, row {again[0]}: {names[again[0]]!r:.60} stands twice")
    facts = {}
    for name in FACTS:
        if name in meaning:
            column = cells[meaning[name]].map(tidy_name)
            facts[name] = column.where(column != "")
    if "words" in facts:
        facts["words"] = read_counts(path, facts["words"])
    elif "text" in meaning:
        facts["words"] = cells[meaning["text"]].map(count_words).astype(float)
    used = {meaning[name] for name in ["item", *wanted]}
    not_read = [name for name in cells if name not in used]
    return pd.DataFrame(facts).set_axis(names, axis="index"), not_read


def read_counts(path: Path, column: pd.Series) -> pd.Series:
    """Return numbers of words; DataError names the row of another cell."""
    numbers = pd.to_numeric(column, errors="coerce")
    odd = column.index[numbers.isna() & column.notna()]
    if len(odd):
        raise DataError(
            f"{path.name}, row {odd[0]}: words is {column[odd[0]]!r:.40}; expected a number"
        )
    return numbers.astype(float)


def read_texts(path: str | Path, columns: dict | None = None) -> pd.DataFrame:
    """Return a reader's texts, a row each: item (its id in the file, the reader's own), text,
    words, code (what it is called in a rating form), perhaps writer and group.

    path: a folder of .txt or .md files, whose names are the ids and whose sub-folders, if the texts
    lie in such, are groups; or a CSV or JSON with id and text, perhaps title, writer or author,
    group or prompt; columns: {its name of a column: ours}. Raises DataError for what
    cannot be read, and for a text or an id that stands twice.
    """
    path = Path(path).expanduser()
    if not path.exists():
        expected = "a folder of .txt files, or a CSV file with the columns id and text"
        raise DataError(f"{path}: there is no such file or folder; expected {expected}")
    if path.is_dir() and columns:
        raise DataError(f"{path}: is a folder; a name of a column is about a file")
    table = read_folder(path) if path.is_dir() else read_table(path, columns or {})
    for name in ("item", "text"):
        empty = table.index[table[name] == ""]
        if len(empty):
            raise DataError(f"{path.name}, {list_some(empty)}: has no {name.replace('item', 'id')}")
    table["code"] = [code_text(*row) for row in zip(table["item"], table["text"])]
    for name, of in (("item", table["item"].map(make_key)), ("text", table["text"])):
        again = of.duplicated()
        if again.any():
            here = again[again].index[0]
            first = of[of == of[here]].index[0]
            what = f"the id {table.at[here, 'item']!r:.60}" if name == "item" else "the same text"
            raise DataError(f"{path.name}, {here}: has {what} as {first} has; remove one of them")
    table["words"] = table["text"].map(count_words)
    return table


def read_folder(folder):
    """Return the texts of a folder: item, text, perhaps group."""
    files = list_files(folder)
    groups = []
    if not files:
        for inner in sorted(one for one in folder.iterdir() if one.is_dir()):
            inside = list_files(inner)
            files += inside
            groups += [inner.name] * len(inside)
    if not files:
        raise DataError(f"{folder}: holds no .txt file; expected a text in each")
    names = [str(file.relative_to(folder).with_suffix("")).replace("\\", "/") for file in files]
    table = pd.DataFrame({"item": map(tidy_name, names), "text": map(read_text, files)})
    table.index = [str(file.relative_to(folder)) for file in files]
    return table.assign(group=groups) if groups else table


def list_files(folder):
    """Return the texts of a folder by name; DataError for a document that is no plain text."""
    found = []
    for file in sorted(folder.iterdir()):
        if file.name.startswith(".") or file.stem.casefold() == "readme" or file.is_dir():
            continue
        if file.suffix.lower() in DOCUMENTS:
            raise DataError(f"{file.name}: is no plain text; save it as .txt (UTF-8)")
        if file.suffix.lower() in ENDINGS:
            if not file.resolve().is_relative_to(folder.resolve()):
                raise DataError(
                    f"{file.name}: is a link that leads out of the folder; copy the text"
                )
            found.append(file)
    return found


def read_table(path, columns):
    """Return the texts of a CSV or JSON file: item, text, perhaps writer and group; columns: as of
    `read_texts`."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise DataError(f"{path}: is a pipe or a device; save what it holds as a file")
    cells = lay_out(load(path)).cells
    given = find_columns(columns, list(cells), {}, path.name)
    if "item" not in given.values():
        given |= {name: "item" for name in cells if name.casefold() == "id"}
    meaning = name_columns(cells, given, {}, False)
    names = {ours: theirs for theirs, ours in meaning.items() if ours}
    if "item" not in names:
        titles = [name for name in cells if name.casefold() in ("title", "name")]
        names |= {"item": titles[0]} if titles else {}
    lacking = [name.replace("item", "id") for name in ("item", "text") if name not in names]
    if lacking:
        found = list_some(cells, 15)
        raise DataError(f"{path.name}: no column {' and no column '.join(lacking)}; found {found}")
    kept = [name for name in ("item", "text", "writer", "group") if name in names]
    table = cells[[names[name] for name in kept]].set_axis(kept, axis="columns")
    table = table.map(str.strip)
    for name in kept:
        table[name] = table[name] if name == "text" else table[name].map(tidy_name)
    table.index = [f"row {number}" for number in table.index]
    return table


def read_text(file, expected="a text"):
    """Return a text of a file in UTF-8; DataError naming the file and what to do."""
    try:
        if isinstance(file, Path) and file.exists() and not stat.S_ISREG(file.stat().st_mode):
            raise DataError(f"{file}: is no regular file; expected {expected}")
        content = file.read_bytes()
    except FileNotFoundError:
        raise DataError(f"{file}: there is no such file; expected {expected}") from None
    except (OSError, ValueError) as fault:
        why = getattr(fault, "strerror", None) or fault
        raise DataError(f"{file.name}: cannot be read ({why})") from None
    if len(content) > LARGEST:
        raise DataError(f"{file.name}: larger than {LARGEST:,} bytes; split it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        what = f"is not UTF-8 text (byte {fault.start:,})"
        raise DataError(f"{file.name}: {what}; save it as UTF-8") from None
    if "\0" in text:
        raise DataError(f"{file.name}: is no plain text (it holds a NUL character)")
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def code_text(item, text):
    """Return what a text is called in the page and in what raters save: its name may tell who or
    what wrote it, so it stands in neither."""
    letters = hashlib.sha256(f"{item}\0{text}".encode("utf-8", "replace")).hexdigest()
    return f"text {letters[:8]}"
