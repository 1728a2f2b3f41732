"""What a judge adds to what is known unread: a prediction with its scores and one without."""

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import compare, intervals, ratings, statistics


def predict(cases, extra=None, known=("aspect",)):
    """Return each case's probability of a pass (target above 0.5) from the columns `known` and, if
    given, the scores `extra`.

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
        features = np.hstack([features, np.asarray(extra, float)[:, None]])
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


def find_gain(cases, extra, known=("aspect",), level=0.95):
    """Return what scores add to what is known: AUC with them less AUC without (estimate, low, high,
    n: groups), and `auc` with them.

    cases, known: of `predict`; where people tie (a target of 0.5) and where there is no score (nan)
    is left out.
    """
    target, extra = cases["target"].to_numpy(float), np.asarray(extra, float)
    there = ~np.isnan(extra + target) & (target != 0.5)
    cases, extra, target = cases[there], extra[there], target[there]
    groups = cases["group"].to_numpy()
    if len(set(groups)) < 2 or len(set(target > 0.5)) < 2:
        return pd.concat([intervals.row(n=len(set(groups))), pd.Series({"auc": np.nan})])
    more, less = (predict(cases, x, known) for x in (extra, None))
    given = target, np.zeros(len(target), int)
    with_it, without = (statistics.auc(guess, *given) for guess in (more, less))
    parts = [statistics.leave_out(statistics.auc, guess, *given, groups) for guess in (more, less)]
    found = intervals.combine(with_it - without, [parts[0] - parts[1]], level)
    return pd.concat([found, pd.Series({"auc": with_it})])


def find_gains(data, scores, level=0.95):
    """Return a row of `find_gain` per judge, and of a person on the cases that some judge answered.

    data, scores: as `compare` takes them.
    """
    cases = ratings.find_cases(data)
    said = ratings.match_scores(cases, scores)
    answered = ~np.isnan([*said.values()]).all(axis=0)
    said[compare.PERSON] = cases["person"].where(answered).to_numpy()
    found = {who: find_gain(cases, one, level=level) for who, one in said.items()}
    return pd.DataFrame(found).T.rename_axis("who").rename(columns={"auc": "AUC with the answer"})


def find_gains_without(data, scores, level=0.95):
    """Return the gain of one judge (estimate, low, high, n) without each aspect in turn, the
    smallest gain first."""
    found = {}
    for aspect in data.ratings["aspect"].unique():
        part = data._replace(ratings=data.ratings[data.ratings["aspect"] != aspect])
        found[aspect] = find_gains(part, scores, level).iloc[0]
    return results.rank(pd.DataFrame(found).T[compare.ENDS], "estimate", ascending=True)


def find_slopes(data, scores, held=("writer", "aspect"), level=0.95):
    """Return a row per judge and of a person: how many more of the other raters' Yes go with a Yes
    of this one, where all that is `held` is the same.

    data, scores: as `compare` takes them; held: columns of items or ratings. Columns: estimate,
    low, high, n (groups), and the paired lead over a person. A linear regression (least squares)
    with a constant for every combination of what is held; people who tie count half. Intervals by
    the jackknife over groups.
    """
    cases = ratings.find_cases(data)
    person = cases["person"].to_numpy(float)
    said = ratings.match_scores(cases, scores) | {compare.PERSON: person}
    cell, target = cases.groupby([*held]).ngroup().to_numpy(), cases["target"].to_numpy()
    found = {}
    for who, score in said.items():
        known = np.flatnonzero(~np.isnan(score))

        def slope(rows, score=score, known=known):
            rows = known[rows]
            return find_slope(score[rows], target[rows], cell[rows])

        def lead(rows, slope=slope, known=known):
            return slope(rows) - find_slope(*(side[known[rows]] for side in (person, target, cell)))

        groups = cases["group"].to_numpy()[known]
        row = intervals.over_groups(groups, slope, level)
        if who != compare.PERSON:
            ends = intervals.over_groups(groups, lead, level)[compare.ENDS[:3]]
            row = pd.concat([row, ends.set_axis(compare.lead_names("person"))])
        found[who] = row
    return pd.DataFrame(found).T.rename_axis("who")


def find_slope(score, target, cell):
    """Return by how much the target rises with the score within a cell; nan where no score
    varies."""
    score, target = (statistics.centre(side, cell) for side in (score, target))
    spread = score @ score
    return score @ target / spread if spread > 1e-9 else np.nan
