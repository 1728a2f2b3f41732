"""Trivial judges that every judge should be compared with, chosen and fitted out of sample."""

import numpy as np
import pandas as pd

from helpers.measures import intervals


def predict_constant(table, by, target="truth", group="group"):
    """Return for each row the majority of `target` among rows alike in `by` in other groups."""
    alike, mine = table.groupby(by)[target], table.groupby([*by, group])[target]
    total = alike.transform("sum") - mine.transform("sum")
    count = alike.transform("size") - mine.transform("size")
    return (total / count >= 0.5).to_numpy()


def predict_probability(table, extra=None, by_test=False):
    """Return the probability of `truth` for each row from its `test` and, if named, the column
    `extra`; by_test: `extra` has a weight of its own in every test, not one for all.

    A weight of `extra` is 0 or more: a judge's Yes may count for a pass, never against it. A
    logistic regression with scikit-learn's default penalty, fitted on the other groups (leave one
    group out); rounded to six decimals, so that equal cases are equal on every machine. table:
    test, truth, group and perhaps `extra`.
    """
    from sklearn.linear_model import LogisticRegression  # takes a second to import
    from sklearn.model_selection import LeaveOneGroupOut

    features = pd.get_dummies(table["test"]).to_numpy(float)
    tests = features.shape[1]
    if extra is not None:
        column = table[[extra]].to_numpy(float)
        features = np.column_stack([features, column * features if by_test else column])
    truth, guess = table["truth"].to_numpy(bool), np.zeros(len(table))
    for train, test in LeaveOneGroupOut().split(features, truth, table["group"]):
        if truth[train].all() or not truth[train].any():
            guess[test] = truth[train].mean()
            continue
        kept = np.arange(features.shape[1])
        while True:
            model = LogisticRegression(solver="newton-cholesky")
            model.fit(features[np.ix_(train, kept)], truth[train])
            against = (kept >= tests) & (model.coef_[0] < 0)
            if not against.any():
                break
            kept = kept[~against]
        guess[test] = model.predict_proba(features[np.ix_(test, kept)])[:, 1]
    return guess.round(6)


def gain_in_auc(table, extra, level=0.95, by_test=False, scored=None):
    """Return what a column adds to knowing the tests: AUC with it less AUC without, with its
    interval over groups.

    AUC: the chance that a passed case is ranked above a failed one. by_test: as in
    `predict_probability`; scored: a query for the rows that are ranked (all are learnt from).
    Columns estimate, low, high, n, and `auc` with the column.
    """
    from sklearn.metrics import roc_auc_score

    table = table.dropna(subset=[extra]).reset_index(drop=True)
    rows = table.query(scored).index if scored else table.index
    truth = table.loc[rows, "truth"].to_numpy(bool)
    groups = table.loc[rows, "group"].to_numpy()
    if len(set(groups)) < 2 or len(set(truth)) < 2:
        found, auc = intervals.row(np.nan, np.nan, np.nan, len(set(groups))), np.nan
    else:
        known = predict_probability(table)[rows]
        more = predict_probability(table, extra, by_test)[rows]

        def gain(chosen):
            part = truth[chosen]
            if part.all() or not part.any():
                return np.nan
            return roc_auc_score(part, more[chosen]) - roc_auc_score(part, known[chosen])

        found, auc = intervals.over_groups(groups, gain, level), roc_auc_score(truth, more)
    return pd.concat([found, pd.Series({"auc": auc})])


def predict_by_statistic(features, target, groups):
    """Return (predictions, names): the best single statistic, chosen and scaled on the other groups
    (leave one group out).

    features: items x statistics; target: one number per item. In each fold the statistic with the
    largest absolute Pearson correlation on the training groups is fitted by a straight line;
    `names` says which was chosen for which group.
    """
    features, target = features.to_numpy(float), np.asarray(target, float)
    groups = np.asarray(groups)
    predicted, chosen = np.full(len(target), np.nan), {}
    for group in np.unique(groups):
        train = groups != group
        r = np.zeros(features.shape[1])
        varied = features[train].std(axis=0) > 0
        r[varied] = [np.corrcoef(x, target[train])[0, 1] for x in features[train][:, varied].T]
        best = chosen[group] = int(np.argmax(np.abs(r)))
        line = np.polyfit(features[train, best], target[train], 1)
        predicted[~train] = np.polyval(line, features[~train, best])
    return predicted, chosen


def correlate_scores(predicted, truth, groups, level=0.95):
    """Return Pearson r of two scores: estimate, low, high, n (groups); nan for a constant."""
    values = pd.DataFrame({"a": predicted, "b": truth}).to_numpy(float)
    if len(set(groups)) < 2 or not (values.std(axis=0) > 1e-12).all():
        return intervals.row(np.nan, np.nan, np.nan, len(set(groups)))
    return intervals.over_groups(
        groups, lambda rows: np.corrcoef(values[rows].T)[0, 1], level, "correlation"
    )


def lead_in_r(first, second, truth, groups):
    """Return how much closer `first` follows `truth` than `second` does: its Pearson r less that of
    `second` on the same items (estimate, low, high, n: groups)."""
    values = np.array([first, second, truth], float)

    def lead(rows):
        r = np.corrcoef(values[:, rows])[2]
        return r[0] - r[1]

    return intervals.over_groups(groups, lead)


def correct_rate(labels, said, rest):
    """Return the true rate from few labels and a judge on everything (estimate, low, high, n:
    labels).

    labels: 0/1 of the labelled cases, drawn at random; said: the judge's 0/1 on them; rest: on the
    unlabelled (floats). Prediction-powered inference with its tuned weight between 0, for a useless
    judge, and 1 (Angelopoulos, Duchi & Zrnic 2023).
    """
    n, more = len(labels), len(rest)
    spread = np.concatenate([said, rest]).var(ddof=1)
    tuned = np.cov(labels, said, ddof=0)[0, 1] / ((1 + n / more) * spread) if spread else 0
    weight = np.clip(tuned, 0, 1)
    estimate = labels.mean() + weight * (rest.mean() - said.mean())
    error = np.sqrt((labels - weight * said).var(ddof=1) / n + weight**2 * rest.var(ddof=1) / more)
    return intervals.row(estimate, estimate - 1.96 * error, estimate + 1.96 * error, n)
