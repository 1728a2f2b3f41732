"""Checks of printed numbers against each other: attainable values, sums, differences, p from statistic, copies."""
import numpy as np
from scipy import stats

from helpers.ledger import line, read_published, to_number, tolerance


class Printed:
    """The printed numbers of one paper, by key; every check below takes one and returns ledger lines."""

    def __init__(self, paper):
        self.paper, self.lines = paper, read_published(paper)
        self._values = self.lines.set_index(["table", "row", "column"])["value"].to_dict()

    def text(self, *key):
        """Return the value as printed; raise KeyError naming paper and key if the paper prints no such number."""
        if key not in self._values:
            raise KeyError(f"{self.paper} prints no {' | '.join(key)}")
        return self._values[key]

    def number(self, *key):
        """Return the value as a float (nan for a blank)."""
        return to_number(self.text(*key))

    def bounds(self, *key):
        """Return (low, high): what the unrounded value can have been."""
        half = tolerance(self.text(*key))
        return self.number(*key) - half, self.number(*key) + half

    def grid(self, table):
        """Return the numbers of a table as a DataFrame, rows and columns in printed order."""
        part = self.lines[self.lines["table"] == table]
        wide = part.assign(value=part["value"].map(to_number)).pivot(index="row", columns="column", values="value")
        return wide.loc[part["row"].unique(), part["column"].unique()]

    def keys(self, table):
        """Return the (table, row, column) keys of a table in printed order."""
        return list(self.lines.loc[self.lines["table"] == table, ["table", "row", "column"]].itertuples(index=False, name=None))


def reaches(value, low, high):
    """Return whether the rounding interval of a printed value meets [low, high]."""
    if value == "":
        return False
    half = tolerance(value) * (1 + 1e-9)
    return bool(to_number(value) - half <= max(low, high) and to_number(value) + half >= min(low, high))


def check_range(printed, key, computed, low, high, how):
    """One line: a value computed from other rounded numbers, which their rounding leaves anywhere in [low, high]."""
    return line(printed.paper, *key, computed, "printed", how, reaches(printed.text(*key), low, high))


def check_difference(printed, key, minuend, subtrahend, how="difference of two printed numbers"):
    """One line: `key` = `minuend` - `subtrahend`, allowing for the rounding of both."""
    (a, b), (c, d) = printed.bounds(*minuend), printed.bounds(*subtrahend)
    return check_range(printed, key, printed.number(*minuend) - printed.number(*subtrahend), a - d, b - c, how)


def check_mean(printed, key, parts, how="mean of printed cells"):
    """One line: `key` = mean of the printed `parts` (a list of keys), allowing for their rounding."""
    low, high = np.mean([printed.bounds(*part) for part in parts], axis=0)
    return check_range(printed, key, float(np.mean([printed.number(*part) for part in parts])), low, high, how)


def check_same(printed, key, other, how="the same quantity is printed in two places"):
    """One line: `key` equals the number printed at `other`, up to the coarser rounding."""
    low, high = printed.bounds(*other)
    return check_range(printed, key, printed.number(*other), low, high, how)


def check_count(printed, key, computed, how):
    """One line: `key` is a count or constant that other printed numbers fix exactly."""
    return line(printed.paper, *key, computed, "printed", how)


def nearest_share(value, n):
    """Return the attainable percentage 100 k / n that is nearest to a printed one (GRIM)."""
    return 100 * round(to_number(value) / 100 * n) / n


def check_share(printed, key, n, how=None):
    """One line: a printed percentage must be k of n, rounded."""
    value = printed.text(*key)
    return line(printed.paper, *key, nearest_share(value, n), "printed", how or f"attainable: a count out of {n} (input checked)")


def nearest(value, attainable):
    """Return the attainable number that is nearest to a printed value."""
    attainable = np.asarray(attainable, float)
    return float(attainable[np.argmin(np.abs(attainable - to_number(value)))])


def check_lattice(printed, key, attainable, how):
    """One line: a printed value must be the rounding of one of the `attainable` numbers."""
    return line(printed.paper, *key, nearest(printed.text(*key), attainable), "printed", how)


def spearman_p(rho, n):
    """Return the two-sided p of a rank correlation by the usual t approximation with n - 2 degrees of freedom."""
    rho = float(np.clip(rho, -1, 1))
    return 0.0 if abs(rho) == 1 else float(2 * stats.t.sf(abs(rho) * np.sqrt((n - 2) / (1 - rho**2)), n - 2))


def check_f_p(printed, key, f_value, df1, df2):
    """One line: a printed p against the printed F at key `f_value`, allowing for the rounding of F."""
    low, high = printed.bounds(*f_value)
    return check_range(printed, key, float(stats.f.sf(printed.number(*f_value), df1, df2)), float(stats.f.sf(high, df1, df2)),
                       float(stats.f.sf(low, df1, df2)), f"upper tail of F({df1}, {df2}) at the printed F")


def tier_correlations(sizes=(30, 30, 30)):
    """Return every Spearman correlation that a ranking of tiers can have with the true tiers when both sides are coded by tier.

    Both lists hold each tier `sizes` times, so the correlation depends on the 3 x 3 table of counts alone. Returned sorted.
    """
    a, b, c = sizes
    found = set()
    for n00 in range(a + 1):
        for n01 in range(a - n00 + 1):
            n02 = a - n00 - n01
            for n10 in range(max(0, a - n00 - c), min(b, a - n00) + 1):
                n20 = a - n00 - n10
                for n11 in range(min(b - n01, b - n10) + 1):
                    n12, n21 = b - n10 - n11, b - n01 - n11
                    n22 = c - n20 - n21
                    if min(n12, n21, n22) >= 0 and n02 + n12 + n22 == c:
                        found.add((n01 + n10 + n12 + n21) + 4 * (n02 + n20))
    if not a == b == c:  # only then are the rank codes equally spaced, and squared distances in tiers decide
        raise ValueError(f"tiers of sizes {sizes}: only equal sizes are supported")
    return np.array(sorted(1 - d / (2 * sum(sizes) * np.var([0, 1, 2])) for d in found))


def check_claim(printed, key, holds, computed, how):
    """One line: a claim in running text decided by a rule that was stated beforehand; `holds` is computed, not typed."""
    return line(printed.paper, *key, computed, "printed", f"claim: {how}", bool(holds))


def check_raw(printed, key, computed, how):
    """One line: a value recomputed from public raw data."""
    return line(printed.paper, *key, computed, "raw", how)
