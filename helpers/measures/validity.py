"""How far a judge's scores follow people, beside the length of the text and with length held."""

import numpy as np
import pandas as pd

from helpers.measures import intervals

ROWS = ("the judge", "length alone", "the judge, length held")


def beside_length(score, human, words, groups, others=None):
    """Return Spearman's correlation with `human` of the score, of the number of words, and of the score with length held.

    One row each (estimate, low, high, n), intervals over `groups`, or over two kinds of groups (`others`, such as the
    prompts beside the systems). A score without any variation has no correlation.
    """
    table = pd.DataFrame({"score": score, "human": human, "words": words}, dtype=float).reset_index(drop=True)
    if table["score"].nunique() < 2:
        return pd.DataFrame([intervals.row(np.nan, np.nan, np.nan, len(table))] * 3, index=list(ROWS))

    def held(part):  # partial correlation of ranks
        r = part.corr("spearman")
        both, one, other = r.at["score", "human"], r.at["score", "words"], r.at["human", "words"]
        return (both - one * other) / np.sqrt((1 - one**2) * (1 - other**2))

    ways = (lambda part: part["score"].corr(part["human"], "spearman"),
            lambda part: part["words"].corr(part["human"], "spearman"), held)
    rows = {}
    for name, way in zip(ROWS, ways):
        def value(rows, way=way):
            return way(table.iloc[rows])

        rows[name] = (intervals.over_groups(groups, value, scale="correlation") if others is None
                      else intervals.two_way(groups, others, value, scale="correlation"))
    return pd.DataFrame(rows).T


def flips(first, second):
    """Return how often a preference turns when two texts change places (estimate, low, high, n: comparisons).

    first, second: how much the same text is preferred in the two orders; a tie in either counts as no preference.
    """
    first, second = np.sign(np.asarray(first, float)), np.sign(np.asarray(second, float))
    there = (first != 0) & (second != 0)
    return intervals.of_share((first != second)[there].sum(), there.sum())
