"""Is a judge as lenient with everybody? Its leniency by writer, aspect and length.

A judge may be half a point too kind to everybody: that can be taken off. It is worse if it is kind
to one writer and severe with another. For each level of a factor *leniency* is told: by how much
the judge scores these items above people, more than it does on average.

Levels with few items differ by chance. So each is shrunk towards the mean of all levels, the more
the less is known of it (empirical Bayes; Efron & Morris 1975), and `compare_factors` asks by
permutation whether the levels differ at all, corrected for how many factors were looked at.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from goodjudge.data import ratings

LENGTH = "length"
THIRDS = ["short", "middle", "long"]
PERMUTATIONS = 1000


def list_cases(data, scores, judge):
    """Return the cases that people and a judge scored: item, aspect, what is known of the item,
    people (their mean), score (the judge's), apart (score less people, less the mean of that),
    length (short, middle, long: thirds of the items by words, where they are known).

    data: `Ratings`; scores: item, judge, score and perhaps aspect, on the scale of the ratings.
    """
    cases = ratings.find_cases(data, "all").rename(columns={"target": "people"})
    cases["score"] = ratings.match_scores(cases, scores)[judge]
    cases = cases.dropna(subset=["people", "score"]).reset_index(drop=True)
    apart = cases["score"] - cases["people"]
    cases["apart"] = (apart - apart.mean()).round(9)
    if "words" in cases and cases["words"].notna().sum() >= 3:
        cases[LENGTH] = cut_thirds(cases)
    return cases


def cut_thirds(cases):
    """Return short, middle or long for each case: thirds of the items by their number of words."""
    words = cases.groupby("item")["words"].first().dropna()
    place = words.rank(method="first") / len(words)
    third = pd.cut(place, [0, 1 / 3, 2 / 3, 1], labels=THIRDS).astype(str)
    return cases["item"].map(third)


def list_factors(cases):
    """Return the names of the factors that can be asked about: group, writer, aspect, length, those
    that are known and have two levels or more."""
    factors = ["group", "writer", "aspect", LENGTH]
    return [name for name in factors if name in cases and cases[name].nunique() > 1]


def rate_levels(cases, factor, level=0.95):
    """Return a row per level: estimate, low, high (shrunk towards the mean of the levels), n (the
    independent units: groups, or items where the factor is the group), raw (before it was drawn);
    no row where there is one level alone.

    cases: of `list_cases`; factor: of `list_factors`.
    """
    table = rate_leniency(cases.dropna(subset=[factor]), factor)
    if len(table) < 2 or table["variance"].isna().any():
        return pd.DataFrame(columns=["estimate", "low", "high", "n", "raw"])
    return shrink_to_mean(table, level)


def rate_leniency(cases, factor):
    """Return a row per level: raw (the mean of `apart`, each unit counting once), variance, n
    (units). The variance of one unit is taken to be the same in all levels."""
    level, names = pd.factorize(cases[factor], sort=True)
    unit, _ = pd.factorize(cases["item" if factor == "group" else "group"])
    return lay_out(*average_units(cases["apart"].to_numpy(float), level, unit), names, factor)


def lay_out(raw, variance, n, names, factor):
    """Return the levels that are known (n above 0) as a table: raw, variance, n; names: of all."""
    table = pd.DataFrame({"raw": raw, "variance": variance, "n": n}, pd.Index(names, name=factor))
    return table[n > 0]


def average_units(apart, level, unit):
    """Return (raw, variance, n) of each level of `rate_leniency`; apart: of each case; level, unit:
    whole numbers from 0."""
    units = unit.max() + 1
    cell = level * units + unit
    counts = np.bincount(cell, minlength=(level.max() + 1) * units)
    there = np.flatnonzero(counts)
    means = np.bincount(cell, apart)[there] / counts[there]
    level_of = there // units
    n = np.bincount(level_of)
    raw = np.bincount(level_of, means) / np.maximum(n, 1)
    freedom = len(means) - (n > 0).sum()
    within = ((means - raw[level_of]) ** 2).sum()
    variance = within / freedom if freedom > 0 else np.nan
    return raw, variance / np.maximum(n, 1), n


def shrink_to_mean(table, level):
    """Return estimate, low, high, n, raw of levels shrunk towards their mean.

    table: raw, variance, n of each level. With t² the variance of the true values (`find_spread`)
    and k levels, a level loses the share (k - 3) / (k - 1) x variance / (t² + variance) of its
    distance to the mean; of three levels or fewer nothing can be learnt about t², and none is
    shrunk. Of five levels, with t² and variance 0.04 each, a level loses 2/4 x 1/2 = 1/4: what lies
    0.4 above the mean is told as 0.3 above. The interval allows for t² not being known (Morris
    1983).
    """
    mean, spread = find_spread(table)
    levels = len(table)
    trust = max(levels - 3, 0) / (levels - 1)
    lost = trust * table["variance"] / (spread + table["variance"]).clip(lower=1e-12)
    distance = table["raw"] - mean
    estimate = mean + (1 - lost) * distance
    # three variances add up (Morris): what is left of the level's own, that of the mean to which it
    # is shrunk, and what comes from t² not being known
    of_mean = 1 / (1 / (spread + table["variance"]).clip(lower=1e-12)).sum()
    unknown = 2 / max(levels - 3, 1) * lost**2 * distance**2
    error = np.sqrt((1 - lost) * table["variance"] + lost * of_mean + unknown)
    half = stats.norm.ppf((1 + level) / 2) * error
    drawn = {"estimate": estimate, "low": estimate - half, "high": estimate + half}
    return pd.DataFrame(drawn).assign(n=table["n"], raw=table["raw"])


def find_spread(table):
    """Return (mean of the levels, variance of their true values) by DerSimonian & Laird (1986);
    table: raw and variance of each level."""
    variance = table["variance"].clip(lower=1e-12)
    weights = 1 / variance
    mean = (weights * table["raw"]).sum() / weights.sum()
    squares = (weights * (table["raw"] - mean) ** 2).sum()
    scale = weights.sum() - (weights**2).sum() / weights.sum()
    spread = max((squares - (len(table) - 1)) / scale, 0.0)
    weights = 1 / (spread + variance)
    return (weights * table["raw"]).sum() / weights.sum(), spread


def compare_factors(cases, rng, factors=None):
    """Return a row per factor: levels, spread (the standard deviation of the levels' true values,
    in points), p, and `p corrected` for all rows (Holm 1979).

    cases: of `list_cases`; rng: shuffles; factors: of `list_factors` (default: all). p is the share
    of a thousand shuffles in which the levels differ as much (`find_p`).
    """
    rows = {}
    for factor in list_factors(cases) if factors is None else factors:
        table = rate_leniency(cases.dropna(subset=[factor]), factor)
        if len(table) > 1 and table["variance"].notna().all():
            _, spread = find_spread(table)
            rows[factor] = (len(table), np.sqrt(spread), find_p(cases, factor, rng))
    columns = ["levels", "spread", "p"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("factor")
    return table.assign(**{"p corrected": correct_by_holm(table["p"].to_numpy(float))})


def find_p(cases, factor, rng):
    """Return p of the hypothesis that leniency is the same in all levels of a factor.

    Levels are shuffled among the items of a group where a group has several, else among whole
    groups; groups among items, aspects within an item.
    """
    cases = cases.dropna(subset=[factor])
    level, _ = pd.factorize(cases[factor], sort=True)
    dealt = Dealt.of(cases, factor, level)
    apart = cases["apart"].to_numpy(float)
    unit, _ = pd.factorize(cases["item" if factor == "group" else "group"])

    def measure(level):
        return measure_spread(*average_units(apart, level, unit))

    seen = measure(level)
    larger = sum(measure(dealt.shuffle(rng)) >= seen - 1e-9 for _ in range(PERMUTATIONS))
    return (1 + larger) / (1 + PERMUTATIONS)


def measure_spread(raw, variance, n):
    """Return how far the levels that are known (n above 0) lie apart: the sum of their squared
    distances to the mean, each over its variance."""
    raw, weights = raw[n > 0], 1 / np.maximum(variance[n > 0], 1e-12)
    mean = (weights @ raw) / weights.sum()
    return weights @ (raw - mean) ** 2


class Dealt(NamedTuple):
    """How the levels of a factor can be dealt anew. unit: of each case, 0, 1, …; levels: of each
    unit; block: of each unit, within which levels are shuffled."""

    unit: np.ndarray
    levels: np.ndarray
    block: np.ndarray

    @classmethod
    def of(cls, cases, factor, level):
        """Return how a factor's levels (one per case) are dealt; cases: of `list_cases`."""
        varies_in_groups = cases.groupby("group")[factor].nunique().max() > 1
        if factor == "aspect":
            unit, block = np.arange(len(cases)), pd.factorize(cases["item"])[0]
        elif factor == "group":
            unit = pd.factorize(cases["item"])[0]
            block = np.zeros(len(cases), int)
        elif varies_in_groups:
            unit, block = pd.factorize(cases["item"])[0], pd.factorize(cases["group"])[0]
        else:
            unit = pd.factorize(cases["group"])[0]
            block = np.zeros(len(cases), int)
        _, first = np.unique(unit, return_index=True)
        return cls(unit, level[first], block[first])

    def shuffle(self, rng):
        """Return the level of each case once the levels are shuffled among the units of a block."""
        in_order = np.argsort(self.block, kind="stable")
        by_chance = np.lexsort([rng.random(len(self.block)), self.block])
        shuffled = np.empty_like(self.levels)
        shuffled[in_order] = self.levels[by_chance]
        return shuffled[self.unit]


def correct_by_holm(p_values):
    """Return p values corrected for how many there are (Holm 1979)."""
    order = np.argsort(p_values, kind="stable")
    times = len(p_values) - np.arange(len(p_values))
    stepped = np.maximum.accumulate(p_values[order] * times)
    corrected = np.empty(len(p_values))
    corrected[order] = np.minimum(stepped, 1)
    return corrected
