"""The cutoff of the reference-based method: what tuning it is worth, on simulated judges."""

import itertools

import numpy as np
import pandas as pd

from helpers.measures import intervals, rankings
from helpers.refbased.method import V2_CUTOFF

CUTOFFS = (-3, -2, -1, 0)


def simulate_labels(quality, rng, noise=1.0):
    """Return (plus, minus) five-point labels: the candidate's advantage and a noise of that SD."""
    plus = quality + noise * rng.standard_normal(quality.shape)
    minus = -quality + noise * rng.standard_normal(quality.shape)
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
    """Return what the best of four cutoffs adds to rho, against v2's, in simulated studies, by the
    spread of the stories and the noise of an answer: estimate, low, high, n (studies)."""
    rows = {}
    for spread, noise in itertools.product(spreads, noises):
        studies = [simulate_study(rng, spread, noise).mean() for _ in range(draws)]
        rho = pd.DataFrame(studies)
        gain = intervals.of_mean(rho.max(axis=1) - rho[V2_CUTOFF])
        rows[f"spread {spread}, noise {noise}"] = gain
    return pd.DataFrame(rows).T.rename_axis("judge")
