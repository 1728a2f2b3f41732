"""Simulated judges of ranked lists: Plackett-Luce noise that grows with the list, coarse scores."""

import warnings

import numpy as np
from scipy import optimize, stats

from helpers.poetry.analysis import single_icc


def draw_worth(tiers, validity, rng):
    """Return a judge's lasting opinion of each poem: tiers (0 the best), and own taste."""
    steps = stats.zscore(-np.asarray(tiers, float))
    return validity * steps + np.sqrt(1 - validity**2) * rng.standard_normal(len(steps))


def judge_lists(worth, lists, noise, rng, growth=0.0, base=15):
    """Return perceived worth (lists x size): worth (of each poem, or a row per list) plus Gumbel
    noise, so Plackett-Luce; its SD grows from a list of `base` poems as (size / base) ** growth."""
    lists = np.asarray(lists)
    scale = noise * (lists.shape[1] / base) ** growth * np.sqrt(6) / np.pi
    worth = np.broadcast_to(worth, (len(lists), np.shape(worth)[-1]))
    return np.take_along_axis(worth, lists, axis=1) + scale * rng.gumbel(size=lists.shape)


def to_positions(perceived):
    """Return position scores (lists x size): n for the best perceived down to 1."""
    return perceived.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable") + 1


def to_scores(perceived, levels=5):
    """Return whole scores 1 to `levels`: equal steps from a list's worst to its best poem."""
    low, high = perceived.min(axis=1, keepdims=True), perceived.max(axis=1, keepdims=True)
    return 1 + np.minimum((levels * (perceived - low) / (high - low)).astype(int), levels - 1)


def mean_by_poem(lists, values, poems):
    """Return the mean value of each poem over the lists that hold it; nan for one never shown."""
    flat, values = np.ravel(lists), np.ravel(values).astype(float)
    with np.errstate(invalid="ignore"):
        return np.bincount(flat, values, poems) / np.bincount(flat, minlength=poems)


def fit_noise(icc1, rng, poems=15, runs=10, replicates=40):
    """Return the noise at which rankings of one list (worth SD 1) repeat with the ICC1 given."""
    plans = [(int(rng.integers(2**31)), rng.standard_normal(poems)) for _ in range(replicates)]

    def excess(noise):
        found = [repeat_list(worth, noise, np.random.default_rng(s), runs) for s, worth in plans]
        return np.mean(found) - icc1

    return float(optimize.brentq(excess, 0.02, 3.0, xtol=0.01))


def repeat_list(worth, noise, rng, runs=10):
    """Return ICC1 of positions of a list ranked `runs` times, or by each row of `worth`."""
    worth = np.atleast_2d(worth)
    lists = np.tile(np.arange(worth.shape[1]), (max(runs, len(worth)), 1))
    return icc1_of(to_positions(judge_lists(worth, lists, noise, rng)).T)


def icc1_of(matrix):
    """Return ICC1 of items x raters by its F: a hundred times faster than `agreement.icc_table`."""
    with warnings.catch_warnings():  # runs that agree entirely: F is infinite, ICC1 is 1
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        return single_icc(stats.f_oneway(*matrix).statistic, matrix.shape[1])


def answer_text(shown, names, perceived):
    """Return a simulated judge's answer: a numbered list, best first, with scores from 1 to 5."""
    scores = to_scores(np.asarray(perceived)[None])[0]
    order = enumerate(np.argsort(-perceived, kind="stable"), 1)
    return "\n".join(f"{place}. {names[shown[i]]} : {scores[i]}" for place, i in order)


def make_judge(worth, names, noise, growth=0.0, slip=0.0):
    """Return a profile for `judges.ask`: Plackett-Luce; `slip`: the chance to drop a poem."""

    def answer(row, rng):
        # the question without context: the third that its opinion falls into, one poem at a time
        if "shown" not in row:
            seen = worth[int(row.item.rpartition("-")[2])] + noise * rng.standard_normal()
            third = np.searchsorted([-0.43, 0.43], seen)
            return "Category: " + ("Bad", "Medium", "Good")[int(third)]
        perceived = judge_lists(worth, [row.shown], noise, rng, growth)[0]
        lines = answer_text(row.shown, names, perceived).split("\n")
        return "\n".join(line for line in lines if rng.random() >= slip)

    return answer
