"""Check the correlations (Tables 1, 3, Figures 2, 3) and the classification (Table 2) of the poetry-ranking paper."""

import numpy as np
import pandas as pd
from scipy import stats

from helpers.audit import check_count, check_lattice, check_same, nearest, spearman_p, tier_correlations
from helpers.ledger import agrees

TIERS = ("Good", "Medium", "Bad")


def correlations(printed):
    """Lines of Tables 1 and 3: each correlation is one of the 121 that three tiers of 30 allow; p follows exactly."""
    lattice, lines = tier_correlations(), []
    for table, row, column in printed.keys("Table 1") + printed.keys("Table 3"):
        rho = (table, row, column.replace("p-value", "SRC"))
        if column.endswith("SRC"):
            lines.append(
                check_lattice(printed, rho, lattice, "nearest of the 121 Spearman correlations of three tiers of 30")
            )
        else:
            exact = nearest(printed.text(*rho), lattice)
            lines.append(
                check_count(
                    printed,
                    (table, row, column),
                    spearman_p(exact, 90),
                    f"two-sided p (t, n = 90) at the attainable correlation {exact:.4f}, not at the rounded one",
                )
            )
    return lines


def confusions(counts, correct):
    """Return every 3 x 3 table (truth in rows, 30 each; assigned in columns) with these columns and diagonal."""
    (n00, n11, n22), found = correct, []
    for n01 in range(31 - n00):
        n02 = 30 - n00 - n01
        n21, n12 = counts[1] - n11 - n01, counts[2] - n22 - n02
        table = np.array([[n00, n01, n02], [30 - n11 - n12, n11, n12], [30 - n22 - n21, n21, n22]])
        if table.min() >= 0 and tuple(table.sum(axis=0)) == tuple(counts):
            found.append(table)
    return found


def confusion_correlation(table):
    """Return (Spearman's rho with ties, two-sided p) between true and assigned tier in a confusion table."""
    truth, assigned = np.indices(table.shape)
    return stats.spearmanr(np.repeat(truth.ravel(), table.ravel()), np.repeat(assigned.ravel(), table.ravel()))


def solve_confusions(printed):
    """Return every confusion table of Table 2: model, table, rho, p, and whether the printed SRC and p agree."""
    rows = []
    for model in dict.fromkeys(key[1] for key in printed.keys("Table 2")):
        counts = [int(printed.number("Table 2", model, tier)) for tier in TIERS]
        correct = [int(printed.number("Table 2", model, f"{tier} (correct)")) for tier in TIERS]
        for table in confusions(counts, correct):
            rho, p = confusion_correlation(table)
            rows.append(
                {
                    "model": model,
                    "table": table,
                    "rho": float(rho),
                    "p": float(p),
                    "SRC agrees": agrees(printed.text("Table 2", model, "SRC"), rho),
                    "p agrees": agrees(printed.text("Table 2", model, "p-value"), p),
                }
            )
    return pd.DataFrame(rows)


def classification(printed):
    """Lines of Table 2: counts, totals, accuracy, and SRC and p from the confusion tables that the counts allow."""
    lines, solved = [], solve_confusions(printed)
    for model in solved["model"].unique():
        mine = solved[solved["model"] == model]
        best = mine.sort_values(["p agrees", "SRC agrees"], ascending=False, kind="stable").iloc[0]
        total = sum(printed.number("Table 2", model, tier) for tier in TIERS)
        right = sum(printed.number("Table 2", model, f"{tier} (correct)") for tier in TIERS)
        tables = f"confusion tables with 30 poems a tier and these counts: {len(mine)}"
        for i, tier in enumerate(TIERS):
            lines += [
                check_count(
                    printed, ("Table 2", model, tier), best["table"].sum(axis=0)[i], f"{tables} (input checked)"
                ),
                check_count(
                    printed, ("Table 2", model, f"{tier} (correct)"), best["table"][i, i], f"{tables} (input checked)"
                ),
            ]
        lines += [
            check_count(printed, ("Table 2", model, "Total"), total, "sum of the three counts"),
            check_count(printed, ("Table 2", model, "Total (correct)"), right, "sum of the three correct counts"),
            check_count(printed, ("Table 2", model, "Accuracy"), 100 * right / total, "correct of 90, per cent"),
            check_count(
                printed,
                ("Table 2", model, "SRC"),
                best["rho"],
                f"{tables}; Spearman with ties from the one nearest in p",
            ),
            check_count(printed, ("Table 2", model, "p-value"), best["p"], f"{tables}; p of the one nearest in p"),
        ]
    return lines


def figures(printed):
    """Lines of Figures 2 and 3: the same correlations as in Tables 1 and 3; the ground truth agrees with itself."""
    lines, self_rho = [], float(stats.spearmanr(np.repeat([1, 2, 3], 30), np.repeat([1, 2, 3], 30))[0])
    for key in printed.keys("Figure 2") + printed.keys("Figure 3"):
        criterion, _, method = key[1].partition(" / ")
        if criterion == "GROUND TRUTH":
            lines.append(check_count(printed, key, self_rho, "Spearman of the ground truth with itself"))
        elif criterion == "HUMAN":
            lines.append(check_same(printed, key, ("Table 1", method.capitalize(), "SRC")))
        else:
            method = method or "Claude-3 15n"
            method += "" if method[-1] in "0n5" else " 15"  # the figure writes the raw 15-poem methods without number
            lines.append(check_same(printed, key, ("Table 3", criterion.capitalize(), f"{method} / SRC")))
    return lines
