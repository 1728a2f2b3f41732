"""The index behind evolvr's Table 8, of single stories and of pairs."""

import numpy as np


def agreement_index(ratings):
    """Return 1 / (1 + mean over items of the population SD of an item's ratings); axes: …, items,
    raters (nan: did not rate; an item with fewer than two ratings does not count). It gives evolvr,
    Table 8: column Pointwise for stories, Pairwise for `same_rater_differences` of all pairs."""
    ratings = np.asarray(ratings, float)
    has_enough = (~np.isnan(ratings)).sum(axis=-1) >= 2
    usable = np.where(has_enough[..., None], ratings, 0)  # 0: adds no spread
    find_sd = np.nanstd if np.isnan(usable).any() else np.std  # the same, in half the time
    spread = find_sd(usable, axis=-1)
    mean_spread = spread.sum(axis=-1) / has_enough.sum(axis=-1)
    return 1 / (1 + mean_spread)


def pair_up(prompts):
    """Return (a, b): all ordered pairs of different stories of one prompt."""
    prompts = np.asarray(prompts)
    share_prompt = prompts[:, None] == prompts[None]  # stories x stories
    are_different = ~np.eye(len(prompts), dtype=bool)
    return np.nonzero(share_prompt & are_different)


def same_rater_differences(arrays, who, a, b):
    """Return aspects x pairs x 3: how much better story a than story b was rated by each rater of
    a; nan if b was not. arrays, who: of `load.rating_array`; a, b: positions of stories."""
    is_same = who[a][:, :, None] == who[b][:, None, :]  # pairs x raters of a x raters of b
    slot_in_b = is_same.argmax(axis=2)
    of_b = np.take_along_axis(arrays[:, b], slot_in_b[None], axis=2)
    return np.where(is_same.any(axis=2), arrays[:, a] - of_b, np.nan)
