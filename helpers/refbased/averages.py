"""Which averages of rho, tau and accuracy can any judge reach?

A judge ranks three stories of each group, and a paper prints three averages over the groups: of
rho, tau and accuracy. In a group only some triples are possible, one for each way to rank three
stories, so only some triples of averages are: `attainable` lists all. `nearest_triple` says whether
one of them rounds to three printed numbers, and if not, which of the three may be wrong. The audit
of v1's Table 2 and of the figures uses them.
"""

import numpy as np

from helpers.measures import rankings

BASE = 2**21  # of the integers in which `pack` holds sums between -BASE / 2 and BASE / 2


def attainable(human, rule):
    """Return every (mean rho, tau, accuracy) that some judge, a weak order per group, can reach
    against scores (n x 3); undefined correlations count as 0 (as in print).

    The sums over the groups so far are counted in steps of 0.0001, and equal ones are kept once.
    """
    sums = np.zeros(1, dtype=np.int64)  # packed
    for scores in human.to_numpy():
        triples = np.array(list(rankings.cells(tuple(scores), rule).values()))
        steps = np.unique(np.round(triples * 1e4), axis=0)  # k x 3
        new_sums = sums[:, None] + pack(steps)
        sums = np.unique(new_sums.ravel())
    return unpack(sums) / 1e4 / len(human)


def pack(triples):
    """Return each of some triples (n x 3 whole numbers) as one integer, so that sorting them and
    finding equal ones is fast. The sum of two packed triples is their sum, packed."""
    first, second, third = triples.astype(np.int64).T
    return first * BASE**2 + second * BASE + third


def unpack(packed):
    """Return the triples (n x 3) that `pack` made one integer each."""
    half = BASE // 2
    shifted = packed + half * (BASE**2 + BASE + 1)  # now none of the three is below 0
    first = shifted // BASE**2
    second = shifted // BASE % BASE
    third = shifted % BASE
    return np.column_stack([first, second, third]) - half


def nearest_triple(states, target, half=0.005):
    """Return (does a state round to the triple; which cells hold, if one may be wrong).

    states: n x 3; target: the three printed numbers; half: of the last printed digit.
    """
    near = np.abs(states - np.asarray(target, float)) <= half + 1e-4  # n x 3
    if near.all(axis=1).any():
        return True, [True] * near.shape[1]
    # may this cell alone be wrong? then it does not hold, and the others do
    alone_wrong = [np.delete(near, k, axis=1).all(axis=1).any() for k in range(near.shape[1])]
    return False, [bool(any(alone_wrong) and not alone) for alone in alone_wrong]
