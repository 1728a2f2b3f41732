"""The page of the poetry-ranking paper: Tables 1 to 8, Figures 2 and 3, the facts of the text."""

from helpers.papers.poetry import table8, tables, text


def audit(paper):
    """Audit the Paper and return it; DataError for a blank cell where a number is needed."""
    paper.refuse_blanks("Table 2", "Table 6", "Table 7")
    solved = tables.solve_confusions(paper)
    tables.check_correlations(paper)
    tables.check_sorting(paper, solved)
    tables.check_variances(paper)
    tables.check_runs(paper)
    table8.check_reliability(paper)
    paper.facts(text.facts(paper, solved))
    return paper
