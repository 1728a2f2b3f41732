"""*EvolvR*, Tables 10 and 11: the protocol, how many comparisons and in which order."""

import pandas as pd

from helpers.papers.evolvr.correlations import MEASURES, check_correlations, check_error

ORDERS = ["(A, B)", "(B, A)"]
POOLED = (
    "; Kendall's tau of both orders in one list need not be the mean of two, but lies very near it"
    " where they differ as little (simulated), and the other four measures average exactly"
)


def check(paper, arrays):
    """Check Tables 10 and 11: two orders average to N = 4; measures of a row by each other.

    arrays: HANNA's ratings, aspects x stories x 3.
    """
    check_orders(paper)
    for table in ("Table 10", "Table 11"):
        rows = paper.grid(table)
        check_error(paper, table, rows, arrays)
        check_correlations(paper, table, rows, near=0.05)


def check_orders(paper):
    """Check each order of Table 11 by the other and the row N = 4 of Table 10."""
    whole = paper.table("Table 10").at("4", MEASURES)
    for row, other in (ORDERS, ORDERS[::-1]):
        rest = 2 * whole - paper.table("Table 11").at(other, MEASURES)
        how = f"what averages with the row {other} to the row N = 4 of Table 10 (input checked)"
        rest = rest.to_frame(row).transpose()
        remarks = pd.DataFrame("", rest.mid.index, rest.mid.columns)
        remarks["Kendall"] = POOLED
        paper.check("Table 11", rest, how, remark=remarks)
