"""*EvolvR*, Tables 6, 10 and 13: rows that repeat another table's."""

from helpers.papers.evolvr.correlations import CORRELATIONS, ON_HANNA
from helpers.papers.evolvr.leads import OURS, OURS_GRPO


def check(paper):
    """Check the rows of Tables 6, 10 and 13 that repeat another table's."""
    for column, name in ON_HANNA.items():
        paper.same(("Table 1", OURS, column), ("Table 10", "4", name))
        if name in CORRELATIONS:
            paper.same(("Table 1", OURS, column), ("Table 6", "EvolvR", name))
    for column in paper.grid("Table 5").columns:
        paper.same(("Table 5", OURS_GRPO, column), ("Table 13", "Pair with Base", column))
