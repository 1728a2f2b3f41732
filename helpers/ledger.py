"""Read the papers' printed numbers, give each a verdict, and write the ledger."""
import csv
import re
from functools import cache
from pathlib import Path

import pandas as pd

from helpers.data import ROOT
from helpers.files import replace_file, round_number

PAPERS = ["ttcw", "refbased_v1", "refbased_v2", "poetry", "evolvr"]
KEY = ["paper", "table", "row", "column"]
COLUMNS = [*KEY, "value", "computed", "basis", "verdict", "how", "notebook"]
NUMBER = re.compile(r"\$?[+-]?(\d+(,\d{3})*(\.\d+)?|\.\d+)([eE][+-]?\d{1,2})?[%BXxMKk]?\+?|\d+/[1-9]\d*|", re.ASCII)


class LedgerError(ValueError):
    """A published table or a ledger line is not what it must be; the message names file, line and expectation."""


def read_published(paper, folder=ROOT / "data" / "published"):
    """Return one paper's printed numbers: paper, table, row, column, value (a string, '' where the cell is blank).

    Raises LedgerError with file and line for a missing column, a line with other than five cells, an empty or repeated
    key, another paper's line or a value that is not a number.
    """
    path = Path(folder) / f"{paper}.csv"
    return _published(paper, path, path.stat().st_mtime_ns).copy()


@cache
def _published(paper, path, changed):
    columns = [*KEY, "value"]
    with path.open(encoding="utf8", newline="") as file:
        reader = csv.reader(file)
        header, lines = next(reader, []), [(reader.line_num, cells) for cells in reader]
    if header != columns:
        raise LedgerError(f"{path.name}, line 1: columns {', '.join(header)}; expected {', '.join(columns)}")
    for number, cells in lines:
        if len(cells) != len(columns):
            raise LedgerError(f"{path.name}, line {number}: {len(cells)} cells, expected {len(columns)} ({', '.join(columns)})")
    table = pd.DataFrame([cells for _, cells in lines], columns=columns, dtype=str)
    checks = [(table["paper"] != paper, f"paper is not {paper!r}"),
              (table[KEY].apply(lambda column: column.str.strip() == "").any(axis=1), "an empty key"),
              (table.duplicated(KEY), "a key that stands on an earlier line too"),
              (~table["value"].map(lambda v: bool(NUMBER.fullmatch(v))), "a value that is not a printed number")]
    for bad, what in checks:
        if bad.any():
            i = bad.idxmax()
            key = ", ".join(table.loc[i, KEY])
            raise LedgerError(f"{path.name}, line {lines[i][0]}: {what} ({key}: {table.at[i, 'value']!r})")
    return table


def to_number(value):
    """Return the float that a printed value means ('52.2%' -> 52.2, '2/3' -> 0.666…, '' -> nan)."""
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


def agrees(value, computed):
    """Return whether a computed number rounds to the printed one (either way at an exact half); blank agrees with nan."""
    if str(value) == "" or pd.isna(computed):
        return str(value) == "" and bool(pd.isna(computed))
    if str(value).endswith("+"):  # "2,000+": at least so many
        return bool(float(computed) >= to_number(value) - tolerance(value))
    return bool(abs(to_number(value) - float(computed)) <= tolerance(value) * (1 + 1e-9))


def line(paper, table, row, column, computed, basis, how, holds=None):
    """Return one ledger line; `holds` (a computed bool) replaces the comparison with the printed rounding where given."""
    return {"paper": paper, "table": table, "row": row, "column": column, "computed": computed, "basis": basis, "how": how,
            "holds": holds}


