"""Intervals for statistics of grouped data: over few groups, or two kinds of groups at once.

An interval is a Series estimate, low, high, n (groups, or independent values). `leave_out`,
`fisher`, `drop_ends` and `find_visible` are steps on the way and return what they say. A percentile
bootstrap over a dozen groups covers far less than it says (benchmarks/coverage.py), so the
jackknife with Student's t is the default here.
"""

import numpy as np
import pandas as pd
from scipy import stats

ENOUGH = 5  # groups; an interval from fewer would say nothing


def row(estimate=np.nan, low=np.nan, high=np.nan, n=0):
    """Return the one shape that every result has: estimate, low, high, n."""
    return pd.Series([estimate, low, high, n], ["estimate", "low", "high", "n"], float)


def leave_out(groups, statistic):
    """Return statistic(rows) for the data without each group in turn (groups in sorted order), nan
    where no row is left."""
    groups = np.asarray(groups)
    left = [np.flatnonzero(groups != name) for name in np.unique(groups)]
    return np.array([statistic(rows) if len(rows) else np.nan for rows in left], float)


def around(estimate, variance, n, level, back=float):
    """Return estimate, low, high, n by Student's t (df: n - 1); `back`: to the scale reported."""
    half = stats.t.ppf((1 + level) / 2, n - 1) * np.sqrt(variance)
    return row(back(estimate), back(estimate - half), back(estimate + half), n)


def combine(estimate, parts, level=0.95, scale=None, extra=0.0):
    """Return estimate, low, high, n from the values without each group in turn.

    parts: one array for one kind of groups; three for two kinds and their cells: the variances of
    both jackknives add up, that of the cells is counted twice and taken off again, and the sum is
    never smaller than either part (Cameron, Gelbach & Miller 2011, for sums of squares). Say the
    variance is 4 over writers, 3 over prompts and 1 over pairs of a writer and a prompt: 4 + 3 - 1
    is 6. n: the smaller number of groups, whose degrees of freedom are used. scale="correlation"
    works on Fisher's z, so that the interval of a correlation stays within -1 and 1. extra: a
    variance that is added (on that scale). One group: no interval.
    """
    n = min(map(len, parts[:2]))
    if n < 2:
        return row(estimate, n=n)
    there, back = SCALES[scale]
    variances = [(len(part) - 1) * np.var(there(part)) for part in parts]
    variance = variances[0]
    if len(parts) == 3:
        over_first, over_second, over_cells = variances
        variance = max(over_first, over_second, over_first + over_second - over_cells)
    return around(there(estimate), variance + extra, n, level, back)


def combine_two(estimate, over_first, over_second):
    """Return estimate, low, high, n for two kinds of groups at once, such as prompts and raters,
    whose cells are not left out; over_first, over_second: the values without each group in turn.

    `combine` adds the two variances, and would take off what both count: that over the cells. The
    zero that stands in its place takes nothing off, so that the interval is too wide rather than
    too narrow.
    """
    nothing_counted_twice = np.zeros(1)
    return combine(
        estimate, [np.asarray(over_first), np.asarray(over_second), nothing_counted_twice]
    )


def fisher(r):
    """Return Fisher's z of correlations; that of 1 is large, not infinite."""
    return np.arctanh(np.clip(r, 1e-12 - 1, 1 - 1e-12))


SCALES = {"correlation": (fisher, np.tanh), None: (np.asarray, float)}


def over_groups(groups, statistic, level=0.95, scale=None):
    """Return estimate, low, high, n by the grouped jackknife and Student's t (df: n - 1; Efron &
    Tibshirani 1993, chapter 11).

    groups: the group of every row; statistic: positions of rows -> number; scale: of `combine`.
    """
    everything = statistic(np.arange(len(groups)))
    return combine(everything, [leave_out(groups, statistic)], level, scale)


def of_mean(values, level=0.95):
    """Return estimate, low, high, n of a mean of independent values by Student's t."""
    values = np.asarray(values, float)
    if len(values) < 2:
        return row(values.mean(), n=len(values))
    return around(values.mean(), values.var(ddof=1) / len(values), len(values), level)


