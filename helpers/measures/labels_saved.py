"""How much labelling a judge saves: prediction-powered inference, beside unread guesses."""

import pandas as pd


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
