"""Evaluators: folds that leak nothing, known correlations, and the inference protocol."""

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold

from helpers.evolvr import compare as ec
from helpers.evolvr import pairwise as ew
from helpers.evolvr import protocol as ep
from helpers.evolvr import train as et
from helpers.evolvr.agreement import pair_up
from helpers.measures.intervals import over_groups, two_way

PROMPTS = np.tile(np.arange(24), 5)
SYSTEMS = np.repeat(np.arange(5), 24)
SPLITS = et.folds(PROMPTS, SYSTEMS, "prompt")


def world(seed=0, signal=1.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(120, 8))
    return x, np.stack([3 + signal * x[:, 0] + rng.normal(0, 0.5, 120) for _ in range(6)])


@pytest.mark.parametrize("by, parts", [("prompt", 4), ("system", 5), ("both", 20)])
def test_folds_test_every_story_once_and_train_on_all_of_other_groups(by, parts):
    splits = et.folds(PROMPTS, SYSTEMS, by, 4)
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(120))
    assert len(splits) == parts and len(SPLITS) == 8
    for train, test in splits:
        other = np.full(120, True)
        if by in ("prompt", "both"):
            other &= ~np.isin(PROMPTS, PROMPTS[test])
        if by in ("system", "both"):
            other &= ~np.isin(SYSTEMS, SYSTEMS[test])
        assert train.tolist() == np.flatnonzero(other).tolist()


def test_normal_scores_are_those_of_mid_ranks_and_bounded():
    train = np.array([[3.0, 1], [1, 1], [2, 1], [5, 0]])
    scores = et.NormalScores(train)
    # below k values and equal to t others: mid-rank (k + t / 2 + .5) / (n + 1)
    new = np.array([[2.5, 1], [2, 0], [0, 2], [1e9, -1e9]])
    ranks = np.array([[2.5, 3], [2, 1], [0.5, 4.5], [4.5, 0.5]]) / 5
    assert scores(new) == pytest.approx(stats.norm.ppf(ranks))
    many = et.NormalScores(np.arange(500.0)[:, None])
    assert many(np.array([[-1.0], [1e9]])).ravel().tolist() == [-2.5, 2.5]


def test_the_penalty_and_its_error_are_those_of_a_search_over_the_same_folds():
    assert et.ALPHAS.tolist() == [1, 10, 100, 1000, 10_000, 100_000]
    for signal in (0.05, 0.3, 1):
        x, y = world(signal=signal)
        how = {"scoring": "neg_mean_squared_error", "cv": GroupKFold(4)}
        search = GridSearchCV(Ridge(), {"alpha": et.ALPHAS}, **how).fit(x, y.T, groups=PROMPTS)
        found = et.fit_ridge(x, y.T, PROMPTS)
        assert found.alpha == search.best_params_["alpha"]
        assert found.error_ == pytest.approx(-search.best_score_ * y.size)
        assert found.coef_ == pytest.approx(search.best_estimator_.coef_)


def test_predictions_out_of_fold_are_those_of_a_loop():
    x, y = world()
    predicted = et.predict_out_of_fold(x, y, SPLITS, PROMPTS)
    train, test = SPLITS[3]
    z = et.NormalScores(x[train])
    ridge = et.fit_ridge(z(x[train]), y[:, train].T, PROMPTS[train])
    assert predicted[:, test] == pytest.approx(ridge.predict(z(x[test])).T)
    assert np.corrcoef(predicted.ravel(), y.ravel())[0, 1] > 0.75
    whole = et.predict_out_of_fold(x, y, SPLITS, PROMPTS, whole=True)
    known, new = (ridge.predict(z(x[rows])).T for rows in (train, test))
    assert whole[:, test].tolist() == et.in_whole_scores(new, known, y[:, train]).tolist()


