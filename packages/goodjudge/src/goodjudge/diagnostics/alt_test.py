"""The alternative annotator test: may a judge replace a rater? And would a constant?"""

import numpy as np
import pandas as pd
from scipy import stats

from goodjudge.comparison import controls
from goodjudge.data import ratings
from goodjudge.stats import intervals

EPSILONS = (0.2, 0.15, 0.1)  # what a judge's lower cost is worth: beside experts, trained, crowd
LEAST = 30  # units of a rater who is tested


def replace_raters(data, scores, *, unit=("item",), level=0.05):
    """Return one row per judge and control: how often it is at least as near to the other raters as
    a rater who is left out (estimate, low, high, n: raters), the mean deficit, and the winning rate
    at three epsilons.

    data: `Ratings`; scores: item, judge, score and perhaps aspect, on the scale of the ratings;
    unit: what is one trial, ("item",) or ("item", "aspect"). Each rater of thirty units or more is
    left out in turn. Nearness is the root mean squared difference to the other raters, one by one
    (of Yes and No: the accuracy). Say that of four units of a rater

        the judge is nearer in 2, both are as near in 1, the rater is nearer in 1

    then the judge is at least as near in 3/4 of them. The deficit is the share in which the rater
    is nearer less the share in which the judge is: (1 - 2) / 4 = -0.25. Estimate and deficit are
    means over raters. The winning rate is the share of raters whom the judge beats, that is, whose
    deficit is clearly below epsilon (`beat_raters`); 0.5 is a pass (Calderon, Reichart & Dror
    2025). Controls read nothing: the most usual score, and means of other groups.
    """
    cases = ratings.find_cases(data)
    rows = {}
    for name, score in ratings.match_scores(cases, scores).items():
        rows[name] = {"kind": "judge", **rate_one(cases, score, [*unit], level)}
    for name, guess in make_unread(cases).items():
        rows[name] = {"kind": "control", **rate_one(cases, guess, [*unit], level)}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("who")


def make_unread(cases):
    """Return {name: one score per case} of controls on the scale of the ratings: means of other
    groups (of Yes and No, rounded) and the most usual score."""
    guesses = controls.make_controls(cases, None)
    means = {name: guesses[name] for name in controls.MEANS if name in guesses}
    if cases["person"].isin([0, 1]).all():
        means = {name: guess.round() for name, guess in means.items()}
    usual = cases["person"].mode()[0]
    return means | {f"always {usual:g}": np.full(len(cases), usual)}


def rate_one(cases, score, unit, level):
    """Return estimate, low, high, n, deficit and the winning rates of one scorer, as
    `replace_raters` has them."""
    tested = list_deficits(cases, score, unit)
    if not tested:
        return intervals.row()
    row = intervals.of_mean([(of_rater <= 0).mean() for of_rater in tested])
    row["deficit"] = np.mean([of_rater.mean() for of_rater in tested])
    for epsilon in EPSILONS:
        row[f"wins at {epsilon:g}"] = beat_raters(tested, epsilon, level).mean()
    return row


def list_deficits(cases, score, unit):
    """Return for each rater who is tested, of thirty units or more, a Series of 1 (the rater is
    nearer to the others than the score), 0 and -1, one for each unit; its levels are those of the
    unit.

    cases: of `ratings.find_cases`; score: one per case; unit: of `replace_raters`.
    """
    table = cases.assign(score=score).dropna(subset=["score"])
    table["score away"] = measure_distance(table, table["score"])
    table["person away"] = measure_distance(table, table["person"])
    away = table.groupby(["rater", *unit])[["score away", "person away"]].mean().round(9)
    deficit = np.sign(away["score away"] - away["person away"])
    by_rater = [of_rater.droplevel("rater") for _, of_rater in deficit.groupby("rater")]
    return [of_rater for of_rater in by_rater if len(of_rater) >= LEAST]


def beat_raters(deficits, epsilon, level=0.05):
    """Return for each rater whether the mean deficit is clearly below epsilon, by Benjamini and
    Yekutieli's rule; deficits: of `list_deficits`."""
    p_values = [find_p(of_rater, epsilon) for of_rater in deficits]
    return stats.false_discovery_control(p_values, method="by") <= level


def measure_distance(table, score):
    """Return the mean squared difference of each score to the other raters of its case.

    table: item, aspect, person, target (the others' mean), a row per rating; score: one for each.
    The mean of (score - other)² over the others is score² - 2 score × mean(other) + mean(other²).
    """
    squares = table["person"] ** 2
    of_case = squares.groupby([table["item"], table["aspect"]])
    others = of_case.transform("size") - 1
    mean_square = (of_case.transform("sum") - squares) / others
    mean_other = table["target"]
    return score**2 - 2 * score * mean_other + mean_square


def count_wins(table):
    """Return rows of `replace_raters` with the winning rates as text: "2 of 3"."""
    texts = {}
    for name in [name for name in table if name.startswith("wins")]:
        texts[name] = [
            f"{rate * n:.0f} of {n:.0f}" if n else "" for rate, n in zip(table[name], table["n"])
        ]
    return table.assign(**texts)


def find_p(deficit, epsilon):
    """Return p of the t test of the null hypothesis that the mean deficit is epsilon or more.

    deficit: 1, 0 or -1 for each unit; its first level is the item (of pairs and ranks the set). The
    aspects of one item are no independent trials (the authors' own test counts each). So the error
    of the mean is that of the items' sums (Liang & Zeger 1986), the degrees of freedom their number
    less one; where an item is one unit it is the usual t test.
    """
    mean = deficit.mean()
    item, _ = pd.factorize(deficit.index.get_level_values(0))
    sum_of_item = np.bincount(item, deficit.to_numpy() - mean)
    items = len(sum_of_item)
    if items < 2:
        return 1.0
    error = np.sqrt(items / (items - 1) * (sum_of_item**2).sum()) / len(deficit)
    if error < 1e-12:  # all units alike: the mean itself says it
        return float(mean >= epsilon)
    return float(stats.t.cdf((mean - epsilon) / error, items - 1))
