"""The poetry-ranking paper, Table 2: poems sorted into three tiers."""

import numpy as np
import pandas as pd
from scipy import stats

from helpers.sources.published import agrees

TIERS = ["Good", "Medium", "Bad"]
CORRECT = [f"{tier} (correct)" for tier in TIERS]
SIZE = 30  # poems in a tier


def check(paper, solved):
    """Check Table 2: totals, accuracy; counts, SRC and p by the confusion tables they allow.

    solved: as `solve_confusions` returns it.
    """
    grid = paper.grid("Table 2")
    total = grid[TIERS].sum(axis=1)
    correct = grid[CORRECT].sum(axis=1)
    accuracy = 100 * correct / total
    paper.check("Table 2", total.to_frame("Total"), "sum of the three counts beside it")
    how = "sum of the three correct counts beside it"
    paper.check("Table 2", correct.to_frame("Total (correct)"), how)
    how = "share of the 90 poems that are correct, in per cent"
    paper.check("Table 2", accuracy.to_frame("Accuracy"), how)
    check_counts(paper, solved)


def check_counts(paper, solved):
    """Check the counts of Table 2, and the correlations that follow from them."""
    grid = paper.grid("Table 2")
    ways = solved["model"].value_counts().reindex(grid.index, fill_value=0)
    best = solved.drop_duplicates("model").set_index("model").reindex(grid.index)
    computed = grid[[*TIERS, *CORRECT]].astype(float)
    computed["SRC"] = best["rho"]
    computed["p-value"] = best["p"]
    computed.loc[ways == 0] = np.inf  # which nothing printed can round
    which = (ways > 1).map({True: " (of the one that gives the printed p best)", False: ""})
    phrase = ways.map(tell_ways)
    how = {name: phrase + " (input checked)" for name in (*TIERS, *CORRECT)}
    how["SRC"] = phrase + "; this is its correlation" + which
    how["p-value"] = phrase + "; this is its p-value" + which
    paper.check("Table 2", computed, pd.DataFrame(how))


def tell_ways(ways):
    """Return in words how many confusion tables a row of counts allows."""
    count = "one way" if ways == 1 else f"{ways} ways"
    return f"30 poems of each tier can be given these counts in {count}"


def solve_confusions(paper):
    """Return every confusion table that Table 2's counts allow, the nearest in p first: model,
    table (3 x 3, truth in rows), rho, p, and whether the printed p and SRC agree."""
    grid = paper.grid("Table 2")
    rows = []
    for model in grid.index:
        counts = grid.loc[model, TIERS].astype(int).tolist()
        correct = grid.loc[model, CORRECT].astype(int).tolist()
        for table in confusions(counts, correct):
            rho, p = correlate(table)
            p_agrees = agrees(paper.text("Table 2", model, "p-value"), p)
            rho_agrees = agrees(paper.text("Table 2", model, "SRC"), rho)
            rows.append((model, table, rho, p, p_agrees, rho_agrees))
    names = ["model", "table", "rho", "p", "p agrees", "SRC agrees"]
    solved = pd.DataFrame(rows, columns=names)
    return solved.sort_values(["p agrees", "SRC agrees"], ascending=False, kind="stable")


def confusions(counts, correct):
    """Return all 3 x 3 tables (truth in rows, 30 each) with these column sums and this diagonal."""
    n00, n11, n22 = correct
    tables = []
    for n01 in range(SIZE + 1 - n00):  # poems of tier 0 that are put in tier 1
        n02 = SIZE - n00 - n01
        n21 = counts[1] - n11 - n01
        n12 = counts[2] - n22 - n02
        n10 = SIZE - n11 - n12
        n20 = SIZE - n22 - n21
        table = np.array([[n00, n01, n02], [n10, n11, n12], [n20, n21, n22]])
        has_these_sums = tuple(table.sum(axis=0)) == tuple(counts)
        if table.min() >= 0 and has_these_sums:
            tables.append(table)
    return tables


def correlate(table):
    """Return (Spearman's rho, p) of the poems that a 3 x 3 table counts."""
    truth, assigned = np.indices((3, 3)).reshape(2, 9)
    times = table.ravel()
    return stats.spearmanr(np.repeat(truth, times), np.repeat(assigned, times))
