"""What numbers can be at all: lattices of attainable values, tails and their inverses.

One printed number has a `nearest` attainable one. The averages of rho, tau and accuracy of a judge
are three numbers that have to fit each other: it ranks three stories of each group, there is a
triple for each way to rank three stories, and so only some triples of averages are possible.
`mean_triples` lists them all, and `nearest_triple` says whether one rounds to what is printed.
"""

import numpy as np
import pandas as pd
from goodjudge.stats import rankings
from scipy import special, stats

from helpers.sources.published import Rounded

STEPS = 10_000  # in 1: sums are counted in whole steps, so that equal ones can be told


def nearest(values, attainable):
    """Return the attainable numbers (a list or array) nearest to a printed one, a float, or to a
    DataFrame of them; nan for nan."""
    attainable = np.asarray(attainable, float)
    off = np.abs(attainable - np.asarray(values, float)[..., None])  # values x attainable
    closest = attainable[off.argmin(axis=-1)]
    closest = np.where(np.isnan(values), np.nan, closest)
    if isinstance(values, pd.DataFrame):
        return pd.DataFrame(closest, values.index, values.columns)
    return float(closest)


def shares(percentages, n):
    """Return the attainable percentages 100 k / n that are nearest to printed ones, a DataFrame
    (GRIM)."""
    counts = (percentages / 100 * n).round()
    return 100 * counts / n


def spearman_p(rho, n):
    """Return the two-sided p of a rank correlation of n pairs, by t with n - 2 degrees of freedom;
    rho: a number or an array."""
    rho = np.clip(rho, -1, 1)
    with np.errstate(divide="ignore"):
        t = np.abs(rho) * np.sqrt((n - 2) / (1 - rho**2))
    return 2 * stats.t.sf(t, n - 2)


def p_of_f(f, df1, df2):
    """Return the upper tails of F(df1, df2) at printed Fs, a Rounded column."""

    def upper_tail(fs):
        return fs.map(lambda value: float(stats.f.sf(value, df1, df2)))

    return Rounded(upper_tail(f.mid), upper_tail(f.high), upper_tail(f.low))  # p falls as F rises


def f_of_p(p, df1, df2):
    """Return the Fs that have printed upper tails, a Rounded column; scipy's isf of F loses p below
    1e-16."""

    # if X is F(df1, df2), then share = df2 / (df2 + df1 X) is Beta(df2 / 2, df1 / 2); it falls as X
    # rises, so that its lower tail is the upper tail of X. Solved for X: df2 / df1 (1 / share - 1)
    def inverse(tails):
        share = special.betaincinv(df2 / 2, df1 / 2, tails.clip(0, 1))
        return df2 / df1 * (1 / share - 1)

    return Rounded(inverse(p.mid), inverse(p.high), inverse(p.low))  # F falls as p rises


def mean_triples(human, rule):
    """Return every (mean rho, tau, accuracy) that some judge, a weak order per group, can reach
    against scores (groups x 3 stories): n x 3, in order; undefined correlations count as 0 (as in
    print).

    Group by group, each triple of the group is added to each sum of the groups before it. Equal
    sums are kept once: three stories can be ranked in 13 ways, but of twelve groups, a few 10,000
    sums are left.
    """
    sums = np.zeros((1, 3), dtype=np.int64)
    for scores in human.to_numpy():
        triples = list(rankings.cells(tuple(scores), rule).values())
        steps = np.unique(np.round(np.array(triples) * STEPS).astype(np.int64), axis=0)
        new_sums = sums[:, None] + steps  # sums x triples of the group x 3
        sums = pd.DataFrame(new_sums.reshape(-1, 3)).drop_duplicates().to_numpy()
    return np.unique(sums, axis=0) / STEPS / len(human)  # in order


def nearest_triple(states, target):
    """Return (does a state round to the triple; which cells hold, if one may be wrong).

    states: n x 3; target: the three printed numbers, to two places. Where no state has all three, a
    cell does not hold if it alone may be wrong, that is, if some state has the other two. Where no
    state has even two of them, none holds. Printed .50, .44 and .69:

        states                            which hold
        (.50, .44, .69)                   all three
        (.50, .44, .66), (.47, .44, .69)  only tau: rho may be wrong, or accuracy
        (.50, .40, .66)                   none
    """
    is_near = np.abs(states - np.asarray(target, float)) <= 0.0051  # n x 3
    cells = is_near.shape[1]
    if is_near.all(axis=1).any():
        return True, [True] * cells
    may_be_wrong = []  # alone, by cell
    for cell in range(cells):
        others = np.delete(is_near, cell, axis=1)
        others_fit = others.all(axis=1).any()
        may_be_wrong.append(bool(others_fit))
    if not any(may_be_wrong):
        return False, [False] * cells
    return False, [not is_wrong for is_wrong in may_be_wrong]
