"""Analyse ranked lists of poems: correlation with tiers, its interval, reliability."""

import itertools
from functools import partial

import numpy as np
import pandas as pd
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics
from scipy import stats

from helpers import agreement
from helpers.poetry import load
from helpers.sources.names import display_name

RATINGS = {"place": "position", "score": "score"}  # what readers call a rating: its column


def tier_correlation(means, tiers, rng=None, orders=200):
    """Return Spearman's correlation as the paper takes it (section 7.2): tiers by mean rating
    against tiers (codes, 0 the best). Ties are broken at random, `orders` times; without `rng` they
    stay as they stand.

    The poems are sorted by their means, and each then has a tier of its own and the tier that its
    place would have. Take four poems, two of each tier, and let the second and the third have
    changed places. Their own tiers are, from the first place to the last, 0, 1, 0, 1, those of the
    places 0, 0, 1, 1: a correlation of 0.
    """
    means = np.asarray(means, float)
    if rng is not None and len(np.unique(means)) < len(means):  # there are ties
        tried = [order_by(means, rng) for _ in range(orders)]
    else:
        tried = [np.argsort(-means, kind="stable")]
    ranks = statistics.rank(np.asarray(tiers))
    ranks -= ranks.mean()
    tier_of_place = np.sort(ranks)
    correlations = []
    for order in tried:
        own_tier = ranks[order]  # of the poem in each place
        correlations.append(own_tier @ tier_of_place / (ranks @ ranks))
    return float(np.mean(correlations))


def order_by(means, rng):
    """Return the positions of `means` from high to low, ties at random, poems without one last."""
    known = np.nan_to_num(np.asarray(means, float), nan=-np.inf)
    ties = rng.random(len(known))
    return np.lexsort((ties, -known))


def over_poems(values, tiers, statistic, rng, replicates=500):
    """Return estimate, low, high, n of `statistic(values, tiers)`, poems redrawn within tiers: a
    jackknife does not suit a correlation that depends on who stands at two borders. In 150
    simulated studies per setting these percentile intervals covered 94 to 99 %. A tier with one
    poem gives no interval."""
    values = np.asarray(values, float)
    tiers = np.asarray(tiers)
    members = tuple(np.flatnonzero(tiers == code) for code in np.unique(tiers))

    def redraw(*drawn_by_tier):
        drawn = np.concatenate(drawn_by_tier)
        return statistic(values[drawn], tiers[drawn])

    ends = (np.nan, np.nan)
    if min(len(tier) for tier in members) > 1:
        ends = stats.bootstrap(
            members, redraw, rng=rng, vectorized=False, method="percentile", n_resamples=replicates
        ).confidence_interval
    return intervals.row(statistic(values, tiers), *ends, len(tiers))


def reliability(matrix):
    """Return the reliability of one run and of the mean of all (items x runs); empty for one."""
    items, runs = matrix.shape
    if runs < 2:
        return pd.DataFrame(columns=["estimate", "low", "high", "n"])
    iccs = agreement.icc_table(matrix)
    rows = iccs.loc[["ICC1", "ICC1k"], ["ICC", "low", "high"]]
    rows = rows.rename(columns={"ICC": "estimate"}).assign(n=items)
    return rows.set_axis(pd.Index(["one run", "mean of all runs"], name="answers"))


def single_icc(f, runs=10):
    """Return ICC1 of one run: (F - 1) / (F + runs - 1), F one-way (Shrout and Fleiss, 1979)."""
    return (1 - 1 / f) / (1 + (runs - 1) / f)


def success_rate(log):
    """Return the valid first answers (estimate, low, high, n), how many answers there are in all,
    how many lists have no valid one, and the reasons of the first answers that are not valid.

    log: a row per answer with list, run (the first: the smallest) and reason ('' for a valid one).
    """
    first_run = log.groupby("list")["run"].transform("min")
    reasons = log.loc[log["run"] == first_run, "reason"]
    is_valid = reasons == ""
    share = intervals.of_share(is_valid.sum(), len(reasons))
    counts = reasons[~is_valid].value_counts().sort_index()
    not_valid = [f"{reason} {count}" for reason, count in counts.items()]
    given_up = log["list"].nunique() - log.loc[log["reason"] == "", "list"].nunique()
    told = {"answers in all": len(log), "lists given up": given_up}
    return {**share, **told, "not valid": ", ".join(not_valid)}


def summarise(means, poems, rng):
    """Return the paper's correlation (estimate, low, high, n) by criterion, list size and rating.

    means: {(criterion, size): a row per poem with position and score}, nan where it had no answer.
    """
    tiers = poems["tier"].cat.codes.to_numpy()
    ties_broken_once = partial(tier_correlation, rng=rng, orders=1)
    rows = {}
    for (criterion, size), rating in itertools.product(means, RATINGS):
        column = RATINGS[rating]
        values = means[criterion, size][column].to_numpy()
        is_rated = ~np.isnan(values)
        row = over_poems(values[is_rated], tiers[is_rated], ties_broken_once, rng)
        row["estimate"] = tier_correlation(values[is_rated], tiers[is_rated], rng)
        rows[criterion, size, rating] = row
    return pd.DataFrame(rows).T.rename_axis(["criterion", "poems in a list", "rated by"])


def short_name(judge):
    """Return a judge's name in a table of correlations."""
    return "simulated" if judge.startswith("simulated/") else display_name(judge)


def place_scores(means, judge):
    """Return scores (item, judge, score): mean places by the first criterion of `means`.

    The judge's name in the table says how long the lists were that gave the places.
    """
    name = short_name(judge)
    first_criterion = next(iter(means))[0]
    places = {}
    for (criterion, size), table in means.items():
        if criterion == first_criterion:
            by_item = table["position"].set_axis(load.name_poems(table.index))
            places[f"{name}, lists of {size}"] = by_item
    scores = pd.concat(places, names=["judge", "item"]).rename("score")
    return scores.dropna().reset_index()
