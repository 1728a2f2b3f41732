"""Does a claim hang on one choice? The same estimate under other definitions, and without each
rater in turn."""

import numpy as np
import pandas as pd

SAME, LOST, TURNED = "the same", "no longer clear", "turned round"
UNKNOWN = "no interval"


def vary(claims):
    """Return a table of one claim under several definitions: estimate, low, high, n and `against
    the first`, what each says beside the first row: the same, no longer clear (or now clear),
    turned round (clear, with the other sign), no interval.

    claims: {definition: a row estimate, low, high, n}; a difference from 0 is the claim.
    """
    table = pd.DataFrame(claims).T[["estimate", "low", "high", "n"]].astype(float)
    signs = np.sign(table["low"]) * (np.sign(table["low"]) == np.sign(table["high"]))
    first = signs.iloc[0]
    words = []
    for sign in signs:
        if np.isnan(sign):
            words.append(UNKNOWN)
        elif sign == first:
            words.append(SAME)
        elif sign == 0:
            words.append(LOST)
        else:
            words.append(TURNED if sign == -first else "now clear")
    return table.assign(**{"against the first": words})


def leave_raters_out(data, claim):
    """Return {"without rater r": a row} of a claim for the data without each rater in turn, in the
    order of the raters.

    data: `Ratings`; claim: a function of Ratings that returns a row (estimate, low, high, n).
    """
    found = {}
    for rater in sorted(data.ratings["rater"].unique()):
        rest = data._replace(ratings=data.ratings[data.ratings["rater"] != rater])
        found[f"without rater {rater}"] = claim(rest)
    return found


def find_extremes(rows, name):
    """Return the two of some rows with the smallest and the largest estimate, named so that a table
    need not list them all; rows: {what was left out: a row}; name: what they have in common."""
    table = pd.DataFrame(rows).T
    order = table["estimate"].round(9).sort_values(kind="stable").index
    ends = {"smallest": order[0], "largest": order[-1]}
    return {f"{name}, {end} ({which})": table.loc[which] for end, which in ends.items()}


def tell(table, where):
    """Return in a sentence whether a claim hangs on a choice; table: of `vary`; where: the notebook
    with the table."""
    others = table.iloc[1:]
    others = others[others["against the first"] != UNKNOWN]
    differ = others[others["against the first"] != SAME]
    if differ.empty:
        return f"None of {len(others)} other ways to compute it says otherwise ({where})."
    told = [f"{name}: {one}" for name, one in differ["against the first"].items()]
    say = "says" if len(differ) == 1 else "say"
    return (
        f"It hangs on a choice: {len(differ)} of {len(others)} other ways to compute it {say} "
        f"otherwise ({'; '.join(told)}; {where})."
    )
