"""Trivial judges that every judge should be compared with, chosen out of sample where there is a choice."""

import numpy as np
import pandas as pd

from helpers.measures.agreement import balanced_accuracy, bootstrap_groups, cohen_kappa


def predict_constant(table, by, target="truth", group="group"):
    """Return, for each row, the majority of `target` among rows of the same `by` in the other groups (leave one group out)."""
    total = table.groupby(by)[target].transform("sum") - table.groupby([*by, group])[target].transform("sum")
    count = table.groupby(by)[target].transform("size") - table.groupby([*by, group])[target].transform("size")
    return (total / count >= 0.5).to_numpy()


def predict_by_statistic(features, target, groups):
    """Return (predictions, names): the best single statistic, chosen and scaled on the other groups (leave one group out).

    features: items x statistics; target: a number an item. In each fold the statistic with the largest absolute Pearson
    correlation on the training groups is fitted by a straight line; `names` says which was chosen for which group.
    """
    features, target, groups = features.to_numpy(float), np.asarray(target, float), np.asarray(groups)
    predicted, chosen = np.full(len(target), np.nan), {}
    for group in np.unique(groups):
        train, test = groups != group, groups == group
        spread = features[train].std(axis=0) > 0
        r = np.array([np.corrcoef(column, target[train])[0, 1] if ok else 0.0 for column, ok in zip(features[train].T, spread)])
        best = int(np.argmax(np.abs(r)))
        slope, intercept = np.polyfit(features[train, best], target[train], 1)
        predicted[test], chosen[group] = slope * features[test, best] + intercept, best
    return predicted, chosen


def rate_verdicts(predicted, truth, groups, replicates, rng):
    """Return {n, yes, balanced accuracy, kappa} of binary verdicts with 95 % intervals (…_low, …_high) over groups."""
    predicted, truth = np.asarray(predicted, bool), np.asarray(truth, bool)
    low, high = bootstrap_groups(
        groups,
        lambda rows: (balanced_accuracy(predicted[rows], truth[rows]), cohen_kappa(predicted[rows], truth[rows])),
        replicates,
        rng,
    )
    return {
        "n": len(truth),
        "yes": predicted.mean(),
        "balanced accuracy": balanced_accuracy(predicted, truth),
        "ba_low": low[0],
        "ba_high": high[0],
        "kappa": cohen_kappa(predicted, truth),
        "kappa_low": low[1],
        "kappa_high": high[1],
    }


def correlate_scores(predicted, truth, groups, replicates, rng):
    """Return (r, low, high): Pearson correlation of two scores with its 95 % interval over groups; nan for a constant."""
    values = pd.DataFrame({"a": predicted, "b": truth}).to_numpy(float)

    def correlation(rows):
        sample = values[rows]
        return np.corrcoef(sample.T)[0, 1] if (sample.std(axis=0) > 1e-12).all() else np.nan

    point = correlation(np.arange(len(values)))
    if np.isnan(point):
        return point, np.nan, np.nan
    return (point, *(float(bound) for bound in bootstrap_groups(groups, correlation, replicates, rng)))
