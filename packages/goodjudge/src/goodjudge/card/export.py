"""A card as JSON, as CSV, and into a file."""

import csv
import io
import json
import sys
from pathlib import Path

import pandas as pd

from goodjudge.card import texts
from goodjudge.files import replace_file

VERSION = "2"
NUMBER = {"type": ["number", "null"]}
TEXT = {"type": "string"}
TABLE = {"type": "array", "items": {"type": "object"}}
VERDICT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["question", "answer", "why", "needed"],
    "properties": {
        "question": TEXT,
        "answer": {"enum": ["yes", "no", "undecided"]},
        "why": TEXT,
        "needed": {**TEXT, "description": "what would decide; empty where it is decided"},
    },
}
CAUTION = {
    "type": "object",
    "additionalProperties": False,
    "required": ["what", "why", "column"],
    "properties": {"what": TEXT, "why": TEXT, "column": TEXT},
}
ROW = {
    "type": "object",
    "required": ["who", "kind", "estimate", "low", "high", "n"],
    "properties": {
        "who": TEXT,
        "kind": {"enum": ["judge", "person", "control", "knows writer", "ceiling"]},
        "estimate": NUMBER,
        "low": NUMBER,
        "high": NUMBER,
        "n": NUMBER,
    },
}
PROPERTIES = {
    "version": {"const": VERSION, "description": "changes when a field changes its meaning"},
    "judge": {"type": ["string", "null"], "description": "null: people alone"},
    "judges": {"type": "integer", "description": "how many the judge is the best of"},
    "data": {**TEXT, "description": "names of the files"},
    "date": TEXT,
    "simulated": {"type": "boolean", "description": "true: no person rated"},
    "advice": {**TEXT, "description": "what to do"},
    "evidence": TEXT,
    "verdicts": {"type": "array", "items": VERDICT},
    "cautions": {"type": "array", "items": CAUTION},
    "measure": TEXT,
    "guess": {**NUMBER, "description": "the value that guessing has"},
    "level": {**NUMBER, "description": "of the intervals"},
    "smallest": {**NUMBER, "description": "the smallest difference that counts"},
    "target": {**TEXT, "description": "what everybody is held against"},
    "control": {"type": ["string", "null"], "description": "the best that a user could have"},
    "sizes": {"type": "object", "additionalProperties": {"type": "integer"}},
    "rows": {"type": "array", "items": ROW, "description": "the comparison"},
    "scales": {**TEXT, "description": "how the judge's scale differs; empty: it does not"},
    "leniency": {"type": ["object", "null"], "description": "estimate, low, high, unit"},
    "read": {"type": "array", "items": TEXT, "description": "what was read and left out"},
    "people": TABLE,
    "diagnostics": {"type": "object", "additionalProperties": TABLE},
    "means": TABLE,
    "sizes_needed": TABLE,
    "methods": TEXT,
    "references": {"type": "array", "items": TEXT},
}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "goodjudge card",
    "type": "object",
    "additionalProperties": False,
    "required": list(PROPERTIES),
    "properties": PROPERTIES,
}


def make_dict(card):
    """Return a card as {field: value} of `SCHEMA`; what is not known is None."""
    leniency = None
    if card.leniency is not None:
        ends = dict(zip(("estimate", "low", "high"), card.leniency))
        leniency = {**{name: plain(value) for name, value in ends.items()}, "unit": card.unit}
    return {
        "version": VERSION,
        "judge": None if card.judge is None else texts.clean(card.judge),
        "judges": int(card.judges),
        "data": texts.clean(card.source),
        "date": texts.clean(card.date),
        "simulated": bool(card.simulated),
        "advice": card.advice,
        "evidence": card.evidence,
        "verdicts": [plain(vars(verdict)) for verdict in card.verdicts],
        "cautions": [plain(vars(caution)) for caution in card.cautions],
        "measure": texts.clean(card.measure),
        "guess": plain(card.guess),
        "level": plain(card.level),
        "smallest": plain(card.smallest),
        "target": texts.clean(card.target),
        "control": None if card.control is None else texts.clean(card.control),
        "sizes": {name: int(number) for name, number in card.sizes.items()},
        "rows": list_rows(card.to_frame()),
        "scales": texts.clean(card.scales),
        "leniency": leniency,
        "read": plain(list(card.read)),
        "people": list_rows(card.people),
        "diagnostics": {name: list_rows(table) for name, table in card.diagnostics.items()},
        "means": list_rows(card.means),
        "sizes_needed": list_rows(card.sizes_needed),
        "methods": plain(card.methods),
        "references": plain(list(card.references)),
    }


def list_rows(table):
    """Return a table as a list of {column: value}; an index with a name is a column too."""
    return [plain(row) for row in name_index(table).to_dict("records")]


def name_index(table):
    """Return a table whose named index (or indices) are columns, that has no other index, and whose
    columns are texts of which no two are equal."""
    named = [name for name in table.index.names if name is not None]
    table = table.reset_index(drop=not named, allow_duplicates=True)
    names = []
    for column in table.columns:
        parts = column if isinstance(column, tuple) else (column,)
        name = " ".join(str(part) for part in parts if str(part))
        number = 2
        while name in names:
            name = f"{name.removesuffix(f' ({number - 1})')} ({number})"
            number += 1
        names.append(name)
    return table.set_axis(names, axis="columns")


def plain(value):
    """Return a value that JSON has: numbers of ten digits, None for nan and what is endless."""
    if isinstance(value, dict):
        return {texts.clean(name): plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, str):
        return texts.clean(value, longest=5000)
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return round(value, 10) if value == value and abs(value) != float("inf") else None
    return value if isinstance(value, (bool, int)) else texts.clean(value, longest=5000)


def make_json(card):
    """Return a card as JSON."""
    return json.dumps(make_dict(card), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def make_csv(table):
    """Return a table as CSV in which no cell is run by a spreadsheet."""
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow([texts.disarm(str(name)) for name in table.columns])
    for row in table.itertuples(index=False):
        cells = []
        for value in row:
            value = plain(value)
            cells.append("" if value is None else texts.disarm(value))
        writer.writerow(cells)
    return page.getvalue()


def write(path, content, card):
    """Write text or bytes to a file, whole or not at all, and return its path.

    A folder that is not there is made; a name that is too long is cut. Where the disk refuses, the
    card's numbers are printed, and OSError is raised with one sentence.
    """
    path = shorten(Path(path))
    try:
        replace_file(path, content)
    except (OSError, ValueError) as error:
        show_numbers(card)
        reason = getattr(error, "strerror", None) or str(error)
        raise OSError(
            f"{path}: cannot be written ({reason}); the card is printed above; name another folder"
        ) from error
    return path


def shorten(path, most=120):
    """Return a path whose last name has at most `most` bytes, its ending kept."""
    stem, ending = clean_name(path.stem), clean_name(path.suffix)[:16]
    room = most - len(ending.encode())
    cut = stem.encode()[:room].decode("utf-8", "ignore")
    return path.with_name(f"{cut or 'card'}{ending}")


def clean_name(name):
    """Return a part of a file's name without what no disk takes."""
    return name.encode("utf-8", "replace").decode().replace("\0", "")


def show_numbers(card):
    """Print a card and its table, in letters that the terminal has."""
    text = f"{card}\n\n{make_csv(card.to_frame())}"
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))
