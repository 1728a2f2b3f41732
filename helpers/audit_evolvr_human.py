"""Audit of evolvr's human evaluation: means and SDs of whole ratings, changes, win rates, correlations between experts."""

import numpy as np

from helpers.audit import check_claim, check_count, check_lattice, check_mean, check_same
from helpers.audit_evolvr import beaten
from helpers.hanna import ASPECTS

RATINGS = 80  # 20 stories x 4 experts: the smallest n whose multiples 1/n give every mean of Table 4


def variances(mean, sd, n=RATINGS):
    """Return whether n whole numbers can have this mean with this SD: {'population': bool, 'sample': bool} (GRIMMER).

    mean: exact; sd: (low, high). The sum of squares must be whole and as odd or even as the sum.
    """
    total, found = round(mean * n), {}
    for name, divisor in (("population", n), ("sample", n - 1)):
        low, high = (divisor * s**2 + n * mean**2 for s in sd)
        found[name] = any(
            low - 1e-6 <= k <= high + 1e-6 and (k - total) % 2 == 0 for k in range(int(np.floor(low)), int(np.ceil(high)) + 1)
        )
    return found


def audit_generation(printed):
    """Return lines for Tables 4, 5, 12 and 13: means of 80 whole ratings, changes, overall means, SDs, copies."""
    lines, base, known = [], "Qwen2.5-7B-Instruct", set(printed.keys("Table 4") + printed.keys("Table 5"))
    attainable = np.arange(RATINGS, 5 * RATINGS + 1) / RATINGS
    for row in printed.grid("Table 4").index:
        for aspect in ASPECTS:
            key = ("Table 4", row, aspect)
            lines.append(check_lattice(printed, key, attainable, f"a mean of {RATINGS} whole ratings (20 stories x 4 experts)"))
            lines.append(check_same(printed, ("Table 12", row, aspect), key))
            mean, bounds = printed.number(*key), printed.bounds("Table 12", row, f"{aspect} (SD)")
            lines.append(
                check_claim(
                    printed,
                    ("Table 12", row, f"{aspect} (SD)"),
                    variances(mean, bounds)["population"],
                    None,
                    f"population SD that {RATINGS} whole ratings with this mean can have",
                )
            )
            change = ("Table 4", row, f"{aspect} (change)")
            if row != base and change in known:
                before = printed.number("Table 4", base, aspect)
                lines.append(check_count(printed, change, 100 * (mean - before) / before, "relative change of the printed means"))
        exact = float(np.mean([printed.number("Table 4", row, aspect) for aspect in ASPECTS]))
        lines.append(check_count(printed, ("Table 5", row, "Average Score"), exact, "mean of the six means of Table 4"))
        lines.append(check_count(printed, ("Table 12", row, "Overall"), exact, "mean of the six means of Table 4"))
        lines.append(
            check_mean(
                printed,
                ("Table 12", row, "Overall (SD)"),
                [("Table 12", row, f"{aspect} (SD)") for aspect in ASPECTS],
                "mean of the six printed SDs",
            )
        )
    for column in ("Win Base", "Win HANNA", "Average Score"):
        lines.append(check_same(printed, ("Table 13", "Pair with Base", column), ("Table 5", "EvolvR GRPO", column)))
    for column in ("Win Base", "Win HANNA"):
        best = printed.number("Table 5", "EvolvR GRPO", column)
        rows = [
            row
            for row in printed.grid("Table 5").index
            if row != "EvolvR GRPO"
            and ("Table 5", row, column) in known
            and printed.text("Table 5", row, column)
        ]
        lines += [beaten(printed, "Table 5", column, row, "EvolvR GRPO", "below EvolvR GRPO, as claimed") for row in rows]
        top = max(printed.number("Table 5", row, column) for row in rows)
        lines.append(
            check_claim(printed, ("Table 5", "EvolvR GRPO", column), best > top, top, "highest of its column, as claimed")
        )
    for column in ("Win Base", "Win HANNA", "Average Score"):
        lines.append(beaten(printed, "Table 13", column, "Pair with HANNA", "Pair with Base", "below Pair with Base, as claimed"))
    return lines


def audit_experts(printed):
    """Return lines for Tables 14 and 15: averages, symmetry, and matrices that can be."""
    lines, grid = [], printed.grid("Table 14")
    average = grid.columns[0]
    for row in grid.index:
        lines.append(check_mean(printed, ("Table 14", row, average), [("Table 14", row, aspect) for aspect in ASPECTS]))
    for aspect in ASPECTS:
        least = smallest_eigenvalue(grid[aspect].to_numpy())
        lines += [
            check_claim(
                printed,
                ("Table 14", row, aspect),
                least >= -1e-3,
                least,
                "the four experts' correlations form a possible matrix; computed: smallest eigenvalue (input checked)",
            )
            for row in grid.index
        ]
    matrix = printed.grid("Table 15").to_numpy()
    least = smallest_eigenvalue(matrix[np.triu_indices(4, 1)])
    for table, row, column in printed.keys("Table 15"):
        if row == column:
            lines.append(check_count(printed, (table, row, column), 1.0, "diagonal of a correlation matrix"))
        elif row < column:
            lines.append(
                check_claim(
                    printed,
                    (table, row, column),
                    least >= -1e-3,
                    least,
                    "the correlations form a possible "
                    "matrix (of five or more averages); computed: smallest eigenvalue (input checked)",
                )
            )
        else:
            lines.append(check_same(printed, (table, row, column), (table, column, row), "symmetric"))
    return lines


def as_matrix(upper):
    """Return the 4 x 4 correlation matrix with these six upper entries."""
    matrix = np.eye(4)
    matrix[np.triu_indices(4, 1)] = upper
    return np.maximum(matrix, matrix.T) if np.min(upper) >= 0 else matrix + matrix.T - np.eye(4)


def smallest_eigenvalue(upper):
    """Return the smallest eigenvalue of the correlation matrix of four raters (negative: impossible)."""
    return float(np.linalg.eigvalsh(as_matrix(upper))[0])
