"""The page of the reference-based papers: names and rules of Table 1, what rankings
of three stories allow, and what tau says of rho."""

import itertools

import pytest
from audit_kit import one_row
from goodjudge.stats import rankings
from scipy import stats

from helpers.papers.refbased import figures, tables_2_3
from helpers.refbased import rebuild

HUMAN = (5.0, 3.0, 1.0)  # the experts' scores of three stories


@pytest.mark.parametrize("order", rankings.weak_orders(3))
def test_the_three_numbers_of_any_ranking_hold_and_are_known_exactly(order):
    exact = rankings.cells(HUMAN, rebuild.AT_LEAST)[order]
    fits = figures.fit_three(HUMAN, tuple(round(number, 2) for number in exact))
    assert [fit.holds for fit in fits] == [True, True, True]
    assert [fit.exact for fit in fits] == pytest.approx(exact)
    assert [fit.nearest for fit in fits] == pytest.approx(exact)


def test_a_number_that_no_ranking_gives_beside_the_other_two_does_not_hold():
    fits = figures.fit_three(HUMAN, (1.0, 1.0, 0.67))
    assert [fit.holds for fit in fits] == [True, True, False]
    assert fits[2].nearest == 1, "the other two leave this one"


@pytest.mark.parametrize("stories", [4, 5])
def test_rho_keeps_the_limits_that_a_positive_tau_sets(stories):
    first = range(stories)
    for second in itertools.permutations(first):
        tau = stats.kendalltau(first, second).statistic
        if tau > 0:
            limits = tables_2_3.limits_of_rho(one_row(tau=f"{tau:.2f}").table("T")["tau"])
            rho = stats.spearmanr(first, second).statistic
            assert limits.low["r"] - 1e-9 <= rho <= limits.high["r"] + 1e-9
