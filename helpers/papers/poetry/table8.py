"""The poetry-ranking paper, Table 8: intraclass correlations of ten runs.

A row is a criterion and a judge, whose ten runs ranked 15 poems (its name ends in 15n) or scored
them. It prints an ICC, its F and its p in each of three models:

    row                     ICC1k / ICC   F      p-value   ICC2k / ICC   F      p-value   ICC3k …
    CREATIVITY / GPT-4o     0.97          36.25  8.17e-39  0.97          42.59  6.54e-41  …

The ten answers behind two rows are printed in Table 7, once ranked and once scored. What they give
is recomputed. By the caption of Table 7 they belong to CREATIVITY / Claude-3-Opus; they give the
rows QUALITY / GPT-4o instead. Of the other rows, those by rank can only have the values that
rankings of 15 poems allow; and in each row ICC, F and p follow from each other.
"""

from functools import cache

import numpy as np
import pandas as pd
from scipy import stats

from helpers.agreement import icc_table
from helpers.audit.attainable import f_of_p, p_of_f
from helpers.papers.poetry.tables import RANKED, SCORED, runs
from helpers.sources.published import Rounded, agrees

POEMS, RUNS = 15, 10
DF1 = POEMS - 1  # degrees of freedom between poems
DF_WITHIN = POEMS * (RUNS - 1)  # of the one-way analysis: within poems
DF_ERROR = (POEMS - 1) * (RUNS - 1)  # of the two-way analysis: within poems, less the runs' means
DF2 = {"ICC1k": DF_WITHIN, "ICC2k": DF_ERROR, "ICC3k": DF_ERROR}
STATISTICS = [f"{kind} / {name}" for kind in DF2 for name in ("ICC", "F", "p-value")]
TESTS = [name for name in STATISTICS if not name.endswith("ICC")]
# A row is that of Table 7's answers where two of its six TESTS agree with them. Two are enough:
# other rows agree in none. More may not be there: were two answers about one poem swapped when
# Table 7 was transcribed, the poem's mean stays, and with it F and p of ICC1k; but the means of two
# runs change, and with them F and p of ICC2k and ICC3k.
MATCHED = 2
SQUARES = 2800  # ten times the sum of squares of the places 1 to 15 around their mean, 8
# the row of Table 8 that the caption of Table 7 names for each method's answers
NAMED = {RANKED: "CREATIVITY / Claude-3-Opus 15n", SCORED: "CREATIVITY / Claude-3-Opus"}


def check_reliability(paper):
    """Check the rows of Table 8 that Table 7's answers give by these, and the others by what
    rankings allow and by their own numbers."""
    is_matched = match_rows(paper, TESTS) >= MATCHED  # rows of Table 8 x (RANKED, SCORED)
    rows_given = {method: list(is_matched.index[is_matched[method]]) for method in NAMED}
    remarks = remarks_on_names(is_matched.index, rows_given)
    check_matched(paper, rows_given, remarks)
    others = paper.table("Table 8").drop(index=is_matched.index[is_matched.any(axis=1)])
    check_ranked(paper, others, remarks)
    check_formulas(paper, others, remarks)


def match_rows(paper, names=STATISTICS):
    """Return in how many of the cells `names` each row of Table 8 prints what the answers in Table
    7 give: rows of Table 8 x (RANKED, SCORED)."""
    rows = paper.grid("Table 8").index.rename("row of Table 8")
    matches = pd.DataFrame(0, rows, [RANKED, SCORED])
    for method in matches:
        computed = reliability(runs(paper, method))
        for row in rows:
            printed = {name: paper.text("Table 8", row, name) for name in names}
            agreeing = [agrees(printed[name], computed[name]) for name in names]
            matches.at[row, method] = sum(agreeing)
    return matches


def reliability(matrix):
    """Return the row of Table 8 that answers give, a Series by STATISTICS; matrix: poems x runs."""
    answers = tuple(map(tuple, matrix.to_numpy()))
    return pd.Series(statistics_of(answers), STATISTICS)


@cache
def statistics_of(answers):
    """Return the numbers of `reliability`, an array, and keep them; answers: a tuple of a poem's
    ten numbers for each poem."""
    table = icc_table(pd.DataFrame(answers)).rename(columns={"p": "p-value"})
    by_kind = table.loc[list(DF2), ["ICC", "F", "p-value"]]
    return by_kind.to_numpy(float).ravel()


def remarks_on_names(rows, rows_given):
    """Return what is said of each cell of the rows that the caption of Table 7 names wrongly: rows
    x STATISTICS, '' for the other rows.

    rows: of Table 8; rows_given: {method: the rows that its answers in Table 7 give}.
    """
    remarks = pd.DataFrame("", rows, STATISTICS)
    for method, named in find_misnamed(rows_given).items():
        given = " and ".join(rows_given[method]) or "no row"
        remark = f"; but the scores that Table 7 prints under this row's name give {given}"
        remarks.loc[named] = remark
    return remarks


def find_misnamed(rows_given):
    """Return {method: the row that the caption of Table 7 names}, of the methods whose answers do
    not give that row; rows_given: as in `remarks_on_names`."""
    return {method: named for method, named in NAMED.items() if named not in rows_given[method]}


