"""Noise ceilings of HANNA's mean ratings under two models of the raters: exchangeable slots, and raters with fixed offsets."""
import itertools

import numpy as np

ORDERS = np.array(list(itertools.permutations(range(3))))


def fit_offsets(arrays, rng, starts=2, steps=40):
    """Fit the offset model: each story is rated by the same three kinds of rater, in an unknown order of slots.

    rating = story and aspect + offset of kind and aspect + noise (covariance between aspects free); EM over the six orders.
    arrays: aspects x stories x 3. Returns {offsets 3 x aspects, noise (aspects, variance), log_ratio: against no offsets}.
    """
    x = np.asarray(arrays, float)
    sheets = (x - x.mean(axis=2, keepdims=True)).transpose(1, 2, 0)
    n, _, aspects = sheets.shape
    pooled = np.einsum("nsa,nsb->ab", sheets, sheets) / (2 * n)
    plain = -n * aspects - n * np.linalg.slogdet(pooled)[1]
    best = None
    for _ in range(starts):
        offsets = rng.normal(0, 0.8, (3, 1)) + rng.normal(0, 0.2, (3, aspects))
        offsets, noise = offsets - offsets.mean(axis=0), pooled / 2
        for _ in range(steps):
            away = sheets[:, None] - offsets[ORDERS]
            logs = -0.5 * ((away @ np.linalg.inv(noise)) * away).sum(axis=(2, 3))
            top = logs.max(axis=1, keepdims=True)
            weight = np.exp(logs - top)
            fit = (top[:, 0] + np.log(weight.mean(axis=1))).sum() - n * np.linalg.slogdet(noise)[1]
            weight /= weight.sum(axis=1, keepdims=True)
            placed = [sheets[:, np.argsort(order, kind="stable")].transpose(1, 0, 2) for order in ORDERS]
            offsets = sum(weight[:, p] @ one for p, one in enumerate(placed)) / n
            away = (sheets[:, None] - offsets[ORDERS]).reshape(-1, 3, aspects)
            noise = np.einsum("m,msa,msb->ab", weight.ravel(), away, away, optimize=True) / (2 * n)
        if best is None or fit > best["fit"]:
            best = {
                "fit": fit,
                "offsets": offsets[np.argsort(offsets.mean(axis=1), kind="stable")],
                "noise": np.diag(noise),
                "log_ratio": float(fit - plain),
            }
    return best


def ceilings(arrays, noise):
    """Return the largest correlation with the mean of three ratings that is possible: per aspect, then pooled over aspects.

    noise: variance of one rating around what is to be predicted, one an aspect; the mean of three has a third of it.
    sqrt(1 - noise / 3 / variance of the means); 0 where the noise exceeds the variance.
    """
    means, noise = np.asarray(arrays, float).mean(axis=2), np.asarray(noise, float)
    total = np.append(means.var(axis=1, ddof=1), means.var(ddof=1))
    return np.sqrt(np.clip(1 - np.append(noise, noise.mean()) / 3 / total, 0, None))


def exchangeable_noise(arrays):
    """Return the within-story variance of single ratings per aspect: the noise if the slots of a story are exchangeable."""
    return np.asarray(arrays, float).var(axis=2, ddof=1).mean(axis=1)


def redeal(arrays, rng):
    """Return (ratings, truth) of a world without kinds of raters: every story gets three rating sheets of random stories.

    A sheet is one rater's six deviations from the story's means; truth (aspects x stories) is the mean ratings, shrunk as
    far as exchangeable raters would have it.
    """
    x = np.asarray(arrays, float)
    means = x.mean(axis=2, keepdims=True)
    sheets = ((x - means) * np.sqrt(1.5)).transpose(1, 2, 0).reshape(-1, len(x))
    dealt = sheets[rng.permutation(len(sheets))].reshape(-1, 3, len(x)).transpose(2, 0, 1)
    level = means.mean(axis=1, keepdims=True)
    truth = level + (means - level) * ceilings(x, exchangeable_noise(x))[:-1, None, None]
    return truth + dealt, truth[..., 0]


def both_models(arrays, rng, truth=None):
    """Return the pooled ceiling under either model of the raters and, where the truth is known, what it really is."""
    found = {"exchangeable raters": ceilings(arrays, exchangeable_noise(arrays))[-1],
             "raters of three kinds": ceilings(arrays, fit_offsets(arrays, rng)["noise"])[-1]}
    if truth is not None:
        found["truth"] = np.corrcoef(np.ravel(truth), np.asarray(arrays).mean(axis=2).ravel())[0, 1]
    return found
