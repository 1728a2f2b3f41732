"""The page of the poetry-ranking paper: Tables 1 to 8, Figures 2 and 3, the facts of the text."""

from helpers.papers.poetry import table2, table7, table8, tables_1_3, tables_4_6, text


def audit(paper):
    """Audit the Paper and return it; DataError for a blank cell where a number is needed."""
    paper.refuse_blanks("Table 2", "Table 6", "Table 7")
    solved = table2.solve_confusions(paper)
    tables_1_3.check(paper)
    table2.check(paper, solved)
    tables_4_6.check(paper)
    table7.check(paper)
    table8.check(paper)
    paper.facts(text.facts(paper, solved))
    return paper
