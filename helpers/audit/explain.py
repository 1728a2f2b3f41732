"""Tell the story of printed numbers: python -m helpers.audit.explain PAPER [TABLE [ROW [COLUMN]]].

What is left out stands for all: ttcw is a whole paper, ttcw "Table 5" Average a row of a table.
"""

import argparse
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
SOURCES = {"raw": "The public data", "code": "Released code", "printed": "Other printed numbers"}
COUNTED, INPUT, WINDOW = "counted: ", " (input checked)", "; so between "
MEANINGS = {
    "reproduced": "So the number comes out of the public data.",
    "consistent": "So the number is confirmed.",
    "not contradicted": "That only bounds the number: nothing fixes it.",
    "differs": "So it is contradicted.",
    "inconsistent": "So it is contradicted.",
}


def tell(line, shared=1):
    """Return in plain sentences what one line of the ledger, a dict, says; shared: how many lines
    have its cause."""
    if line["verdict"] == "blank":
        return f"{name_place(line)} the paper leaves this cell blank."
    parts = [
        name_place(line),
        what_is_printed(line),
        what_was_found(line),
        how_sharp(line),
        why(line, shared),
        propose(line),
        f"Checked in notebook {line['notebook']}.",
    ]
    return " ".join(part for part in parts if part)


def name_place(line):
    """Return where a number stands: 'Art or Artifice?, Table 5, row Average, column GPT4:'."""
    paper = display_name(line["paper"])
    if line["table"] == "text":
        where = f"section {line['row']}" if line["row"][0].isdigit() else line["row"]
        return f"{paper}, {where}:"
    return f"{paper}, {line['table']}, row {line['row']}, column {line['column']}:"


def what_is_printed(line):
    """Return what the paper prints, or claims in words, as a clause that follows its place."""
    column = line["column"]
    if column.startswith(IN_WORDS):
        claim = column.removeprefix(IN_WORDS)
        return f"the paper claims in words what comes to {line['value']} ({claim})."
    of = f" ({column})" if line["table"] == "text" else ""
    return f"the paper prints {line['value']}{of}."


def what_was_found(line):
    """Return what the check found, and what follows for the number, in sentences."""
    if line["verdict"] == "unverifiable":
        return f"It cannot be checked: {line['how']}."
    fails = line["verdict"] in CONTRADICTED
    sentences = [say_check(line), MEANINGS[line["verdict"]]]
    if line["severity"] == "last digit":
        sentences.append("Only its last digit is off.")
    if INPUT in line["how"] and not fails:
        together = "It was itself used in the check: these numbers stand or fall together."
        sentences.append(together)
    return " ".join(sentences)


def say_check(line):
    """Return what a check asked or gave, as a sentence."""
    how = line["how"].replace(INPUT, "")
    computed = shorten(line["computed"], line["value"])
    fails = line["verdict"] in CONTRADICTED
    if how.startswith(CLAIM):
        asked_of_it = how.removeprefix(CLAIM)
        beside = f" (compared with {computed})" if computed else ""
        holds = "It does not hold" if fails else "It holds"
        return f"What is asked of it: {asked_of_it}{beside}. {holds}."
    if how.startswith(COUNTED):
        source, how = "Counting", how.removeprefix(COUNTED)
    else:
        source = SOURCES.get(line["basis"], "")
    reason, _, window = how.partition(WINDOW)
    if window:
        return f"{source} put it between {window}: {reason}."
    if computed == "":
        fits = "does not fit" if fails else "fits"
        return f"It {fits} other numbers: {how}."
    if line["verdict"] == "not contradicted":
        return f"{source} put it near {computed}: {how}."
    verb = "give" if source.endswith(("data", "numbers")) else "gives"
    return f"{source} {verb} {computed}: {how}."


def shorten(computed, value):
    """Return a computed number as text with at most two places more than the printed one has."""
    if computed == "":
        return ""
    number = float(computed)
    half = tolerance(value)
    is_tiny = number != 0 and abs(number) < 1e-4
    if half < 1e-6 or is_tiny:
        return f"{number:.3g}"
    half_in_digits = f"{half:.10f}".rstrip("0")
    places = max(0, len(half_in_digits.partition(".")[2]) - 1)
    text = f"{number:.{places + 2}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def how_sharp(line):
    """Return how many planted typos this kind of check noticed, as a sentence; '' if not tried."""
    if not line["strength"] or line["verdict"] in CONTRADICTED:
        return ""
    noticed, planted = line["strength"].split(" of ")
    which = noticed
    if noticed == planted:
        which = "all"
    elif noticed == "0":
        which = "none"
    digits = "digit" if planted == "1" else "digits"
    were = "was" if which == "1" else "were"
    tried = f"We planted {planted} wrong {digits} in numbers checked this way"
    return f"{tried}: {which} of them {were} noticed."


def why(line, shared):
    """Return the cause of a contradiction, and with how many others it is shared."""
    cause = line["cause"].partition(": ")[2]
    if not cause:
        return ""
    others = shared - 1
    company = ""
    if others:
        numbers = "number" if others == 1 else "numbers"
        company = f" ({others} other {numbers} for the same reason)"
    if line["verdict"] in CONTRADICTED:
        return f"Reason: {cause}{company}."
    return f"A contradiction concerns it: {cause}{company}."


def propose(line):
    """Return the smallest edit that would mend a contradicted number, as a sentence."""
    if line["verdict"] not in CONTRADICTED or line["column"].startswith(IN_WORDS):
        return ""
    edit = propose_edit(line["value"], line["computed"], line["how"])
    return f"It would agree if {edit} were printed." if edit else ""


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
    """Print the stories of the numbers asked for."""
    parser = argparse.ArgumentParser(prog="python -m helpers.audit.explain", description=__doc__)
    parser.add_argument("paper")
    for name in KEY[1:]:
        parser.add_argument(name, nargs="?")
    wanted = vars(parser.parse_args())
    whole = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
    shared = whole["cause"].value_counts()
    lines = find(whole, wanted).to_dict("records")
    stories = [tell(line, int(shared[line["cause"]])) for line in lines]
    print("\n\n".join(stories))


if __name__ == "__main__":
    main()
