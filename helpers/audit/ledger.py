"""Turn the checks of papers into the ledger: one line per printed number, with its verdict."""

import re
from fnmatch import fnmatchcase

import pandas as pd

from helpers.audit.checks import Check
from helpers.audit.facts import BASES
from helpers.results import list_notebooks
from helpers.sources.files import DataError, replace_file, round_number
from helpers.sources.names import PAPER_NAMES
from helpers.sources.public import ROOT
from helpers.sources.published import FOLDER, KEY, read_lines, read_published, to_number, tolerance

PAPERS = list(PAPER_NAMES)
DECIDED = [*KEY, "value", "computed", "basis", "verdict", "how", "notebook"]
# of the whole ledger
COLUMNS = [*DECIDED[:-2], "severity", "strength", "cause", *DECIDED[-2:]]
IN_WORDS = "in words: "  # begins the column of a claim without a numeral
SEVERITIES = ["larger", "in words", "last digit"]
CONTRADICTED = ["differs", "inconsistent"]
VERDICTS = ["reproduced", "consistent", "not contradicted", *CONTRADICTED, "unverifiable", "blank"]
CAUSE = [*KEY, "how", "cause"]
IF_IT_HOLDS = {
    "raw": "reproduced",
    "code": "consistent",
    "printed": "consistent",
    "none": "unverifiable",
}
IF_IT_FAILS = {
    "raw": "differs",
    "code": "differs",
    "printed": "inconsistent",
    "none": "unverifiable",
}


def decide(paper, notebook):
    """Return the ledger lines, in printed order, of the numbers that `paper` (a Paper) has checked:
    a DataFrame with the columns of `DECIDED`."""
    is_checked = [key in paper.checked for key in paper.values]
    lines = paper.lines[is_checked].reset_index(drop=True)
    checks = [paper.checked[key] for key in paper.values if key in paper.checked]
    lines = lines.join(pd.DataFrame(checks, columns=Check._fields))
    lines["verdict"] = [verdict_of(*pair) for pair in zip(checks, lines["value"])]
    lines["notebook"] = notebook
    return lines[DECIDED]


def verdict_of(check, value):
    """Return the verdict on a printed value by the check that counts for it. What only bounds a
    number leaves it not contradicted; a blank cell has no number to judge."""
    if value == "":
        return "blank"
    if not check.holds:
        return IF_IT_FAILS[check.basis]
    return "not contradicted" if check.bound else IF_IT_HOLDS[check.basis]


def kind(table, how):
    """Return the kind of check behind a line: its phrase without numbers and remarks, or text."""
    if table == "text":
        return "running text"
    phrase = re.split(r"; | \(input", how)[0]
    plain = re.sub(r"[\d.]+", "#", phrase).strip()
    return f"{table}: {plain}"


def save(papers, notebook, outputs):
    """Write what one notebook decides of `papers` (each a Paper) to <outputs>/ledger-<notebook>.csv
    and return it: the columns of `DECIDED`."""
    part = pd.concat([decide(paper, notebook) for paper in papers], ignore_index=True)
    numbers = zip(part["computed"], part["value"])
    written = part.assign(computed=[ten_digits(*pair) for pair in numbers])
    path = ROOT / outputs / f"ledger-{notebook}.csv"
    replace_file(path, written.to_csv(index=False))
    return part


def join(outputs):
    """Return the whole ledger, with the columns of `COLUMNS`, from the parts that the project's
    notebooks have left in the folder `outputs`: of several checks of a number the strongest basis.
    DataError if there is no part."""
    paths = [ROOT / outputs / f"ledger-{number}.csv" for number in list_notebooks()]
    paths = [path for path in paths if path.is_file()]
    if not paths:
        advice = "run notebooks 01 to 05 with these outputs first, or say make reproduce"
        raise DataError(f"{ROOT / outputs}: no part of the ledger (ledger-01.csv, …); {advice}")
    parts = [pd.read_csv(path, dtype=str, keep_default_na=False) for path in paths]
    decided = pd.concat([*parts, pd.DataFrame(columns=DECIDED)])
    rank = decided["basis"].map(BASES.index)
    strongest = decided.assign(rank=rank).sort_values("rank", kind="stable").drop_duplicates(KEY)
    printed = pd.concat([read_published(paper) for paper in PAPERS])
    whole = printed.merge(strongest.drop(columns=["value", "rank"]), "left", KEY, validate="1:1")
    unchecked = {
        "basis": "none",
        "verdict": "unverifiable",
        "how": "no check was found",
        "notebook": "06",
    }
    whole = whole.fillna(unchecked).fillna("")
    whole.loc[whole["value"] == "", "verdict"] = "blank"
    whole["severity"] = severities(whole)
    whole["strength"] = strengths(whole)
    whole["cause"] = causes(whole)
    return whole[COLUMNS]


