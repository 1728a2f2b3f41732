"""Which measure fits people's ratings, and a judge whose scores are on another scale."""

import numpy as np
import pandas as pd

from goodjudge.data import orders, ratings
from goodjudge.stats import metrics


def choose_measure(data):
    """Return (measure, its name, the value of guessing) for ratings: for pairs and ranks pairwise
    accuracy, for Yes and No balanced accuracy, else Pearson's r."""
    if orders.are_orders(data):
        return metrics.pairwise_accuracy, "pairwise accuracy", 0.5
    if ratings.say_yes_or_no(data.ratings["score"]):
        return metrics.balanced_accuracy, "balanced accuracy", 0.5
    return metrics.pearson, "Pearson's r", 0


def is_other_scale(data, scores):
    """Return whether a judge's scores cannot be on the scale of the people's: one of them says Yes
    or No alone, the judge's reach beyond people's by more than half of their range, all lie below
    where 95 % of people's lie, or they differ by less than a tenth of what people's do."""
    people = data.ratings["score"].dropna()
    judge = scores["score"].dropna()
    if people.empty or judge.empty:
        return False
    if ratings.say_yes_or_no(people) or ratings.say_yes_or_no(judge):
        return ratings.say_yes_or_no(people) != ratings.say_yes_or_no(judge)
    span = np.ptp(people)
    reaches_beyond = judge.min() < people.min() - span / 2 or judge.max() > people.max() + span / 2
    is_narrow = 0 < np.ptp(judge) < span / 10
    is_below = judge.max() < people.quantile(0.05)
    return bool(reaches_beyond or is_narrow or is_below)


def gives_points(data, scores):
    """Return whether people say Yes and No alone, and a judge does not."""
    return ratings.say_yes_or_no(data.ratings["score"]) and is_other_scale(data, scores)


def cut_points(data, scores):
    """Return a judge's scores (judge, item, perhaps aspect, score) in which points are Yes and No
    (1 and 0): on each aspect the highest are Yes, as many as people say Yes, or as near to it as
    ties allow.

    data: `Ratings` of Yes and No; scores: the mean over repeats, orders and partners is cut.
    Against people who say Yes and No, points would have an advantage over one more person, who says
    Yes and No too. A judge that does so stays as it is.
    """
    if "status" in scores:
        scores = scores[scores["status"] == "ok"]
    scores = scores.assign(score=scores["score"].astype(float)).dropna(subset=["score"])
    by = []
    if "aspect" in data.ratings:
        by = ["aspect"]
        if "aspect" not in scores:  # a score stands for every aspect
            aspects = data.ratings[["aspect"]].drop_duplicates()
            scores = scores.merge(aspects, how="cross")
    means = scores.groupby(["judge", "item", *by], sort=False)["score"].mean().reset_index()
    parts = []
    for (judge, *aspect), part in means.groupby(["judge", *by], sort=False):
        own = scores.loc[scores["judge"] == judge, "score"]
        if not ratings.say_yes_or_no(own):
            people = data.ratings
            if by:
                people = people[people["aspect"] == aspect[0]]
            cutoff = find_cut(part["score"], people["score"].mean())
            part = part.assign(score=(part["score"] >= cutoff).astype(float))
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def find_cut(scores, share):
    """Return the cutoff from which on a score is a Yes, so that the share of Yes is as near as can
    be to `share`; where two are as near, the lower cutoff."""
    cutoffs = np.append(np.sort(scores.unique()), np.inf)
    shares = np.array([(scores >= cutoff).mean() for cutoff in cutoffs])
    distance = np.abs(shares - share).round(9)
    return cutoffs[np.argmin(distance)]
