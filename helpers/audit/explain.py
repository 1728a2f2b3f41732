"""Tell about printed numbers: python -m helpers.audit.explain PAPER [TABLE [ROW [COLUMN]]].

What is left out stands for all: ttcw is a whole paper, ttcw "Table 5" Average a row of a table.
"""

import argparse
import math
from difflib import get_close_matches

import pandas as pd

from helpers.audit.checks import CLAIM
from helpers.audit.ledger import CONTRADICTED, IN_WORDS, propose_edit
from helpers.sources.names import display_name
from helpers.sources.public import ROOT
from helpers.sources.published import KEY, tolerance

BASIS = {  # what a verdict rests on, for the column of the report's table
    "raw": "from public raw data",
    "code": "from released code",
    "printed": "from other printed numbers",
    "none": "nothing that we have",
}
COUNTED, INPUT, WINDOW = "counted: ", " (input checked)", "; so between "
MEANINGS = {  # what a verdict says, for the command
    "reproduced": "it comes out of the public data",
    "consistent": "other numbers fix it, and it agrees with them",
    "not contradicted": "other numbers only bound it, and it keeps the bound",
    "differs": "contradicted by the data or the code",
    "inconsistent": "contradicted by other printed numbers",
    "unverifiable": "it cannot be checked",
    "blank": "the paper leaves this cell blank",
}


def describe(line, shared=1):
    """Return what a line of the ledger, a dict, says, for readers: {label: text}, without what is
    empty; shared: how many lines have its cause."""
    how, _, window = line["how"].replace(INPUT, "").partition(WINDOW)
    is_claim, fails = how.startswith(CLAIM), line["verdict"] in CONTRADICTED
    in_words = line["column"].startswith(IN_WORDS)
    noticed = "" if fails else line["strength"]
    edit = ""
    if fails and not in_words:  # the smallest that would mend it
        edit = propose_edit(line["value"], line["computed"], line["how"])
    told = {
        "printed": f"{line['value']} (a claim in words)" if in_words else line["value"],
        "asked of it": how.removeprefix(CLAIM) if is_claim else "",
        "compared with" if is_claim else "computed": shorten(line["computed"], line["value"]),
        "must lie": f"between {window}" if window else "",
        "how": "" if is_claim else how.removeprefix(COUNTED),
        "verdict": f"{line['verdict']}: {MEANINGS[line['verdict']]}",
        "rests on": "" if line["basis"] == "none" else BASIS[line["basis"]].removeprefix("from "),
        "size": "only the last digit is off" if line["severity"] == "last digit" else "",
        "stands with": "the numbers of its check" if INPUT in line["how"] and not fails else "",
        "planted typos": f"{noticed} noticed by checks of this kind" if noticed else "",
        "cause" if fails else "concerned by": line["cause"].partition(": ")[2],
        "same cause": f"{shared} numbers" if line["cause"] and shared > 1 else "",
        "would agree if": edit,
        "notebook": line["notebook"],
    }
    if window:
        told["computed"] = ""  # one end of the window
    if line["verdict"] == "blank":
        told = {"verdict": told["verdict"]}
    return {label: text for label, text in told.items() if text}


def name_place(line):
    """Return where a number stands: 'Art or Artifice?, Table 5, row Average, column GPT4'."""
    row, column = line["row"], line["column"]
    if line["table"] == "text":
        where = f"section {row}" if row[0].isdigit() else row
        return f"{display_name(line['paper'])}, {where}, {column.removeprefix(IN_WORDS)}"
    return f"{display_name(line['paper'])}, {line['table']}, row {row}, column {column}"


def shorten(computed, value):
    """Return a computed number as text with at most two places more than the printed one has."""
    if computed == "":
        return ""
    number, unit = float(computed), 2 * tolerance(value)
    if unit < 2e-6 or 0 < abs(number) < 1e-4:
        return f"{number:.3g}"
    places = 2 + max(0, round(-math.log10(unit)))
    return f"{number:.{places}f}".rstrip("0").rstrip(".")


def find(lines, wanted):
    """Return the lines of the ledger at a place; SystemExit with near names for an unknown one.

    wanted: {paper, table, row, column: name}, None for all; part of a column's name will do.
    """
    place = "the ledger"
    for name, value in wanted.items():
        if value is None:
            break
        known = list(dict.fromkeys(lines[name]))
        chosen = [value] if value in known else []
        if not chosen and name == "column":
            chosen = [column for column in known if value.casefold() in column.casefold()]
        if not chosen:
            near = get_close_matches(value, known, 3, 0.3) or known[:3]
            raise SystemExit(f"No {name} {value!r} in {place}; try: {'; '.join(near)}.")
        lines = lines[lines[name].isin(chosen)]
        place = f"{value} of {place}"
    return lines


def main():
    """Print what the ledger says of the numbers asked for."""
    parser = argparse.ArgumentParser(prog="python -m helpers.audit.explain", description=__doc__)
    parser.add_argument("paper")
    for name in KEY[1:]:
        parser.add_argument(name, nargs="?")
    wanted = vars(parser.parse_args())
    whole = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
    shared = whole["cause"].value_counts()
    pages = []
    for line in find(whole, wanted).to_dict("records"):
        told = describe(line, int(shared[line["cause"]]))
        page = [f"{label + ':':16}{text}" for label, text in told.items()]
        pages.append("\n".join([name_place(line), *page]))
    print("\n\n".join(pages))


if __name__ == "__main__":
    main()
