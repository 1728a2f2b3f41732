"""Intervals: known answers, the promised coverage with few groups."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.stats import intervals
from scipy import stats
from statsmodels.stats.proportion import proportion_confint


def two_way(first, second, statistic, level=0.95, scale=None):
    """Return a row of an interval over both kinds of groups, such as systems and prompts."""
    cells = pd.factorize(pd.MultiIndex.from_arrays([first, second]))[0]
    parts = [intervals.leave_out(groups, statistic) for groups in (first, second, cells)]
    return intervals.combine(statistic(np.arange(len(first))), parts, level, scale)


@pytest.mark.parametrize("level", [0.95, 0.99])
def test_the_jackknife_of_a_mean_is_the_t_interval(rng, level):
    values = rng.normal(size=12)
    found = intervals.over_groups(np.arange(12), lambda rows: values[rows].mean(), level)
    assert list(found.index) == ["estimate", "low", "high", "n"]
    low, high = stats.t.interval(level, 11, values.mean(), stats.sem(values))
    assert found.tolist() == pytest.approx([values.mean(), low, high, 12])
    assert intervals.of_mean(values, level).tolist() == pytest.approx(found.tolist())
    alone = intervals.over_groups(np.zeros(12), lambda rows: values[rows].mean(), level)
    assert alone["estimate"] == values.mean() and np.isnan(alone["low"]) and alone["n"] == 1


def test_a_correlation_is_jackknifed_on_fishers_scale(rng):
    x, groups = rng.normal(size=60), np.repeat(np.arange(12), 5)
    data = np.stack([x, x + 0.5 * rng.normal(size=60)])
    left = [np.arctanh(np.corrcoef(data[:, groups != g])[0, 1]) for g in range(12)]
    z, half = np.arctanh(np.corrcoef(data)[0, 1]), np.std(left) * np.sqrt(11)
    ends = np.tanh(z + half * stats.t.ppf([0.025, 0.975], 11))

    def statistic(rows):
        return np.corrcoef(data[:, rows])[0, 1]

    found = intervals.over_groups(groups, statistic, scale="correlation")
    assert found[["low", "high"]].tolist() == pytest.approx(ends.tolist())
    # corrected for five tests: the interval that level 0.99 gives
    for scale in ("correlation", None):
        one, wide = (intervals.over_groups(groups, statistic, at, scale) for at in (0.95, 0.99))
        assert intervals.widen(one, 5, scale).tolist() == pytest.approx(wide.tolist())
    # over each row by itself, the second kind of groups adds nothing
    both = two_way(groups, np.arange(60), statistic, scale="correlation")
    assert both["estimate"] == found["estimate"] and both["low"] <= found["low"] + 1e-12


def test_a_mean_over_twelve_groups_is_covered_as_often_as_promised(rng):
    hits, groups = 0, np.repeat(np.arange(12), 3)
    for _ in range(400):
        values = rng.normal(size=36) + np.repeat(rng.normal(size=12), 3)
        found = intervals.over_groups(groups, lambda rows, values=values: values[rows].mean())
        hits += found["low"] <= 0 <= found["high"]
    assert 0.92 <= hits / 400 <= 0.98


def test_two_kinds_of_groups_add_their_variances_by_hand(rng):
    systems, prompts = np.repeat(np.arange(8), 20), np.tile(np.arange(20), 8)
    values = rng.normal(size=8)[systems] + rng.normal(size=20)[prompts] + rng.normal(size=160)
    table = pd.DataFrame({"system": systems, "prompt": prompts, "value": values})
    parts = [table.groupby(name)["value"].mean().sem() ** 2 for name in ("system", "prompt")]
    variance = sum(parts) - values.var(ddof=1) / 160
    found = two_way(systems, prompts, lambda rows: values[rows].mean(), 0.9)
    half = stats.t.ppf(0.95, 7) * np.sqrt(variance)
    assert (found["high"] - found["low"]) / 2 == pytest.approx(half) and found["n"] == 8


def test_a_share_is_wilsons():
    for hits, n, level in ((7, 8, 0.95), (0, 20, 0.9), (30, 90, 0.99)):
        ends = proportion_confint(hits, n, 1 - level, "wilson")
        found = intervals.of_share(hits, n, level)
        assert found.tolist() == pytest.approx([hits / n, *ends, n], abs=1e-9)


def test_a_correlation_of_one_has_an_interval_without_a_warning():
    found = intervals.combine(1.0, [np.ones(6)], scale="correlation")
    assert found.tolist() == pytest.approx([1, 1, 1, 6])
    mixed = intervals.combine(0.9, [np.array([0.8, 0.9, 1.0, 0.9, 0.9])], scale="correlation")
    assert mixed["low"] < 0.9 < mixed["high"] <= 1


def test_a_visible_lead_is_clear_in_80_of_100_studies():
    """Leads that are `visible` in truth, measured in studies of 101 groups; Student's t is
    noncentral there."""
    visible = intervals.find_visible(0.12, 101)
    needed = stats.t.ppf(0.975, 100)
    error = 0.12 / needed  # of a lead whose interval is 0.12 to either side
    power = stats.nct.sf(needed, 100, visible / error)
    assert power == pytest.approx(0.8, abs=0.01)
