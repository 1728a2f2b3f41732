"""What a judge adds to all that is known unread: the slope of people's ratings on its scores where
author, rater and counts are the same."""

import numpy as np
import pandas as pd

from goodjudge.comparison.compare import PERSON
from goodjudge.data import ratings
from goodjudge.stats import covariates, intervals, metrics

HELD = (("writer", "aspect"), ("rater", "aspect"))


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
    rows |= bound_slopes({PERSON: person}, level)
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


def partial_slope(table, score, given, over, unit):
    """Return (slope, [slopes without each group in turn], groups): of `find_added`, of one scorer.

    table: of `list_single_ratings`; score: one per row, nan where there is none; given: of
    `list_given`; over, unit: of `find_added`. Three arrays of slopes for two kinds of groups.
    """
    known = ~np.isnan(score) & table["score"].notna().to_numpy()
    table, score = table[known], score[known]
    codes = [covariates.renumber(code[known]) for code in given]
    if not len(score):
        return np.nan, [], 0
    aspects = pd.get_dummies(table["aspect"]).to_numpy(float)
    counts = table[covariates.list_counts(table.drop(columns=["score"]))].to_numpy(float)
    counts = (counts - counts.mean(axis=0)) / np.clip(counts.std(axis=0), 1e-12, None)
    by_aspect = (counts[:, :, None] * aspects[:, None, :]).reshape(len(table), -1)
    spread = metrics.centre(score, codes[0]).std() if codes else score.std()
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
    factor = intervals.find_factor([left for _, left, _ in known.values()], level)
    for who, (slope, left, _) in known.items():
        row = intervals.combine(slope, left, level)
        ends = intervals.stretch(row["low"], slope, row["high"], factor)
        rows[who] = intervals.row(slope, *ends, row["n"])
    return rows
