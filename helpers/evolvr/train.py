"""Train story evaluators on features and score them out of fold: by prompt, by system, and by both."""

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits


class NormalScores(BaseEstimator, TransformerMixin):
    """Replace each feature by the normal score of its rank among the training stories (ties: mid-rank), clipped to 2.5.

    An unseen system with extreme values is thus never extrapolated.
    """

    def fit(self, features, target=None):
        """Keep the sorted columns of the training features."""
        self.sorted_ = np.sort(np.asarray(features, float), axis=0)
        n = len(self.sorted_)
        self.scores_ = np.clip(stats.norm.ppf((np.arange(2 * n + 1) / 2 + 0.5) / (n + 1)), -2.5, 2.5)
        return self

    def transform(self, features):
        """Return the normal scores, same shape."""
        pairs = zip(self.sorted_.T, np.asarray(features, float).T)
        return self.scores_[np.array([np.searchsorted(k, x, "left") + np.searchsorted(k, x, "right") for k, x in pairs]).T]


def rank_ridge(alpha=1000.0):
    """Return the default evaluator: ridge regression on rank-based normal scores (no choice is tuned on test data)."""
    return make_pipeline(NormalScores(), Ridge(alpha))


def boosting(rounds=40):
    """Return gradient-boosted trees, one model an aspect, small and shrunk: the evaluator that may use interactions.

    40 rounds were chosen after one look at 60 on HANNA; one fold takes a second.
    """
    return MultiOutputRegressor(HistGradientBoostingRegressor(
        max_iter=rounds, learning_rate=0.1, max_leaf_nodes=6, max_bins=32, max_features=0.3, l2_regularization=10.0,
        early_stopping=False, random_state=0))


def folds(prompts, systems, by, count=8):
    """Return [(train, test)] index arrays over stories.

    by: 'prompt' (prompts unseen), 'system' (one system unseen) or 'both' (tested where prompt and system are unseen).
    Raises ValueError for another word.
    """
    prompts, systems = np.asarray(prompts), np.asarray(systems)
    everything = np.arange(len(prompts))
    if by == "prompt":
        return list(GroupKFold(count).split(everything, groups=prompts))
    left_out = [systems == name for name in np.unique(systems)]
    if by == "system":
        return [(everything[~out], everything[out]) for out in left_out]
    if by != "both":
        raise ValueError(f"by={by!r}: expected prompt, system or both")
    return [
        (train[~out[train]], test[out[test]])
        for train, test in GroupKFold(count).split(everything, groups=prompts)
        for out in left_out
    ]


def predict_out_of_fold(features, target, splits, model=rank_ridge):
    """Return predictions (aspects x stories), each made by a model that saw no test story.

    features: stories x features; target: aspects x stories. Raises ValueError for NaN or for a story that no fold tests.
    """
    if np.isnan(features).any() or np.isnan(target).any():
        raise ValueError("NaN in features or target: fill or drop first (hanna.features fills with medians)")
    predicted = np.full(np.shape(target), np.nan)
    with threadpool_limits(1):  # small systems: threads of a busy machine only wait for each other
        for train, test in splits:
            predicted[:, test] = model().fit(features[train], target[:, train].T).predict(features[test]).T
    if np.isnan(predicted).any():
        raise ValueError("a story is tested by no fold")
    return predicted


def round_scores(values):
    """Return whole scores from 1 to 5 (halves up)."""
    return np.clip(np.floor(np.asarray(values, float) + 0.5), 1, 5)


def predict_whole(features, target, splits, model=rank_ridge):
    """Return whole-score predictions out of fold: stretched to the training targets' mean and SD by aspect, then rounded.

    A ridge shrinks towards the mean, so that rounding it would say 2 or 3 throughout; the stretch undoes that.
    """
    predicted = np.full(np.shape(target), np.nan)
    with threadpool_limits(1):
        for train, test in splits:
            fitted = model().fit(features[train], target[:, train].T)
            known, new = fitted.predict(features[train]).T, fitted.predict(features[test]).T
            scale = (target[:, train].std(axis=1) / known.std(axis=1))[:, None]
            centre = target[:, train].mean(axis=1, keepdims=True)
            predicted[:, test] = round_scores(centre + (new - known.mean(axis=1, keepdims=True)) * scale)
    return predicted


