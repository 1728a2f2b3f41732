"""Agreement coefficients: small cases by hand, the reference implementations on random data,
resampling, the search."""

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_kappa

from helpers.measures import agreement

COEFFICIENTS = [agreement.fleiss_kappa, agreement.gwet_ac1, agreement.krippendorff_alpha]
COUNTS = arrays(int, st.tuples(st.integers(2, 30), st.integers(1, 5)), elements=st.integers(0, 3))
BINARY = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40)

# four items, three raters: all yes, all no, two of three, one of three. Pairwise agreement 1, 1,
# 1/3, 1/3: mean 2/3;
# half of the verdicts are yes, so chance is 1/2 for kappa and for AC1, and 1 - 6/11 = 5/11 when
# drawn without replacement
FOUR = np.array([[3], [0], [2], [1]])


@pytest.mark.parametrize(
    ("coefficient", "expected"),
    [
        (agreement.fleiss_kappa, (2 / 3 - 1 / 2) / (1 / 2)),
        (agreement.gwet_ac1, (2 / 3 - 1 / 2) / (1 / 2)),
        (agreement.krippendorff_alpha, (2 / 3 - 5 / 11) / (6 / 11)),
    ],
)
def test_four_items_by_hand(coefficient, expected):
    assert coefficient(FOUR).item() == pytest.approx(expected)


def test_a_lopsided_case_by_hand_shows_where_kappa_and_ac1_part():
    counts = np.array([[3]] * 9 + [[2]])  # 29 of 30 verdicts are yes; agreement (9 + 1/3) / 10
    p = 29 / 30
    chance = p**2 + (1 - p) ** 2
    assert agreement.fleiss_kappa(counts).item() == pytest.approx((28 / 30 - chance) / (1 - chance))
    assert agreement.fleiss_kappa(counts).item() < 0 < 0.9 < agreement.gwet_ac1(counts).item()


def test_complete_agreement_is_one_and_a_single_label_is_undefined():
    assert (
        agreement.fleiss_kappa([[3], [0], [3]]).item() == 1
        and agreement.krippendorff_alpha([[3], [0]]).item() == 1
    )
    for weights in (None, np.ones((2, 3)), np.array([[3.0, 0, 0]])):
        assert np.isnan(agreement.fleiss_kappa([[3], [3], [3]], weights=weights)).all()
        assert np.isnan(agreement.krippendorff_alpha([[0], [0], [0]], weights=weights)).all()


@given(COUNTS)
def test_fleiss_kappa_equals_statsmodels(counts):
    for column, ours in zip(counts.T, agreement.fleiss_kappa(counts)):
        if len(set(column)) == 1 and column[0] in (0, 3):
            assert np.isnan(ours)
        else:
            assert ours == pytest.approx(statsmodels_kappa(np.c_[3 - column, column]), abs=1e-12)


@given(COUNTS)
def test_alpha_equals_the_krippendorff_package(counts):
    for column, ours in zip(counts.T, agreement.krippendorff_alpha(counts)):
        verdicts = np.array([[int(rater < passes) for passes in column] for rater in range(3)])
        if verdicts.min() == verdicts.max():
            assert np.isnan(ours)
        else:
            assert ours == pytest.approx(
                krippendorff.alpha(verdicts, level_of_measurement="nominal"), abs=1e-12
            )


@given(COUNTS, st.integers(0, 2**32 - 1))
def test_weights_mean_the_same_as_repeating_items(counts, seed):
    weights = np.random.default_rng(seed).integers(0, 3, size=(4, len(counts)))
    weights[weights.sum(axis=1) < 2] = 1
    for coefficient in COEFFICIENTS:
        repeated = [coefficient(np.repeat(counts, times, axis=0)) for times in weights]
        np.testing.assert_allclose(coefficient(counts, weights=weights), repeated, atol=1e-12)


@given(COUNTS)
def test_coefficients_do_not_care_which_label_is_called_yes_nor_about_order(counts):
    for coefficient in COEFFICIENTS:
        np.testing.assert_allclose(coefficient(counts), coefficient(3 - counts), atol=1e-12)
        np.testing.assert_allclose(coefficient(counts), coefficient(counts[::-1]), atol=1e-12)


@given(COUNTS)
def test_equal_numbers_of_raters_are_a_special_case_of_unequal_ones(counts):
    varied = counts[:, [len(set(column)) > 1 for column in counts.T]]
    raters = np.full(varied.shape, 3)
    np.testing.assert_allclose(
        agreement.fleiss_kappa(varied, raters), agreement.fleiss_kappa(varied), atol=1e-12
    )


def test_unequal_raters_by_hand():
    # 2 of 2, 0 of 3, 1 of 2: agreement 1, 1, 0; 3 of 7 verdicts are yes
    chance = (3 / 7) ** 2 + (4 / 7) ** 2
    ours = agreement.fleiss_kappa([[2], [0], [1]], [[2], [3], [2]]).item()
    assert ours == pytest.approx((2 / 3 - chance) / (1 - chance))


def panel(groups=4, seed=0):
    """A small table of verdicts: `groups` x 2 writers x 3 experts x 2 tests."""
    rng = np.random.default_rng(seed)
    rows = [
        (group, f"{group}_{writer}", writer, 3 * group + slot, test, bool(rng.integers(2)))
        for group in range(groups)
        for writer in ("A", "B")
        for slot in range(3)
        for test in (1, 2)
    ]
    return pd.DataFrame(rows, columns=["group", "story", "writer", "expert", "test", "passed"])


