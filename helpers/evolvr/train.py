"""Evaluators of stories: one ridge regression on numbers, tested out of fold.

A ridge regression draws the line with the least sum of squared errors plus a penalty times the sum
of squared weights. scikit-learn's `Ridge` in a `GridSearchCV` says the same in ten times the time,
for it decomposes the features anew for each penalty; `tests/test_evolvr.py` holds one to the
other.
"""

import numpy as np
from sklearn.model_selection import GroupKFold
from threadpoolctl import threadpool_limits

PENALTIES = 10.0 ** np.arange(6)  # to choose from, 1 to 100,000
CHOOSING_FOLDS = 4  # of the training rows' groups, on which a penalty is chosen


def predict(features, target, splits, groups):
    """Return predictions (rows x targets), each by a model that saw no row of its test fold.

    features: rows x features; target: rows x targets; splits: [(train, test)], of `folds`. The
    model is a ridge regression on standardised features; of PENALTIES it takes the one with the
    least squared error on left-out groups of its training rows (groups: one per row). ValueError:
    an entry that is no finite number.
    """
    if not (np.isfinite(features).all() and np.isfinite(target).all()):
        raise ValueError("features and target: every entry must be a finite number")
    groups = np.asarray(groups)
    predictions = np.full(target.shape, np.nan)
    with threadpool_limits(1):  # matrices are small: a second thread would only wait
        for train, test in splits:
            centre = features[train].mean(axis=0)
            spread = features[train].std(axis=0)
            spread[spread == 0] = 1  # of a number that does not vary
            standardised = (features - centre) / spread
            known = standardised[train], target[train]
            chosen = choose_penalty(*known, groups[train])
            by_penalty = fit_and_predict(*known, standardised[test], PENALTIES[[chosen]])
            predictions[test] = by_penalty[0]
    return predictions


def choose_penalty(features, target, groups):
    """Return the place in PENALTIES of the one with the least mean squared error on left-out
    groups, the mean over the folds; features: rows x features; target: rows x targets."""
    errors = []
    for train, test in GroupKFold(CHOOSING_FOLDS).split(features, groups=groups):
        predicted = fit_and_predict(features[train], target[train], features[test], PENALTIES)
        squared = (predicted - target[test]) ** 2  # penalties x rows x targets
        errors.append(squared.mean(axis=(1, 2)))
    return int(np.argmin(np.mean(errors, axis=0)))


def fit_and_predict(features, target, new_features, penalties):
    """Return what a ridge regression predicts of new rows, by penalty: penalties x new rows x
    targets. features: rows x features; target: rows x targets.

    Along the eigenvectors of the features' sums of products the weights are found one by one: each
    is its share of the target over its eigenvalue plus the penalty. So one decomposition serves all
    penalties (Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 3.4.1).
    """
    feature_means = features.mean(axis=0)
    target_means = target.mean(axis=0)
    centred = features - feature_means
    eigenvalues, eigenvectors = np.linalg.eigh(centred.T @ centred)
    shares = eigenvectors.T @ (centred.T @ (target - target_means))  # eigenvectors x targets
    new_centred = new_features - feature_means
    predicted = []
    for penalty in penalties:
        weights = eigenvectors @ (shares / (eigenvalues + penalty)[:, None])  # features x targets
        predicted.append(target_means + new_centred @ weights)
    return np.array(predicted)


def folds(items, new_writers=False, count=8):
    """Return [(train, test)], positions of items: prompts unseen, or prompts and writers unseen.

    items: group (prompt), writer. Prompts are in `count` parts; with `new_writers` each part is
    tested writer by writer, after training on the other prompts by the other writers.
    """
    splits = list(GroupKFold(count).split(items, groups=items["group"]))
    if not new_writers:
        return splits
    writers = items["writer"].to_numpy(str)
    by_writer = []
    for train, test in splits:
        for name in np.unique(writers):
            other_writers = train[writers[train] != name]
            this_writer = test[writers[test] == name]
            by_writer.append((other_writers, this_writer))
    return by_writer
