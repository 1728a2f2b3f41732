"""*EvolvR*, Tables 4, 5 and 12: the human evaluation, means and SDs of whole ratings."""

import numpy as np
import pandas as pd

from helpers.audit.attainable import nearest
from helpers.audit.checks import SAME
from helpers.evolvr.load import ASPECTS

DIMENSIONS = list(ASPECTS)
RATINGS = 80  # the smallest n whose multiples 1/n give all of Table 4


def check(paper):
    """Check Tables 4, 5 and 12: means of 80 whole ratings, their changes, overall means and SDs."""
    means, sds = paper.table("Table 4")[DIMENSIONS], paper.table("Table 12")
    exact, base = means.mid, means.mid.loc["Qwen2.5-7B-Instruct"]
    lattice = np.arange(RATINGS, 5 * RATINGS + 1) / RATINGS
    how = f"the mean of {RATINGS} whole ratings that is nearest to Table 12's; that there were"
    how += f" {RATINGS} (say, 20 stories and 4 experts) we infer: no smaller number gives all means"
    how += " of Table 4"
    paper.check("Table 4", nearest(sds.mid[DIMENSIONS], lattice), how)
    change = (100 * (exact - base) / base).drop(index=base.name).add_suffix(" (change)")
    paper.check("Table 4", change, "relative change of the printed means")
    overall, how = exact.mean(axis=1), "mean of the six means of Table 4"
    paper.check("Table 5", overall.to_frame("Average Score"), how)
    paper.check("Table 12", overall.to_frame("Overall"), how)
    ours = pd.DataFrame({"Average Score": {"Pair with Base": overall["EvolvR GRPO"]}})
    paper.check("Table 13", ours, f"{how}, row EvolvR GRPO")
    paper.check("Table 12", means.mid, SAME)
    sd = sds[[f"{name} (SD)" for name in DIMENSIONS]].mean(axis=1).to_frame("Overall (SD)")
    paper.check("Table 12", sd, "mean of the six printed SDs")
    possible = exact.add_suffix(" (SD)").astype(object)
    for (row, name), mean in possible.stack().items():
        sd = sds.at(row, name)
        possible.at[row, name] = variances(mean, (sd.low, sd.high))["population"]
    how = f"claim: {RATINGS} whole ratings with this mean can have this standard deviation, over n"
    paper.check("Table 12", exact.add_suffix(" (SD)") * np.nan, how, holds=possible)


def variances(mean, sd):
    """Return {population, sample}: can 80 whole numbers have this mean and SD (low, high)?

    The sum of squares must be whole, and as odd or even as the sum (GRIMMER).
    """
    total, found = round(mean * RATINGS), {}
    for name, divisor in (("population", RATINGS), ("sample", RATINGS - 1)):
        low, high = (divisor * s**2 + RATINGS * mean**2 for s in sd)
        squares = np.arange(np.floor(low), np.ceil(high) + 1)
        inside = (low - 1e-6 <= squares) & (squares <= high + 1e-6)
        found[name] = bool((inside & ((squares - total) % 2 == 0)).any())
    return found
