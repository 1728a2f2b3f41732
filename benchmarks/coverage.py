"""How often do '95 %' intervals over twelve story groups hold the truth? A seeded simulation; writes results/coverage.csv.

Three statistics of notebooks 01 and 02, three intervals: the percentile bootstrap over groups, the grouped jackknife with
Student's t (`intervals.over_groups`), and Student's t on the groups' own values. Run it: python benchmarks/coverage.py
"""

from pathlib import Path

import numpy as np
import pandas as pd

from helpers.measures import agreement, intervals

GROUPS, TRIALS, REPLICATES, SEED = 12, 400, 300, 20261121
HERE = Path(__file__).resolve().parent


def draw_panel(rng, groups=GROUPS):
    """Return passes (groups, 4 stories, 3 experts, 14 tests): four pass rates, stories and experts who differ."""
    writer = np.array([-1.4, -0.6, -0.5, 1.0])[None, :, None, None]
    story, expert = rng.normal(size=(groups, 4, 1, 1)), rng.normal(size=(groups, 1, 3, 1))
    return writer + 0.3 * story + 0.5 * expert + rng.normal(size=(groups, 4, 3, 14)) > 0


def kappa(passes):
    """Return the mean Fleiss' kappa of 14 tests."""
    return float(
        np.nanmean(agreement.fleiss_kappa(passes.sum(axis=2).reshape(-1, passes.shape[-1])))
    )


def machine_kappa(passes):
    """Return the mean Fleiss' kappa of the three machines' stories."""
    return kappa(passes[:, :3])


def correlation(passes):
    """Return r between two experts' scores of a story, pooled."""
    return agreement.pair_correlation(passes.sum(axis=3).reshape(-1, 3))


def difference(passes):
    """Return the difference of two paired shares: tests passed under the second and the third writer."""
    return float(passes[:, 2].mean() - passes[:, 1].mean())


def intervals_of(passes, statistic, rng):
    """Return {method: (low, high)} for one data set."""
    groups = np.arange(len(passes))
    scale = "correlation" if statistic is correlation else None
    found = intervals.over_groups(groups, lambda rows: statistic(passes[rows]), scale=scale)
    own = (
        intervals.of_mean([statistic(passes[[group]]) for group in groups])
        if statistic is difference
        else None
    )
    drawn = [
        statistic(passes[rng.integers(len(groups), size=len(groups))]) for _ in range(REPLICATES)
    ]
    return {
        "percentile bootstrap": tuple(np.nanpercentile(drawn, [2.5, 97.5])),
        "jackknife-t": (found["low"], found["high"]),
        "t on the groups' values": (own["low"], own["high"])
        if own is not None
        else (np.nan, np.nan),
    }


def measure(statistic, trials, rng):
    """Return one row a method: the share of intervals that hold the value of a panel of 3,000 groups."""
    truth = statistic(draw_panel(rng, 3000))
    found = [intervals_of(draw_panel(rng), statistic, rng) for _ in range(trials)]
    hits = {
        method: [low <= truth <= high for low, high in (one[method] for one in found)]
        for method in found[0]
    }
    return {
        method: intervals.of_share(sum(hits[method]), trials)
        for method in hits
        if not np.isnan(found[0][method][0])
    }


def simulate(trials=TRIALS):
    """Return the table: statistic, method, estimate, low, high (coverage with its own interval), n (trials)."""
    names = {
        "mean kappa, all stories": kappa,
        "mean kappa, machine stories": machine_kappa,
        "r between experts": correlation,
        "difference of two writers": difference,
    }
    rows = []
    for number, (name, statistic) in enumerate(names.items()):
        for method, row in measure(
            statistic, trials, np.random.default_rng([SEED, number])
        ).items():
            rows.append({"statistic": name, "method": method, **row.round(3)})
    return pd.DataFrame(rows).astype({"n": int})


if __name__ == "__main__":
    simulate().to_csv(HERE / "results" / "coverage.csv", index=False)
