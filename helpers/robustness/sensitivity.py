"""Does a claim hang on a choice? The same estimate under other definitions, and without each rater.

A claim is a difference from 0 with its interval, such as the lead of a judge over a person. A study
computes it by several definitions, the one that it reports first. `vary` sets them in a table and
says how each stands to the first:

                             estimate    low   high    n   against the first
    balanced accuracy            0.10   0.02   0.18   12   the same
    all 48 stories               0.08   0.01   0.15   12   the same
    for new experts too          0.10  -0.04   0.24   11   no longer clear

`tell` makes a sentence of it: "Of 2 other ways to compute it 1 says …". Every study lists its
own definitions (`vary` in `ttcw`, `refbased`, `poetry`, `evolvr` and `edits`); how judges
lead their rivals by each is computed in `leads`.
"""

import numpy as np
import pandas as pd
from goodjudge.comparison.compare import ENDS

from helpers import results

SAME, LOST, FOUND, TURNED = "the same", "no longer clear", "now clear", "turned round"
UNKNOWN = "no interval"
SIDES = {1: "lies above 0", -1: "lies below 0", 0: "holds 0"}  # by the sign of an interval
VERDICT = "against the first"  # the column of these words


def vary(claims):
    """Return a table of one claim under several definitions: estimate, low, high, n and `against
    the first`, what each says beside the first row: the same, no longer clear, now clear, turned
    round (clear, with the other sign), no interval.

    claims: {definition: a row estimate, low, high, n}; a difference from 0 is the claim.
    """
    table = pd.DataFrame(claims).T[ENDS].astype(float)
    signs = [find_sign(row) for _, row in table.iterrows()]
    first = signs[0]
    table[VERDICT] = [set_against(first, sign) for sign in signs]
    return table


def vary_each(definitions):
    """Return {claim: table of `vary`} of several claims that are computed together.

    definitions: {definition: {claim: a row}}. The claims are those of the first definition; one
    that says nothing about a claim has no line in its table.
    """
    claims = next(iter(definitions.values()))
    tables = {}
    for claim in claims:
        rows = {
            name: by_claim[claim] for name, by_claim in definitions.items() if claim in by_claim
        }
        tables[claim] = vary(rows)
    return tables


def find_sign(row):
    """Return 1 or -1 where a row is clearly above or below 0, 0 where neither is clear, nan where
    there is no interval."""
    if np.isnan(row["low"]):
        return np.nan
    if row["low"] > 0:
        return 1
    if row["high"] < 0:
        return -1
    return 0


def set_against(first, sign):
    """Return what a definition says beside the first one; both: of `find_sign`."""
    if np.isnan(sign):
        return UNKNOWN
    if sign == first:
        return SAME
    if sign == 0:
        return LOST
    if sign == -first:
        return TURNED
    return FOUND


def leave_raters_out(data, claim, raters=None):
    """Return {"without rater r": a claim for the data without this rater}, each rater in turn, in
    order.

    data: `Ratings`; claim: a function of Ratings; raters: those who are left out (None: all).
    """
    if raters is None:
        raters = data.ratings["rater"].unique()
    left_out = {}
    for rater in sorted(raters):
        others = data._replace(ratings=data.ratings[data.ratings["rater"] != rater])
        left_out[f"without rater {rater}"] = claim(others)
    return left_out


def find_extremes(rows, name):
    """Return the two of some rows with the smallest and the largest estimate, named so that a table
    need not list them all; rows: {what was left out: a row}; name: what they have in common."""
    ends = find_ends(rows)
    return {f"{name}, {end} ({which})": rows[which] for end, which in ends.items()}


def find_extremes_of_each(left_out, name):
    """Return {definition: {claim: a row}}, as `vary_each` takes them: the smallest and the largest
    of each claim. They do not say who was left out, as that differs from claim to claim.

    left_out: {what was left out: {claim: a row}}; name: what they have in common.
    """
    extremes = {f"{name}, smallest": {}, f"{name}, largest": {}}
    claims = next(iter(left_out.values()))
    for claim in claims:
        rows = {which: by_claim[claim] for which, by_claim in left_out.items()}
        for end, which in find_ends(rows).items():
            extremes[f"{name}, {end}"][claim] = rows[which]
    return extremes


