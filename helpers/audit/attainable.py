"""What numbers can be at all: lattices of attainable values, tails and their inverses."""

import numpy as np
import pandas as pd
from scipy import special, stats

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
    parts = f.mid, f.high, f.low
    return Rounded(*(part.map(lambda x: float(stats.f.sf(x, df1, df2))) for part in parts))


def f_of_p(p, df1, df2):
    """Return the Fs that have printed upper tails; scipy's isf of F loses p below 1e-16."""
    tails = (part.clip(0, 1) for part in (p.mid, p.high, p.low))
    shares = (special.betaincinv(df2 / 2, df1 / 2, tail) for tail in tails)
    return Rounded(*(df2 / df1 * (1 / share - 1) for share in shares))
