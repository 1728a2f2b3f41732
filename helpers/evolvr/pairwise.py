"""Train a linear evaluator on pairs of stories and their position-swapped twins."""
import numpy as np
from sklearn.linear_model import Ridge
from threadpoolctl import threadpool_limits

from helpers.evolvr.train import NormalScores


def random_pairs(prompts, count, rng, within=True):
    """Return (a, b): `count` ordered pairs of different stories, within a prompt or between any two."""
    prompts = np.asarray(prompts)
    a = rng.integers(len(prompts), size=count)
    if not within:
        return a, (a + rng.integers(1, len(prompts), size=count)) % len(prompts)
    mates = {name: np.flatnonzero(prompts == name) for name in np.unique(prompts)}
    b = np.array([rng.choice(mates[prompts[i]][mates[prompts[i]] != i]) for i in a])
    return a, b


class PairwiseRidge:
    """An evaluator of pairs on features: (story a, story b) -> two scores an aspect, trained on pairs and their twins."""

    def __init__(self, alpha=1000.0, pairs_per_story=4, within=False, prompts=None, seed=0):
        self.alpha, self.pairs_per_story, self.within, self.prompts, self.seed = (alpha, pairs_per_story, within, prompts, seed)

    def fit(self, features, target):
        """Fit on stories x features and stories x aspects, by pairs drawn from these stories, both orders of each."""
        rng = np.random.default_rng(self.seed)
        prompts = np.zeros(len(features)) if self.prompts is None else np.asarray(self.prompts)
        a, b = random_pairs(prompts, self.pairs_per_story * len(features), rng, self.within)
        self.scale = NormalScores().fit(features)
        z = self.scale.transform(features)
        first, second = np.concatenate([a, b]), np.concatenate([b, a])
        with threadpool_limits(1):
            self.model = Ridge(self.alpha * 2 * self.pairs_per_story).fit(np.hstack([z[first], z[second]]), target[first])
        self.pool = z
        return self

    def score_pairs(self, first, second):
        """Return (scores of the first, scores of the second), each pairs x aspects, for two feature matrices."""
        x, y = self.scale.transform(first), self.scale.transform(second)
        return self.model.predict(np.hstack([x, y])), self.model.predict(np.hstack([y, x]))

    def predict(self, features):
        """Return stories x aspects: the mean score against 16 training stories."""
        z = self.scale.transform(features)
        partners = self.pool[np.random.default_rng(self.seed).choice(len(self.pool), 16, replace=False)]
        return np.mean([self.model.predict(np.hstack([z, np.broadcast_to(mate, z.shape)])) for mate in partners], axis=0)
