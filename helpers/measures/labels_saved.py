"""How much labelling a judge saves: prediction-powered inference, beside unread guesses."""

import numpy as np
import pandas as pd

from helpers.measures import intervals


def count_saved(found, labelled, cases):
    """Return how many of `labelled` labels each scorer spares at best: r² (1 - labelled / cases) of
    them (kind, estimate, low, high, n).

    found: rows of `compare` for Pearson's r, within ("aspect",) where labels are drawn alike from
    every aspect, so that knowing the aspect saves nothing; cases: how many there are in all. An r
    below 0 saves nothing. So much smaller is the variance of prediction-powered inference with the
    best weight (Angelopoulos, Duchi & Zrnic 2023).
    """
    rest, ends = 1 - min(labelled / cases, 1), ["estimate", "low", "high"]
    saved = labelled * rest * found[ends].clip(lower=0) ** 2
    return pd.concat([found["kind"], saved, found["n"]], axis=1)


def correct_rate(labels, said, rest):
    """Return the true mean from few labels and a judge on everything (estimate, low, high, n:
    labels).

    labels: of the labelled cases, drawn at random (0/1, or scores); said: what the judge says of
    them; rest: of the unlabelled (floats). Prediction-powered inference with its tuned weight
    between 0, for a useless judge, and 1 (Angelopoulos, Duchi & Zrnic 2023).
    """
    n, more = len(labels), len(rest)
    spread = np.concatenate([said, rest]).var(ddof=1)
    tuned = np.cov(labels, said, ddof=0)[0, 1] / ((1 + n / more) * spread) if spread else 0
    weight = np.clip(tuned, 0, 1)
    estimate = labels.mean() + weight * (rest.mean() - said.mean())
    error = np.sqrt((labels - weight * said).var(ddof=1) / n + weight**2 * rest.var(ddof=1) / more)
    return intervals.row(estimate, estimate - 1.96 * error, estimate + 1.96 * error, n)


def draw_rate(target, said, labelled, rng):
    """Return what `labelled` labels, drawn at random, say about the mean of `target`: alone, and
    with a judge (rows estimate, low, high, n).

    target, said: one number per case; cases without an answer (nan) are left out. At most half of
    the cases are labelled.
    """
    known = ~np.isnan(said + target)
    target, said = target[known], said[known]
    labelled = min(labelled, len(target) // 2)
    mine, rest = np.split(rng.permutation(len(target)), [labelled])
    rows = {f"{labelled} labels alone": intervals.of_mean(target[mine])}
    helped = correct_rate(target[mine], said[mine], said[rest])
    return pd.DataFrame(rows | {f"{labelled} labels and the judge": helped}).T
