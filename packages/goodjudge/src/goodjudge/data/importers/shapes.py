"""What importers share: the shape that they return, and how a header and objects are looked at."""

import re
from dataclasses import dataclass, field

import pandas as pd

from goodjudge.data.names import fold_digits, list_some, tidy_name
from goodjudge.data.numbers import parse_cell
from goodjudge.data.tables import Source, as_text
from goodjudge.data.tables import lay_out as lay_out_table


@dataclass
class Imported:
    """What an importer makes of an export.

    cells: one row per response or answer, all texts, the index each row's number in the file;
    meaning: {a column: our name, "" to leave it out}; form: of `forms`, or "auto"; missing: numbers
    that the tool writes for no answer; not_read: {a column: why}; left_out: [(what, rows, why)];
    notes: sentences; labels: {a column: another name of it}; tool: its name.
    """

    cells: pd.DataFrame
    meaning: dict = field(default_factory=dict)
    form: str = "auto"
    missing: tuple = ()
    not_read: dict = field(default_factory=dict)
    left_out: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    labels: dict = field(default_factory=dict)
    tool: str = ""
    whose: pd.Series | None = None  # of each row: a person's or a judge's, where a file has both


def list_header(source: Source) -> list[str]:
    """Return the names in the first row of a CSV, [] for JSON."""
    return [tidy_name(cell) for cell in source.rows[0][1]] if source.rows else []


def has_columns(source: Source, *names: str) -> bool:
    """Return whether the header of a CSV has all of some names, capitals aside."""
    there = {name.casefold() for name in list_header(source)}
    return all(name.casefold() in there for name in names)


def has_fields(source: Source, *names: str) -> bool:
    """Return whether the first object of JSON has all of some fields."""
    return bool(source.records) and all(name in source.records[0] for name in names)


def import_table(source: Source, tool: str) -> Imported:
    """Return the table of a CSV as it stands."""
    table = lay_out_table(source)
    cells, notes = join_choices(table.cells)
    return Imported(cells, notes=[*table.notes, *notes], labels=table.labels, tool=tool)


def leave_out_named(imported: Imported, known: set[str], why: str = "of the tool") -> None:
    """Leave out the columns that a tool itself adds; known: their names, in small letters."""
    for name in imported.cells:
        if name.casefold() in known and name not in imported.meaning:
            imported.meaning[name] = ""
            imported.not_read[name] = why


def import_records(rows: list[dict], tool: str, **more) -> Imported:
    """Return a table of objects with a field per column, {name: value}; a row counts from 1."""
    texts = [{name: as_text(value) for name, value in row.items()} for row in rows]
    cells = pd.DataFrame(texts, index=range(1, len(rows) + 1), dtype=object)
    return Imported(cells.where(cells.notna(), ""), tool=tool, **more)


def join_choices(cells: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return (cells, notes) with one column in place of a question's radio buttons.

    Of Answer.creative.1 to Answer.creative.5 exactly one is true in every row: the answer is the
    number of that column.
    """
    groups: dict[str, dict] = {}
    for name in cells:
        found = re.fullmatch(r"(.*[^\d])(\d+)\]?", fold_digits(name))
        if found:
            groups.setdefault(found[1].rstrip("._-[ :"), {})[name] = int(found[2])
    notes = []
    for base, columns in groups.items():
        if len(columns) < 3 or not base:
            continue
        texts = cells[list(columns)]
        chosen = texts.apply(lambda column: column.str.casefold().isin(CHOSEN))
        other = texts.apply(lambda column: column.str.casefold().isin(NOT_CHOSEN))
        count = chosen.sum(axis=1)
        if not (chosen | other).all(axis=None) or (count != 1).mean() > 0.05 or count.max() > 1:
            continue
        if len(cells) < 2 or (chosen.any().sum() < 2 and len(cells) > 3):
            continue
        numbers = pd.Series(columns)
        answer = chosen.idxmax(axis=1).map(numbers).astype(str).where(count == 1, "")
        place = cells.columns.get_loc(list(columns)[0])
        cells = cells.drop(columns=list(columns))
        cells.insert(place, base, answer.astype(object))
        notes.append(
            f"Of {list_some(columns, 2)} one is chosen in each row: they are one question, {base}, "
            f"whose answer is {min(columns.values())} to {max(columns.values())}."
        )
    return cells, notes


CHOSEN = {"true", "1", "on", "yes", "x", "checked", "selected", "1.0"}
NOT_CHOSEN = {"false", "0", "off", "no", "", "unchecked", "not selected", "quoted", "0.0", "na"}


def read_answer(text: str) -> dict[str, str]:
    """Return the scores in a model's answer, {"": one score} or {criterion: score}; {} where no
    score or more than one can be meant.

    Read are a number alone, JSON (also in a fence or after a sentence), [[5]], and a last line such
    as "Score: 5".

    >>> read_answer("Good. Rating: [[5]]"), read_answer('{"wit": 4, "why": "…"}')
    ({'': '5'}, {'': '4'})
    """
    import json

    text = text.strip()
    if parse_cell(text)[0] in ("number", "verdict"):
        return {"": text}
    decoder = json.JSONDecoder()
    for place in [match.start() for match in re.finditer(r"\{", text)][:5]:
        try:
            found, _ = decoder.raw_decode(text, place)
        except ValueError:
            continue
        scores = find_numbers(found)
        named = {name: score for name, score in scores.items() if name.casefold() in SCORES}
        if len(named) == 1:
            return {"": next(iter(named.values()))}
        return {"": next(iter(scores.values()))} if len(scores) == 1 else scores
    double = re.findall(r"\[\[\s*([-+]?[\d.]+)\s*\]\]", text)
    if double:
        return {"": double[-1]} if len(set(double)) == 1 else {}
    line = text.splitlines()[-1] if text else ""
    named = re.fullmatch(
        r"\W*(?:[^\W\d]+ )*(?:score|rating|verdict|answer|grade|note|bewertung)\W*"
        r"([-+]?\d+(?:[.,]\d+)?|yes|no|pass|fail)\W*(?:/ *\d+|out of \d+)?\W*",
        line.strip(),
        re.IGNORECASE,
    )
    return {"": named[1]} if named else {}


SCORES = {"score", "rating", "overall", "verdict", "grade", "value", "answer", "total", "result"}


def find_numbers(content) -> dict[str, str]:
    """Return {name: text of the number} of the numbers and verdicts in an object of JSON; a
    criterion that is an object has one under "score" or the like."""
    found: dict[str, str] = {}
    if not isinstance(content, dict):
        return found
    for name, value in content.items():
        name = tidy_name(str(name))
        if isinstance(value, dict):
            inner = find_numbers(value)
            named = [score for key, score in inner.items() if key.casefold() in SCORES]
            if len(named) == 1 or len(inner) == 1:
                found[name] = named[0] if named else next(iter(inner.values()))
            elif name.casefold() in ("scores", "ratings", "criteria", "dimensions", "result"):
                found |= inner
        elif isinstance(value, (bool, int, float)) or (
            isinstance(value, str) and parse_cell(value.strip())[0] in ("number", "verdict")
        ):
            found[name] = as_text(value)
    return found
