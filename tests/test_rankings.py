"""Rank agreement: against scipy, tie rules, what printed cells allow, exact tests."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from helpers.measures import rankings

SCORES = st.lists(st.integers(0, 4), min_size=3, max_size=3)


@given(SCORES, SCORES)
def test_correlations_are_scipys(human, judge):
    for ours, reference in (
        (rankings.rho_by_group, stats.spearmanr),
        (rankings.tau_by_group, stats.kendalltau),
    ):
        found = ours([human], [judge], undefined=np.nan)[0]
        if np.ptp(human) and np.ptp(judge):
            assert found == pytest.approx(reference(human, judge)[0])
        else:
            assert np.isnan(found) and ours([human], [judge])[0] == 0


@given(SCORES, SCORES, st.permutations(range(3)))
def test_order_free_rules_do_not_depend_on_the_listing(human, judge, order):
    human, judge = np.array(human), np.array(judge)
    for rule in rankings.ORDER_FREE:
        turned = rankings.pair_accuracy(human[order], judge[order], rule)
        np.testing.assert_equal(rankings.pair_accuracy(human, judge, rule), turned)


def test_the_papers_rules_depend_on_the_listing():
    silent = np.zeros(3)
    assert (
        rankings.pair_accuracy([3, 3, 5], silent) == pytest.approx(1 / 3)
        and rankings.pair_accuracy([5, 3, 3], silent) == 1
    )


@given(SCORES, SCORES)
def test_at_least_reversed_is_above(human, judge):
    assert rankings.pair_accuracy(human, judge, "at least (>=)") == pytest.approx(
        rankings.pair_accuracy(human[::-1], judge[::-1], "above (>)")
    )


@given(SCORES, st.sampled_from(rankings.weak_orders(3)))
def test_the_ranking_that_made_the_cells_is_among_those_allowed(human, order):
    human = tuple(map(float, human))
    row = rankings.compare(pd.DataFrame([human]), pd.DataFrame([order])).loc[0]
    assert order in rankings.orders_allowed(
        human, round(row["rho"], 2), round(row["tau"], 2), round(row["at least (>=)"], 2)
    )


def test_an_impossible_triple_allows_nothing():
    assert rankings.orders_allowed((1.0, 2.0, 3.0), rho=1.0, tau=-0.33) == []


def test_there_are_thirteen_rankings_of_three():
    assert len(rankings.weak_orders(3)) == 13 and len(rankings.weak_orders(4)) == 75


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_sign_flip_counts_every_assignment(differences):
    mean, p = rankings.sign_flip(differences)
    sums = [
        abs(np.dot(signs, differences))
        for signs in itertools.product([-1, 1], repeat=len(differences))
    ]
    assert p == pytest.approx(
        np.mean([s >= abs(sum(differences)) for s in sums])
    ) and mean == pytest.approx(np.mean(differences))


@pytest.mark.parametrize(
    "human, judge, message",
    [([1], [2], "1 story"), ([1, 2], [1], "2 human and 1 judge"), ([1, np.nan], [1, 2], "missing")],
)
def test_bad_scores_are_refused(human, judge, message):
    with pytest.raises(rankings.RankingError, match=message):
        rankings.check_scores(human, judge)
