"""What a judge adds to all that is known unread; the critical value of several leads at once."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.comparison.added import find_added
from goodjudge.data.ratings import Ratings
from goodjudge.stats import intervals
from scipy import stats


def simulate(seed, slope=0.0, groups=24):
    """Return (ratings, scores): four authors per group and three raters; a judge that knows author
    and words, and a taste that people share by `slope` points per standard deviation."""
    rng = np.random.default_rng(seed)
    items = pd.DataFrame({"group": np.repeat(range(groups), 4), "writer": [*"ABCD"] * groups})
    items.insert(0, "item", range(len(items)))
    items["words"] = rng.integers(50, 500, len(items))
    taste = rng.normal(size=len(items))
    known = items["writer"].map({"A": 2.0, "B": 1.0, "C": 0.0, "D": -1.0}) + items["words"] / 200
    people = known + slope * taste + rng.normal(0, 0.5, groups)[items["group"]]
    table = items[["item"]].merge(pd.DataFrame({"rater": [*"xyz"]}), how="cross")
    severity = table["rater"].map({"x": 0.0, "y": -1.0, "z": 0.5})
    noise = rng.normal(size=len(table))
    table["score"] = people.to_numpy()[table["item"]] + severity + noise
    scores = pd.DataFrame({"item": items["item"], "judge": "j", "score": known + taste})
    return Ratings(items, table, "simulated"), scores


def test_a_judge_adds_what_people_share_with_it_beyond_author_and_words():
    found = find_added(*simulate(0, slope=1.0, groups=200))
    assert found.loc["j", "estimate"] == pytest.approx(1.0, abs=0.2)
    assert found.loc["j", "low"] > 0.7 and found.loc["a person", "low"] > 0
    per_point = find_added(*simulate(0, slope=1.0, groups=200), unit=1).loc["j"]
    assert per_point["estimate"] == pytest.approx(1.0, abs=0.1), "taste is a point of its scale"


def test_a_judge_that_knows_author_and_words_alone_adds_nothing_in_19_of_20_studies():
    missed = []
    for seed in range(40):
        row = find_added(*simulate(seed)).loc["j"]
        missed.append(not row["low"] <= 0 <= row["high"])
    assert np.mean(missed) <= 0.15, "a 95 % interval; of 40 studies, 6 at the most"


def test_scores_that_say_no_more_than_the_author_have_no_slope():
    data, scores = simulate(1)
    constant = data.items["writer"].map({"A": 1.0, "B": 2.0, "C": 3.0, "D": 4.0})
    found = find_added(data, scores.assign(score=constant.to_numpy()))
    assert np.isnan(found.loc["j", "estimate"]) and found.loc["j", "n"] == 0


def test_the_maximum_of_leads_that_are_one_needs_no_widening_and_of_strangers_nearly_bonferroni():
    rng = np.random.default_rng(0)
    left = rng.normal(size=(7, 20))
    single = stats.t.ppf(0.975, 19)
    bonferroni = stats.t.ppf(1 - 0.025 / 7, 19)
    same = intervals.find_max_t([[left[0]]] * 7)
    apart = intervals.find_max_t([[row] for row in left])
    assert same == pytest.approx(single, abs=0.03)
    assert bonferroni - 0.35 < apart <= bonferroni + 0.02
    assert intervals.find_max_t([[left[0]]]) == single
    other_groups = [[left[0]], [left[1][:10]]]
    assert intervals.find_max_t(other_groups) == stats.t.ppf(1 - 0.025 / 2, 9)
    shared = intervals.find_max_t([[row] for row in left], extra=1e6)
    assert shared == pytest.approx(single, abs=0.03), "what all share needs no widening"


def test_the_best_of_five_correlated_judges_is_covered_as_often_as_is_said():
    rng = np.random.default_rng(1)
    covered = []
    for _ in range(300):
        common = rng.normal(size=(12, 1))
        values = common + 0.5 * rng.normal(size=(12, 5))  # of 12 groups, true means 0
        mean = values.mean(axis=0)
        left = [[(values.sum(axis=0)[k] - values[:, k]) / 11] for k in range(5)]
        critical = intervals.find_max_t(left, draws=5_000)
        error = values.std(axis=0, ddof=1) / np.sqrt(12)
        covered.append((np.abs(mean) <= critical * error).all())
    assert 0.91 <= np.mean(covered) <= 0.98
