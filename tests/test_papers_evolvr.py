"""The page of *EvolvR*: what whole ratings and four experts can give."""

import numpy as np
import pytest

from helpers.papers.evolvr import tables_4_5_12, tables_14_15

RATINGS = np.array([4] * 40 + [5] * 40)


def test_the_sd_that_whole_ratings_have_is_possible():
    mean, sd = RATINGS.mean(), RATINGS.std()
    assert tables_4_5_12.can_have(mean, sd - 5e-4, sd + 5e-4, divisor=80)


def test_an_sd_between_those_of_whole_ratings_is_impossible():
    mean, sd = RATINGS.mean(), RATINGS.std()
    assert not tables_4_5_12.can_have(mean, sd + 1e-3, sd + 1.5e-3, divisor=80)


def test_a_sum_of_squares_is_odd_just_where_the_sum_is():
    mean = RATINGS.mean()  # the sum is 360
    for squares, is_possible in ((1640, True), (1641, False)):
        sd = np.sqrt(squares / 80 - mean**2)
        assert tables_4_5_12.can_have(mean, sd, sd, divisor=80) is is_possible


def test_the_sd_of_a_sample_divides_by_one_less():
    mean, sd = RATINGS.mean(), RATINGS.std(ddof=1)
    assert tables_4_5_12.can_have(mean, sd, sd, divisor=79)


def test_averages_of_four_models_leave_a_singular_matrix():
    matrix = np.corrcoef(np.random.default_rng(0).normal(size=(4, 4)))
    upper = matrix[np.triu_indices(4, 1)]
    assert tables_14_15.smallest_eigenvalue(upper) == pytest.approx(0, abs=1e-9)


def test_correlations_that_no_four_raters_can_have_are_impossible():
    assert tables_14_15.smallest_eigenvalue([0.9, 0.9, 0, -0.9, 0, 0]) < -0.3
