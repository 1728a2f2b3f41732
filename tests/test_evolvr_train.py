"""Evaluators: folds that leak nothing, known correlations, and the inference protocol."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold

from helpers.evolvr import compare as ec
from helpers.evolvr import pairwise as evolvr_pairs
from helpers.evolvr import protocol as ep
from helpers.evolvr import train as et

PROMPTS = np.tile(np.arange(24), 5)
SYSTEMS = np.repeat(np.arange(5), 24)


def world(seed=0, signal=1.0):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(120, 8))
    return features, np.stack(
        [3 + signal * features[:, 0] + rng.normal(0, 0.5, 120) for _ in range(6)]
    )


@pytest.mark.parametrize("by", ["prompt", "system", "both"])
def test_folds_test_every_story_once_and_never_train_on_its_group(by):
    tested = np.concatenate([test for _, test in et.folds(PROMPTS, SYSTEMS, by, 4)])
    assert sorted(tested) == list(range(120))
    for train, test in et.folds(PROMPTS, SYSTEMS, by, 4):
        if by in ("prompt", "both"):
            assert not set(PROMPTS[train]) & set(PROMPTS[test])
        if by in ("system", "both"):
            assert not set(SYSTEMS[train]) & set(SYSTEMS[test])


def test_folds_refuse_another_word():
    with pytest.raises(ValueError, match="prompt, system or both"):
        et.folds(PROMPTS, SYSTEMS, "story")


def within(predicted, y):
    return ec.correlate(ec.centre(predicted), ec.centre(y))(np.arange(y.shape[1]))


def test_prediction_finds_signal_and_not_noise():
    x, y = world()
    splits = et.folds(PROMPTS, SYSTEMS, "prompt")
    assert within(et.predict_out_of_fold(x, y, splits, PROMPTS), y) > 0.7
    noise = y[:, np.random.default_rng(9).permutation(120)]
    # out of fold it tends below 0
    assert within(et.predict_out_of_fold(x, noise, splits, PROMPTS), noise) < 0.2


def test_the_penalty_is_small_for_signal_and_the_largest_for_noise():
    x, y = world()
    noise = np.random.default_rng(3).normal(size=y.shape)
    assert (
        et.fit_ridge(x, y.T, PROMPTS).alpha <= 100
        and et.fit_ridge(x, noise.T, PROMPTS).alpha >= 1000
    )


def test_the_penalty_is_that_of_a_search_over_the_same_folds():
    x, y = world(signal=0.3)
    search = GridSearchCV(
        Ridge(), {"alpha": et.ALPHAS}, scoring="neg_mean_squared_error", cv=GroupKFold(4)
    )
    assert (
        et.fit_ridge(x, y.T, PROMPTS).alpha
        == search.fit(x, y.T, groups=PROMPTS).best_params_["alpha"]
    )


def test_nan_is_refused():
    x, y = world()
    x[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        et.predict_out_of_fold(x, y, et.folds(PROMPTS, SYSTEMS, "prompt"), PROMPTS)


def test_normal_scores_stay_bounded_for_unseen_extremes():
    scores = et.NormalScores().fit(np.arange(50.0)[:, None])
    assert np.abs(scores.transform(np.array([[-1e9], [1e9], [25.0]]))).max() <= 2.5
    assert scores.transform(np.array([[24.5]]))[0, 0] == pytest.approx(0, abs=0.05)


def test_correlations_are_those_of_numpy_and_a_constant_has_none():
    x, y = world()
    prediction, some = y + np.random.default_rng(1).normal(size=y.shape), np.arange(0, 120, 2)
    assert ec.correlate(prediction, y)(some) == pytest.approx(
        np.corrcoef(prediction[:, some].ravel(), y[:, some].ravel())[0, 1]
    )
    assert np.isnan(ec.correlate(np.full(y.shape, 2.0), y)(some))
    found = ec.compare({"noisy": prediction}, y, PROMPTS).loc["noisy"]
    assert found["low"] < found["estimate"] < found["high"] and found["n"] == 24
    assert ec.compare({"noisy": prediction}, y, PROMPTS, SYSTEMS).loc["noisy", "n"] == 5


def test_knowing_the_writer_is_worth_nothing_once_writers_means_are_away():
    y = np.random.default_rng(0).normal(size=(6, 120)) + 3 * SYSTEMS
    by_writer = et.group_means(y, et.folds(PROMPTS, SYSTEMS, "prompt"), SYSTEMS)
    assert ec.correlate(by_writer, y)(np.arange(120)) > 0.8
    assert ec.correlate(ec.centre(by_writer, SYSTEMS), ec.centre(y, SYSTEMS))(np.arange(120)) < 0.1


def test_all_pairs_of_a_prompt_and_none_of_a_story_with_itself():
    a, b = evolvr_pairs.pair_up(PROMPTS)
    assert (a != b).all() and (PROMPTS[a] == PROMPTS[b]).all() and len(a) == 24 * 5 * 4


def test_seeing_both_stories_helps_where_features_are_shifted_by_prompt_and_not_elsewhere():
    x, y = world()
    (a, b), splits = evolvr_pairs.pair_up(PROMPTS), et.folds(PROMPTS, SYSTEMS, "prompt")
    shifted = x + 2 * np.random.default_rng(1).normal(size=(24, 8))[PROMPTS]
    gains = []
    for features in (x, shifted):
        said = {
            name: evolvr_pairs.predict_differences(features, y, PROMPTS, splits, model)
            for name, model in (("one", et.RankRidge), ("two", evolvr_pairs.PairRidge))
        }
        gains.append(ec.compare(said, y[:, a] - y[:, b], PROMPTS[a], against="one").loc["two"])
    assert gains[0]["high"] < 0.05 < gains[1]["low"]


def test_products_are_used_where_they_help():
    x, y = world()
    curved = np.stack([x[:, 0] ** 2] * 6)
    assert evolvr_pairs.PairRidge().fit(x, curved.T, PROMPTS).products
    assert not evolvr_pairs.PairRidge().fit(x, y.T, PROMPTS).products


def test_a_pair_in_the_other_order_has_the_opposite_difference():
    x, y = world()
    model = evolvr_pairs.PairRidge().fit(x, y.T, PROMPTS)
    middle = model.model.intercept_
    assert model.differences(x[:5], x[5:10]) - middle == pytest.approx(
        -(model.differences(x[5:10], x[:5]) - middle)
    )


def test_protocol_averaging_helps_a_whimsical_judge_and_one_list_does_not():
    _, y = world()
    curves = ep.vary_partners(np.clip(y, 1, 5), y, (1.5,), (1, 16), 0)
    assert curves["averaged", 1.5][16] > curves["averaged", 1.5][1] + 0.05
    assert abs(curves["one list", 1.5][16] - curves["one list", 1.5][1]) < 0.06
    assert ep.partner_scores(y, 4, 1.0, np.random.default_rng(0)).shape == (8, 6, 120)
    with pytest.raises(ValueError, match="partners"):
        ep.partner_scores(y, 120, 1.0, np.random.default_rng(0))


def test_beside_a_better_partner_a_story_gets_less():
    quality = np.array([[2.0, 4.0]])
    assert ep.partner_scores(quality, 1, 0.0, np.random.default_rng(0), contrast=0.5)[
        :, 0
    ].tolist() == [[1, 5], [1, 5]]


def test_f1_definitions_by_hand():
    same = ep.f1_definitions([1, 3, 5], [1, 3, 5])
    assert set(same.values()) == {1.0}
    assert ep.f1_definitions([2, 3, 5], [1, 3, 5])["five classes, micro"] == pytest.approx(2 / 3)


def test_best_of_n_grows_with_n_for_a_perfect_reward():
    quality = np.random.default_rng(0).normal(size=(200, 8))
    chosen = ep.rerank(quality, quality, np.random.default_rng(1))
    assert [round(q.mean(), 1) for q in chosen.values()] == sorted(
        round(q.mean(), 1) for q in chosen.values()
    )
    assert (chosen[8] == quality.max(axis=1)).all()
    with pytest.raises(ValueError, match="best of"):
        ep.rerank(quality, quality, np.random.default_rng(1), sizes=(9,))


def test_whole_scores_use_the_scale_where_a_plain_ridge_does_not():
    x, y = world(signal=0.6)
    y, splits = np.clip(y, 1, 5), et.folds(PROMPTS, SYSTEMS, "prompt")
    whole = et.predict_out_of_fold(x, y, splits, PROMPTS, whole=True)
    plain = et.round_scores(et.predict_out_of_fold(x, y, splits, PROMPTS))
    assert set(np.unique(whole)) <= {1, 2, 3, 4, 5} and whole.std() > plain.std()
    assert et.round_scores([0.2, 2.5, 9]).tolist() == [1, 3, 5]
