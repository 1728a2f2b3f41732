"""Read the numbers that a paper prints, as tables that know their rounding."""

import csv
import operator
import re
from functools import cache, partialmethod, reduce
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.sources.files import DataError, refuse
from helpers.sources.public import ROOT

DATA = ROOT / "data"
FOLDER = DATA / "papers"  # a folder per paper: printed.csv, facts.csv
KEY = ["paper", "table", "row", "column"]
NUMBER = re.compile(
    r"\$?[+-]?(\d+(,\d{3})*(\.\d+)?|\.\d+)([eE][+-]?\d{1,2})?[%BXxMKk]?\+?" r"|\d+/[1-9]\d*|",
    re.ASCII,
)


def read_published(paper, folder=FOLDER):
    """Return a paper's printed numbers: paper, table, row, column, value (text, '' for a blank);
    DataError, with file and line, for a bad cell, another paper's or a repeated key."""
    path = Path(folder) / paper / "printed.csv"
    columns = [*KEY, "value"]
    table = read_lines(path, columns)
    checks = [("paper", table["paper"] != paper, repr(paper))]
    checks += [(key, table[key].str.strip() == "", "a key that is not empty") for key in KEY]
    checks.append(("column", table.duplicated(KEY), "a key that stands on no earlier line"))
    checks.append(("value", ~table["value"].str.fullmatch(NUMBER), "a printed number"))
    refuse(table, name_file(path), checks)
    return table[columns]


def name_file(path):
    """Return a file of a paper as messages name it: 'ttcw/printed.csv'."""
    return f"{path.parent.name}/{path.name}"


def read_lines(path, columns):
    """Return a CSV file's cells as strings, and `where`: "line 2"; DataError for other columns."""
    file_name = name_file(path)
    with path.open(encoding="utf8", newline="") as file:
        reader = csv.reader(file)
        lines = [(f"line {reader.line_num}", cells) for cells in reader]
    _, header = lines.pop(0) if lines else ("", [])
    names = ", ".join(columns)
    if header != columns:
        raise DataError(f"{file_name}, line 1: columns {', '.join(header)}; expected {names}")
    for where, cells in lines:
        if len(cells) != len(columns):
            sizes = f"{len(cells)} cells, expected {len(columns)}"
            raise DataError(f"{file_name}, {where}: {sizes} ({names})")
    table = pd.DataFrame([cells for _, cells in lines], columns=columns, dtype=str)
    return table.assign(where=[where for where, _ in lines])


@cache
def read_cells(path):
    """Return {name: (table, row, column)} of the printed numbers that a cells.csv names."""
    cells = read_lines(path, ["name", *KEY[1:]])
    keys = cells[KEY[1:]].itertuples(index=False, name=None)
    return dict(zip(cells["name"], keys))


def to_number(value):
    """Return the float that a value means ('52.2%' -> 52.2, '2/3' -> 0.666…, '' -> nan)."""
    text = str(value).replace(",", "").rstrip("%BXxMKk+").lstrip("$")
    if "/" in text:
        top, bottom = text.split("/")
        return float(top) / float(bottom)
    return float(text) if text else float("nan")


def tolerance(value):
    """Return half a unit in the last printed place ('0.27' -> 0.005, '1.9e-04' -> 5e-6)."""
    text = str(value).replace(",", "").rstrip("%BXxMKk+").lstrip("$").lower()
    if "/" in text:
        return 0.05 * to_number(value)  # a spelled-out fraction such as two-thirds
    mantissa, _, exponent = text.partition("e")
    return 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def agrees(value, low, high=None):
    """Return whether a computed number, anywhere in [low, high], can be printed as `value`.

    Either way at an exact half; a blank agrees with nan alone; "2,000+" means at least so many.
    """
    low, high = sorted((low, low if high is None else high))
    if str(value) == "" or pd.isna(low):
        return str(value) == "" and bool(pd.isna(low))
    number, half = to_number(value), tolerance(value) * (1 + 1e-9)
    if str(value).endswith("+"):
        return bool(high >= number - half)
    return bool(low - half <= number <= high + half)


