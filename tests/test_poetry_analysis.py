"""The analysis of ranked lists recovers known answers; simulated judges behave as they say."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from helpers import judges
from helpers.judges.answers import labels
from helpers.measures.agreement import average_reliability, icc_table
from helpers.measures.compare import CEILING, PERSON, compare
from helpers.measures.statistics import spearman
from helpers.poetry import analysis, ask, experiments, simulate
from helpers.poetry.load import load_poems, rate
from helpers.sources.published import Printed

TIERS = np.repeat([0, 1, 2], 30)


def test_correlation_is_the_papers(rng):
    assert analysis.tier_correlation(-np.arange(90.0), TIERS, rng) == pytest.approx(1)
    assert analysis.tier_correlation(np.arange(90.0), TIERS, rng) == pytest.approx(-1)
    means = rng.normal(size=90)
    in_order = TIERS[np.argsort(-means, kind="stable")]
    found = analysis.tier_correlation(means, TIERS)
    assert found == pytest.approx(spearmanr(in_order, TIERS)[0])
    assert abs(analysis.tier_correlation(np.zeros(90), TIERS, rng, 400)) < 0.03
    assert analysis.tier_correlation(np.zeros(90), TIERS) == pytest.approx(1), "as they stand"


def test_a_poem_without_a_value_comes_last(rng):
    means = np.array([-1, np.nan, 3.0, 2])
    assert analysis.order_by(means, rng).tolist() == [2, 3, 0, 1]


def test_intervals_over_poems_cover():
    statistic = analysis.tier_correlation
    many, rng = np.repeat([0, 1, 2], 10000), np.random.default_rng(5)
    truth, hits = statistic(simulate.draw_worth(many, 0.6, rng), many), 0
    for _ in range(40):
        worth = simulate.draw_worth(TIERS, 0.6, rng)
        found = analysis.over_poems(worth, TIERS, statistic, rng, 100)
        hits += found["low"] <= truth <= found["high"]
    assert 35 <= hits < 40


def test_a_tier_with_one_poem_gives_no_interval(rng):
    worth = simulate.draw_worth(TIERS, 0.9, rng)
    lonely = analysis.over_poems(worth[:61], TIERS[:61], analysis.tier_correlation, rng)
    assert np.isnan(lonely["low"]) and lonely["n"] == 61


def test_tiers_are_one_rater_and_judges_stand_beside_counts(rng):
    poems = load_poems()
    data = rate(poems)
    assert set(data.ratings["rater"]) == {"tiers"} and data.items["group"].nunique() == 30
    assert data.ratings.groupby(poems["tier"].to_numpy())["score"].agg(
        ["min", "max"]
    ).to_numpy().tolist() == [[0, 0], [-1, -1], [-2, -2]]
    worth = simulate.draw_worth(TIERS, 0.9, rng)
    worth[0] = np.nan
    means = {("Quality", "15"): pd.DataFrame({"position": worth}), ("Other", "15"): None}
    places = analysis.place_scores(means, "simulated/any")
    assert len(places) == 89 and set(places["judge"]) == {"simulated, lists of 15"}
    knows = pd.DataFrame({"item": poems.index, "judge": "knows", "score": -TIERS})
    found = compare(data, pd.concat([places, knows]), spearman, target="all")
    r = spearmanr(worth[1:], -TIERS[1:])[0]
    assert found.at["simulated, lists of 15", "estimate"] == pytest.approx(r)
    assert found.loc["knows", ["estimate", "low", "high", "n"]].tolist() == pytest.approx(
        [1, 1, 1, 30]
    )
    assert {PERSON, CEILING} == set(found.index[found["n"] == 0]), "tiers are no person"
    poems.attrs["ours"] = False
    assert rate(poems).items["group"].nunique() == 90, "a reader's poem stands for itself"


def test_a_judges_lead_is_asked_in_many_ways_and_one_that_turns_it_is_seen():
    poems = load_poems()
    data = rate(poems)
    stops = data.items["commas and stops"].to_numpy()
    scores = {"knows": -TIERS.astype(float), "against": TIERS.astype(float), "stops": stops}
    rows = [
        pd.DataFrame({"item": poems.index, "judge": who, "score": scores[who]}) for who in scores
    ]
    ways = analysis.vary_lead(data, pd.concat(rows), "knows")
    assert ways["estimate"].iloc[:9].gt(0).all()
    assert ways.at["asked for against", "against the first"] == "turned round"
    own = analysis.vary_lead(data, rows[2], "stops")
    assert own.at["the count chosen on the same poems", "estimate"] == 0, "it is that count"
    assert own.at["without commas and stops", "estimate"] > 0


def test_the_summary_leaves_out_poems_without_a_list(rng):
    worth = simulate.draw_worth(TIERS, 0.9, rng)
    worth[:2] = np.nan
    table = pd.DataFrame({"position": worth, "score": -worth})
    means = {("Quality", "15"): table, ("Mine", "15"): table}
    rows = analysis.summarise(means, load_poems(), rng)
    assert (rows["n"] == 88).all()
    row = rows.loc[("Quality", "15", "place")]
    assert row["low"] < row["estimate"] < row["high"]
    exact = analysis.tier_correlation(worth[2:], TIERS[2:])
    assert row["estimate"] == pytest.approx(exact)


def test_the_icc_of_simulated_runs(rng):
    matrix = rng.normal(size=(15, 1)) + 0.5 * rng.normal(size=(15, 10))
    table = icc_table(matrix)
    between, within = 10 * matrix.mean(axis=1).var(ddof=1), matrix.var(axis=1, ddof=1).mean()
    one = (between - within) / (between + 9 * within)  # Shrout and Fleiss, case 1
    assert table.at["ICC1", "ICC"] == pytest.approx(one, abs=1e-4)
    assert simulate.icc1_of(matrix) == pytest.approx(one)
    assert average_reliability(one, 10) == pytest.approx(table.at["ICC1k", "ICC"], abs=1e-4)
    assert analysis.single_icc(table.at["ICC1k", "F"]) == pytest.approx(one, abs=1e-4)
    assert simulate.icc1_of(np.repeat(np.arange(15.0)[:, None], 10, axis=1)) == 1
    assert table.index.tolist() == ["ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k"]
    assert table["low"].lt(table["ICC"]).all() and table["high"].gt(table["ICC"]).all()
    rows = analysis.reliability(matrix)
    assert rows["estimate"].tolist() == table.loc[["ICC1", "ICC1k"], "ICC"].tolist()
    assert rows["n"].tolist() == [15, 15]
    assert len(analysis.reliability(matrix[:, :2])) == 2
    assert analysis.reliability(matrix[:, :1]).empty


@pytest.mark.parametrize(("size", "growth"), [(3, 0.0), (3, 1.0)])
def test_first_choices_are_those_of_plackett_and_luce(rng, size, growth):
    worth, noise = np.array([1.0, 0.0, -0.5]), 0.8
    drawn = np.tile([0, 1, 2], (20000, 1))
    perceived = simulate.judge_lists(worth, drawn, noise, rng, growth)
    scale = noise * (size / 15) ** growth * np.sqrt(6) / np.pi
    expected = np.exp(worth / scale) / np.exp(worth / scale).sum()
    assert np.allclose(
        np.bincount(perceived.argmax(axis=1), minlength=3) / 20000, expected, atol=0.015
    )


def test_places_scores_and_means_by_hand():
    perceived = np.array([[0.0, 10, 3.9, 4.1, 8.1], [5, 4, 3, 2, 1]])
    places, scores = simulate.to_positions(perceived), simulate.to_scores(perceived)
    assert places.tolist() == [[1, 5, 2, 3, 4], [5, 4, 3, 2, 1]]
    assert scores.tolist() == [[1, 5, 2, 3, 5], [5, 4, 3, 2, 1]]
    means = simulate.mean_by_poem([[0, 1], [1, 3]], [[4, 2], [8, 6]], 4)
    assert means[[0, 1, 3]].tolist() == [4, 5, 6] and np.isnan(means[2])
    text = simulate.answer_text([7, 9], {7: "a", 9: "b"}, np.array([0.0, 1]))
    assert text == "1. b : 5\n2. a : 1"


def test_a_judges_worth_follows_the_tiers_as_far_as_it_says(rng):
    many = np.repeat([0, 1, 2], 20000)
    worth = simulate.draw_worth(many, 0.6, rng)
    assert np.corrcoef(worth, -many)[0, 1] == pytest.approx(0.6, abs=0.01)
    assert worth.std() == pytest.approx(1, abs=0.01)
    alone = simulate.make_judge(np.array([-0.5, 0.0, 0.5]), {}, 0.0)
    asked, options = (
        ask.single_requests(load_poems().head(3)),
        judges.Options(simulators={"a": alone}),
    )
    said = judges.ask(asked, "simulated/a", labels.TIER, options)["verdict"]
    assert said.tolist() == ["Bad", "Medium", "Good"]


def test_fitting_recovers_a_known_judge(monkeypatch):
    runs, icc1s = np.tile(np.arange(15), (10, 1)), []
    for k in range(60):
        worth, rng = np.random.default_rng(k).standard_normal(15), np.random.default_rng(99 + k)
        perceived = simulate.judge_lists(worth, runs, 0.3, rng)
        icc1s.append(simulate.icc1_of(simulate.to_positions(perceived).T))

    def mean_src(validity, noise, growth, seed, readings):
        assert noise == pytest.approx(0.3, abs=0.04)
        return validity * (1 - 0.1 * growth * ("90" in readings))

    monkeypatch.setattr(experiments, "mean_src", mean_src)
    found = [experiments.fit_judge(np.mean(icc1s), 0.8, src, seed=5) for src in (1, 0.64, -1)]
    assert [judge["growth"] for judge in found] == pytest.approx([0, 2, 3], abs=0.03)
    assert found[1]["validity"] == pytest.approx(0.8, abs=0.005)


def test_a_lead_at_equal_cost_stands_beside_the_printed_gap(monkeypatch):
    def study(validity, noise, growth, seed, replicates, readings):
        assert readings == {"15": 900, "90": 900} and (validity, noise) == (0.9, 0.2)
        base = np.linspace(0, 0.1, replicates)[:, None] + [0.8, 0.7 - growth / 5]
        return pd.DataFrame(base, columns=[*readings])

    monkeypatch.setattr(experiments, "repeat_study", study)
    fits = {"Quality": {"validity": 0.9, "noise": 0.2, "growth": 1.0}}
    row = experiments.lead_by_criterion(Printed("poetry"), fits, 1, 5).loc["Quality"]
    assert row["estimate"] == pytest.approx(0.1) and row["n"] == 5
    assert row["printed gap"] == 0.3 and row["times"] == 6
