"""Check the repeated runs (Table 7) and intraclass correlations (Table 8) of the poetry-ranking paper."""

import numpy as np
import pandas as pd

from helpers.audit import check_claim, check_count, check_f_p, check_range, check_same
from helpers.audit_poetry_anova import check_f
from helpers.cat_analysis import icc_table
from helpers.ledger import agrees, line

RANKED, SCORED = "Claude-3-Opus 15n", "Claude-3-Opus 15"
KINDS = ("ICC1k", "ICC2k", "ICC3k")
DF2 = {"ICC1k": 135, "ICC2k": 126, "ICC3k": 126}  # 15 poems, 10 runs
STATISTICS = [f"{kind} / {what}" for kind in KINDS for what in ("ICC", "F", "p-value")]


def runs(printed, method):
    """Return one matrix of Table 7 as a DataFrame: 15 poems in printed order x 10 runs; method: RANKED or SCORED."""
    grid = printed.grid("Table 7")
    part = grid[[row.startswith(f"{method} / ") for row in grid.index]]
    return part.drop(columns="Average Score").rename(index=lambda row: row.partition(" / ")[2])


def nine(matrix):
    """Return {"ICC1k / ICC": value, …}: the nine statistics of a row of Table 8, from items x runs."""
    table = icc_table(matrix)
    return {
        f"{kind} / {what}": float(table.at[kind, "p" if what == "p-value" else what])
        for kind in KINDS
        for what in ("ICC", "F", "p-value")
    }


def match_rows(printed):
    """Return how many of its nine statistics each row of Table 8 shares with each matrix of Table 7."""
    values = {method: nine(runs(printed, method)) for method in (RANKED, SCORED)}
    rows = dict.fromkeys(key[1] for key in printed.keys("Table 8"))
    return pd.DataFrame(
        {
            method: {
                row: sum(agrees(printed.text("Table 8", row, name), found[name]) for name in STATISTICS) for row in rows
            }
            for method, found in values.items()
        }
    ).rename_axis("row of Table 8")


def discordant_pairs(printed):
    """Return, for each run, in how many pairs the higher position has the lower score (0 if one output gave both)."""
    rank, score = runs(printed, RANKED), runs(printed, SCORED)
    score = score.loc[rank.index]
    return pd.Series(
        {
            run: int(
                sum(
                    np.sign(rank[run].iloc[i] - rank[run].iloc[j]) * np.sign(score[run].iloc[i] - score[run].iloc[j])
                    < 0
                    for i in range(15)
                    for j in range(i)
                )
            )
            for run in rank.columns
        },
        name="discordant pairs",
    )


def matrices(printed):
    """Lines of Table 7: every cell from the others (ten runs have the printed average, a run each position once)."""
    lines = []
    for method in (RANKED, SCORED):
        matrix = runs(printed, method)
        for poem, row in matrix.iterrows():
            key = ("Table 7", f"{method} / {poem}")
            lines.append(check_count(printed, (*key, "Average Score"), row.mean(), "mean of the ten runs"))
            for run, value in row.items():
                rest = 10 * printed.number(*key, "Average Score") - row.drop(run).sum()
                holds, how = np.isclose(rest, value), "ten times the average less the other nine runs (input checked)"
                if method == RANKED:
                    holds &= sorted(matrix[run]) == list(range(1, 16))
                    how = "ten times the average less the other runs; the run is a permutation (input checked)"
                lines.append(check_claim(printed, (*key, run), holds, rest, how))
    return lines


def icc2k(f1, f2, poems=15, n_runs=10):
    """Return ICC(2,k) from the F of the one-way (f1) and the two-way analysis (f2); Shrout and Fleiss (1979)."""
    within, error = 1 / f1, 1 / f2  # mean squares in units of the mean square between poems
    between_runs = (poems * (n_runs - 1) * within - (poems - 1) * (n_runs - 1) * error) / (n_runs - 1)
    return (1 - error) / (1 + (between_runs - error) / poems)


def reliability(printed):
    """Lines of Table 8: from a matrix of Table 7 where one gives the whole row, else ICC, F and p from each other."""
    lines, matches = [], match_rows(printed)
    for row in matches.index:
        whole = [method for method in matches.columns if matches.at[row, method] == len(STATISTICS)]
        if whole:
            found = nine(runs(printed, whole[0]))
            lines += [
                line(
                    printed.paper,
                    "Table 8",
                    row,
                    name,
                    found[name],
                    "printed",
                    f"pingouin on the matrix that Table 7 captions Creativity, {whole[0]}",
                )
                for name in STATISTICS
            ]
            continue
        (l1, h1), (l2, h2) = printed.bounds("Table 8", row, "ICC1k / F"), printed.bounds("Table 8", row, "ICC2k / F")
        f1, f2 = printed.number("Table 8", row, "ICC1k / F"), printed.number("Table 8", row, "ICC2k / F")
        for kind, value, low, high, how in [
            ("ICC1k", 1 - 1 / f1, 1 - 1 / l1, 1 - 1 / h1, "1 - 1/F"),
            ("ICC2k", icc2k(f1, f2), icc2k(l1, h2), icc2k(h1, l2), "from the two Fs (Shrout and Fleiss, 1979)"),
            ("ICC3k", 1 - 1 / f2, 1 - 1 / l2, 1 - 1 / h2, "1 - 1/F"),
        ]:
            f_key, p_key = ("Table 8", row, f"{kind} / F"), ("Table 8", row, f"{kind} / p-value")
            lines += [
                check_range(printed, ("Table 8", row, f"{kind} / ICC"), value, low, high, how),
                check_f_p(printed, p_key, f_key, 14, DF2[kind]),
            ]
            if kind == "ICC1k" and row.endswith("15n"):
                lines.append(
                    check_range(
                        printed,
                        f_key,
                        f2 * 135 / 126,
                        l2 * 135 / 126,
                        h2 * 135 / 126,
                        "135/126 of the two-way F: all runs have the same mean position",
                    )
                )
            elif kind == "ICC3k":
                lines.append(check_same(printed, f_key, ("Table 8", row, "ICC2k / F"), "ICC2k and ICC3k share one F"))
            else:
                lines.append(check_f(printed, f_key, p_key, 14, DF2[kind]))
    return lines
