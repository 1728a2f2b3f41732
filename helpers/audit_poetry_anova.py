"""Check the analyses of variance (Tables 4 and 6) of the poetry-ranking paper: p, F and tier means from each other."""

import numpy as np
import pandas as pd
from scipy import optimize, stats

from helpers.audit import check_claim, check_f_p, check_range
from helpers.audit_poetry import TIERS
from helpers.ledger import line, tolerance


def appearance_sd(within, tiers=3, size=30, drawn=5, subsets=100):
    """Return the SD of the mean over poems of mean positions, when poems appear unequally often.

    within: variance between poems of one tier. Subsets draw `drawn` of `size` poems of each tier, so counts vary
    (hypergeometric) and the unweighted mean of poem means leaves the value fixed for the appearance-weighted one.
    """
    share = drawn / size
    spread = subsets * share * (1 - share) * size / (size - 1)  # within a tier the counts sum to a constant
    return float(np.sqrt(spread * tiers * size * within) / (tiers * drawn * subsets))


def anova_row(printed, table, row):
    """Return the facts of one ANOVA row: means, within-tier variance that F implies, mean that the design fixes, its SD."""
    means = [printed.number(table, row, tier) for tier in TIERS]
    f = printed.number(table, row, "F-value")
    method = row.partition(" / ")[0]
    fixed = 45.5 if method.endswith("90n") else 8.0 if method.endswith("15n") or table == "Table 4" else np.nan
    within = 30 * np.var(means, ddof=1) / f
    return {
        "means": means,
        "within": within,
        "fixed": fixed,
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
