"""Evaluators of stories: one ridge regression on numbers, tested out of fold."""

import numpy as np
from sklearn import config_context
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

ALPHAS = 10.0 ** np.arange(6)  # penalties to choose from, 1 to 100,000


def predict(features, target, splits, groups):
    """Return predictions (rows x targets), each by a model that saw no row of its test fold.

    features: rows x features; target: rows x targets; splits: [(train, test)], of `folds`. The
    model is a ridge regression on standardised features; of ALPHAS it takes the penalty with the
    least squared error on left-out groups of its training rows (groups: one per row). ValueError:
    an entry that is no finite number.
    """
    if not (np.isfinite(features).all() and np.isfinite(target).all()):
        raise ValueError("features and target: every entry must be a finite number")
    penalties = {"alpha": ALPHAS}
    ridge = GridSearchCV(Ridge(), penalties, scoring="neg_mean_squared_error", cv=GroupKFold(4))
    model = make_pipeline(StandardScaler(), ridge)
    inner_groups = {"gridsearchcv__groups": np.asarray(groups)}
    # small systems: checks that each fit repeats take a quarter of the time, and threads of a busy
    # machine only wait for each other
    lean = config_context(assume_finite=True, skip_parameter_validation=True)
    with threadpool_limits(1), lean:
        return cross_val_predict(model, features, target, cv=splits, params=inner_groups)


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
