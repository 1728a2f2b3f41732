"""Read a reader's own texts (pasted, folder or CSV) and own rubric (YAML), with one clear error for
bad ones."""

from pathlib import Path

import pandas as pd
import yaml

from helpers.sources.files import DataError, refuse, require_columns
from helpers.sources.public import ROOT

TEXTS = (".txt", ".md")
HOW = "save it as CSV with commas, in UTF-8 (Excel: 'CSV UTF-8'; LibreOffice: field delimiter ',')"
WORD = {"type": "string"}
TEST = {  # what an entry of a rubric must be (JSON schema)
    "type": "object",
    "required": ["name", "question"],
    "properties": {"name": WORD, "question": WORD, "dimension": WORD, "background": WORD},
    "additionalProperties": False,
}
FIELDS = "the fields are name, question, perhaps dimension and background, each a text in quotes"


def resolve(path, expected):
    """Return a reader's path, a relative one from the project's folder; DataError with `expected`
    if nothing is there."""
    found = ROOT / Path(path).expanduser()
    if not found.exists():
        about = "(a relative path starts at the project's folder)"
        raise DataError(f"{found}: no such file or folder; expected {expected} {about}")
    return found


def load_stories(given, minimum=30):
    """Return a reader's stories: story, group, writer, title, text, words.

    given: a folder of .txt or .md files (title = file name), or one of them; a CSV (title, text,
    perhaps group, writer); or the texts: {title: text}, a list, or one. Raises DataError naming
    the text: nothing there, unreadable, under `minimum` words, or twice.
    """
    if isinstance(given, str) and len(given.split()) > 9:  # no path has so many words
        given = [given]
    read = read_texts if isinstance(given, (str, Path)) else read_pasted
    expected = "a folder of .txt files or a CSV file, or the texts: {title: text} or a list"
    path, table = read(given, "*", ("title", "text"), expected=expected)
    table["words"] = table["text"].str.split().str.len()
    checks = [
        ("title", table["title"].str.strip() == "", "a title"),
        ("words", table["words"] < minimum, f"at least {minimum}: add to the story or remove it"),
        ("title", table["title"].duplicated(), "a title that no earlier story has"),
        ("text", table["text"].duplicated(), "a text that no earlier story has"),
    ]
    refuse(table, path.name, checks)
    table = pd.DataFrame({"group": 0, "writer": "reader"}, table.index).assign(**table)
    table["story"] = table["title"]
    return table[["story", "group", "writer", "title", "text", "words"]]


def read_texts(path, pattern, needed, expected):
    """Return (path, table) of a reader's texts: a folder, one text per file; one file; or a CSV.

    Columns `needed` and `where`, of a CSV all; of a folder group, writer or title are its names.
    """
    path = resolve(path, expected)
    one = path.is_file() and path.suffix.lower() in TEXTS
    if not one and not path.is_dir():
        return path, read_csv(path, needed)
    files = [path] if one else find_texts(path, pattern)
    if not files:
        raise DataError(f"{path}: no .txt or .md file; expected {expected}")
    stems = [file.stem for file in files]
    table = pd.DataFrame({"title": stems, "writer": stems})
    table["group"] = [file.parent.name for file in files]
    table["text"] = [read_text(file) for file in files]
    table["where"] = [file.name if one else str(file.relative_to(path)) for file in files]
    return path, table[[*needed, "where"]]


def read_pasted(given, *_, expected):
    """Return what `read_texts` does for texts that were given themselves; DataError for anything
    else."""
    if isinstance(given, (list, tuple)):
        given = {f"Text {number}": text for number, text in enumerate(given, 1)}
    if not isinstance(given, dict) or not given:
        raise DataError(f"own_stories={given!r}: expected {expected}")
    rows = [(str(title), text, repr(str(title))) for title, text in given.items()]
    table = pd.DataFrame(rows, columns=["title", "text", "where"])
    is_text = table["text"].map(lambda text: isinstance(text, str))
    refuse(table, "own_stories", [("text", ~is_text, "a text between quotes")])
    return Path("own_stories"), table.assign(text=table["text"].str.strip())


def refuse_recorded(judge):
    """Raise ValueError for a recorded judge, which cannot be asked about a reader's texts."""
    if judge.startswith("recorded/"):
        advice = "choose one that can be asked, say local/<model> or simulated/coin"
        raise ValueError(f"judge={judge!r} never read your stories or tests; {advice}")


