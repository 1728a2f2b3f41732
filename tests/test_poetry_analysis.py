"""The analysis of ranked lists recovers known answers; simulated judges behave as they say."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.comparison.compare import CEILING, PERSON, compare
from goodjudge.stats.metrics import spearman
from scipy.stats import spearmanr

from helpers.agreement import average_reliability, icc_table
from helpers.poetry import analysis, experiments, simulate
from helpers.poetry.load import load_poems, name_poems, rate

TIERS = np.repeat([0, 1, 2], 30)


def test_correlation_is_1_for_the_order_of_the_tiers_and_less_for_others(rng):
    assert analysis.tier_correlation(-np.arange(90.0), TIERS, rng) == pytest.approx(1)
    assert analysis.tier_correlation(np.arange(90.0), TIERS, rng) == pytest.approx(-1)


def test_correlation_is_the_papers(rng):
    means = rng.normal(size=90)
    in_order = TIERS[np.argsort(-means, kind="stable")]
    correlation = analysis.tier_correlation(means, TIERS)
    assert correlation == pytest.approx(spearmanr(in_order, TIERS)[0])


def test_ties_are_broken_at_random_or_stay_as_they_stand(rng):
    all_alike = np.zeros(90)
    at_random = analysis.tier_correlation(all_alike, TIERS, rng, 400)
    assert abs(at_random) < 0.03
    assert analysis.tier_correlation(all_alike, TIERS) == pytest.approx(1), "as they stand"


def test_intervals_over_poems_cover():
    statistic = analysis.tier_correlation
    rng = np.random.default_rng(5)
    many = np.repeat([0, 1, 2], 10000)
    truth = statistic(simulate.draw_worth(many, 0.6, rng), many)
    hits = 0
    for _ in range(40):
        worth = simulate.draw_worth(TIERS, 0.6, rng)
        row = analysis.over_poems(worth, TIERS, statistic, rng, 100)
        hits += row["low"] <= truth <= row["high"]
    assert 35 <= hits < 40


def test_a_judge_stands_beside_counts_and_tiers_are_no_person(rng):
    poems = load_poems()
    worth = simulate.draw_worth(TIERS, 0.9, rng)
    worth[0] = np.nan
    means = {("Quality", "15"): pd.DataFrame({"position": worth})}
    places = analysis.place_scores(means, "simulated/any")
    knows = pd.DataFrame({"item": name_poems(poems.index), "judge": "knows", "score": -TIERS})
    table = compare(rate(poems), pd.concat([places, knows]), spearman, target="all")
    r = spearmanr(worth[1:], -TIERS[1:])[0]
    assert table.at["simulated, lists of 15", "estimate"] == pytest.approx(r)
    sure = table.loc["knows", ["estimate", "low", "high", "n"]]
    assert sure.tolist() == pytest.approx([1, 1, 1, 30])
    assert {PERSON, CEILING} == set(table.index[table["n"] == 0])


@pytest.fixture
def runs(rng):
    """Return ten noisy runs over 15 poems: poems x runs."""
    return rng.normal(size=(15, 1)) + 0.5 * rng.normal(size=(15, 10))


def test_the_icc_of_one_run_is_shrout_and_fleiss(runs):
    between = 10 * runs.mean(axis=1).var(ddof=1)
    within = runs.var(axis=1, ddof=1).mean()
    by_hand = (between - within) / (between + 9 * within)  # case 1
    table = icc_table(runs)
    assert table.at["ICC1", "ICC"] == pytest.approx(by_hand, abs=1e-4)
    assert simulate.icc1_of(runs) == pytest.approx(by_hand)
    assert analysis.single_icc(table.at["ICC1k", "F"]) == pytest.approx(by_hand, abs=1e-4)
    assert average_reliability(by_hand, 10) == pytest.approx(table.at["ICC1k", "ICC"], abs=1e-4)


@pytest.mark.parametrize(("size", "growth"), [(3, 0.0), (3, 1.0)])
def test_first_choices_are_those_of_plackett_and_luce(rng, size, growth):
    worth = np.array([1.0, 0.0, -0.5])
    noise = 0.8
    drawn = np.tile([0, 1, 2], (20000, 1))
    perceived = simulate.judge_lists(worth, drawn, noise, rng, growth)
    first_choices = np.bincount(perceived.argmax(axis=1), minlength=3)
    scale = noise * (size / 15) ** growth * np.sqrt(6) / np.pi
    strengths = np.exp(worth / scale)
    assert np.allclose(first_choices / 20000, strengths / strengths.sum(), atol=0.015)


@pytest.fixture
def correlation_by_formula(monkeypatch):
    """Put a formula in the place of simulated studies: the correlation is the judge's validity,
    less a tenth per step of growth in lists of 90."""

    def mean_src(validity, noise, growth, studies):
        assert noise == pytest.approx(0.3, abs=0.04), "the noise was fitted first"
        return validity * (1 - 0.1 * growth * ("90" in studies[0].lists))

    monkeypatch.setattr(experiments, "mean_src", mean_src)


def test_fitting_recovers_a_known_judge(correlation_by_formula):
    lists = np.tile(np.arange(15), (10, 1))
    iccs = []
    for k in range(60):
        worth = np.random.default_rng(k).standard_normal(15)
        perceived = simulate.judge_lists(worth, lists, 0.3, np.random.default_rng(99 + k))
        iccs.append(simulate.icc1_of(simulate.to_positions(perceived).T))
    icc1 = np.mean(iccs)
    fitted = [experiments.fit_judge(icc1, 0.8, src90, seed=5) for src90 in (1, 0.64, -1)]
    assert [judge["growth"] for judge in fitted] == pytest.approx([0, 2, 3], abs=0.03)
    assert fitted[1]["validity"] == pytest.approx(0.8, abs=0.005)
