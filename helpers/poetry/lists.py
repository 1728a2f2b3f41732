"""Draw lists of poems for a judge to rank: by tier, balanced, all in one; order poems by means."""

import numpy as np
import pandas as pd


def draw_subsets(tiers, subsets, per_tier, rng):
    """Return lists of poem ids (subsets x size), `per_tier` of each, shuffled (section 7.3)."""
    members, drawn = members_of(tiers, per_tier), []
    for _ in range(subsets):
        chosen = [rng.choice(tier, per_tier, replace=False) for tier in members]
        drawn.append(rng.permutation(np.concatenate(chosen)))
    return np.array(drawn)


def members_of(tiers, per_tier):
    """Return each tier's poem ids, best tier first; ValueError for fewer than `per_tier`."""
    codes = np.asarray(pd.Categorical(tiers).codes)
    members = [np.flatnonzero(codes == code) for code in np.unique(codes)]
    if (fewest := min(map(len, members))) < per_tier:
        raise ValueError(f"per_tier={per_tier}, but a tier has {fewest} poems; lower per_tier")
    return members


def balance_subsets(tiers, subsets, per_tier, rng):
    """Return lists like `draw_subsets`, poems equally often, pairs as evenly as greed gets."""
    members = members_of(tiers, per_tier)
    draw_subsets(tiers, 1, per_tier, rng)  # unused: it keeps the draws that the notebooks show
    slots, shown = np.repeat(np.arange(len(members)), per_tier), np.zeros(len(tiers))
    met, lists = np.zeros((len(tiers), len(tiers))), []
    for _ in range(subsets):
        chosen, meets = [], rng.random(len(tiers)) / 2  # ties at random
        for slot in rng.permutation(slots):
            free = members[slot]
            pick = free[np.argmin(shown[free] * 1e6 + meets[free])]
            chosen.append(int(pick))
            meets += met[pick]
            meets[pick] = np.inf
        shown[chosen] += 1
        met[np.ix_(chosen, chosen)] += 1
        lists.append(rng.permutation(chosen))
    return np.array(lists)


def shuffle_all(poems, shuffles, rng):
    """Return lists of all poems (shuffles x poems), each in random order (poetry, section 7.2)."""
    return np.array([rng.permutation(poems) for _ in range(shuffles)])


def plan_designs(tiers, subsets, shuffles, rng):
    """Return {poems in a list: lists}: five per tier (or fewer; 15 without), and all."""
    counts = np.bincount(tiers)
    per_tier = min(5 if len(counts) > 1 else 15, int(counts.min()))
    short = draw_subsets(tiers, subsets, per_tier, rng)
    return {str(short.shape[1]): short, str(len(tiers)): shuffle_all(len(tiers), shuffles, rng)}


def order_by(means, rng):
    """Return the positions of `means` from high to low, ties at random, poems without one last."""
    means = np.nan_to_num(np.asarray(means, float), nan=-np.inf)
    return np.lexsort((rng.random(len(means)), -means))
