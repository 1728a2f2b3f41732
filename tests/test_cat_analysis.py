"""The analysis of ranked lists recovers known answers; simulated judges behave as they say."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from helpers import judges
from helpers.measures.agreement import average_reliability
from helpers.poetry import analysis as cat_analysis
from helpers.poetry import ask as cat_study
from helpers.poetry import experiments as cat_experiments
from helpers.poetry import lists as cat
from helpers.poetry import simulate as sim
from helpers.poetry.load import CRITERIA, load_poems

TIERS = np.repeat([0, 1, 2], 30)


def test_correlation_is_the_papers():
    rng = np.random.default_rng(0)
    assert cat_analysis.tier_correlation(-np.arange(90.0), TIERS, rng) == pytest.approx(1)
    assert cat_analysis.tier_correlation(np.arange(90.0), TIERS, rng) == pytest.approx(-1)
    means = rng.normal(size=90)
    in_order = TIERS[np.argsort(-means, kind="stable")]
    assert cat_analysis.tier_correlation(means, TIERS) == pytest.approx(
        spearmanr(in_order, TIERS)[0]
    )
    assert round(120 * (1 - cat_analysis.tier_correlation(means, TIERS, rng))) % 2 == 0
    assert abs(cat_analysis.tier_correlation(np.zeros(90), TIERS, rng, 400)) < 0.03


def test_a_poem_without_a_value_comes_last():
    means = np.random.default_rng(1).normal(0, 0.1, 90)
    means[3] = np.nan
    assert cat_analysis.order_by(means, np.random.default_rng(0))[-1] == 3


@pytest.mark.parametrize(
    "statistic", [cat_analysis.tier_correlation, cat_analysis.score_correlation]
)
def test_intervals_over_poems_cover(statistic):
    many, rng = np.repeat([0, 1, 2], 10000), np.random.default_rng(5)
    truth, hits = statistic(sim.draw_worth(many, 0.6, rng), many), 0
    for _ in range(50):
        found = cat_analysis.over_poems(sim.draw_worth(TIERS, 0.6, rng), TIERS, statistic, rng, 100)
        hits += found["low"] <= truth <= found["high"]
    assert 44 <= hits <= 50


def test_a_difference_of_two_columns_is_zero_for_equal_ones():
    rng = np.random.default_rng(0)
    worth, other = sim.draw_worth(TIERS, 0.9, rng), rng.normal(size=90)
    assert cat_analysis.subtract_columns(worth, worth, TIERS, rng)[
        ["estimate", "low", "high"]
    ].tolist() == [0, 0, 0]
    assert cat_analysis.subtract_columns(worth, other, TIERS, rng)["low"] > 0.5
    table = cat_analysis.rate_columns(pd.DataFrame({"worth": worth, "other": other}), TIERS, rng)
    assert (
        table.at["worth", "low"] > 0.7 and table.at["other", "low"] < 0 < table.at["other", "high"]
    )


def test_success_rate_counts_first_answers():
    log = pd.DataFrame(
        {
            "list": ["a", "a", "b", "c"],
            "run": [1, 2, 1, 1],
            "reason": ["incomplete", "", "", "refused"],
        }
    )
    found = cat_analysis.success_rate(log)
    assert found["n"] == 3 and found["low"] < found["estimate"] == 1 / 3 < found["high"]
    assert found["not valid"] == "incomplete 1, refused 1"


def test_icc_of_simulated_runs():
    rng = np.random.default_rng(2)
    matrix = rng.normal(size=(15, 1)) + 0.5 * rng.normal(size=(15, 10))
    table = cat_analysis.icc_table(matrix)
    assert table.at["ICC1", "ICC"] == pytest.approx(sim.icc1_of(matrix), abs=1e-6)
    assert average_reliability(table.at["ICC1", "ICC"], 10) == pytest.approx(
        table.at["ICC1k", "ICC"]
    )
    assert cat_analysis.single_icc(table.at["ICC1k", "F"]) == pytest.approx(table.at["ICC1", "ICC"])
    assert sim.icc1_of(np.repeat(np.arange(15.0)[:, None], 10, axis=1)) == 1
    assert (table["low"] <= table["ICC"] + 0.006).all() and (
        table["ICC"] <= table["high"] + 0.006
    ).all()


def test_plackett_luce_first_choice():
    worth, noise = np.array([1.0, 0.0, -0.5]), 0.8
    perceived = sim.judge_lists(
        worth, np.tile([0, 1, 2], (20000, 1)), noise, np.random.default_rng(0)
    )
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
        perceived = sim.judge_lists(
            np.random.default_rng(k).standard_normal(15), runs, 0.3, np.random.default_rng(99 + k)
        )
        icc1s.append(sim.icc1_of(sim.to_positions(perceived).T))
    src = [
        cat_experiments.mean_src(truth["validity"], truth["noise"], truth["growth"], 77, design)
        for design in ({"15": 1500}, {"90": 900})
    ]
    found = cat_experiments.fit_judge(np.mean(icc1s), *src, seed=5)
    assert found["noise"] == pytest.approx(0.3, abs=0.06) and found["validity"] == pytest.approx(
        0.8, abs=0.05
    )
    assert found["growth"] == pytest.approx(1.0, abs=0.35)


def test_stratified_draws_favour_the_tiers():
    table = cat_experiments.leak(0.8, 0.2, 1, replicates=12)
    assert 0 < table.at["difference", "low"] < table.at["difference", "estimate"]


def test_every_list_of_the_small_design_has_a_recorded_answer():
    poems = load_poems()
    small = cat.small_design(poems["tier"])
    means, valid, counts = cat_study.rank_designs(
        poems, small, "recorded/smollm2-poems", {"Quality": CRITERIA["Quality"]}, attempts=1
    )
    assert valid["n"].tolist() == [40, 4] and not valid["not valid"].str.contains("error").any()
    shown = np.bincount(small["3"].ravel(), minlength=90)
    assert (
        counts["Quality", "3"]["unparsed"].tolist() == shown.tolist() and 0 in shown and means == {}
    )


def test_own_results_count_in_whole_answers_and_mean_what_was_answered(tmp_path):
    poems, judge = (
        load_poems(),
        sim.make_judge(-np.arange(90.0), load_poems()["name"].to_dict(), 0.001),
    )
    lists = {"15": np.arange(30).reshape(2, 15)}
    options = judges.Options(simulators={"first": judge})
    means, _, counts = cat_study.rank_designs(
        poems, lists, "simulated/first", {"Quality": CRITERIA["Quality"]}, options
    )
    alone = pd.DataFrame({"verdict": ["Good", None], "status": ["ok", "refused"]})
    cat_analysis.save_poems(poems, alone, means, counts, tmp_path)
    by = ["author", "title"]
    found = pd.read_csv(tmp_path / "own-results.csv").set_index(by).loc[poems.set_index(by).index]
    assert (
        found["Quality, lists of 15: mean place"].tolist()[:30] == [*range(1, 16)] * 2
        and found.iloc[30:, 3].isna().all()
    )
    assert found["Quality, lists of 15: answers valid"].tolist() == [1] * 30 + [0] * 60
    assert found["asked alone"].tolist()[:2] == ["Good", "refused"]


def test_plan_counts_the_papers_calls():
    poems = load_poems()
    rng = np.random.default_rng(0)
    lists = cat.draw_subsets(poems["tier"], 100, 5, rng), cat.shuffle_all(90, 10, rng)
    plan = cat_study.plan_study(poems, *lists, ["openai/gpt-4o"])
    assert plan.loc[("openai/gpt-4o", "all four"), "calls"] == 90 + 50 + 500 + 50
    assert plan["usd_cached"].le(plan["usd_live"]).all()
