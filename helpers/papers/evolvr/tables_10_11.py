"""*EvolvR*, Tables 10 and 11, the protocol; and what measures of one row allow each other."""

import numpy as np
import pandas as pd

from helpers.papers.evolvr.leads import CORRELATIONS

MEASURES = [*CORRELATIONS, "MSE", "F1-Score"]
ON_HANNA = {f"HANNA / {name}": name for name in MEASURES}


def check(paper, arrays):
    """Check Tables 10 and 11 (N, order), and in Table 1 what correlation and MSE allow."""
    table1, table10, table11 = (paper.table(f"Table {n}") for n in (1, 10, 11))
    check_measures(paper, "Table 1", table1.mid.rename(columns=ON_HANNA), "HANNA / ", arrays)
    for group in ("StoryER / ", "HANNA / "):
        rows = table1.mid[[group + name for name in CORRELATIONS]].set_axis(CORRELATIONS, axis=1)
        check_correlations(paper, "Table 1", rows.dropna(), group)
    for table in ("Table 2", "Table 3", "Table 6"):
        check_correlations(paper, table, paper.grid(table))
    for row, other in (("(A, B)", "(B, A)"), ("(B, A)", "(A, B)")):
        rest = 2 * table10.at("4", MEASURES) - table11.at(other, MEASURES)
        how = f"what averages with the row {other} to the row N = 4 of Table 10 (input checked)"
        paper.check("Table 11", rest.to_frame(row).transpose(), how)
    for table, rows in (("Table 10", table10.mid), ("Table 11", table11.mid)):
        check_measures(paper, table, rows, "", arrays)
        check_correlations(paper, table, rows, near=0.05)


def check_measures(paper, table, rows, group, arrays):
    """Check MSE, on 0 to 1: what the printed Pearson leaves against HANNA's mean ratings."""
    if arrays is None:
        return
    rows, column = rows.dropna(subset="MSE"), f"{group}MSE"
    # the variance of mean ratings, on 0 to 1, that a Pearson r leaves
    least = arrays.mean(axis=2).var() / 16 * (1 - rows["Pearson"] ** 2)
    how = "claim: no smaller than the squared error that the correlation printed beside it leaves"
    how += " against HANNA's mean ratings (input checked)"
    holds = (rows["MSE"] > least).to_frame(column)
    paper.check(table, least.to_frame(column), how, holds=holds, bound=True)


def check_correlations(paper, table, rows, group="", near=0.16):
    """Check three correlations of one row by each other: Kendall lies between 0.6 and 1 times
    Spearman (two thirds for a weak normal correlation, more with ties) and within Daniels'
    inequality; Pearson within `near` of Spearman."""
    pearson, spearman, kendall = (rows[name] for name in CORRELATIONS)
    high = np.minimum((2 * spearman + 1) / 3, spearman)
    fits = kendall.between(np.maximum((2 * spearman - 1) / 3, 0.6 * spearman), high)
    fits &= pearson.abs().le(1) & (pearson - spearman).abs().lt(near)
    found = pd.DataFrame({"Pearson": spearman, "Spearman": spearman * np.nan, "Kendall": high})
    holds = pd.DataFrame(dict.fromkeys(found, fits))
    times = "Kendall's tau beside it is 0.6 to 1 times as large"
    words = {
        "Pearson": f"within {near} of the Spearman correlation beside it",
        "Spearman": f"{times}, Pearson's r within {near}",
        "Kendall": "no higher than the Spearman correlation beside it allows",
    }
    hows = pd.DataFrame(
        {name: f"claim: {text} (input checked)" for name, text in words.items()}, found.index
    )
    found, holds, hows = (part.add_prefix(group) for part in (found, holds, hows))
    paper.check(table, found, hows, holds=holds, bound=True)