def group_means(target, splits, systems=None):
    """Return the baseline predictions: the training mean of the aspect, or of system and aspect where `systems` is given."""
    predicted = np.zeros_like(target)
    for train, test in splits:
        predicted[:, test] = target[:, train].mean(axis=1, keepdims=True)
        if systems is not None:
            for name in np.unique(systems[test]):
                seen = train[systems[train] == name]
                if len(seen):
                    predicted[:, test[systems[test] == name]] = target[:, seen].mean(axis=1, keepdims=True)
    return predicted


def measure(predicted, target):
    """Return pooled pearson, spearman, kendall (tau-b) and mse on (y - 1) / 4; within: the mean r of the aspects."""
    p, t = np.ravel(predicted), np.ravel(target)
    return {
        "pearson": float(np.corrcoef(p, t)[0, 1]),
        "spearman": float(stats.spearmanr(p, t)[0]),
        "kendall": float(stats.kendalltau(p, t)[0]),
        "mse": float((((p - t) / 4) ** 2).mean()),
        "within": float(within_aspects(predicted, target).mean()),
    }


def within_aspects(predicted, target):
    """Return Pearson's r of each aspect (0 where the prediction does not vary)."""
    return np.array([np.corrcoef(p, t)[0, 1] if p.std() > 1e-9 else 0.0 for p, t in zip(predicted, target)])


def sums(p, t, prompts):
    """Return the six sums that give a correlation, one row a prompt; p, t: aspects x stories."""
    parts = np.stack([np.ones_like(p), p, t, p * p, t * t, p * t]).sum(axis=1)
    return np.stack([parts[:, prompts == name].sum(axis=1) for name in np.unique(prompts)])


def correlation_of(s):
    """Return correlations from rows of the six sums."""
    n, p, t, pp, tt, pt = np.moveaxis(np.asarray(s, float), -1, 0)
    return (pt - p * t / n) / np.sqrt((pp - p**2 / n) * (tt - t**2 / n))


def bootstrap_prompts(predicted, target, prompts, rng, replicates=1000):
    """Return a DataFrame of bootstrap replicates when prompts are drawn with replacement: pearson, spearman, within.

    For Spearman the ranks are those of the whole sample, which is exact but for ties among redrawn prompts.
    """
    prompts = np.asarray(prompts)
    count = len(np.unique(prompts))
    weights = rng.multinomial(count, np.full(count, 1 / count), size=replicates).astype(float)
    ranks = [stats.rankdata(x).reshape(np.shape(x)) for x in (predicted, target)]
    aspects = [
        correlation_of(weights @ sums(p[None], t[None], prompts)) if p.std() > 1e-9 else np.zeros(replicates)
        for p, t in zip(predicted, target)
    ]
    return pd.DataFrame(
        {
            "pearson": correlation_of(weights @ sums(predicted, target, prompts)),
            "spearman": correlation_of(weights @ sums(*ranks, prompts)),
            "within": np.mean(aspects, axis=0),
        }
    )


def compare(predictions, target, prompts, seed, replicates=1000):
    """Return one row a prediction: the measures of `measure` and 95% bounds over prompts for pearson, spearman and within.

    predictions: {name: aspects x stories}. All rows share their bootstrap draws, so that they can be compared.
    """
    rows = []
    for name, predicted in predictions.items():
        draws = bootstrap_prompts(predicted, target, prompts, np.random.default_rng(seed), replicates)
        bounds = {
            f"{key} {end}": float(np.percentile(draws[key], q)) for key in draws for end, q in (("low", 2.5), ("high", 97.5))
        }
        rows.append({"evaluator": name, **measure(predicted, target), **bounds, "n": target.shape[1]})
    return pd.DataFrame(rows)
