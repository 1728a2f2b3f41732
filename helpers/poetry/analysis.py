"""Analyse ranked lists of poems: means, orderings, correlation with tiers and its interval,
reliability."""

import warnings

import numpy as np
import pandas as pd
import pingouin as pg
from scipy import stats

from helpers.measures import intervals

KINDS = {
    "ICC(1,1)": "ICC1",
    "ICC(A,1)": "ICC2",
    "ICC(C,1)": "ICC3",
    "ICC(1,k)": "ICC1k",
    "ICC(A,k)": "ICC2k",
    "ICC(C,k)": "ICC3k",
}
pg.options["round.column.CI95"] = 6  # two decimals otherwise, and 0.999 would be 1


def order_by(means, rng):
    """Return the positions of `means` from highest to lowest, ties at random, poems without a value
    last."""
    means = np.asarray(means, float)
    return np.lexsort((rng.random(len(means)), -np.nan_to_num(means, nan=-np.inf)))


def tier_correlation(means, tiers, rng=None, orders=200):
    """Return Spearman's correlation as the paper takes it: tiers in order of mean rating against
    tiers in their order.

    tiers: codes, 0 the best. Ties in the mean are broken at random and the mean over `orders`
    orderings is returned (poetry, section 7.2); without `rng` they stay as they stand, which is
    fast.
    """
    means, ranks = np.asarray(means, float), stats.rankdata(tiers)
    if rng is None or len(np.unique(means)) == len(means):
        return float(np.corrcoef(ranks[np.argsort(-means, kind="stable")], np.sort(ranks))[0, 1])
    found = [np.corrcoef(ranks[order_by(means, rng)], np.sort(ranks))[0, 1] for _ in range(orders)]
    return float(np.mean(found))


def score_correlation(means, tiers):
    """Return the usual tie-corrected Spearman correlation of mean ratings with tiers (positive:
    best tier rated highest)."""
    means = np.asarray(means, float)
    if np.nanmin(means) == np.nanmax(means):
        return 0.0
    return float(stats.spearmanr(means, -np.asarray(tiers, float), nan_policy="omit")[0])


def over_poems(values, tiers, statistic, rng, replicates=500):
    """Return estimate, low, high, n of `statistic(values, tiers)`, poems drawn with replacement
    within their tiers.

    A jackknife does not suit the paper's correlation, which depends on who stands at two borders
    (as a median does). In 150 simulated studies of 3 x 30 poems a setting (validity .25, .6, .85;
    both correlations) these percentile intervals covered 94 to 99 %; tests/test_cat_analysis.py
    repeats a smaller one. A tier with one poem gives no interval.
    """
    values, tiers = np.asarray(values, float), np.asarray(tiers)
    members, ends = (
        tuple(np.flatnonzero(tiers == code) for code in np.unique(tiers)),
        (np.nan, np.nan),
    )

    def redraw(*rows):
        drawn = np.concatenate(rows)
        return statistic(values[drawn], tiers[drawn])

    if min(map(len, members)) > 1:
        ends = stats.bootstrap(
            members, redraw, vectorized=False, n_resamples=replicates, method="percentile", rng=rng
        ).confidence_interval
    return intervals.row(statistic(values, tiers), *ends, len(tiers))


def rate_columns(table, tiers, rng):
    """Return for each column of `table` (poems x ratings) its rho with the tiers: estimate, low,
    high, n."""
    rows = {
        name: over_poems(values, tiers, score_correlation, rng) for name, values in table.items()
    }
    return pd.DataFrame(rows).T.rename_axis("what")


def subtract_columns(first, second, tiers, rng):
    """Return estimate, low, high, n of rho of `first` less rho of `second`, over the same poems."""
    return over_poems(
        np.stack([first, second], 1),
        tiers,
        lambda m, t: score_correlation(m[:, 0], t) - score_correlation(m[:, 1], t),
        rng,
    )


def icc_table(matrix):
    """Return the intraclass correlations of items x raters by pingouin: ICC, F, df1, df2, p, low,
    high by kind.

    Kinds: ICC1, ICC2, ICC3 (one rater) and ICC1k, ICC2k, ICC3k (mean of all), Shrout and Fleiss
    (1979); 95 % intervals.
    """
    long = (
        pd.DataFrame(np.asarray(matrix, float))
        .stack()
        .rename_axis(["item", "rater"])
        .rename("score")
        .reset_index()
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pingouin on pandas 3; constant matrices
        table = (
            pg.intraclass_corr(long, "item", "rater", "score").set_index("Type").rename(index=KINDS)
        )
    bounds = np.stack(table["CI95"].to_numpy())
    return (
        table.assign(low=bounds[:, 0], high=bounds[:, 1])
        .rename(columns={"pval": "p"})[["ICC", "F", "df1", "df2", "p", "low", "high"]]
        .rename_axis("kind")
    )


def reliability(matrix):
    """Return the reliability of one run and of the mean of all runs of items x runs: estimate, low,
    high, n (items).

    Empty for fewer than two runs.
    """
    if matrix.shape[1] < 2:
        return pd.DataFrame(columns=["estimate", "low", "high", "n"])
    found = icc_table(matrix).loc[["ICC1", "ICC1k"], ["ICC", "low", "high"]].assign(n=len(matrix))
    names = pd.Index(["one run", "mean of all runs"], name="reliability of")
    return found.set_axis(["estimate", "low", "high", "n"], axis=1).set_axis(names)


def single_icc(f, runs=10):
    """Return ICC1 of one run from the one-way F of `runs` runs: (F - 1) / (F + runs - 1) (Shrout
    and Fleiss, 1979)."""
    return (1 - 1 / f) / (1 + (runs - 1) / f)


def average_icc(icc1, runs=10):
    """Return the ICC of the mean of `runs` runs from that of one (Spearman-Brown)."""
    return runs * icc1 / (1 + (runs - 1) * icc1)


def success_rate(log):
    """Return first answers that were valid: estimate, low, high, n (first answers), and the reasons
    of the others."""
    first = log[log["run"] == log.groupby("list")["run"].transform("min")]
    reasons = first.loc[first["reason"] != "", "reason"].value_counts()
    return {
        **intervals.of_share((first["reason"] == "").sum(), len(first)),
        "not valid": ", ".join(f"{reason} {n}" for reason, n in reasons.sort_index().items()),
    }
