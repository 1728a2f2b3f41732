"""A leaderboard of 2026 that asked 83 models the fourteen tests (AGC-Bench): from its standard
scores back to counts of right answers, and what these say beside a judge that always says No.

Each model answered 50 of the 504 questions about machine stories. The release prints one standard
score z a model, which mixes three measures: how often the model sides with the experts' majority
(`right` of 50), with how many of their 150 votes it agrees (`votes`, counted from an unknown
start), and how many answers could be read. So every z must be the same weighted sum of whole
numbers:

    z = start + of a right answer * right + of a vote * votes + of an unreadable answer * unreadable

Weights of six digits were found by search. `decode` makes them exact with the models for which only
one pair of whole numbers fits, and then reads every model's numbers off its z. A right answer
agrees with two or three votes and a wrong one with none or one, so `votes` - 2 `right` lies within
a window of 50. The decoding can fail: one z that is wrong in its eighth digit is no such sum
(tests/test_leaderboard.py).
"""

import numpy as np
import pandas as pd

from helpers.sources.files import DataError
from helpers.sources.kept import read_kept

ASKED, QUESTIONS = 50, 504
WEIGHTS = np.array([-1.70909, 0.0554315, 0.0214367, -0.0548004])  # start, right, votes, unreadable
ROUGH, EXACT = 2e-5, 1e-11  # how near a sum must come, with these weights and with exact ones
MOST_VOTES = 150  # of 50 cases, three each
UNREADABLE = range(1, 13)
# of the shares right of the 83 models, as another file of the release prints them
# (release_data/dataset_raw_distribution.csv, row ttcw)
PRINTED_MEAN, PRINTED_SD = 0.4091566265060241, 0.18218996263801615


def load_scores():
    """Return the released scores: model ("<family>/<name>"), z."""
    return read_kept("agc-bench-ttcw")[["model", "z"]]


def decode(scores):
    """Return the scores with the whole numbers behind them: model, z, right (of 50), votes,
    unreadable, and residual, by how much their sum misses z.

    scores: of `load_scores`. DataError for a z that is no sum of whole numbers.
    """
    z = scores["z"].to_numpy(float)
    weights, middle = make_exact(z)
    rows = []
    for model, value in zip(scores["model"], z):
        fits = list_fits(value, weights, EXACT, [0], middle)
        fits = fits or list_fits(value, weights, EXACT, UNREADABLE, middle)
        if len(fits) != 1:
            refuse_scores(f"z of {model} is no sum of whole numbers, or of several")
        rows.append(fits[0])
    numbers = pd.DataFrame(rows, scores.index, ["right", "votes", "unreadable"])
    sums = weights[0] + numbers.to_numpy() @ weights[1:]
    return scores.join(numbers).assign(residual=z - sums)


def refuse_scores(what):
    """Raise the DataError of scores that are not what their source has."""
    advice = "compare the file with its source (data/ratings/README.md)"
    raise DataError(f"agc-bench-ttcw.csv: {what}; {advice}")


def make_exact(z):
    """Return (the weights to the last digit, the middle of the window of `votes` - 2 `right`).

    The weights of answers and votes come from the models for which just one pair of whole numbers
    comes near, that of unreadable answers from the models for which no pair does.
    """
    # 1. the models that just one pair fits: they give the window and the exact weights
    fits = [list_fits(value, WEIGHTS, ROUGH, [0]) for value in z]
    is_single = np.array([len(fit) == 1 for fit in fits])
    if not is_single.any():
        refuse_scores("the scores are no sums of whole numbers")
    numbers = np.array([fit[0] for fit in fits if len(fit) == 1])[:, :2]
    spare = numbers[:, 1] - 2 * numbers[:, 0]
    middle = np.median(spare)
    possible = np.abs(spare - middle) <= ASKED / 2
    table = np.column_stack([np.ones(len(numbers)), numbers])[possible]
    readable = fit_exactly(table, z[is_single][possible])
    weights = np.append(readable, WEIGHTS[3])
    # 2. the models that no pair fits exactly: the first fit with some unreadable answers
    failed, left = [], []
    for value in z:
        if list_fits(value, weights, EXACT, [0], middle):
            continue
        for right, votes, unreadable in list_fits(value, weights, ROUGH, UNREADABLE, middle)[:1]:
            failed.append(unreadable)
            left.append(value - readable @ [1, right, votes])
    # 3. what is left of their z by that number: the slope of a line through 0
    if failed:
        weights[3] = np.dot(failed, left) / np.dot(failed, failed)
    return weights, middle


def fit_exactly(table, z):
    """Return the weights by least squares that give all z but some wrong ones exactly: what is
    farthest off is left out, one after the other, up to a tenth. table: models x (1, right, votes).
    """
    kept = np.arange(len(z))
    while len(kept) >= 0.9 * len(z):
        weights = np.linalg.lstsq(table[kept], z[kept], rcond=None)[0]
        off = np.abs(table[kept] @ weights - z[kept])
        if off.max() <= EXACT:
            return weights
        kept = np.delete(kept, off.argmax())
    return refuse_scores("the scores are no sums of whole numbers")


def list_fits(z, weights, near, unreadable, middle=None):
    """Return the (right, votes, unreadable) whose sum comes so near z.

    unreadable: the numbers that are tried; middle: of the window of `votes` - 2 `right`, None where
    it is not known.
    """
    fits = []
    for failed in unreadable:
        right = np.arange(ASKED - failed + 1)
        left = z - weights[0] - weights[1] * right - weights[3] * failed
        votes = np.round(left / weights[2])
        fitting = np.abs(left - weights[2] * votes) <= near
        fitting &= np.abs(votes) <= MOST_VOTES
        if middle is not None:
            fitting &= np.abs(votes - 2 * right - middle) <= ASKED / 2
        fits += [(int(right[row]), int(votes[row]), failed) for row in np.flatnonzero(fitting)]
    return fits
