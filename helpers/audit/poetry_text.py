"""What the tables of the poetry-ranking paper say about each quantity that its text repeats."""
import numpy as np
from scipy import stats

from helpers.audit.poetry_icc import RANKED, SCORED, runs
from helpers.sources.published import Rounded


def facts(paper, solved):
    """Return {name: number} for data/checks/poetry.csv; solved: Table 2's confusion tables."""
    human, models, one = paper.grid("Table 1")["SRC"], paper.grid("Table 3"), paper.grid("Table 2")
    ranked, scored = (runs(paper, method) for method in (RANKED, SCORED))
    src, icc = models.filter(like="SRC"), paper.grid("Table 8").filter(regex="ICC$")
    best = solved.drop_duplicates("model").set_index("model")["rho"]
    pair = best.reindex(["Claude-3-Opus", "GPT-4-2024-04-09"])
    worst = max(paper.grid(table)["p-value"].max() for table in ("Table 4", "Table 6"))
    counts, expected = one[["Good", "Medium", "Bad"]], one["Total"].max() / 3
    tiers, trials = counts.shape[1], paper.number("text", "7.3", "binomial trials n")
    drawn, rows = len(ranked) / tiers, paper.grid("Table 7").index
    methods = len({row.split(" / ")[0] for row in rows})
    judges = {row.split(" / ")[1].removesuffix(" 15n") for row in icc.index}
    smallest, largest = extremes()
    return {
        "poems": one["Total"].max(),
        "tier": expected,
        "tiers": tiers,
        "subset": len(ranked),
        "drawn": drawn,
        "selection probability": drawn / expected,
        "expected appearances": trials * drawn / expected,
        "fewest appearances": smallest,
        "most appearances": largest,
        "runs": ranked.shape[1],
        "criteria": len(models),
        "criteria less one": len(models) - 1,
        "corrected alpha": 0.05 / len(models),
        "human criteria": len(human),
        "scale low": scored.min().min(),
        "scale high": scored.max().max(),
        "first": ranked.max().min(),
        "second": ranked.max().min() - 1,
        "last": ranked.min().max(),
        "best human": human.max(),
        "best": src.max().max(),
        "best claude": src.filter(like="Claude").max().max(),
        "best claude 15n": src["Claude-3 15n / SRC"].max(),
        "best 90": src.filter(like=" 90").max().max(),
        "best alone": one["SRC"].max(),
        "two alone": Rounded(pair.max(), pair.min(), pair.max()),
        "classifiers": len(one),
        "older": sum("GPT-4-" in row for row in one.index),
        "beating": (one["SRC"] > human.max()).sum(),
        "uneven": (stats.chisquare(counts, axis=1).pvalue < 0.05).sum(),
        "largest p": worst,
        "icc low": icc.min().min(),
        "icc high": icc.max().max(),
        "models": len(judges),
        "scorings": methods,
        "evaluations": len(judges) * methods * ranked.shape[1] * len(models),
        **{f"code {tier}": i for i, tier in enumerate("ABC", 1)},
        **poem_ids(paper, int(expected), drawn),
    }


def poem_ids(paper, tier, drawn):
    """Return each category's first and last id; nan unless `drawn` of Table 7's poems fall in."""
    ids, found = {int(row.rpartition(" ")[2]) for row in paper.grid("Table 7").index}, {}
    for i, name in enumerate("ABC"):
        low, high = i * tier + 1, (i + 1) * tier
        inside = sum(low <= number <= high for number in ids) == drawn
        ends = (low, high) if inside else (np.nan, np.nan)
        found |= dict(zip((f"first id {name}", f"last id {name}"), ends))
    return found


def extremes(counts=90, trials=100, p=1 / 6, level=0.99):
    """Return where the smallest and the largest of binomial counts lie: Rounded without a mid."""
    tail, grid = (1 - level) / 2, np.arange(trials + 1)
    smallest = 1 - stats.binom.sf(grid, trials, p) ** counts
    largest = stats.binom.cdf(grid, trials, p) ** counts
    return tuple(Rounded(np.nan, int((law < tail).sum()), int((law < 1 - tail).sum()))
                 for law in (smallest, largest))
