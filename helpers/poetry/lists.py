"""Draw lists of poems for a judge to rank: by tier, or all in one."""

import numpy as np
import pandas as pd


def draw_subsets(tiers, subsets, per_tier, rng):
    """Return lists of poem ids (subsets x size), `per_tier` of each, shuffled (section 7.3)."""
    members = members_of(tiers, per_tier)
    drawn = []
    for _ in range(subsets):
        chosen = [rng.choice(tier, per_tier, replace=False) for tier in members]
        drawn.append(rng.permutation(np.concatenate(chosen)))
    return np.array(drawn)


def members_of(tiers, per_tier):
    """Return each tier's poem ids, best tier first; ValueError for fewer than `per_tier`."""
    codes = np.asarray(pd.Categorical(tiers).codes)
    members = [np.flatnonzero(codes == code) for code in np.unique(codes)]
    fewest = min(len(tier) for tier in members)
    if fewest < per_tier:
        raise ValueError(f"per_tier={per_tier}, but a tier has {fewest} poems; lower per_tier")
    return members


def shuffle_all(poems, shuffles, rng):
    """Return lists of all poems (shuffles x poems), each in random order (poetry, section 7.2)."""
    return np.array([rng.permutation(poems) for _ in range(shuffles)])


def plan_designs(tiers, subsets, shuffles, rng, sizes=(15,)):
    """Return {poems in a list: lists}, the shortest first: lists of `sizes`, and of all poems.

    tiers: codes. A list holds as many poems of each tier, 5 + 5 + 5 of three in one of 15, but no
    more of any than the smallest tier has. Of the shortest there are `subsets`, of all poems
    `shuffles`, and of a size in between as many as show about as many poems as these. A size that
    would hold all poems is left out.
    """
    poems = len(tiers)
    poems_by_tier = np.bincount(tiers)
    smallest = int(poems_by_tier.min())
    per_tier = {min(size // len(poems_by_tier), smallest) for size in sizes}
    short, *longer = sorted(per_tier)
    # the sizes in between are drawn last: the others stay what they were without them
    designs = [draw_subsets(tiers, subsets, short, rng), shuffle_all(poems, shuffles, rng)]
    for number in longer:
        size = number * len(poems_by_tier)
        if size < poems:
            designs.append(draw_subsets(tiers, round(shuffles * poems / size), number, rng))
    designs.sort(key=lambda lists: lists.shape[1])
    return {str(lists.shape[1]): lists for lists in designs}
