"""Turn the checks of papers into the ledger: one line a printed number, with its verdict."""
import re
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.files import replace_file
from helpers.sources.published import KEY, read_published, tolerance

PAPERS = ["ttcw", "refbased_v1", "refbased_v2", "poetry", "evolvr"]
COLUMNS = [*KEY, "value", "computed", "basis", "verdict", "how", "notebook"]
WORDS = {"raw": ("differs", "reproduced"), "printed": ("inconsistent", "consistent"), "none": ("unverifiable",) * 2}


def decide(paper, notebook):
    """Return the ledger lines, in printed order, of the numbers that `paper` (a Paper) has checked.

    basis raw -> reproduced or differs; printed -> consistent or inconsistent; none -> unverifiable.
    """
    lines = [{**dict(zip(KEY, (paper.paper, *key))), "value": value, **paper.found[key], "notebook": notebook}
             for key, value in paper.values.items() if key in paper.found]
    for line in lines:
        line["verdict"] = WORDS[line["basis"]][line["holds"]]
    return pd.DataFrame(lines, columns=COLUMNS)


def save(papers, notebook, outputs):
    """Write what one notebook decides about `papers` to `<outputs>/ledger-<notebook>.csv`; return it."""
    part = pd.concat([decide(paper, notebook) for paper in papers], ignore_index=True)
    text = [ten_digits(number, value) for number, value in zip(part["computed"], part["value"])]
    replace_file(Path(outputs) / f"ledger-{notebook}.csv", part.assign(computed=text).to_csv(index=False))
    return part


def join(outputs):
    """Return the whole ledger, in the papers' order, from the parts in `outputs`.

    A number that two notebooks decide keeps the stronger basis; one that none decides is unverifiable.
    """
    paths = sorted(Path(outputs).glob("ledger-??.csv"))
    parts = [pd.read_csv(path, dtype=str, keep_default_na=False) for path in paths]
    decided = pd.concat([*parts, pd.DataFrame(columns=COLUMNS)])
    rank = decided["basis"].map({basis: i for i, basis in enumerate(WORDS)}).astype(float)
    decided = decided.assign(rank=rank).sort_values("rank", kind="stable").drop_duplicates(KEY)
    whole = pd.concat([read_published(paper) for paper in PAPERS])
    whole = whole.merge(decided.drop(columns=["rank", "value"]), on=KEY, how="left", validate="one_to_one")
    blank = {"basis": "none", "verdict": "unverifiable", "how": "no check was found", "notebook": "06"}
    return whole.fillna(blank).fillna("")[COLUMNS]


def ten_digits(number, value="1"):
    """Return a number as text with ten significant digits ('' for nothing), alike on all machines.

    Noise below 1e-12 becomes 0, unless the printed `value` beside it is that small itself.
    """
    if number is None or pd.isna(number):
        return ""
    tiny = str(value) and tolerance(value) < 1e-9
    return f"{float(number if tiny else np.round(number, 12)) + 0.0:.10g}"


def propose_edit(value, computed, how=""):
    """Return the smallest edit that would mend a printed value: `computed` in the printed format.

    It is '' for a blank, for nothing computed and for a claim (`how` begins with 'claim').
    """
    if computed in ("", None) or value == "" or "/" in str(value) or how.startswith("claim"):
        return ""
    sign, core, unit = re.match(r"^([$+-]*)(.*?)([%BXxMKk+]*)$", str(value)).groups()
    mantissa, _, exponent = core.lower().partition("e")
    places = len(mantissa.partition(".")[2])
    number = f"{float(computed):.{places}e}" if exponent else f"{float(computed):.{places}f}"
    return ("+" if "+" in sign and float(computed) >= 0 else "$" if "$" in sign else "") + number + unit
