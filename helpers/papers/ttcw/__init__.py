"""The page of *Art or Artifice?* (ttcw): Tables 5 and 9, and the facts of the text."""

from helpers import agreement
from helpers.papers.ttcw import tables, text


def audit(paper, verdicts, left_out=()):
    """Audit the Paper and return it; Table 9's single cells are left to notebook 02.

    verdicts: of `ttcw.load.load_verdicts`; left_out: the groups without which the kappas of Table 5
    come out as printed, one or none. They are judged by what the caption says of them.
    """
    kappas = tables.kappas_by_test(verdicts)
    fewer = tables.kappas_by_test(verdicts, left_out) if left_out else None
    correlation = agreement.mean_correlation(agreement.spread_slots(verdicts))
    tables.check_verdicts(paper, verdicts, kappas, fewer)
    tables.check_print(paper)
    paper.facts(text.facts(paper, verdicts, kappas, correlation, fewer))
    return paper
