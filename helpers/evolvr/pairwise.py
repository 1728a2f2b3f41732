"""Judge two stories side by side: a ridge on the differences of their features and on products that
only pairs have."""

import numpy as np
from sklearn.decomposition import PCA
from threadpoolctl import threadpool_limits

from helpers.evolvr.train import NormalScores, fit_ridge


def pair_up(prompts):
    """Return (a, b): all ordered pairs of different stories of one prompt."""
    prompts = np.asarray(prompts)
    return np.nonzero((prompts[:, None] == prompts[None]) & ~np.eye(len(prompts), dtype=bool))


class PairRidge:
    """A ridge that sees both stories: differences of all features, and squares and products of the
    largest components.

    The products let the weight of one difference depend on the other story, which no sum of single
    scores can do. They are used if they lessen the error on left-out groups of the training
    stories.
    """

    def __init__(self, components=8, partners=4, seed=0):
        self.components, self.partners, self.seed = components, partners, seed

    def fit(self, features, target, groups):
        """Fit on stories x features and stories x aspects: each story beside `partners` others of
        its prompt."""
        self.scale = NormalScores().fit(features)
        z = self.scale.transform(features)
        self.main = PCA(min(self.components, z.shape[1]), svd_solver="full").fit(z)
        a, b = pair_up(groups)
        # a's partners in random order
        ahead = np.lexsort((np.random.default_rng(self.seed).random(len(a)), a))
        rank = np.arange(len(a)) - np.searchsorted(a[ahead], a[ahead])
        a, b = a[ahead][rank < self.partners], b[ahead][rank < self.partners]
        fitted = {
            products: fit_ridge(
                self.view(z[a], z[b], products), target[a] - target[b], np.asarray(groups)[a]
            )
            for products in (False, True)
        }
        self.products = fitted[True].error_ < fitted[False].error_
        self.model = fitted[self.products]
        return self

    def view(self, a, b, products):
        """Return pairs x features: differences; with products, those of squares and products, and a
        x b minus b x a."""
        if not products:
            return a - b
        p, q = (self.main.transform(z) / np.sqrt(self.main.explained_variance_) for z in (a, b))
        i, j = np.triu_indices(p.shape[1])
        k, m = np.triu_indices(p.shape[1], 1)
        return np.hstack(
            [a - b, p[:, i] * p[:, j] - q[:, i] * q[:, j], p[:, k] * q[:, m] - p[:, m] * q[:, k]]
        )

    def differences(self, first, second):
        """Return by how much each first story is better than the second beside
        it: pairs x aspects."""
        return self.model.predict(
            self.view(self.scale.transform(first), self.scale.transform(second), self.products)
        )


def predict_differences(features, target, prompts, splits, model):
    """Return predicted differences (aspects x pairs of `pair_up`), each by a model that saw no
    story of the prompt."""
    (a, b), prompts = pair_up(prompts), np.asarray(prompts)
    predicted = np.full((len(target), len(a)), np.nan)
    with threadpool_limits(1):
        for train, test in splits:
            fitted, here = (
                model().fit(features[train], target[:, train].T, prompts[train]),
                np.isin(a, test),
            )
            predicted[:, here] = fitted.differences(features[a[here]], features[b[here]]).T
    return predicted
