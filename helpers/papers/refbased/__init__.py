"""The page of the two reference-based papers: figures, Tables 1 to 3, the facts of the text."""

from helpers.papers.refbased import figures, table1, table2, table3, text


def audit(paper, is_open=True):
    """Audit refbased_v1 or refbased_v2 and return it; is_open: are the public data here?"""
    if is_open:
        figures.check_recorded(paper)
        figures.check_averages(paper, figures.check_triples(paper))
        unanswered = figures.FOUND[paper.paper]
        table1.check(paper, figures.recomputed(paper.paper), unanswered)
    figures.check_averages(paper)
    if paper.paper == "refbased_v1":
        table2.check_first(paper, is_open)
    else:
        table2.check_second(paper)
        if is_open:
            table3.check(paper)
    paper.facts(text.facts(paper, is_open))
    return paper
