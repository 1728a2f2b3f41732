"""Judges that do not read: by hand, never peeking at the group they are tested on, with honest
intervals."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize
from scipy.special import expit
from sklearn.metrics import roc_auc_score

from helpers.measures import baselines


def test_the_constant_of_the_other_groups_by_hand():
    cases = {
        "group": [0, 0, 1, 1, 2, 2, 2],
        "writer": list("ABABABC"),
        "truth": [1, 0, 1, 0, 0, 1, 1],
    }
    # writer A: the other groups of group 0 say 1, 0 (a tie is yes), of 1 say 1, 0, of 2 say 1, 1;
    # B: 0, 1 | 0, 1 | 0, 0; C has no other group
    found = baselines.predict_constant(pd.DataFrame(cases), ["writer"])
    assert found.tolist() == [True] * 5 + [False, False]


def features(seed, groups=8, each=4):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.normal(size=(groups * each, 4)), columns=list("abcd"))
    return table, np.repeat(np.arange(groups), each), rng


@settings(max_examples=20)
@given(seed=st.integers(0, 1000), group=st.integers(0, 7))
def test_no_prediction_depends_on_the_truth_of_its_own_group(seed, group):
    table, groups, rng = features(seed)
    mine = groups == group
    target = table["b"].to_numpy() + rng.normal(size=len(table))
    changed = np.where(mine, 100 * rng.normal(size=len(table)), target)
    before, chosen = baselines.predict_by_statistic(table, target, groups)
    after, chosen_after = baselines.predict_by_statistic(table, changed, groups)
    assert (before[mine] == after[mine]).all() and chosen[group] == chosen_after[group]
    rows = pd.DataFrame({"group": groups, "kind": np.arange(len(table)) % 4, "truth": target > 0})
    turned = rows.assign(truth=np.where(mine, changed > 0, target > 0))
    found = [baselines.predict_constant(cases, ["kind"])[mine] for cases in (rows, turned)]
    assert (found[0] == found[1]).all()


def test_the_statistic_that_carries_the_target_is_chosen_and_a_constant_one_never():
    table, groups, _ = features(1)
    table["e"] = 5.0
    predicted, chosen = baselines.predict_by_statistic(table, 3 - 2 * table["c"], groups)
    assert set(chosen.values()) == {2}
    np.testing.assert_allclose(predicted, 3 - 2 * table["c"])


def make_cases(seed, error):
    """240 cases of six tests in twelve groups, passed at the tests' own rates; a judge errs so
    often."""
    rng = np.random.default_rng(seed)
    group, test = np.repeat(np.arange(12), 20), np.tile(np.arange(20) % 6, 12)
    truth = rng.random(240) < np.linspace(0.15, 0.7, 6)[test]
    judge = truth ^ (rng.random(240) < error)
    return pd.DataFrame({"group": group, "test": test, "truth": truth, "judge": judge})


def fit_ridge(x, truth, low):
    """Return a logistic ridge's weights, the intercept first and none below `low`, by scipy."""
    x, sign = np.column_stack([np.ones(len(x)), x]), np.where(truth, 1, -1)

    def loss(w):
        margin = sign * (x @ w)
        slope = -(x.T @ (sign * expit(-margin))) + np.r_[0, w[1:]]
        return np.logaddexp(0, -margin).sum() + w[1:] @ w[1:] / 2, slope

    start, bounds = np.zeros(x.shape[1]), [(end, None) for end in low]
    return optimize.minimize(
        loss, start, jac=True, bounds=bounds, options={"ftol": 0, "gtol": 1e-9}
    ).x


