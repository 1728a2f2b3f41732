"""Audit of the printed numbers of evolvr: tables against each other, against arithmetic, against HANNA's open ratings."""

import numpy as np
import pandas as pd

from helpers.audit import check_claim, check_range, check_same
from helpers.ledger import agrees

OURS = "Story Evaluation Finetune Open-source Models / EvolvR"
CORRELATIONS = ["Pearson", "Spearman", "Kendall"]
MEASURES = [*CORRELATIONS, "MSE", "F1-Score"]


def kendall_bounds(spearman):
    """Return (low, high) of Kendall's tau at a Spearman correlation (Daniels' inequality for many items without ties)."""
    return (2 * spearman - 1) / 3, (2 * spearman + 1) / 3


def least_mse(pearson, ratings):
    """Return the least MSE on (y - 1) / 4 that a Pearson r leaves against the mean ratings: variance x (1 - r^2) / 16.

    ratings: aspects x stories x 3; supposes that the test split varies as the whole data set does.
    """
    return float(np.asarray(ratings, float).mean(axis=2).var() / 16 * (1 - pearson**2))


def beaten(printed, table, column, row, best, how, lower=False):
    """One line: the cell (row, column) against the cell of `best`, which the text says is better (input checked)."""
    value, top = printed.number(table, row, column), printed.number(table, best, column)
    return check_claim(printed, (table, row, column), value > top if lower else value < top, top, f"{how} (input checked)")


def audit_correlations(printed, ratings):
    """Return lines for Tables 1, 2, 3 and 6: claims of best rows, copies, and what MSE and F1 allow."""
    lines = []
    for table, groups in (("Table 1", ["StoryER / ", "HANNA / "]), ("Table 2", [""])):
        grid = printed.grid(table)
        ours = OURS if table == "Table 1" else "Finetune Open-source Models / EvolvR"
        for group in groups:
            for name in CORRELATIONS:
                column = group + name
                runner_up = grid[column].drop(ours).max()
                lines.append(
                    check_claim(
                        printed,
                        (table, ours, column),
                        grid.at[ours, column] > runner_up,
                        runner_up,
                        "highest of its column, as claimed; computed: the next best",
                    )
                )
                lines += [
                    beaten(printed, table, column, row, ours, "below EvolvR, as claimed")
                    for row in grid.index.drop(ours)
                    if printed.text(table, row, column)
                ]
        if table == "Table 1":
            for row in grid.index:
                if printed.text(table, row, "HANNA / MSE"):
                    lines += measure_lines(printed, table, row, "HANNA / ", ratings)
    grid = printed.grid("Table 3")
    for base in ("Qwen3-4B", "LLama3.1-8B", "Qwen3-8B", "Qwen3-14B"):
        best = f"{base} / + Pairwise CoT"
        for column in CORRELATIONS:
            lines += [
                beaten(printed, "Table 3", column, row, best, "below pairwise fine-tuning of the same model, as claimed")
                for row in grid.index
                if row != best and row.split(" / ")[0] == base
            ]
            second = printed.number("Table 3", f"{base} / + Pointwise CoT", column)
            lines.append(
                check_claim(
                    printed,
                    ("Table 3", best, column),
                    grid.at[best, column] > second,
                    second,
                    "above pointwise fine-tuning of the same model, as claimed",
                )
            )
    for row in printed.grid("Table 6").index:
        for column in CORRELATIONS:
            key, base = ("Table 6", row, column), printed.number("Table 6", "Baseline", column)
            if row == "EvolvR":
                lines.append(check_same(printed, key, ("Table 1", OURS, f"HANNA / {column}")))
            elif row == "Baseline":
                lines.append(beaten(printed, "Table 6", column, row, "EvolvR", "below the full framework, as claimed"))
            else:
                lines.append(
                    check_claim(
                        printed,
                        key,
                        printed.number(*key) > base,
                        base,
                        "each agent alone improves on the baseline, as claimed; computed: the baseline",
                    )
                )
    return lines


