"""Which averages of rho, tau and accuracy can any judge reach?

A judge ranks three stories of each group, and a paper prints three averages over the groups: of
rho, tau and accuracy. In a group only some triples are possible, one for each way to rank three
stories, so only some triples of averages are: `attainable` lists all. `nearest_triple` says whether
one of them rounds to three printed numbers, and if not, which of the three may be wrong. The audit
of v1's Table 2 and of the figures uses them.
"""

import numpy as np
import pandas as pd

from helpers.measures import rankings

STEPS = 10_000  # in 1: sums are counted in whole steps, so that equal ones can be told


def attainable(human, rule):
    """Return every (mean rho, tau, accuracy) that some judge, a weak order per group, can reach
    against scores (groups x 3 stories): n x 3, in order; undefined correlations count as 0 (as in
    print).

    Group by group, each triple of the group is added to each sum of the groups before it. Equal
    sums are kept once: three stories can be ranked in 13 ways, but of twelve groups, a few 10,000
    sums are left. For speed a triple is one whole number of three digits: rho, tau and accuracy,
    each in steps above -1, to a base that no sum of them reaches.
    """
    groups = len(human)
    base = 2 * STEPS * groups + 1
    worth_of_digit = np.array([base**2, base, 1])
    sums = np.zeros(1, dtype=np.int64)
    for scores in human.to_numpy():
        triples = np.array(list(rankings.cells(tuple(scores), rule).values()))
        steps = np.round((triples + 1) * STEPS).astype(np.int64)  # triples of the group x 3
        new_sums = sums[:, None] + steps @ worth_of_digit  # sums x triples of the group
        sums = pd.unique(new_sums.ravel())
    digits = np.sort(sums)[:, None] // worth_of_digit % base  # sums x 3
    return (digits - groups * STEPS) / STEPS / groups


def nearest_triple(states, target, half=0.005):
    """Return (does a state round to the triple; which cells hold, if one may be wrong).

    states: n x 3; target: the three printed numbers; half: of the last printed digit. Where no
    state has all three, a cell does not hold if it alone may be wrong, that is, if some state has
    the other two. Where no state has even two of them, none holds. Printed .50, .44 and .69:

        states                            which hold
        (.50, .44, .69)                   all three
        (.50, .44, .66), (.47, .44, .69)  only tau: rho may be wrong, or accuracy
        (.50, .40, .66)                   none
    """
    is_near = np.abs(states - np.asarray(target, float)) <= half + 1e-4  # n x 3
    cells = is_near.shape[1]
    if is_near.all(axis=1).any():
        return True, [True] * cells
    may_be_wrong = []  # alone, by cell
    for cell in range(cells):
        others = np.delete(is_near, cell, axis=1)
        others_fit = others.all(axis=1).any()
        may_be_wrong.append(bool(others_fit))
    if not any(may_be_wrong):
        return False, [False] * cells
    return False, [not is_wrong for is_wrong in may_be_wrong]
