"""Check every number of the poetry-ranking paper's tables and figures against its other numbers."""

import numpy as np
import pandas as pd
from scipy import optimize, stats

from helpers.audit import (
    check_claim,
    check_count,
    check_f_p,
    check_lattice,
    check_range,
    check_same,
    nearest,
    spearman_p,
    tier_correlations,
)
from helpers.ledger import agrees, line, tolerance

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


def appearance_sd(within, tiers=3, size=30, drawn=5, subsets=100):
    """Return the SD of the mean over poems of mean positions, when poems appear unequally often.

    within: variance between poems of one tier. Subsets draw `drawn` of `size` poems of each tier, so counts vary
    (hypergeometric) and the unweighted mean of poem means leaves the value fixed for the appearance-weighted one.
    """
    share = drawn / size
    spread = subsets * share * (1 - share) * size / (size - 1)  # within a tier the counts sum to a constant
    return float(np.sqrt(spread * tiers * size * within) / (tiers * drawn * subsets))


def anova_row(printed, table, row):
    """Return the facts of one ANOVA row: means, F, within-tier variance that F implies, mean that the design fixes."""
    means = [printed.number(table, row, tier) for tier in TIERS]
    f = printed.number(table, row, "F-value")
    method = row.partition(" / ")[0]
    fixed = 45.5 if method.endswith("90n") else 8.0 if method.endswith("15n") or table == "Table 4" else np.nan
    within = 30 * np.var(means, ddof=1) / f
    return {
        "means": means,
        "F": f,
        "within": within,
        "fixed": fixed,
        "eta2": 2 * f / (2 * f + 87),
        "sd": appearance_sd(within) if fixed == 8.0 else 0.0,
    }


def anova(printed):
    """Lines of Tables 4 and 6: p from F(2, 87), F from p, tier means whose sum the design of the ranked lists fixes."""
    lines, keys = [], printed.keys("Table 4") + printed.keys("Table 6")
    copies = pd.Series([printed.text(*key) for key in printed.keys("Table 6") if key[2] == "p-value"]).value_counts()
    for table, row in dict.fromkeys(key[:2] for key in keys):
        facts, p_key, f_key = anova_row(printed, table, row), (table, row, "p-value"), (table, row, "F-value")
        lines.append(check_f_p(printed, p_key, f_key, 2, 87))
        if lines[-1]["holds"] or copies.get(printed.text(*p_key), 0) == 1:
            lines.append(check_f(printed, f_key, p_key, 2, 87))
        else:
            lines.append(
                line(printed.paper, *f_key, None, "none", "the p beside it is another row's p; no other number fixes F")
            )
        for tier, mean in zip(TIERS, facts["means"]):
            key, value = (table, row, tier), 3 * facts["fixed"] - sum(facts["means"]) + mean
            if np.isnan(facts["fixed"]):
                holds = 1 <= mean <= 5 and facts["within"] <= (mean - 1) * (5 - mean)
                lines.append(
                    check_claim(
                        printed,
                        key,
                        holds,
                        None,
                        "scores from 1 to 5 can have this mean with the variance that F implies (input checked)",
                    )
                )
            else:
                slack = 2 * tolerance(printed.text(*key)) + 3 * 3 * facts["sd"]
                lines.append(
                    check_range(
                        printed,
                        key,
                        value,
                        value - slack,
                        value + slack,
                        f"{3 * facts['fixed']:g} less the other two means: positions in full lists average "
                        f"{facts['fixed']:g}" + (" (within 3 SD for unequal appearances)" if facts["sd"] else ""),
                    )
                )
    return lines


def f_of_p(p, df1, df2):
    """Return the F with upper tail p (a root search: scipy's isf loses F at p below 1e-16)."""
    return float(optimize.brentq(lambda f: np.log(stats.f.sf(f, df1, df2)) - np.log(p), 1e-9, 1e4, xtol=1e-10))


def check_f(printed, key, p_key, df1, df2):
    """One line: a printed F against the printed p at `p_key`, allowing for the rounding of p."""
    low, high = printed.bounds(*p_key)
    return check_range(
        printed,
        key,
        f_of_p(printed.number(*p_key), df1, df2),
        f_of_p(high, df1, df2),
        f_of_p(low, df1, df2),
        f"the F({df1}, {df2}) that has the printed p (input checked)",
    )
