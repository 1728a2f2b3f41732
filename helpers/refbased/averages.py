"""Which averages of rho, tau and accuracy can any judge reach?

A judge ranks three stories of each group, and a paper prints three averages over the groups: of
rho, tau and accuracy. In a group only some triples are possible, one for each way to rank three
stories, so only some triples of averages are: `attainable` lists all. `nearest_triple` says whether
one of them rounds to three printed numbers, and if not, which of the three may be wrong. The audit
of v1's Table 2 and of the figures uses them.
"""

import numpy as np
import pandas as pd
from goodjudge.stats import rankings

METRICS = ["rho", "tau", "accuracy"]
STEPS = 10_000  # in 1: sums are counted in whole steps, so that equal ones can be told


def attainable(human, rule):
    """Return every (mean rho, tau, accuracy) that some judge, a weak order per group, can reach
    against scores (groups x 3 stories): n x 3, in order; undefined correlations count as 0 (as in
    print).

    Group by group, each triple of the group is added to each sum of the groups before it. Equal
    sums are kept once: three stories can be ranked in 13 ways, but of twelve groups, a few 10,000
    sums are left.
    """
    sums = np.zeros((1, 3), dtype=np.int64)
    for scores in human.to_numpy():
        triples = list(rankings.cells(tuple(scores), rule).values())
        steps = np.unique(np.round(np.array(triples) * STEPS).astype(np.int64), axis=0)
        new_sums = sums[:, None] + steps  # sums x triples of the group x 3
        table = pd.DataFrame(new_sums.reshape(-1, 3), columns=METRICS)
        sums = table.drop_duplicates().to_numpy()
    in_order = pd.DataFrame(sums, columns=METRICS).sort_values(METRICS, kind="stable")
    return in_order.to_numpy() / STEPS / len(human)


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
