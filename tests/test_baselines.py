"""Judges that do not read: by hand, never peeking at the group they are tested on, with honest
intervals."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.measures import baselines


def test_the_constant_of_the_other_groups_by_hand():
    table = pd.DataFrame(
        {"group": [0, 0, 1, 1, 2, 2], "writer": list("ABABAB"), "truth": [1, 0, 1, 0, 0, 1]}
    )
    # writer A: the other groups of group 0 say 1, 0 (a tie is yes), of 1 say 1, 0, of 2 say 1, 1;
    # B: 0, 1 | 0, 1 | 0, 0
    assert baselines.predict_constant(table, ["writer"]).tolist() == [
        True,
        True,
        True,
        True,
        True,
        False,
    ]


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
    assert (before[groups == group] == after[groups == group]).all() and chosen[
        group
    ] == chosen_after[group]
    rows = pd.DataFrame({"group": groups, "kind": np.arange(len(table)) % 4, "truth": target > 0})
    mine = baselines.predict_constant(rows, ["kind"])
    theirs = baselines.predict_constant(
        rows.assign(truth=np.where(groups == group, changed > 0, target > 0)), ["kind"]
    )
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
        correlations.append(
            np.corrcoef(baselines.predict_by_statistic(table, target, groups)[0], target)[0, 1]
        )
    assert np.mean(correlations) < 0.05


def make_cases(seed, judge):
    """240 cases of six tests in twelve groups, passed at the tests' own rates; `judge(truth, rng)`
    answers."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {"group": np.repeat(np.arange(12), 20), "test": np.tile(np.arange(20) % 6, 12)}
    )
    table["truth"] = rng.random(240) < np.linspace(0.15, 0.7, 6)[table["test"]]
    return table.assign(judge=judge(table["truth"].to_numpy(), rng))


def test_no_probability_depends_on_the_truth_of_its_own_group():
    table = make_cases(1, lambda truth, rng: rng.random(240) < 0.5)
    turned = table.assign(truth=np.where(table["group"] == 3, ~table["truth"], table["truth"]))
    before, after = (baselines.predict_probability(t, "judge") for t in (table, turned))
    assert (before[table["group"] == 3] == after[table["group"] == 3]).all() and (
        before != after
    ).any()


def test_a_judge_that_reads_adds_to_the_tests_and_a_coin_does_not():
    reads = baselines.gain_in_auc(
        make_cases(3, lambda truth, rng: truth ^ (rng.random(240) < 0.2)), "judge"
    )
    coin = baselines.gain_in_auc(make_cases(3, lambda truth, rng: rng.random(240) < 0.5), "judge")
    assert (
        reads["low"] > 0
        and coin["low"] < 0.02
        and reads["auc"] > 0.8 > coin["auc"]
        and reads["n"] == 12
    )
    wide = baselines.gain_in_auc(
        make_cases(3, lambda truth, rng: truth ^ (rng.random(240) < 0.2)), "judge", 0.99
    )
    assert wide["low"] < reads["low"]


def test_one_group_gives_no_gain_rather_than_an_error():
    table = make_cases(4, lambda truth, rng: truth).query("group == 0")
    assert np.isnan(baselines.gain_in_auc(table, "judge")["estimate"])


def test_the_correlation_of_scores_and_its_interval():
    rng = np.random.default_rng(6)
    truth, groups = rng.normal(size=60), np.repeat(np.arange(12), 5)
    found = baselines.correlate_scores(truth + rng.normal(size=60), truth, groups)
    assert -1 <= found["low"] < found["estimate"] < found["high"] <= 1 and found["n"] == 12
    assert np.isnan(baselines.correlate_scores(np.ones(60), truth, groups)["estimate"])
    assert np.isnan(baselines.correlate_scores(truth, truth, np.zeros(60))["low"]), (
        "one group has no interval"
    )


@pytest.mark.parametrize(("error", "most"), [(0.0, 0.15), (0.1, 0.75), (0.5, 1.05)])
def test_a_calibrated_rate_covers_the_truth_and_narrows_as_the_judge_gets_better(error, most):
    rng, hits, widths = np.random.default_rng(7), 0, []
    for _ in range(300):
        truth = rng.random(1000) < 0.35
        said = truth ^ (rng.random(1000) < error)
        found = baselines.correct_rate(truth[:100], said[:100], said[100:])
        hits += found["low"] <= 0.35 <= found["high"]
        widths.append((found["high"] - found["low"]) / (2 * 1.96 * np.sqrt(0.35 * 0.65 / 100)))
    assert 0.9 <= hits / 300 <= 0.99 and np.mean(widths) < most + 0.25 * (error == 0)


def test_a_judge_that_always_says_yes_leaves_the_labels_alone():
    labels = np.array([1, 0, 0, 1, 0, 0])
    found = baselines.correct_rate(labels, np.ones(6), np.ones(30))
    assert found["estimate"] == pytest.approx(1 / 3) and found["n"] == 6


@pytest.mark.parametrize("error", [0.1, 0.4, 0.9])
def test_a_calibrated_rate_is_the_published_formula(error):
    rng = np.random.default_rng(5)
    y = (rng.random(600) < 0.35).astype(float)
    f = np.where(rng.random(600) < error, 1 - y, y)
    n, big = 80, 520
    # equations 3 and 4 and the tuning rule of PPI++; agrees with ppi-python 0.2.3 and truescore
    # 0.7.4
    weight = ((y[:n] - y[:n].mean()) * (f[:n] - f[:n].mean())).mean() / (
        (1 + n / big) * np.var(f, ddof=1)
    )
    weight = min(max(weight, 0), 1)
    mean = weight * f[n:].mean() + (y[:n] - weight * f[:n]).mean()
    spread = weight**2 * np.var(f[n:], ddof=1) / big + np.var(y[:n] - weight * f[:n], ddof=1) / n
    found = baselines.correct_rate(y[:n], f[:n], f[n:])
    assert found["estimate"] == pytest.approx(mean)
    assert (found["high"] - found["low"]) / 2 == pytest.approx(1.96 * np.sqrt(spread), rel=1e-3)
    if error == 0.9:
        assert found["estimate"] == pytest.approx(y[:n].mean()), (
            "a judge that is mostly wrong is left out"
        )


def test_a_judge_that_repeats_the_tests_adds_nothing_and_one_that_knows_some_has_own_weights():
    table = make_cases(5, lambda truth, rng: truth)
    table["repeats"] = table["test"] > 2
    assert baselines.gain_in_auc(table, "repeats")["estimate"] == pytest.approx(0, abs=0.02)
    # right on half of the tests only
    table["some"] = np.where(table["test"] % 2 == 0, table["truth"], ~table["truth"])
    one, own = (baselines.gain_in_auc(table, "some", by_test=by_test) for by_test in (False, True))
    assert own["auc"] > 0.95 > one["auc"]


def test_the_rows_that_are_ranked_may_be_fewer_than_those_learnt_from():
    table = make_cases(6, lambda truth, rng: truth ^ (rng.random(240) < 0.2))
    table["kind"] = np.arange(240) % 2
    part = baselines.gain_in_auc(table, "judge", scored="kind == 0")
    spoilt = table.assign(truth=np.where(table["kind"] == 0, table["truth"], ~table["truth"]))
    assert (
        part["estimate"]
        > 0
        > baselines.gain_in_auc(spoilt, "judge", scored="kind == 0")["estimate"] - 0.05
    )
    assert part["auc"] != baselines.gain_in_auc(table.query("kind == 0"), "judge")["auc"], (
        "it learns from the others too"
    )
