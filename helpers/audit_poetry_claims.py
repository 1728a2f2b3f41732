"""Decide the poetry-ranking paper's universal claims, and say what its contradictions would need to go away."""

import numpy as np
import pandas as pd
from scipy import stats

from helpers import audit_poetry
from helpers.audit import nearest, spearman_p, tier_correlations
from helpers.ledger import agrees, tolerance


def every_case(printed):
    """Return the paper's universal claims on its two scorings and batch sizes, counted case by case.

    Columns: claim, section, cases, held, ties, sign test p (two-sided, ties left out).
    """
    src, f, icc = printed.grid("Table 3"), printed.grid("Table 6")["F-value"], printed.grid("Table 8")
    f = f.rename(
        index=lambda row: row.replace("Claude-3-Opus / ", "Claude-3-Opus 15 / ").replace("GPT-4o / ", "GPT-4o 15 / ")
    )
    blocks = ["Claude-3-Opus 15", "GPT-4o 15", "Claude-3-Opus 90"]
    pairs = {
        ("15-poem prompts beat 90-poem prompts, positions (SRC)", "7.3"): list(
            zip(src["Claude-3 15n / SRC"], src["Claude-3 90n / SRC"])
        ),
        ("15-poem prompts beat 90-poem prompts, 1-5 scores (SRC)", "7.3"): list(
            zip(src["Claude-3 15 / SRC"], src["Claude-3 90 / SRC"])
        ),
        ("positions beat 1-5 scores (SRC)", "7.3, Table 3"): [
            pair
            for block in ("Claude-3 15", "GPT-4o 15", "Claude-3 90")
            for pair in zip(src[f"{block}n / SRC"], src[f"{block} / SRC"])
        ],
        ("positions raise F in every case (ANOVA)", "7.3.1"): [
            (f[f"{block}n / {c}"], f[f"{block} / {c}"]) for block in blocks for c in src.index
        ],
        ("positions raise F in every case (ICC)", "8"): [
            (icc.at[f"{row} 15n", name], icc.at[row, name])
            for row in icc.index
            if not row.endswith("15n")
            for name in ("ICC1k / F", "ICC2k / F", "ICC3k / F")
        ],
    }
    rows = []
    for (claim, section), cases in pairs.items():
        won, lost = sum(a > b for a, b in cases), sum(a < b for a, b in cases)
        rows.append(
            {
                "claim": claim,
                "section": section,
                "cases": len(cases),
                "held": won,
                "ties": len(cases) - won - lost,
                "sign test p": stats.binomtest(won, won + lost).pvalue,
            }
        )
    return pd.DataFrame(rows)


def cut_off(printed):
    """Return the p-values of Tables 1 and 3 that are not the rounding of p at the attainable correlation.

    Columns: table, row, column, printed, exact, and `cut`: whether cutting the further digits off gives the printed value.
    """
    lattice, rows = tier_correlations(), []
    for table, row, column in printed.keys("Table 1") + printed.keys("Table 3"):
        if column.endswith("p-value"):
            text = printed.text(table, row, column)
            rho = nearest(printed.text(table, row, column.replace("p-value", "SRC")), lattice)
            exact = spearman_p(rho, 90)
            if not agrees(text, exact):
                below = exact - float(text)
                rows.append(
                    {
                        "table": table,
                        "row": row,
                        "column": column,
                        "printed": text,
                        "exact": exact,
                        "cut": 0 <= below < 2 * tolerance(text),
                    }
                )
    return pd.DataFrame(rows)


def better_than_humans(printed, shared=(0.0, 0.3, 0.6)):
    """Return p (two-sided, Williams' t) of each model of Table 2 against human Novelty, as correlations with the tiers.

    Both rank the same 90 poems, so the test needs the correlation between the two rankings, which is not printed: one
    column for each value of it in `shared`. Correlations are unrounded: from the counts of Table 2, from the lattice.
    """
    solved = audit_poetry.solve_confusions(printed).sort_values("p agrees", ascending=False, kind="stable")
    human = nearest(printed.text("Table 1", "Novelty", "SRC"), tier_correlations())
    rows = solved.drop_duplicates("model").set_index("model")["rho"]
    return pd.DataFrame(
        {"SRC": rows, **{f"p if they share {s:g}": [williams_p(r, human, s, 90) for r in rows] for s in shared}}
    )


def williams_p(r12, r13, r23, n):
    """Return the two-sided p of Williams' t for two correlations with one variable in common (Steiger, 1980, eq. 7)."""
    det = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / (2 * (n - 1) / (n - 3) * det + mean**2 * (1 - r23) ** 3))
    return float(2 * stats.t.sf(abs(t), n - 3))
