"""The alternative annotator test: may a judge replace a rater? And would a constant?"""

import numpy as np
import pandas as pd
from scipy import stats

from helpers.measures import controls, intervals, ratings

EPSILONS = (0.2, 0.15, 0.1)  # what a judge's lower cost is worth: beside experts, trained, crowd
LEAST = 30  # units of a rater who is tested


def replace_raters(data, scores, *, unit=("item",), level=0.05):
    """Return one row per judge and control: how often it is as near to the other raters as
    the one left out (estimate, low, high, n: raters), and the winning rate at three epsilons.

    data: `Ratings`; scores: item, judge, score and perhaps aspect, on the scale of the ratings.
    unit: what is one trial, ("item",) or ("item", "aspect"). Nearness is the root mean squared
    difference to the other raters, one by one (of Yes and No: the accuracy); as near counts for
    both. Each rater of thirty units or more is tested: does the judge win less often than the rater
    less epsilon? By Student's t over items, since the aspects of one item are no independent trials
    (the authors' own test counts each). The winning rate is the share of raters for whom this is
    rejected, by Benjamini and Yekutieli's rule; 0.5 is a pass (Calderon, Reichart & Dror 2025).
    Controls read nothing: the most usual score, and means of other groups.
    """
    cases = ratings.find_cases(data)
    given = [("judge", name, score) for name, score in ratings.match_scores(cases, scores).items()]
    means, usual = controls.make_controls(cases, None), cases["person"].mode()[0]
    yes_or_no = cases["person"].isin([0, 1]).all()
    for name in [name for name in controls.MEANS if name in means]:
        guess = means[name].round() if yes_or_no else means[name]
        given.append(("control", name, guess))
    given.append(("control", f"always {usual:g}", np.full(len(cases), usual)))
    rows = {
        name: {"kind": kind, **rate_one(cases, score, [*unit], level)}
        for kind, name, score in given
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("who")


def rate_one(cases, score, unit, level):
    """Return the advantage (estimate, low, high, n) and the winning rates of one scorer."""
    table = cases.assign(score=score).dropna(subset=["score"])
    there = table.groupby(["item", "aspect"])["person"]
    square, count = table["person"] ** 2, there.transform("size") - 1
    spread = square.groupby([table["item"], table["aspect"]]).transform("sum") - square
    for who in ("score", "person"):  # the mean squared difference to the other raters
        told = table[who]
        table[f"{who} away"] = told**2 - 2 * told * table["target"] + spread / count
    away = table.groupby(["rater", *unit])[["score away", "person away"]].mean().round(9)
    lost = np.sign(away["score away"] - away["person away"])  # 1: the rater is nearer
    tested = [part for _, part in lost.groupby("rater") if len(part) >= LEAST]
    if not tested:
        return intervals.row()
    found = intervals.of_mean([(part <= 0).mean() for part in tested])
    for epsilon in EPSILONS:
        chances = [reject(part, epsilon) for part in tested]  # each with a level `item`
        beaten = stats.false_discovery_control(chances, method="by") <= level
        found[f"wins at {epsilon:g}"] = beaten.mean()
    return found


def count_wins(found):
    """Return rows of `replace_raters` with the winning rates as text: "2 of 3"."""
    won = {
        name: [
            f"{rate * n:.0f} of {n:.0f}" if n else "" for rate, n in zip(found[name], found["n"])
        ]
        for name in found
        if name.startswith("wins")
    }
    return found.assign(**won)


def reject(lost, epsilon):
    """Return p of the t test that the mean of `lost` is epsilon or more; lost: one number per unit,
    with a level `item`. The error of the mean is that of the items' sums (Liang & Zeger 1986), the
    degrees of freedom their number less one; where an item is one unit it is the usual t test."""
    mean = lost.mean()
    apart = (lost - mean).groupby(level="item").sum()
    items = len(apart)
    if items < 2:
        return 1.0
    error = np.sqrt(items / (items - 1) * (apart**2).sum()) / len(lost)
    if error < 1e-12:
        return float(mean >= epsilon)
    return float(stats.t.cdf((mean - epsilon) / error, items - 1))
