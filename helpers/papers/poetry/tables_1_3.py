"""The poetry-ranking paper, Tables 1 and 3, Figures 2 and 3: correlations with the tiers."""

from functools import cache

import numpy as np
import pandas as pd

from helpers.audit.attainable import nearest, spearman_p

POEMS = 90


def check(paper):
    """Check Tables 1 and 3 (121 correlations of tiers are possible; p follows), Figures 2 and 3."""
    check_correlations(paper, "Table 1")
    check_correlations(paper, "Table 3")
    check_figure(paper, "Figure 2")
    check_figure(paper, "Figure 3")


def check_correlations(paper, table):
    """Check a table's correlations with the tiers, and their p-values."""
    printed = paper.grid(table).filter(like="SRC")
    exact = nearest(printed, tier_correlations())
    how = "the nearest of the 121 correlations that an order of three tiers of 30 poems can have"
    paper.check(table, exact, how)
    exact = exact.rename(columns=lambda name: name.replace("SRC", "p-value"))
    p = exact.map(lambda rho: spearman_p(rho, POEMS))
    how = f"the p-value of the correlation before rounding, {{:.4f}}, with {POEMS} poems"
    paper.check(table, p, exact.map(how.format))


@cache
def tier_correlations(size=30):
    """Return every Spearman correlation, sorted, of tiers of `size` poems with a ranking's: both
    sides are coded by tier, so the four corners of the 3 x 3 table of counts decide."""
    # n01: poems of tier 0 that the ranking puts in tier 1
    n00, n02, n20, n22 = np.indices((size + 1,) * 4).reshape(4, -1)
    n01 = size - n00 - n02
    n10 = size - n00 - n20
    n12 = size - n02 - n22
    n21 = size - n20 - n22
    n11 = size - n01 - n21
    is_possible = np.min([n01, n10, n11, n12, n21], axis=0) >= 0
    squares = n01 + n10 + n12 + n21 + 4 * (n02 + n20)  # of the differences in tier
    squares = np.unique(squares[is_possible])
    # of two lists with one mean and one variance, r = 1 - mean squared difference / (2 variance)
    poems = 3 * size
    variance = np.var([0, 1, 2])  # of the tiers, on either side
    return np.sort(1 - squares / (2 * poems * variance))


def check_figure(paper, figure):
    """Check that each correlation of a figure is that of a table."""
    with_itself = pd.DataFrame({"SRC": {"GROUND TRUTH": 1.0}})
    paper.check(figure, with_itself, "Spearman of the ground truth with itself")
    for row in paper.grid(figure).index.drop("GROUND TRUTH"):
        paper.same((figure, row, "SRC"), source_of(row))


def source_of(row):
    """Return the key of the cell in Table 1 or 3 that a row of Figure 2 or 3 copies."""
    criterion, _, method = row.partition(" / ")
    if criterion == "HUMAN":
        return "Table 1", method.capitalize(), "SRC"
    if method == "":  # which Figure 2 leaves out
        method = "Claude-3 15n"
    # "Claude-3" is "Claude-3 15" of Table 3; "Claude-3 15n" and "Claude-3 90" stand as they are
    if not method.endswith(("15", "90", "n")):
        method += " 15"
    return "Table 3", criterion.capitalize(), f"{method} / SRC"
