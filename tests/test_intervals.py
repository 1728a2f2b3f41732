"""Intervals: known answers, the promised coverage with few groups, and the shape that every result
has."""

import importlib.util

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from helpers import results
from helpers.measures import agreement, intervals
from helpers.sources.public import ROOT

SHAPE = ["estimate", "low", "high", "n"]


def test_the_jackknife_of_a_mean_is_the_t_interval(rng):
    values = rng.normal(size=12)
    found = intervals.over_groups(np.arange(12), lambda rows: values[rows].mean())
    assert list(found.index) == SHAPE and found["n"] == 12
    assert found.to_numpy() == pytest.approx(intervals.of_mean(values).to_numpy())
    low, high = stats.t.interval(0.95, 11, values.mean(), stats.sem(values))
    assert (found["low"], found["high"]) == pytest.approx((low, high))


def test_a_correlation_keeps_within_its_bounds(rng):
    x = rng.normal(size=60)
    data = np.stack([x, x + 0.05 * rng.normal(size=60)])
    found = intervals.over_groups(
        np.arange(60) // 5, lambda rows: np.corrcoef(data[:, rows])[0, 1], scale="correlation"
    )
    assert -1 < found["low"] < found["estimate"] < found["high"] < 1


def test_a_mean_over_twelve_groups_is_covered_as_often_as_promised(rng):
    hits = 0
    for _ in range(400):
        values, groups = (
            rng.normal(size=36) + np.repeat(rng.normal(size=12), 3),
            np.repeat(np.arange(12), 3),
        )
        found = intervals.over_groups(groups, lambda rows, values=values: values[rows].mean())
        hits += found["low"] <= 0 <= found["high"]
    assert 0.92 <= hits / 400 <= 0.98


def test_two_kinds_of_groups_widen_the_interval(rng):
    systems, prompts = np.repeat(np.arange(8), 20), np.tile(np.arange(20), 8)
    values = rng.normal(size=8)[systems] + rng.normal(size=20)[prompts] + rng.normal(size=160)
    one = intervals.over_groups(prompts, lambda rows: values[rows].mean())
    both = intervals.two_way(systems, prompts, lambda rows: values[rows].mean())
    assert both["high"] - both["low"] > 1.2 * (one["high"] - one["low"]) and both["n"] == 8


def test_a_share_is_wilsons():
    assert intervals.of_share(7, 8).to_numpy() == pytest.approx(
        [0.875, 0.5291, 0.9776, 8], abs=1e-4
    )


def test_a_result_reads_as_text():
    assert results.format_interval(intervals.row(0.4949, 0.4, 0.5, 12)) == "0.49 [0.40, 0.50]"
    assert results.format_interval(0.4949, 0.4, 0.5) == "0.49 [0.40, 0.50]"


def test_the_coverage_study_reads_its_panels_as_the_notebooks_read_theirs(rng):
    spec = importlib.util.spec_from_file_location(
        "coverage_study", ROOT / "benchmarks" / "coverage.py"
    )
    study = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(study)
    passes = study.draw_panel(rng, 3)
    group, story, slot, test = np.indices(passes[:, :, :3].shape)
    table = pd.DataFrame(
        {
            "group": group.ravel(),
            "story": (4 * group + story).ravel(),
            "expert": slot.ravel(),
            "test": test.ravel(),
            "passed": passes[:, :, :3].ravel(),
        }
    )
    clear = agreement.find_agreed(table)
    clear["judge"] = passes[clear["group"], clear["story"] % 4, 3, clear["test"]]
    expected = agreement.balanced_accuracy(clear["judge"], clear["truth"], clear["test"])
    assert study.accuracy(passes) == pytest.approx(expected)
    assert study.kappa(passes) == pytest.approx(
        np.nanmean(agreement.fleiss_kappa(agreement.count_passes(table)))
    )
    rows = study.measure(study.difference, 5, rng)
    assert list(rows) == ["percentile bootstrap", "jackknife-t", "t on the groups' values"]
    assert all(0 <= row["estimate"] <= 1 and row["n"] == 5 for row in rows.values())
