"""Agreement of raters on 1-to-5 scales: the index that evolvr prints, its shuffled level, and a search of definitions."""

import itertools

import numpy as np
import pandas as pd
from scipy import stats

from helpers.measures.intervals import row

PAIRS = list(itertools.combinations(range(3), 2))


def agreement_index(ratings):
    """Return 1 / (1 + mean over stories of the population SD of a story's ratings); last axis raters, the one before stories.

    The definition that gives evolvr, Table 8, column Pointwise. It has no chance correction: see `shuffled_index`.
    """
    return 1 / (1 + np.asarray(ratings, float).std(axis=-1).mean(axis=-1))


def shuffled_index(ratings, rng, repeats=100):
    """Return estimate (mean), low, high, n (shuffles) of `agreement_index` when raters of different stories are put together.

    ratings: stories x raters. The value that raters reach who share only the distribution of ratings.
    """
    flat = np.asarray(ratings, float)
    values = [agreement_index(rng.permuted(flat.ravel()).reshape(flat.shape)) for _ in range(repeats)]
    return row(np.mean(values), *np.percentile(values, [2.5, 97.5]), repeats)


def slot_correlation(ratings, prompts=None):
    """Return a statistic: positions of stories -> mean Pearson r between the slots of stories x raters.

    With `prompts`, what is correlated are differences between two stories of one prompt: over all such pairs that is the
    same as taking each prompt's mean away.
    """
    x = pd.DataFrame(ratings, dtype=float)
    x = (x if prompts is None else x - x.groupby(np.asarray(prompts)).transform("mean")).to_numpy()
    return lambda rows: np.corrcoef(x[rows].T)[np.triu_indices(x.shape[1], 1)].mean()


def spread_definitions():
    """Return {name: function of an array stories x 3} of agreements built on the spread of a story's ratings."""
    spreads = {
        "SD": lambda z: z.std(1),
        "sample SD": lambda z: z.std(1, ddof=1),
        "variance": lambda z: z.var(1),
        "sample variance": lambda z: z.var(1, ddof=1),
        "range": lambda z: np.ptp(z, axis=1),
        "mean |difference|": lambda z: np.mean([np.abs(z[:, i] - z[:, j]) for i, j in PAIRS], axis=0),
    }
    found = {}
    for name, spread in spreads.items():
        found[f"1 / (1 + mean {name})"] = lambda z, s=spread: 1 / (1 + s(z).mean())
        found[f"mean 1 / (1 + {name})"] = lambda z, s=spread: (1 / (1 + s(z))).mean()
        found[f"mean exp(-{name})"] = lambda z, s=spread: np.exp(-s(z)).mean()
        for top in (1, 2, 4):
            found[f"1 - mean {name} / {top}"] = lambda z, s=spread, t=top: 1 - s(z).mean() / t
    for width in (0, 1, 2):
        found[f"share of stories with range <= {width}"] = lambda z, w=width: (np.ptp(z, axis=1) <= w).mean()
        found[f"share of rater pairs within {width}"] = lambda z, w=width: np.mean(
            [np.abs(z[:, i] - z[:, j]) <= w for i, j in PAIRS]
        )
    return found


def correlation_definitions():
    """Return {name: function of an array stories x 3} of mean correlations between slots."""
    kinds = {"Pearson": stats.pearsonr, "Spearman": stats.spearmanr, "Kendall": stats.kendalltau}
    return {f"mean {name} between slots": lambda z, f=kind: np.mean([f(z[:, i], z[:, j])[0] for i, j in PAIRS])
            for name, kind in kinds.items()}


def search(arrays, printed, definitions):
    """Return a table, best first: definition, matches (of the printed values), largest difference.

    arrays: aspects x stories x 3; printed: aspects, three decimals.
    """
    rows = []
    for name, define in definitions.items():
        away = np.abs(np.array([define(x) for x in arrays], float) - np.asarray(printed))
        rows.append((name, int((away <= 0.0005 + 1e-9).sum()), float(away.max().round(10))))
    table = pd.DataFrame(rows, columns=["definition", "matches", "largest difference"])
    return table.sort_values(["matches", "largest difference"], ascending=[False, True], ignore_index=True)


def pair_arrays(arrays, a, b):
    """Return {name: aspects x pairs x 3}: what three slots say about pairs (a, b) of stories, in several codings."""
    in_order, centred = np.sort(arrays, axis=-1), arrays - arrays.mean(axis=0, keepdims=True)
    between = {
        "slots": arrays[:, a] - arrays[:, b],
        "sorted raters": in_order[:, a] - in_order[:, b],
        "minus each rating sheet's mean": centred[:, a] - centred[:, b],
    }
    found = {}
    for name, x in between.items():
        found |= {
            f"{name}: difference": x,
            f"{name}: size of difference": np.abs(x),
            f"{name}: sign": np.sign(x),
            f"{name}: difference / 2": x / 2,
            f"{name}: difference / 4": x / 4,
        }
    return found


def compare_codings(arrays, a, b, rng):
    """Return one row a coding of pairs: the printed index on pairs, for real and for shuffled raters (means of the aspects)."""
    codings = {"difference": lambda x: x, "half the difference": lambda x: x / 2, "which is better": np.sign}
    rows = {"one story": (lambda x: x, arrays)} | {name: (code, arrays[:, a] - arrays[:, b]) for name, code in codings.items()}
    found = {name: (agreement_index(code(x)).mean(), np.mean([shuffled_index(code(y), rng, 10)["estimate"] for y in x]))
             for name, (code, x) in rows.items()}
    return pd.DataFrame(found, index=["real raters", "shuffled raters"]).T.rename_axis("what is compared")
