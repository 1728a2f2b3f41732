"""Train story evaluators on features, out of fold; and the means that need no reading."""

import numpy as np
from scipy import stats
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, train_test_split
from threadpoolctl import threadpool_limits

ALPHAS = 10.0 ** np.arange(6)  # penalties to choose from, 1 to 100,000


class NormalScores:
    """Replace each feature by the normal score of its rank among the training stories (ties:
    mid-rank), clipped to 2.5.

    An unseen system with extreme values is thus never extrapolated.
    """

    def __init__(self, features):
        self.sorted = np.sort(features, axis=0)
        n = len(self.sorted)
        ranks = (np.arange(2 * n + 1) / 2 + 0.5) / (n + 1)
        self.scores = np.clip(stats.norm.ppf(ranks), -2.5, 2.5)

    def __call__(self, features):
        """Return the normal scores, same shape (rows x features)."""
        pairs = zip(self.sorted.T, features.T)
        places = [np.searchsorted(k, x, "left") + np.searchsorted(k, x, "right") for k, x in pairs]
        return self.scores[np.array(places).T]


def fit_ridge(x, y, groups):
    """Return a fitted ridge whose penalty had the least squared error on left-out groups of these
    rows (its `error_`).

    x: rows x features; y: rows x targets; groups: what an inner fold leaves out, such as prompts.
    """
    errors = np.zeros(len(ALPHAS))
    for train, test in GroupKFold(4).split(x, groups=groups):
        middle, level = x[train].mean(axis=0), y[train].mean(axis=0)
        inside = x[train] - middle
        # one decomposition serves every penalty
        values, vectors = np.linalg.eigh(inside.T @ inside)
        right = vectors.T @ (inside.T @ (y[train] - level))
        new = (x[test] - middle) @ vectors
        guesses = [level + new @ (right / (values + alpha)[:, None]) for alpha in ALPHAS]
        errors += [((y[test] - guess) ** 2).sum() for guess in guesses]
    model = Ridge(ALPHAS[int(np.argmin(errors))]).fit(x, y)
    model.error_ = errors.min()
    return model


class RankRidge:
    """Ridge regression on normal scores of the features, one story at a time; the penalty is chosen
    by `fit_ridge`."""

    def fit(self, features, target, groups):
        """Fit on stories x features and stories x aspects."""
        self.scale = NormalScores(features)
        self.model = fit_ridge(self.scale(features), target, groups)
        return self

    def predict(self, features):
        """Return stories x aspects."""
        return self.model.predict(self.scale(features))

    def differences(self, first, second):
        """Return by how much each first story is better than the second beside it: pairs x
        aspects."""
        return self.predict(first) - self.predict(second)


def folds(prompts, systems, by, count=8):
    """Return [(train, test)] index arrays over stories.

    by: 'prompt' (prompts unseen), 'system' (one system unseen) or 'both' (tested where prompt and
    system are unseen).
    """
    systems, everything = np.asarray(systems), np.arange(len(prompts))
    left_out = [systems == name for name in np.unique(systems)]
    if by == "system":
        return [(everything[~out], everything[out]) for out in left_out]
    unseen = list(GroupKFold(count).split(everything, groups=prompts))
    if by == "prompt":
        return unseen
    return [(train[~out[train]], test[out[test]]) for train, test in unseen for out in left_out]


def generator_split():
    """Return (training, test): prompts as EvolvR's released generator splits them, 80/10/10 at
    random, seed 42."""
    training, later = train_test_split(np.arange(96), test_size=0.2, random_state=42)
    return training, np.sort(train_test_split(later, test_size=0.5, random_state=42)[1])


def predict_out_of_fold(features, target, splits, groups, whole=False):
    """Return predictions (aspects x stories), each made by a `RankRidge` that saw no test story.

    features: stories x features; target: aspects x stories; groups: one per story, left out by the
    inner folds that choose the penalty; whole: as `in_whole_scores`.
    """
    predicted = np.full(np.shape(target), np.nan)
    with threadpool_limits(1):  # small systems: threads of a busy machine only wait for each other
        for train, test in splits:
            fitted = RankRidge().fit(features[train], target[:, train].T, groups[train])
            predicted[:, test] = fitted.predict(features[test]).T
            if whole:
                known = fitted.predict(features[train]).T
                predicted[:, test] = in_whole_scores(predicted[:, test], known, target[:, train])
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
    away = new - known.mean(axis=1, keepdims=True)
    return round_scores(target.mean(axis=1, keepdims=True) + away * scale)


def group_means(target, splits, systems=None):
    """Return the baseline predictions: the training mean of the aspect, or of system and aspect
    where `systems` is given."""
    systems = np.zeros(target.shape[1]) if systems is None else systems
    predicted = np.full_like(target, np.nan)
    for train, test in splits:
        for name in np.unique(systems[test]):
            seen, here = train[systems[train] == name], test[systems[test] == name]
            predicted[:, here] = target[:, seen].mean(axis=1, keepdims=True)
    return predicted
