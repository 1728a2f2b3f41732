"""The analysis of ranked lists recovers known answers; simulated judges behave as they say."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.comparison.compare import CEILING, PERSON, compare
from goodjudge.stats.metrics import spearman
from scipy.stats import spearmanr

from helpers import judges
from helpers.agreement import average_reliability, icc_table
from helpers.poetry import analysis, experiments, graded, simulate, vary
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


def test_a_poem_without_a_value_comes_last(rng):
    means = np.array([-1, np.nan, 3.0, 2])
    assert analysis.order_by(means, rng).tolist() == [2, 3, 0, 1]


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


def test_a_tier_with_one_poem_gives_no_interval(rng):
    worth = simulate.draw_worth(TIERS, 0.9, rng)
    lonely = analysis.over_poems(worth[:61], TIERS[:61], analysis.tier_correlation, rng)
    assert np.isnan(lonely["low"])
    assert lonely["n"] == 61


def test_tiers_are_one_rater_of_poems_in_30_groups():
    poems = load_poems()
    data = rate(poems)
    assert set(data.ratings["rater"]) == {"tiers"}
    assert data.items["group"].nunique() == 30
    scores = data.ratings.groupby(poems["tier"].to_numpy())["score"].unique()
    assert [list(values) for values in scores] == [[0], [-1], [-2]]


def test_a_readers_poem_stands_for_itself():
    poems = load_poems()
    poems.attrs["ours"] = False
    assert rate(poems).items["group"].nunique() == 90


def test_places_are_those_of_the_first_criterion_without_poems_that_have_none(rng):
    worth = simulate.draw_worth(TIERS, 0.9, rng)
    worth[0] = np.nan
    means = {("Quality", "15"): pd.DataFrame({"position": worth}), ("Other", "15"): None}
    places = analysis.place_scores(means, "simulated/any")
    assert len(places) == 89
    assert set(places["judge"]) == {"simulated, lists of 15"}


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


def scores_of(poems, judge, values):
    """Return scores (item, judge, score) of a judge who gives the poems these values."""
    return pd.DataFrame({"item": name_poems(poems.index), "judge": judge, "score": values})


def test_a_judges_lead_is_asked_in_many_ways_and_one_that_turns_it_is_seen():
    poems = load_poems()
    knows = scores_of(poems, "knows", -TIERS.astype(float))
    against = scores_of(poems, "against", TIERS.astype(float))
    ways = vary.vary_lead(rate(poems), pd.concat([knows, against]), "knows")
    assert ways["estimate"].iloc[:9].gt(0).all()
    assert ways.at["asked for against", "against the first"] == "turned round"


def test_a_judge_that_is_a_count_leads_only_where_that_count_is_left_out():
    poems = load_poems()
    data = rate(poems)
    stops = scores_of(poems, "stops", data.items["commas and stops"].to_numpy())
    ways = vary.vary_lead(data, stops, "stops")
    assert ways.at["the count chosen on the same poems", "estimate"] == 0
    assert ways.at["without commas and stops", "estimate"] > 0


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


def test_runs_that_agree_entirely_have_an_icc_of_1():
    same = np.repeat(np.arange(15.0)[:, None], 10, axis=1)
    assert simulate.icc1_of(same) == 1


def test_the_table_of_iccs_has_all_six_with_intervals(runs):
    table = icc_table(runs)
    assert table.index.tolist() == ["ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k"]
    assert table["low"].lt(table["ICC"]).all()
    assert table["high"].gt(table["ICC"]).all()


def test_reliability_is_that_of_one_run_and_of_the_mean(runs):
    iccs = icc_table(runs)["ICC"]
    rows = analysis.reliability(runs)
    assert rows["estimate"].tolist() == iccs[["ICC1", "ICC1k"]].tolist()
    assert rows["n"].tolist() == [15, 15]
    assert len(analysis.reliability(runs[:, :2])) == 2
    assert analysis.reliability(runs[:, :1]).empty


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


def test_places_scores_and_means_by_hand():
    perceived = np.array([[0.0, 10, 3.9, 4.1, 8.1], [5, 4, 3, 2, 1]])
    assert simulate.to_positions(perceived).tolist() == [[1, 5, 2, 3, 4], [5, 4, 3, 2, 1]]
    assert simulate.to_grades(perceived).tolist() == [[1, 5, 2, 3, 5], [5, 4, 3, 2, 1]]
    means = simulate.mean_by_poem([[0, 1], [1, 3]], [[4, 2], [8, 6]], 4)
    assert means[[0, 1, 3]].tolist() == [4, 5, 6]
    assert np.isnan(means[2]), "never shown"


def test_a_simulated_answer_is_a_numbered_list():
    text = simulate.answer_text([7, 9], {7: "a", 9: "b"}, np.array([0.0, 1]))
    assert text == "1. b : 5\n2. a : 1"


def test_a_judges_worth_follows_the_tiers_as_far_as_it_says(rng):
    many = np.repeat([0, 1, 2], 20000)
    worth = simulate.draw_worth(many, 0.6, rng)
    assert np.corrcoef(worth, -many)[0, 1] == pytest.approx(0.6, abs=0.01)
    assert worth.std() == pytest.approx(1, abs=0.01)


def test_a_poem_alone_is_put_into_the_third_of_the_judges_opinion():
    alone = simulate.make_judge(np.array([-0.5, 0.0, 0.5]), {}, 0.0)
    requests = graded.tier_requests(load_poems().head(3), "cat-tier")
    options = judges.Options(simulators={"a": alone})
    answers = judges.ask(requests, "simulated/a", graded.TIER, options)
    assert answers["verdict"].tolist() == ["Bad", "Medium", "Good"]


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
