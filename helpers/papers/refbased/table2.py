"""The two reference-based papers, Table 2: four dimensions (v1); procedures compared (v2)."""

from functools import cache

import numpy as np

from helpers.audit.checks import LOOSE
from helpers.refbased import rebuild as rebuilt
from helpers.sources.published import Rounded
from helpers.ttcw import load as ttcw

ROWS = ["claude35", "claude35_ours", "qwen2-72b-chat", "qwen2-72b-chat_ours"]


def check_dimensions(paper):
    """Check v1's Table 2: the cells of one judge and dimension must be jointly attainable."""
    how = "We tried all orders in which a judge can put the three stories of each group: some judge"
    how += " can have exactly these three averages, if only a higher score counts as better"
    for dimension in reachable():
        columns = [f"{dimension} / {metric}" for metric in ("rho", "tau", "ACC")]
        cells = paper.grid("Table 2").loc[ROWS, columns]
        found, holds, loose = cells.copy(), cells.astype(object), cells.astype(object)
        for row, numbers in cells.iterrows():
            found.loc[row], holds.loc[row], loose.loc[row] = fit(dimension, tuple(numbers))
        paper.check("Table 2", found, how, holds=holds, bound=loose)


@cache
def fit(dimension, numbers):
    """Return for one judge's three cells: what some judge can reach, who fits, who is loose."""
    states = reachable()[dimension]
    _, holds = rebuilt.nearest_triple(states, numbers)
    off = np.abs(states - numbers)
    near, loose = (off < 0.06).all(axis=1), []
    for k, number in enumerate(numbers):
        # the other last digits of this cell that some judge can reach with the other two cells
        rest = near & (np.delete(off, k, axis=1) <= 0.0051).all(axis=1)
        reached = np.unique(np.round(100 * states[rest, k]))
        loose.append((np.abs(reached - 100 * number) < 5).sum() - 1 > LOOSE)
    return states[off.max(axis=1).argmin()], holds, loose


@cache
def reachable():
    """Return {dimension: all triples of means that some judge can reach against the experts}."""
    return {
        dimension: rebuilt.attainable(rebuilt.expert_scores(tests=list(tests)), rebuilt.ABOVE)
        for dimension, tests in ttcw.load_tests().groupby("dimension", sort=False)["test"]
    }


def check_first(paper, is_open):
    """Check v1's Table 2: increments by dimension, their mean; if is_open, dimensions."""
    if is_open:
        check_dimensions(paper)
    cells = paper.table("Table 2")
    rows = [cells.at(row, slice(None)) for row in ROWS]
    claude, qwen = rows[1] - rows[0], rows[3] - rows[2]
    how = "difference of two printed numbers"
    for name, gap in (("claude35", claude), ("qwen2", qwen)):
        paper.check("Table 2", gap.to_frame(f"Increment ({name})").transpose(), how)
    for base, ours, name in ((*ROWS[:2], "claude35"), (*ROWS[2:], "qwen2")):
        gap = cells.at(f"Increment ({name})", slice(None))
        before = cells.at(ours, slice(None)) - gap
        after = cells.at(base, slice(None)) + gap
        how = "what the printed increment takes from the method's number (input checked)"
        paper.check("Table 2", before.to_frame(base).transpose(), how)
        how = "the baseline's number plus the printed increment (input checked)"
        paper.check("Table 2", after.to_frame(ours).transpose(), how)
    mean = ((claude + qwen) / 2).to_frame("AVG Increment").transpose()
    paper.check("Table 2", mean, "mean of the two increments")


def check_second(paper):
    """Check v2's Table 2 (changes; accuracy, tau and rho by each other)."""
    cells = paper.table("Table 2")
    gap = (cells["Ours"] - cells["Baseline"]).to_frame("Ours (change)")
    paper.check("Table 2", gap, "difference of two printed numbers")
    cells = cells[["Baseline", "Ours"]]
    tau = cells.at("AVG Kendall's Tau", slice(None))
    accuracy = cells.at("Pairwise Accuracy", slice(None))
    low, high = (3 * tau.low - 1) / 2, (1 + 2 * tau.high - tau.low**2) / 2
    rho = Rounded((low + high) / 2, low, high)
    ties = "if no two stories tie, accuracy is (1 + tau) / 2 over the same pairs"
    daniels = "between the limits that the printed tau sets rho (Daniels; Durbin and Stuart)"
    found = {"Pairwise Accuracy": ((1 + tau) / 2, ties)}
    found["AVG Kendall's Tau"] = (2 * accuracy - 1, ties)
    found["AVG Spearman"] = (rho, daniels)
    for row, (cells, how) in found.items():
        paper.check("Table 2", cells.to_frame(row).transpose(), how)
