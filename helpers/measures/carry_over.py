"""Does what is true of a judge on average hold for each group, writer, aspect and length?

A judge may be half a point too kind to everybody: that can be taken off. It is worse if it is kind
to one writer and severe with another, or follows people for short texts only. For each level of a
factor two numbers are told:

- *leniency*: by how much the judge scores these items above people, more than it does on average;
- *agreement*: Pearson's r of the judge and the mean of people among these items.

Levels with few items differ by chance. So each is drawn towards the mean of all levels, the more
the less is known of it (empirical Bayes; Efron & Morris 1975), and `compare_factors` asks by
permutation whether the levels differ at all, corrected for how many factors were looked at.
`leave_each_out` asks the practical question: would the line from judge to people, learnt without a
writer, have been right for this writer?
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from helpers import figures, results
from helpers.measures import intervals, ratings, statistics
from helpers.measures.intervals import ENOUGH
from helpers.measures.trial import limit_groups
from helpers.sources.names import display_name

LENGTH = "length"
THIRDS = ["short", "middle", "long"]
LEAST = 10  # items of a level whose agreement is told
PERMUTATIONS = 1000
CLEAR = 0.05  # a smaller p, corrected, is called clear
SHOWN = 12  # levels of a factor in a picture: of more, the most severe and the most lenient
QUANTITIES = ["leniency", "agreement"]


def list_cases(data, scores, judge):
    """Return the cases that people and a judge scored: item, aspect, what is known of the item,
    people (their mean), score (the judge's, on people's scale), apart (score less people, less the
    mean of that), length (short, middle, long: thirds of the items by words, where they are known).

    data: `Ratings`; scores: item, judge, score and perhaps aspect. A judge whose scores reach
    beyond people's scale is brought to their mean and standard deviation; attrs["scale"] says so.
    """
    cases = ratings.find_cases(data, "all").rename(columns={"target": "people"})
    cases["score"] = ratings.match_scores(cases, scores)[judge]
    cases = cases.dropna(subset=["people", "score"]).reset_index(drop=True)
    given = ratings.list_scores(data)["score"]
    is_other = not cases["score"].between(given.min(), given.max()).all()
    if is_other:
        spread = cases["people"].std() / max(cases["score"].std(), 1e-12)
        from_mean = cases["score"] - cases["score"].mean()
        cases["score"] = cases["people"].mean() + from_mean * spread
    apart = cases["score"] - cases["people"]
    cases["apart"] = (apart - apart.mean()).round(9)
    if "words" in cases and cases["words"].notna().sum() >= 3:
        cases[LENGTH] = cut_thirds(cases)
    cases.attrs["scale"] = "people's mean and spread" if is_other else "as given"
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
    """Return a row for each (quantity, level): estimate, low, high (drawn towards the mean of the
    levels), n (of leniency the independent units: groups, or items where the factor is the group;
    of agreement the items), raw (before it was drawn).

    cases: of `list_cases`; factor: of `list_factors`. Agreement is told of levels with ten items or
    more.
    """
    cases = cases.dropna(subset=[factor])
    tables = {}
    for quantity, rate in {"leniency": rate_leniency, "agreement": rate_agreement}.items():
        table = rate(cases, factor)
        if len(table) > 1:
            tables[quantity] = draw_to_mean(table, level, quantity == "agreement")
    return pd.concat(tables, names=["quantity", factor])


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


def rate_agreement(cases, factor):
    """Return a row per level of ten items or more: raw (Fisher's z of r, within aspects), variance
    (1 / (items - 3)), n (items)."""
    level, names = pd.factorize(cases[factor], sort=True)
    return lay_out(*correlate_levels(Pairs.of(cases), level), names, factor)


class Pairs(NamedTuple):
    """What two sides say of each case: score, people, and the item and aspect as whole numbers."""

    score: np.ndarray
    people: np.ndarray
    item: np.ndarray
    aspect: np.ndarray

    @classmethod
    def of(cls, cases):
        """Return the `Pairs` of cases of `list_cases`."""
        item, _ = pd.factorize(cases["item"])
        aspect, _ = pd.factorize(cases["aspect"])
        return cls(cases["score"].to_numpy(float), cases["people"].to_numpy(float), item, aspect)


def correlate_levels(pairs, level):
    """Return (raw, variance, n) of each level of `rate_agreement`, n = 0 where it is not told;
    pairs: `Pairs`; level: of each case, a whole number from 0."""
    levels = level.max() + 1
    aspects = pairs.aspect.max() + 1
    products = statistics.list_products(pairs.score, pairs.people)  # kinds of products x cases
    cell = level * aspects + pairs.aspect  # the number of a level and an aspect
    sums = np.zeros((len(products), levels * aspects))
    sums_until_last = statistics.sum_by_label(products, cell)  # up to the last cell with a case
    sums[:, : sums_until_last.shape[1]] = sums_until_last
    by_level = sums.reshape(len(products), levels, aspects)
    # turned to levels x kinds of products x aspects: one r for each level, within aspects
    r = statistics.r_of_sums(np.moveaxis(by_level, 1, 0))
    most = pairs.item.max() + 1
    level_and_item = np.unique(level * most + pairs.item)  # each once, whatever its aspects
    items = np.bincount(level_and_item // most, minlength=levels)
    is_told = (items >= LEAST) & ~np.isnan(r)
    raw = intervals.fisher(np.where(is_told, r, 0.0))
    return raw, 1 / np.maximum(items - 3, 1), np.where(is_told, items, 0)


def draw_to_mean(table, level, on_z):
    """Return estimate, low, high, n, raw of levels drawn towards their mean.

    table: raw, variance, n of each level; on_z: the numbers are Fisher's z and are told as r. With
    t² the variance of the true values (`find_spread`) and k levels, a level loses the share
    (k - 3) / (k - 1) x variance / (t² + variance) of its distance to the mean; of three levels or
    fewer nothing can be learnt about t², and none is drawn. Of five levels, with t² and variance
    0.04 each, a level loses 2/4 x 1/2 = 1/4: what lies 0.4 above the mean is told as 0.3 above. The
    interval allows for t² not being known (Morris 1983).
    """
    mean, spread = find_spread(table)
    levels = len(table)
    trust = max(levels - 3, 0) / (levels - 1)
    lost = trust * table["variance"] / (spread + table["variance"])
    distance = table["raw"] - mean
    estimate = mean + (1 - lost) * distance
    # three variances add up (Morris): what is left of the level's own, that of the mean to which it
    # is drawn, and what comes from t² not being known
    of_mean = 1 / (1 / (spread + table["variance"])).sum()
    unknown = 2 / max(levels - 3, 1) * lost**2 * distance**2
    error = np.sqrt((1 - lost) * table["variance"] + lost * of_mean + unknown)
    half = stats.norm.ppf((1 + level) / 2) * error
    ends = {"estimate": estimate, "low": estimate - half, "high": estimate + half}
    back = np.tanh if on_z else np.asarray
    drawn = pd.DataFrame({name: back(values) for name, values in ends.items()}, table.index)
    return drawn.assign(n=table["n"], raw=back(table["raw"]))


def find_spread(table):
    """Return (mean of the levels, variance of their true values) by DerSimonian & Laird (1986);
    table: raw and variance of each level."""
    weights = 1 / table["variance"]
    mean = (weights * table["raw"]).sum() / weights.sum()
    squares = (weights * (table["raw"] - mean) ** 2).sum()
    scale = weights.sum() - (weights**2).sum() / weights.sum()
    spread = max((squares - (len(table) - 1)) / scale, 0.0)
    weights = 1 / (spread + table["variance"])
    return (weights * table["raw"]).sum() / weights.sum(), spread


def compare_factors(cases, rng, factors=None):
    """Return a row per (factor, quantity): levels, spread (the standard deviation of the levels'
    true values: points, or Fisher's z of agreement), p, and `p corrected` for all rows (Holm 1979).

    cases: of `list_cases`; rng: shuffles; factors: of `list_factors` (default: all). p is the share
    of a thousand shuffles in which the levels differ as much (`find_p`).
    """
    rows = {}
    for factor in list_factors(cases) if factors is None else factors:
        for quantity, rate in {"leniency": rate_leniency, "agreement": rate_agreement}.items():
            table = rate(cases.dropna(subset=[factor]), factor)
            if len(table) > 1 and table["variance"].notna().all():
                _, spread = find_spread(table)
                p = find_p(cases, factor, quantity, rng)
                rows[factor, quantity] = (len(table), np.sqrt(spread), p)
    columns = ["levels", "spread", "p"]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    table.index = pd.MultiIndex.from_tuples(rows, names=["factor", "quantity"])
    return table.assign(**{"p corrected": correct_by_holm(table["p"].to_numpy())})


def find_p(cases, factor, quantity, rng):
    """Return p of the hypothesis that a quantity ("leniency", "agreement") is the same in all
    levels of a factor.

    Levels are shuffled among the items of a group where a group has several, else among whole
    groups; groups among items, aspects within an item. For agreement the mean of each level is
    taken off first, so that leniency is no disagreement.
    """
    cases = cases.dropna(subset=[factor])
    level, _ = pd.factorize(cases[factor], sort=True)
    dealt = Dealt.of(cases, factor, level)
    pairs = Pairs.of(cases)
    if quantity == "agreement":
        cell = level * (pairs.aspect.max() + 1) + pairs.aspect
        centred = [statistics.centre(values, cell) for values in (pairs.score, pairs.people)]
        pairs = pairs._replace(score=centred[0], people=centred[1])
    apart = cases["apart"].to_numpy(float)
    unit, _ = pd.factorize(cases["item" if factor == "group" else "group"])

    def measure(level):
        if quantity == "agreement":
            return measure_spread(*correlate_levels(pairs, level))
        return measure_spread(*average_units(apart, level, unit))

    seen = measure(level)
    larger = sum(measure(dealt.shuffle(rng)) >= seen - 1e-9 for _ in range(PERMUTATIONS))
    return (1 + larger) / (1 + PERMUTATIONS)


def measure_spread(raw, variance, n):
    """Return how far the levels that are known (n above 0) lie apart: the sum of their squared
    distances to the mean, each over its variance."""
    raw, weights = raw[n > 0], 1 / variance[n > 0]
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


def leave_each_out(cases, factor="writer", level=0.95):
    """Return a row per level (estimate, low, high, n: groups): by how much the line from the
    judge's scores to people's, learnt on all other levels, is too high for this one.

    cases: of `list_cases`. Least squares on the mean over aspects of each item; intervals by the
    jackknife over groups, in which the line is learnt anew, widened for the number of levels
    (Bonferroni); none from fewer than five groups.
    """
    known = ["item", "group", factor] if factor != "group" else ["item", "group"]
    items = cases.groupby(known, sort=False)[["score", "people"]].mean().reset_index()
    score, people = items["score"].to_numpy(float), items["people"].to_numpy(float)
    groups = limit_groups(pd.factorize(items["group"], sort=True)[0])
    names = sorted(items[factor].unique())
    widened = 1 - (1 - level) / len(names)
    rows = {}
    for name in names:
        here = (items[factor] == name).to_numpy()

        def overshoot(rows, here=here):
            inside = here[rows]
            return predict_too_high(score[rows], people[rows], inside)

        own_groups = len(np.unique(groups[here]))
        row = intervals.row(overshoot(np.arange(len(items))), n=own_groups)
        if own_groups >= ENOUGH:
            without = intervals.leave_out(groups, overshoot)
            without = without[~np.isnan(without)]
            variance = (len(without) - 1) * np.var(without)
            row = intervals.around(row["estimate"], variance, own_groups, widened)
        rows[name] = row
    return pd.DataFrame(rows).T.rename_axis(factor)


def predict_too_high(score, people, inside):
    """Return the mean of a line's predictions less people's scores for the items inside; the line
    is learnt on the others. nan where one side is empty or the judge does not vary outside."""
    x, y = score[~inside], people[~inside]
    if not inside.any() or len(x) < 3 or np.ptp(x) == 0:
        return np.nan
    slope = statistics.centre(x, np.zeros(len(x), int)) @ y / ((x - x.mean()) ** 2).sum()
    predicted = y.mean() + slope * (score[inside] - x.mean())
    return (predicted - people[inside]).mean()


def draw_carry_over(rows, factor, judge, tested=None, unit="points"):
    """Return a figure of a judge's leniency by level: a dot and interval each, the most lenient on
    top.

    rows: of `rate_levels`; judge: its name for readers; tested: of `compare_factors`, whose
    corrected p names the axis, too; from 0.05 on the title names no level. Of more than twelve
    levels the six at either end are shown. unit: of leniency.
    """
    table = results.rank(rows.loc["leniency"], "estimate")
    if len(table) > SHOWN:
        table = pd.concat([table.head(SHOWN // 2), table.tail(SHOWN // 2)])
    furthest = table["estimate"].abs().idxmax()
    amount = table.at[furthest, "estimate"]
    word = "above" if amount > 0 else "below"
    title = (
        f"{judge}: leniency with {display_name(furthest)} lies {abs(amount):.2f} ({unit}) {word} "
        "its average"
    )
    if np.allclose(table["estimate"], table["estimate"].iloc[0]):
        title = f"{judge}: no {factor} is seen to be treated otherwise"
    chance = ""
    if tested is not None and (factor, "leniency") in tested.index:
        p = tested.at[(factor, "leniency"), "p corrected"]
        chance = f"; p = {p:.3f} if there were no difference"
        if p >= CLEAR:
            title = f"{judge}: no {factor} is clearly treated otherwise"
    measure = f"leniency beyond the average, by {factor}, in {unit} (drawn to the mean{chance})"
    words = {"n": f"{len(rows.loc['leniency'])} levels", "better": None}
    return figures.dots(table, title, measure, {"its average": 0.0}, **words)


def tell_carry_over(rows, tested, factor):
    """Return in a sentence whom a judge treats otherwise than everybody, by how much, and whether
    that may be chance.

    rows: of `rate_levels`; tested: of `compare_factors`.
    """
    leniency = rows.loc["leniency"]
    kind, severe = leniency["estimate"].idxmax(), leniency["estimate"].idxmin()
    p = tested.at[(factor, "leniency"), "p corrected"]
    show = results.format_interval
    most = f"{display_name(kind)} ({show(leniency.loc[kind])})"
    least = f"{display_name(severe)} ({show(leniency.loc[severe])})"
    if p < CLEAR:
        return (
            f"By {factor} its leniency differs: most above its average with {most}, most below it "
            f"with {least}; p = {p:.3f}, corrected for what was looked at."
        )
    return (
        f"By {factor} its leniency is not seen to differ: from {least} to {most} about its "
        f"average; p = {p:.2f}, corrected for what was looked at."
    )
