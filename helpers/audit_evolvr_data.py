"""Audit of evolvr's data: HANNA's counts, agreement between raters (Table 8) and the attrition of rationales (Table 9)."""
import numpy as np

from helpers.audit import check_claim, check_count, check_difference, check_range, check_raw
from helpers.evolvr_agreement import agreement_index
from helpers.hanna import ASPECTS


def audit_counts(printed, ratings):
    """Return lines for HANNA's row of Table 7 from the tidy ratings (none where they are not open here)."""
    if ratings is None:
        return []
    return [
        check_raw(printed, ("Table 7", "HANNA", "Samples"), len(ratings), "single ratings in the open file"),
        check_raw(printed, ("Table 7", "HANNA", "Dimensions"), ratings["aspect"].nunique(), "aspects in the open file"),
    ]


def audit_agreement(printed, arrays):
    """Return lines for Table 8; the pointwise column needs the open ratings (aspects x stories x 3), else it is left out."""
    lines = []
    for i, aspect in enumerate(ASPECTS):
        point, pair, diff = (("Table 8", aspect, name) for name in ("Pointwise", "Pairwise", "Diff"))
        if arrays is not None:
            lines.append(
                check_raw(printed, point, agreement_index(arrays[i]), "1 / (1 + mean population SD of a story's three ratings)")
            )
        (a, b), (c, d) = printed.bounds(*point), printed.bounds(*diff)
        lines.append(
            check_range(
                printed,
                pair,
                printed.number(*point) + printed.number(*diff),
                a + c,
                b + d,
                "Pointwise + Diff; the definition behind Pairwise was not found (input checked)",
            )
        )
        lines.append(check_difference(printed, diff, pair, point))
        gain = 100 * printed.number(*diff) / printed.number(*point)
        ends = [100 * delta / level for delta in printed.bounds(*diff) for level in printed.bounds(*point)]
        key = ("Table 8", aspect, "Improvement(%)")
        lines.append(check_range(printed, key, gain, min(ends), max(ends), "Diff / Pointwise"))
    return lines


def audit_attrition(printed):
    """Return lines for Table 9: survival rates against counts, counts that fall."""
    lines, previous = [], np.inf
    pool = printed.number("Table 9", "1 / Initial Pool", "Remaining")
    for row in printed.grid("Table 9").index:
        left = printed.number("Table 9", row, "Remaining")
        lines.append(check_count(printed, ("Table 9", row, "Survival Rate"), 100 * left / pool, "Remaining / initial pool"))
        before = None if previous == np.inf else previous
        lines.append(
            check_claim(
                printed, ("Table 9", row, "Remaining"), left < previous, before, "smaller than the stage before (input checked)"
            )
        )
        previous = left
    return lines
