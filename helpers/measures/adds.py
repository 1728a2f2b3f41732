"""What a judge adds to what is known unread: a prediction with its scores and one without, and the
slope of people's ratings on its scores where all that is known unread is the same."""

from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from helpers import results
from helpers.measures import blocks, compare, intervals, ratings, statistics, unread

HELD = (("writer", "aspect"), ("rater", "aspect"))


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


def find_slopes(data, scores, held=("writer", "aspect"), level=0.95):
    """Return a row per judge and of a person: how many more of the other raters' Yes go with a Yes
    of this one, where all that is `held` is the same.

    data, scores: as `compare` takes them; held: columns of items or ratings. Columns: estimate,
    low, high, n (groups), and the paired lead over a person. A linear regression (least squares)
    with a constant for every combination of what is held; people who tie count half. Intervals by
    the jackknife over groups.

    Say one writer has four stories, rated on one aspect. Two have a Yes of this rater, and of the
    others' answers about them all are Yes; two have a No, and half of the others' are Yes. Then the
    slope is 1 - 0.5 = 0.5.
    """
    cases = ratings.find_cases(data)
    person = cases["person"].to_numpy(float)
    scorers = ratings.match_scores(cases, scores) | {compare.PERSON: person}
    cell = cases.groupby([*held]).ngroup().to_numpy()
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


def find_added(data, scores, held=HELD, over=("group",), level=0.95, unit=None):
    """Return a row per judge and of a person: how many points more people's single ratings have
    where these scores are one standard deviation higher, with author, rater and all counts alike.

    data, scores: as `compare` takes them; held: sets of columns of items or ratings (one that is
    not there is left out), a constant for each combination of a set; counts of items (words, …)
    have a slope for each aspect. over: the groups that intervals speak of, one column or two.
    Columns: estimate (points of people's scale; of Yes and No, the share of Yes), low, high, n
    (groups); nan where nothing of the scores is left beside what is held. The intervals of the
    judges hold for all of them at once (`intervals.find_max_t`). A person is each other rater of
    the item in turn. The standard deviation is that among items alike in the first set, such as
    those of one author; unit=1: a point of the scorer's own scale instead, such as a Yes for a No.

    Linear regression (least squares), what is held being taken off both sides first (Frisch, Waugh
    and Lovell); the jackknife leaves each group out of what remains.
    """
    table = list_single_ratings(data)
    scorers = ratings.match_scores(table, scores)
    given = list_given(table, held)
    parts = {who: partial_slope(table, score, given, over, unit) for who, score in scorers.items()}
    rows = bound_slopes(parts, level)
    pairs = pair_raters(table)
    given = [*list_given(pairs, held), *list_given(pairs, [("other", "aspect")])]
    person = partial_slope(pairs, pairs["person"].to_numpy(float), given, over, unit)
    rows |= bound_slopes({compare.PERSON: person}, level)
    return pd.DataFrame(rows).T.rename_axis("who")


def list_single_ratings(data):
    """Return one row per rating: item, aspect, rater, score, and what is known of the item."""
    table = ratings.list_scores(data)[["item", "aspect", "rater", "score"]]
    return table.merge(data.items, on="item").reset_index(drop=True)


def pair_raters(table):
    """Return the single ratings (`list_single_ratings`), each beside every other rater's of the
    same item and aspect: with `other`, who that is, and `person`, that rating."""
    others = table[["item", "aspect", "rater", "score"]]
    others = others.rename(columns={"rater": "other", "score": "person"})
    pairs = table.merge(others, on=["item", "aspect"])
    return pairs[pairs["rater"] != pairs["other"]].reset_index(drop=True)


def list_given(table, held):
    """Return a list of arrays, one code per row: the combination of each set of columns that are
    there; held: of `find_added`."""
    there = [[name for name in columns if name in table] for columns in held]
    codes = []
    for columns in filter(None, there):
        codes.append(table.groupby(columns, dropna=False).ngroup().to_numpy())
    return codes


def partial_slope(table, score, given, over, unit=None):
    """Return (slope, [slopes without each group in turn], groups): of `find_added`, of one scorer.

    table: of `list_single_ratings`; score: one per row, nan where there is none; given: of
    `list_given`; over, unit: of `find_added`. Three arrays of slopes for two kinds of groups.
    """
    known = ~np.isnan(score) & table["score"].notna().to_numpy()
    table, score = table[known], score[known]
    codes = [unread.renumber(code[known]) for code in given]
    if not len(score):
        return np.nan, [], 0
    aspects = pd.get_dummies(table["aspect"]).to_numpy(float)
    counts = table[unread.list_counts(table.drop(columns=["score"]))].to_numpy(float)
    counts = (counts - counts.mean(axis=0)) / np.clip(counts.std(axis=0), 1e-12, None)
    by_aspect = (counts[:, :, None] * aspects[:, None, :]).reshape(len(table), -1)
    spread = statistics.centre(score, codes[0]).std() if codes else score.std()
    if spread < 1e-9:
        return np.nan, [], 0
    x = score / (spread if unit is None else unit)
    sides = np.column_stack([table["score"].to_numpy(float), x, by_aspect])
    sides = take_off(sides, codes)
    y, x, known_unread = sides[:, 0], sides[:, 1], sides[:, 2:]
    if known_unread.shape[1]:
        for side in (x, y):
            side -= known_unread @ np.linalg.lstsq(known_unread, side, rcond=1e-9)[0]
    if x @ x < 1e-6 * len(x):
        return np.nan, [], 0
    kinds = [pd.factorize(table[name])[0] for name in over]
    count = min(len(np.unique(kind)) for kind in kinds)
    if len(kinds) > 1:
        kinds.append(table.groupby([*over]).ngroup().to_numpy())
    products, squares = x * y, x * x
    left = []
    for kind in kinds:
        top = products.sum() - np.bincount(kind, products)
        left.append(top / (squares.sum() - np.bincount(kind, squares)))
    return products.sum() / squares.sum(), left, count


def take_off(sides, codes, rounds=200):
    """Return columns less the means of every set of codes, all sets at once: means are taken off in
    turn until nothing moves; sides: rows x columns; codes: arrays of 0, 1, … per row."""
    for _ in range(rounds):
        before = sides
        for code in codes:
            size = np.bincount(code)
            sums = np.column_stack([np.bincount(code, column) for column in sides.T])
            sides = sides - (sums / size[:, None])[code]
        if len(codes) < 2 or np.abs(sides - before).max() < 1e-9:
            break
    return sides


def bound_slopes(parts, level):
    """Return {who: estimate, low, high, n} of `partial_slope`; intervals hold for all at once."""
    known = {who: part for who, part in parts.items() if part[2] >= intervals.ENOUGH}
    rows = {who: intervals.row(slope, n=n) for who, (slope, _, n) in parts.items()}
    if not known:
        return rows
    critical = intervals.find_max_t([left for _, left, _ in known.values()], level)
    degrees = min(n for _, _, n in known.values()) - 1
    factor = critical / stats.t.ppf((1 + level) / 2, degrees)
    for who, (slope, left, _) in known.items():
        row = intervals.combine(slope, left, level)
        ends = intervals.stretch(row["low"], slope, row["high"], factor)
        rows[who] = intervals.row(slope, *ends, row["n"])
    return rows
