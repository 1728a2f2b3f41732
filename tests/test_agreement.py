"""Agreement coefficients: small cases by hand, the reference implementations on random data,
resampling, the search."""

import krippendorff
import numpy as np
import pytest
from goodjudge.stats import metrics as statistics
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import balanced_accuracy_score
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_kappa

from helpers import agreement

COUNTS = arrays(int, st.tuples(st.integers(2, 30), st.integers(1, 5)), elements=st.integers(0, 3))
BINARY = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40)

# four items, three raters: all yes, all no, two of three, one of three. Pairwise agreement 1, 1,
# 1/3, 1/3: mean 2/3; half of the verdicts are yes, so chance is 1/2 for kappa and for AC1, and
# 1 - 6/11 = 5/11 when drawn without replacement
FOUR = np.array([[3], [0], [2], [1]])
# 29 of 30 verdicts are yes; agreement (9 + 1/3) / 10
LOPSIDED = np.array([[3]] * 9 + [[2]])
P = 29 / 30


@pytest.mark.parametrize(
    ("kind", "counts", "observed", "chance"),
    [
        ("Fleiss' kappa", FOUR, 2 / 3, 1 / 2),
        ("Gwet's AC1", FOUR, 2 / 3, 1 / 2),
        ("Krippendorff's alpha", FOUR, 2 / 3, 5 / 11),
        ("Fleiss' kappa", LOPSIDED, 28 / 30, P**2 + (1 - P) ** 2),
        ("Gwet's AC1", LOPSIDED, 28 / 30, 2 * P * (1 - P)),
        ("Krippendorff's alpha", LOPSIDED, 28 / 30, 28 / 30),
    ],
)
def test_coefficients_by_hand(kind, counts, observed, chance):
    expected = (observed - chance) / (1 - chance)
    assert agreement.coefficient(counts, kind).item() == pytest.approx(expected)


@given(COUNTS)
def test_kappa_equals_statsmodels_and_alpha_the_krippendorff_package(counts):
    kappas = agreement.fleiss_kappa(counts)
    alphas = agreement.coefficient(counts, "Krippendorff's alpha")
    for column, kappa, alpha in zip(counts.T, kappas, alphas):
        verdicts = np.array([[int(rater < passes) for passes in column] for rater in range(3)])
        if verdicts.min() == verdicts.max():
            assert np.isnan([kappa, alpha]).all()
            continue
        assert kappa == pytest.approx(statsmodels_kappa(np.c_[3 - column, column]), abs=1e-12)
        theirs = krippendorff.alpha(verdicts, level_of_measurement="nominal")
        assert alpha == pytest.approx(theirs, abs=1e-12)


@given(BINARY)
def test_balanced_accuracy_of_two_vectors_equal_scikit_learn(pairs):
    predicted, truth = map(np.array, zip(*pairs))
    ours = statistics.balanced_accuracy(predicted, truth, np.zeros(len(truth), int))
    if truth.all() or not truth.any():
        assert np.isnan(ours)
    else:
        assert ours == pytest.approx(balanced_accuracy_score(truth, predicted))


@given(st.integers(0, 1000))
def test_correlations_over_pairs_of_raters(seed):
    slots = np.random.default_rng(seed).normal(size=(8, 3))
    pairs = [(a, b) for a in range(3) for b in range(3) if a != b]
    by_hand = np.mean([np.corrcoef(slots[:, a], slots[:, b])[0, 1] for a, b in pairs])
    assert agreement.mean_correlation(slots) == pytest.approx(by_hand)
    # pooled: each pair in both orders, so both sides hold all values about one mean
    away = slots - slots.mean()
    products = np.mean([(away[:, a] * away[:, b]).mean() for a, b in pairs])
    assert agreement.pair_correlation(slots) == pytest.approx(products / (away**2).mean())


def test_the_reliability_of_a_mean_is_that_of_means_that_were_drawn():
    assert agreement.average_reliability(0.25, 3) == pytest.approx(0.5)
    rng = np.random.default_rng(0)
    quality, noise = rng.normal(size=(20000, 1, 1)), rng.normal(size=(20000, 2, 4))
    means = (quality + 2 * noise).mean(axis=2)  # two panels of four; two raters correlate at .2
    r = np.corrcoef(means.T)[0, 1]
    assert agreement.average_reliability(0.2, 4) == pytest.approx(r, abs=0.02)
