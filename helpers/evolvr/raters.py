"""Agreement of raters on 1-to-5 scales: the index that evolvr prints, its shuffled level, ICCs, and a search of definitions."""
import itertools

import numpy as np
import pandas as pd
from scipy import stats

PAIRS = list(itertools.combinations(range(3), 2))


def agreement_index(ratings):
    """Return 1 / (1 + mean over stories of the population SD of a story's ratings); last axis raters, the one before stories.

    The definition that gives evolvr, Table 8, column Pointwise. It has no chance correction: see `shuffled_index`.
    """
    return 1 / (1 + np.asarray(ratings, float).std(axis=-1).mean(axis=-1))


def shuffled_index(ratings, rng, repeats=100):
    """Return (mean, low, high) of `agreement_index` when raters of different stories are put together (n = repeats).

    ratings: stories x raters. Its mean is the value that raters reach who share only the distribution of ratings.
    """
    flat = np.asarray(ratings, float)
    values = [agreement_index(rng.permuted(flat.ravel()).reshape(flat.shape)) for _ in range(repeats)]
    return float(np.mean(values)), *np.percentile(values, [2.5, 97.5])


def mean_squares(x):
    """Return (stories, raters, MS between stories, MS between slots, MS residual, MS within stories) of stories x raters."""
    x = np.asarray(x, float)
    n, k = x.shape
    grand, rows, slots = x.mean(), x.mean(axis=1, keepdims=True), x.mean(axis=0, keepdims=True)
    between = k * ((rows - grand) ** 2).sum() / (n - 1)
    column = n * ((slots - grand) ** 2).sum() / (k - 1)
    residual = ((x - rows - slots + grand) ** 2).sum() / ((n - 1) * (k - 1))
    return n, k, between, column, residual, ((x - rows) ** 2).sum() / (n * (k - 1))


def iccs(x):
    """Return {name: value} of the six intraclass correlations of Shrout and Fleiss (1979), stories x raters."""
    n, k, between, column, residual, within = mean_squares(x)
    return {
        "ICC(1,1)": (between - within) / (between + (k - 1) * within),
        "ICC(2,1)": (between - residual) / (between + (k - 1) * residual + k * (column - residual) / n),
        "ICC(3,1)": (between - residual) / (between + (k - 1) * residual),
        "ICC(1,k)": (between - within) / between,
        "ICC(2,k)": (between - residual) / (between + (column - residual) / n),
        "ICC(3,k)": (between - residual) / between,
    }


def weighted_agreement(x, weights, chance):
    """Return mean pairwise agreement of stories x 3 raters under a 5 x 5 weight matrix, corrected for chance.

    chance: 'none', 'kappa' (each slot's own marginals), 'gwet' (AC) or 'uniform' (Brennan and Prediger).
    """
    code, values = np.asarray(x, int) - 1, []
    for i, j in PAIRS:
        table = np.zeros((5, 5))
        np.add.at(table, (code[:, i], code[:, j]), 1 / len(code))
        observed, share = (table * weights).sum(), (table.sum(0) + table.sum(1)) / 2
        expected = {
            "none": 0.0,
            "kappa": (np.outer(table.sum(1), table.sum(0)) * weights).sum(),
            "uniform": weights.mean(),
            "gwet": weights.sum() / 20 * (share * (1 - share)).sum(),
        }[chance]
        values.append((observed - expected) / (1 - expected))
    return float(np.mean(values))


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
    for name, kind in (("Pearson", stats.pearsonr), ("Spearman", stats.spearmanr), ("Kendall", stats.kendalltau)):
        found[f"mean {name} between slots"] = lambda z, f=kind: np.mean([f(z[:, i], z[:, j])[0] for i, j in PAIRS])
    for name in iccs(np.arange(6.0).reshape(3, 2)):
        found[name] = lambda z, key=name: iccs(z)[key]
    return found


def chance_definitions():
    """Return {name: function} of pairwise agreement by four weightings of disagreement and four corrections for chance."""
    away = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    weights = {"exact": (away == 0) * 1.0, "within 1": (away <= 1) * 1.0, "linear": 1 - away / 4, "quadratic": 1 - away**2 / 16}
    return {
        f"{name} agreement, chance: {chance}": lambda z, w=w, c=chance: weighted_agreement(z, w, c)
        for name, w in weights.items()
        for chance in ("none", "kappa", "gwet", "uniform")
    }


def search(arrays, printed, definitions):
    """Return a table, best first: definition, matches (of the printed values), largest_difference, values.

    arrays: aspects x stories x 3; printed: aspects, three decimals.
    """
    rows = []
    for name, define in definitions.items():
        values = np.array([define(x) for x in arrays], float)
        away = np.abs(values - np.asarray(printed))
        rows.append((name, int((away <= 0.0005 + 1e-9).sum()), float(away.max()), values))
    table = pd.DataFrame(rows, columns=["definition", "matches", "largest_difference", "values"])
    return table.sort_values(["matches", "largest_difference"], ascending=[False, True], ignore_index=True)


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
