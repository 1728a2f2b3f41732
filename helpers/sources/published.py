"""Read the numbers that a paper prints, as tables that know their rounding.

A paper's folder has a file printed.csv with a line per number, its value as it is printed:

    paper  table    row      column  value
    ttcw   Table 5  Average  GPT4    27.9

`Printed` gives such numbers one by one, by their key (table, row, column), or as tables. A printed
27.9 stands for anything from 27.85 to 27.95: `tolerance` says so of a value, `agrees` compares it
with a computed number, and a `Rounded` table carries both ends through arithmetic. What is computed
from printed numbers so has the bounds that their rounding leaves.
"""

import csv
import operator
import re
from fnmatch import translate
from functools import cache, reduce
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.sources.files import DataError, refuse
from helpers.sources.public import ROOT

DATA = ROOT / "data"
FOLDER = DATA / "papers"  # a folder per paper: printed.csv, facts.csv
KEY = ["paper", "table", "row", "column"]
UNITS = "%BXxMKk"
NUMBER = re.compile(  # what a value of printed.csv may look like
    rf"""
    \$? [+-]?                              # $70, +17%, -0.045
    ( \d+ (,\d{{3}})* (\.\d+)? | \.\d+ )    # 28, 2,016, 52.2, .5
    ( [eE] [+-]? \d{{1,2}} )?               # 1.92e-04
    [{UNITS}]? \+?                         # 52.2%, 10X, 2,000+
    | \d+ / [1-9]\d*                       # 1/3
    |                                      # a blank cell
    """,
    re.ASCII | re.VERBOSE,
)


def read_published(paper, folder=FOLDER):
    """Return a paper's printed numbers: paper, table, row, column, value (text, '' for a blank).

    Raises DataError, with file and line, for a bad value, another paper's line or a repeated key.
    """
    path = Path(folder) / paper / "printed.csv"
    columns = [*KEY, "value"]
    table = read_lines(path, columns)
    checks = [("paper", table["paper"] != paper, repr(paper))]
    checks += [(name, table[name].str.strip() == "", "a key that is not empty") for name in KEY]
    checks.append(("column", table.duplicated(KEY), "a key that stands on no earlier line"))
    checks.append(("value", ~table["value"].str.fullmatch(NUMBER), "a printed number"))
    refuse(table, name_file(path), checks)
    return table[columns]


def name_file(path):
    """Return a file of a paper as messages name it: 'ttcw/printed.csv'."""
    return f"{path.parent.name}/{path.name}"


def read_lines(path, columns):
    """Return a CSV file's cells as texts, and `where`: "line 2". Raises DataError, with file and
    line, for other columns than `columns`, or a line with more or fewer cells."""
    file_name = name_file(path)
    names = ", ".join(columns)
    with path.open(encoding="utf8", newline="") as file:
        reader = csv.reader(file)
        lines = [(f"line {reader.line_num}", cells) for cells in reader]
    _, header = lines.pop(0) if lines else ("", [])
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
    text = strip_units(value)
    if "/" in text:
        top, bottom = text.split("/")
        return float(top) / float(bottom)
    return float(text) if text else float("nan")


def tolerance(value):
    """Return half a unit in the last printed place ('0.27' -> 0.005, '1.9e-04' -> 5e-6).

    A fraction such as 2/3 is taken for words, "two thirds", which leave a twentieth of it open.
    """
    text = strip_units(value).lower()
    if "/" in text:
        return 0.05 * to_number(value)
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    last_place = int(exponent or 0) - decimals  # as a power of ten
    return 0.5 * 10.0**last_place


def strip_units(value):
    """Return a printed value without commas, unit and currency ('$2,000+' -> '2000')."""
    return str(value).replace(",", "").rstrip(f"{UNITS}+").lstrip("$")


def agrees(value, low, high=None):
    """Return whether a computed number can be printed as `value`.

    The number lies anywhere from `low` to `high`; without `high` it is `low`. At an exact half it
    may be rounded either way; "2,000+" means at least so many; a blank agrees with nan alone.
    """
    low, high = sorted((low, low if high is None else high))
    value = str(value)
    is_unknown = bool(pd.isna(low))
    if value == "" or is_unknown:
        return value == "" and is_unknown
    number = to_number(value)
    half = tolerance(value) * (1 + 1e-9)
    if value.endswith("+"):
        return bool(high >= number - half)
    return bool(low - half <= number <= high + half)


