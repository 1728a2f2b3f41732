"""Who may know the very ratings: judges made of them are found, honest ones are left alone."""

import numpy as np
import pytest
from goodjudge.diagnostics import copies
from studies import judge_of, make

ITEMS = 120


def draw(seed, raters=4, noise=1.0):
    """Return (Ratings on a scale of 1 to 7, true quality, a random generator)."""
    rng = np.random.default_rng(seed)
    true = rng.normal(size=ITEMS)
    score = to_scale(true[:, None] + noise * rng.normal(size=(ITEMS, raters)))
    return make(score, np.arange(ITEMS) // 2), true, rng


def to_scale(values):
    """Return values as whole points of 1 to 7."""
    return np.clip(np.round(4 + 1.2 * values), 1, 7)


def average(data, raters=None):
    """Return the mean rating of each item, by some raters or all."""
    table = data.ratings
    if raters is not None:
        table = table[table["rater"].isin(raters)]
    return table.groupby("item")["score"].mean().to_numpy()


@pytest.mark.parametrize("seed", range(4))
def test_who_has_memorised_half_of_the_means_is_seen(seed):
    data, _, rng = draw(seed)
    half = rng.permutation(ITEMS) % 2 == 0
    noise = to_scale(rng.normal(size=ITEMS))
    exact = judge_of(np.where(half, np.round(average(data), 2), noise))
    rounded = judge_of(np.where(half, np.round(average(data)), noise))
    hits, expected, _ = copies.find_heap(data, exact, "j")
    assert hits > 0.45 > 0.2 > expected
    assert copies.find_heap(data, rounded, "j") is not None


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_who_reads_makes_one_heap_and_is_no_copy_of_two(seed, noise):
    data, true, rng = draw(seed)
    scores = judge_of(to_scale(true + noise * rng.normal(size=ITEMS)))
    assert copies.find_heap(data, scores, "j") is None
    assert copies.find_copied_pair(data, scores, "j") == ()


@pytest.mark.parametrize("seed", range(4))
def test_the_mean_of_two_raters_is_a_copy_of_both(seed):
    data, _, rng = draw(seed)
    scores = judge_of(np.round(average(data, [0, 2]) + 0.3 * rng.normal(size=ITEMS)))
    assert copies.find_copied_pair(data, scores, "j") == (0, 2)


def test_who_knows_both_tastes_of_two_camps_is_no_copy_of_one_of_each():
    rng = np.random.default_rng(2)
    tastes = rng.normal(size=(ITEMS, 2))
    score = tastes[:, [0, 1, 0, 1, 0, 1]] + 0.6 * rng.normal(size=(ITEMS, 6))
    assert copies.find_copied_pair(make(score), judge_of(tastes.sum(axis=1)), "j") == ()


@pytest.mark.parametrize(
    ("first", "second", "common"), [(1, 0.25, 0.25), (0.2, 0.25, 0.05), (1, 1 / 3, 1 / 3)]
)
def test_distances_lie_a_common_step_apart(first, second, common):
    assert copies.find_common_step(first, second) == pytest.approx(common)


def test_yes_and_no_and_few_items_have_no_heap():
    data, true, _ = draw(1)
    yes = data._replace(ratings=data.ratings.assign(score=data.ratings["score"] > 4))
    assert copies.find_heap(yes, judge_of((true > 0).astype(float)), "j") is None
    few = data._replace(ratings=data.ratings[data.ratings["item"] < 15])
    assert copies.find_heap(few, judge_of(average(data)), "j") is None
