"""EvolvR's inference protocol: random partners, both orders, scores averaged or as one list; measures and F1 definitions."""
import numpy as np
from scipy import stats
from sklearn.metrics import f1_score


def partner_scores(model, features, partners, rng):
    """Return 2N x aspects x stories: each story scored beside N random other stories, first and second.

    model.score_pairs(first, second) -> two arrays pairs x aspects. Rows 0..N-1: the story comes first; N..2N-1: second.
    """
    count = len(features)
    if partners < 1 or partners >= count:
        raise ValueError(f"{partners} partners: expected 1 to {count - 1}")
    first, second = [], []
    place = rng.permutation(count)  # stories on a ring in random order: a partner is so many places further on
    at = np.argsort(place, kind="stable")
    for shift in rng.choice(np.arange(1, count), partners, replace=False):
        mate = features[place[(at + shift) % count]]
        first.append(model.score_pairs(features, mate)[0].T)
        second.append(model.score_pairs(mate, features)[1].T)
    return np.array(first + second)


def with_whims(model, noise, rng):
    """Return an evaluator of pairs that gives the scores of `model` plus normal noise (an SD), as whole scores from 1 to 5."""
    class Whimsical:
        def score_pairs(self, first, second):
            return tuple(np.clip(np.rint(y + rng.normal(0, noise, y.shape)), 1, 5) for y in model.score_pairs(first, second))
    return Whimsical()


def by_average(scores):
    """Return the mean over partners and orders: aspects x stories."""
    return scores.mean(axis=0)


def measures(predicted, truth):
    """Return Pearson, Spearman, Kendall's tau-b and MSE on (y - 1) / 4 of two arrays of the same shape, pooled."""
    p, t = np.ravel(predicted), np.ravel(truth)
    return {"Pearson": float(np.corrcoef(p, t)[0, 1]), "Spearman": float(stats.spearmanr(p, t)[0]),
            "Kendall": float(stats.kendalltau(p, t)[0]), "MSE": float((((p - t) / 4) ** 2).mean())}


def both_ways(scores, truth):
    """Return {'averaged': measures of the mean scores, 'one list': measures of all 2N scores against repeated truth}."""
    return {"averaged": measures(by_average(scores), truth), "one list": measures(scores, np.broadcast_to(truth, scores.shape))}


def f1_definitions(predicted, truth):
    """Return {definition: F1} of scores from 1 to 5: exact five-class forms, and 'good story' at several cuts."""
    p, t = np.ravel(predicted), np.ravel(truth)
    five = [np.clip(np.floor(x + 0.5), 1, 5).astype(int) for x in (p, t)]
    found = {f"five classes, {kind}": float(f1_score(five[1], five[0], average=kind, zero_division=0))
             for kind in ("micro", "weighted", "macro")}
    for cut in (2.5, 3.0, 3.5):
        found[f"at least {cut}, positive class"] = float(f1_score(t >= cut, p >= cut, zero_division=0))
        found[f"at least {cut}, macro"] = float(f1_score(t >= cut, p >= cut, average="macro", zero_division=0))
    return found


def win_rate(first, second):
    """Return how often first exceeds second, ties counted half, over all elements."""
    first, second = np.asarray(first, float), np.asarray(second, float)
    return float(((first > second) + 0.5 * (first == second)).mean())


def rerank(rewards, quality, rng, sizes=(1, 2, 4, 8)):
    """Return {n: mean quality of the best of n candidates by reward}, over groups x candidates (random n of the candidates)."""
    rewards, quality = np.asarray(rewards, float), np.asarray(quality, float)
    order = np.argsort(rng.random(rewards.shape), axis=1, kind="stable")
    found = {}
    for n in sizes:
        if n > rewards.shape[1]:
            raise ValueError(f"best of {n}: there are {rewards.shape[1]} candidates a group")
        some = order[:, :n]
        best = some[np.arange(len(some)), np.take_along_axis(rewards, some, 1).argmax(axis=1)]
        found[n] = quality[np.arange(len(best)), best]
    return found