def decide(lines, notebook):
    """Return `lines` (dicts of `line`) joined to the printed values, with verdicts.

    basis raw -> reproduced or differs; printed -> consistent or inconsistent; none -> unverifiable.
    Raises LedgerError for an unknown key, a key given twice or an unknown basis.
    """
    table = pd.DataFrame(lines, columns=[*KEY, "computed", "basis", "how", "holds"])
    if table.duplicated(KEY).any():
        raise LedgerError(f"two ledger lines for {tuple(table[table.duplicated(KEY)].iloc[0][KEY])}")
    printed = pd.concat([read_published(paper) for paper in table["paper"].unique()])
    table = table.merge(printed, on=KEY, how="left", validate="one_to_one")
    if table["value"].isna().any():
        raise LedgerError(f"no printed number has the key {tuple(table[table['value'].isna()].iloc[0][KEY])}")
    words = {"raw": ("differs", "reproduced"), "printed": ("inconsistent", "consistent"), "none": ("unverifiable",) * 2}
    if not set(table["basis"]) <= set(words):
        raise LedgerError(f"basis {set(table['basis']) - set(words)}: expected raw, printed or none")
    holds = [bool(h) if h is not None and not pd.isna(h) else agrees(v, c)
             for v, c, h in zip(table["value"], table["computed"], table["holds"])]
    table["verdict"] = [words[basis][hold] for basis, hold in zip(table["basis"], holds)]
    return table.assign(notebook=notebook)[COLUMNS]


def ten_digits(number, value="1"):
    """Return a number as text with ten significant digits ('' for nothing), so that machines agree to the byte.

    Noise below 1e-12 becomes 0, unless the printed `value` beside it is that small itself (a p of 2.6e-28).
    """
    if number is None or (not isinstance(number, str) and pd.isna(number)):
        return ""
    if isinstance(number, str):
        return number
    return f"{float(number) if str(value) and tolerance(value) < 1e-9 else round_number(number):.10g}"


def save(lines, notebook, outputs, fill=None):
    """Write the part of the ledger that one notebook decides to `<outputs>/ledger-<notebook>.csv`; return it.

    `fill`: {paper: reason} marks every printed number of that paper without a line as unverifiable for that reason.
    """
    part = decide(lines, notebook)
    for paper, reason in (fill or {}).items():
        rest = read_published(paper).merge(part[KEY], on=KEY, how="left", indicator=True)
        rest = rest[rest["_merge"] == "left_only"]
        if len(rest):
            part = pd.concat([part, decide([line(*key, None, "none", reason) for key in rest[KEY].values], notebook)])
    text = [ten_digits(number, value) for number, value in zip(part["computed"], part["value"])]
    replace_file(ROOT / outputs / f"ledger-{notebook}.csv", part.assign(computed=text).to_csv(index=False))
    return part


def join(outputs):
    """Return the whole ledger: one line a printed number, in the papers' order, from the parts in `outputs`.

    A number that two notebooks decide keeps the stronger basis (raw, then printed); one that none decides is unverifiable.
    """
    parts = [pd.read_csv(path, dtype=str, keep_default_na=False) for path in sorted((ROOT / outputs).glob("ledger-??.csv"))]
    decided = pd.concat([*parts, pd.DataFrame(columns=COLUMNS)])
    rank = decided["basis"].map({"raw": 0, "printed": 1, "none": 2}).astype(float)
    decided = decided.assign(rank=rank).sort_values("rank", kind="stable").drop_duplicates(KEY).drop(columns=["rank", "value"])
    whole = pd.concat([read_published(paper) for paper in PAPERS]).merge(decided, on=KEY, how="left", validate="one_to_one")
    whole = whole.fillna({"basis": "none", "verdict": "unverifiable", "how": "no check was found", "notebook": "06"})
    return whole.fillna("")[COLUMNS]


def first_of(*lists):
    """Return the lines of several lists, keeping the first line for each key (so that raw comes before printed)."""
    kept = {}
    for item in (item for items in lists for item in items):
        kept.setdefault(tuple(item[name] for name in KEY), item)
    return list(kept.values())


def propose_edit(value, computed, how=""):
    """Return the smallest edit that would mend a printed value: the computed number in the printed format.

    It is '' for a blank, for nothing computed and for a claim (`how` begins with 'claim'), which no single number mends.
    """
    if computed in ("", None) or value == "" or "/" in str(value) or how.startswith("claim"):
        return ""
    sign, core, unit = re.match(r"^([$+-]*)(.*?)([%BXxMKk+]*)$", str(value)).groups()
    mantissa, _, exponent = core.lower().partition("e")
    places = len(mantissa.partition(".")[2])
    number = f"{float(computed):.{places}e}" if exponent else f"{float(computed):.{places}f}"
    return ("+" if "+" in sign and float(computed) >= 0 else "$" if "$" in sign else "") + number + unit

