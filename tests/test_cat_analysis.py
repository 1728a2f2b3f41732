"""The analysis of ranked lists recovers known answers; simulated judges behave as they say."""
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from helpers.poetry import analysis as cat_analysis
from helpers.poetry import experiments as cat_experiments
from helpers.poetry import lists as cat
from helpers.poetry import recorded as cat_study
from helpers.poetry import simulate as sim
from helpers.poetry.poems import load_poems

TIERS = np.repeat([0, 1, 2], 30)


def test_correlation_is_the_papers():
    rng = np.random.default_rng(0)
    assert cat_analysis.tier_correlation(-np.arange(90.0), TIERS, rng) == pytest.approx(1)
    assert cat_analysis.tier_correlation(np.arange(90.0), TIERS, rng) == pytest.approx(-1)
    means = rng.normal(size=90)
    assert cat_analysis.tier_correlation(means, TIERS, rng) == pytest.approx(sim.paper_correlation(means, TIERS))
    assert round(120 * (1 - cat_analysis.tier_correlation(means, TIERS, rng))) % 2 == 0
    assert abs(cat_analysis.tier_correlation(np.zeros(90), TIERS, rng, 400)) < 0.03


def test_auc_anova_and_missing_poems():
    means = np.r_[np.full(30, 3.0), np.full(30, 2.0), np.full(30, 2.0)] + np.random.default_rng(1).normal(0, 0.1, 90)
    auc = cat_analysis.neighbour_auc(means, TIERS)
    assert auc[0, 1] == 1 and 0.3 < auc[1, 2] < 0.7
    found = cat_analysis.anova(means, TIERS)
    assert found["F"] == pytest.approx(stats.f_oneway(means[:30], means[30:60], means[60:])[0]) and found["df2"] == 87
    assert 0 < found["omega2"] < found["eta2"] < 1
    means[3] = np.nan
    assert cat_analysis.anova(means, TIERS)["df2"] == 86 and cat_analysis.order_by(means, np.random.default_rng(0))[-1] == 3


def test_bootstrap_covers():
    rng, hits = np.random.default_rng(5), 0
    for _ in range(60):
        x, y = rng.normal(0.7, 1, 30), rng.normal(0, 1, 30)
        low, high = cat_analysis.bootstrap(np.r_[x, y], np.repeat([0, 1], 30),
                                           lambda m, t: cat_analysis.neighbour_auc(m, t)[0, 1], 200, rng)
        hits += low <= stats.norm.cdf(0.7 / np.sqrt(2)) <= high
    assert hits >= 50


def test_success_rate_counts_first_answers():
    log = pd.DataFrame({"list": ["a", "a", "b", "c"], "run": [1, 2, 1, 1], "reason": ["incomplete", "", "", "refused"]})
    found = cat_analysis.success_rate(log)
    assert (found["n"], found["valid"]) == (3, 1) and found["low"] < 1 / 3 < found["high"]
    assert found["reasons"] == {"incomplete": 1, "refused": 1}


def test_icc_of_simulated_runs():
    rng = np.random.default_rng(2)
    matrix = rng.normal(size=(15, 1)) + 0.5 * rng.normal(size=(15, 10))
    table = cat_analysis.icc_table(matrix)
    assert table.at["ICC1", "ICC"] == pytest.approx(sim.icc1_of(matrix), abs=1e-6)
    assert cat_experiments.average_icc(table.at["ICC1", "ICC"]) == pytest.approx(table.at["ICC1k", "ICC"])
    assert cat_experiments.single_icc(table.at["ICC1k", "F"]) == pytest.approx(table.at["ICC1", "ICC"])
    assert (table["low"] <= table["ICC"] + 0.006).all() and (table["ICC"] <= table["high"] + 0.006).all()


def test_plackett_luce_first_choice():
    worth, noise = np.array([1.0, 0.0, -0.5]), 0.8
    perceived = sim.judge_lists(worth, np.tile([0, 1, 2], (20000, 1)), noise, np.random.default_rng(0))
    scale = noise * np.sqrt(6) / np.pi
    expected = np.exp(worth / scale) / np.exp(worth / scale).sum()
    assert np.allclose(np.bincount(perceived.argmax(axis=1)) / 20000, expected, atol=0.015)


def test_scores_use_the_range_and_keep_the_order():
    perceived = np.random.default_rng(0).normal(size=(50, 15))
    scores, places = sim.to_scores(perceived), sim.to_positions(perceived)
    assert (scores.min(1) == 1).all() and (scores.max(1) == 5).all()
    assert all((np.diff(s[np.argsort(p)]) >= 0).all() for s, p in zip(scores, places))


def test_calibration_recovers_a_known_judge():
    truth = {"noise": 0.3, "validity": 0.8, "growth": 1.0}
    runs, icc1s = np.tile(np.arange(15), (10, 1)), []
    for k in range(60):
        perceived = sim.judge_lists(np.random.default_rng(k).standard_normal(15), runs, 0.3, np.random.default_rng(99 + k))
        icc1s.append(sim.icc1_of(sim.to_positions(perceived).T))
    src = [cat_experiments.mean_src(truth["validity"], truth["noise"], truth["growth"], 77, design) for design in ("15", "90")]
    found = cat_experiments.calibrate(np.mean(icc1s), *src, seed=5)
    assert found["noise"] == pytest.approx(0.3, abs=0.06) and found["validity"] == pytest.approx(0.8, abs=0.05)
    assert found["growth"] == pytest.approx(1.0, abs=0.35)


def test_appearances_follow_the_binomial():
    counts, law = cat_analysis.appearances(cat.draw_subsets(TIERS, 100, 5, np.random.default_rng(0)), 90)
    assert counts.sum() == 1500 and law["expected"].sum() == pytest.approx(90, abs=6)
    assert law["poems"].sum() == 90


def test_stratified_draws_favour_the_tiers():
    table = cat_experiments.leak(0.8, 0.2, 1, replicates=12)
    assert table.at["difference", "SRC"] > 3 * table.at["difference", "se"] > 0


def test_recorded_model_is_read_back_without_a_call():
    poems = load_poems()
    found = cat_study.read_recorded(poems, "smollm2-poems")
    assert found["table"]["n"].sum() >= 70 and (found["table"]["valid"] <= found["table"]["n"]).all()
    assert cat_study.read_recorded(poems, "nobody") is None


def test_plan_counts_the_papers_calls():
    poems = load_poems()
    rng = np.random.default_rng(0)
    lists = cat.draw_subsets(poems["tier"], 100, 5, rng), cat.shuffle_all(90, 10, rng)
    plan = cat_study.plan_study(poems, *lists, ["openai/gpt-4o"])
    assert plan.loc[("openai/gpt-4o", "all four"), "calls"] == 90 + 50 + 500 + 50
    assert plan["usd_batch"].lt(plan["usd_live"]).all()
