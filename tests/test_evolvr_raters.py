"""Raters, agreement and ceilings: known answers, and recovery of a simulated truth."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from goodjudge.stats.severity import find_severity, remove_severity

from helpers.evolvr import agreement as ag
from helpers.evolvr import load, raters, vary

PROMPTS = np.repeat(np.arange(60), 10)
OFFSETS = np.array([-1.0, 0.5, 1.5, -0.5, 0.0])


def simulate(seed, severe=1.0, quality=0.7, noise=0.8):
    """Return (arrays, who, true quality): five raters, three per story, of known severity."""
    rng = np.random.default_rng(seed)
    truth = 3 + rng.normal(0, quality, (6, len(PROMPTS)))
    often = [0.35, 0.3, 0.2, 0.1, 0.05]
    who = np.array([rng.choice(5, 3, replace=False, p=often) for _ in PROMPTS])
    x = truth[..., None] + severe * OFFSETS[who] + rng.normal(0, noise, (6, *who.shape))
    return x, np.char.add("r", who.astype(str)), truth


def as_ratings(x, who, writers="s"):
    """Return arrays (aspects x stories x 3) as `Ratings`."""
    rows = []
    for story, slot in np.ndindex(who.shape):
        rows.append([story, who[story, slot], slot + 1, 60.0 + 10 * slot, *x[:, story, slot]])
    names = ["item", "rater", "slot", "seconds", *load.ASPECTS]
    count = len(who)
    items = pd.DataFrame({"item": range(count), "group": PROMPTS[:count]})
    items["writer"] = np.resize(writers, len(PROMPTS))[:count]
    items["words"] = range(count)
    return load.to_ratings(items, pd.DataFrame(rows, columns=names))


def without_severity(x, who):
    """Return the arrays less each rater's severity."""
    return load.rating_array(remove_severity(as_ratings(x, who)))[0]


def test_agreement_index_by_hand():
    assert ag.agreement_index([[1, 1, 1], [5, 5, 5]]) == 1.0
    assert ag.agreement_index([[1, 3, 5]]) == pytest.approx(1 / (1 + np.sqrt(8 / 3)))
    two = [[1, 3, np.nan], [1, np.nan, np.nan], [2, 2, 2]]
    assert ag.agreement_index(two) == pytest.approx(1 / 1.5)
    assert ag.agreement_index([[[1, 3]], [[1, 5]]]).tolist() == [1 / 2, 1 / 3]


def test_pairs_of_a_prompt_and_differences_of_one_rater_wherever_the_slot():
    a, b = ag.pair_up([7, 8, 7, 7])
    assert list(zip(a, b)) == [(0, 2), (0, 3), (2, 0), (2, 3), (3, 0), (3, 2)]
    arrays = np.array([[[1.0, 2, 3], [5, 4, 3]]])
    who = np.array([["x", "y", "z"], ["z", "x", "w"]])
    found = ag.same_rater_differences(arrays, who, np.array([0]), np.array([1]))
    assert found[0, 0, [0, 2]].tolist() == [1 - 4, 3 - 5] and np.isnan(found[0, 0, 1])


def two_raters(ratings):
    """Return r over all ordered pairs of raters of an item (ratings: items x 3)."""
    pairs = np.concatenate([ratings[:, two] for two in permutations(range(3), 2)])
    known = ~np.isnan(pairs).any(axis=1)
    return np.corrcoef(pairs[known].T)[0, 1]


def test_ratings_are_arrays_again_in_any_order():
    x, who, _ = simulate(0)
    data = as_ratings(x, who)
    mixed = data._replace(ratings=data.ratings.sample(frac=1, random_state=0))
    found, names = load.rating_array(mixed)
    assert (found == x).all() and (names == who).all()


def test_variances_are_those_of_the_simulation():
    x, who, _ = simulate(0)
    found = raters.variances(as_ratings(x, who))
    assert list(found.index) == list(load.ASPECTS)
    assert found["stories"].to_numpy() == pytest.approx(np.full(6, 0.49), abs=0.12)
    assert found["rest"].to_numpy() == pytest.approx(np.full(6, 0.64), abs=0.06)
    # rest: the residual variance of story + rater, by its own degrees of freedom
    ratings, _ = find_severity(as_ratings(x, who))
    ratings["score"] += ratings["severity"]
    free = load.rating_array(as_ratings(x, who)._replace(ratings=ratings))[0]
    squares = ((free[1] - free[1].mean(axis=1, keepdims=True)) ** 2).sum()
    within, mean = x[1].var(axis=1, ddof=1).mean(), free[1].mean(axis=1).var(ddof=1)
    rest, rated = squares / (3 * 600 - 600 - 5 + 1), x[1].mean(axis=1).var(ddof=1)
    by_hand = [mean - rest / 3, within - rest, rest, rated, mean]
    assert found.loc["Coherence"].tolist() == pytest.approx(by_hand)


