"""EvolvR's protocol: partners, scores averaged or as one list; the reward."""

import numpy as np
import pandas as pd


def round_scores(values):
    """Return whole scores from 1 to 5 (halves up)."""
    return np.clip(np.floor(np.asarray(values, float) + 0.5), 1, 5)


def to_whole_scores(predicted, target):
    """Return predictions stretched to the target's mean and SD by aspect (columns), then rounded:
    a ridge shrinks towards the mean, so that rounding it would say 2 or 3 throughout."""
    z = (predicted - predicted.mean(axis=0)) / predicted.std(axis=0)
    return round_scores(target.mean(axis=0) + z * target.std(axis=0))


def partner_scores(quality, partners, noise, rng):
    """Return the whole scores that a simulated judge gives: 2N x aspects x stories.

    quality: aspects x stories, what the judge thinks of a story alone. Partners: each story stands
    beside N others, drawn at random, once first and once second. Thought: beside a better partner a
    story gets less, by a fifth of the difference. Errors: normal, with SD `noise`.
    """
    quality = np.asarray(quality, float)
    count = quality.shape[1]
    story_at = rng.permutation(count)  # stories on a ring; a partner is so many places further on
    place_of = np.argsort(story_at, kind="stable")
    distances = rng.choice(np.arange(1, count), partners, replace=False)
    thoughts = []  # each aspects x stories
    for distance in distances:
        partner = story_at[(place_of + distance) % count]
        thoughts.append(quality + 0.2 * (quality - quality[:, partner]))
    in_both_orders = np.array(thoughts * 2)
    errors = rng.normal(0, noise, in_both_orders.shape)
    return np.clip(np.rint(in_both_orders + errors), 1, 5)


def vary_partners(quality, truth, noise, sizes, seed):
    """Return Pearson's r with the truth: a row per number of partners N, columns averaged (r of the
    mean scores) and one list (of all 2N scores). Both columns of a row are of the same scores."""
    rows = {}
    for n in sizes:
        scores = partner_scores(quality, n, noise, np.random.default_rng(seed))
        truth_of_each = np.broadcast_to(truth, scores.shape)
        rows[n] = {
            "averaged": correlate(scores.mean(axis=0), truth),
            "one list": correlate(scores, truth_of_each),
        }
    return pd.DataFrame(rows).T.rename_axis("partners N, each in both orders")


def correlate(scores, truth):
    """Return Pearson's r over all numbers of two arrays of one shape."""
    return np.corrcoef(np.ravel(scores), np.ravel(truth))[0, 1]


def exponential_reward(predicted, truth):
    """Return exp(-(|error of A| + |error of B|) / 2) for arrays pairs x 2 (evolvr, Equation 14);
    1 for a perfect pair."""
    errors = np.abs(np.asarray(predicted, float) - np.asarray(truth, float))
    return np.exp(-errors.sum(axis=-1) / 2)
