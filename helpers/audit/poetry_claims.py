"""Decide the poetry-ranking paper's universal claims, and say what its contradictions would need to go away."""
import numpy as np
import pandas as pd
from scipy import stats

from helpers.audit.checks import nearest
from helpers.audit.poetry import solve_confusions, tier_correlations
from helpers.sources.published import tolerance


def every_case(paper):
    """Return the paper's universal claims on its two scorings and batch sizes, counted case by
    case.

    Columns: claim, section, cases, held, ties, sign test p (two-sided, ties left out).
    """
    src, f, icc = paper.grid("Table 3"), paper.grid("Table 6")["F-value"], paper.grid("Table 8")
    f = f.rename(index=lambda row: row.replace("Opus / ", "Opus 15 / ").replace("GPT-4o / ",
                                                                                "GPT-4o 15 / "))
    scored = [row for row in icc.index if not row.endswith("15n")]
    claims = [
        ("15-poem prompts beat 90-poem prompts, positions (SRC)", "7.3", src["Claude-3 15n / SRC"],
         src["Claude-3 90n / SRC"]),
        ("15-poem prompts beat 90-poem prompts, 1-5 scores (SRC)", "7.3", src["Claude-3 15 / SRC"],
         src["Claude-3 90 / SRC"]),
        ("positions beat 1-5 scores (SRC)", "7.3, Table 3",
         *(src[[f"{block}{n} / SRC" for block in ("Claude-3 15", "GPT-4o 15", "Claude-3 90")]]
           for n in ("n", ""))),
        ("positions raise F in every case (ANOVA)", "7.3.1",
         *(f[[f"{block}{n} / {row}" for block in ("Claude-3-Opus 15", "GPT-4o 15",
                                                  "Claude-3-Opus 90") for row in src.index]]
           for n in ("n", ""))),
        ("positions raise F in every case (ICC)", "8",
         *(icc.loc[[row + n for row in scored], ["ICC1k / F", "ICC2k / F", "ICC3k / F"]]
           for n in (" 15n", ""))),
    ]
    rows = []
    for claim, section, high, low in claims:
        gain = high.to_numpy() - low.to_numpy()
        won, lost = int((gain > 0).sum()), int((gain < 0).sum())
        rows.append((claim, section, gain.size, won, gain.size - won - lost,
                     stats.binomtest(won, won + lost).pvalue))
    return pd.DataFrame(rows, columns=["claim", "section", "cases", "held", "ties", "sign test p"])


def cut_off(paper):
    """Return the p-values of Tables 1 and 3 that an audited paper's check refutes, and whether
    cutting digits off explains it.

    Columns: table, row, column, printed, exact, cut.
    """
    rows = []
    for (table, row, column), line in paper.found.items():
        if table in ("Table 1", "Table 3") and column.endswith("p-value") and not line["holds"]:
            text, exact = paper.text(table, row, column), line["computed"]
            rows.append((table, row, column, text, exact,
                         0 <= exact - float(text) < 2 * tolerance(text)))
    return pd.DataFrame(rows, columns=["table", "row", "column", "printed", "exact", "cut"])


def better_than_humans(paper, shared=(0.0, 0.3, 0.6)):
    """Return p (two-sided, Williams' t) of each model of Table 2 against human Novelty, as
    correlations with the tiers.

    Both rank the same 90 poems, so the test needs the correlation between the two rankings, which
    is not printed: one column for each value of it in `shared`. Correlations are unrounded: from
    the counts of Table 2, from the lattice.
    """
    human = nearest(paper.number("Table 1", "Novelty", "SRC"), tier_correlations())
    rho = solve_confusions(paper).drop_duplicates("model").set_index("model")["rho"].loc[paper.grid("Table 2").index]
    return pd.DataFrame({"SRC": rho, **{f"p if they share {s:g}": williams_p(rho, human, s, 90)
                                        for s in shared}})


def williams_p(r12, r13, r23, n):
    """Return the two-sided p of Williams' t for two correlations with one variable in common (Steiger, 1980, eq. 7)."""
    det = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / (2 * (n - 1) / (n - 3) * det
                                                     + mean**2 * (1 - r23) ** 3))
    return 2 * stats.t.sf(np.abs(t), n - 3)
