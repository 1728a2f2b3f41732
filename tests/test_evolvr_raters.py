"""Raters, agreement and ceilings: known answers, and recovery of a simulated truth."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.stats.severity import find_severity, remove_severity

from helpers.evolvr import agreement as ag
from helpers.evolvr import load, raters

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
