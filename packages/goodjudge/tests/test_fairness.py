"""Planted unfairness is found where it is, and only as often as chance where there is none."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.data.ratings import Ratings
from goodjudge.diagnostics import fairness


def draw_study(rng, kind_to=0.0, deaf_to="", groups=30, raters=3):
    """Return (Ratings, scores of a judge "j") of four writers in each group, rated on two aspects.

    kind_to: how much more the judge gives to writer A; deaf_to: a writer among whose items it does
    not follow people.
    """
    items = pd.DataFrame({"item": np.arange(4 * groups), "group": np.arange(4 * groups) // 4})
    items["writer"] = np.tile([*"ABCD"], groups)
    items["words"] = rng.integers(100, 900, len(items))
    quality = rng.normal(size=len(items)) + items["writer"].map({"A": 1, "B": 0, "C": 0, "D": -1})
    rows = []
    for rater in range(raters):
        for aspect in ("x", "y"):
            score = quality + 0.5 * rng.normal(size=len(items))
            rows.append(items[["item"]].assign(rater=rater, aspect=aspect, score=score))
    heard = np.where(items["writer"] == deaf_to, quality.mean(), quality)
    noise = 0.5 + 0.8 * (items["writer"] == deaf_to)
    score = heard + noise * rng.normal(size=len(items)) + kind_to * (items["writer"] == "A")
    scores = pd.DataFrame({"item": items["item"], "judge": "j", "score": score.clip(-3.5, 3.5)})
    return Ratings(items, pd.concat(rows), "simulated"), scores


def compare(rng, factors, **planted):
    """Return (cases, factors compared) of a study with something planted."""
    cases = fairness.list_cases(*draw_study(rng, **planted), "j")
    return cases, fairness.compare_factors(cases, rng, factors)


def test_a_judge_that_is_kind_to_one_writer_is_found_out(rng):
    cases, compared = compare(rng, ["writer", "length", "aspect"], kind_to=1.0)
    p = compared["p corrected"]
    leniency = fairness.rate_levels(cases, "writer")
    others = leniency["estimate"].drop("A").mean()
    assert p["writer"] < 0.02
    assert p["length"] > 0.05
    assert leniency.loc["A", "estimate"] - others == pytest.approx(1.0, abs=0.25)
    assert leniency.loc["A", "low"] > 0


@pytest.mark.parametrize("factor", ["writer", "group"])
def test_where_nothing_is_planted_p_is_small_as_seldom_as_it_should_be(factor):
    rng = np.random.default_rng(3)
    small = []
    for _ in range(15):
        cases = fairness.list_cases(*draw_study(rng, groups=12), "j")
        small.append(fairness.find_p(cases, factor, rng) < 0.1)
    assert np.sum(small) <= 5, "15 studies at 10 %: 1.5, and 5 at most in 99.8 of 100"


def test_levels_that_do_not_differ_are_shrunk_together_and_true_ones_stay():
    raw = np.linspace(-1, 1, 21)
    alike = pd.DataFrame({"raw": 0.1 * raw, "variance": 0.04, "n": 9})
    apart = pd.DataFrame({"raw": 2.0 * raw, "variance": 0.04, "n": 9})
    together = fairness.shrink_to_mean(alike, 0.95)
    stays = fairness.shrink_to_mean(apart, 0.95)
    assert np.ptp(together["estimate"]) == pytest.approx(0.2 * (1 - 18 / 20))
    assert np.ptp(stays["estimate"]) == pytest.approx(4, rel=0.03)


def test_of_three_levels_nothing_is_learnt_about_their_spread():
    three = pd.DataFrame({"raw": [0.1, -0.1, 0.05], "variance": 0.04, "n": 9})
    shrunk = fairness.shrink_to_mean(three, 0.95)
    assert shrunk["estimate"].tolist() == three["raw"].tolist()


def test_the_intervals_of_shrunk_levels_cover_the_true_values(rng):
    covered = []
    for _ in range(300):
        true = 0.5 * rng.normal(size=8)
        variance = rng.uniform(0.05, 0.4, size=8)
        raw = true + np.sqrt(variance) * rng.normal(size=8)
        table = pd.DataFrame({"raw": raw, "variance": variance, "n": 9})
        shrunk = fairness.shrink_to_mean(table, 0.95)
        covered.append((shrunk["low"] <= true) & (true <= shrunk["high"]))
    assert np.mean(covered) == pytest.approx(0.95, abs=0.02)


def test_p_values_are_corrected_by_holm():
    assert fairness.correct_by_holm(np.array([0.01, 0.04, 0.03])).tolist() == pytest.approx(
        [0.03, 0.06, 0.06]
    )
