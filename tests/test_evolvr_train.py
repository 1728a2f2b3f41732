"""Evaluators: folds that leak nothing, predictions that saw no test row, and the inference
protocol."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold

from helpers.evolvr import raters
from helpers.evolvr import train as et
from helpers.evolvr.agreement import pair_up

PROMPTS = np.tile(np.arange(24), 5)
WRITERS = np.repeat(list("abcde"), 24)
ITEMS = pd.DataFrame({"item": range(120), "group": PROMPTS, "writer": WRITERS})
SPLITS = et.folds(ITEMS)


def world(seed=0, signal=1.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(120, 8))
    return x, np.stack([3 + signal * x[:, 0] + rng.normal(0, 0.5, 120) for _ in range(6)])


@pytest.mark.parametrize("new_writers, parts", [(False, 4), (True, 20)])
def test_folds_test_every_story_once_and_train_on_all_of_other_groups(new_writers, parts):
    splits = et.folds(ITEMS, new_writers, 4)
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(120))
    assert len(splits) == parts and len(SPLITS) == 8
    for train, test in splits:
        other = ~np.isin(PROMPTS, PROMPTS[test])
        if new_writers:
            other &= ~np.isin(WRITERS, WRITERS[test])
        assert train.tolist() == np.flatnonzero(other).tolist()


@pytest.mark.parametrize("signal", [0.05, 1])
def test_predictions_are_those_of_a_ridge_whose_penalty_other_prompts_chose(signal):
    assert et.PENALTIES.tolist() == [1, 10, 100, 1000, 10_000, 100_000]
    x, y = world(signal=signal)
    x[:, 1] = 50 * x[:, 1] + 7  # units do not matter
    predicted = et.predict(x, y.T, SPLITS, PROMPTS)
    train, test = SPLITS[3]
    mean, sd, errors = x[train].mean(axis=0), x[train].std(axis=0), []
    z = (x - mean) / sd
    for alpha in et.PENALTIES:
        error = 0
        for inner, out in GroupKFold(4).split(train, groups=PROMPTS[train]):
            model = Ridge(alpha).fit(z[train[inner]], y.T[train[inner]])
            error += ((model.predict(z[train[out]]) - y.T[train[out]]) ** 2).mean()
        errors.append(error)
    best = Ridge(et.PENALTIES[int(np.argmin(errors))]).fit(z[train], y.T[train])
    assert predicted[test] == pytest.approx(best.predict(z[test]))
    # what a fold is tested on never reaches its model
    x[test], y[:, test] = x[test] + 3, -9
    assert et.predict(x, y.T, SPLITS, PROMPTS)[test] == pytest.approx(
        best.predict(z[test] + 3 / sd)
    )


def test_seeing_both_stories_helps_where_features_are_shifted_by_prompt_and_not_elsewhere():
    x, y = world()
    a, b = pair_up(PROMPTS)
    shifted = x + 2 * np.random.default_rng(1).normal(size=(24, 8))[PROMPTS]
    better, pairs, gains = (y[:, a] - y[:, b]).T, et.folds(ITEMS.iloc[a]), []
    for features in (x, shifted):
        single = et.predict(features, y.T, SPLITS, PROMPTS)
        apart = features[a] - features[b]
        both = et.predict(np.hstack([apart, np.sign(apart)]), better, pairs, PROMPTS[a])
        r = [raters.correlate(said, better, PROMPTS[a]) for said in (single[a] - single[b], both)]
        gains.append(raters.to_row(r[1] - r[0], None))
    assert gains[0]["high"] < 0.05 < gains[1]["low"]