def test_whole_scores_have_the_spread_of_the_training_scores():
    assert et.round_scores([0.2, 2.5, 3.49, 9]).tolist() == [1, 3, 3, 5]
    rng = np.random.default_rng(3)
    target, known = rng.normal(3, 1.2, (2, 400)), rng.normal(2.5, 0.3, (2, 400))
    new = rng.normal(2.5, 0.3, (2, 50))
    z = (new - known.mean(axis=1)[:, None]) / known.std(axis=1)[:, None]
    stretched = target.mean(axis=1)[:, None] + z * target.std(axis=1)[:, None]
    found = et.in_whole_scores(new, known, target)
    assert found.tolist() == et.round_scores(stretched).tolist()


def test_group_means_are_means_of_other_prompts():
    _, y = world()
    train, test = SPLITS[2]
    plain, by_writer = et.group_means(y, SPLITS), et.group_means(y, SPLITS, SYSTEMS)
    assert plain[4, test] == pytest.approx(np.full(len(test), y[4, train].mean()))
    story = test[1]
    same = [other for other in train if SYSTEMS[other] == SYSTEMS[story]]
    assert by_writer[4, story] == pytest.approx(y[4, same].mean())


def test_correlations_are_those_of_numpy_and_a_constant_has_none():
    x, y = world()
    prediction, some = y + np.random.default_rng(1).normal(size=y.shape), np.arange(0, 120, 2)
    known = np.corrcoef(prediction[:, some].ravel(), y[:, some].ravel())[0, 1]
    assert ec.correlate(prediction, y)(some) == pytest.approx(known)
    assert np.isnan(ec.correlate(np.full(y.shape, 2.0), y)(some))
    prediction[2, 10], there = np.nan, np.arange(720) != 2 * 120 + 10
    known = np.corrcoef(prediction.ravel()[there], y.ravel()[there])[0, 1]
    assert ec.correlate(prediction, y)(np.arange(120)) == pytest.approx(known)


def test_comparisons_have_the_intervals_that_fit_their_claim():
    _, y = world()
    rng = np.random.default_rng(1)
    near, far = (y + rng.normal(0, sd, y.shape) for sd in (0.5, 2))
    one, other = ec.correlate(near, y), ec.correlate(far, y)
    said = {"near": near, "far": far}
    found = ec.compare(said, y, PROMPTS).loc["near"].tolist()
    assert found == pytest.approx(over_groups(PROMPTS, one, scale="correlation").tolist())
    both = ec.compare(said, y, PROMPTS, SYSTEMS).loc["near"].tolist()
    assert both == pytest.approx(two_way(SYSTEMS, PROMPTS, one, scale="correlation").tolist())
    lead = ec.compare(said, y, PROMPTS, against="far")
    expected = over_groups(PROMPTS, lambda rows: one(rows) - other(rows)).tolist()
    assert list(lead.index) == ["near"] and lead.loc["near"].tolist() == pytest.approx(expected)


def test_means_are_taken_away_by_aspect_or_by_writer():
    y = np.random.default_rng(0).normal(size=(6, 120)) + 3 * SYSTEMS
    assert ec.centre(y)[2] == pytest.approx(y[2] - y[2].mean())
    mine = SYSTEMS == 3
    assert ec.centre(y, SYSTEMS)[2, mine] == pytest.approx(y[2, mine] - y[2, mine].mean())


def test_seeing_both_stories_helps_where_features_are_shifted_by_prompt_and_not_elsewhere():
    x, y = world()
    a, b = pair_up(PROMPTS)
    shifted = x + 2 * np.random.default_rng(1).normal(size=(24, 8))[PROMPTS]
    gains, models = [], {"one": et.RankRidge, "two": ew.PairRidge}
    for features in (x, shifted):
        parts = (features, y, PROMPTS, SPLITS)
        said = {name: ew.predict_differences(*parts, model) for name, model in models.items()}
        gains.append(ec.compare(said, y[:, a] - y[:, b], PROMPTS[a], against="one").loc["two"])
        alone = et.predict_out_of_fold(features, y, SPLITS, PROMPTS)
        assert said["one"] == pytest.approx(alone[:, a] - alone[:, b])
    assert gains[0]["high"] < 0.05 < gains[1]["low"]


