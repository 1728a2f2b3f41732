"""The page of *Art or Artifice?* (ttcw): Tables 5 and 9, and the facts of the text."""

from helpers.audit.attainable import shares
from helpers.measures import agreement
from helpers.papers.ttcw import table5, text
from helpers.papers.ttcw.table5 import average, kappas_by_test
from helpers.ttcw.load import PRINTED_WRITERS, ROWS, load_tests


def audit(paper, verdicts=None, left_out=()):
    """Audit the Paper and return it; Table 9's single cells are left to notebook 02.

    verdicts: the open experts' (None: fewer checks); left_out: the groups without which the kappas
    of Table 5 come out as printed, one or none. They are judged by what the caption says of them.
    """
    known = text.text_facts(paper)
    if verdicts is not None:
        kappas = kappas_by_test(verdicts)
        fewer = kappas_by_test(verdicts, left_out) if left_out else None
        pearson = agreement.mean_correlation(agreement.spread_slots(verdicts))
        table5.check(paper, verdicts, kappas, fewer)
        known |= text.counted(verdicts, load_tests())
        known |= text.claimed(verdicts, kappas, pearson, fewer)
    printed5, printed9 = paper.table("Table 5"), paper.table("Table 9")
    cells = printed5.mid.loc[list(ROWS.values()), list(PRINTED_WRITERS.values())]
    paper.check("Table 5", shares(cells, 36), "the nearest share of 36 verdicts (input checked)")
    for table, printed in (("Table 5", printed5), ("Table 9", printed9)):
        found = average(printed.drop(index="Average"))
        paper.check(table, found, "mean of the 14 printed numbers above it")
    paper.facts(known)
    return paper
