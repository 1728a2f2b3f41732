"""*Art or Artifice?*, Table 5: pass rates of stories, and the agreement of experts."""

import pandas as pd

from helpers import agreement
from helpers.audit.attainable import shares
from helpers.sources.published import Rounded, agrees
from helpers.ttcw.load import PRINTED_WRITERS, ROWS, pass_rates

VERDICTS = 36  # of a writer's twelve stories on one test, by three experts
AGREEMENT = "Expert Agreement"


def check(paper, verdicts, kappas, fewer=None):
    """Check Table 5 against the raw verdicts.

    kappas: by test (a Series), of the 48 stories; fewer: of 44 stories, None if none are needed.
    """
    rates = pass_rates(verdicts).rename(index=ROWS, columns=PRINTED_WRITERS)
    paper.check("Table 5", rates, "share of Yes, all 12 groups", "raw")
    paper.check("Table 5", average(Rounded(rates)), "mean of the 14 pass rates", "raw")
    stories = "of the 48 stories that the caption names"
    for test, kappa in kappas.items():
        kappa_of_44 = None if fewer is None else fewer[test]
        check_kappa(paper, ROWS[test], kappa, f"Fleiss' kappa {stories}", kappa_of_44)
    mean_of_44 = None if fewer is None else fewer.mean()
    check_kappa(paper, "Average", kappas.mean(), f"mean of the 14 kappas {stories}", mean_of_44)


def check_kappa(paper, row, kappa, how, kappa_of_44):
    """Check a kappa of Table 5; where it differs, say what it is without a group of stories."""
    printed = paper.text("Table 5", row, AGREEMENT)
    holds = agrees(printed, kappa)
    if kappa_of_44 is not None and not holds:
        how += f"; of 44 stories, without group 2, it is {kappa_of_44:.3f}"
    paper.note(("Table 5", row, AGREEMENT), kappa, "raw", how, holds)


def check_print(paper):
    """Check Table 5 by its own numbers: shares of 36 verdicts, averages of the rows."""
    table = paper.table("Table 5")
    cells = table.mid.loc[list(ROWS.values()), list(PRINTED_WRITERS.values())]
    how = f"the nearest share of {VERDICTS} verdicts (input checked)"
    paper.check("Table 5", shares(cells, VERDICTS), how)
    how = "mean of the 14 printed numbers above it"
    paper.check("Table 5", average(table.drop(index="Average")), how)


def average(table):
    """Return a table's column means as its row "Average"; table: a DataFrame or Rounded."""
    return table.mean().to_frame("Average").transpose()


def kappas_by_test(verdicts, left_out=()):
    """Return Fleiss' kappa of each test, a Series, over the stories of all groups but some."""
    is_left_out = verdicts["group"].isin(left_out)
    counts = agreement.count_passes(verdicts[~is_left_out])
    return pd.Series(agreement.fleiss_kappa(counts), counts.columns)