def list_contradicted(part):
    """Return the contradicted lines of a part, with what readers need to find them in print."""
    wrong = part[part["verdict"].isin(CONTRADICTED)]
    columns = ["paper", "table", "row", "column", "value", "computed"]
    return wrong[columns].rename(columns={"value": "printed"})


def strengths(lines):
    """Return for each line how many planted typos its kind of check catches: '26 of 32'; '' where
    none was planted."""
    measured = pd.read_csv(ROOT / "outputs" / "strength.csv")
    measured = measured[measured["digit"] == "any"]
    caught = (measured["estimate"] * measured["n"]).round().astype(int)
    shares = caught.astype(str) + " of " + measured["n"].astype(str)
    kinds = zip(measured["paper"], measured["kind"], measured["verdict"])
    by_kind = dict(zip(kinds, shares))
    kinds = map(kind, lines["table"], lines["how"])
    return [by_kind.get(key, "") for key in zip(lines["paper"], kinds, lines["verdict"])]


def severities(lines):
    """Return how far off each contradicted number is: `SEVERITIES`; '' for one that is not."""
    columns = [lines[name] for name in ("verdict", "column", "value", "computed")]
    return [severity(*cells) for cells in zip(*columns)]


def severity(verdict, column, value, computed):
    """Return 'last digit' for a contradicted number with decimals that the next one in its last
    place would mend (cut off and not rounded, for example), 'in words' for a claim in words, else
    'larger'; '' for a number that is not contradicted."""
    if verdict not in CONTRADICTED:
        return ""
    if column.startswith(IN_WORDS):
        return "in words"
    has_decimals = "." in value
    if computed == "" or not has_decimals:
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
    is_contradicted = lines["verdict"].isin(CONTRADICTED)
    return [cause_of(*pair, rules) for pair in zip(cells, is_contradicted)]


def cause_of(cells, is_contradicted, rules):
    """Return the cause of one line, as `causes` says. cells: paper, table, row, column, how; rules:
    lists of the same, wildcards allowed, and the cause."""
    paper, *place, _ = cells
    for *patterns, how, cause in rules:
        if not is_contradicted and how == "*":
            continue
        if all(map(fnmatchcase, cells, [*patterns, how])):
            return f"{paper}: {cause}"
    return f"{paper}: {', '.join(place)}" if is_contradicted else ""


def ten_digits(number, value="1"):
    """Return a number as text of ten digits, noise as 0 unless `value` is so small; '' for none."""
    if number is None or pd.isna(number):
        return ""
    is_tiny = str(value) != "" and tolerance(value) < 1e-9
    number = float(number) if is_tiny else round_number(number)
    return f"{number:.10g}"


def propose_edit(value, computed, how=""):
    """Return the smallest edit that corrects a printed value; '' for a claim, a blank, or a count
    that is known to the hundred only."""
    is_loose = how.startswith("claim") or "to the hundred" in how
    if computed in ("", None) or value == "" or "/" in str(value) or is_loose:
        return ""
    sign, core, unit = re.match(r"^([$+-]*)(.*?)([%BXxMKk+]*)$", str(value)).groups()
    mantissa, _, exponent = core.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    style = "e" if exponent else "f"
    number = f"{float(computed):.{decimals}{style}}"
    before = ""
    if "$" in sign:
        before = "$"
    elif "+" in sign and float(computed) >= 0:
        before = "+"
    return before + number + unit
