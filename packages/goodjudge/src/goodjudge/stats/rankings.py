"""Compare two scorings of a few stories: rank correlations, pair accuracy under six rules."""

import itertools
from functools import cache

import numpy as np
from scipy import stats

# x, y: first minus second story's score, humans and judge
RULES = {
    "at least (>=)": lambda x, y: (x >= 0) == (y >= 0),
    "above (>)": lambda x, y: (x > 0) == (y > 0),
    "same sign": lambda x, y: np.sign(x) == np.sign(y),
    "ties half": lambda x, y: (np.sign(x * y) + 1) / 2,
    "human ties dropped": lambda x, y: np.where(x == 0, np.nan, (np.sign(x * y) + 1) / 2),
    "any tie wrong": lambda x, y: x * y > 0,
}
ORDER_FREE = ["same sign", "ties half", "human ties dropped", "any tie wrong"]


def rho_by_group(human, judge, undefined=0.0):
    """Return Spearman's rho along the last axis; `undefined` where one side is constant."""
    return cosine(centre_ranks(human), centre_ranks(judge), undefined)


def centre_ranks(scores):
    """Return the ranks of scores along the last axis, less their mean."""
    ranks = stats.rankdata(np.asarray(scores, float), axis=-1)
    return ranks - ranks.mean(axis=-1, keepdims=True)


def tau_by_group(human, judge, undefined=0.0):
    """Return Kendall's tau-b along the last axis; `undefined` where one side is constant."""
    human_order, judge_order = np.sign(differences(human)), np.sign(differences(judge))
    return cosine(human_order, judge_order, undefined)


def differences(scores):
    """Return the differences of all pairs along the last axis, first listed minus second."""
    scores = np.asarray(scores, float)
    first, second = pair_places(scores.shape[-1])
    return scores[..., first] - scores[..., second]


@cache
def pair_places(n):
    """Return (places of the first, of the second) of all pairs of n, as arrays."""
    return np.triu_indices(n, 1)


def cosine(x, y, undefined):
    """Return the cosine of the angle along the last axis; `undefined` where one side is all 0."""
    scale = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    shared = (x * y).sum(axis=-1)
    return np.where(scale > 0, shared / np.where(scale > 0, scale, 1), undefined)


def pair_accuracy(human, judge, rule="at least (>=)"):
    """Return the share of agreeing pairs along the last axis (a float for one group); nan if the
    rule drops every pair.

    A pair (first listed minus second) scores 1 if both sides agree, 0 if not, .5 or nothing as
    `rule` says.
    """
    agree = RULES[rule]
    scores = np.asarray(agree(differences(human), differences(judge)), float)
    counted = (~np.isnan(scores)).sum(axis=-1)
    mean = np.nansum(scores, axis=-1) / np.maximum(counted, 1)
    share = np.where(counted > 0, mean, np.nan)
    return float(share) if share.ndim == 0 else share


@cache
def weak_orders(n):
    """Return the rankings with ties of n stories, tuples of ranks from 0 (13 for n = 3)."""
    ranks = itertools.product(range(n), repeat=n)
    return [order for order in ranks if set(order) == set(range(max(order) + 1))]


@cache
def cells(human, rule="at least (>=)"):
    """Return {weak order of the judge: (rho, tau, accuracy)} for human scores; undefined: 0."""
    orders = weak_orders(len(human))
    judge = np.array(orders, float)  # orders x stories
    people = np.tile(np.asarray(human, float), (len(orders), 1))
    rho, tau = rho_by_group(people, judge), tau_by_group(people, judge)
    accuracy = pair_accuracy(people, judge, rule)
    return {
        order: (float(rho[k]), float(tau[k]), float(accuracy[k])) for k, order in enumerate(orders)
    }


def orders_allowed(human, rho=None, tau=None, accuracy=None, rule="at least (>=)", half=0.005):
    """Return the judge's weak orders whose cells round to the printed (None: not looked at; nan
    counts as 0)."""
    allowed = []
    for order, values in cells(tuple(human), rule).items():
        fits = [
            abs(value - np.nan_to_num(printed)) <= half + 1e-9
            for value, printed in zip(values, (rho, tau, accuracy))
            if printed is not None
        ]
        if all(fits):
            allowed.append(order)
    return allowed


def flip_all(gains):
    """Return (mean gain of each definition, its exact p, p of the median gain over all) by flipping
    groups in all ways.

    gains: definitions x groups (nan: not used). A group's sign is flipped for all definitions at
    once, as it is one set of stories (Simonsohn, Simmons & Nelson 2020 test the median of a curve
    in this way). Two groups with gains 3 and 1 have the means 2, 1, -1 and -2 in the four ways, two
    of them as far from 0 as the first, 2: p is 2/4.
    """
    groups = gains.shape[1]
    ways = itertools.product([1, -1], repeat=groups)
    signs = np.array(list(ways))  # ways x groups; the first way flips none
    used = (~np.isnan(gains)).sum(axis=1)  # groups of each definition
    means = signs @ np.nan_to_num(gains).T / used  # ways x definitions; the first as they are
    medians = np.median(means, axis=1)
    p = share_as_far(means)
    return means[0], p, float(share_as_far(medians))


def share_as_far(values):
    """Return the share of values along the first axis that are as far from 0 as the first."""
    return (np.abs(values) >= np.abs(values[0]) - 1e-9).mean(axis=0)
