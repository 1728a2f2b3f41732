"""The poetry-ranking paper, Table 2: poems sorted into three tiers."""

import numpy as np
import pandas as pd
from scipy import stats

from helpers.sources.published import agrees

TIERS = ["Good", "Medium", "Bad"]
CORRECT = [f"{tier} (correct)" for tier in TIERS]


def confusions(counts, correct):
    """Return all 3 x 3 tables (truth in rows, 30 each) with these columns and this diagonal."""
    (n00, n11, n22), found = correct, []
    for n01 in range(31 - n00):
        n02 = 30 - n00 - n01
        n21, n12 = counts[1] - n11 - n01, counts[2] - n22 - n02
        table = np.array([[n00, n01, n02], [30 - n11 - n12, n11, n12], [30 - n22 - n21, n21, n22]])
        if table.min() >= 0 and tuple(table.sum(axis=0)) == tuple(counts):
            found.append(table)
    return found


def solve_confusions(paper):
    """Return every confusion table that Table 2's counts allow, the nearest in p first."""
    rows, grid, (truth, assigned) = [], paper.grid("Table 2"), np.indices((3, 3)).reshape(2, 9)
    for model, row in grid.iterrows():
        p_printed, rho_printed = (paper.text("Table 2", model, name) for name in ("p-value", "SRC"))
        for table in confusions(*(row[names].astype(int).tolist() for names in (TIERS, CORRECT))):
            times = table.ravel()
            rho, p = stats.spearmanr(np.repeat(truth, times), np.repeat(assigned, times))
            rows.append((model, table, rho, p, agrees(p_printed, p), agrees(rho_printed, rho)))
    found = pd.DataFrame(rows, columns=["model", "table", "rho", "p", "p agrees", "SRC agrees"])
    return found.sort_values(["p agrees", "SRC agrees"], ascending=False, kind="stable")


def check(paper, solved):
    """Check Table 2: totals, accuracy; counts, SRC and p by the confusion tables they allow."""
    grid = paper.grid("Table 2")
    total, right = grid[TIERS].sum(axis=1), grid[CORRECT].sum(axis=1)
    paper.check("Table 2", total.to_frame("Total"), "sum of the three counts beside it")
    how = "sum of the three correct counts beside it"
    paper.check("Table 2", right.to_frame("Total (correct)"), how)
    how = "share of the 90 poems that are correct, in per cent"
    paper.check("Table 2", (100 * right / total).to_frame("Accuracy"), how)
    tables = solved["model"].value_counts().reindex(grid.index, fill_value=0)
    best = solved.drop_duplicates("model").set_index("model").reindex(grid.index)
    found = grid.assign(**{"SRC": best["rho"], "p-value": best["p"]}).astype(float)
    ambiguous = (tables > 1).map({True: " (of the one that gives the printed p best)", False: ""})
    notes = dict.fromkeys(TIERS + CORRECT, " (input checked)")
    notes["SRC"] = "; this is its correlation" + ambiguous
    notes["p-value"] = "; this is its p-value" + ambiguous
    text = "30 poems of each tier can be given these counts in "
    text += tables.astype(str).where(tables != 1, "one") + (tables == 1).map(
        {True: " way", False: " ways"}
    )
    how = pd.DataFrame({name: text + note for name, note in notes.items()})
    found.loc[tables == 0] = np.inf  # which nothing printed can round
    paper.check("Table 2", found[list(notes)], how)