def measure_lines(printed, table, row, group, ratings):
    """Return lines for MSE and F1 of one row on HANNA: the least MSE at its Pearson; F1 as the share of exact scores."""
    pearson, mse = printed.number(table, row, f"{group}Pearson"), printed.number(table, row, f"{group}MSE")
    wrong = 1 - printed.number(table, row, f"{group}F1-Score")
    lines = []
    if ratings is not None:
        least = least_mse(pearson, ratings)
        lines.append(
            check_claim(
                printed,
                (table, row, f"{group}MSE"),
                mse > least,
                least,
                "not below the least MSE at the printed Pearson against HANNA's mean ratings (a bound; input checked)",
            )
        )
    return [
        *lines,
        check_claim(
            printed,
            (table, row, f"{group}F1-Score"),
            mse <= wrong + 1e-4 <= 16 * mse + 2e-4,
            1 - mse,
            "possible as the share of exact scores: MSE <= 1 - F1 <= 16 MSE; computed: the highest possible (input checked)",
        ),
    ]


def exact_share_possible(printed, table="Table 1", group="StoryER / "):
    """Return F1 and the shares of exact five-point scores that the MSE allows (an error is 1/16 to 1), by row."""
    grid = printed.grid(table)
    found = pd.DataFrame(
        {"F1": grid[f"{group}F1-Score"], "highest": 1 - grid[f"{group}MSE"], "lowest": 1 - 16 * grid[f"{group}MSE"]}
    ).dropna()
    slack = 1e-4  # both are rounded to four places
    return found.assign(possible=(found["F1"] <= found["highest"] + slack) & (found["F1"] >= found["lowest"] - 16 * slack))


def audit_protocol(printed, ratings):
    """Return lines for Tables 10 and 11: N = 4 repeats Table 1, and is the mean of the two orders."""
    lines = []
    for row in printed.grid("Table 10").index:
        if row == "4":
            lines += [check_same(printed, ("Table 10", row, name), ("Table 1", OURS, f"HANNA / {name}")) for name in MEASURES]
        else:
            lines += measure_lines(printed, "Table 10", row, "", ratings)
            lines += rank_lines(printed, "Table 10", row)
    for column in MEASURES:
        forward, backward, both = (("Table 11", "(A, B)", column), ("Table 11", "(B, A)", column), ("Table 10", "4", column))
        (low, high), (a, b) = printed.bounds(*both), printed.bounds(*forward)
        lines.append(
            check_range(
                printed,
                backward,
                2 * printed.number(*both) - printed.number(*forward),
                2 * low - b,
                2 * high - a,
                "with (A, B) averages to the N = 4 row of Table 10",
            )
        )
    return [*lines, *rank_lines(printed, "Table 11", "(A, B)"), *measure_lines(printed, "Table 11", "(A, B)", "", ratings)]


def rank_lines(printed, table, row):
    """Return lines for one row: Kendall within Daniels' bounds, Pearson near Spearman."""
    pearson, spearman, kendall = (printed.number(table, row, name) for name in CORRELATIONS)
    low, high = kendall_bounds(spearman)
    how = "Kendall and Spearman within Daniels' inequality (input checked)"
    return [
        check_claim(printed, (table, row, "Kendall"), low <= kendall <= high, high, how),
        check_claim(printed, (table, row, "Spearman"), low <= kendall <= high, (3 * kendall + 1) / 2, how),
        check_claim(
            printed,
            (table, row, "Pearson"),
            pearson**2 <= 1 and abs(pearson - spearman) < 0.05,
            spearman,
            "within 0.05 of Spearman, as in every other EvolvR row (input checked)",
        ),
    ]


def contradictions(lines, printed):
    """Return the printed cells that their check refutes: table, row, column, value, computed, how."""
    rows = []
    for item in lines:
        key = (item["table"], item["row"], item["column"])
        holds = item["holds"] if item["holds"] is not None else agrees(printed.text(*key), item["computed"])
        if item["basis"] != "none" and not holds:
            rows.append((*key, printed.text(*key), item["computed"], item["how"]))
    return pd.DataFrame(rows, columns=["table", "row", "column", "printed", "computed", "how"])