def of_share(hits, n, level=0.95):
    """Return estimate, low, high, n of a share of n independent answers by Wilson's method."""
    low, high = stats.binomtest(int(hits), int(n)).proportion_ci(level, "wilson")
    return row(hits / n, low, high, n)


def drop_ends(table, groups):
    """Return a table of results without low and high where there are fewer than `ENOUGH` groups:
    an interval from so few would say nothing."""
    return table if groups >= ENOUGH else table.assign(low=np.nan, high=np.nan)


def find_visible(half, n, level=0.95):
    """Return the lead that 80 of 100 studies would find, from half the width of an interval."""
    return half * (1 + stats.norm.ppf(0.8) / stats.t.ppf((1 + level) / 2, max(n - 1, 1)))


def find_max_t(parts, level=0.95, extra=0.0, draws=100_000):
    """Return by how many standard errors the furthest of several estimates is off in at most 5 % of
    studies (level=0.95): the critical value for intervals that hold for all of them at once, such
    as those of several judges of whom the best is looked at.

    parts: one entry per estimate, each a list of arrays as `combine` takes them; extra: a variance
    that all share, such as that of a rival's choice. Estimates that go up and down together need
    less room than Bonferroni's correction gives them: the maximum of correlated t (Hothorn, Bretz &
    Westfall 2008) is simulated from the correlations that the jackknife shows. Where some arrays
    are of other groups, Bonferroni's value is returned, which is never too small.
    """
    degrees = min(len(part) for own in parts for part in own[:2]) - 1
    single = stats.t.ppf((1 + level) / 2, degrees)
    if len(parts) < 2:
        return single
    lengths = {tuple(map(len, own)) for own in parts}
    if len(lengths) > 1:
        return stats.t.ppf(1 - (1 - level) / (2 * len(parts)), degrees)
    covariance = np.full((len(parts), len(parts)), float(extra))
    for sign, kind in zip((1, 1, -1), zip(*parts)):
        left = np.array(kind)
        covariance += sign * (left.shape[1] - 1) * np.cov(left, bias=True)
    spread = np.sqrt(np.clip(np.diag(covariance), 1e-12, None))
    values, vectors = np.linalg.eigh(covariance / np.outer(spread, spread))
    correlation = (vectors * np.clip(values, 1e-6, None)) @ vectors.T  # two kinds: may be below 0
    spread = np.sqrt(np.diag(correlation))
    root = np.linalg.cholesky(correlation / np.outer(spread, spread))
    rng = np.random.default_rng(0)
    normal = rng.standard_normal((draws, len(parts))) @ root.T
    scale = np.sqrt(rng.chisquare(degrees, draws) / degrees)
    furthest = np.abs(normal).max(axis=1) / scale
    return max(round(float(np.quantile(furthest, level)), 3), single)


def find_factor(parts, level=0.95, extra=0.0):
    """Return how many times as wide the intervals of several estimates must be to hold for all of
    them at once; parts, level, extra: of `find_max_t`."""
    degrees = min(len(part) for own in parts for part in own[:2]) - 1
    return find_max_t(parts, level, extra) / stats.t.ppf((1 + level) / 2, degrees)


def stretch(low, estimate, high, factor, scale=None):
    """Return (low, high) of an interval that reaches `factor` times as far to either side, on the
    scale on which it was made (of `over_groups`)."""
    there, back = SCALES[scale]
    middle = there(estimate)
    below, above = middle - there(low), there(high) - middle
    return float(back(middle - factor * below)), float(back(middle + factor * above))


def widen(row, tests, scale=None):
    """Return a row (estimate, low, high, n) whose interval, a 95 % one, is corrected for the best
    of several `tests` (Bonferroni); scale: as in `over_groups`."""
    there, back = SCALES[scale]
    estimate, high = there(row["estimate"]), there(row["high"])
    error = (high - estimate) / stats.t.ppf(0.975, row["n"] - 1)
    return around(estimate, error**2, row["n"], 1 - 0.05 / tests, back)
