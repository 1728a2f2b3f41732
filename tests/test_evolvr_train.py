"""Evaluators: folds that leak nothing, predictions that saw no test row, and the inference
protocol."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold

from helpers.evolvr import protocol as ep
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


def test_whole_scores_have_the_spread_of_the_ratings():
    assert ep.round_scores([0.2, 2.5, 3.49, 9]).tolist() == [1, 3, 3, 5]
    rng = np.random.default_rng(3)
    target, said = rng.normal(3, 1.2, (400, 2)), rng.normal(2.5, 0.3, (400, 2))
    found = ep.to_whole_scores(said, target)
    for k in range(2):
        z = (said[:, k] - said[:, k].mean()) / said[:, k].std()
        expected = ep.round_scores(target[:, k].mean() + z * target[:, k].std())
        assert found[:, k].tolist() == expected.tolist()


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


def test_beside_a_better_partner_a_story_gets_less():
    quality = np.array([[1.4, 4.4], [2.0, 3.0]])
    shown = ep.partner_scores(quality, 1, 0.0, np.random.default_rng(0))
    # 1.4 - .2 * 3 = .8, and 4.4 + .6 = 5
    assert shown.tolist() == [[[1, 5], [2, 3]]] * 2
    flat = np.full((6, 2000), 3.0)
    whims = ep.partner_scores(flat, 3, 0.8, np.random.default_rng(0))
    assert [whims.mean(), whims.std()] == pytest.approx([3, np.sqrt(0.64 + 1 / 12)], abs=0.02)
    assert len(whims) == 6


def test_averaging_helps_a_whimsical_judge_and_one_list_does_not():
    _, y = world()
    quality = np.clip(y, 1, 5)
    curves, noisy = (ep.vary_partners(quality, y, noise, (1, 16), 0) for noise in (0.5, 1.5))
    rise = noisy.loc[16] - noisy.loc[1]
    assert rise["averaged"] > 0.05 > abs(rise["one list"])
    scores = ep.partner_scores(quality, 16, 0.5, np.random.default_rng(0))
    mean, each = scores.mean(axis=0), np.repeat(y[None], 32, axis=0)
    for way, said, true in (("averaged", mean, y), ("one list", scores, each)):
        r = np.corrcoef(said.ravel(), true.ravel())[0, 1]
        assert curves[way][16] == pytest.approx(r)


def test_rewards_fall_with_the_errors_of_both_stories():
    found = ep.exponential_reward([[3, 4], [1, 4], [1, 5]], [[3, 4], [3, 4], [3, 4]])
    assert found == pytest.approx([1, np.exp(-1), np.exp(-1.5)])
