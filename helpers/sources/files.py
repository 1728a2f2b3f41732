"""Refuse tables with bad rows; write files and numbers so that every machine writes the same."""

import os
from pathlib import Path

import numpy as np
from goodjudge.errors import DataError


def require_columns(table, where, columns):
    """Raise DataError naming the first of `columns` that a table lacks; where: the file."""
    for column in columns:
        if column not in table:
            expected = ", ".join(map(str, columns))
            raise DataError(f"{where}: column {column!r} is missing; expected {expected}")


def refuse(table, where, checks):
    """Raise DataError for the first bad row: its place, its value, what was expected, what to do.

    where: the file; the row's place is its cell in a column `where`, if there is one, else its
    number from 1. checks: (column, mask of the bad rows, what was expected and what to do), looked
    through in this order; where they come from a generator, none is made after the first fault.
    """
    for column, bad, expected in checks:
        if np.any(bad):
            first = int(np.argmax(bad))
            place = table["where"].iloc[first] if "where" in table else f"row {first + 1}"
            value = table[column].tolist()[first]
            raise DataError(f"{where}, {place}: {column} is {value!r:.60}; expected {expected}")


def round_number(number):
    """Return a float of ten significant digits, noise below 1e-12 as 0, alike everywhere."""
    return float(f"{round(float(number), 12) + 0.0:.10g}")


def replace_file(path, text):
    """Write a file in one step, so that no reader sees half of it."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_text(text, encoding="utf8", newline="\n")
    os.replace(part, path)
