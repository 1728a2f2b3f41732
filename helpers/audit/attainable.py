"""What numbers can be at all: lattices of attainable values, tails and their inverses."""

import numpy as np
import pandas as pd
from scipy import special, stats

from helpers.sources.published import Rounded


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
