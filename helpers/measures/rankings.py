"""Compare two scorings of a few stories: rank correlations, pairwise accuracy under six rules, what
a printed cell allows."""

import itertools
from functools import cache

import numpy as np
import pandas as pd
from scipy import stats


class RankingError(ValueError):
    """Scores that cannot be ranked; the message names the group and the expectation."""


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


def check_scores(human, judge, group=""):
    """Return both scorings as float arrays; raise RankingError for a group of one, unequal lengths
    or a missing score."""
    human, judge = np.asarray(human, float), np.asarray(judge, float)
    where = f"group {group}: " if group != "" else ""
    if human.shape != judge.shape or human.ndim != 1:
        raise RankingError(
            f"{where}{human.size} human and {judge.size} judge scores; expected one of each a story"
        )
    if human.size < 2:
        raise RankingError(
            f"{where}{human.size} story; a ranking needs at least two stories of one plot"
        )
    if np.isnan(human).any() or np.isnan(judge).any():
        raise RankingError(
            f"{where}a score is missing; every story needs a score from the experts and from the"
            " judge"
        )
    return human, judge


def rho_by_group(human, judge, undefined=0.0):
    """Return Spearman's rho along the last axis of two arrays of scores; `undefined` where one side
    is constant."""
    x, y = (stats.rankdata(np.asarray(side, float), axis=-1) for side in (human, judge))
    x, y = x - x.mean(axis=-1, keepdims=True), y - y.mean(axis=-1, keepdims=True)
    scale = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    return np.where(scale > 0, (x * y).sum(axis=-1) / np.where(scale > 0, scale, 1), undefined)


def pair_accuracy(human, judge, rule="at least (>=)"):
    """Return the share of agreeing pairs along the last axis (a float for one group); nan if the
    rule drops every pair.

    A pair (first listed minus second) scores 1 if both sides agree, 0 if not, .5 or nothing as
    `rule` says.
    """
    if rule not in RULES:
        raise RankingError(f"rule {rule!r} is unknown; expected one of {', '.join(RULES)}")
    human, judge = np.asarray(human, float), np.asarray(judge, float)
    first, second = np.triu_indices(human.shape[-1], 1)
    scores = np.asarray(
        RULES[rule](human[..., first] - human[..., second], judge[..., first] - judge[..., second]),
        float,
    )
    counted = (~np.isnan(scores)).sum(axis=-1)
    share = np.where(counted > 0, np.nansum(scores, axis=-1) / np.maximum(counted, 1), np.nan)
    return float(share) if share.ndim == 0 else share


def tau_by_group(human, judge, undefined=0.0):
    """Return Kendall's tau-b along the last axis of two arrays of scores; `undefined` where one
    side is constant."""
    human, judge = np.asarray(human, float), np.asarray(judge, float)
    first, second = np.triu_indices(human.shape[-1], 1)
    x, y = (np.sign(side[..., first] - side[..., second]) for side in (human, judge))
    scale = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    return np.where(scale > 0, (x * y).sum(axis=-1) / np.where(scale > 0, scale, 1), undefined)


def compare(human, judge, undefined=0.0):
    """Return one row a group: rho, tau and the accuracy under every rule; undefined correlations
    become `undefined`.

    human, judge: DataFrames, one row a group, one column a writer; the accuracy rules with >= and >
    depend on the order of the columns of `human`.
    """
    judge = judge.loc[human.index, human.columns]
    for group in human.index:
        check_scores(human.loc[group], judge.loc[group], group)
    h, j = human.to_numpy(float), judge.to_numpy(float)
    return pd.DataFrame(
        {
            "rho": rho_by_group(h, j, undefined),
            "tau": tau_by_group(h, j, undefined),
            **{rule: pair_accuracy(h, j, rule) for rule in RULES},
        },
        index=human.index,
    )


@cache
def weak_orders(n):
    """Return the distinct rankings with ties of n stories, as tuples of ranks from 0 (13 for n = 3,
    75 for n = 4)."""
    return [
        ranks
        for ranks in itertools.product(range(n), repeat=n)
        if set(ranks) == set(range(max(ranks) + 1))
    ]


@cache
def cells(human, rule="at least (>=)"):
    """Return {weak order of the judge: (rho, tau, accuracy)} for human scores (a tuple); undefined
    correlations are 0."""
    orders = weak_orders(len(human))
    humans, judges = np.tile(np.asarray(human, float), (len(orders), 1)), np.array(orders, float)
    values = (
        rho_by_group(humans, judges),
        tau_by_group(humans, judges),
        pair_accuracy(humans, judges, rule),
    )
    return {order: tuple(map(float, three)) for order, *three in zip(orders, *values)}


def orders_allowed(human, rho=None, tau=None, accuracy=None, rule="at least (>=)", half=0.005):
    """Return the weak orders of the judge whose three cells round to the printed ones (None: not
    looked at; nan counts as 0)."""
    targets = (rho, tau, accuracy)
    return [
        order
        for order, values in cells(tuple(human), rule).items()
        if all(
            t is None or abs((0.0 if np.isnan(t) else t) - v) <= half + 1e-9
            for t, v in zip(targets, values)
        )
    ]


def sign_flip(differences):
    """Return (mean, exact two-sided p) of paired differences by flipping every
    sign (2^n, n to 20)."""
    d = np.asarray(differences, float)
    d = d[~np.isnan(d)]
    if not 1 <= d.size <= 20:
        raise RankingError(f"{d.size} paired differences; the exact test takes 1 to 20")
    sums = np.zeros(1)
    for value in d:
        sums = np.concatenate([sums + value, sums - value])
    return float(d.mean()), float(np.mean(np.abs(sums) >= abs(d.sum()) - 1e-9))


def flip_all(gains):
    """Return (mean gain of each definition, its exact p, p of the median gain over all) by flipping
    groups in all ways.

    gains: definitions x groups (nan: not used). A group's sign is flipped for all definitions at
    once, as it is one set of stories (Simonsohn, Simmons & Nelson 2020 test the median of a curve
    in this way).
    """
    used, count = np.nan_to_num(gains), (~np.isnan(gains)).sum(axis=1)
    n = gains.shape[1]
    signs = 1 - 2 * (np.arange(2**n)[:, None] >> np.arange(n) & 1)
    means = signs @ used.T / count
    medians = np.median(means, axis=1)
    p = (np.abs(means) >= np.abs(means[0]) - 1e-9).mean(axis=0)
    return means[0], p, float((np.abs(medians) >= abs(medians[0]) - 1e-9).mean())
