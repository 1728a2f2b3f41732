"""Raters' severity: known ones come back, and what cannot be known is left alone."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.data import ratings
from goodjudge.stats import severity


def make(rows):
    """Return Ratings from (item, rater, score) rows; every item is its own group."""
    table = pd.DataFrame(rows, columns=["item", "rater", "score"])
    items = table[["item"]].drop_duplicates(ignore_index=True)
    return ratings.Ratings(items.assign(group=items["item"]), table, "simulated")


def test_a_rater_two_points_below_another_is_one_below_the_mean():
    rows = [("first", "Ann", 4), ("first", "Ben", 2), ("second", "Ann", 5), ("second", "Ben", 3)]
    table, _ = severity.find_severity(make(rows))
    by_rater = table.groupby("rater")["severity"].first()
    assert by_rater.to_dict() == {"Ann": -1, "Ben": 1}


@pytest.fixture
def two_circles():
    """Return 60 items: each is rated by two of a circle of raters (a, b, c or d, e), who differ in
    severity alone; the circles never meet."""
    rng, rows = np.random.default_rng(4), []
    severities = dict(zip("abcde", [1, 0, -2, -5, -9.0]))
    for item in range(60):
        circle = "abc" if item < 30 else "de"
        for rater in rng.permutation(list(circle))[:2]:
            rows.append((item, rater, item % 7 - severities[rater]))
    return make(rows)


def test_known_severities_come_back_and_circles_of_raters_are_kept_apart(two_circles):
    table, freedom = severity.find_severity(two_circles)
    found = table.drop_duplicates("rater").set_index("rater")["severity"]
    assert (found["a"] - found)[["b", "c"]].tolist() == pytest.approx([1, 3])
    assert found["d"] - found["e"] == pytest.approx(4)
    assert found["e"] < 0 < found["d"]
    assert abs(table["severity"].mean()) < 1e-8
    assert freedom == 120 - 60 - 5 + 2


def test_without_severity_two_raters_who_differ_in_nothing_else_agree(two_circles):
    free = severity.remove_severity(two_circles).ratings
    assert free.groupby("item")["score"].std().max() < 1e-6


def test_circles_that_never_meet_are_not_linked(two_circles):
    _, linked = severity.estimate_severity(two_circles)
    assert not linked
    assert severity.share_of_largest_circle(two_circles) == 0.5


@pytest.fixture
def busy_and_new():
    """Return Ratings of 30 items by two busy raters (severity -1 and 1) and of the first nine by a
    third (severity -5), with little noise."""
    rng = np.random.default_rng(6)
    rows = []
    for item in range(30):
        severities = {"busy": -1, "strict": 1}
        if item < 9:
            severities["new"] = -5
        for rater, points in severities.items():
            rows.append((item, rater, item % 5 - points + 0.1 * rng.normal()))
    return make(rows)


@pytest.mark.parametrize("correct", [severity.remove_severity, severity.adjust_raters])
def test_a_rater_of_few_items_is_left_as_he_or_she_is(busy_and_new, correct):
    before = busy_and_new.ratings.set_index(["rater", "item"])["score"]
    after = correct(busy_and_new).ratings.set_index(["rater", "item"])["score"]
    moved = (after - before).groupby("rater").mean()
    assert moved["new"] == pytest.approx(0, abs=1e-8)
    assert moved["strict"] - moved["busy"] == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize(("counts", "known"), [([20, 20], True), ([30, 15, 16], False)])
def test_severity_is_known_where_most_ratings_are_by_busy_raters(counts, known):
    rater = np.repeat(np.arange(len(counts)), counts)
    assert severity.know_severity(rater) is known
