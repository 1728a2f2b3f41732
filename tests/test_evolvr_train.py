"""Evaluators: folds that leak nothing, known correlations, and the inference protocol."""

import numpy as np
import pytest

from helpers.evolvr import pairwise as evolvr_pairs
from helpers.evolvr import protocol as ep
from helpers.evolvr import train as et

PROMPTS = np.tile(np.arange(24), 5)
SYSTEMS = np.repeat(np.arange(5), 24)


def world(seed=0, signal=1.0):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(120, 8))
    return features, np.stack([3 + signal * features[:, 0] + rng.normal(0, 0.5, 120) for _ in range(6)])


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


def test_prediction_finds_signal_and_not_noise():
    x, y = world()
    splits = et.folds(PROMPTS, SYSTEMS, "prompt")
    assert et.measure(et.predict_out_of_fold(x, y, splits, lambda: et.rank_ridge(10)), y)["within"] > 0.7
    rng = np.random.default_rng(9)
    shuffled = y[:, rng.permutation(120)]
    assert (
        et.measure(et.predict_out_of_fold(x, shuffled, splits), shuffled)["within"] < 0.2
    )  # noise out of fold tends below 0


def test_nan_is_refused():
    x, y = world()
    x[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        et.predict_out_of_fold(x, y, et.folds(PROMPTS, SYSTEMS, "prompt"))


def test_normal_scores_stay_bounded_for_unseen_extremes():
    scores = et.NormalScores().fit(np.arange(50.0)[:, None])
    assert np.abs(scores.transform(np.array([[-1e9], [1e9], [25.0]]))).max() <= 2.5
    assert scores.transform(np.array([[24.5]]))[0, 0] == pytest.approx(0, abs=0.05)


def test_bootstrap_correlations_are_those_of_numpy():
    x, y = world()
    prediction = y + np.random.default_rng(1).normal(size=y.shape)
    every = et.sums(prediction, y, PROMPTS).sum(axis=0)
    assert et.correlation_of(every[None])[0] == pytest.approx(np.corrcoef(prediction.ravel(), y.ravel())[0, 1])
    draws = et.bootstrap_prompts(prediction, y, PROMPTS, np.random.default_rng(0), 200)
    assert draws["pearson"].quantile(0.025) < et.measure(prediction, y)["pearson"] < draws["pearson"].quantile(0.975)


def test_random_pairs_never_pair_a_story_with_itself():
    for within in (True, False):
        a, b = evolvr_pairs.random_pairs(PROMPTS, 500, np.random.default_rng(0), within)
        assert (a != b).all() and (not within or (PROMPTS[a] == PROMPTS[b]).all())


def test_pairwise_training_matches_pointwise_on_a_linear_world():
    x, y = world()
    train, test = et.folds(PROMPTS, SYSTEMS, "prompt")[0]
    pair = evolvr_pairs.PairwiseRidge(alpha=10, prompts=PROMPTS[train]).fit(x[train], y[:, train].T)
    assert np.corrcoef(pair.predict(x[test])[:, 0], y[0, test])[0, 1] > 0.7


def test_protocol_averaging_helps_a_whimsical_judge_and_one_list_does_not():
    x, y = world()
    model = evolvr_pairs.PairwiseRidge(alpha=10).fit(x[:60], y[:, :60].T)
    judge = ep.with_whims(model, 1.5, np.random.default_rng(0))
    few, many = (
        ep.both_ways(ep.partner_scores(judge, x[60:], n, np.random.default_rng(0)), y[:, 60:]) for n in (1, 16)
    )
    assert many["averaged"]["Pearson"] > few["averaged"]["Pearson"] + 0.05
    assert abs(many["one list"]["Pearson"] - few["one list"]["Pearson"]) < 0.06
    scores = ep.partner_scores(judge, x[60:], 4, np.random.default_rng(0))
    assert scores.shape == (8, 6, 60)
    with pytest.raises(ValueError, match="partners"):
        ep.partner_scores(judge, x[60:], 60, np.random.default_rng(0))


def test_f1_definitions_and_win_rate_by_hand():
    same = ep.f1_definitions([1, 3, 5], [1, 3, 5])
    assert set(same.values()) == {1.0}
    assert ep.f1_definitions([2, 3, 5], [1, 3, 5])["five classes, micro"] == pytest.approx(2 / 3)
    assert ep.win_rate([2, 1, 1], [1, 1, 2]) == 0.5


def test_best_of_n_grows_with_n_for_a_perfect_reward():
    quality = np.random.default_rng(0).normal(size=(200, 8))
    chosen = ep.rerank(quality, quality, np.random.default_rng(1))
    assert [round(q.mean(), 1) for q in chosen.values()] == sorted(round(q.mean(), 1) for q in chosen.values())
    assert (chosen[8] == quality.max(axis=1)).all()
    with pytest.raises(ValueError, match="best of"):
        ep.rerank(quality, quality, np.random.default_rng(1), sizes=(9,))


def test_whole_scores_use_the_scale_where_a_plain_ridge_does_not():
    x, y = world(signal=0.6)
    y = np.clip(y, 1, 5)
    splits = et.folds(PROMPTS, SYSTEMS, "prompt")
    whole = et.predict_whole(x, y, splits, lambda: et.rank_ridge(500))
    plain = et.round_scores(et.predict_out_of_fold(x, y, splits, lambda: et.rank_ridge(500)))
    assert set(np.unique(whole)) <= {1, 2, 3, 4, 5} and whole.std() > plain.std()
    assert et.round_scores([0.2, 2.5, 9]).tolist() == [1, 3, 5]


def test_boosted_trees_find_an_interaction_that_a_ridge_cannot():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 3))
    y = np.repeat((3 + np.sign(x[:, 0] * x[:, 1]) + rng.normal(0, 0.2, 120))[None], 2, axis=0)
    splits = et.folds(PROMPTS, SYSTEMS, "prompt", 4)
    trees = et.measure(et.predict_out_of_fold(x, y, splits, lambda: et.boosting(30)), y)["within"]
    assert trees > et.measure(et.predict_out_of_fold(x, y, splits, lambda: et.rank_ridge(10)), y)["within"] + 0.3
