"""Raters' severity: how many points each rater scores below others on the same items.

The model is additive, aspect by aspect:

    score = item - severity of the rater + rest

Severity is in points. A severe (strict) rater has a positive one, a lenient rater a negative one.
Only raters who share items, directly or through others, can be compared: they form a *circle*.
Suppose Ann and Ben both rate two stories.

    story    Ann    Ben
    first      4      2
    second     5      3

Ben scores 2 points below Ann on the same stories: his severity is +1, hers is -1.

Plain least squares (`find_severity`) describes the raters at hand. Used to correct ratings, it
overcorrects: a rater with three ratings seems severe by chance. So ratings are corrected by
severities that are shrunk towards 0, the more the fewer ratings there are (`shrink_towards_zero`):

- `remove_severity`, for a correlation over the ratings of different people, learns the severity
  without the item that is corrected;
- `adjust_raters`, for correlations that are taken rater by rater, moves all of a rater's scores by
  one number;
- `estimate_severity` gives the table for readers.

In this module `item` and `rater` are whole numbers from 0 and `score` is a number. Each is an array
with one entry per rating of one aspect.
"""

import numpy as np
import pandas as pd
from scipy import sparse

from goodjudge.data import ratings
from goodjudge.stats import metrics

ADJUST_FROM = 20  # ratings of a rater on an aspect, from which `adjust_raters` takes severity off
LEARN_FROM = 10  # other ratings of a rater, from which severity is learnt elsewhere
SINGLY = 100  # items, up to which each is left out by itself
FOLDS = 10  # of more items, left out together
SMALL = 50_000  # items x raters, up to which a full table is quicker than a sparse one


def find_severity(data):
    """Return (ratings, freedom) by least squares.

    data: `Ratings`. ratings: of `ratings.list_scores`, with a column `severity`, the points by
    which this rater scores below the others on the same items; over all ratings of an aspect its
    mean is 0. freedom: the degrees of freedom that are left, over all aspects. Raters of different
    circles are compared with their own circle only.
    """
    table = ratings.list_scores(data)
    severity = np.zeros(len(table))
    freedom = 0
    for rows, item, rater, score in split_aspects(table):
        severity[rows], freedom_of_aspect = fit_severity(item, rater, score)
        freedom += freedom_of_aspect
    return table.assign(severity=severity), freedom


def remove_severity(data):
    """Return the data with each rater's severity removed from the scores (score + severity), learnt
    without the item that is corrected: for correlations over the ratings of different people.

    data: `Ratings`. A rater's severity on an item is learnt from the other items, so that no rating
    helps to correct itself: otherwise raters of few items would agree about nothing. More than a
    hundred items are dealt into ten folds; the other nine tell. The scores of a rater with fewer
    than ten other ratings on the aspect stay as they are.
    """
    table = ratings.list_scores(data)
    corrected = table["score"].to_numpy(float).copy()
    for rows, item, rater, score in split_aspects(table):
        most_ratings = np.bincount(rater).max()
        if most_ratings >= LEARN_FROM:
            corrected[rows] += find_severity_elsewhere(item, rater, score)
    return data._replace(ratings=table.assign(score=corrected.round(9)))


def adjust_raters(data):
    """Return the data with each rater's severity on an aspect removed from all of this rater's
    scores (score + severity): for correlations that are taken rater by rater (`compare.compare`).

    data: `Ratings`. One number is added per rater and aspect. So what a rater thinks of one
    item against another stays as it was; what changes is the mean of several raters. The scores of
    a rater with fewer than twenty ratings on the aspect stay as they are: corrected on so little,
    raters would seem to agree about nothing (benchmarks/passport.py).
    """
    table = ratings.list_scores(data)
    corrected = table["score"].to_numpy(float).copy()
    for rows, item, rater, score in split_aspects(table):
        by_rater, counts = shrink_towards_zero(item, rater, score)
        by_rater = np.where(counts >= ADJUST_FROM, by_rater, 0.0)
        corrected[rows] += by_rater[rater]
    return data._replace(ratings=table.assign(score=corrected.round(9)))