@pytest.mark.parametrize("error", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("by_test", [False, True])
def test_probabilities_are_a_ridge_on_the_other_groups_and_a_yes_never_counts_against(
    by_test, error
):
    table = make_cases(1, error)
    found = baselines.predict_probability(table, "judge", by_test)
    x = np.eye(6)[table["test"]]
    judge = table[["judge"]].to_numpy(float)
    x = np.hstack([x, judge * x if by_test else judge])
    for group in (0, 11):
        mine = table["group"].to_numpy() == group
        low = [-np.inf] * 7 + [0] * (x.shape[1] - 6)
        weights = fit_ridge(x[~mine], table["truth"][~mine], low)
        expected = expit(weights[0] + x[mine] @ weights[1:])
        assert found[mine] == pytest.approx(expected, abs=1e-3)
    if error == 0.7 and not by_test:
        assert baselines.gain_in_auc(table, "judge")["estimate"] == 0, "a judge read in reverse"
    alone = table.assign(truth=table["group"] > 0)
    assert set(baselines.predict_probability(alone)[:20]) == {1.0}, "the others have one kind"


def test_a_judge_that_reads_adds_to_the_tests_and_a_coin_or_the_tests_themselves_do_not():
    table = make_cases(3, 0.2)
    reads = baselines.gain_in_auc(table, "judge")
    probability = [baselines.predict_probability(table, *given) for given in ((), ("judge",))]
    known, more = (roc_auc_score(table["truth"], one) for one in probability)
    assert (reads["auc"], reads["estimate"]) == pytest.approx((more, more - known))
    assert reads["low"] > 0 and reads["n"] == 12
    assert baselines.gain_in_auc(table, "judge", 0.99)["low"] < reads["low"]
    coin = baselines.gain_in_auc(make_cases(3, 0.5), "judge")
    assert coin["low"] < 0.02 and coin["auc"] < 0.8
    repeats = baselines.gain_in_auc(table.assign(repeats=table["test"] > 2), "repeats")
    assert repeats["estimate"] == pytest.approx(0, abs=0.02)
    one_group = baselines.gain_in_auc(table.query("group == 0"), "judge")
    assert np.isnan(one_group["estimate"]) and one_group["n"] == 1


def test_a_judge_that_knows_some_tests_has_own_weights_and_some_rows_may_be_ranked():
    table = make_cases(5, 0)
    some = np.where(table["test"] % 2 == 0, table["truth"], ~table["truth"])
    table = table.assign(some=some, kind=np.arange(240) % 2)
    one, own = (baselines.gain_in_auc(table, "some", by_test=by_test) for by_test in (False, True))
    assert own["auc"] > one["auc"] + 0.05
    ranked = table["kind"] == 0
    guess = baselines.predict_probability(table, "some")[ranked]  # learnt from all rows
    part = baselines.gain_in_auc(table, "some", scored="kind == 0")
    assert part["auc"] == pytest.approx(roc_auc_score(table["truth"][ranked], guess))


def test_the_correlation_of_scores_and_its_interval():
    rng = np.random.default_rng(6)
    truth, groups = rng.normal(size=60), np.repeat(np.arange(12), 5)
    score = truth + rng.normal(size=60)
    found = baselines.correlate_scores(score, truth, groups)
    assert found["estimate"] == pytest.approx(np.corrcoef(score, truth)[0, 1]) and found["n"] == 12
    assert -1 <= found["low"] < found["estimate"] < found["high"] <= 1
    assert np.isnan(baselines.correlate_scores(np.ones(60), truth, groups)["estimate"])
    assert np.isnan(baselines.correlate_scores(score, truth, np.zeros(60))["low"]), "one group"


@pytest.mark.parametrize("error", [0.1, 0.4, 0.9])
def test_a_corrected_rate_is_the_published_formula(error):
    rng = np.random.default_rng(5)
    y = (rng.random(600) < 0.35).astype(float)
    f = np.where(rng.random(600) < error, 1 - y, y)
    n, big = 80, 520
    # equations 3 and 4 and the tuning rule of PPI++; agrees with ppi-python 0.2.3, truescore 0.7.4
    both = ((y[:n] - y[:n].mean()) * (f[:n] - f[:n].mean())).mean()
    weight = min(max(both / ((1 + n / big) * np.var(f, ddof=1)), 0), 1)
    mean = weight * f[n:].mean() + (y[:n] - weight * f[:n]).mean()
    spread = weight**2 * np.var(f[n:], ddof=1) / big + np.var(y[:n] - weight * f[:n], ddof=1) / n
    found = baselines.correct_rate(y[:n], f[:n], f[n:])
    assert found["estimate"] == pytest.approx(mean) and found["n"] == 80
    ends = mean - 1.96 * np.sqrt(spread), mean + 1.96 * np.sqrt(spread)
    assert (found["low"], found["high"]) == pytest.approx(ends)
    # a judge that is mostly wrong, or always says Yes, is left out
    assert error < 0.9 or found["estimate"] == pytest.approx(y[:n].mean())
    same = baselines.correct_rate(y[:n], np.ones(n), np.ones(big))
    assert same["estimate"] == pytest.approx(y[:n].mean())


def test_a_corrected_rate_covers_the_truth_and_narrows():
    rng, hits, widths = np.random.default_rng(7), 0, []
    for _ in range(300):
        truth = rng.random(1000) < 0.35
        said = (truth ^ (rng.random(1000) < 0.1)).astype(float)
        found = baselines.correct_rate(truth[:100].astype(float), said[:100], said[100:])
        hits += found["low"] <= 0.35 <= found["high"]
        widths.append((found["high"] - found["low"]) / (2 * 1.96 * np.sqrt(0.35 * 0.65 / 100)))
    assert 0.9 <= hits / 300 <= 0.99 and np.mean(widths) < 0.75


def test_the_lead_of_one_score_over_another_on_the_same_items():
    rng, groups = np.random.default_rng(4), np.repeat(np.arange(10), 4)
    truth, noise = rng.normal(size=(2, 40))
    near, far = truth + noise, truth + 2 * noise
    found = baselines.lead_in_r(near, far, truth, groups)
    rs = [np.corrcoef(one, truth)[0, 1] for one in (near, far)]
    assert found["estimate"] == pytest.approx(rs[0] - rs[1]) and found["n"] == 10
    assert 0 < found["low"] < found["estimate"] < found["high"], "paired: the noise is the same"
    assert baselines.lead_in_r(far, near, truth, groups)["high"] < 0
