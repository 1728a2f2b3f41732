"""*EvolvR*, Tables 6, 10 and 13: rows that repeat another table's."""

from helpers.papers.evolvr.leads import CORRELATIONS, OURS
from helpers.papers.evolvr.tables_10_11 import ON_HANNA


def check(paper):
    """Check the rows of Tables 6, 10 and 13 that repeat another table's."""
    for cell, name in ON_HANNA.items():
        copies = [("Table 10", "4", name), ("Table 6", "EvolvR", name)]
        for key in copies[: 1 + (name in CORRELATIONS)]:
            paper.same(("Table 1", OURS, cell), key)
    for name in paper.grid("Table 5").columns:
        paper.same(("Table 5", "EvolvR GRPO", name), ("Table 13", "Pair with Base", name))
