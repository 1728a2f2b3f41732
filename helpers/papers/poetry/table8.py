"""The poetry-ranking paper, Table 8: intraclass correlations of ten runs."""

from functools import cache, partial

import numpy as np
import pandas as pd
from scipy import stats

from helpers.audit.attainable import f_of_p, p_of_f
from helpers.measures.agreement import icc_table
from helpers.papers.poetry.table7 import RANKED, SCORED, runs
from helpers.sources.published import Rounded, agrees

DF1 = 14  # 15 poems
DF2 = {"ICC1k": 135, "ICC2k": 126, "ICC3k": 126}  # and 10 runs
STATISTICS = [f"{kind} / {name}" for kind in DF2 for name in ("ICC", "F", "p-value")]
TESTS = [name for name in STATISTICS if not name.endswith("ICC")]
TOTAL = 2800  # sum of squares of ten rankings of 15 poems around their mean of 8
# the row under whose name Table 7 prints a method's answers
NAMED = {RANKED: "CREATIVITY / Claude-3-Opus 15n", SCORED: "CREATIVITY / Claude-3-Opus"}


def check(paper):
    """Check Table 8: rows that a matrix of Table 7 gives; else ICC, F and p by each other."""
    matches = match_rows(paper, TESTS) >= 2  # two runs of a poem swapped leave two
    check_in_table = partial(paper.check, "Table 8", remark=remarks_on_names(matches))
    check_matched(paper, matches, check_in_table)
    is_matched = matches.any(axis=1)
    cells = paper.table("Table 8").drop(index=matches.index[is_matched])
    check_ranked(cells, check_in_table)
    check_formulas(cells, check_in_table)


def match_rows(paper, names=STATISTICS):
    """Return how many of the cells `names` each row of Table 8 shares with what the matrices of
    Table 7 give: rows of Table 8 x (RANKED, SCORED)."""
    rows = paper.grid("Table 8").index.rename("row of Table 8")
    shared = pd.DataFrame(0, rows, [RANKED, SCORED])
    for method in shared:
        computed = reliability(runs(paper, method))
        for row in rows:
            hits = [agrees(paper.text("Table 8", row, name), computed[name]) for name in names]
            shared.at[row, method] = sum(hits)
    return shared


def reliability(matrix):
    """Return a row of Table 8 (ICC1k / ICC, ICC1k / F, …), a Series, from items x runs."""
    rows = tuple(map(tuple, matrix.to_numpy()))
    return pd.Series(statistics_of(rows), STATISTICS)


@cache
def statistics_of(rows):
    """Return the numbers of `reliability`, an array; rows: tuples of numbers, which can be kept."""
    table = icc_table(pd.DataFrame(rows)).rename(columns={"p": "p-value"})
    return table.loc[list(DF2), ["ICC", "F", "p-value"]].to_numpy(float).ravel()


def remarks_on_names(matches):
    """Return what is said of rows whose name Table 7 gives to answers that do not belong to them.

    matches: rows of Table 8 x methods, which rows the answers of Table 7 give. A DataFrame of text,
    rows x STATISTICS.
    """
    remarks = pd.DataFrame("", matches.index, STATISTICS)
    for method, named in NAMED.items():
        rows = matches.index[matches[method]]
        if named not in rows:
            others = " and ".join(rows) or "no row"
            remark = f"; but the scores that Table 7 prints under this row's name give {others}"
            remarks.loc[named] = remark
    return remarks


def check_matched(paper, matches, check_in_table):
    """Check the rows of Table 8 that the answers of Table 7 give. matches: as in
    `remarks_on_names`; check_in_table: `paper.check` of Table 8."""
    for method, named in NAMED.items():
        rows = matches.index[matches[method]]
        how = f"reliability computed from the scores that Table 7 prints under {named}"
        if named not in rows:
            how += "; they give this row, though the caption of Table 7 names another"
        computed = [reliability(runs(paper, method))] * len(rows)
        check_in_table(pd.DataFrame(computed, rows), how)


def check_ranked(cells, check_in_table):
    """Check each cell of the rows by rank (their names end in 15n) by the rankings that give the
    other eight. cells: rows of Table 8, Rounded; check_in_table: `paper.check` of Table 8."""
    possible = ranked_rows()
    how = "each run ranks the same 15 poems, so only some values are possible: the row's other "
    how += "eight numbers leave this one"
    for row in cells.mid.index[cells.mid.index.str.endswith("15n")]:
        printed = cells.at(row, STATISTICS)
        slack = (printed.high - printed.low) * 1e-6
        fits = (possible >= printed.low - slack) & (possible <= printed.high + slack)
        for name in STATISTICS:
            others_fit = fits.drop(columns=name).all(axis=1)
            left = possible.loc[others_fit, name]
            if len(left):
                ends = [left.quantile(share, "nearest") for share in (0.5, 0, 1)]
                middle, low, high = (pd.DataFrame({name: {row: end}}) for end in ends)
                check_in_table(Rounded(middle, low, high), how)


@cache
def ranked_rows():
    """Return every row of Table 8 that ten rankings can give (columns: STATISTICS): their squares
    sum to even numbers."""
    between = np.arange(2, 10 * TOTAL, 2) / 10
    within = TOTAL - between
    f2 = between / within * DF2["ICC2k"] / DF1
    f1 = f2 * DF2["ICC1k"] / DF2["ICC2k"]
    p1 = stats.f.sf(f1, DF1, DF2["ICC1k"])
    p2 = stats.f.sf(f2, DF1, DF2["ICC2k"])
    columns = [1 - 1 / f1, f1, p1, icc2k(f1, f2), f2, p2, 1 - 1 / f2, f2, p2]
    return pd.DataFrame(dict(zip(STATISTICS, columns)))


def icc2k(f1, f2, poems=15):
    """Return ICC(2,k) from the Fs of the one-way and the two-way analysis (Shrout, Fleiss 1979)."""
    within, error = 1 / f1, 1 / f2  # mean squares in units of the mean square between poems
    between_runs = poems * within - (poems - 1) * error
    return (1 - error) / (1 + (between_runs - error) / poems)


def check_formulas(cells, check_in_table):
    """Check ICC, F and p of a row by each other. cells: rows of Table 8, Rounded; check_in_table:
    `paper.check` of Table 8."""
    f1, f2 = cells["ICC1k / F"], cells["ICC2k / F"]
    icc2 = Rounded(icc2k(f1.mid, f2.mid), icc2k(f1.low, f2.high), icc2k(f1.high, f2.low))
    beside = "1 - 1/F, with the F beside it"
    check_in_table((1 - 1 / f1).to_frame("ICC1k / ICC"), beside)
    how = "from the two Fs of the row (Shrout and Fleiss, 1979)"
    check_in_table(icc2.to_frame("ICC2k / ICC"), how)
    check_in_table((1 - 1 / f2).to_frame("ICC3k / ICC"), beside)
    check_in_table(f2.to_frame("ICC3k / F"), "ICC2k and ICC3k have the same F")
    for kind, df2 in DF2.items():
        p = p_of_f(cells[f"{kind} / F"], DF1, df2)
        how = f"the p-value that belongs to the printed F: 15 poems, ten runs, {df2} degrees"
        check_in_table(p.to_frame(f"{kind} / p-value"), how)
        f = f_of_p(cells[f"{kind} / p-value"], DF1, df2)
        how = "F computed back from the printed p: 15 poems, ten runs, "
        how += f"{df2} degrees (input checked)"
        check_in_table(f.to_frame(f"{kind} / F"), how)
