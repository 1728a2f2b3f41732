"""Read a JSONL file, an object a line, as the texts that a CSV file would hold.

    {"item": "a", "score": 4}                     item  score  repeat
    {"item": "b", "score": true, "repeat": 2}     a     4
                                                  b     Yes    2

`read_lines` returns what `spreadsheets.read_grid` does, so that whatever reads a CSV file of
ratings or scores reads such a file too.
"""

import json
import math

import pandas as pd

from helpers.sources.files import DataError
from helpers.sources.readers import read_text, tidy_name

ENDINGS = (".jsonl", ".ndjson")
LIMIT = 200_000_000  # bytes
OBJECT = 'an object a line, such as {"item": "a", "score": 4}'


def read_lines(path):
    """Return (file name, table, faults) of a JSONL file: all values as texts ("" for null, Yes and
    No for true and false), the index each line's number. Raises DataError for a file without one.

    path: a `Path`; faults: (line, what is wrong) of lines that are no flat object; left out.
    """
    lines = read_text(path, LIMIT, "save it as UTF-8").splitlines()
    rows = {}
    faults = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            rows[number] = read_line(line)
        except ValueError as fault:
            faults.append((number, f"{fault}; expected {OBJECT}"))
    if not rows:
        what = f"row {faults[0][0]}: {faults[0][1]}" if faults else f"is empty; expected {OBJECT}"
        raise DataError(f"{path.name}: {what}")
    table = pd.DataFrame.from_dict(rows, orient="index", dtype=object).fillna("")
    return path.name, table, faults


def read_line(line):
    """Return {name: value as text} of one line; ValueError for what is no flat object."""
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("is no JSON") from None
    if not isinstance(content, dict):
        raise ValueError("holds no object")
    return {tidy_name(name): to_text(name, value) for name, value in content.items()}


def to_text(name, value):
    """Return a value as a cell of a CSV file holds it; ValueError for a list or an object."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, dict | list):
        raise ValueError(f"{name} holds a list or an object")
    return str(value).strip()
