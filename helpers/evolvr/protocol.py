"""EvolvR's inference protocol: random partners, both orders, scores averaged or as one list; F1
definitions; best of n."""

import numpy as np
import pandas as pd
from sklearn.metrics import f1_score


def partner_scores(quality, partners, noise, rng, contrast=0.2):
    """Return 2N x aspects x stories: whole scores of each story beside N random others, shown first
    and shown second.

    quality: aspects x stories, what a simulated judge thinks. Beside a better partner a story gets
    less (`contrast` times the difference), and every single score gets a whim (normal, SD `noise`).
    ValueError for too few or too many partners.
    """
    quality = np.asarray(quality, float)
    count = quality.shape[1]
    if partners < 1 or partners >= count:
        raise ValueError(f"{partners} partners: expected 1 to {count - 1}")
    # stories on a ring in random order: a partner is so many places further on
    place = rng.permutation(count)
    at = np.argsort(place, kind="stable")
    mates = [
        place[(at + shift) % count]
        for shift in rng.choice(np.arange(1, count), partners, replace=False)
    ]
    beside = np.array([quality + contrast * (quality - quality[:, mate]) for mate in mates * 2])
    return np.clip(np.rint(beside + rng.normal(0, noise, beside.shape)), 1, 5)


def correlate_both_ways(scores, truth):
    """Return Pearson's r {'averaged': of the mean scores, 'one list': of all 2N scores against the
    repeated truth}."""
    repeated = np.broadcast_to(truth, scores.shape)
    return {
        "averaged": float(np.corrcoef(scores.mean(axis=0).ravel(), np.ravel(truth))[0, 1]),
        "one list": float(np.corrcoef(scores.ravel(), repeated.ravel())[0, 1]),
    }


def vary_partners(quality, truth, noises, sizes, seed):
    """Return a table of r: one row a number of partners N, columns (way, noise); a seed, so that
    all share their luck."""
    rows = {
        (n, noise): correlate_both_ways(
            partner_scores(quality, n, noise, np.random.default_rng(seed)), truth
        )
        for noise in noises
        for n in sizes
    }
    return pd.DataFrame(rows).T.rename_axis(["N", "noise"]).unstack("noise")


def f1_definitions(predicted, truth):
    """Return {definition: F1} of scores from 1 to 5: exact five-class forms, and 'good story' at
    several cuts."""
    p, t = np.ravel(predicted), np.ravel(truth)
    five = [np.clip(np.floor(x + 0.5), 1, 5).astype(int) for x in (p, t)]
    found = {
        f"five classes, {kind}": float(f1_score(five[1], five[0], average=kind, zero_division=0))
        for kind in ("micro", "weighted", "macro")
    }
    for cut in (2.5, 3.0, 3.5):
        found[f"at least {cut}, positive class"] = float(
            f1_score(t >= cut, p >= cut, zero_division=0)
        )
        found[f"at least {cut}, macro"] = float(
            f1_score(t >= cut, p >= cut, average="macro", zero_division=0)
        )
    return found


def rerank(rewards, quality, rng, sizes=(1, 2, 4, 8)):
    """Return {n: quality of the best of n candidates by reward}, one value a group; random n of
    groups x candidates."""
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
