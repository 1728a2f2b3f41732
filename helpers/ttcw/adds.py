"""What a judge adds to what is known unread: a prediction with its scores and one without, and the
slope of people's ratings on its scores where all that is known unread is the same."""

from functools import partial

import numpy as np
import pandas as pd
from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.stats import intervals
from goodjudge.stats import jackknife as blocks
from goodjudge.stats import metrics as statistics

from helpers import results


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

    columns = [pd.get_dummies(cases[name]).to_numpy(float) for name in known]
    unread = np.hstack(columns)
    features = unread
    if extra is not None:
        features = np.column_stack([unread, np.asarray(extra, float)])
    passed = cases["target"].to_numpy() > 0.5
    chance = np.zeros(len(cases))
    for train, test in LeaveOneGroupOut().split(features, passed, cases["group"]):
        if passed[train].all() or not passed[train].any():
            chance[test] = passed[train].mean()
            continue
        model = LogisticRegression(solver="newton-cholesky")
        model.fit(features[train], passed[train])
        used = features
        if extra is not None and model.coef_[0][-1] < 0:
            used = unread
            model.fit(used[train], passed[train])
        chance[test] = model.predict_proba(used[test])[:, 1]
    return chance.round(6)


def find_gain(cases, extra, known=("aspect",), level=0.95):
    """Return what scores add to what is known: AUC with them less AUC without (estimate, low, high,
    n: groups), and `auc` with them.

    cases, known: of `predict`; where people tie (a target of 0.5) and where there is no score (nan)
    is left out.
    """
    extra = np.asarray(extra, float)
    decided = cases["target"].notna() & (cases["target"] != 0.5)
    usable = decided & ~np.isnan(extra)
    cases, extra = cases[usable], extra[usable]
    target = cases["target"].to_numpy(float)
    passed = target > 0.5
    groups = cases["group"].nunique()
    if groups < 2 or passed.all() or not passed.any():
        return pd.concat([intervals.row(n=groups), pd.Series({"auc": np.nan})])
    auc_with, left_with = rate_chances(cases, predict(cases, extra, known))
    auc_without, left_without = rate_chances(cases, predict(cases, None, known))
    row = intervals.combine(auc_with - auc_without, [left_with - left_without], level)
    return pd.concat([row, pd.Series({"auc": auc_with})])


def rate_chances(cases, chance):
    """Return (AUC, the same without each group) of the chances of a pass, all cases compared."""
    target, groups = cases["target"].to_numpy(float), cases["group"].to_numpy()
    same = np.zeros(len(cases), int)  # one label
    left = blocks.leave_out(statistics.auc, chance, target, same, groups)
    return statistics.auc(chance, target, same), left


def find_gains(data, scores, level=0.95):
    """Return a row of `find_gain` per judge, and of a person on the cases that some judge answered.

    data, scores: as `compare` takes them.
    """
    cases = ratings.find_cases(data)
    scorers = ratings.match_scores(cases, scores)
    answered = ~np.isnan([*scorers.values()]).all(axis=0)
    scorers[compare.PERSON] = cases["person"].where(answered).to_numpy()
    gains = {who: find_gain(cases, score, level=level) for who, score in scorers.items()}
    return pd.DataFrame(gains).T.rename_axis("who").rename(columns={"auc": "AUC with the answer"})


def find_gains_without(data, scores, level=0.95):
    """Return the gain of one judge (estimate, low, high, n) without each aspect in turn, the
    smallest gain first."""
    gains = {}
    for aspect in data.ratings["aspect"].unique():
        rest = data._replace(ratings=data.ratings[data.ratings["aspect"] != aspect])
        gains[aspect] = find_gains(rest, scores, level).iloc[0]
    table = pd.DataFrame(gains).T[compare.ENDS]
    return results.rank(table, "estimate", ascending=True)


def find_slopes(data, scores, level=0.95):
    """Return a row per judge and of a person: how many more of the other raters' Yes go with a Yes
    of this one, where writer and aspect are the same.

    data, scores: as `compare` takes them. Columns: estimate, low, high, n (groups), and the paired
    lead over a person. A linear regression (least squares) with a constant for every writer and
    aspect; people who tie count half. Intervals by the jackknife over groups.

    Say one writer has four stories, rated on one aspect. Two have a Yes of this rater, and of the
    others' answers about them all are Yes; two have a No, and half of the others' are Yes. Then the
    slope is 1 - 0.5 = 0.5.
    """
    cases = ratings.find_cases(data)
    person = cases["person"].to_numpy(float)
    scorers = ratings.match_scores(cases, scores) | {compare.PERSON: person}
    cell = cases.groupby(["writer", "aspect"]).ngroup().to_numpy()
    target = cases["target"].to_numpy()
    group = cases["group"].to_numpy()
    table = {}
    for who, score in scorers.items():
        answered = ~np.isnan(score)
        others = target[answered], cell[answered]
        slope = partial(slope_on, score[answered], *others)
        row = intervals.over_groups(group[answered], slope, level)
        if who != compare.PERSON:
            lead = partial(lead_on, score[answered], person[answered], *others)
            ends = intervals.over_groups(group[answered], lead, level)[compare.ENDS[:3]]
            row = pd.concat([row, ends.set_axis(compare.lead_names("person"))])
        table[who] = row
    return pd.DataFrame(table).T.rename_axis("who")


def slope_on(score, target, cell, rows):
    """Return the slope of a score over some rows; score, target, cell: of `find_slope`."""
    return find_slope(score[rows], target[rows], cell[rows])


def lead_on(score, person, target, cell, rows):
    """Return a score's slope less a person's, over some rows; target, cell: of `find_slope`."""
    return slope_on(score, target, cell, rows) - slope_on(person, target, cell, rows)


def find_slope(score, target, cell):
    """Return by how much the target rises with the score within a cell; nan where no score
    varies."""
    score = statistics.centre(score, cell)
    target = statistics.centre(target, cell)
    spread = score @ score
    return score @ target / spread if spread > 1e-9 else np.nan
