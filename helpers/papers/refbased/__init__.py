"""The page of the two reference-based papers: figures, Tables 1 to 3, the facts of the text."""

from helpers.papers.refbased import figures, table1, tables_2_3, text


def audit(paper):
    """Audit refbased_v1 or refbased_v2 and return it."""
    figures.check_figures(paper)
    table1.check_judges(paper)
    figures.check_rounded_averages(paper)
    if paper.paper == "refbased_v1":
        tables_2_3.check_dimensions(paper)
        tables_2_3.check_increments(paper)
    else:
        tables_2_3.check_lengths(paper)
        tables_2_3.check_procedures(paper)
    paper.facts(text.facts(paper))
    return paper