def estimate_severity(data):
    """Return (table, linked): each rater's severity for readers, and whether all raters are linked
    by common items on every aspect.

    data: `Ratings`. table: a row per rater; severity, in points (strict: above 0), shrunk towards
    0, its mean over the ratings on all aspects; ratings, how many there are.
    """
    table = ratings.list_scores(data)
    points = np.zeros(len(table))  # of severity
    linked = True
    for rows, item, rater, score in split_aspects(table):
        by_rater, _ = shrink_towards_zero(item, rater, score)
        points[rows] = by_rater[rater]
        circles = np.unique(find_circles(item, rater))
        linked = linked and len(circles) == 1
    by_rater = table.assign(severity=points.round(9)).groupby("rater")
    return by_rater.agg(severity=("severity", "mean"), ratings=("score", "size")), linked


def know_severity(rater, least=ADJUST_FROM):
    """Return whether most ratings are by raters with at least `least` ratings of the aspect, so
    that severity can be told from noise."""
    ratings_of_rater = np.bincount(rater)[rater]  # for each rating
    by_busy_rater = ratings_of_rater >= least
    return bool(by_busy_rater.mean() >= 0.5)


def know_all_severity(data):
    """Return whether severity can be told from noise on every aspect (`know_severity`); data:
    `Ratings`."""
    table = ratings.list_scores(data)
    return all(know_severity(rater) for _, _, rater, _ in split_aspects(table))


def share_of_largest_circle(data):
    """Return the share of the ratings that are by the largest circle of raters, on the aspect where
    it is smallest; data: `Ratings`."""
    table = ratings.list_scores(data)
    shares = [1.0]
    for rows, item, rater, _ in split_aspects(table):
        ratings_of_circle = np.bincount(find_circles(item, rater))
        shares.append(ratings_of_circle.max() / len(rows))
    return float(min(shares))


def find_circles(item, rater):
    """Return for each rating the number 0, 1, … of its rater's circle: raters who share items,
    directly or through others."""
    was_rated = sparse.csr_array((np.ones(len(item)), (item, rater)))  # items x raters
    common_items = was_rated.T @ was_rated  # raters x raters: how many items both rated
    _, circle_of_rater = sparse.csgraph.connected_components(common_items)
    return circle_of_rater[rater]


def split_aspects(table):
    """Yield (rows, item, rater, score) of each aspect of a table of `ratings.list_scores`; rows:
    their positions in the table; item and rater are numbered in sorted order."""
    for rows in table.groupby("aspect").indices.values():
        ratings_of_aspect = table.iloc[rows]
        item, _ = pd.factorize(ratings_of_aspect["item"], sort=True)
        rater, _ = pd.factorize(ratings_of_aspect["rater"], sort=True)
        yield rows, item, rater, ratings_of_aspect["score"].to_numpy(float)


def make_normal_equations(item, rater, score):
    """Return (meetings, A, b): the least-squares equations A @ severity = b of the raters, once the
    items are taken off.

    meetings, A: raters x raters; b: one number per rater. In symbols, where rater j has n_j
    ratings, item i has m_i, and sums run over the items i that j rated:

        meetings[j, k] = sum over the items of both of 1 / m_i
        A[j, k] = n_j - meetings[j, j] where j = k, else -meetings[j, k]
        b[j] = sum of (mean score of i - score of i by j)
    """
    was_rated = tabulate_ratings(item, rater)
    raters_of_item = np.maximum(was_rated.sum(axis=1), 1)
    meetings = (was_rated.T * (1 / raters_of_item)) @ was_rated
    if sparse.issparse(meetings):
        meetings = meetings.toarray()
    equations = np.diag(was_rated.sum(axis=0)) - meetings
    item_means = np.bincount(item, score) / raters_of_item
    below = was_rated.T @ item_means - np.bincount(rater, score)
    return meetings, equations, below


def tabulate_ratings(item, rater):
    """Return items x raters, how often each rater rated each item: an array where that is small,
    else a sparse one."""
    items, raters = item.max() + 1, rater.max() + 1
    if items * raters > SMALL:
        return sparse.csr_array((np.ones(len(item)), (item, rater)))
    pair = item * raters + rater  # a number for each item and rater
    counts = np.bincount(pair, minlength=items * raters)
    return counts.reshape(items, raters).astype(float)


