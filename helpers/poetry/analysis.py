"""Analyse ranked lists of poems: means, orderings, correlation with tiers, ANOVA, reliability, appearances."""

import warnings

import numpy as np
import pandas as pd
import pingouin as pg
from scipy import stats

KINDS = {
    "ICC(1,1)": "ICC1",
    "ICC(A,1)": "ICC2",
    "ICC(C,1)": "ICC3",
    "ICC(1,k)": "ICC1k",
    "ICC(A,k)": "ICC2k",
    "ICC(C,k)": "ICC3k",
}


def mean_ratings(ratings, poems):
    """Return one row a poem: tier code (0 best), mean position, mean score, shown (valid lists that held it)."""
    means = ratings.groupby("poem")[["position", "score"]].mean().reindex(poems.index)
    shown = ratings.groupby("poem").size().reindex(poems.index, fill_value=0)
    return pd.DataFrame({"tier": poems["tier"].cat.codes, **means, "shown": shown})


def order_by(means, rng):
    """Return the positions of `means` from highest to lowest, ties in random order, poems without a value last."""
    means = np.asarray(means, float)
    return np.lexsort((rng.random(len(means)), -np.nan_to_num(means, nan=-np.inf)))


def tier_correlation(means, tiers, rng, orders=200):
    """Return Spearman's correlation as the paper takes it: tiers in order of mean score against tiers in their true order.

    Ties in the mean are broken at random; the mean over `orders` such orderings is returned (poetry, section 7.2).
    """
    tiers = np.asarray(tiers)
    truth = np.sort(tiers)
    if len(np.unique(means)) == len(means):
        orders = 1
    return float(np.mean([stats.spearmanr(tiers[order_by(means, rng)], truth)[0] for _ in range(orders)]))


def score_correlation(means, tiers):
    """Return the usual tie-corrected Spearman correlation between mean scores and tiers (positive: best tier scores highest)."""
    means = np.asarray(means, float)
    if np.nanmin(means) == np.nanmax(means):
        return 0.0
    return float(stats.spearmanr(means, -np.asarray(tiers, float), nan_policy="omit")[0])


def neighbour_auc(means, tiers):
    """Return {(0, 1): AUC, …}: chance that a poem of the better of two neighbouring tiers scores higher, ties half."""
    means, tiers = np.asarray(means, float), np.asarray(tiers)
    codes = np.unique(tiers)
    return {
        (int(a), int(b)): float((np.sign(means[tiers == a][:, None] - means[tiers == b]) + 1).mean() / 2)
        for a, b in zip(codes, codes[1:])
    }


def bootstrap(means, tiers, statistic, replicates, rng, level=0.95):
    """Return (low, high) of `statistic(means, tiers)` when poems are drawn with replacement within their tiers."""
    means, tiers = np.asarray(means, float), np.asarray(tiers)
    members = [np.flatnonzero(tiers == code) for code in np.unique(tiers)]
    values = []
    for _ in range(replicates):
        rows = np.concatenate([rng.choice(m, len(m)) for m in members])
        values.append(statistic(means[rows], tiers[rows]))
    return tuple(np.nanquantile(values, [(1 - level) / 2, (1 + level) / 2]))


def anova(means, tiers, tests=5):
    """Return one-way ANOVA of mean scores over tiers: F, df1, df2, p, p_bonferroni, eta2 and omega2 (effect sizes)."""
    means, tiers = np.asarray(means, float), np.asarray(tiers)
    groups = [means[(tiers == code) & ~np.isnan(means)] for code in np.unique(tiers)]
    f, p = stats.f_oneway(*groups)
    n, k = sum(map(len, groups)), len(groups)
    eta2, omega2 = (k - 1) * f / ((k - 1) * f + n - k), (k - 1) * (f - 1) / ((k - 1) * (f - 1) + n)
    return {
        "F": float(f),
        "df1": k - 1,
        "df2": n - k,
        "p": float(p),
        "p_bonferroni": float(min(1, p * tests)),
        "eta2": float(eta2),
        "omega2": float(omega2),
    }


def icc_table(matrix):
    """Return the intraclass correlations of items x raters by pingouin: ICC, F, df1, df2, p, low, high by kind.

    Kinds: ICC1, ICC2, ICC3 (one rater) and ICC1k, ICC2k, ICC3k (mean of all), Shrout and Fleiss (1979); 95 % intervals.
    """
    long = pd.DataFrame(np.asarray(matrix, float)).stack().rename_axis(["item", "rater"]).rename("score").reset_index()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pingouin on pandas 3; constant matrices
        table = pg.intraclass_corr(long, "item", "rater", "score").set_index("Type").rename(index=KINDS)
    bounds = np.stack(table["CI95"].to_numpy())
    return (
        table.assign(low=bounds[:, 0], high=bounds[:, 1])
        .rename(columns={"pval": "p"})[["ICC", "F", "df1", "df2", "p", "low", "high"]]
        .rename_axis("kind")
    )


def appearances(lists, poems, per_list=None):
    """Return (counts per poem, table count | poems | expected): how often poems stand in lists, and the binomial law."""
    lists = np.asarray(lists)
    counts = np.bincount(lists.ravel(), minlength=poems)
    share = (per_list or lists.shape[1]) / poems
    grid = np.arange(counts.min() - 2, counts.max() + 3)
    expected = poems * stats.binom.pmf(grid, len(lists), share)
    return counts, pd.DataFrame({"count": grid, "poems": [(counts == k).sum() for k in grid], "expected": expected})


def success_rate(log):
    """Return first answers that were valid: n, valid, rate, low, high (Wilson, 95 %), and the reasons of the others."""
    first = log[log["run"] == log.groupby("list")["run"].transform("min")]
    valid = int((first["reason"] == "").sum())
    result = stats.binomtest(valid, len(first)).proportion_ci(method="wilson")
    reasons = first.loc[first["reason"] != "", "reason"].value_counts().to_dict()
    return {
        "n": len(first),
        "valid": valid,
        "rate": valid / len(first),
        "low": result.low,
        "high": result.high,
        "reasons": reasons,
    }


def summarise(means, rng, replicates=500):
    """Return both scorings of one set of mean ratings: SRC as in the paper with interval, tie-corrected rho, AUCs, ANOVA."""
    rows = {}
    for scoring in ("position", "score"):
        known = means.dropna(subset=[scoring])
        values, tiers = known[scoring], known["tier"]
        low, high = bootstrap(values, tiers, lambda m, t: tier_correlation(m, t, rng, orders=1), replicates, rng)
        auc = neighbour_auc(values, tiers)
        f = anova(values, tiers)
        rows[scoring] = {
            "poems": len(known),
            "SRC": tier_correlation(values, tiers, rng),
            "low": low,
            "high": high,
            "rho, ties": score_correlation(values, tiers),
            **{f"AUC {a}-{b}": v for (a, b), v in auc.items()},
            "F": f["F"],
            "p": f["p"],
            "eta2": f["eta2"],
        }
    return pd.DataFrame(rows).T.rename_axis("scoring")


def compare_baselines(table, tiers, rng, replicates=500):
    """Return for each column of `table` (poems x baselines): rho with the tiers (ties corrected), low, high, AUCs."""
    rows = {}
    for name, values in table.items():
        low, high = bootstrap(values, tiers, score_correlation, replicates, rng)
        auc = {f"AUC {a}-{b}": value for (a, b), value in neighbour_auc(values, tiers).items()}
        rows[name] = {"rho": score_correlation(values, tiers), "low": low, "high": high, **auc}
    return pd.DataFrame(rows).T.rename_axis("baseline")
