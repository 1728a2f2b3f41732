"""The audit of the poetry-ranking paper: repeated runs (Table 7) and intraclass correlations (Table 8)."""
import numpy as np
import pandas as pd

from helpers.audit.checks import f_of_p, p_of_f
from helpers.cat_analysis import icc_table
from helpers.sources.published import Rounded, agrees

RANKED, SCORED = "Claude-3-Opus 15n", "Claude-3-Opus 15"
DF2 = {"ICC1k": 135, "ICC2k": 126, "ICC3k": 126}  # 15 poems, 10 runs
STATISTICS = [f"{kind} / {what}" for kind in DF2 for what in ("ICC", "F", "p-value")]


def runs(paper, method):
    """Return one matrix of Table 7 as a DataFrame: 15 poems in printed order x 10 runs; method: RANKED or SCORED."""
    grid = paper.grid("Table 7").drop(columns="Average Score")
    part = grid[grid.index.str.startswith(f"{method} / ")]
    return part.rename(index=lambda row: row.partition(" / ")[2])


def nine(matrix):
    """Return the nine statistics of a row of Table 8 from items x runs, a Series: ICC1k / ICC, ICC1k / F, …"""
    table = icc_table(matrix).rename(columns={"p": "p-value"}).loc[list(DF2),
                                                                   ["ICC", "F", "p-value"]]
    return pd.Series(table.to_numpy(float).ravel(), STATISTICS)


def match_rows(paper):
    """Return how many of its nine statistics each row of Table 8 shares with each matrix of Table 7."""
    values = {method: nine(runs(paper, method)) for method in (RANKED, SCORED)}
    rows = paper.grid("Table 8").index.rename("row of Table 8")
    return pd.DataFrame({method: [sum(agrees(paper.text("Table 8", row, name), found[name])
                                      for name in STATISTICS)
                                  for row in rows] for method, found in values.items()}, rows)


def discordant_pairs(paper):
    """Return, for each run, in how many pairs the higher position has the lower score (0 if one output gave both)."""
    rank = runs(paper, RANKED)
    score = runs(paper, SCORED).loc[rank.index]
    signs = [np.sign(table.to_numpy()[:, None] - table.to_numpy()[None]) for table in (rank, score)]
    return pd.Series((signs[0] * signs[1] < 0).sum(axis=(0, 1)) // 2, rank.columns,
                     name="discordant pairs")


def check_runs(paper):
    """Check Table 7: every cell from the others (ten runs have the printed average, a run each position once)."""
    for method in (RANKED, SCORED):
        matrix = runs(paper, method).add_prefix(f"{method} / ", axis=0)
        average = paper.grid("Table 7").loc[matrix.index, "Average Score"]
        paper.check("Table 7", matrix.mean(axis=1).to_frame("Average Score"),
                    "mean of the ten runs")
        rest = matrix.add(10 * average - matrix.sum(axis=1), axis=0)
        holds, how = np.isclose(rest, matrix), "ten times the average less the other nine runs (input checked)"
        if method == RANKED:
            holds = holds & (np.sort(matrix, axis=0) == np.arange(1, 16)[:, None]).all(axis=0)
            how = "ten times the average less the other runs; the run is a permutation (input checked)"
        holds = pd.DataFrame(holds, rest.index, rest.columns)
        paper.check("Table 7", rest, f"claim: {how}", holds=holds)


def icc2k(f1, f2, poems=15, n_runs=10):
    """Return ICC(2,k) from the F of the one-way (f1) and the two-way analysis (f2); Shrout and Fleiss (1979)."""
    within, error = 1 / f1, 1 / f2  # mean squares in units of the mean square between poems
    between_runs = (poems * (n_runs - 1) * within - (poems - 1) * (n_runs - 1) * error) / (n_runs - 1)
    return (1 - error) / (1 + (between_runs - error) / poems)


def check_reliability(paper):
    """Check Table 8: from a matrix of Table 7 where one gives the whole row, else ICC, F and p from each other."""
    matches = match_rows(paper) == len(STATISTICS)
    for method in matches:
        found = nine(runs(paper, method)).to_frame().T
        for row in matches.index[matches[method]]:
            paper.check("Table 8", found.set_axis([row]),
                        f"pingouin on the matrix that Table 7 captions Creativity, {method}")
    cells = paper.table("Table 8").drop(index=matches.index[matches.any(axis=1)])
    f1, f2 = cells["ICC1k / F"], cells["ICC2k / F"]
    both = Rounded(icc2k(f1.mid, f2.mid), icc2k(f1.low, f2.high), icc2k(f1.high, f2.low))
    paper.check("Table 8", (1 - 1 / f1).to_frame("ICC1k / ICC"), "1 - 1/F")
    paper.check("Table 8", both.to_frame("ICC2k / ICC"),
                "from the two Fs (Shrout and Fleiss, 1979)")
    paper.check("Table 8", (1 - 1 / f2).to_frame("ICC3k / ICC"), "1 - 1/F")
    paper.check("Table 8", f2.to_frame("ICC3k / F"), "ICC2k and ICC3k share one F")
    ranked = f2[f2.mid.index.str.endswith("15n")]
    paper.check("Table 8", (ranked * (135 / 126)).to_frame("ICC1k / F"),
                "135/126 of the two-way F: all runs have the same mean position")
    for kind, df2 in DF2.items():
        p = p_of_f(cells[f"{kind} / F"], 14, df2).to_frame(f"{kind} / p-value")
        paper.check("Table 8", p, f"upper tail of F(14, {df2}) at the printed F")
        f = f_of_p(cells[f"{kind} / p-value"], 14, df2).to_frame(f"{kind} / F")
        paper.check("Table 8", f, f"the F(14, {df2}) that has the printed p (input checked)")
