"""The page of *EvolvR*: Tables 1 to 15, and the facts of the text."""

from helpers.evolvr.load import rating_array
from helpers.papers.evolvr import (
    copies,
    correlations,
    leads,
    table8,
    table9,
    tables_4_5_12,
    tables_10_11,
    tables_14_15,
    text,
)


def audit(paper, data):
    """Audit the Paper and return it; data: HANNA's `Ratings`. DataError for a blank cell where a
    number is needed."""
    paper.refuse_blanks("Table 4", "Table 9", "Table 12", "Table 14", "Table 15")
    arrays, _ = rating_array(data)
    leads.check(paper)
    correlations.check(paper, arrays)
    tables_10_11.check(paper, arrays)
    table8.check_ratings(paper, data)
    table8.check(paper)
    table9.check(paper)
    tables_4_5_12.check(paper)
    copies.check(paper)
    tables_14_15.check(paper)
    paper.facts(text.facts(paper, data))
    return paper
