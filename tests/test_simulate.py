"""The simulated panel: its formula against another integration, and estimators that recover what
was put in."""

import numpy as np
import pandas as pd
import panel_kit as simulate
import pytest
from goodjudge.stats import intervals
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm

from helpers import agreement

WRITERS, TESTS = ["W1", "W2", "W3"], [1, 2, 3]
RATES = [[0.2, 0.5, 0.1], [0.4, 0.5, 0.3], [0.8, 0.5, 0.9]]
RATES = pd.DataFrame(RATES, index=WRITERS, columns=TESTS)
KAPPAS = pd.Series([0.5, 0.3, 0.45], index=TESTS)


@settings(max_examples=50)
@given(st.floats(0.02, 0.98), st.floats(0.0, 0.9))
def test_two_passes_have_the_probability_of_a_bivariate_normal(rate, shared):
    cov, ends = [[1, shared], [shared, 1]], [norm.ppf(rate)] * 2
    exact = multivariate_normal.cdf(ends, cov=cov, abseps=1e-9)
    assert simulate.pass_twice(rate, shared) == pytest.approx(exact, abs=1e-4)


def test_estimators_recover_pass_rates_and_kappas_of_a_known_truth():
    table = simulate.simulate_panel(RATES, KAPPAS, np.random.default_rng(1), groups=3000)
    rates = table.pivot_table(index="writer", columns="test", values="passed")
    np.testing.assert_allclose(rates, RATES, atol=0.02)
    counts = agreement.count_passes(table)
    alone = simulate.expected_kappa(RATES[3], 0.0)  # more than was asked for
    np.testing.assert_allclose(agreement.fleiss_kappa(counts), [0.5, 0.3, alone], atol=0.02)
    within = counts[counts.index.get_level_values("story").str.endswith("W2")]
    # equal pass rates: all agreement is within a writer
    assert agreement.fleiss_kappa(within)[1] == pytest.approx(0.3, abs=0.03)


def test_intervals_over_groups_cover_the_truth_as_often_as_they_say():
    rng, hits = np.random.default_rng(8), 0
    for _ in range(100):
        table = simulate.simulate_panel(RATES[[2]], KAPPAS[[2]], rng, groups=40)
        counts = agreement.count_passes(table)
        groups, values = counts.index.get_level_values("group"), counts.to_numpy()

        def kappa(rows, values=values):
            return agreement.fleiss_kappa(values[rows]).item()

        found = intervals.over_groups(groups, kappa)
        hits += found["low"] <= 0.3 <= found["high"]
    assert 88 <= hits <= 99
