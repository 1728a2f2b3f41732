"""*EvolvR*, Tables 1 to 3 and 6: what the measures of one row allow each other."""

import numpy as np

CORRELATIONS = ["Pearson", "Spearman", "Kendall"]
MEASURES = [*CORRELATIONS, "MSE", "F1-Score"]
ON_HANNA = {f"HANNA / {name}": name for name in MEASURES}


def check(paper, arrays):
    """Check Tables 1, 2, 3 and 6: correlations by each other, in Table 1 also the MSE.

    arrays: HANNA's ratings, aspects x stories x 3.
    """
    table1 = paper.grid("Table 1")
    check_error(paper, "Table 1", table1.rename(columns=ON_HANNA), arrays, "HANNA / ")
    for group in ("StoryER", "HANNA"):
        check_correlations(paper, "Table 1", of_group(table1, group).dropna(), f"{group} / ")
    for table in ("Table 2", "Table 3", "Table 6"):
        check_correlations(paper, table, paper.grid(table))


def of_group(table1, group):
    """Return the correlations of Table 1 on one data set, with the columns of `CORRELATIONS`."""
    columns = [f"{group} / {name}" for name in CORRELATIONS]
    return table1[columns].set_axis(CORRELATIONS, axis=1)


def check_error(paper, table, rows, arrays, group=""):
    """Check MSE, on 0 to 1: what the printed Pearson leaves against HANNA's mean ratings.

    rows: of the table, the columns of `MEASURES`; group: what the printed names of the columns
    begin with; arrays: as in `check`.
    """
    rows = rows.dropna(subset="MSE")
    variance = arrays.mean(axis=2).var() / 16  # of mean ratings, on 0 to 1
    least = variance * (1 - rows["Pearson"] ** 2)  # that a Pearson r leaves
    column = f"{group}MSE"
    holds = (rows["MSE"] > least).to_frame(column)
    what = "no smaller than the squared error that the correlation printed beside it leaves"
    what += " against HANNA's mean ratings (input checked)"
    paper.claim(table, holds, what, least.to_frame(column))


def check_correlations(paper, table, rows, group="", near=0.16):
    """Check three correlations of one row by each other: Kendall lies between 0.6 and 1 times
    Spearman (two thirds for a weak normal correlation, more with ties) and within Daniels'
    inequality; Pearson within `near` of Spearman.

    rows: of the table, the columns of `CORRELATIONS`; group: as in `check_error`.
    """
    pearson, spearman, kendall = rows["Pearson"], rows["Spearman"], rows["Kendall"]
    lowest = np.maximum((2 * spearman - 1) / 3, 0.6 * spearman)
    highest = np.minimum((2 * spearman + 1) / 3, spearman)
    kendall_fits = kendall.between(lowest, highest)
    pearson_fits = pearson.abs().le(1) & (pearson - spearman).abs().lt(near)
    fits = kendall_fits & pearson_fits
    compared = {"Pearson": spearman, "Spearman": spearman * np.nan, "Kendall": highest}
    kendall_beside = "Kendall's tau beside it is 0.6 to 1 times as large"
    phrases = {
        "Pearson": f"within {near} of the Spearman correlation beside it",
        "Spearman": f"{kendall_beside}, Pearson's r within {near}",
        "Kendall": "no higher than the Spearman correlation beside it allows",
    }
    for name in CORRELATIONS:
        column = f"{group}{name}"
        what = f"{phrases[name]} (input checked)"
        holds = fits.to_frame(column)
        paper.claim(table, holds, what, compared[name].to_frame(column))
