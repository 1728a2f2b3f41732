"""Correlate scores with mean ratings, pooled or with means taken away, with fitting intervals."""

from functools import partial

import numpy as np
import pandas as pd

from helpers.measures.intervals import over_groups, two_way


def centre(values, systems=None):
    """Return aspects x stories minus each aspect's mean, or minus each aspect's mean for each
    system."""
    values = np.asarray(values, float)
    if systems is None:
        return values - values.mean(axis=1, keepdims=True)
    means = pd.DataFrame(values.T).groupby(np.asarray(systems)).transform("mean")
    return values - means.to_numpy().T


def correlate(predicted, target):
    """Return a statistic: positions of stories -> Pearson's r over all their aspects; nan where a
    side does not vary.

    What is nan on either side is left out.
    """
    p, t = np.asarray(predicted, float), np.asarray(target, float)
    parts = np.stack([np.ones_like(p), p, t, p * p, t * t, p * t])
    # six sums per story make every r fast
    parts = np.where(np.isnan(p + t), 0, parts).sum(axis=1).T

    def statistic(rows):
        n, p, t, pp, tt, pt = parts[rows].sum(axis=0)
        spread = (pp - p**2 / n) * (tt - t**2 / n)
        return (pt - p * t / n) / np.sqrt(spread) if spread > 1e-12 * pp * tt else np.nan

    return statistic


def compare(predictions, target, prompts, systems=None, against=None):
    """Return one row per prediction: estimate (Pearson's r), low, high, n.

    predictions: {name: aspects x stories}. The 95 % intervals speak of other prompts, or, where
    `systems` is given, of other prompts and other systems. against: a name; then rows are
    differences of r from that one's, paired.
    """
    r = {name: correlate(predicted, target) for name, predicted in predictions.items()}
    scale = "correlation" if against is None else None
    base = r.pop(against, lambda rows: 0)
    over = partial(over_groups, prompts) if systems is None else partial(two_way, systems, prompts)

    def lead(own):
        return lambda rows: own(rows) - base(rows)

    rows = {name: over(lead(own), scale=scale) for name, own in r.items()}
    return pd.DataFrame(rows).T.astype({"n": int})
