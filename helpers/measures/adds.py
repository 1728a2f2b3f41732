"""What a judge adds to what is known unread: a prediction with its scores and one without."""

import numpy as np
import pandas as pd

from helpers.measures import compare, intervals, ratings, statistics


def predict(cases, extra=None, known=("aspect",), by_aspect=False):
    """Return each case's probability of a pass (target above 0.5) from the columns `known` and, if
    given, the scores `extra`; by_aspect: these have a weight of their own in every aspect.

    cases: of `ratings.find_cases`. A weight of `extra` is 0 or more: a Yes may count for a pass,
    never against it. A logistic regression with scikit-learn's default penalty, fitted on the other
    groups (leave one group out); rounded to six decimals, so that equal cases are equal on every
    machine.
    """
    from sklearn.linear_model import LogisticRegression  # takes a second to import
    from sklearn.model_selection import LeaveOneGroupOut

    told = [pd.get_dummies(cases[name]).to_numpy(float) for name in known]
    features, unread = np.hstack(told), sum(part.shape[1] for part in told)
    if extra is not None:
        column = np.asarray(extra, float)[:, None]
        own = pd.get_dummies(cases["aspect"]).to_numpy(float) if by_aspect else 1
        features = np.hstack([features, column * own])
    passed, guess = cases["target"].to_numpy() > 0.5, np.zeros(len(cases))
    for train, test in LeaveOneGroupOut().split(features, passed, cases["group"]):
        if passed[train].all() or not passed[train].any():
            guess[test] = passed[train].mean()
            continue
        kept = np.arange(features.shape[1])
        while True:
            model = LogisticRegression(solver="newton-cholesky")
            model.fit(features[np.ix_(train, kept)], passed[train])
            against = (kept >= unread) & (model.coef_[0] < 0)
            if not against.any():
                break
            kept = kept[~against]
        guess[test] = model.predict_proba(features[np.ix_(test, kept)])[:, 1]
    return guess.round(6)


def find_gain(cases, extra, known=("aspect",), level=0.95, by_aspect=False, ranked=None):
    """Return what scores add to what is known: AUC with them less AUC without (estimate, low, high,
    n: groups), and `auc` with them.

    cases, known, by_aspect: of `predict`; where people tie (a target of 0.5) and where there is no
    score (nan) is left out. ranked: True for the cases that are ranked (all are learnt from).
    """
    target, extra = cases["target"].to_numpy(float), np.asarray(extra, float)
    there = ~np.isnan(extra + target) & (target != 0.5)
    ranked = there if ranked is None else np.asarray(ranked, bool)
    rows = np.flatnonzero(ranked[there])
    cases, extra, target = cases[there], extra[there], target[there]
    groups = cases["group"].to_numpy()[rows]
    if len(set(groups)) < 2 or len(set(target[rows] > 0.5)) < 2:
        return pd.concat([intervals.row(n=len(set(groups))), pd.Series({"auc": np.nan})])
    more, less = (predict(cases, x, known, by_aspect)[rows] for x in (extra, None))
    given = target[rows], np.zeros(len(rows), int)
    with_it, without = (statistics.auc(guess, *given) for guess in (more, less))
    parts = [statistics.leave_out(statistics.auc, guess, *given, groups) for guess in (more, less)]
    found = intervals.combine(with_it - without, [parts[0] - parts[1]], level)
    return pd.concat([found, pd.Series({"auc": with_it})])


def find_gains(data, scores, ranked=None, **how):
    """Return a row of `find_gain` per judge, and of a person on the cases that some judge answered.

    data, scores: as `compare` takes them; ranked: a query for the cases that are ranked.
    """
    cases = ratings.find_cases(data)
    said = ratings.match_scores(cases, scores)
    answered = ~np.isnan([*said.values()]).all(axis=0)
    said[compare.PERSON] = cases["person"].where(answered).to_numpy()
    ranked = cases.eval(ranked) if ranked else None
    found = {who: find_gain(cases, one, ranked=ranked, **how) for who, one in said.items()}
    return pd.DataFrame(found).T.rename_axis("who").rename(columns={"auc": "AUC with it"})
