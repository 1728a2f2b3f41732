"""*Art or Artifice?*, Table 5: pass rates of stories, and the agreement of experts."""

import pandas as pd

from helpers.measures import agreement
from helpers.sources.published import Rounded, agrees
from helpers.ttcw.load import PRINTED_WRITERS, ROWS, pass_rates


def average(table):
    """Return a table's column means as its row "Average"."""
    return table.mean().to_frame("Average").transpose()


def kappas_by_test(verdicts, left_out=()):
    """Return Fleiss' kappa of each test, a Series, over the stories of all groups but some."""
    counts = agreement.count_passes(verdicts[~verdicts["group"].isin(left_out)])
    return pd.Series(agreement.fleiss_kappa(counts), counts.columns)


def without_a_group(value, kappa, fewer):
    """Return '', or what a printed kappa that 48 stories do not give is with 44 (`fewer`)."""
    if agrees(value, kappa) or fewer is None:
        return ""
    return f"; of 44 stories, without group 2, it is {fewer:.3f}"


def check(paper, verdicts, kappas, fewer=None):
    """Check Table 5 against the raw verdicts; `fewer`: the kappas of 44 stories."""
    rates = pass_rates(verdicts).rename(index=ROWS, columns=PRINTED_WRITERS)
    paper.check("Table 5", rates, "share of Yes, all 12 groups", "raw")
    paper.check("Table 5", average(Rounded(rates)), "mean of the 14 pass rates", "raw")
    column, rows = "Expert Agreement", {**ROWS, "mean": "Average"}
    of_44 = {} if fewer is None else {**fewer, "mean": fewer.mean()}
    for test, kappa in {**kappas, "mean": kappas.mean()}.items():
        key = ("Table 5", rows[test], column)
        how = "Fleiss' kappa" if test in kappas else "mean of the 14 kappas"
        how += " of the 48 stories that the caption names"
        how += without_a_group(paper.text(*key), kappa, of_44.get(test))
        paper.note(key, kappa, "raw", how, agrees(paper.text(*key), kappa))
