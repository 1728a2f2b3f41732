"""Simulated judges of ranked lists: Plackett-Luce noise that grows with the list, coarse scores."""

import numpy as np
from scipy import optimize, stats

from helpers.poetry.analysis import single_icc

VENUES = ("Bad", "Medium", "Good")  # the thirds of a judge's opinions, the lowest first
THIRDS = (-0.43, 0.43)  # they cut a standard normal into three


def draw_worth(tiers, validity, rng):
    """Return a judge's lasting opinion of each poem: tiers (0 the best), and own taste.

    Its correlation with the tiers is `validity`, its SD 1.
    """
    return mix_worth(standardise(tiers), validity, rng.standard_normal(len(tiers)))


def standardise(tiers):
    """Return the worth that the tiers alone give each poem: mean 0, SD 1, the best tier highest."""
    return stats.zscore(-np.asarray(tiers, float))


def mix_worth(from_tiers, validity, own_taste):
    """Return what `draw_worth` does, of `standardise`d tiers and a taste that is drawn already: a
    standard normal number for each poem."""
    return validity * from_tiers + np.sqrt(1 - validity**2) * own_taste


def judge_lists(worth, lists, noise, rng, growth=0.0):
    """Return perceived worth (lists x size): worth (of each poem, or a row per list) plus Gumbel
    noise, so Plackett-Luce; its SD grows from a list of 15 poems as (size / 15) ** growth."""
    standard_noise = rng.gumbel(size=np.shape(lists))
    return add_noise(worth, lists, noise, standard_noise, growth)


def add_noise(worth, lists, noise, standard_noise, growth):
    """Return what `judge_lists` does, of Gumbel noise that is drawn already (lists x size)."""
    lists = np.asarray(lists)  # lists x size: the ids of poems
    size = lists.shape[1]
    scale = noise * (size / 15) ** growth * np.sqrt(6) / np.pi
    poems = np.shape(worth)[-1]
    worth_by_list = np.broadcast_to(worth, (len(lists), poems))
    worth_of_shown = np.take_along_axis(worth_by_list, lists, axis=1)  # lists x size
    return worth_of_shown + scale * standard_noise


def to_positions(perceived):
    """Return position scores (lists x size): n for the best perceived down to 1."""
    worst_first = perceived.argsort(axis=1, kind="stable")
    return worst_first.argsort(axis=1, kind="stable") + 1


def to_grades(perceived):
    """Return whole scores 1 to 5: five equal steps from a list's worst to its best poem."""
    low = perceived.min(axis=1, keepdims=True)
    high = perceived.max(axis=1, keepdims=True)
    steps = 5 * (perceived - low) / (high - low)
    whole_steps = steps.astype(int)
    return 1 + np.minimum(whole_steps, 4)


def mean_by_poem(lists, values, poems):
    """Return the mean value of each poem over the lists that hold it; nan for one never shown.

    lists, values: lists x size; poems: how many there are.
    """
    ids = np.ravel(lists)
    sums = np.bincount(ids, np.ravel(values).astype(float), poems)
    times_shown = np.bincount(ids, minlength=poems)
    with np.errstate(invalid="ignore"):
        return sums / times_shown


def fit_noise(icc1, rng):
    """Return the noise at which ten rankings of one list (15 poems, worth SD 1) repeat with the
    ICC1 given, over forty studies."""
    studies = []
    for _ in range(40):
        seed = int(rng.integers(2**31))
        worth = rng.standard_normal(15)
        studies.append((seed, worth))

    def excess(noise):
        """Return by how much the mean ICC1 of the same studies exceeds the one given."""
        iccs = [repeat_list(worth, noise, np.random.default_rng(seed)) for seed, worth in studies]
        return np.mean(iccs) - icc1

    return float(optimize.brentq(excess, 0.02, 3.0, xtol=0.01))


def repeat_list(worth, noise, rng):
    """Return ICC1 of positions of a list ranked ten times, or by each row of `worth`."""
    worth = np.atleast_2d(worth)  # judges x poems
    judges, poems = worth.shape
    lists = np.tile(np.arange(poems), (max(10, judges), 1))
    positions = to_positions(judge_lists(worth, lists, noise, rng))  # runs x poems
    return icc1_of(positions.T)


def icc1_of(matrix):
    """Return ICC1 of items x raters by its two mean squares: far faster than
    `agreement.icc_table`."""
    raters = matrix.shape[1]
    between = raters * matrix.mean(axis=1).var(ddof=1)
    within = matrix.var(axis=1, ddof=1).mean()
    with np.errstate(divide="ignore"):  # runs that agree entirely: F is infinite, ICC1 is 1
        f = between / within
    return single_icc(f, raters)


def answer_text(shown, names, perceived):
    """Return a simulated judge's answer: a numbered list, best first, with scores from 1 to 5.

    shown: the ids of a list's poems; names: {id: name}; perceived: the worth of each, as shown.
    """
    scores = to_grades(np.asarray(perceived)[None])[0]
    best_first = np.argsort(-perceived, kind="stable")
    lines = []
    for place, i in enumerate(best_first, start=1):
        lines.append(f"{place}. {names[shown[i]]} : {scores[i]}")
    return "\n".join(lines)


def make_judge(worth, names, noise, growth=0.0, slip=0.0):
    """Return a profile for `judges.ask`: Plackett-Luce; `slip`: the chance to drop a poem.

    Asked about one poem without a list, it names the kind of venue: the third of all opinions that
    its own falls into.
    """

    def answer(row, rng):
        if "shown" not in row:
            return answer_alone(row.poem, rng)
        perceived = judge_lists(worth, [row.shown], noise, rng, growth)[0]
        lines = answer_text(row.shown, names, perceived).split("\n")
        kept = [line for line in lines if rng.random() >= slip]
        return "\n".join(kept)

    def answer_alone(poem, rng):
        opinion = worth[poem] + noise * rng.standard_normal()
        third = int(np.searchsorted(THIRDS, opinion))
        return f"Category: {VENUES[third]}"

    return answer
