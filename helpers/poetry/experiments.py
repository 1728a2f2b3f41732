"""Experiments on simulated judges of ranked lists: batch size, design, reliability."""

import itertools

import numpy as np
import pandas as pd
from scipy import optimize

from helpers.measures import intervals
from helpers.measures.agreement import average_reliability
from helpers.poetry import lists, simulate
from helpers.poetry.analysis import single_icc, tier_correlation

TIERS = np.repeat([0, 1, 2], 30)


def design(size, readings, rng):
    """Return lists of "15" poems (five per tier) or "90" (all) that show `readings` in all."""
    if size == "90":
        return lists.shuffle_all(90, readings // 90, rng)
    return lists.draw_subsets(TIERS, readings // 15, 5, rng)


def correlate(worth, drawn, noise, growth, rng):
    """Return the paper's correlation when a judge of opinions `worth` ranks `drawn`."""
    places = simulate.to_positions(simulate.judge_lists(worth, drawn, noise, rng, growth))
    return tier_correlation(simulate.mean_by_poem(drawn, places, len(worth)), TIERS)


def repeat_study(validity, noise, growth, seed, replicates, readings):
    """Return the paper's correlation by study and design ({poems in a list: readings})."""
    rows = []
    for k in range(replicates):
        rng = np.random.default_rng([seed, k])
        worth, found = simulate.draw_worth(TIERS, validity, rng), {}
        for size, total in readings.items():
            found[size] = correlate(worth, design(size, total, rng), noise, growth, rng)
        rows.append(found)
    return pd.DataFrame(rows)


def mean_src(validity, noise, growth, seed, readings, replicates=40):
    """Return the mean correlation in one design, the same draws each time."""
    found = repeat_study(validity, noise, growth, seed, replicates, readings).iloc[:, 0]
    # added in order: a root search follows, which must take the same path on every machine
    return sum(found) / len(found)


def fit_judge(icc1, src15, src90, seed):
    """Return {noise, validity, growth} of the judge with this ICC1 of one run on 15 poems and these
    correlations; growth: 0 (no loss) to 3."""
    noise = simulate.fit_noise(icc1, np.random.default_rng(seed))

    def short(validity):
        return mean_src(validity, noise, 0.0, seed, {"15": 1500}) - src15

    def long(growth):
        return mean_src(validity, noise, growth, seed, {"90": 900}) - src90

    validity, growth = optimize.brentq(short, 0.05, 0.999, xtol=0.004), 0.0
    if long(0.0) > 0:
        growth = 3.0 if long(3.0) >= 0 else optimize.brentq(long, 0.0, 3.0, xtol=0.02)
    return {"noise": noise, "validity": validity, "growth": growth}


def fit_printed(printed, criterion, seed):
    """Return {noise, validity, growth} of a judge that ranks as Claude-3-Opus (Tables 3 and 8)."""
    row = f"{criterion.upper()} / Claude-3-Opus 15n"
    icc1 = single_icc(printed.number("Table 8", row, "ICC1k / F"))
    src = [printed.number("Table 3", criterion, f"Claude-3 {n}n / SRC") for n in (15, 90)]
    return fit_judge(icc1, *src, seed)


def lead_by_criterion(printed, fits, seed, replicates=20, readings=900):
    """Return the simulated lead of lists of 15 over lists of 90, as many poems read and as well, by
    criterion; the printed gap; times: how much noisier a list of 90 must be to explain it."""
    rows, equal = {}, {"15": readings, "90": readings}
    for criterion, judge in fits.items():
        ends = [printed.number("Table 3", criterion, f"Claude-3 {n}n / SRC") for n in (15, 90)]
        wide = repeat_study(judge["validity"], judge["noise"], 0.0, seed, replicates, equal)
        gap = {"printed gap": round(ends[0] - ends[1], 2), "times": round(6 ** judge["growth"])}
        rows[criterion] = {**intervals.of_mean(wide["15"] - wide["90"]), **gap}
    return pd.DataFrame(rows).T.rename_axis("criterion")


def cost_curve(validity, noise, growth, seed, replicates=20):
    """Return simulated studies' correlations in lists of "15" and of "90", by poems read, of a
    judge whose noise grows with the list and of one whose noise does not."""
    judges, parts = {"long lists read worse": growth, "long lists read equally well": 0.0}, {}
    for (judge, grows), total in itertools.product(judges.items(), (450, 900, 1800, 3600)):
        equal = {"15": total, "90": total}
        parts[judge, total] = repeat_study(validity, noise, grows, seed, replicates, equal)
    return pd.concat(parts, names=["judge", "readings"])


def compare_designs(validity, noise, seed, subsets=100, replicates=20):
    """Return how many random subsets measure mean positions as well as `subsets` balanced ones: by
    the variance around a design's common mean, which falls as one over the subsets; jackknife over
    replicates, on the logarithm of the ratio."""
    rng = np.random.default_rng(seed)
    worth, errors = simulate.draw_worth(TIERS, validity, rng), {}
    for name, draw in {"random": lists.draw_subsets, "balanced": lists.balance_subsets}.items():
        means = []
        for _ in range(replicates):
            drawn = draw(TIERS, subsets, 5, rng)
            places = simulate.to_positions(simulate.judge_lists(worth, drawn, noise, rng))
            means.append(simulate.mean_by_poem(drawn, places, len(worth)))
        squares = (np.array(means) - np.nanmean(means, axis=0)) ** 2
        errors[name] = np.nanmean(squares, axis=1) * replicates / (replicates - 1)

    def log_ratio(rows):
        return np.log(errors["random"][rows].mean() / errors["balanced"][rows].mean())

    ratio = intervals.over_groups(np.arange(replicates), log_ratio)
    return {**subsets * np.exp(ratio.drop("n")), "n": replicates}


def reliability_and_validity(judges, seed, replicates=6):
    """Return by (validity, noise) the ICC of ten runs and of ten judges averaged, and the SRC."""
    rows, names = {}, ["ten runs averaged", "ten judges averaged"]
    for validity, noise in judges:
        found = []
        for k in range(replicates):
            rng = np.random.default_rng([seed, k])
            worths = np.array([simulate.draw_worth(TIERS, validity, rng) for _ in range(10)])
            ids = design("15", 15, rng)[0]
            alone = simulate.repeat_list(worths[0, ids], noise, rng)
            panel = simulate.repeat_list(worths[:, ids], noise, rng)
            src = correlate(worths[0], design("15", 1500, rng), noise, 0.0, rng)
            tens = [average_reliability(icc1, 10) for icc1 in (alone, panel)]
            found.append((*tens, src))
        *iccs, src = np.transpose(found)
        rows[validity, noise] = dict(zip(names, map(np.mean, iccs))) | dict(intervals.of_mean(src))
    return pd.DataFrame(rows).T.rename_axis(["validity", "noise"])


def leak(validity, noise, seed, subsets=1000, replicates=40):
    """Return the mean SRC of subsets drawn five per tier, which gives tiers away, and of any."""
    found = []
    for k in range(replicates):
        rng = np.random.default_rng([seed, k])
        worth = simulate.draw_worth(TIERS, validity, rng)
        by_tier = lists.draw_subsets(TIERS, subsets, 5, rng)
        any_fifteen = np.argsort(rng.random((subsets, 90)), axis=1, kind="stable")[:, :15]
        five = correlate(worth, by_tier, noise, 0.0, rng)
        free = correlate(worth, any_fifteen, noise, 0.0, rng)
        found.append([five, free, five - free, tier_correlation(worth, TIERS)])
    names = ["five per tier", "any fifteen", "difference", "the judge's own order"]
    rows = dict(zip(names, map(intervals.of_mean, np.transpose(found))))
    return pd.DataFrame(rows).T.rename_axis("lists")
