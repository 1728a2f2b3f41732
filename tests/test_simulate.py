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
from helpers.ttcw import load as ttcw

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


def test_without_a_shared_part_experts_are_independent_and_kappa_comes_from_the_writers_alone():
    assert simulate.pass_twice(0.3, 0.0) == pytest.approx(0.09)
    assert simulate.expected_kappa([0.5, 0.5], 0.0) == pytest.approx(0)
    assert simulate.expected_kappa([0.2, 0.8], 0.0) == pytest.approx((0.34 - 0.25) / 0.25)


def test_calibration_gives_the_kappas_asked_for_and_nothing_where_the_writers_already_give_more():
    shared = simulate.fit_shared(RATES, KAPPAS)
    assert (shared > 0).tolist() == [True, True, False]
    for test, part in zip(TESTS[:2], shared):
        assert simulate.expected_kappa(RATES[test], part) == pytest.approx(KAPPAS[test], abs=1e-9)


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


@pytest.mark.parametrize("severity", [0.15, 0.6])
def test_severity_is_the_part_of_what_is_not_shared_that_moves_all_verdicts_of_an_expert(severity):
    rates = pd.DataFrame(0.5, index=WRITERS, columns=TESTS)
    rng = np.random.default_rng(4)
    table = simulate.simulate_panel(rates, pd.Series(0.0, index=TESTS), rng, 4000, severity)
    wide = table.pivot(index="expert", columns=["writer", "test"], values="passed").astype(int)
    # two verdicts of an expert, on other stories and tests, are normal underneath with r = severity
    both = (wide["W1", 1] * wide["W2", 2]).mean()
    assert both == pytest.approx(simulate.pass_twice(0.5, severity), abs=0.015)


def test_the_panel_has_the_columns_and_size_of_the_real_table_and_its_printed_kappas():
    first = simulate.draw_panel(np.random.default_rng(3))
    again = simulate.draw_panel(np.random.default_rng(3))
    pd.testing.assert_frame_equal(first, again)
    real = ttcw.load_verdicts()
    assert list(first) == list(real) and len(first) == len(real) == 2016
    assert first["passed"].dtype == bool and first["expert"].nunique() == 36
    assert first.groupby(["story", "test"])["expert"].nunique().eq(3).all()
    rates, kappas = ttcw.load_printed()
    found = agreement.fleiss_kappa(agreement.count_passes(first))
    assert np.nanmean(found) == pytest.approx(kappas.mean(), abs=0.12)
    assert np.abs(ttcw.pass_rates(first) - rates).mean().mean() < 8
