"""*EvolvR*, Tables 4, 5 and 12: the human evaluation, means and SDs of whole ratings."""

import numpy as np
import pandas as pd

from helpers.audit.attainable import nearest
from helpers.audit.checks import SAME
from helpers.evolvr.load import ASPECTS
from helpers.papers.evolvr.leads import OURS_GRPO

DIMENSIONS = list(ASPECTS)
SDS = [f"{name} (SD)" for name in DIMENSIONS]
RATINGS = 80  # the smallest n whose multiples 1/n give all of Table 4
SCALE = 1, 5
BASE = "Qwen2.5-7B-Instruct"
OVERALL = "mean of the six means of Table 4"


def check(paper):
    """Check Tables 4, 5 and 12: means of 80 whole ratings, their changes, overall means and SDs."""
    means = paper.grid("Table 4")[DIMENSIONS]
    check_means(paper, means)
    check_overall(paper, means.mean(axis=1))
    paper.check("Table 12", means, SAME)
    overall_sd = paper.table("Table 12")[SDS].mean(axis=1)
    paper.check("Table 12", overall_sd.to_frame("Overall (SD)"), "mean of the six printed SDs")
    check_sds(paper, means)


def check_means(paper, means):
    """Check the means of Table 4 and their changes; means: rows x DIMENSIONS."""
    smallest, largest = SCALE
    possible = np.arange(smallest * RATINGS, largest * RATINGS + 1) / RATINGS
    closest = nearest(paper.grid("Table 12")[DIMENSIONS], possible)
    how = f"the mean of {RATINGS} whole ratings that is nearest to Table 12's; that there were"
    how += f" {RATINGS} (say, 20 stories and 4 experts) we infer: no smaller number gives all means"
    how += " of Table 4"
    paper.check("Table 4", closest, how)
    base = means.loc[BASE]
    change = (100 * (means - base) / base).drop(index=BASE)
    how = "relative change of the printed means"
    paper.check("Table 4", change.add_suffix(" (change)"), how)


def check_overall(paper, overall):
    """Check the overall means of Tables 5, 12 and 13; overall: by row of Table 4, a Series."""
    paper.check("Table 5", overall.to_frame("Average Score"), OVERALL)
    paper.check("Table 12", overall.to_frame("Overall"), OVERALL)
    ours = pd.DataFrame({"Average Score": {"Pair with Base": overall[OURS_GRPO]}})
    paper.check("Table 13", ours, f"{OVERALL}, row {OURS_GRPO}")


def check_sds(paper, means):
    """Check whether whole ratings with these means can have the SDs of Table 12."""
    sds = paper.table("Table 12")[SDS]
    possible = means.add_suffix(" (SD)").astype(object)
    for row in means.index:
        for name in DIMENSIONS:
            column = f"{name} (SD)"
            sd = sds.at(row, column)
            possible.at[row, column] = can_have(means.at[row, name], sd.low, sd.high, RATINGS)
    what = f"{RATINGS} whole ratings with this mean can have this standard deviation, over n"
    paper.claim("Table 12", possible, what, bound=False)


def can_have(mean, low, high, divisor):
    """Return whether 80 whole numbers can have this mean and an SD from `low` to `high`.

    divisor: 80 for the SD of a population, 79 for that of a sample. The sum of squares must be
    whole, and as odd or even as the sum (GRIMMER).
    """
    total = round(mean * RATINGS)
    least = divisor * low**2 + RATINGS * mean**2
    most = divisor * high**2 + RATINGS * mean**2
    squares = np.arange(np.floor(least), np.ceil(most) + 1)
    is_inside = (least - 1e-6 <= squares) & (squares <= most + 1e-6)
    has_parity = (squares - total) % 2 == 0
    return bool((is_inside & has_parity).any())
