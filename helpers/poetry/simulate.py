"""Simulated judges of ranked lists: Plackett-Luce noise that grows with the list, and coarse scores from 1 to 5."""

import warnings

import numpy as np
from scipy import optimize, stats

from helpers.poetry.analysis import single_icc


def draw_worth(tiers, validity, rng):
    """Return a judge's lasting opinion of each poem (SD near 1): tiers with weight `validity`, own taste otherwise.

    tiers: codes, 0 the best. The share of variance that the tiers explain is validity squared.
    """
    steps = -np.asarray(tiers, float)
    steps = (steps - steps.mean()) / steps.std()
    return validity * steps + np.sqrt(1 - validity**2) * rng.standard_normal(len(steps))


def judge_lists(worth, lists, noise, rng, growth=0.0, base=15):
    """Return perceived worth in each list (lists x size): worth plus Gumbel noise, so that orders are Plackett-Luce.

    noise: SD of the perception error in a list of `base` poems; it grows as (size / base) ** growth.
    """
    lists = np.asarray(lists)
    scale = noise * (lists.shape[1] / base) ** growth * np.sqrt(6) / np.pi
    return np.asarray(worth)[lists] + scale * rng.gumbel(size=lists.shape)


def to_positions(perceived):
    """Return position scores (lists x size): n for the best perceived down to 1."""
    return perceived.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable") + 1


def to_scores(perceived, levels=5):
    """Return whole scores 1 to `levels` that use the whole range in each list: equal steps from its worst to its best poem."""
    low, high = perceived.min(axis=1, keepdims=True), perceived.max(axis=1, keepdims=True)
    return 1 + np.minimum((levels * (perceived - low) / (high - low)).astype(int), levels - 1)


def mean_by_poem(lists, values, poems):
    """Return (mean value of each poem over the lists that hold it, how many do); nan for a poem never shown."""
    flat = np.asarray(lists).ravel()
    shown = np.bincount(flat, minlength=poems)
    with np.errstate(invalid="ignore"):
        return np.bincount(flat, weights=np.asarray(values, float).ravel(), minlength=poems) / shown, shown


def calibrate_noise(icc1, rng, poems=15, runs=10, replicates=40):
    """Return the noise at which rankings of one list of `poems` (worth SD 1) repeat with the single-run ICC1 given."""

    def excess(noise):
        values = [
            icc1_of(to_positions(judge_lists(worth, lists, noise, np.random.default_rng(seed))).T)
            for seed, worth, lists in plans
        ]
        return np.mean(values) - icc1

    lists = np.tile(np.arange(poems), (runs, 1))
    plans = [(int(rng.integers(2**31)), rng.standard_normal(poems), lists) for _ in range(replicates)]
    return float(optimize.brentq(excess, 0.02, 3.0, xtol=0.01))


def icc1_of(matrix):
    """Return ICC1 (one-way, one rater) of items x raters, by its F: a hundred times faster than `analysis.icc_table`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.ConstantInputWarning)  # runs that agree entirely: F is infinite, ICC1 is 1
        return single_icc(stats.f_oneway(*matrix).statistic, matrix.shape[1])


def rate_panel(worths, noise, rng, poems=15):
    """Return poems x judges positions: one list ranked once by each judge (rows of `worths` are their lasting opinions)."""
    lists = np.tile(np.arange(poems), (len(worths), 1))
    scale = noise * np.sqrt(6) / np.pi
    return to_positions(np.asarray(worths)[:, :poems] + scale * rng.gumbel(size=lists.shape)).T


def answer_text(shown, names, perceived):
    """Return the answer that a simulated judge writes: a numbered list, best first, with scores from 1 to 5."""
    order, scores = np.argsort(-perceived, kind="stable"), to_scores(np.asarray(perceived)[None])[0]
    return "\n".join(f"{place + 1}. {names[shown[i]]} : {scores[i]}" for place, i in enumerate(order))


def make_judge(worth, names, noise, growth=0.0, slip=0.0):
    """Return a profile for `judges.ask`, f(row, rng) -> text: Plackett-Luce over row.shown; `slip`: chance to drop a poem."""

    def answer(row, rng):
        if "shown" not in row:  # the question without context: the third that its opinion falls into, one poem at a time
            seen = worth[int(row.item.rpartition("-")[2])] + noise * rng.standard_normal()
            return "Category: " + ("Bad", "Medium", "Good")[int(np.searchsorted([-0.43, 0.43], seen))]
        perceived = judge_lists(worth, [row.shown], noise, rng, growth)[0]
        lines = answer_text(row.shown, names, perceived).split("\n")
        return "\n".join(line for line in lines if rng.random() >= slip)

    return answer
