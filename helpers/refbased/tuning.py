"""The cutoff of the reference-based method: what tuning it is worth, on simulated judges."""

import itertools

import numpy as np
import pandas as pd
from goodjudge.stats import intervals, rankings

from helpers.refbased.method import V2_CUTOFF

CUTOFFS = (-3, -2, -1, 0)


def simulate_labels(quality, rng, noise=1.0):
    """Return (plus, minus) five-point labels: the candidate's advantage and a noise of that SD.

    quality: the candidate's advantage over the reference, in steps of the scale, of any shape.
    """
    plus = quality + noise * rng.standard_normal(quality.shape)
    minus = -quality + noise * rng.standard_normal(quality.shape)
    return to_five_points(plus), to_five_points(minus)


def to_five_points(values):
    """Return the labels -2 to 2 that are nearest to some values."""
    return np.clip(np.rint(values), -2, 2)


def simulate_study(rng, spread, noise, groups=12, writers=3, tests=14, level=-1.5):
    """Return group x cutoff: a simulated judge's rho with experts; `level`: mean disadvantage.

    spread: SD of the stories' worth; noise: SD of a label, both in steps of the scale.
    """
    human, tests_passed = simulate_scores(rng, spread, noise, groups, writers, tests, level)
    rho = rankings.rho_by_group(human, tests_passed)  # cutoffs x groups
    return pd.DataFrame(rho.T, columns=CUTOFFS)


def simulate_scores(rng, spread, noise, groups=12, writers=3, tests=14, level=-1.5):
    """Return the scores in a study as `simulate_study` has it: the experts' (groups x writers), and
    the tests that a judge finds passed (cutoffs x groups x writers)."""
    story = spread * rng.standard_normal((groups, writers))
    noise_of_experts = rng.standard_normal(story.shape)
    human = np.rint(7 + 4 * story + 2 * noise_of_experts)  # groups x writers
    by_test = 0.5 * rng.standard_normal((groups, writers, tests))
    quality = level + story[..., None] + by_test
    plus, minus = simulate_labels(quality, rng, noise)
    advantage = plus - minus
    tests_passed = [(advantage >= cutoff).sum(axis=2) for cutoff in CUTOFFS]
    return human, np.array(tests_passed)


def simulate_means(rng, spread, noise, draws):
    """Return studies x cutoffs: the mean rho with experts, over groups, in `draws` studies as
    `simulate_study` has them."""
    studies = [simulate_scores(rng, spread, noise) for _ in range(draws)]
    human = np.array([experts for experts, _ in studies])  # studies x groups x writers
    tests_passed = np.array([judged for _, judged in studies])  # studies x cutoffs x …
    rho = rankings.rho_by_group(human[:, None], tests_passed)  # studies x cutoffs x groups
    return pd.DataFrame(rho.mean(axis=2), columns=CUTOFFS)


def worth_of_tuning(rng, spreads=(0.4, 0.6, 0.8), noises=(0.7, 1.0, 1.4), draws=150):
    """Return what the best of four cutoffs adds to rho, against v2's, in simulated studies, by the
    spread of the stories and the noise of an answer: estimate, low, high, n (studies); rho: the
    mean at v2's cutoff."""
    rows = {}
    for spread, noise in itertools.product(spreads, noises):
        rho = simulate_means(rng, spread, noise, draws)  # studies x cutoffs
        gains = rho.max(axis=1) - rho[V2_CUTOFF]
        row = {**intervals.of_mean(gains), "rho": rho[V2_CUTOFF].mean()}
        rows[f"spread {spread}, noise {noise}"] = row
    return pd.DataFrame(rows).T.rename_axis("judge")
