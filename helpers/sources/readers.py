"""Read a reader's own texts (pasted, folder or CSV) and own rubric (YAML), with one clear error for
bad ones."""

from pathlib import Path

import pandas as pd
import yaml

from helpers.sources.public import ROOT, DataError

TEXTS = (".txt", ".md")


def resolve(path, expected):
    """Return a reader's path, a relative one from the project's folder; DataError with `expected`
    if nothing is there."""
    found = ROOT / Path(path).expanduser()
    if not found.exists():
        raise DataError(
            f"{found}: no such file or folder; expected {expected} (a relative path starts at the"
            " project's folder)"
        )
    return found


def load_stories(given, minimum=30):
    """Return a reader's stories: story, group, writer, title, text, words.

    given: a folder of .txt or .md files (title = file name), or one of them; a CSV (title, text,
    perhaps group, writer); or the
    texts: {title: text}, a list, or one. Raises DataError naming the text: nothing there,
    unreadable, under `minimum` words, or twice.
    """
    if isinstance(given, str) and len(given.split()) > 9:  # no path has so many words
        given = [given]
    read = read_texts if isinstance(given, (str, Path)) else read_pasted
    path, table = read(
        given,
        "*",
        ("title", "text"),
        ("group", "writer"),
        expected="a folder of .txt files or a CSV file, or the texts: {title: text} or a list",
    )
    words = table["text"].str.split().str.len()
    refuse_first(
        path,
        table,
        [
            (table["title"].str.strip() == "", "has no title"),
            (words < minimum, f"has fewer than {minimum} words"),
            (table["title"].duplicated(), "has a title that another one has too"),
            (table["text"].duplicated(), "has the same text as another one"),
        ],
    )
    table = pd.DataFrame({"group": 0, "writer": "reader"}, table.index).assign(
        **table, story=table["title"], words=words
    )
    return table[["story", "group", "writer", "title", "text", "words"]]


def read_texts(path, pattern, needed, optional, expected):
    """Return (path, table) of a reader's texts, columns `needed` and `where`: a folder, a file a
    text; one text; or a CSV."""
    path = resolve(path, expected)
    one = path.is_file() and path.suffix.lower() in TEXTS
    if not one and not path.is_dir():
        return path, read_csv(path, needed, optional)
    files = [path] if one else find_texts(path, pattern)
    if not files:
        raise DataError(f"{path}: no .txt or .md file; expected {expected}")
    table = pd.DataFrame(
        [
            {
                "group": file.parent.name,
                "writer": file.stem,
                "title": file.stem,
                "text": read_text(file),
                "where": file.name if one else str(file.relative_to(path)),
            }
            for file in files
        ]
    )
    return path, table[[*needed, "where"]]


def read_pasted(given, *_, expected):
    """Return what `read_texts` does for texts that were given themselves; DataError for what is
    none."""
    if isinstance(given, (list, tuple)):
        given = {f"Text {number}": text for number, text in enumerate(given, 1)}
    if not isinstance(given, dict) or not given:
        raise DataError(f"own_stories={given!r}: expected {expected}")
    for title, text in given.items():
        if not isinstance(text, str):
            raise DataError(
                f"own_stories, {title!r}: {str(text)[:40]!r} is no text; put it between quotes"
            )
    rows = [(str(title), text.strip(), repr(str(title))) for title, text in given.items()]
    return Path("own_stories"), pd.DataFrame(rows, columns=["title", "text", "where"])


def refuse_first(path, table, checks):
    """Raise DataError naming the first story that fails a check; checks: (mask over the rows, what
    is wrong)."""
    for bad, what in checks:
        if bad.any():
            raise DataError(
                f"{path.name}: the story in {table.loc[bad.idxmax(), 'where']} {what}; mend or"
                " remove it"
            )


def refuse_recorded(judge):
    """Raise ValueError for a recorded judge, which cannot be asked about a
    reader's texts or tests."""
    if judge.startswith("recorded/"):
        raise ValueError(
            f"judge={judge!r} never read your stories or tests; choose one that can be asked, say"
            " local/<model> or simulated/coin"
        )


def find_texts(folder, pattern):
    """Return the .txt and .md files of a folder in order of their names; a README is none."""
    return sorted(
        file
        for file in folder.glob(pattern)
        if file.suffix.lower() in TEXTS and file.stem.casefold() != "readme"
    )


def read_text(file, limit=1_000_000):
    """Return the text of a UTF-8 file; raise DataError naming the file if it is none, too large or
    cannot be read."""
    file = Path(file)
    try:
        if not file.is_file():
            what = "a folder" if file.is_dir() else "no file, or a link to one that is not there"
            raise DataError(f"{file.name}: {what}; expected a text file: rename, move or remove it")
        if file.stat().st_size > limit:
            raise DataError(
                f"{file.name}: has {file.stat().st_size:,} bytes; expected at most {limit:,}:"
                " split it"
            )
        return file.read_text(encoding="utf-8-sig").strip()
    except OSError as fault:
        raise DataError(
            f"{file.name}: cannot be read ({fault.strerror}); check who may read it"
        ) from None
    except UnicodeDecodeError as fault:
        raise DataError(
            f"{file.name}: not UTF-8 text (byte {fault.start}); save it as UTF-8"
        ) from None


