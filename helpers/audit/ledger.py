"""Turn the checks of papers into the ledger: one line per printed number, with its verdict."""

import re
from fnmatch import fnmatchcase

import numpy as np
import pandas as pd

from helpers.sources.files import DataError, replace_file, round_number
from helpers.sources.names import PAPER_NAMES
from helpers.sources.public import ROOT
from helpers.sources.published import FOLDER, KEY, read_lines, read_published, to_number, tolerance

PAPERS = list(PAPER_NAMES)
DECIDED = [*KEY, "value", "computed", "basis", "verdict", "how", "notebook"]
# of the whole ledger
COLUMNS = [*DECIDED[:-2], "severity", "strength", "cause", "how", "notebook"]
IN_WORDS = "in words: "  # begins the column of a claim without a numeral
SEVERITIES = ["larger", "in words", "last digit"]
CONTRADICTED = ["differs", "inconsistent"]
VERDICTS = ["reproduced", "consistent", "not contradicted", *CONTRADICTED, "unverifiable", "blank"]
CAUSE = [*KEY, "how", "cause"]
WORDS = {
    "raw": ("differs", "reproduced"),
    "code": ("differs", "consistent"),
    "printed": ("inconsistent", "consistent"),
    "none": ("unverifiable",) * 2,
}


def decide(paper, notebook):
    """Return the ledger lines, in printed order, of the numbers that `paper` (a Paper) has checked.

    By its basis as `WORDS` says; but what only bounds a number leaves it not contradicted, and a
    blank cell has no number to judge.
    """
    lines = paper.lines[[key in paper.found for key in paper.values]].reset_index(drop=True)
    found = [paper.found[key] for key in paper.values if key in paper.found]
    lines = lines.join(pd.DataFrame(found, columns=["computed", "basis", "how", "holds", "bound"]))
    lines["verdict"] = [WORDS[basis][held] for basis, held in zip(lines["basis"], lines["holds"])]
    lines.loc[lines["holds"] & lines["bound"], "verdict"] = "not contradicted"
    lines.loc[lines["value"] == "", "verdict"] = "blank"
    lines["notebook"] = notebook
    return lines[DECIDED]


def kind(table, how):
    """Return the kind of check behind a line: its phrase without numbers and remarks, or text."""
    plain = re.sub(r"[\d.]+", "#", re.split(r"; | \(input", how)[0]).strip()
    return "running text" if table == "text" else f"{table}: {plain}"


def save(papers, notebook, outputs):
    """Write and return what one notebook decides of `papers`: <outputs>/ledger-<notebook>.csv."""
    part = pd.concat([decide(paper, notebook) for paper in papers], ignore_index=True)
    text = [ten_digits(number, value) for number, value in zip(part["computed"], part["value"])]
    path = ROOT / outputs / f"ledger-{notebook}.csv"
    replace_file(path, part.assign(computed=text).to_csv(index=False))
    return part


def join(outputs):
    """Return the whole ledger from the parts in `outputs` (strongest basis); DataError for none."""
    paths = sorted((ROOT / outputs).glob("ledger-??.csv"))
    if not paths:
        advice = "run notebooks 01 to 05 with these outputs first, or say make reproduce"
        raise DataError(f"{ROOT / outputs}: no part of the ledger (ledger-01.csv, …); {advice}")
    parts = [pd.read_csv(path, dtype=str, keep_default_na=False) for path in paths]
    decided = pd.concat([*parts, pd.DataFrame(columns=[*KEY, "value", "basis"])])
    rank = [*map([*WORDS].index, decided["basis"])]
    decided = decided.iloc[np.argsort(rank, kind="stable")].drop_duplicates(KEY)
    whole = pd.concat([read_published(paper) for paper in PAPERS])
    whole = whole.merge(decided.drop(columns="value"), "left", KEY, validate="1:1")
    none = {"basis": "none", "verdict": "unverifiable", "notebook": "06"}
    whole = whole.fillna(none | {"how": "no check was found"}).fillna("")
    whole.loc[whole["value"] == "", "verdict"] = "blank"
    added = {"severity": severities(whole), "strength": strengths(whole), "cause": causes(whole)}
    return whole.assign(**added)[COLUMNS]