class Rounded:
    """Tables, columns or single numbers that know their rounding: `mid` as printed, between `low`
    and `high` when unrounded; kept by selection, +, -, *, / and what never falls (mean)."""

    ALIKE = {"mean", "sum", "max", "min", "drop", "rename", "to_frame", "set_axis", "transpose"}
    __array_ufunc__, __pandas_priority__ = None, 9999  # pandas - Rounded is ours to compute

    def __init__(self, mid, low=None, high=None):
        if isinstance(mid, Rounded):
            mid, low, high = mid.mid, mid.low, mid.high
        self.mid = mid
        self.low = mid if low is None else low
        self.high = mid if high is None else high

    def each(self, function):
        """Apply a function that never falls to mid, low and high."""
        return Rounded(function(self.mid), function(self.low), function(self.high))

    def __getattr__(self, name):
        if name not in self.ALIKE:
            raise AttributeError(f"Rounded has no {name!r}; take .mid for the numbers alone")
        return lambda *args, **named: self.each(lambda part: getattr(part, name)(*args, **named))

    def __getitem__(self, key):
        return self.each(lambda part: part[key])

    def at(self, rows, columns):
        """Select by labels, as pandas' loc does: a table, a column, a row or one number."""
        return self.each(lambda part: part.loc[rows, columns])

    def corners(self, do, other):
        """Return do(self, other): its bounds are the extremes of `do` over both sides' bounds."""
        other = Rounded(other)
        ends = [do(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        low = reduce(np.minimum, ends)
        high = reduce(np.maximum, ends)
        return Rounded(do(self.mid, other.mid), low, high)

    def __truediv__(self, other):
        def divide(a, b):
            return a / (b if np.ndim(b) else np.float64(b))  # by 0: inf, no error

        other = Rounded(other)
        with np.errstate(divide="ignore", invalid="ignore"):
            quotient = self.corners(divide, other)
        may_be_zero = np.asarray(other.low <= 0) & np.asarray(other.high >= 0)
        unbound = np.where(may_be_zero, np.inf, 0.0)
        return Rounded(quotient.mid, quotient.low - unbound, quotient.high + unbound)

    __add__ = __radd__ = partialmethod(corners, operator.add)
    __mul__ = __rmul__ = partialmethod(corners, operator.mul)
    __sub__ = partialmethod(corners, operator.sub)
    __rsub__ = partialmethod(corners, lambda own, other: other - own)

    def __rtruediv__(self, other):
        return Rounded(other) / self


class Printed:
    """The printed numbers of one paper: by key (table, row, column), or as tables."""

    def __init__(self, paper, folder=FOLDER, lines=None):
        self.paper, self.folder = paper, Path(folder)
        self.lines = read_published(paper, self.folder) if lines is None else lines
        self.values = self.lines.set_index(KEY[1:])["value"].to_dict()
        self._tables = {}  # as they are first asked for

    def changed(self, key, value):
        """Return the paper as it would be with another value printed at `key`."""
        here = (self.lines[KEY[1:]] == list(key)).all(axis=1)
        lines = self.lines.assign(value=self.lines["value"].mask(here, value))
        return type(self)(self.paper, self.folder, lines)

    def text(self, *key):
        """Return the value as printed; KeyError, naming paper and key, if none is."""
        if key not in self.values:
            raise KeyError(f"{self.paper} prints no {' | '.join(key)}")
        return self.values[key]

    def number(self, *key):
        """Return the value as a float (nan for a blank)."""
        return to_number(self.text(*key))

    def bounds(self, *key):
        """Return (low, high): what the unrounded value can have been."""
        number = self.number(*key)
        half = tolerance(self.text(*key))
        return number - half, number + half

    def cell(self, name):
        """Return the key of a printed number that the paper's cells.csv names; DataError for a name
        that is not there."""
        path = self.folder / self.paper / "cells.csv"
        cells = read_cells(path)
        if name not in cells:
            raise DataError(f"{name_file(path)}: no cell {name!r}; known: {', '.join(cells)}")
        return cells[name]

    def stated(self, name):
        """Return the printed number that the paper's cells.csv names, as a float."""
        return self.number(*self.cell(name))

    def keys(self, table):
        """Return the (table, row, column) keys of a table in printed order."""
        return [key for key in self.values if key[0] == table]

    def refuse_blanks(self, *tables):
        """Raise DataError, naming the cell, if one of these tables has a blank."""
        for table in tables:
            for key in self.keys(table):
                if not self.text(*key):
                    where = " | ".join(key)
                    raise DataError(f"{self.paper}, {where}: blank; the audit needs a number here")

    def table(self, table):
        """Return a table as `Rounded`, in printed order; nan for a blank and where nothing is."""
        if table not in self._tables:
            lines = self.lines[self.lines["table"] == table]
            texts = lines.pivot(index="row", columns="column", values="value")
            texts = texts.loc[lines["row"].unique(), lines["column"].unique()]
            mid = texts.map(to_number, na_action="ignore").astype(float)
            half = texts.map(tolerance, na_action="ignore").astype(float)
            self._tables[table] = Rounded(mid, mid - half, mid + half)
        return self._tables[table]

    def grid(self, table):
        """Return the numbers of a table as a DataFrame, without their rounding."""
        return self.table(table).mid.copy()