def fit_severity(item, rater, score):
    """Return (severity for each rating, degrees of freedom left) by least squares.

    Some numbers may be missing among those of the items and raters. The mean severity of all
    ratings is 0; before that, the severities of each circle add up to 0. Ann and Ben of the module
    are one circle, and make_normal_equations gives A and b of

         1 * Ann - 1 * Ben = -2            2 * Ann + 0 * Ben = -2
        -1 * Ann + 1 * Ben =  2    then    0 * Ann + 2 * Ben =  2

    A point more for both would solve the left equations as well. So a 1 is added for every two
    raters of a circle (also for each with itself), on the right: that makes their sum 0.
    """
    meetings, equations, below = make_normal_equations(item, rater, score)
    circles, circle = sparse.csgraph.connected_components(meetings)
    same_circle = circle[:, None] == circle  # raters x raters
    # b adds up to 0 within a circle, and so does A @ severity: what is added must be 0 as well
    by_rater = np.linalg.solve(equations + same_circle, below)
    severity = by_rater[rater]
    severity = severity - severity.mean()
    # a number that no rater has is a circle by itself, so that it costs no degree of freedom
    freedom = len(score) - len(np.unique(item)) - len(by_rater) + circles
    return severity.round(9), freedom


def find_severity_elsewhere(item, rater, score):
    """Return for each rating its rater's severity on the other items (`remove_severity`), 0 where
    too few ratings tell."""
    penalty = find_penalty(item, rater, score)
    items = item.max() + 1
    raters = rater.max() + 1
    folds = items if items <= SINGLY else FOLDS
    severity = np.zeros(len(score))
    for fold in range(folds):
        here = item % folds == fold
        elsewhere = ~here
        if not here.any() or not elsewhere.any():
            continue
        by_rater, counts = solve_with_penalty(
            item[elsewhere], rater[elsewhere], score[elsewhere], penalty
        )
        learnt = np.zeros(raters)  # the last raters may have no rating elsewhere
        learnt[: len(by_rater)] = np.where(counts >= LEARN_FROM, by_rater, 0.0)
        severity[here] = learnt[rater[here]]
    return severity


def shrink_towards_zero(item, rater, score):
    """Return (severity of each rater, number of ratings that tell of it), each severity shrunk
    towards 0, the more the fewer ratings there are."""
    return solve_with_penalty(item, rater, score, find_penalty(item, rater, score))


def find_penalty(item, rater, score):
    """Return the variance of the rest over the variance of severity, both by least squares: 0 where
    nothing is left but severity, infinite where raters do not differ in severity."""
    severity, freedom = fit_severity(item, rater, score)
    if freedom <= 0:
        return np.inf
    rest = metrics.centre(score + severity, item)
    rest_variance = (rest**2).sum() / freedom
    counts = np.bincount(rater)
    has_ratings = counts > 0
    by_rater = np.bincount(rater, severity)[has_ratings] / counts[has_ratings]
    observed_variance = by_rater.var(ddof=1) if len(by_rater) > 1 else 0.0
    by_chance = rest_variance * (1 / counts[has_ratings]).mean()
    severity_variance = observed_variance - by_chance
    if severity_variance <= 1e-9:
        return np.inf
    if rest_variance <= 1e-12:
        return 0.0
    return float((rest_variance / severity_variance).round(6))


def solve_with_penalty(item, rater, score, penalty):
    """Return (severity of each rater, number of ratings that tell of it), the raters being a sample
    from many with mean 0.

    penalty: of `find_penalty`; it weighs as so many ratings of severity 0. In symbols,
    (A + penalty I) severity = b, with A and b of `make_normal_equations` (Henderson 1975).
    """
    counts = np.bincount(rater)
    if np.isinf(penalty):
        return np.zeros(len(counts)), counts
    _, equations, below = make_normal_equations(item, rater, score)
    least_penalty = 1e-6  # a circle could not be solved without any
    diagonal = np.full(len(counts), max(penalty, least_penalty))
    by_rater = np.linalg.solve(equations + np.diag(diagonal), below)
    return by_rater.round(9), counts