def list_contradicted(part):
    """Return the contradicted lines of a part, with what readers need to find them in print."""
    wrong = part[part["verdict"].isin(CONTRADICTED)]
    columns = ["paper", "table", "row", "column", "value", "computed"]
    return wrong[columns].rename(columns={"value": "printed"})


def strengths(lines):
    """Return for each line how many planted typos its kind of check catches: '26 of 32'."""
    measured = pd.read_csv(ROOT / "outputs" / "strength.csv")
    measured = measured[measured["digit"] == "any"].set_index(["paper", "kind", "verdict"])
    caught = (measured["estimate"] * measured["n"]).round().astype(int)
    told = (caught.astype(str) + " of " + measured["n"].astype(str)).to_dict()
    kinds = map(kind, lines["table"], lines["how"])
    return [told.get(key, "") for key in zip(lines["paper"], kinds, lines["verdict"])]


def severities(lines):
    """Return how far off each contradicted number is: `SEVERITIES`; '' for one that is not."""
    columns = lines[["verdict", "column", "value", "computed"]].to_numpy().tolist()
    return [severity(*cells) if cells[0] in CONTRADICTED else "" for cells in columns]


def severity(verdict, column, value, computed):
    """Return 'last digit' for a number with decimals that the next one in its last place would
    mend (cut off and not rounded, for example), 'in words' for a claim in words, else 'larger'."""
    if column.startswith(IN_WORDS):
        return "in words"
    decimals = "." in value
    if computed == "" or not decimals:
        return "larger"
    off = abs(float(computed) - to_number(value))
    unit = 2 * tolerance(value)
    return "last digit" if off <= 1.5 * unit * (1 + 1e-9) else "larger"


def causes(lines):
    """Return for each line the reason that it shares with others ('' for one not contradicted).

    By data/papers/causes.csv (wildcards; the first rule counts; one with a phrase in `how` also for
    lines that hold); else a contradicted number is its own cause, still to be named there.
    """
    rules = read_lines(FOLDER / "causes.csv", CAUSE)[CAUSE].to_numpy().tolist()
    cells = lines[CAUSE[:-1]].to_numpy().tolist()
    bad = lines["verdict"].isin(CONTRADICTED)
    found = []
    for one, is_bad in zip(cells, bad):
        own = f"{one[0]}: {', '.join(one[1:-1])}" if is_bad else ""
        known = [rule for rule in rules if is_bad or rule[-2] != "*"]
        shared = (f"{one[0]}: {rule[-1]}" for rule in known if all(map(fnmatchcase, one, rule)))
        found.append(next(shared, own))
    return found


def ten_digits(number, value="1"):
    """Return a number as text of ten digits, noise as 0 unless `value` is so small; '' for none."""
    if number is None or pd.isna(number):
        return ""
    tiny = str(value) and tolerance(value) < 1e-9
    return f"{float(number) if tiny else round_number(number):.10g}"


def propose_edit(value, computed, how=""):
    """Return the smallest edit that corrects a printed value; '' for a claim, a blank, or a count
    that is known to the hundred only."""
    loose = how.startswith("claim") or "to the hundred" in how
    if computed in ("", None) or value == "" or "/" in str(value) or loose:
        return ""
    sign, core, unit = re.match(r"^([$+-]*)(.*?)([%BXxMKk+]*)$", str(value)).groups()
    mantissa, _, exponent = core.lower().partition("e")
    places = len(mantissa.partition(".")[2])
    number = f"{float(computed):.{places}{'e' if exponent else 'f'}}"
    plus = "+" if "+" in sign and float(computed) >= 0 else ""
    return ("$" if "$" in sign else plus) + number + unit
