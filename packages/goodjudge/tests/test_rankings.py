"""Rank agreement: against scipy, tie rules, what printed cells allow, exact tests."""

import itertools

import numpy as np
import pytest
from goodjudge.stats import metrics, rankings
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

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


# one pair: (first minus second by people, by the judge) and what each rule gives
PAIRS = {
    (1, 2): {
        "at least (>=)": 1,
        "above (>)": 1,
        "same sign": 1,
        "ties half": 1,
        "any tie wrong": 1,
    },
    (1, -1): dict.fromkeys(rankings.RULES, 0),
    (1, 0): {"at least (>=)": 1, "above (>)": 0, "ties half": 0.5, "human ties dropped": 0.5},
    (-1, 0): {"at least (>=)": 0, "above (>)": 1, "same sign": 0, "any tie wrong": 0},
    (0, 1): {"at least (>=)": 1, "above (>)": 0, "ties half": 0.5, "human ties dropped": np.nan},
    (0, 0): {"at least (>=)": 1, "above (>)": 1, "same sign": 1, "any tie wrong": 0},
}


@pytest.mark.parametrize(
    ("pair", "rule", "share"),
    [(pair, rule, share) for pair, rules in PAIRS.items() for rule, share in rules.items()],
)
def test_every_rule_on_one_pair(pair, rule, share):
    found = rankings.pair_accuracy([pair[0], 0], [pair[1], 0], rule)
    assert found == pytest.approx(share, nan_ok=True)


def test_the_mean_is_over_the_pairs_that_count():
    human, judge = [1, 1, 2, 3], [1, 2, 2, 1]
    # pairs: dropped, wrong side, no side, right, no side, wrong side
    found = rankings.pair_accuracy(human, judge, "human ties dropped")
    assert found == pytest.approx((1 + 0.5 + 0.5 + 0 + 0) / 5)


@given(SCORES, st.sampled_from(rankings.weak_orders(3)))
def test_the_ranking_that_made_the_cells_is_among_those_allowed(human, order):
    human = tuple(map(float, human))
    measures = rankings.rho_by_group, rankings.tau_by_group, rankings.pair_accuracy
    cells = [round(float(of(human, order)), 2) for of in measures]
    allowed = rankings.orders_allowed(human, *cells)
    assert order in allowed and set(allowed) == {
        other
        for other, values in rankings.cells(human).items()
        if np.abs(np.subtract(values, cells)).max() < 0.005
    }
    assert rankings.orders_allowed(human, rho=cells[0] + 0.02, half=0.001) != allowed


def test_rankings_with_ties_are_counted_and_an_impossible_triple_allows_none():
    assert [len(rankings.weak_orders(n)) for n in (2, 3, 4)] == [3, 13, 75]
    assert rankings.orders_allowed((1.0, 2.0, 3.0), rho=1.0, tau=-0.33) == []


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_sign_flip_counts_every_assignment(differences):
    (mean,), (p,), _ = rankings.flip_all(np.array([[*differences, np.nan]]))
    signs = itertools.product([-1, 1], repeat=len(differences))
    sums = [abs(np.dot(sign, differences)) for sign in signs]
    assert p == pytest.approx(np.mean([s >= abs(sum(differences)) for s in sums]))
    assert mean == pytest.approx(np.mean(differences))


def test_groups_are_flipped_for_all_definitions_at_once():
    gains = np.array([[1.0, 2, -1, np.nan], [0.5, 1, 2, 3], [-1, 1, 4, 2]])
    means, p, p_median = rankings.flip_all(gains)
    assert means == pytest.approx([2 / 3, 6.5 / 4, 1.5])
    flipped = np.array(
        [
            np.nanmean(gains * np.array(sign), axis=1)
            for sign in itertools.product([1, -1], repeat=4)
        ]
    )
    assert p == pytest.approx((np.abs(flipped) >= np.abs(means) - 1e-9).mean(axis=0))
    medians = np.abs(np.median(flipped, axis=1))
    assert p_median == pytest.approx((medians >= medians[0] - 1e-9).mean())


def test_two_cases_have_a_tau_and_one_has_none():
    scores, target = np.array([[1.0, 2], [2, 1]]), np.array([[3.0, 4], [3, 4]])
    assert metrics.tau_of_sets(scores, target).tolist() == [1, -1]
    assert np.isnan(metrics.tau_of_sets(scores[:, :1], target[:, :1])).all()
