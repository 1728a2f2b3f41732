"""The simulated panel: its formula against another integration, and estimators that recover what
was put in."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm

from helpers.measures import agreement, intervals
from helpers.sources.published import Printed
from helpers.ttcw import load as ttcw
from helpers.ttcw import simulate

WRITERS, TESTS = ["W1", "W2", "W3"], [1, 2, 3]
RATES = pd.DataFrame(
    [[0.2, 0.5, 0.1], [0.4, 0.5, 0.3], [0.8, 0.5, 0.9]], index=WRITERS, columns=TESTS
)
KAPPAS = pd.Series([0.5, 0.3, 0.45], index=TESTS)


@given(st.floats(0.02, 0.98), st.floats(0.0, 0.9))
def test_two_passes_have_the_probability_of_a_bivariate_normal(rate, shared):
    exact = multivariate_normal.cdf(
        [norm.ppf(rate)] * 2, cov=[[1, shared], [shared, 1]], abseps=1e-9
    )
    assert simulate.pass_twice(rate, shared) == pytest.approx(exact, abs=1e-4)


def test_without_a_shared_part_experts_are_independent_and_kappa_comes_from_the_writers_alone():
    assert simulate.pass_twice(0.3, 0.0) == pytest.approx(0.09)
    assert simulate.expected_kappa([0.5, 0.5], 0.0) == pytest.approx(0)
    assert simulate.expected_kappa([0.2, 0.8], 0.0) == pytest.approx((0.34 - 0.25) / 0.25)


def test_calibration_gives_the_kappas_asked_for_and_nothing_where_the_writers_already_give_more():
    shared = simulate.fit_shared(RATES, KAPPAS)
    for test, part in zip(TESTS, shared):
        if part > 0:
            assert simulate.expected_kappa(RATES[test], part) == pytest.approx(
                KAPPAS[test], abs=1e-9
            )
    assert simulate.fit_shared([[0.1], [0.9]], [0.2]).tolist() == [0.0]


def test_estimators_recover_pass_rates_and_kappas_of_a_known_truth():
    table = simulate.simulate_panel(RATES, KAPPAS, np.random.default_rng(1), groups=3000)
    rates = table.pivot_table(index="writer", columns="test", values="passed")
    np.testing.assert_allclose(rates, RATES, atol=0.02)
    counts = agreement.count_passes(table)
    expected = [
        max(kappa, simulate.expected_kappa(RATES[test], 0.0)) for test, kappa in KAPPAS.items()
    ]
    np.testing.assert_allclose(agreement.fleiss_kappa(counts), expected, atol=0.02)
    within = counts[counts.index.get_level_values("story").str.endswith("W2")]
    assert agreement.fleiss_kappa(within)[1] == pytest.approx(0.3, abs=0.03), (
        "equal pass rates: all agreement is within a writer"
    )


def test_other_kappas_are_told_apart():
    low, high = (
        agreement.fleiss_kappa(
            agreement.count_passes(
                simulate.simulate_panel(
                    RATES,
                    pd.Series([0.5, kappa, 0.5], index=TESTS),
                    np.random.default_rng(1),
                    groups=1000,
                )
            )
        )[1]
        for kappa in (0.1, 0.5)
    )
    assert low == pytest.approx(0.1, abs=0.04) and high == pytest.approx(0.5, abs=0.04)


def test_intervals_over_groups_cover_the_truth_as_often_as_they_say():
    rng, hits = np.random.default_rng(8), 0
    for _ in range(100):
        counts = agreement.count_passes(
            simulate.simulate_panel(RATES[[2]], KAPPAS[[2]], rng, groups=40)
        )
        groups, values = counts.index.get_level_values("group"), counts.to_numpy()
        found = intervals.over_groups(
            groups, lambda rows, values=values: agreement.fleiss_kappa(values[rows]).item()
        )
        hits += found["low"] <= 0.3 <= found["high"]
    assert 88 <= hits <= 99


def test_severity_makes_an_experts_verdicts_go_together():
    spread = {}
    for severity in (0.0, 0.6):
        table = simulate.simulate_panel(
            RATES, KAPPAS, np.random.default_rng(4), groups=300, severity=severity
        )
        spread[severity] = table.groupby("expert")["passed"].mean().std()
    assert spread[0.6] > 1.3 * spread[0.0]


def test_the_panel_has_the_columns_and_size_of_the_real_table():
    printed = Printed("ttcw").grid("Table 5").drop(index="Average")
    printed = printed.rename(index={row: test for test, row in ttcw.ROWS.items()}).sort_index()
    rates = (
        printed[list(ttcw.PRINTED_WRITERS.values())].set_axis(list(ttcw.PRINTED_WRITERS), axis=1).T
        / 100
    ).clip(0.005, 0.995)
    first, second = (
        simulate.simulate_panel(rates, printed["Expert Agreement"], np.random.default_rng(3))
        for _ in range(2)
    )
    assert list(first) == [
        "story",
        "group",
        "writer",
        "expert",
        "test",
        "category",
        "passed",
        "rationale",
    ]
    assert len(first) == 2016 and first["passed"].dtype == bool and first["rationale"].eq("").all()
    assert first.groupby(["story", "test"])["expert"].nunique().eq(3).all()
    pd.testing.assert_frame_equal(first, second)
    assert (
        abs(
            np.nanmean(agreement.fleiss_kappa(agreement.count_passes(first)))
            - printed["Expert Agreement"].mean()
        )
        < 0.12
    )
