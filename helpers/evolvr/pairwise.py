"""Judge two stories side by side: a ridge on differences of features and on their products."""

import numpy as np
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

from helpers.evolvr.agreement import pair_up
from helpers.evolvr.train import NormalScores, fit_ridge

COMPONENTS, PARTNERS = 8, 4


class PairRidge:
    """A ridge that sees both stories: differences of all features, and squares and products of the
    largest components.

    The products let the weight of one difference depend on the other story, which no sum of single
    scores can do. They are used if they lessen the error on left-out groups of the training
    stories.
    """

    def fit(self, features, target, groups):
        """Fit on stories x features and stories x aspects: each story beside PARTNERS others of
        its prompt, the same ones each time."""
        self.scale = NormalScores(features)
        z = self.scale(features)
        self.main = PCA(min(COMPONENTS, z.shape[1]), svd_solver="full").fit(z)
        a, b = pair_up(groups)
        # a's partners in random order
        ahead = np.lexsort((np.random.default_rng(0).random(len(a)), a))
        rank = np.arange(len(a)) - np.searchsorted(a[ahead], a[ahead])
        a, b = a[ahead][rank < PARTNERS], b[ahead][rank < PARTNERS]
        better = target[a] - target[b]
        plain = fit_ridge(self.view(z[a], z[b], False), better, groups[a])
        curved = fit_ridge(self.view(z[a], z[b], True), better, groups[a])
        self.products = curved.error_ < plain.error_
        self.model = curved if self.products else plain
        return self

    def view(self, a, b, products):
        """Return pairs x features: differences; with products, those of squares and products, and a
        x b minus b x a."""
        if not products:
            return a - b
        p, q = (self.main.transform(z) / np.sqrt(self.main.explained_variance_) for z in (a, b))
        i, j = np.triu_indices(p.shape[1])
        k, m = np.triu_indices(p.shape[1], 1)
        each = p[:, i] * p[:, j] - q[:, i] * q[:, j]
        across = p[:, k] * q[:, m] - p[:, m] * q[:, k]
        return np.hstack([a - b, each, across])

    def differences(self, first, second):
        """Return by how much each first story is better than the second beside it: pairs x
        aspects."""
        return self.model.predict(self.view(self.scale(first), self.scale(second), self.products))


def predict_differences(features, target, prompts, splits, model):
    """Return predicted differences (aspects x pairs of `pair_up`), each by a model that saw no
    story of the prompt."""
    a, b = pair_up(prompts)
    predicted = np.full((len(target), len(a)), np.nan)
    with threadpool_limits(1):
        for train, test in splits:
            fitted = model().fit(features[train], target[:, train].T, prompts[train])
            here = np.isin(a, test)
            predicted[:, here] = fitted.differences(features[a[here]], features[b[here]]).T
    return predicted
