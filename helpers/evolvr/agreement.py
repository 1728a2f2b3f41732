"""The index behind evolvr's Table 8, its shuffled level, and a search of its definition."""

import itertools

import numpy as np
import pandas as pd

from helpers.measures.intervals import row

PAIRS = np.array(list(itertools.combinations(range(3), 2))).T


def agreement_index(ratings):
    """Return 1 / (1 + mean over items of the population SD of an item's ratings); last axis raters,
    the one before items.

    Gives evolvr, Table 8: column Pointwise for stories, column Pairwise for
    `same_rater_differences` of all pairs of a prompt. nan where somebody did not rate; items with
    fewer than two ratings do not count. It has no chance correction.
    """
    x = np.asarray(ratings, float)
    enough = (~np.isnan(x)).sum(axis=-1) >= 2
    spread = np.nanstd(np.where(enough[..., None], x, 0), axis=-1)
    return 1 / (1 + spread.sum(axis=-1) / enough.sum(axis=-1))


def pair_up(prompts):
    """Return (a, b): all ordered pairs of different stories of one prompt."""
    prompts = np.asarray(prompts)
    return np.nonzero((prompts[:, None] == prompts[None]) & ~np.eye(len(prompts), dtype=bool))


def same_rater_differences(arrays, who, a, b):
    """Return aspects x pairs x 3: how much better story a than story b was rated by each rater of
    a; nan if b was not.

    arrays: aspects x stories x 3; who: stories x 3 names; a, b: positions of the stories of each
    pair.
    """
    same = who[a][:, :, None] == who[b][:, None, :]
    found = np.take_along_axis(arrays[:, b], same.argmax(axis=2)[None], axis=2)
    return np.where(same.any(axis=2), arrays[:, a] - found, np.nan)


def shuffled_index(ratings, rng, repeats):
    """Return estimate (mean), low, high, n (shuffles) of `agreement_index` when raters of different
    stories are put together.

    ratings: stories x raters. The value that raters reach who share only the distribution of
    ratings.
    """
    flat, shape = np.ravel(ratings), np.shape(ratings)
    values = [agreement_index(rng.permuted(flat).reshape(shape)) for _ in range(repeats)]
    return row(np.mean(values), *np.percentile(values, [2.5, 97.5]), repeats)


def shuffle_sheets(data, rng):
    """Return `Ratings` with each rater's sheets dealt anew to this rater's stories: severity stays,
    agreement goes."""
    table = data.ratings.sort_values(["aspect", "item", "slot"], kind="stable")
    scores = table["score"].to_numpy().reshape(table["aspect"].nunique(), -1)
    who, dealt = table["rater"].to_numpy(str)[: scores.shape[1]], scores.copy()
    for name in np.unique(who):
        mine = np.flatnonzero(who == name)
        dealt[:, mine] = scores[:, rng.permutation(mine)]
    return data._replace(ratings=table.assign(score=dealt.ravel()))


def _definitions(x):
    """Return {name: one value per aspect} of 42 agreements built on how far an item's ratings
    spread; x: aspects x items x 3."""
    x = x[:, (~np.isnan(x[0])).sum(axis=-1) >= 2]
    gaps = np.abs(x[..., PAIRS[0]] - x[..., PAIRS[1]])
    reach = np.nanmax(x, axis=-1) - np.nanmin(x, axis=-1)
    spreads = {
        "SD": np.nanstd(x, axis=-1),
        "sample SD": np.nanstd(x, axis=-1, ddof=1),
        "variance": np.nanvar(x, axis=-1),
        "sample variance": np.nanvar(x, axis=-1, ddof=1),
        "range": reach,
        "mean |difference|": np.nanmean(gaps, axis=-1),
    }
    found = {}
    for name, spread in spreads.items():
        found[f"1 / (1 + mean {name})"] = 1 / (1 + spread.mean(axis=1))
        found[f"mean 1 / (1 + {name})"] = (1 / (1 + spread)).mean(axis=1)
        found[f"mean exp(-{name})"] = np.exp(-spread).mean(axis=1)
        for top in (1, 2, 4):
            found[f"1 - mean {name} / {top}"] = 1 - spread.mean(axis=1) / top
    for width in (0, 1, 2):
        found[f"share of items with range <= {width}"] = (reach <= width).mean(axis=1)
        near = np.where(np.isnan(gaps), np.nan, gaps <= width)
        found[f"share of pairs of raters within {width}"] = np.nanmean(near, axis=(1, 2))
    return found


def search(ratings, printed):
    """Return a table, best first: definition, of (what was rated), matches (of the printed values),
    largest difference.

    ratings: {of: aspects x items x 3}; printed: aspects, three decimals.
    """
    rows = []
    for what, x in ratings.items():
        for name, values in _definitions(x).items():
            away = np.abs(values - np.asarray(printed))
            matches = int((away <= 0.0005 + 1e-9).sum())
            rows.append((name, what, matches, float(away.max().round(10))))
    table = pd.DataFrame(rows, columns=["definition", "of", "matches", "largest difference"])
    best = ["matches", "largest difference"]
    return table.sort_values(best, ascending=[False, True], kind="stable", ignore_index=True)
