"""Train story evaluators on features, out of fold: new prompts, new writers, or both; and the means
that need no reading."""

import numpy as np
from scipy import stats
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, train_test_split
from threadpoolctl import threadpool_limits

ALPHAS = tuple(10.0 ** np.arange(6))  # penalties to choose from, 1 to 100,000


class NormalScores(BaseEstimator, TransformerMixin):
    """Replace each feature by the normal score of its rank among the training stories (ties:
    mid-rank), clipped to 2.5.

    An unseen system with extreme values is thus never extrapolated.
    """

    def fit(self, features, target=None):
        """Keep the sorted columns of the training features."""
        self.sorted_ = np.sort(np.asarray(features, float), axis=0)
        n = len(self.sorted_)
        self.scores_ = np.clip(
            stats.norm.ppf((np.arange(2 * n + 1) / 2 + 0.5) / (n + 1)), -2.5, 2.5
        )
        return self

    def transform(self, features):
        """Return the normal scores, same shape."""
        pairs = zip(self.sorted_.T, np.asarray(features, float).T)
        places = [np.searchsorted(k, x, "left") + np.searchsorted(k, x, "right") for k, x in pairs]
        return self.scores_[np.array(places).T]


def fit_ridge(x, y, groups, alphas=ALPHAS, count=4):
    """Return a fitted ridge whose penalty had the least squared error on left-out groups of these
    rows (its `error_`).

    x: rows x features; y: rows x targets; groups: what an inner fold leaves out, such as prompts.
    """
    errors = np.zeros(len(alphas))
    for train, test in GroupKFold(count).split(x, groups=groups):
        middle, level = x[train].mean(axis=0), y[train].mean(axis=0)
        inside = x[train] - middle
        # one decomposition serves every penalty
        values, vectors = np.linalg.eigh(inside.T @ inside)
        right, new = vectors.T @ (inside.T @ (y[train] - level)), (x[test] - middle) @ vectors
        guesses = [level + new @ (right / (values + alpha)[:, None]) for alpha in alphas]
        errors += [((y[test] - guess) ** 2).sum() for guess in guesses]
    model = Ridge(alphas[int(np.argmin(errors))]).fit(x, y)
    model.error_ = errors.min()
    return model


class RankRidge:
    """Ridge regression on normal scores of the features, one story at a time; the penalty is chosen
    by `fit_ridge`."""

    def fit(self, features, target, groups):
        """Fit on stories x features and stories x aspects."""
        self.scale = NormalScores().fit(features)
        self.model = fit_ridge(self.scale.transform(features), target, groups)
        return self

    def predict(self, features):
        """Return stories x aspects."""
        return self.model.predict(self.scale.transform(features))

    def differences(self, first, second):
        """Return by how much each first story is better than the second beside
        it: pairs x aspects."""
        return self.predict(first) - self.predict(second)


def folds(prompts, systems, by, count=8):
    """Return [(train, test)] index arrays over stories.

    by: 'prompt' (prompts unseen), 'system' (one system unseen) or 'both' (tested where prompt and
    system are unseen). Raises ValueError for another word.
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


def generator_split():
    """Return (training, test): prompts as EvolvR's released generator splits them, 80/10/10 at
    random, seed 42."""
    training, later = train_test_split(np.arange(96), test_size=0.2, random_state=42)
    return training, np.sort(train_test_split(later, test_size=0.5, random_state=42)[1])


def predict_out_of_fold(features, target, splits, groups, model=RankRidge, whole=False):
    """Return predictions (aspects x stories), each made by a model that saw no test story.

    features: stories x features; target: aspects x stories; groups: one a story, left out by the
    inner folds that choose the penalty; whole: as `in_whole_scores`. Raises ValueError for NaN or
    for a story that no fold tests.
    """
    if np.isnan(features).any() or np.isnan(target).any():
        raise ValueError(
            "NaN in features or target: fill or drop first (hanna.features fills with medians)"
        )
    predicted, groups = np.full(np.shape(target), np.nan), np.asarray(groups)
    with threadpool_limits(1):  # small systems: threads of a busy machine only wait for each other
        for train, test in splits:
            fitted = model().fit(features[train], target[:, train].T, groups[train])
            predicted[:, test] = fitted.predict(features[test]).T
            if whole:
                known = fitted.predict(features[train]).T
                predicted[:, test] = in_whole_scores(predicted[:, test], known, target[:, train])
    if np.isnan(predicted).any():
        raise ValueError("a story is tested by no fold")
    return predicted


def round_scores(values):
    """Return whole scores from 1 to 5 (halves up)."""
    return np.clip(np.floor(np.asarray(values, float) + 0.5), 1, 5)


def in_whole_scores(new, known, target):
    """Return predictions stretched to the training targets' mean and SD by aspect, then rounded to
    whole scores.

    A ridge shrinks towards the mean, so that rounding it would say 2 or 3 throughout; the stretch
    undoes that.
    """
    scale = (target.std(axis=1) / known.std(axis=1))[:, None]
    return round_scores(
        target.mean(axis=1, keepdims=True) + (new - known.mean(axis=1, keepdims=True)) * scale
    )


def group_means(target, splits, systems=None):
    """Return the baseline predictions: the training mean of the aspect, or of system and aspect
    where `systems` is given."""
    predicted = np.zeros_like(target)
    for train, test in splits:
        predicted[:, test] = target[:, train].mean(axis=1, keepdims=True)
        if systems is not None:
            for name in np.unique(systems[test]):
                seen = train[systems[train] == name]
                if len(seen):
                    predicted[:, test[systems[test] == name]] = target[:, seen].mean(
                        axis=1, keepdims=True
                    )
    return predicted