def check_matched(paper, rows_given, remarks):
    """Check the rows of Table 8 that the answers of Table 7 give. rows_given: as in
    `remarks_on_names`, which returns remarks."""
    misnamed = find_misnamed(rows_given)
    for method, rows in rows_given.items():
        how = f"reliability computed from the scores that Table 7 prints under {NAMED[method]}"
        if method in misnamed:
            how += "; they give this row, though the caption of Table 7 names another"
        computed = reliability(runs(paper, method))
        same_in_each = pd.DataFrame([computed] * len(rows), rows)
        paper.check("Table 8", same_in_each, how, remark=remarks)


def check_ranked(paper, cells, remarks):
    """Check each cell of the rows by rank by its row's other eight: of all rows that rankings can
    give, which fit these?

    cells: rows of Table 8 x STATISTICS, Rounded; remarks: as in `remarks_on_names`.
    """
    possible = ranked_rows()
    how = "each run ranks the same 15 poems, so only some values are possible: the row's other "
    how += "eight numbers leave this one"
    rows = cells.mid.index
    for row in rows[rows.str.endswith("15n")]:
        printed = cells.at(row, STATISTICS)
        slack = (printed.high - printed.low) * 1e-6
        fits = (possible >= printed.low - slack) & (possible <= printed.high + slack)
        for name in STATISTICS:
            others_fit = fits.drop(columns=name).all(axis=1)
            values = possible.loc[others_fit, name]
            if values.empty:  # the other eight contradict each other
                continue
            middle = values.quantile(0.5, "nearest")
            left = Rounded(middle, values.min(), values.max())
            paper.check_number(("Table 8", row, name), left, how, remark=remarks.at[row, name])


@cache
def ranked_rows():
    """Return every row of Table 8 that ten rankings can give: a row per possible sum of squares,
    columns STATISTICS.

    A poem's ten places, each less 8, have a sum. The squares of these sums add up to an even number
    (the sums add up to 0), and a tenth of it is the sum of squares between poems. All runs have the
    same mean, so that the rest is both the error and what lies within poems. Were all runs alike,
    the best poem's places less 8 would add up to 10 x 7, the squares of such sums to 28000; 2800
    would lie between poems and nothing would be left (no F: the sums stop short of it).
    """
    squares_of_sums = np.arange(2, RUNS * SQUARES, 2)  # of ten deviations, over the 15 poems
    between = squares_of_sums / RUNS  # sum of squares between poems
    rest = SQUARES - between  # within poems, and of error
    f2 = between / rest * DF_ERROR / DF1  # two-way: (between / DF1) / (rest / DF_ERROR)
    f1 = f2 * DF_WITHIN / DF_ERROR  # one-way: the same rest over DF_WITHIN
    p1 = stats.f.sf(f1, DF1, DF_WITHIN)
    p2 = stats.f.sf(f2, DF1, DF_ERROR)
    columns = [1 - 1 / f1, f1, p1, icc2k(f1, f2), f2, p2, 1 - 1 / f2, f2, p2]
    return pd.DataFrame(dict(zip(STATISTICS, columns)))


def icc2k(f1, f2):
    """Return ICC(2,k) from the Fs of the one-way and the two-way analysis (Shrout, Fleiss 1979)."""
    # mean squares in units of the mean square between poems
    within = 1 / f1
    error = 1 / f2
    # the squares within poems are those between runs and those of error; over RUNS - 1 that is
    # POEMS x within = between_runs + (POEMS - 1) x error
    between_runs = POEMS * within - (POEMS - 1) * error
    return (1 - error) / (1 + (between_runs - error) / POEMS)


def check_formulas(paper, cells, remarks):
    """Check ICC, F and p of a row by each other. cells, remarks: as in `check_ranked`."""
    f1, f2 = cells["ICC1k / F"], cells["ICC2k / F"]
    # ICC(2,k) rises with either F
    icc2 = Rounded(icc2k(f1.mid, f2.mid), icc2k(f1.low, f2.low), icc2k(f1.high, f2.high))
    beside = "1 - 1/F, with the F beside it"
    by_formula = [
        ("ICC1k / ICC", 1 - 1 / f1, beside),
        ("ICC2k / ICC", icc2, "from the two Fs of the row (Shrout and Fleiss, 1979)"),
        ("ICC3k / ICC", 1 - 1 / f2, beside),
        ("ICC3k / F", f2, "ICC2k and ICC3k have the same F"),
    ]
    for kind, df2 in DF2.items():
        f, p = f"{kind} / F", f"{kind} / p-value"
        of_what = f"15 poems, ten runs, {df2} degrees"
        how = f"the p-value that belongs to the printed F: {of_what}"
        by_formula.append((p, p_of_f(cells[f], DF1, df2), how))
        how = f"F computed back from the printed p: {of_what} (input checked)"
        by_formula.append((f, f_of_p(cells[p], DF1, df2), how))
    for name, computed, how in by_formula:
        paper.check("Table 8", computed.to_frame(name), how, remark=remarks)