def test_shuffling_assessments_keeps_what_is_named_and_breaks_the_rest():
    table = panel(groups=40)
    table["passed"] = table["group"] % 2 == 0  # the experts agree completely, on every story
    assert (agreement.fleiss_kappa(agreement.count_passes(table)) == 1).all()
    kappas = agreement.shuffle_assessments(table, ["writer"], 50, np.random.default_rng(1))
    assert kappas.shape == (50,) and abs(kappas.mean()) < 0.05, (
        "equal pass rates of the writers leave no agreement"
    )
    kept = agreement.shuffle_assessments(table, ["expert", "group"], 5, np.random.default_rng(1))
    assert (kept == 1).all(), "within an expert's stories of a group nothing changes"
    table["passed"] = table["writer"] == "A"
    kept = agreement.shuffle_assessments(table, ["writer"], 3, np.random.default_rng(1))
    assert (kept == 1).all(), "the writers alone produce it"


def test_an_assessment_moves_as_a_whole():
    table = panel(groups=6)
    # both tests answer each other's opposite
    table["passed"] = (table["test"] == 1) == (table["writer"] == "A")
    assert (
        agreement.shuffle_assessments(table, ["writer"], 3, np.random.default_rng(1)) == 1
    ).all()


def test_counting_passes():
    table = panel()
    counts = agreement.count_passes(table)
    assert counts.index.names == ["group", "story"] and counts.shape == (8, 2)
    one = table[(table["story"] == "2_B") & (table["test"] == 1)]
    assert counts.loc[(2, "2_B"), 1] == one["passed"].sum()


def test_the_search_finds_the_group_that_was_left_out():
    rng = np.random.default_rng(11)
    counts, groups = rng.integers(0, 4, size=(24, 6)), np.repeat(np.arange(6), 4)
    printed = np.round(agreement.fleiss_kappa(counts[groups != 2]), 2)
    found = agreement.search_subsets(counts, groups, printed)
    assert len(found) == 2**6 - 1 and found["left_out"].nunique() == len(found)
    assert (
        found.iloc[0]["left_out"] == (2,)
        and found.iloc[0]["matches"] == 6
        and found.iloc[1]["matches"] < 6
    )
    assert found.loc[found["left_out"] == (), "groups"].item() == 6


@given(BINARY)
def test_kappa_and_balanced_accuracy_of_two_vectors_equal_scikit_learn(pairs):
    predicted, truth = map(np.array, zip(*pairs))
    if truth.all() or not truth.any():
        assert np.isnan(agreement.balanced_accuracy(predicted, truth))
    else:
        assert agreement.balanced_accuracy(predicted, truth) == pytest.approx(
            balanced_accuracy_score(truth, predicted)
        )
    if len(set(predicted) | set(truth)) == 1:
        assert np.isnan(agreement.cohen_kappa(predicted, truth))
    else:
        assert agreement.cohen_kappa(predicted, truth) == pytest.approx(
            cohen_kappa_score(predicted, truth), abs=1e-12
        )


def test_scores_slots_and_their_correlation():
    table = panel()
    scores = agreement.score_stories(table)
    assert scores["score"].sum() == table["passed"].sum() and len(scores) == 24
    slots = agreement.spread_slots(scores)
    assert (
        slots.shape == (8, 3)
        and slots.loc[(1, "1_A")].tolist() == scores.loc[scores["story"] == "1_A", "score"].tolist()
    )
    x, y, z = np.random.default_rng(2).normal(size=(3, 12))
    by_hand = np.mean([np.corrcoef(a, b)[0, 1] for a, b in [(x, y), (x, z), (y, z)]])
    assert agreement.mean_correlation(np.c_[x, y, z]) == pytest.approx(by_hand)


def test_one_expert_against_two_who_agree():
    passed = np.array([1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1], bool)
    table = pd.DataFrame({"story": list("aaabbbcccddd"), "test": 1, "passed": passed})
    clear = agreement.find_agreed(table)
    # others agree on yes for a's three and c's third (who says no), on no for b's three and d's
    # third (who says yes)
    assert clear["story"].tolist() == list("aaabbbcd")
    assert clear["truth"].tolist() == [True] * 3 + [False] * 3 + [True, False]
    assert agreement.balanced_accuracy(clear["passed"], clear["truth"]) == pytest.approx(0.75)


def test_knowing_the_tests_alone_is_worth_half_within_tests():
    truth = np.array([1, 1, 1, 0, 0, 0, 0, 1], bool)
    tests = np.repeat([1, 2], 4)
    assert agreement.balanced_accuracy(tests == 1, truth) == 0.75
    assert agreement.balanced_accuracy(tests == 1, truth, tests) == 0.5
    assert agreement.balanced_accuracy(truth, truth, tests) == 1
    assert agreement.balanced_accuracy(truth[:5], truth[:5], [1, 1, 1, 1, 2]) == 1, (
        "a test of one kind does not count"
    )
    assert np.isnan(agreement.balanced_accuracy([True], [True], [1]))


@given(st.integers(0, 1000))
def test_the_pooled_correlation_does_not_care_about_the_order_of_raters(seed):
    slots = np.random.default_rng(seed).normal(size=(8, 3))
    assert agreement.pair_correlation(slots) == pytest.approx(
        agreement.pair_correlation(slots[:, [2, 0, 1]])
    )
    assert agreement.pair_correlation(slots[:, [0, 0, 0]]) == pytest.approx(1)
