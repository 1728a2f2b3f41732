"""Draw lists of poems for a judge to rank: by tier, balanced, all in one; order poems by means."""

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


def balance_subsets(tiers, subsets, per_tier, rng):
    """Return lists like `draw_subsets`, poems equally often, pairs as evenly as greed gets.

    A list has `per_tier` places of each tier, filled in random order. Each takes the poem of its
    tier that was shown least; among those, the one that met the poems of this list least in earlier
    lists; among those, one at random. Say the list has poem 7 already, and the next place may go to
    three poems of its tier:

        poem                        11    12    13
        times shown                  4     4     5
        lists that had 7 with it     2     1     0     -> 12: shown less than 13, met 7 less than 11
    """
    members = members_of(tiers, per_tier)
    # one list, thrown away: without it all draws that follow would be others, and with them the
    # numbers of notebook S3
    draw_subsets(tiers, 1, per_tier, rng)
    poems = len(tiers)
    tier_of_place = np.repeat(np.arange(len(members)), per_tier)
    times_shown = np.zeros(poems)
    times_met = np.zeros((poems, poems))  # poem x poem: the lists that hold both
    drawn = []
    for _ in range(subsets):
        chosen = []
        left = list(members)  # no poem twice in a list
        # of each poem with those chosen so far, a whole number and a random part below one for ties
        meetings = rng.random(poems) / 2
        for tier in rng.permutation(tier_of_place):
            candidates = left[tier]
            least_first = np.lexsort((meetings[candidates], times_shown[candidates]))
            poem = candidates[least_first[0]]
            chosen.append(poem)
            left[tier] = candidates[candidates != poem]
            meetings += times_met[poem]
        times_shown[chosen] += 1
        times_met[np.ix_(chosen, chosen)] += 1
        drawn.append(rng.permutation(chosen))
    return np.array(drawn)


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


def order_by(means, rng):
    """Return the positions of `means` from high to low, ties at random, poems without one last."""
    known = np.nan_to_num(np.asarray(means, float), nan=-np.inf)
    ties = rng.random(len(known))
    return np.lexsort((ties, -known))
