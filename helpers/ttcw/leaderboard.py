"""A leaderboard of 2026 that asked 83 models the fourteen tests (AGC-Bench): from its standard
scores back to counts of right answers, and what these say beside a judge that always says No.

Each model answered 50 of the 504 questions about machine stories. The release prints one standard
score z a model, which mixes three measures: how often the model sides with the experts' majority
(`right` of 50), with how many of their 150 votes it agrees (`votes`, counted from an unknown
start), and how many answers could be read. So every z must be the same weighted sum of whole
numbers:

    z = start + of a right answer * right + of a vote * votes + of an unreadable answer * unreadable

Weights of six digits were found by search. `decode` makes them exact with the models for which only
one pair of whole numbers fits, and then reads every model's numbers off its z. It can fail: one z
that is wrong in its eighth digit is no such sum (tests/test_leaderboard.py).
"""

import numpy as np
import pandas as pd
from scipy import stats

from helpers.sources.files import DataError
from helpers.sources.kept import read_kept

ASKED, QUESTIONS = 50, 504
WEIGHTS = np.array([-1.70909, 0.0554315, 0.0214367, -0.0548004])  # start, right, votes, unreadable
ROUGH, EXACT = 2e-5, 1e-11  # how near a sum must come, with these weights and with exact ones
VOTES = np.arange(-150, 151)  # more and fewer than there can be, from any start
MOST_UNREADABLE = 12
NAMES = {  # of families, as they stand before the slash, for readers
    "anthropic": "Anthropic",
    "openai": "OpenAI",
    "google": "Google",
    "deepseek": "DeepSeek",
    "meta-llama": "Meta",
    "mistralai": "Mistral",
    "qwen": "Qwen",
    "z-ai": "GLM",
    "nvidia": "Nvidia",
    "moonshotai": "Kimi",
    "amazon": "Amazon",
}


def load_scores():
    """Return the released scores: model ("<family>/<name>"), z."""
    return read_kept("agc-bench-ttcw")[["model", "z"]]


def decode(scores):
    """Return the scores with the whole numbers behind them: model, z, right (of 50), votes,
    unreadable, and residual, by how much their sum misses z.

    scores: of `load_scores`. DataError for a z that is no sum of whole numbers.
    """
    z = scores["z"].to_numpy(float)
    weights = make_exact(z, WEIGHTS)
    rows = [find_numbers(value, weights) for value in z]
    numbers = pd.DataFrame(rows, columns=["right", "votes", "unreadable"])
    missing = numbers["right"].isna()
    if missing.any():
        model = scores["model"].to_numpy()[missing.to_numpy()][0]
        raise DataError(
            f"agc-bench-ttcw.csv: z of {model} is no sum of whole numbers of {ASKED} answers;"
            " compare the file with its source, data/ratings/README.md"
        )
    numbers = numbers.astype(int)
    residual = z - add_up(numbers.to_numpy(), weights)
    return scores.join(numbers).assign(residual=residual)


def add_up(numbers, weights):
    """Return the weighted sums; numbers: models x (right, votes, unreadable)."""
    return weights[0] + np.asarray(numbers, float) @ weights[1:]


def make_exact(z, weights):
    """Return the weights fitted to the models whose numbers are known: first to those for which one
    pair of whole numbers comes near, then once more with those that have unreadable answers."""
    known = [list_fits(value, weights, ROUGH, [0]) for value in z]
    single = [row for row in range(len(z)) if len(known[row]) == 1]
    numbers = np.array([known[row][0] for row in single], float)
    readable = fit_weights(z[single], numbers[:, :2])
    weights = np.append(readable, weights[3])
    rest = [row for row in range(len(z)) if not list_fits(z[row], weights, EXACT, [0])]
    tried = range(1, MOST_UNREADABLE + 1)
    fits = {row: list_fits(z[row], weights, ROUGH / 10, tried) for row in rest}
    found = [(row, fit[0]) for row, fit in fits.items() if len(fit) == 1]
    if found:
        rows, numbers = zip(*found)
        numbers = np.array(numbers, float)
        left = z[list(rows)] - readable[0] - numbers[:, :2] @ readable[1:]
        weights[3] = (left @ numbers[:, 2]) / (numbers[:, 2] @ numbers[:, 2])
    return weights


def fit_weights(z, numbers):
    """Return start and weights by least squares, without the models that came near only by chance:
    the one that is farthest off is left out, again and again, until all others are met exactly.

    z, numbers (models x right, votes): of the models that one pair fits. DataError where fewer than
    half of them are left.
    """
    table = np.column_stack([np.ones(len(z)), numbers])
    kept = np.arange(len(z))
    while len(kept) > len(z) / 2:
        weights = np.linalg.lstsq(table[kept], z[kept], rcond=None)[0]
        off = np.abs(table[kept] @ weights - z[kept])
        if off.max() <= EXACT:
            return weights
        kept = np.delete(kept, off.argmax())
    raise DataError(
        "agc-bench-ttcw.csv: the scores are no sums of whole numbers; compare the file with its"
        " source, data/ratings/README.md"
    )


def list_fits(z, weights, near, unreadable):
    """Return the (right, votes, unreadable) whose sum comes so near z; unreadable: what is tried."""
    fits = []
    for failed in unreadable:
        right = np.arange(ASKED - failed + 1)
        left = z - weights[0] - weights[1] * right - weights[3] * failed
        votes = np.round(left / weights[2])
        off = np.abs(left - weights[2] * votes)
        fitting = np.flatnonzero((off <= near) & (np.abs(votes) <= VOTES.max()))
        fits += [(int(right[row]), int(votes[row]), failed) for row in fitting]
    return fits


def find_numbers(z, weights):
    """Return (right, votes, unreadable) of one z, nan where none or several fit."""
    for unreadable in ([0], range(1, MOST_UNREADABLE + 1)):
        fits = list_fits(z, weights, EXACT, unreadable)
        if len(fits) == 1:
            return fits[0]
    return np.nan, np.nan, np.nan


def count_draw(hits, level=0.95):
    """Return the share (estimate, low, high, n) that a judge with `hits` right of all 504 questions
    has in a draw of 50 of them: the range of the hypergeometric distribution."""
    tail = (1 - level) / 2
    draw = stats.hypergeom(QUESTIONS, hits, ASKED)
    low, high = draw.ppf([tail, 1 - tail]) / ASKED
    return pd.Series({"estimate": hits / QUESTIONS, "low": low, "high": high, "n": ASKED})


def count_wrong_yes(right, unreadable, passed):
    """Return the least number of wrong answers that must be a Yes: those that are left if the judge
    missed every one of the `passed` cases among its 50."""
    return np.maximum(ASKED - right - unreadable - passed, 0)


def name_family(models):
    """Return the family of each model, as readers know it; "others" for one with few models."""
    family = models.str.split("/").str[0]
    return family.map(NAMES).fillna("others")
