"""Guess who is who among unnamed raters: a model of three kinds of raters in unknown order, to be
tested on known ones."""

import itertools

import numpy as np

ORDERS = np.array(list(itertools.permutations(range(3))))


def fit_offsets(arrays, rng, starts=2, steps=40):
    """Fit the model that each story is rated by the same three kinds of rater, in an unknown order
    of slots.

    rating = story and aspect + offset of kind and aspect + noise (covariance between aspects free);
    EM over the six orders.
    arrays: aspects x stories x 3. Returns (offsets 3 x aspects, most severe kind first; noise: one
    variance an aspect).
    """
    x = np.asarray(arrays, float)
    sheets = (x - x.mean(axis=2, keepdims=True)).transpose(1, 2, 0)
    n, _, aspects = sheets.shape
    best = -np.inf
    for _ in range(starts):
        offsets = rng.normal(0, 0.8, (3, 1)) + rng.normal(0, 0.2, (3, aspects))
        offsets, noise = (
            offsets - offsets.mean(axis=0),
            np.einsum("nsa,nsb->ab", sheets, sheets) / (4 * n),
        )
        for _ in range(steps):
            away = sheets[:, None] - offsets[ORDERS]
            logs = -0.5 * ((away @ np.linalg.inv(noise)) * away).sum(axis=(2, 3))
            top = logs.max(axis=1, keepdims=True)
            weight = np.exp(logs - top)
            fit = (top[:, 0] + np.log(weight.mean(axis=1))).sum() - n * np.linalg.slogdet(noise)[1]
            weight /= weight.sum(axis=1, keepdims=True)
            placed = [
                sheets[:, np.argsort(order, kind="stable")].transpose(1, 0, 2) for order in ORDERS
            ]
            offsets = sum(weight[:, p] @ one for p, one in enumerate(placed)) / n
            away = (sheets[:, None] - offsets[ORDERS]).reshape(-1, 3, aspects)
            noise = np.einsum("m,msa,msb->ab", weight.ravel(), away, away, optimize=True) / (2 * n)
        if fit > best:
            best, found = (
                fit,
                (offsets[np.argsort(offsets.mean(axis=1), kind="stable")], np.diag(noise)),
            )
    return found