def test_the_ceiling_is_the_correlation_of_the_truth():
    kinds, wrong = ["as rated", "severity removed"], []
    for seed in range(4):
        x, who, truth = simulate(seed)
        truth += np.arange(6)[:, None] / 3
        x += np.arange(6)[:, None, None] / 3
        found = raters.ceilings(as_ratings(x, who))
        views = (x, without_severity(x, who))
        true = [np.corrcoef(truth.ravel(), view.mean(axis=2).ravel())[0, 1] for view in views]
        wrong.append(found.loc[kinds, "estimate"].to_numpy() - true)
        assert (found["low"] < found["estimate"]).all() and found["n"].tolist() == [60, 60]
        assert found["estimate"].iloc[0] < found["estimate"].iloc[1] - 0.015
    assert np.mean(wrong, axis=0) == pytest.approx([0, 0], abs=0.01)


def list_rated_singly(free, who):
    """Return (one, other, prompts): x's first minus y's second story and y's first minus x's second
    (each pairs x aspects), for all stories of a prompt and all raters of both, pair by pair."""
    one, other, prompts = [], [], []
    for prompt in np.unique(PROMPTS):
        for first, second in permutations(np.flatnonzero(PROMPTS == prompt), 2):
            a, b = (dict(zip(who[at], free[:, at].T)) for at in (first, second))
            both = [name for name in who[first] if name in b]
            one += [a[x] - b[y] for x, y in permutations(both, 2)]
            other += [a[y] - b[x] for x, y in permutations(both, 2)]
            prompts += [prompt] * (len(one) - len(prompts))
    return np.array(one), np.array(other), np.array(prompts)


def test_comparing_adds_nothing_to_single_ratings_of_the_same_stories_without_severity():
    x, who, _ = simulate(8, severe=2)
    between, change = raters.about_pairs(as_ratings(x, who))
    free, (a, b) = without_severity(x, who), ag.pair_up(PROMPTS)
    pairs = ag.same_rater_differences(x, who, a, b)
    views = dict(zip([*raters.ONE, raters.TWO[1]], (x, free, pairs)))
    by_hand = {view: [two_raters(part) for part in ratings] for view, ratings in views.items()}
    one, other, prompts = list_rated_singly(free, who)
    by_hand[raters.TWO[0]] = [np.corrcoef(x, y)[0, 1] for x, y in zip(one.T, other.T)]
    for view, r in by_hand.items():
        found = between.xs(view, level=1)["estimate"]
        assert found.to_numpy() == pytest.approx([*r, np.mean(r)], abs=1e-4)
    gap = np.subtract(*(by_hand[view] for view in raters.TWO[::-1]))
    assert change["estimate"].to_numpy() == pytest.approx([*gap, gap.mean()], abs=1e-4)
    assert list(change.index) == [*load.ASPECTS, "mean of all six"] and (between["n"] == 60).all()
    assert change.loc["mean of all six", "low"] < 0 < change.loc["mean of all six", "high"]
    # an interval of the change, by leaving out prompts one at a time
    at, left = PROMPTS[a], []
    for out in range(60):
        kept = prompts != out
        singly = np.corrcoef(one[kept, 0], other[kept, 0])[0, 1]
        left.append(two_raters(pairs[0, at != out]) - singly)
    spread = np.sqrt(59 / 60 * ((np.array(left) - np.mean(left)) ** 2).sum())
    row = change.loc["Relevance"]
    assert row["high"] - row["estimate"] == pytest.approx(2.001 * spread, rel=1e-3)


def test_comparing_gains_where_each_rater_has_a_mood_for_each_prompt():
    x, who, _ = simulate(9)
    mood = np.random.default_rng(3).normal(0, 1, (60, 5))
    number = np.unique(who, return_inverse=True)[1].reshape(who.shape)
    change = raters.about_pairs(as_ratings(x + mood[PROMPTS[:, None], number], who))[1]
    assert change["low"].min() > 0.1


def test_r_over_pairs_and_without_each_group():
    rng = np.random.default_rng(0)
    x, y, groups = rng.normal(size=(30, 2)), rng.normal(size=(30, 2)), np.arange(30) % 5
    x[3, 1] = np.nan
    found = raters.correlate(x, y, groups)
    for name, r in zip([None, *range(5)], found):
        there = ~np.isnan(x) & (groups != name)[:, None]
        assert r == pytest.approx(np.corrcoef(x[there], y[there])[0, 1])
    row, gap = raters.to_row(found), raters.to_row(found, None)
    assert row["estimate"] == pytest.approx(gap["estimate"]) == pytest.approx(found[0])
    assert row["n"] == gap["n"] == 5 and row["low"] > gap["low"]


def test_without_one_raters_marks_only_pairs_of_the_others_count():
    x, who, _ = simulate(3)
    free = without_severity(x, who)
    whole = vary.find_gain(x, free, who, PROMPTS)
    change = raters.about_pairs(as_ratings(x, who))[1].loc["mean of all six"]
    assert vary.to_row(whole).to_numpy() == pytest.approx(change.to_numpy(float))
    parts = vary.leave_out(x, free, who, "r0")
    assert all((np.isnan(part) == (who == "r0")).all() for part in parts)
    left = vary.find_gain(*parts, who, PROMPTS).whole
    assert left != pytest.approx(whole.whole, abs=1e-6)
    noise = np.where(who == "r0", 100 * np.random.default_rng(0).normal(size=x.shape), x)
    again = vary.find_gain(*vary.leave_out(noise, free, who, "r0"), who, PROMPTS).whole
    assert again == pytest.approx(left)  # what this rater said no longer matters
