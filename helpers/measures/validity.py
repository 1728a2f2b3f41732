"""Findings of one judge as values and back, as notebook 06 reads them."""

import pandas as pd

from helpers.measures.steadiness import count_turned as flips  # noqa: F401 -- its old name

ROWS = ("the judge", "length alone", "the judge, length held", "the judge minus length")


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
