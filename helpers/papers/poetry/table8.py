"""The poetry-ranking paper, Table 8: intraclass correlations of ten runs."""

from functools import cache
from itertools import product

import numpy as np
import pandas as pd
from scipy import stats

from helpers.audit.attainable import f_of_p, p_of_f
from helpers.measures.agreement import icc_table
from helpers.papers.poetry.table7 import RANKED, SCORED, runs
from helpers.sources.published import Rounded, agrees

POEMS = "15 poems, ten runs"
DF2 = {"ICC1k": 135, "ICC2k": 126, "ICC3k": 126}  # 15 poems, 10 runs
STATISTICS = [f"{kind} / {what}" for kind in DF2 for what in ("ICC", "F", "p-value")]
TESTS = [name for name in STATISTICS if not name.endswith("ICC")]
TOTAL = 2800  # sum of squares of ten rankings of 15 poems around their mean of 8


def nine(matrix):
    """Return a row of Table 8 (ICC1k / ICC, ICC1k / F, …) from items x runs."""
    return pd.Series(_nine(tuple(map(tuple, matrix.to_numpy()))), STATISTICS)


@cache
def _nine(rows):
    table = icc_table(pd.DataFrame(rows)).rename(columns={"p": "p-value"})
    return table.loc[list(DF2), ["ICC", "F", "p-value"]].to_numpy(float).ravel()


def match_rows(paper, names=STATISTICS):
    """Return how many of the cells named each row of Table 8 shares with each matrix of Table 7."""
    rows, shared = paper.grid("Table 8").index.rename("row of Table 8"), {}
    for method in (RANKED, SCORED):
        found = nine(runs(paper, method))[names]
        texts = [[paper.text("Table 8", row, name) for name in names] for row in rows]
        shared[method] = [sum(map(agrees, printed, found)) for printed in texts]
    return pd.DataFrame(shared, rows)


def icc2k(f1, f2, poems=15):
    """Return ICC(2,k) from the Fs of the one-way and the two-way analysis (Shrout, Fleiss 1979)."""
    within, error = 1 / f1, 1 / f2  # mean squares in units of the mean square between poems
    between_runs = poems * within - (poems - 1) * error
    return (1 - error) / (1 + (between_runs - error) / poems)


@cache
def ranked_rows():
    """Return every row of Table 8 that rankings can give: their squares sum to even numbers."""
    between = np.arange(2, 10 * TOTAL, 2) / 10
    f2 = between / (TOTAL - between) * DF2["ICC2k"] / 14
    f1 = f2 * DF2["ICC1k"] / DF2["ICC2k"]
    p1, p2 = (stats.f.sf(f, 14, df2) for f, df2 in ((f1, DF2["ICC1k"]), (f2, DF2["ICC2k"])))
    columns = [1 - 1 / f1, f1, p1, icc2k(f1, f2), f2, p2, 1 - 1 / f2, f2, p2]
    return pd.DataFrame(np.transpose(columns), columns=STATISTICS)


def check_ranked(paper, rows):
    """Check each cell of these rows of Table 8 by the rankings that give the other eight."""
    table, every = paper.table("Table 8"), ranked_rows()
    how = "each run ranks the same 15 poems, so only some values are possible: the row's other "
    how += "eight numbers leave this one"
    for row in rows:
        printed = table.at(row, STATISTICS)
        slack = (printed.high - printed.low) * 1e-6
        fits = (every >= printed.low - slack) & (every <= printed.high + slack)
        for name in STATISTICS:
            left = every.loc[fits.drop(columns=name).all(axis=1), name]
            if len(left):
                ends = left.quantile([0.5, 0, 1], "nearest")
                found = Rounded(*(pd.DataFrame({name: {row: end}}) for end in ends))
                paper.check("Table 8", found, how)


def check(paper):
    """Check Table 8: rows that a matrix of Table 7 gives; else ICC, F and p by each other."""
    matches, notes = match_rows(paper, TESTS) >= 2, {}  # two runs of a poem swapped leave two
    for method in matches:
        found, rows = nine(runs(paper, method)), matches.index[matches[method]]
        named = f"CREATIVITY / {method}".removesuffix(" 15")
        how = f"reliability computed from the scores that Table 7 prints under {named}"
        if named not in rows:
            how += "; they give this row, though the caption of Table 7 names another"
            notes[named] = "; but the scores that Table 7 prints under this row's name give "
            notes[named] += " and ".join(rows) or "no row"
        paper.check("Table 8", pd.DataFrame([found] * len(rows), rows), how)
    cells = paper.table("Table 8").drop(index=matches.index[matches.any(axis=1)])
    f1, f2 = cells["ICC1k / F"], cells["ICC2k / F"]
    ends = ((f1.mid, f2.mid), (f1.low, f2.high), (f1.high, f2.low))
    both = Rounded(*(icc2k(*pair) for pair in ends))
    check_ranked(paper, [row for row in cells.mid.index if row.endswith("15n")])
    for column, found, how in (
        ("ICC1k / ICC", 1 - 1 / f1, "1 - 1/F, with the F beside it"),
        ("ICC2k / ICC", both, "from the two Fs of the row (Shrout and Fleiss, 1979)"),
        ("ICC3k / ICC", 1 - 1 / f2, "1 - 1/F, with the F beside it"),
        ("ICC3k / F", f2, "ICC2k and ICC3k have the same F"),
    ):
        paper.check("Table 8", found.to_frame(column), how)
    for kind, df2 in DF2.items():
        p = p_of_f(cells[f"{kind} / F"], 14, df2).to_frame(f"{kind} / p-value")
        how = f"the p-value that belongs to the printed F: {POEMS}, {df2} degrees"
        paper.check("Table 8", p, how)
        f = f_of_p(cells[f"{kind} / p-value"], 14, df2).to_frame(f"{kind} / F")
        how = f"F computed back from the printed p: {POEMS}, {df2} degrees (input checked)"
        paper.check("Table 8", f, how)
    for row, name in product(notes, STATISTICS):
        if ("Table 8", row, name) in paper.found:
            paper.found["Table 8", row, name]["how"] += notes[row]