def find_ends(rows):
    """Return {"smallest", "largest": the name of the row with this estimate}; rows: {name: a row}.
    Of equal ones the first is the smallest, the last the largest."""
    estimates = pd.Series({name: row["estimate"] for name, row in rows.items()}).round(9)
    in_order = estimates.sort_values(kind="stable").index
    return {"smallest": in_order[0], "largest": in_order[-1]}


def tabulate(tables, digits=2):
    """Return tables of `vary` as one of text, a column each and a row per definition; what differs
    from the first row is said in its cell. tables: {name of the column: table}; digits: behind the
    point, three where an interval begins close to 0."""
    definitions = pd.concat(tables.values()).index.unique()
    columns = {}
    for name, table in tables.items():
        texts = table.apply(results.estimate_cell, axis=1, digits=digits)
        verdicts = table[VERDICT]
        texts = texts.where(verdicts == SAME, texts + ": " + verdicts)
        columns[name] = texts.reindex(definitions).fillna("")
    return pd.DataFrame(columns)


def tell(table, where):
    """Return in a sentence whether a claim hangs on a choice, and on which; table: of `vary`;
    where: the notebook with the table."""
    others = table.iloc[1:]
    others = others[others[VERDICT] != UNKNOWN]
    differ = others[others[VERDICT] != SAME]
    if differ.empty:
        return f"None of {len(others)} other ways to compute it says otherwise ({where})."
    ways = {}  # side of the interval: the names of the definitions
    for name, row in differ.iterrows():
        side = SIDES[find_sign(row)]
        ways.setdefault(side, []).append(f'"{name}"')
    sides = [f"{side} with {', '.join(names)}" for side, names in ways.items()]
    say = "says" if len(differ) == 1 else "say"
    return (
        f"Of {len(others)} other ways to compute it {len(differ)} {say} otherwise ({where}): the "
        f"interval {', and '.join(sides)}."
    )


def tell_leads(tables, where):
    """Return a list, a line of text for each claim that a judge leads a rival: by the first
    definition, then whether it hangs on a choice.

    tables: {(judge, rival): table of `vary`}, both as readers know them; where: of `tell`.
    """
    lines = []
    for (judge, rival), table in tables.items():
        leads = describe_lead(table.iloc[0])
        behind = list_ways_behind(table)
        ways = tell_behind(table, behind, where) if behind else tell(table, where)
        lines.append(f"- {judge} {leads} {rival}. {ways}")
    return "\n".join(lines)


def list_ways_behind(table):
    """Return the names of the ways by which a judge is clearly behind, where it does not clearly
    lead by the first and all that differ are such ways; else an empty list. table: of `vary`."""
    if find_sign(table.iloc[0]) != 0:
        return []
    differ = table[~table[VERDICT].isin([SAME, UNKNOWN])]
    if (differ["low"] > 0).any():
        return []
    return list(differ.index)


def tell_behind(table, behind, where):
    """Return in a sentence that no way lets the judge lead, and by which it is clearly behind.

    table, where: as in `tell`; behind: of `list_ways_behind`.
    """
    others = (table[VERDICT].iloc[1:] != UNKNOWN).sum()
    names = ", ".join(f'"{name}"' for name in behind)
    return (
        f"By none of {others} other ways to compute it does it clearly lead ({where}); by "
        f"{len(behind)} of them it is clearly behind: {names}."
    )


def describe_lead(row):
    """Return in words which side leads; row: of a lead (estimate, low, high, n)."""
    sign = find_sign(row)
    if sign == 1:
        return "clearly leads"
    if sign == -1:
        return "is clearly behind"
    return "does not clearly lead"
