"""Experiments on simulated judges of ranked lists: batch size, design, reliability."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from goodjudge.stats import intervals
from scipy import optimize

from helpers.agreement import average_reliability
from helpers.poetry import lists, simulate
from helpers.poetry.analysis import single_icc, tier_correlation

TIERS = np.repeat([0, 1, 2], 30)
FROM_TIERS = simulate.standardise(TIERS)  # the worth that the tiers alone give each poem
REPLICATES = 40  # simulated studies by which a judge is fitted


def design(size, readings, rng):
    """Return lists of "15" poems (five per tier) or "90" (all) that show `readings` in all."""
    if size == "90":
        return lists.shuffle_all(90, readings // 90, rng)
    return lists.draw_subsets(TIERS, readings // 15, 5, rng)


def correlate(worth, drawn, noise, growth, rng):
    """Return the paper's correlation when a judge of opinions `worth` ranks `drawn`."""
    perceived = simulate.judge_lists(worth, drawn, noise, rng, growth)
    return tier_correlation(average_positions(perceived, drawn, len(worth)), TIERS)


def average_positions(perceived, drawn, poems):
    """Return each poem's mean position in lists (lists x size) perceived so."""
    positions = simulate.to_positions(perceived)
    return simulate.mean_by_poem(drawn, positions, poems)


class DrawnStudy(NamedTuple):
    """What chance gives one simulated study, whoever the judge is."""

    own_taste: np.ndarray  # a standard normal number for each poem
    lists: dict  # {poems in a list: lists x size}
    standard_noise: dict  # {poems in a list: Gumbel noise of scale 1, lists x size}


def draw_study(readings, rng):
    """Return a DrawnStudy of some designs; readings: {poems in a list: readings in all}."""
    own_taste = rng.standard_normal(len(TIERS))
    drawn_lists = {}
    standard_noise = {}
    for size, total in readings.items():
        drawn = design(size, total, rng)
        drawn_lists[size] = drawn
        standard_noise[size] = rng.gumbel(size=drawn.shape)
    return DrawnStudy(own_taste, drawn_lists, standard_noise)


@lru_cache
def draw_studies(readings, seed, replicates):
    """Return `replicates` drawn studies, each with a random generator of its own; drawn once for
    all judges. readings: ((poems in a list, readings in all), …)."""
    readings = dict(readings)
    return [draw_study(readings, np.random.default_rng([seed, k])) for k in range(replicates)]


def judge_study(study, validity, noise, growth):
    """Return the paper's correlation in each design of a drawn study, for one kind of judge."""
    worth = simulate.mix_worth(FROM_TIERS, validity, study.own_taste)
    correlations = {}
    for size, drawn in study.lists.items():
        perceived = simulate.add_noise(worth, drawn, noise, study.standard_noise[size], growth)
        means = average_positions(perceived, drawn, len(worth))
        correlations[size] = tier_correlation(means, TIERS)
    return correlations


def repeat_study(validity, noise, growth, seed, replicates, readings):
    """Return the paper's correlation by study and design ({poems in a list: readings})."""
    studies = draw_studies(tuple(readings.items()), seed, replicates)
    return pd.DataFrame([judge_study(study, validity, noise, growth) for study in studies])


def mean_src(validity, noise, growth, studies):
    """Return the mean correlation over drawn studies of one design."""
    (size,) = studies[0].lists
    # added in order: a root search follows, which must take the same path on every machine
    return sum(judge_study(study, validity, noise, growth)[size] for study in studies) / len(
        studies
    )


def fit_judge(icc1, src15, src90, seed):
    """Return {noise, validity, growth} of the judge with this ICC1 of one run on 15 poems and these
    correlations; growth: 0 (no loss) to 3."""
    noise = simulate.fit_noise(icc1, np.random.default_rng(seed))
    # one draw for all steps of a search: its steps then differ by the judge alone
    in_short_lists = draw_studies((("15", 1500),), seed, REPLICATES)
    in_long_lists = draw_studies((("90", 900),), seed, REPLICATES)

    def excess_in_short_lists(validity):
        return mean_src(validity, noise, 0.0, in_short_lists) - src15

    validity = optimize.brentq(excess_in_short_lists, 0.05, 0.999, xtol=0.004)

    def excess_in_long_lists(growth):
        return mean_src(validity, noise, growth, in_long_lists) - src90

    if excess_in_long_lists(0.0) <= 0:
        growth = 0.0
    elif excess_in_long_lists(3.0) >= 0:
        growth = 3.0
    else:
        growth = optimize.brentq(excess_in_long_lists, 0.0, 3.0, xtol=0.02)
    return {"noise": noise, "validity": validity, "growth": growth}


def fit_printed(printed, criterion, seed):
    """Return {noise, validity, growth} of a judge that ranks as Claude-3-Opus (Tables 3 and 8)."""
    row = f"{criterion.upper()} / Claude-3-Opus 15n"
    icc1 = single_icc(printed.number("Table 8", row, "ICC1k / F"))
    src15 = printed_correlation(printed, criterion, 15)
    src90 = printed_correlation(printed, criterion, 90)
    return fit_judge(icc1, src15, src90, seed)


def printed_correlation(printed, criterion, size):
    """Return Claude-3-Opus' correlation in lists of `size` poems, as Table 3 prints it."""
    return printed.number("Table 3", criterion, f"Claude-3 {size}n / SRC")


def reliability_and_validity(judges, seed, replicates):
    """Return by (validity, noise) the ICC of ten runs and of ten judges averaged, and the SRC."""
    rows = {}
    for validity, noise in judges:
        studies = []
        for k in range(replicates):
            rng = np.random.default_rng([seed, k])
            studies.append(repeat_and_replace(validity, noise, rng))
        table = pd.DataFrame(studies)
        row = dict(table[["ten runs averaged", "ten judges averaged"]].mean())
        rows[validity, noise] = row | dict(intervals.of_mean(table["correlation"]))
    return pd.DataFrame(rows).T.rename_axis(["validity", "noise"])


def repeat_and_replace(validity, noise, rng):
    """Return, for one simulated study, the reliability of ten runs of a judge averaged and of ten
    judges averaged, who rank the same 15 poems, and the judge's correlation with the tiers."""
    worths = np.array([simulate.draw_worth(TIERS, validity, rng) for _ in range(10)])
    judge = worths[0]  # worths: judges x poems
    poems = design("15", 15, rng)[0]
    one_judge = simulate.repeat_list(judge[poems], noise, rng)
    ten_judges = simulate.repeat_list(worths[:, poems], noise, rng)
    drawn = design("15", 1500, rng)
    return {
        "ten runs averaged": average_reliability(one_judge, 10),
        "ten judges averaged": average_reliability(ten_judges, 10),
        "correlation": correlate(judge, drawn, noise, 0.0, rng),
    }