def find_texts(folder, pattern):
    """Return the .txt and .md files of a folder in order of their names; no README."""
    files = [file for file in folder.glob(pattern) if file.suffix.lower() in TEXTS]
    return sorted(file for file in files if file.stem.casefold() != "readme")


def read_text(file, limit=1_000_000):
    """Return the text of a UTF-8 file; raise DataError naming the file if it is too large, no text,
    or cannot be read."""
    file = Path(file)
    try:
        if file.stat().st_size > limit:
            raise DataError(f"{file.name}: larger than {limit:,} bytes; split it")
        return file.read_text(encoding="utf-8-sig").strip()
    except OSError as fault:
        advice = "expected a text file that you may read"
        raise DataError(f"{file.name}: cannot be read ({fault.strerror}); {advice}") from None
    except UnicodeDecodeError as fault:
        what = f"not UTF-8 text (byte {fault.start})"
        raise DataError(f"{file.name}: {what}; save it as UTF-8") from None


def read_csv(path, needed):
    """Return a CSV file, every cell as text, and `where` ("row 2", …: as a spreadsheet counts).

    Raises DataError, with the way to save it, for a file that cannot be read, has no rows or lacks
    one of the columns `needed`.
    """
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    except (OSError, UnicodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as fault:
        what = f"cannot be read as a UTF-8 CSV ({str(fault).strip()})"
        raise DataError(f"{path.name}: {what}; {HOW}") from None
    if len(table.columns) == 1 and ";" in table.columns[0]:
        raise DataError(f"{path.name}: its columns are separated by semicolons; {HOW}")
    if table.empty:
        raise DataError(f"{path.name}: no row below the names of the columns")
    require_columns(table, path.name, needed)
    return table.assign(where=[f"row {number + 2}" for number in range(len(table))])


def read_yaml(path, limit=100_000, depth=10):
    """Return the content of a reader's YAML file; raise DataError for one that is large, deep, has
    aliases or is no YAML."""
    text, level = read_text(path, limit), 0
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            level += isinstance(event, yaml.CollectionStartEvent)
            level -= isinstance(event, yaml.CollectionEndEvent)
            if getattr(event, "anchor", None) or level > depth:
                what = f"an anchor or alias (& or *), or more than {depth} levels"
                raise yaml.MarkedYAMLError(problem=what, problem_mark=event.start_mark)
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as fault:
        mark = getattr(fault, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark else ""
        place += str(getattr(fault, "problem", None) or fault).splitlines()[0]
        advice = "put a question with a colon or a hash in quotes, indent with spaces"
        raise DataError(f"{path.name}: cannot be read as YAML ({place}); {advice}") from None


def load_rubric(path):
    """Return a reader's tests: test (1…), dimension, category, question, full_prompt.

    path: a YAML file with a list under `tests`, each with `name`, `question` and perhaps
    `dimension` and `background`. Raises DataError naming entry and field that break `TEST`, an
    empty name or question, or a name given twice.
    """
    from jsonschema import Draft202012Validator

    path = resolve(path, "one like data/rubrics/example.yaml")
    content = read_yaml(path)
    tests = content.get("tests") if isinstance(content, dict) else None
    if not isinstance(tests, list) or not tests:
        raise DataError(f"{path.name}: expected a list under 'tests'; {FIELDS}")
    for number, test in enumerate(tests, 1):
        for fault in Draft202012Validator(TEST).iter_errors(test):
            what = ": ".join([*fault.path, fault.message[:200]])
            raise DataError(f"{path.name}, test {number}: {what}; {FIELDS}")
    table = pd.DataFrame(tests, columns=list(TEST["properties"]), dtype=object).fillna("")
    table["test"] = range(1, len(table) + 1)
    table["where"] = [f"test {number}" for number in table["test"]]
    checks = [(name, table[name].str.strip() == "", "a text") for name in TEST["required"]]
    checks.append(("name", table["name"].duplicated(), "a name that no earlier test has"))
    refuse(table, path.name, checks)
    table = table.rename(columns={"name": "category", "background": "full_prompt"})
    return table[["test", "dimension", "category", "question", "full_prompt"]]


def ask_of(tests):
    """Return {test: what the judge is asked} of a rubric: its question and, where there is one, its
    background."""
    asked = (tests["question"] + " " + tests["full_prompt"]).str.strip()
    return dict(zip(tests["test"], asked))