def read_table(path):
    """Return a CSV file as it stands, every cell text; raise DataError, with the way to save it,
    for one that cannot be read."""
    how = (
        "save it as CSV with commas, in UTF-8 (Excel: 'CSV UTF-8'; LibreOffice: field delimiter"
        " ',')"
    )
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except (OSError, UnicodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as fault:
        raise DataError(
            f"{path.name}: cannot be read as a UTF-8 CSV ({str(fault).strip()}); {how}"
        ) from None
    if len(table.columns) == 1 and ";" in table.columns[0]:
        raise DataError(f"{path.name}: its columns are separated by semicolons; {how}")
    if table.empty:
        raise DataError(f"{path.name}: no row below the names of the columns")
    return table


def read_csv(path, needed, optional):
    """Return a CSV of stories, all text, with a column `where`; raise DataError for missing
    columns."""
    table = read_table(path)
    if missing := [name for name in needed if name not in table.columns]:
        wanted = f"{', '.join(needed)} and perhaps {', '.join(optional)}"
        raise DataError(f"{path.name}: column {missing[0]!r} is missing; expected {wanted}")
    return table.assign(where=[f"row {number + 2}" for number in range(len(table))])


def read_yaml(path, limit=100_000, depth=10):
    """Return the content of a reader's YAML file; raise DataError for one that is no plain YAML:
    large, deep, or with aliases."""
    text, level = read_text(path, limit), 0
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            level += isinstance(event, yaml.CollectionStartEvent) - isinstance(
                event, yaml.CollectionEndEvent
            )
            if getattr(event, "anchor", None) or level > depth:
                what = (
                    f"more than {depth} levels" if level > depth else "an anchor or alias (& or *)"
                )
                raise yaml.MarkedYAMLError(
                    problem=f"{what}: write every entry out", problem_mark=event.start_mark
                )
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as fault:
        mark = getattr(fault, "problem_mark", None)
        place = (f"line {mark.line + 1}: " if mark else "") + str(
            getattr(fault, "problem", None) or fault
        ).splitlines()[0]
        advice = "put a question with a colon or a hash in quotes, indent with spaces"
        raise DataError(f"{path.name}: cannot be read as YAML ({place}); {advice}") from None


def load_rubric(path):
    """Return a reader's tests: test (1…), dimension, category, question, full_prompt.

    path: a YAML file with a list under `tests`, each with `name`, `question` and perhaps
    `dimension` and `background`. Raises DataError naming the entry for a missing or empty field, an
    unknown field or a name twice.
    """
    path = resolve(path, "one like data/rubrics/example.yaml")
    content = read_yaml(path)
    tests = content.get("tests") if isinstance(content, dict) else None
    if not isinstance(tests, list) or not tests:
        raise DataError(
            f"{path.name}: expected a list under 'tests', each entry with name and question"
        )
    known, rows = ["name", "question", "dimension", "background"], []
    for number, test in enumerate(tests, 1):
        if not isinstance(test, dict):
            raise DataError(
                f"{path.name}, test {number}: {str(test)[:40]!r} is no entry; expected the fields"
                " name and question"
            )
        wrong = [
            name
            for name in known
            if not isinstance(test.get(name, "" if name in known[2:] else None), str)
        ]
        wrong += [name for name in known[:2] if not str(test.get(name)).strip()]
        unknown = sorted(map(str, set(test) - set(known)))
        if wrong or unknown:
            problem = (
                f"{wrong[0]!r} is missing or no text (put it in quotes)"
                if wrong
                else f"unknown field {unknown[0]!r}"
            )
            raise DataError(
                f"{path.name}, test {number}: {problem}; the fields are {', '.join(sorted(known))}"
            )
        rows.append(
            (
                number,
                test.get("dimension", ""),
                test["name"],
                test["question"],
                test.get("background", ""),
            )
        )
    table = pd.DataFrame(rows, columns=["test", "dimension", "category", "question", "full_prompt"])
    if table["category"].duplicated().any():
        raise DataError(
            f"{path.name}: two tests are named"
            f" {table.loc[table['category'].duplicated(), 'category'].iloc[0]!r}"
        )
    return table


def ask_of(tests):
    """Return {test: what the judge is asked} of a rubric: its question and, where there is one, its
    background."""
    return {
        row["test"]: f"{row['question']} {row['full_prompt']}".strip()
        for row in tests.to_dict("records")
    }
