"""Is an 8 beside 1 to 7 a code for no answer, or the end of a longer scale? How often `find_rare`
is right about simulated files of scores; writes results/rare-codes.csv.

Honest files hold scores on one scale, and some of their highest numbers are rare; files with codes
hold 0.5 to 3 % of 8 beside scores on a shorter scale. Run it: python benchmarks/rare_codes.py
"""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from goodjudge.data.suspicious import find_rare
from goodjudge.stats import intervals

FILES, SEED = 300, 20261129  # files per row
HERE = Path(__file__).resolve().parent
HONEST, CODED = (5, 7, 9, 10), (7, 5)  # the ends of scales that begin at 1
KINDS, SIZES = ("normal", "gamma", "beta"), (100, 300, 1000)
MEANS = {"0.15": (0.15, 0.15), "0.3 to 0.6": (0.3, 0.6)}  # as parts of the scale
SPREADS = (0.12, 0.25)  # standard deviations, likewise
CODE, CODES = 8, (0.005, 0.03)


def draw_scores(rng, kind, mean, spread, size):
    """Return scores as parts of a scale from 0 to 1, before they are rounded and cut off."""
    if kind == "normal":
        return rng.normal(mean, spread, size)
    if kind == "gamma":
        return rng.gamma((mean / spread) ** 2, spread**2 / mean, size)
    both = mean * (1 - mean) / spread**2 - 1
    return rng.beta(mean * both, (1 - mean) * both, size)


def draw_file(rng, end, is_coded, kind, size, means):
    """Return the whole scores of a file on a scale from 1 to `end`; means: the lowest and the
    highest that its mean may be."""
    parts = draw_scores(rng, kind, rng.uniform(*means), rng.uniform(*SPREADS), size)
    scores = np.clip((1 + (end - 1) * parts).round(), 1, end)
    if is_coded:
        scores[: max(1, round(rng.uniform(*CODES) * size))] = CODE
    return pd.Series(scores)


def to_row(found):
    """Return the shares of files that hold a number which may be a code, and in which it is called
    sure; found: a row per file."""
    row = {}
    for what in ("sure", "holds"):
        share = intervals.of_share(found[what].sum(), len(found)).round(3)
        row |= {what: share["estimate"], f"{what} low": share["low"], f"{what} high": share["high"]}
    return row | {"files": len(found)}


def simulate(files=FILES):
    """Return the table: scale, codes, mean, kind, scores (in a file), sure, holds (shares, each
    with Wilson's interval), files; kind "all": the files of all kinds and sizes together."""
    scales = [(end, False) for end in HONEST] + [(end, True) for end in CODED]
    rows = []
    for number, ((end, is_coded), mean) in enumerate(product(scales, MEANS)):
        rng = np.random.default_rng([SEED, number])
        found = []
        for kind, size, _ in product(KINDS, SIZES, range(files)):
            rare, is_sure = find_rare(draw_file(rng, end, is_coded, kind, size, MEANS[mean]))
            found.append((kind, size, is_sure, CODE in rare if is_coded else bool(rare)))
        found = pd.DataFrame(found, columns=["kind", "scores", "sure", "holds"])
        about = {"scale": f"1 to {end}", "codes": "8" if is_coded else "none", "mean": mean}
        rows.append({**about, "kind": "all", "scores": "all", **to_row(found)})
        for (kind, size), own in found.groupby(["kind", "scores"], sort=False):
            rows.append({**about, "kind": kind, "scores": size, **to_row(own)})
    return pd.DataFrame(rows)


if __name__ == "__main__":
    simulate().to_csv(HERE / "results" / "rare-codes.csv", index=False)
