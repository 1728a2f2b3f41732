"""The two reference-based papers, Table 2: four dimensions (v1); procedures compared (v2). Table 3
of the second version: word counts of the stories.

The first version prints averages over twelve groups of three stories, by judge and dimension, and
how much the paper's method adds to them:

    row                   Fluency / rho  Fluency / tau  Fluency / ACC  Flexibility / rho  …
    claude35              0.20           0.19           0.47           -0.08              …
    claude35_ours         0.36           0.35           0.61           …
    Increment (claude35)  0.16           0.16           0.14           …

`check_dimensions` asks whether some judge, ranking the stories of each group in whatever order, can
have the three averages of a dimension; `check_increments` checks the rest by subtraction. The
second version prints the same three averages before and after (`check_procedures`).
"""

from functools import cache

import numpy as np
import pandas as pd

from helpers.audit import attainable
from helpers.audit.checks import LOOSE
from helpers.refbased import rebuild
from helpers.sources.published import Rounded
from helpers.ttcw import load as ttcw

METRICS = ["rho", "tau", "ACC"]
PAIRS = {  # rows of a judge: without a reference, and by the paper's method
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
        fits = [fit_averages(dimension, tuple(numbers)) for numbers in printed.to_numpy()]
        closest, holds, loose = (pd.DataFrame(one, ROWS, columns) for one in zip(*fits))
        paper.require("Table 2", holds, how, closest, bound=loose)


@cache
def fit_averages(dimension, numbers):
    """Return what the orders of three stories allow for a judge's three averages, each by metric:
    (the averages that some judge can have and that are nearest, can the printed ones stand, do the
    other two only bound one); numbers: rho, tau and accuracy as printed."""
    triples = reachable()[dimension]  # attainable averages x 3
    off = np.abs(triples - numbers)
    closest = triples[off.max(axis=1).argmin()]
    _, holds = attainable.nearest_triple(triples, numbers)
    loose = []
    for k, number in enumerate(numbers):
        others_match = (np.delete(off, k, axis=1) <= 0.0051).all(axis=1)
        possible = triples[others_match, k]
        loose.append(count_other_digits(possible, number) > LOOSE)
    return closest, holds, loose


def count_other_digits(possible, number):
    """Return how many numbers within four hundredths of a printed one the possible ones round to,
    less one for the printed number itself (which is taken off also where none rounds to it)."""
    hundredths = np.unique(np.round(100 * possible))
    is_near = np.abs(hundredths - 100 * number) < 5
    return is_near.sum() - 1


@cache
def reachable():
    """Return {dimension: averages x 3, all triples of means that some judge can reach against the
    experts}."""
    triples = {}
    for dimension, tests in ttcw.load_tests().groupby("dimension", sort=False)["test"]:
        scores = rebuild.expert_scores(tests=list(tests))
        triples[dimension] = attainable.mean_triples(scores, rebuild.ABOVE)
    return triples


def check_increments(paper):
    """Check v1's Table 2: increments by dimension, their mean, and the rows that they compare."""
    rows = {row: paper.table("Table 2").at(row, slice(None)) for row in paper.grid("Table 2").index}
    gaps = {judge: rows[ours] - rows[base] for judge, (base, ours) in PAIRS.items()}
    for judge, gap in gaps.items():
        check_row(paper, f"Increment ({judge})", gap, "difference of two printed numbers")
    for judge, (base, ours) in PAIRS.items():
        increment = rows[f"Increment ({judge})"]
        how = "what the printed increment takes from the method's number (input checked)"
        check_row(paper, base, rows[ours] - increment, how)
        how = "the baseline's number plus the printed increment (input checked)"
        check_row(paper, ours, rows[base] + increment, how)
    mean = (gaps["claude35"] + gaps["qwen2"]) / 2
    check_row(paper, "AVG Increment", mean, "mean of the two increments")


def check_row(paper, row, computed, how):
    """Check a row of Table 2 by a Rounded row."""
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
    how = "between the limits that the printed tau sets rho (Daniels; Durbin and Stuart)"
    check_row(paper, "AVG Spearman", limits_of_rho(tau), how)


def limits_of_rho(tau):
    """Return between which values rho lies where tau is known and positive, Rounded; tau: Rounded.

    Daniels (1950): 3 tau - 2 rho is at most 1. Durbin and Stuart (1951): rho is at most (1 + 2 tau
    - tau²) / 2.
    """
    lowest = (3 * tau - 1) / 2
    highest = (1 + 2 * tau - tau * tau) / 2
    middle = (lowest.low + highest.high) / 2
    return Rounded(middle, lowest.low, highest.high)


def check_lengths(paper):
    """Check v2's Table 3: word counts of the public stories, split at white space."""
    stories = ttcw.load_stories()
    stories = stories.assign(title=stories["title"].map(ttcw.plain_title))
    words = stories.pivot(index="title", columns="writer", values="words")
    rows = paper.grid("Table 3").index
    printed = {name: writer for name, writer in ttcw.LENGTHS_OF.items() if name != "NewYorker"}
    words = words.loc[rows.map(ttcw.plain_title), list(printed)]
    words = words.set_axis(rows).set_axis(list(printed.values()), axis=1)
    paper.check("Table 3", words, "words of the public story, split at white space", "raw")
