"""Decide the poetry-ranking paper's universal claims, and what would mend its contradictions."""

import numpy as np
import pandas as pd
from scipy import stats

from helpers.audit.attainable import nearest
from helpers.audit.poetry import solve_confusions, tier_correlations
from helpers.sources.published import tolerance


def every_case(paper):
    """Return the universal claims on the two scorings and batch sizes, counted case by case.

    Columns: claim, section, cases, held, ties, sign test p (two-sided, ties left out).
    """
    src, f, icc = paper.grid("Table 3"), paper.grid("Table 6")["F-value"], paper.grid("Table 8")
    f.index = f.index.str.replace("(Opus|GPT-4o) / ", r"\1 15 / ", regex=True)
    scored, blocks = icc.index[~icc.index.str.endswith("15n")], ["Opus 15", "GPT-4o 15", "Opus 90"]
    short = "15-poem prompts beat 90-poem prompts"

    def both(pick):
        return pick("n"), pick("")

    claims = [
        (f"{short}, positions (SRC)", "7.3", *(src[f"Claude-3 {n}n / SRC"] for n in (15, 90))),
        (f"{short}, 1-5 scores (SRC)", "7.3", *(src[f"Claude-3 {n} / SRC"] for n in (15, 90))),
        (
            "positions beat 1-5 scores (SRC)",
            "7.3, Table 3",
            *both(
                lambda n: src[[f"{block}{n} / SRC".replace("Opus", "Claude-3") for block in blocks]]
            ),
        ),
        (
            "positions raise F in every case (ANOVA)",
            "7.3.1",
            *both(
                lambda n: f[
                    [
                        f"{block}{n} / {row}".replace("Opus", "Claude-3-Opus")
                        for block in blocks
                        for row in src.index
                    ]
                ]
            ),
        ),
        (
            "positions raise F in every case (ICC)",
            "8",
            *both(lambda n: icc.filter(regex="F$").loc[scored + (" 15n" if n else "")]),
        ),
    ]
    rows = []
    for claim, section, high, low in claims:
        gain = high.to_numpy() - low.to_numpy()
        won, lost = int((gain > 0).sum()), int((gain < 0).sum())
        p = stats.binomtest(won, won + lost).pvalue
        rows.append((claim, section, gain.size, won, gain.size - won - lost, p))
    return pd.DataFrame(rows, columns=["claim", "section", "cases", "held", "ties", "sign test p"])


def cut_off(paper):
    """Return the refuted p-values of Tables 1 and 3 of an audited paper.

    Columns: table, row, column, printed, exact, and cut: does cutting digits off explain it?
    """
    rows = []
    for (table, row, column), line in paper.found.items():
        if table in ("Table 1", "Table 3") and column.endswith("p-value") and not line["holds"]:
            text, exact = paper.text(table, row, column), line["computed"]
            cut = 0 <= exact - float(text) < 2 * tolerance(text)
            rows.append((table, row, column, text, exact, cut))
    return pd.DataFrame(rows, columns=["table", "row", "column", "printed", "exact", "cut"])


def better_than_humans(paper, shared=(0.0, 0.3, 0.6)):
    """Return p (two-sided, Williams' t) of each model of Table 2 against human Novelty.

    Both rank the same 90 poems, so the test needs the correlation between the two rankings, which
    is not printed: a column for each value in `shared`. Their correlations with the tiers are
    unrounded: from the counts of Table 2, from the lattice.
    """
    human = nearest(paper.number("Table 1", "Novelty", "SRC"), tier_correlations())
    best = solve_confusions(paper).drop_duplicates("model").set_index("model")
    rho = best.loc[paper.grid("Table 2").index, "rho"]
    found = {f"p if they share {s:g}": williams_p(rho, human, s, 90) for s in shared}
    return pd.DataFrame({"SRC": rho, **found})


def williams_p(r12, r13, r23, n):
    """Return two-sided p of Williams' t for two overlapping correlations (Steiger, 1980, eq. 7)."""
    det = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    t = (r12 - r13) * np.sqrt(
        (n - 1) * (1 + r23) / (2 * (n - 1) / (n - 3) * det + mean**2 * (1 - r23) ** 3)
    )
    return 2 * stats.t.sf(np.abs(t), n - 3)
