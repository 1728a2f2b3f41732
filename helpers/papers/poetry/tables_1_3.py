"""The poetry-ranking paper, Tables 1 and 3, Figures 2 and 3: correlations with the tiers."""

from functools import cache

import numpy as np
import pandas as pd

from helpers.audit.attainable import nearest, spearman_p


@cache
def tier_correlations(size=30):
    """Return every Spearman correlation, sorted, of tiers of `size` poems with a ranking's: both
    sides are coded by tier, so the four corners of the 3 x 3 table of counts decide."""
    n00, n02, n20, n22 = np.indices((size + 1,) * 4).reshape(4, -1)
    n01, n10, n12, n21 = size - n00 - n02, size - n00 - n20, size - n02 - n22, size - n20 - n22
    possible = np.min([n01, n10, n12, n21, size - n01 - n21], axis=0) >= 0
    squares = np.unique((n01 + n10 + n12 + n21 + 4 * (n02 + n20))[possible])
    return np.sort(1 - squares / (2 * 3 * size * np.var([0, 1, 2])))


def check(paper):
    """Check Tables 1 and 3 (121 correlations of tiers are possible; p follows), Figures 2 and 3."""
    near = "the nearest of the 121 correlations that an order of three tiers of 30 poems can have"
    for table in ("Table 1", "Table 3"):
        exact = nearest(paper.grid(table).filter(like="SRC"), tier_correlations())
        paper.check(table, exact, near)
        exact = exact.rename(columns=lambda name: name.replace("SRC", "p-value"))
        how = "the p-value of the correlation before rounding, {:.4f}, with 90 poems"
        paper.check(table, exact.map(lambda rho: spearman_p(rho, 90)), exact.map(how.format))
    for figure in ("Figure 2", "Figure 3"):
        truth = pd.DataFrame({"SRC": {"GROUND TRUTH": 1.0}})
        paper.check(figure, truth, "Spearman of the ground truth with itself")
        for row in paper.grid(figure).index.drop("GROUND TRUTH"):
            criterion, _, method = row.partition(" / ")
            other = "Table 1", method.capitalize(), "SRC"
            if criterion != "HUMAN":
                method = method or "Claude-3 15n"  # which Figure 2 shows
                method += "" if method[-1] in "0n5" else " 15"  # Figure 3 leaves out the 15
                other = "Table 3", criterion.capitalize(), f"{method} / SRC"
            paper.same((figure, row, "SRC"), other)
