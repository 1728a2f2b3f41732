"""Judges that do not read: by hand, never peeking at the group they are tested on, with honest intervals."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.measures import baselines


def test_the_constant_of_the_other_groups_by_hand():
    table = pd.DataFrame({"group": [0, 0, 1, 1, 2, 2], "writer": list("ABABAB"), "truth": [1, 0, 1, 0, 0, 1]})
    # writer A: the other groups of group 0 say 1, 0 (a tie is yes), of 1 say 1, 0, of 2 say 1, 1; B: 0, 1 | 0, 1 | 0, 0
    assert baselines.predict_constant(table, ["writer"]).tolist() == [True, True, True, True, True, False]


def test_a_row_without_others_of_its_kind_is_no():
    table = pd.DataFrame({"group": [0, 1], "writer": ["A", "B"], "truth": [1, 1]})
    assert baselines.predict_constant(table, ["writer"]).tolist() == [False, False]


def features(seed, groups=8, each=4):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.normal(size=(groups * each, 4)), columns=list("abcd"))
    return table, np.repeat(np.arange(groups), each), rng


@given(seed=st.integers(0, 1000), group=st.integers(0, 7))
def test_no_prediction_depends_on_the_truth_of_its_own_group(seed, group):
    table, groups, rng = features(seed)
    target = table["b"].to_numpy() + rng.normal(size=len(table))
    changed = np.where(groups == group, 100 * rng.normal(size=len(table)), target)
    before, chosen = baselines.predict_by_statistic(table, target, groups)
    after, chosen_after = baselines.predict_by_statistic(table, changed, groups)
    assert (before[groups == group] == after[groups == group]).all() and chosen[group] == chosen_after[group]
    rows = pd.DataFrame({"group": groups, "kind": np.arange(len(table)) % 4, "truth": target > 0})
    mine = baselines.predict_constant(rows, ["kind"])
    theirs = baselines.predict_constant(rows.assign(truth=np.where(groups == group, changed > 0, target > 0)), ["kind"])
    assert (mine[groups == group] == theirs[groups == group]).all()


def test_the_statistic_that_carries_the_target_is_chosen_and_a_constant_one_never():
    table, groups, _ = features(1)
    table["e"] = 5.0
    predicted, chosen = baselines.predict_by_statistic(table, 3 - 2 * table["c"], groups)
    assert set(chosen.values()) == {2}
    np.testing.assert_allclose(predicted, 3 - 2 * table["c"])


def test_choosing_by_chance_does_not_pay_out_of_sample():
    correlations = []
    for seed in range(40):
        table, groups, rng = features(seed)
        target = rng.normal(size=len(table))
        correlations.append(np.corrcoef(baselines.predict_by_statistic(table, target, groups)[0], target)[0, 1])
    assert np.mean(correlations) < 0.05


def test_rates_of_a_perfect_a_constant_and_a_random_judge():
    rng = np.random.default_rng(2)
    truth, groups = rng.random(240) < 0.4, np.repeat(np.arange(12), 20)
    perfect = baselines.rate_verdicts(truth, truth, groups, 100, rng)
    assert perfect["kappa"] == perfect["ba_low"] == perfect["ba_high"] == perfect["balanced accuracy"] == 1
    assert perfect["n"] == 240 and perfect["yes"] == truth.mean()
    always = baselines.rate_verdicts(np.ones(240, bool), truth, groups, 100, rng)
    assert always["yes"] == 1 and always["balanced accuracy"] == 0.5 and always["kappa"] == pytest.approx(0, abs=1e-12)
    coin = baselines.rate_verdicts(rng.random(240) < 0.5, truth, groups, 300, rng)
    assert coin["ba_low"] < coin["balanced accuracy"] < coin["ba_high"] and coin["kappa_low"] < 0.1 < 0.3 > coin["kappa_high"]


def test_the_correlation_of_scores_and_its_interval():
    rng = np.random.default_rng(6)
    truth, groups = rng.normal(size=60), np.repeat(np.arange(12), 5)
    noisy = truth + rng.normal(size=60)
    r, low, high = baselines.correlate_scores(noisy, truth, groups, 300, rng)
    assert r == pytest.approx(np.corrcoef(noisy, truth)[0, 1]) and -1 <= low < r < high <= 1
    assert np.isnan(baselines.correlate_scores(np.ones(60), truth, groups, 20, rng)).all()
