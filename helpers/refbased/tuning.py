"""The cutoff of the reference-based method: what tuning it is worth, on simulated judges."""

import itertools

import numpy as np
import pandas as pd

from helpers.measures import intervals, rankings
from helpers.refbased.method import V2_CUTOFF

CUTOFFS = (-3, -2, -1, 0)


def tuning(values):
    """Return the mean (of group x cutoff) at the cutoff best on all groups, and on the others."""
    table = values.to_numpy(float)

    def best(part):  # to ten decimals: equal means are equal on every machine, the first wins
        return part.mean(axis=0).round(10).argmax()

    left_out = [row[best(np.delete(table, k, axis=0))] for k, row in enumerate(table)]
    return table[:, best(table)].mean(), np.mean(left_out)


def simulate_labels(quality, rng, noise=1.0, bias=0.0):
    """Return (plus, minus) five-point labels of a simulated judge; quality: the candidate's
    advantage; noise: SD of an answer; bias: what is added for the story shown first."""
    plus = quality + bias + noise * rng.standard_normal(quality.shape)
    minus = -quality + bias + noise * rng.standard_normal(quality.shape)
    return np.clip(np.rint(plus), -2, 2), np.clip(np.rint(minus), -2, 2)


def simulate_study(rng, spread, noise, groups=12, writers=3, tests=14, level=-1.5):
    """Return group x cutoff: a simulated judge's rho with experts; `level`: mean disadvantage."""
    story = spread * rng.standard_normal((groups, writers))
    human = np.rint(7 + 4 * story + 2 * rng.standard_normal(story.shape))
    quality = level + story[..., None] + 0.5 * rng.standard_normal((groups, writers, tests))
    plus, minus = simulate_labels(quality, rng, noise)
    passed = {cutoff: (plus - minus >= cutoff).sum(axis=2) for cutoff in CUTOFFS}
    return pd.DataFrame({cut: rankings.rho_by_group(human, n) for cut, n in passed.items()})


def worth_of_tuning(rng, spreads=(0.4, 0.6, 0.8), noises=(0.7, 1.0, 1.4), draws=150):
    """Return what choosing among four cutoffs adds to rho in simulated studies.

    Against a cutoff fixed beforehand (v2's), and one chosen on the other groups, by the spread of
    the stories and the noise of an answer: estimate, low, high, n (studies).
    """
    rows = {}
    for spread, noise in itertools.product(spreads, noises):
        judge, studies = f"spread {spread}, noise {noise}", []
        for _ in range(draws):
            values = simulate_study(rng, spread, noise)
            studies.append([*tuning(values), values[V2_CUTOFF].mean()])
        inside, outside, fixed = np.transpose(studies)
        rows[f"fixed at {V2_CUTOFF}", judge] = intervals.of_mean(inside - fixed)
        rows["chosen on the other groups", judge] = intervals.of_mean(inside - outside)
    return pd.DataFrame(rows).T.rename_axis(["against a cutoff", "judge"])