def test_a_pair_is_seen_by_its_differences_and_products():
    x, y = world()
    model = ew.PairRidge().fit(x, y.T, PROMPTS)
    z = model.scale(x)
    p = model.main.transform(z) / model.main.transform(z).std(axis=0, ddof=1)
    a, b = 3, 9
    seen = model.view(z[[a]], z[[b]], True)[0]
    squares = [p[a, i] * p[a, j] - p[b, i] * p[b, j] for i in range(8) for j in range(i, 8)]
    across = [p[a, i] * p[b, j] - p[a, j] * p[b, i] for i in range(8) for j in range(i + 1, 8)]
    assert seen == pytest.approx([*(z[a] - z[b]), *squares, *across])
    assert (model.view(z, z[::-1], False) == z - z[::-1]).all()


def test_products_are_used_where_they_help_and_partners_are_four(monkeypatch):
    x, y = world()
    curved = np.stack([x[:, 0] ** 2] * 6)
    assert ew.PairRidge().fit(x, curved.T, PROMPTS).products
    plain = ew.PairRidge().fit(x, y.T, PROMPTS)
    assert not plain.products
    z = plain.scale(x)
    rows, fit = [], et.fit_ridge
    monkeypatch.setattr(ew, "fit_ridge", lambda x, y, g: rows.append((x, y)) or fit(x, y, g))
    ew.PairRidge().fit(x, y.T, np.tile(np.arange(20), 6))
    assert [part.shape for part, _ in rows] == [(480, 8), (480, 8 + 36 + 28)]
    # four partners of each of six stories: every row is a difference of two stories of a prompt
    known = {tuple(row) for row in (z[:, None] - z[None]).reshape(-1, 8)}
    assert {tuple(row) for row in rows[0][0]} <= known and len(np.unique(rows[0][0], axis=0)) == 480


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
    curves = ep.vary_partners(quality, y, (0.5, 1.5), (1, 16), 0)
    rise = curves.loc[16] - curves.loc[1]
    assert rise["averaged", 1.5] > 0.05 > abs(rise["one list", 1.5])
    scores = ep.partner_scores(quality, 16, 0.5, np.random.default_rng(0))
    mean, each = scores.mean(axis=0), np.repeat(y[None], 32, axis=0)
    for way, said, true in (("averaged", mean, y), ("one list", scores, each)):
        r = np.corrcoef(said.ravel(), true.ravel())[0, 1]
        assert curves[way, 0.5][16] == pytest.approx(r)


def test_f1_definitions_by_hand():
    assert set(ep.f1_definitions([1, 3, 5], [1, 3, 5]).values()) == {1.0}
    said, true = [2.2, 3.4, 4.6, 2.6, 3.5], [1.0, 3.0, 5.0, 3.0, 2.5]
    found = ep.f1_definitions(said, true)
    assert len(found) == 9
    # at least 3: said 3.4, 4.6 and 3.5; true 3, 5 and 3: two hits of three and three
    by_hand = {
        "five classes, micro": 3 / 5,
        # classes 1 to 5: F1 of 0, 0, 4 / 5, 0 and 1
        "five classes, macro": (4 / 5 + 1) / 5,
        "at least 2.5, positive class": 1,
        "at least 3.0, positive class": 2 / 3,
        "at least 3.0, macro": (2 / 3 + 1 / 2) / 2,
        "at least 3.5, positive class": 2 / 3,
    }
    assert {name: found[name] for name in by_hand} == pytest.approx(by_hand)


def test_rewards_fall_with_the_errors_of_both_stories():
    found = ep.exponential_reward([[3, 4], [1, 4], [1, 5]], [[3, 4], [3, 4], [3, 4]])
    assert found == pytest.approx([1, np.exp(-1), np.exp(-1.5)])


def test_best_of_n_is_the_best_by_reward_among_n():
    rng = np.random.default_rng(0)
    quality, reward = rng.normal(size=(2, 3000, 8))
    chosen = ep.rerank(quality, quality, np.random.default_rng(1), (1, 2, 8))
    # expected maximum of n normal draws
    assert [q.mean() for q in chosen.values()] == pytest.approx([0, 0.564, 1.424], abs=0.05)
    few = ep.rerank(reward, quality, rng, (8,))[8]
    assert (few == quality[np.arange(3000), reward.argmax(axis=1)]).all()
