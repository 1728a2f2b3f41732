"""Corrected means: the published formula where items are independent, coverage where they are
not."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.data.ratings import Ratings
from goodjudge.diagnostics import ppi
from goodjudge.errors import DataError


def draw_items(rng, groups=12, each=6, rated=0.4, follows=0.8, shared=0.5):
    """Return items as `ppi.list_items` does: two writers whose people's means differ by 0.5
    (0.25 is the mean of all), a judge that makes 0.9 of it and lies 1 too high; a share of the
    variance of both is the group's."""
    items = groups * each
    group = np.arange(items) // each

    def make():
        of_group = rng.normal(size=groups)[group]
        return np.sqrt(shared) * of_group + np.sqrt(1 - shared) * rng.normal(size=items)

    true = make()
    score = follows * true + np.sqrt(1 - follows**2) * make() + 1
    by_first = np.arange(items) % 2 == 0
    rating = np.where(rng.random(items) < rated, true + 0.5 * by_first, np.nan)
    writer = np.where(by_first, "A", "B")
    table = pd.DataFrame({"item": np.arange(items), "group": group, "writer": writer})
    return table.assign(score=score + 0.9 * by_first, rating=rating)


def test_the_published_formula_where_every_item_is_a_group():
    rng = np.random.default_rng(5)
    true = rng.normal(size=900)
    rating = (true + 0.3 * rng.normal(size=900)).round(3)
    score = (0.5 * true + 0.4 * rng.normal(size=900) + 1).round(3)
    rating[150:] = np.nan
    item = np.arange(900)
    table = pd.DataFrame({"item": item, "group": item, "score": score, "rating": rating})
    both = ppi.correct_means(table).loc[("all items", "both")]
    # ppi-python 0.2.3, ppi_mean_ci of the same numbers with lam=0.911194
    assert both["weight"] == pytest.approx(0.911194, abs=1e-6)
    assert both["estimate"] == pytest.approx(0.02195763, abs=1e-6)
    assert both["high"] - both["low"] == pytest.approx(0.13842281 + 0.09450755, rel=0.03)
    # its own weight, from the variance of all scores
    tuned = (0.0125993 - rating[:150].mean()) / (score[150:].mean() - score[:150].mean())
    assert both["weight"] == pytest.approx(tuned, rel=0.2)


def test_the_corrected_mean_is_covered_where_items_share_groups(rng):
    covered = []
    for _ in range(40):
        table = draw_items(rng)
        mean = ppi.correct_means(table).loc[("all items", "both")]
        covered.append(mean["low"] <= 0.25 <= mean["high"])
    assert np.mean(covered) >= 0.87, "40 studies: .95 less two errors"


def test_the_judge_alone_is_wrong_by_its_leniency(rng):
    table = draw_items(rng, groups=300)
    rows = ppi.correct_means(table).loc["all items"]["estimate"]
    assert rows["the judge alone"] - rows["both"] == pytest.approx(1.2, abs=0.1)
    by_writer = ppi.correct_means(table, "writer")["estimate"]
    between = by_writer["A"] - by_writer["B"]
    assert between["the judge alone"] == pytest.approx(0.9, abs=0.1)
    assert between["both"] == pytest.approx(0.5, abs=0.1)


def test_a_good_judge_saves_labels_and_a_useless_one_is_left_out(rng):
    good = ppi.correct_means(draw_items(rng, groups=120, rated=0.2)).loc["all items"]
    useless = draw_items(rng, groups=120, follows=0.0)
    none = ppi.correct_means(useless.assign(score=1.0)).loc["all items"]
    assert good.loc["both", "saved"] > 0.2
    assert none.loc["both", "weight"] == 0
    assert ppi.tell_saving(none, 100).endswith("the judge saves nothing.")
    assert "rated items more than the 100 there are" in ppi.tell_saving(good, 100)
    assert "about 1 rated item more than the 5" in ppi.tell_saving(good.assign(saved=0.2), 5)


def test_rated_items_that_the_judge_scores_higher_were_not_drawn_at_random(rng):
    fair = draw_items(rng, groups=100)
    row = ppi.find_selection(fair)
    chosen = fair.assign(rating=fair["rating"].where(fair["score"] > 1))
    assert row["low"] < 0 < row["high"]
    assert ppi.find_selection(chosen)["low"] > 0.3
    only_one = fair.assign(rating=fair["rating"].where(fair["writer"] == "A"))
    within = ppi.find_selection(only_one, "writer")
    assert within["low"] < 0 < within["high"], "within a writer they are a fair draw"


def test_the_interval_of_a_share_ends_at_0_and_1(rng):
    table = draw_items(rng, groups=8)
    nearly_all = table.assign(rating=np.where(np.arange(len(table)) == 3, 0.0, 1.0))
    assert ppi.correct_means(nearly_all)["high"].max() <= 1


def test_items_are_listed_with_the_means_of_judge_and_people():
    items = pd.DataFrame({"item": [*"abc"], "group": [1, 1, 2]})
    rated = pd.DataFrame({"item": [*"aab"], "rater": [1, 2, 1], "score": [1, 2, 4]})
    data = Ratings(items, rated, "own")
    scores = pd.DataFrame({"item": [*"aabc"], "judge": "j", "score": [1, 3, 5, 6]})
    table = ppi.list_items(data, scores, "j")
    assert table["score"].tolist() == [2, 5, 6]
    assert table["rating"].tolist()[:2] == [1.5, 4]
    with pytest.raises(DataError, match="scored 'd', which is no item"):
        ppi.list_items(data, scores.assign(item=[*"aabd"]), "j")
    with pytest.raises(DataError, match="nobody rated"):
        ppi.list_items(data._replace(ratings=rated.head(0)), scores, "j")


@pytest.fixture
def rated():
    """Two rated items of one group each, and a judge's scores of them."""
    items = pd.DataFrame({"item": ["a", "b"], "group": [1, 2]})
    ratings = pd.DataFrame({"item": ["a", "b"], "rater": "R1", "score": [1.0, 2.0]})
    scores = pd.DataFrame({"item": ["a", "b"], "judge": "j", "score": [2.0, 3.0]})
    return Ratings(items, ratings, "own"), scores


def test_items_that_nobody_rated_join_those_that_people_rated(rated):
    unrated = pd.DataFrame({"item": ["c"], "judge": "j", "score": [4.0], "group": [2]})
    table = ppi.list_items(*ppi.join_unrated(*rated, unrated), "j")
    assert table["item"].tolist() == ["a", "b", "c"]
    assert table["score"].tolist() == [2, 3, 4]
    assert table["rating"].isna().tolist() == [False, False, True]


def test_an_unrated_item_without_its_group_is_one_clear_error(rated):
    unrated = pd.DataFrame({"item": ["c"], "judge": "j", "score": [4.0]})
    with pytest.raises(DataError, match="no column group; expected one"):
        ppi.join_unrated(*rated, unrated)


def test_writers_are_conditions_only_where_people_rated_each():
    table = pd.DataFrame({"writer": ["x", "x", "y"], "rating": [1.0, None, 2.0]})
    assert ppi.choose_conditions(table) == "writer"
    assert ppi.choose_conditions(table.assign(rating=[1.0, 2.0, None])) is None