class Rounded:
    """Numbers that know their rounding: `mid` as printed, and between `low` and `high` when
    unrounded.

    All three are tables, columns or single numbers of the same labels; a printed 0.27 has mid 0.27,
    low 0.265, high 0.275. A number without bounds is exact. What selects, + - * / and the methods
    of pandas in MONOTONE, which never fall where a number rises, keep the bounds right.
    """

    MONOTONE = {"mean", "sum", "max", "min", "drop", "rename", "to_frame", "set_axis", "transpose"}
    # so that `table - rounded` is computed here and not by pandas or numpy
    __array_ufunc__ = None
    __pandas_priority__ = 9999

    def __init__(self, mid, low=None, high=None):
        if isinstance(mid, Rounded):
            mid, low, high = mid.mid, mid.low, mid.high
        self.mid = mid
        self.low = mid if low is None else low
        self.high = mid if high is None else high

    def each(self, function):
        """Apply a function that never falls where a number rises to mid, low and high."""
        return Rounded(function(self.mid), function(self.low), function(self.high))

    def __getattr__(self, name):
        if name not in self.MONOTONE:
            raise AttributeError(f"Rounded has no {name!r}; take .mid for the numbers alone")

        def apply(*args, **named):
            return self.each(lambda part: getattr(part, name)(*args, **named))

        return apply

    def __getitem__(self, key):
        return self.each(lambda part: part[key])

    def at(self, rows, columns):
        """Select by labels, as pandas' loc does: a table, a column, a row or one number."""
        return self.each(lambda part: part.loc[rows, columns])

    def combine(self, operation, other):
        """Return operation(self, other), of two numbers, element by element.

        An arithmetic operation is largest and smallest at the ends of both sides, so its bounds are
        the extremes of the four values there.
        """
        other = Rounded(other)
        at_ends = []
        for own_end in (self.low, self.high):
            for other_end in (other.low, other.high):
                at_ends.append(operation(own_end, other_end))
        low = reduce(np.minimum, at_ends)
        high = reduce(np.maximum, at_ends)
        return Rounded(operation(self.mid, other.mid), low, high)

    def __add__(self, other):
        return self.combine(operator.add, other)

    def __radd__(self, other):
        return self + other

    def __sub__(self, other):
        return self.combine(operator.sub, other)

    def __rsub__(self, other):
        return Rounded(other) - self

    def __mul__(self, other):
        return self.combine(operator.mul, other)

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        other = Rounded(other)
        with np.errstate(divide="ignore", invalid="ignore"):
            quotient = self.combine(divide, other)
        may_be_zero = np.asarray(other.low <= 0) & np.asarray(other.high >= 0)
        unbounded = np.where(may_be_zero, np.inf, 0.0)  # a divisor that may be 0 bounds nothing
        return Rounded(quotient.mid, quotient.low - unbounded, quotient.high + unbounded)

    def __rtruediv__(self, other):
        return Rounded(other) / self


def divide(a, b):
    """Return a / b; by 0 it is inf or nan, and no error, also for plain numbers."""
    divisor = b if np.ndim(b) else np.float64(b)
    return a / divisor


class Printed:
    """The printed numbers of one paper, by key (table, row, column) or as tables.

    paper: its short name; folder: of all papers; lines: the printed numbers, as `read_published`
    returns them, which reads them where none are given. `values` is {key: value as printed}.
    """

    def __init__(self, paper, folder=FOLDER, lines=None):
        self.paper = paper
        self.folder = Path(folder)
        self.lines = read_published(paper, self.folder) if lines is None else lines
        self.values = self.lines.set_index(KEY[1:])["value"].to_dict()
        self._tables = {}  # as they are first asked for

    def changed(self, key, value):
        """Return the paper as it would be with another value printed at `key`."""
        is_changed = (self.lines[KEY[1:]] == list(key)).all(axis=1)
        values = self.lines["value"].mask(is_changed, value)
        lines = self.lines.assign(value=values)
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

    def matching(self, *patterns):
        """Return the keys that table, row and column patterns match (* stands for anything)."""
        matches = re.compile(translate(" | ".join(patterns))).match
        return [key for key in self.values if matches(" | ".join(key))]

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
