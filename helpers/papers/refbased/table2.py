"""The two reference-based papers, Table 2: four dimensions (v1); procedures compared (v2)."""

from functools import cache

import numpy as np

from helpers.audit.checks import LOOSE
from helpers.refbased import rebuild
from helpers.sources.published import Rounded
from helpers.ttcw import load as ttcw

METRICS = ["rho", "tau", "ACC"]
PAIRS = {
    "claude35": ("claude35", "claude35_ours"),
    "qwen2": ("qwen2-72b-chat", "qwen2-72b-chat_ours"),
}
ROWS = [row for pair in PAIRS.values() for row in pair]


def check_dimensions(paper):
    """Check v1's Table 2: the cells of one judge and dimension must be jointly attainable."""
    how = "We tried all orders in which a judge can put the three stories of each group: some judge"
    how += " can have exactly these three averages, if only a higher score counts as better"
    for dimension in reachable():
        columns = [f"{dimension} / {metric}" for metric in METRICS]
        printed = paper.grid("Table 2").loc[ROWS, columns]
        closest = printed.copy()
        holds, loose = printed.astype(object), printed.astype(object)
        for row in ROWS:
            numbers = tuple(printed.loc[row])
            closest.loc[row], holds.loc[row], loose.loc[row] = fit(dimension, numbers)
        paper.require("Table 2", holds, how, closest, bound=loose)


@cache
def fit(dimension, numbers):
    """Return for one judge's three averages (nearest that some judge can reach; which can stand;
    which are only bounded), each by metric. numbers: rho, tau and accuracy as printed."""
    triples = reachable()[dimension]  # attainable averages x 3
    _, holds = rebuild.nearest_triple(triples, numbers)
    off = np.abs(triples - numbers)
    is_near = (off < 0.06).all(axis=1)
    loose = []
    for k, number in enumerate(numbers):
        # the other last digits of this cell that some judge can reach with the other two cells
        others_match = (np.delete(off, k, axis=1) <= 0.0051).all(axis=1)
        reached = np.unique(np.round(100 * triples[is_near & others_match, k]))
        other_digits = (np.abs(reached - 100 * number) < 5).sum() - 1
        loose.append(other_digits > LOOSE)
    closest = triples[off.max(axis=1).argmin()]
    return closest, holds, loose


@cache
def reachable():
    """Return {dimension: averages x 3, all triples of means that some judge can reach against the
    experts}."""
    triples = {}
    for dimension, tests in ttcw.load_tests().groupby("dimension", sort=False)["test"]:
        scores = rebuild.expert_scores(tests=list(tests))
        triples[dimension] = rebuild.attainable(scores, rebuild.ABOVE)
    return triples


def check_increments(paper):
    """Check v1's Table 2: increments by dimension, and their mean."""
    gaps = {}
    for name, (base, ours) in PAIRS.items():
        gaps[name] = row_of(paper, ours) - row_of(paper, base)
        how = "difference of two printed numbers"
        check_row(paper, f"Increment ({name})", gaps[name], how)
    for name, (base, ours) in PAIRS.items():
        increment = row_of(paper, f"Increment ({name})")
        how = "what the printed increment takes from the method's number (input checked)"
        check_row(paper, base, row_of(paper, ours) - increment, how)
        how = "the baseline's number plus the printed increment (input checked)"
        check_row(paper, ours, row_of(paper, base) + increment, how)
    mean = (gaps["claude35"] + gaps["qwen2"]) / 2
    check_row(paper, "AVG Increment", mean, "mean of the two increments")


def row_of(paper, row):
    """Return a row of Table 2, Rounded."""
    return paper.table("Table 2").at(row, slice(None))


def check_row(paper, row, computed, how):
    """Check a row of Table 2 against `computed`, a Rounded row."""
    paper.check("Table 2", computed.to_frame(row).transpose(), how)


def check_procedures(paper):
    """Check v2's Table 2: changes; accuracy, tau and rho by each other."""
    cells = paper.table("Table 2")
    change = cells["Ours"] - cells["Baseline"]
    paper.check("Table 2", change.to_frame("Ours (change)"), "difference of two printed numbers")
    tau = cells.at("AVG Kendall's Tau", ["Baseline", "Ours"])
    accuracy = cells.at("Pairwise Accuracy", ["Baseline", "Ours"])
    how = "if no two stories tie, accuracy is (1 + tau) / 2 over the same pairs"
    check_row(paper, "Pairwise Accuracy", (1 + tau) / 2, how)
    check_row(paper, "AVG Kendall's Tau", 2 * accuracy - 1, how)
    low = (3 * tau.low - 1) / 2
    high = (1 + 2 * tau.high - tau.low**2) / 2
    rho = Rounded((low + high) / 2, low, high)
    how = "between the limits that the printed tau sets rho (Daniels; Durbin and Stuart)"
    check_row(paper, "AVG Spearman", rho, how)
