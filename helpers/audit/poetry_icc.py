"""The audit of the poetry-ranking paper: repeated runs (Table 7) and their ICCs (Table 8)."""

from functools import cache
from itertools import product

import numpy as np
import pandas as pd

from helpers.audit.attainable import f_of_p, p_of_f
from helpers.poetry.analysis import icc_table
from helpers.sources.published import Rounded, agrees

RANKED, SCORED = "Claude-3-Opus 15n", "Claude-3-Opus 15"
DF2 = {"ICC1k": 135, "ICC2k": 126, "ICC3k": 126}  # 15 poems, 10 runs
STATISTICS = [f"{kind} / {what}" for kind in DF2 for what in ("ICC", "F", "p-value")]


def runs(paper, method):
    """Return one matrix of Table 7, 15 poems x 10 runs; method: RANKED or SCORED."""
    grid = paper.grid("Table 7").drop(columns="Average Score")
    part = grid[grid.index.str.startswith(f"{method} / ")]
    return part.rename(index=lambda row: row.partition(" / ")[2])


def nine(matrix):
    """Return a row of Table 8 (ICC1k / ICC, ICC1k / F, …) from items x runs."""
    return pd.Series(_nine(tuple(map(tuple, matrix.to_numpy()))), STATISTICS)


@cache
def _nine(rows):
    table = icc_table(pd.DataFrame(rows)).rename(columns={"p": "p-value"})
    return table.loc[list(DF2), ["ICC", "F", "p-value"]].to_numpy(float).ravel()


def match_rows(paper):
    """Return how many of its nine cells each row of Table 8 shares with each matrix of Table 7."""
    rows, shared = paper.grid("Table 8").index.rename("row of Table 8"), {}
    for method in (RANKED, SCORED):
        found = nine(runs(paper, method))
        texts = [[paper.text("Table 8", row, name) for name in STATISTICS] for row in rows]
        shared[method] = [sum(map(agrees, printed, found)) for printed in texts]
    return pd.DataFrame(shared, rows)


def check_runs(paper):
    """Check Table 7: each cell from its row's average; a run has each position once."""
    for method in (RANKED, SCORED):
        matrix = runs(paper, method).add_prefix(f"{method} / ", axis=0)
        average = paper.grid("Table 7").loc[matrix.index, "Average Score"]
        mean = matrix.mean(axis=1).to_frame("Average Score")
        paper.check("Table 7", mean, "mean of the ten runs")
        rest = matrix.add(10 * average - matrix.sum(axis=1), axis=0)
        holds, how = np.isclose(rest, matrix), "ten times the average less the other nine runs"
        if method == RANKED:
            holds = holds & (np.sort(matrix, axis=0) == np.arange(1, 16)[:, None]).all(axis=0)
            how = "ten times the average less the other runs; the run is a permutation"
        holds = pd.DataFrame(holds, rest.index, rest.columns)
        paper.check("Table 7", rest, f"claim: {how} (input checked)", holds=holds)


def icc2k(f1, f2, poems=15):
    """Return ICC(2,k) from the Fs of the one-way and the two-way analysis (Shrout, Fleiss 1979)."""
    within, error = 1 / f1, 1 / f2  # mean squares in units of the mean square between poems
    between_runs = poems * within - (poems - 1) * error
    return (1 - error) / (1 + (between_runs - error) / poems)


def check_reliability(paper):
    """Check Table 8: rows that a matrix of Table 7 gives; else ICC, F and p by each other."""
    matches, notes = match_rows(paper) == len(STATISTICS), {}
    for method in matches:
        found, rows = nine(runs(paper, method)), matches.index[matches[method]]
        named = f"CREATIVITY / {method}".removesuffix(" 15")
        how = f"pingouin on the matrix that Table 7 captions {named}"
        if named not in rows:
            how += "; the caption names another row"
            gives = " and ".join(rows) or "no row"
            notes[named] = "; not what the matrix gives that Table 7 captions so, which gives "
            notes[named] += gives
        paper.check("Table 8", pd.DataFrame([found] * len(rows), rows), how)
    cells = paper.table("Table 8").drop(index=matches.index[matches.any(axis=1)])
    f1, f2 = cells["ICC1k / F"], cells["ICC2k / F"]
    ends = ((f1.mid, f2.mid), (f1.low, f2.high), (f1.high, f2.low))
    both = Rounded(*(icc2k(*pair) for pair in ends))
    ranked = f2[f2.mid.index.str.endswith("15n")]
    equal = "135/126 of the two-way F: all runs have the same mean position"
    for column, found, how in (
        ("ICC1k / ICC", 1 - 1 / f1, "1 - 1/F"),
        ("ICC2k / ICC", both, "from the two Fs (Shrout and Fleiss, 1979)"),
        ("ICC3k / ICC", 1 - 1 / f2, "1 - 1/F"),
        ("ICC3k / F", f2, "ICC2k and ICC3k share one F"),
        ("ICC1k / F", ranked * (135 / 126), equal),
    ):
        paper.check("Table 8", found.to_frame(column), how)
    for kind, df2 in DF2.items():
        p = p_of_f(cells[f"{kind} / F"], 14, df2).to_frame(f"{kind} / p-value")
        paper.check("Table 8", p, f"upper tail of F(14, {df2}) at the printed F")
        f = f_of_p(cells[f"{kind} / p-value"], 14, df2).to_frame(f"{kind} / F")
        paper.check("Table 8", f, f"the F(14, {df2}) that has the printed p (input checked)")
    for row, name in product(notes, STATISTICS):
        if ("Table 8", row, name) in paper.found:
            paper.found["Table 8", row, name]["how"] += notes[row]
