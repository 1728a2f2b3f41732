"""What the tables of the poetry-ranking paper imply about the quantities of its text."""

import numpy as np
from scipy import stats

from helpers.audit.poetry_icc import RANKED, runs
from helpers.sources.published import Rounded


def facts(paper, solved):
    """Return {name: number} for data/checks/poetry.csv; solved: Table 2's confusion tables."""
    human, one = paper.grid("Table 1")["SRC"], paper.grid("Table 2")
    rows = paper.grid("Table 7").index
    counts, tier = one[["Good", "Medium", "Bad"]], one["Total"].max() / 3
    best = solved.drop_duplicates("model").set_index("model")["rho"]
    pair = best.reindex(["Claude-3-Opus", "GPT-4-2024-04-09"])
    ranked, criteria = runs(paper, RANKED), len(paper.grid("Table 3"))
    drawn, trials = len(ranked) / counts.shape[1], paper.number("text", "7.3", "binomial trials n")
    methods = len({row.split(" / ")[0] for row in rows})
    judges = {row.split(" / ")[1].removesuffix(" 15n") for row in paper.grid("Table 8").index}
    smallest, largest = extremes()
    return {
        "tier": tier,
        "day in Table 2": int(one.filter(like="2023-11", axis=0).index[0][-2:]),
        "tiers": counts.shape[1],
        "drawn": drawn,
        "selection probability": drawn / tier,
        "expected appearances": trials * drawn / tier,
        "fewest appearances": smallest,
        "most appearances": largest,
        "criteria less one": criteria - 1,
        "corrected alpha": 0.05 / criteria,
        "second": ranked.max().min() - 1,
        "two alone": Rounded(pair.max(), pair.min(), pair.max()),
        "beating": (one["SRC"] > human.max()).sum(),
        "uneven": (stats.chisquare(counts, axis=1).pvalue < 0.05).sum(),
        "models": len(judges),
        "scorings": methods,
        "evaluations": len(judges) * methods * ranked.shape[1] * criteria,
        **{f"code {name}": place for place, name in enumerate("ABC", 1)},
        **poem_ids(rows, int(tier), drawn),
    }


def poem_ids(rows, tier, drawn):
    """Return each category's first and last id; nan unless `drawn` of Table 7's poems fall in."""
    ids, found = {int(row.rpartition(" ")[2]) for row in rows}, {}
    for i, name in enumerate("ABC"):
        low, high = i * tier + 1, (i + 1) * tier
        inside = sum(low <= number <= high for number in ids) == drawn
        ends = (low, high) if inside else (np.nan, np.nan)
        found |= dict(zip((f"first id {name}", f"last id {name}"), ends))
    return found


def extremes(counts=90, trials=100, p=1 / 6, level=0.99):
    """Return where the smallest and the largest of binomial counts lie: Rounded without a mid."""
    tail, grid = (1 - level) / 2, np.arange(trials + 1)
    laws = 1 - stats.binom.sf(grid, trials, p) ** counts, stats.binom.cdf(grid, trials, p) ** counts
    ends = [[int((law < share).sum()) for share in (tail, 1 - tail)] for law in laws]
    return tuple(Rounded(np.nan, low, high) for low, high in ends)
