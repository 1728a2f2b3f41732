"""Simulated panels of experts, calibrated to published pass rates and agreement, with the columns
of the real table: their truth is known."""

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import norm

from helpers.ttcw import load as ttcw

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(61)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


def pass_twice(rate, shared):
    """Return the probability that two experts both pass a story whose latent quality has share
    `shared` of the variance."""
    threshold = np.asarray(norm.ppf(np.clip(rate, 1e-6, 1 - 1e-6)))[..., None]
    given = norm.cdf((threshold - np.sqrt(shared) * NODES) / np.sqrt(1 - shared))
    return (given**2 * WEIGHTS).sum(axis=-1)


def expected_kappa(rates, shared):
    """Return Fleiss' kappa that the model implies for one test: `rates` are its pass rates, one per
    kind of writer."""
    mean = np.mean(rates)
    return float((np.mean(pass_twice(rates, shared)) - mean**2) / (mean * (1 - mean)))


def fit_shared(pass_rates, kappas):
    """Return for each test the shared part of the variance that gives the published kappa in
    expectation, 0 where the writers' pass rates alone already give more.

    pass_rates: writers x tests, proportions; kappas: one per test (both as in ttcw, Table 5).
    """

    def solve(rates, kappa):
        if expected_kappa(rates, 0.0) >= kappa:
            return 0.0
        return brentq(lambda shared: expected_kappa(rates, shared) - kappa, 0.0, 0.999)

    return np.array([solve(rates, kappa) for rates, kappa in zip(np.asarray(pass_rates).T, kappas)])


def simulate_panel(pass_rates, kappas, rng, groups=12, severity=0.15):
    """Return simulated verdicts with the columns of `ttcw.load_verdicts`.

    pass_rates: DataFrame writers x tests (proportions); kappas: Series by test. Each group has
    three experts of its own; an expert's severity has variance `severity` of the unshared part and
    moves all their verdicts alike.
    """
    shared = fit_shared(pass_rates.to_numpy(), kappas.to_numpy())
    writers, tests = pass_rates.index, pass_rates.columns
    shape = (groups, len(writers), len(tests))
    story = rng.standard_normal(shape)[:, :, None, :] * np.sqrt(shared)
    strict = rng.standard_normal((groups, 1, 3, 1)) * np.sqrt(severity * (1 - shared))
    noise = rng.standard_normal((groups, len(writers), 3, len(tests)))
    noise *= np.sqrt((1 - severity) * (1 - shared))
    threshold = norm.ppf(pass_rates.to_numpy())[None, :, None, :]
    passed = story + strict + noise < threshold
    levels = range(groups), writers, range(3), tests
    index = pd.MultiIndex.from_product(levels, names=["group", "writer", "slot", "test"])
    table = pd.DataFrame({"passed": passed.ravel()}, index=index).reset_index()
    table["story"] = table["group"].astype(str) + "_" + table["writer"]
    table["expert"] = 3 * table["group"] + table["slot"]
    return table[["story", "group", "writer", "expert", "test", "passed"]]


def draw_panel(rng):
    """Return a simulated panel of the size of the real one, with the pass rates and kappas that the
    paper prints."""
    rates, kappas = ttcw.load_printed()
    return simulate_panel((rates.T / 100).clip(0.005, 0.995), kappas, rng)
