"""The page of *Art or Artifice?* (ttcw): Tables 5 and 9, and the facts of the text."""

from helpers import agreement
from helpers.papers.ttcw import table5, table9, text


def audit(paper, verdicts, left_out=()):
    """Audit the Paper and return it; Table 9's single cells are left to notebook 02.

    verdicts: of `ttcw.load.load_verdicts`; left_out: the groups without which the kappas of Table 5
    come out as printed, one or none. They are judged by what the caption says of them.
    """
    kappas = table5.kappas_by_test(verdicts)
    fewer = table5.kappas_by_test(verdicts, left_out) if left_out else None
    correlation = agreement.mean_correlation(agreement.spread_slots(verdicts))
    table5.check(paper, verdicts, kappas, fewer)
    table5.check_print(paper)
    table9.check_average(paper)
    known = text.from_print(paper)
    known |= text.from_stories()
    known |= text.from_verdicts(verdicts)
    known |= text.from_rates(verdicts)
    known |= text.from_agreement(kappas, correlation, fewer)
    paper.facts(known)
    return paper
