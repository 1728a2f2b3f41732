"""Bootstrap the 14 Fleiss' kappas over story groups: all replicates at once against a plain loop
over statsmodels."""

import time
import warnings

import numpy as np
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_kappa

from helpers import agreement
from helpers.ttcw import load as ttcw

LOOP = "14 kappas, loop over statsmodels"
REPLICATES, LOOPED, REPEATS, SEED = 10_000, 100, 5, 20240511


def load_counts():
    """Return (counts 48 x 14, group of each story) of the experts of *Art or Artifice?*."""
    counts = agreement.count_passes(ttcw.load_verdicts())
    return counts.to_numpy(), counts.index.get_level_values("group").to_numpy()


def loop_statsmodels(counts, weights):
    """Return the kappas (replicates x tests) by the plain way: repeat the drawn stories, call
    statsmodels for each test."""
    values = []
    with warnings.catch_warnings(), np.errstate(invalid="ignore", divide="ignore"):
        warnings.simplefilter("ignore")
        for times in weights:
            drawn = np.repeat(counts, times, axis=0)
            values.append([statsmodels_kappa(np.c_[3 - column, column]) for column in drawn.T])
    return np.array(values)


def draw_groups(groups, replicates, rng):
    """Return bootstrap weights (replicates x items): whole groups drawn with replacement, as many
    as there are."""
    names, code = np.unique(groups, return_inverse=True)
    shares = np.full(len(names), 1 / len(names))
    return rng.multinomial(len(names), shares, size=replicates)[:, code]


def seconds(function, repeats):
    """Return (the smallest time of `repeats` calls in seconds, the result)."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = function()
        times.append(time.perf_counter() - start)
    return min(times), result


def rows():
    """Return the timings, their ratio and the largest difference on the same draws, as
    benchmarks/README.md describes."""
    counts, groups = load_counts()
    weights = draw_groups(groups, REPLICATES, np.random.default_rng(SEED))
    fast, kappas = seconds(lambda: agreement.fleiss_kappa(counts, weights=weights), REPEATS)
    slow, reference = seconds(lambda: loop_statsmodels(counts, weights[:LOOPED]), 2)
    if (np.isnan(reference) != np.isnan(kappas[:LOOPED])).any():
        raise AssertionError("the two ways disagree about which replicates are undefined")
    difference = float(np.nanmax(np.abs(kappas[:LOOPED] - reference)))
    if difference > 1e-12:
        raise AssertionError(f"the two ways differ by {difference:.1e}, expected at most 1e-12")
    scaled = slow * REPLICATES / LOOPED
    size = f"{len(counts)} stories in {len(set(groups))} groups, 14 tests, 3 raters"
    kept = f"{LOOPED} replicates, the same draws; more than 1e-12 is an error"
    found = [
        ("14 kappas, 10,000 replicates at once", fast, "s", "lower", f"best of {REPEATS}; {size}"),
        (f"{LOOP}, 10,000 replicates", scaled, "s", "lower", f"scaled from {LOOPED}, best of 2"),
        (f"{LOOP} / at once", scaled / fast, "x", "higher", "ratio of the two lines above"),
        ("largest difference of a kappa", difference, "1", "none", kept),
    ]
    return [dict(zip(("name", "value", "unit", "better", "note"), row)) for row in found]
