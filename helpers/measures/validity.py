"""How far a judge's scores follow people, beside the length of the text and with length held."""

from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from helpers.measures import intervals
from helpers.measures.steadiness import count_turned as flips  # noqa: F401 -- its old name

ROWS = ("the judge", "length alone", "the judge, length held", "the judge minus length")


def beside_length(score, human, words, *groups):
    """Return Spearman's correlation with `human` of the score, of the number of words, of the score
    with length held, and the difference of the first two.

    Nine decimals are ranked: what is equal but for a computer's rounding is a tie.
    One row each (estimate, low, high, n), intervals over `groups`, or over two kinds of groups
    (such as systems, prompts). A score without any variation has no correlation.
    """
    given = {"score": score, "human": human, "words": words}
    table = pd.DataFrame(given, dtype=float).round(9).reset_index(drop=True).dropna()
    if table["score"].nunique() < 2:
        unknown = intervals.row(np.nan, np.nan, np.nan, len(table))
        return pd.DataFrame([unknown] * len(ROWS), index=list(ROWS))
    values, groups = table.to_numpy(), [np.asarray(kind)[table.index] for kind in groups]
    over = intervals.over_groups if len(groups) == 1 else intervals.two_way

    def correlate(chosen, row):
        ranks = stats.rankdata(values[chosen], axis=0)
        judge, wordy, length = np.corrcoef(ranks.T)[[0, 0, 1], [1, 2, 2]]
        held = (judge - wordy * length) / np.sqrt((1 - wordy**2) * (1 - length**2))
        return dict(zip(ROWS, (judge, length, held, judge - length)))[row]

    rows = {}
    for row in ROWS:
        scale = None if row == ROWS[-1] else "correlation"
        rows[row] = over(*groups, partial(correlate, row=row), scale=scale)
    return pd.DataFrame(rows).T


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
    if not kept:
        return pd.DataFrame()
    return pd.Series(kept, dtype=float).rename_axis(["study", "row", None]).unstack(sort=False)
