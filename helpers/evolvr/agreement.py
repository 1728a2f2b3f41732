"""The index behind evolvr's Table 8, and the level that it has by chance."""

import numpy as np

from helpers.measures.intervals import row


def agreement_index(ratings):
    """Return 1 / (1 + mean over items of the population SD of an item's ratings); axes: …, items,
    raters (nan: did not rate; an item with fewer than two ratings does not count). It gives evolvr,
    Table 8: column Pointwise for stories, Pairwise for `same_rater_differences` of all pairs."""
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
    a; nan if b was not. arrays, who: of `load.rating_array`; a, b: positions of stories."""
    same = who[a][:, :, None] == who[b][:, None, :]
    found = np.take_along_axis(arrays[:, b], same.argmax(axis=2)[None], axis=2)
    return np.where(same.any(axis=2), arrays[:, a] - found, np.nan)


def shuffled_index(ratings, rng, repeats):
    """Return estimate (mean), low, high, n (shuffles) of `agreement_index` of stories x raters
    where the ratings of different stories are put together: raters share their spread alone."""
    flat, shape = np.ravel(ratings), np.shape(ratings)
    values = [agreement_index(rng.permuted(flat).reshape(shape)) for _ in range(repeats)]
    return row(np.mean(values), *np.percentile(values, [2.5, 97.5]), repeats)
