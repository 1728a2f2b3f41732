"""The ceiling: on which scale its interval is made, and how often a lead would be seen."""

import numpy as np
import pytest
from goodjudge.comparison import compare
from goodjudge.comparison import noise_ceiling as ceiling
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics
from studies import judge_of, make

CORRELATIONS = ["pearson", "spearman", "mean_spearman", "kendall"]


@pytest.mark.parametrize("name", [*CORRELATIONS, "auc"])
def test_a_correlation_has_its_own_z_and_a_share_that_of_its_distance_from_guessing(name):
    measure = getattr(statistics, name)
    for value in (0.1, 0.3, 0.5, 0.9):
        z = ceiling.to_z(value, measure)
        above = value if name in CORRELATIONS else 2 * (value - 0.5)
        assert z == pytest.approx(np.arctanh(above))
        assert ceiling.from_z(z, measure) == pytest.approx(value)


@pytest.fixture
def weak_agreement():
    """Return (Ratings, an oracle's scores) of thirty groups of four texts that differ by 0.4 of a
    rater's noise."""
    rng = np.random.default_rng([7, 0])
    true = 0.4 * rng.normal(size=120)
    score = true[:, None] + rng.normal(size=(120, 3))
    return make(score, np.arange(120) // 4), judge_of(true)


def test_where_people_hardly_agree_the_ceiling_of_a_mean_rho_is_not_unbounded(weak_agreement):
    data, oracle = weak_agreement
    within = ("group", "rater")
    table = compare.compare(data, oracle, statistics.mean_spearman, within=within)
    top = table.loc[compare.CEILING]
    assert top["low"] < top["estimate"] < top["high"]
    assert top["high"] < 0.8, "taken for a share, it had [0.00, 1.00]"
    assert top["low"] < 0.0, "a mean rho may lie below 0"


def test_the_power_told_is_the_share_of_clear_leads(rng):
    leads = 0.3 + rng.normal(size=(2000, 12)) * 0.5 * np.sqrt(12)  # the mean's spread is 0.5
    clear = [intervals.of_mean(one)["low"] > 0 for one in leads * 1.0]
    assert ceiling.find_power(0.3, 0.5, 12, 0.95) == pytest.approx(100 * np.mean(clear), abs=3)
    assert ceiling.find_power(0.0, 0.5, 12, 0.95) == pytest.approx(2.5, abs=0.1)
