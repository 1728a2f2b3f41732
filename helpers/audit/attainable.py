"""What numbers can be at all: lattices of attainable values, tails and their inverses."""
from functools import cache

import numpy as np
import pandas as pd
from scipy import optimize, stats

from helpers.sources.published import Rounded


def nearest(values, attainable):
    """Return the attainable numbers nearest to a printed one or to a DataFrame of them."""
    attainable = np.asarray(attainable, float)
    places = np.abs(attainable - np.asarray(values, float)[..., None]).argmin(axis=-1)
    found = np.where(np.isnan(values), np.nan, attainable[places])
    if not isinstance(values, pd.DataFrame):
        return float(found)
    return pd.DataFrame(found, values.index, values.columns)


def shares(percentages, n):
    """Return the attainable percentages 100 k / n that are nearest to printed ones (GRIM)."""
    return 100 * (percentages / 100 * n).round() / n


def spearman_p(rho, n):
    """Return the two-sided p of a rank correlation, by t with n - 2 degrees of freedom."""
    rho = np.clip(rho, -1, 1)
    with np.errstate(divide="ignore"):
        return 2 * stats.t.sf(np.abs(rho) * np.sqrt((n - 2) / (1 - rho**2)), n - 2)


def p_of_f(f, df1, df2):
    """Return the upper tails of F(df1, df2) at printed Fs, a Rounded column (low and high swap)."""
    return Rounded(*(part.map(lambda x: float(stats.f.sf(x, df1, df2)))
                     for part in (f.mid, f.high, f.low)))


def f_of_p(p, df1, df2):
    """Return the Fs that have printed upper tails, a Rounded column (low and high swap).

    By a root search, because scipy's isf loses F at p below 1e-16.
    """
    return Rounded(*(part.map(lambda tail: one_f(tail, df1, df2))
                     for part in (p.mid, p.high, p.low)))


@cache
def one_f(tail, df1, df2):
    """Return the F that has this upper tail (0 or infinity for an impossible one)."""
    if not 0 < tail < 1:
        return np.inf if tail <= 0 else 0.0
    off = lambda f: np.log(stats.f.sf(f, df1, df2)) - np.log(tail)  # noqa: E731
    return float(optimize.brentq(off, 1e-9, 1e4, xtol=1e-10))
