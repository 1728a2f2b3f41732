"""How far a judge's scores follow people, beside the length of the text and with length held."""

import numpy as np
import pandas as pd
from scipy import stats

from helpers.measures import intervals

ROWS = ("the judge", "length alone", "the judge, length held", "the judge minus length")


def beside_length(score, human, words, groups, others=None):
    """Return Spearman's correlation with `human` of the score, of the number of words, of the score
    with length held, and the difference of the first two.

    One row each (estimate, low, high, n), intervals over `groups`, or over two kinds of groups
    (`others`, such as the prompts beside the systems). A score without any variation has no
    correlation.
    """
    table = (
        pd.DataFrame({"score": score, "human": human, "words": words}, dtype=float)
        .reset_index(drop=True)
        .dropna()
    )
    if table["score"].nunique() < 2:
        return pd.DataFrame(
            [intervals.row(np.nan, np.nan, np.nan, len(table))] * len(ROWS), index=list(ROWS)
        )
    values, groups = table.to_numpy(), np.asarray(groups)[table.index]

    def all_four(rows):  # correlations of ranks; the third is partial
        both, one, other = np.corrcoef(stats.rankdata(values[rows], axis=0).T)[[0, 0, 1], [1, 2, 2]]
        return (
            both,
            other,
            (both - one * other) / np.sqrt((1 - one**2) * (1 - other**2)),
            both - other,
        )

    rows = {}
    for place, name in enumerate(ROWS):

        def value(chosen, place=place):
            return all_four(chosen)[place]

        scale = None if name == ROWS[-1] else "correlation"
        rows[name] = (
            intervals.over_groups(groups, value, scale=scale)
            if others is None
            else intervals.two_way(groups, np.asarray(others)[table.index], value, scale=scale)
        )
    return pd.DataFrame(rows).T


def flips(first, second, groups=None):
    """Return how often a preference turns when two texts change places (estimate, low, high, n:
    comparisons, or groups of them).

    first, second: how much the same text is preferred in the two orders; a tie in either counts as
    no preference. groups: what belongs together, such as the questions about one story; without it
    every comparison stands for itself.
    """
    first, second = np.sign(np.asarray(first, float)), np.sign(np.asarray(second, float))
    there = (first != 0) & (second != 0)
    turned = (first != second)[there]
    if groups is None:
        return intervals.of_share(turned.sum(), there.sum())
    return intervals.over_groups(np.asarray(groups)[there], lambda rows: turned[rows].mean())


def to_values(tables):
    """Return {name: number} for `results.save_findings`: tables {study: rows of estimate, low,
    high, n}."""
    return {
        " / ".join(["one judge", study, row, end]): float(line[end])
        for study, table in tables.items()
        for row, line in table.iterrows()
        for end in ("estimate", "low", "high", "n")
    }


def from_values(values):
    """Return (study, row): estimate, low, high, n of what `to_values` wrote; other values are left
    out."""
    kept = {
        tuple(name.split(" / ")[1:]): value
        for name, value in values.items()
        if name.startswith("one judge / ")
    }
    return (
        pd.Series(kept, dtype=float).rename_axis(["study", "row", None]).unstack(sort=False)
        if kept
        else pd.DataFrame()
    )
