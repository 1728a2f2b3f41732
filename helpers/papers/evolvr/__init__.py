"""The page of *EvolvR*: Tables 1 to 15, and the facts of the text."""

from helpers.evolvr.load import rating_array
from helpers.papers.evolvr import tables, text


def audit(paper, data):
    """Audit the Paper and return it; data: HANNA's `Ratings`. DataError for a blank cell where a
    number is needed."""
    paper.refuse_blanks("Table 4", "Table 9", "Table 12", "Table 14", "Table 15")
    arrays, _ = rating_array(data)
    tables.check_leads(paper)
    tables.check_evaluators(paper, arrays)
    tables.check_protocol(paper, arrays)
    tables.check_agreement(paper, data)
    tables.check_filter(paper)
    tables.check_human_evaluation(paper)
    tables.check_copies(paper)
    tables.check_experts(paper)
    paper.facts(text.facts(paper, data))
    return paper
