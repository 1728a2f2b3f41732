"""The one shape of data: people rated items, one row per rating; and what scores are held to."""

from typing import NamedTuple

import numpy as np
import pandas as pd


class Ratings(NamedTuple):
    """What people said about items, and what is known of the items without reading.

    items: item, group (what is independent: a plot, a prompt, a subject) and, where known, writer,
    kind (of version, which no control is told) and any numbers that can be had unread, such as
    words; one row per item. ratings: item, rater, score (higher is better) and perhaps aspect (a
    test, a criterion). source: open, simulated or own.
    """

    items: pd.DataFrame
    ratings: pd.DataFrame
    source: str

    @property
    def report(self):
        """The `CleaningReport` of the file that they were read from, None where there is none."""
        return self.ratings.attrs.get("report")

    @property
    def raters(self) -> dict[str, str]:
        """{R1: the rater's name in the file, …}; it stands in no report and on no page."""
        return self.ratings.attrs.get("raters", {})


def keep(data, rows):
    """Return the data with the items for which `rows` (one True or False per item) is True, and
    their ratings."""
    items = data.items[np.asarray(rows, bool)].reset_index(drop=True)
    ratings = data.ratings[data.ratings["item"].isin(items["item"])]
    return data._replace(items=items, ratings=ratings.reset_index(drop=True))


def subtract_means(data, *by):
    """Return the data with the scores less the mean score of all that are alike in `by`: columns of
    ratings or items, such as rater, group, writer."""
    table = data.ratings.merge(data.items[["item", *set(by).intersection(data.items)]])
    level = table.groupby([*by])["score"].transform("mean")
    table = data.ratings.assign(score=(table["score"] - level).to_numpy())
    return data._replace(ratings=table)


def say_yes_or_no(scores):
    """Return whether all scores that are there are 1 (Yes) and 0 (No)."""
    return bool(scores.dropna().isin([0, 1]).all())


def keep_within_writers(data, scores):
    """Return the data and the scores (item, judge, score), each less the mean of a writer's items:
    what differs within one writer's."""
    scores = scores[scores["item"].isin(data.items["item"])]
    scores = scores.groupby(["judge", "item"], sort=False)["score"].mean().reset_index()
    scores = subtract_means(data._replace(ratings=scores), "judge", "writer").ratings
    data = subtract_means(data, "writer")
    return data._replace(items=data.items[["item", "group"]]), scores


def average_aspects(data):
    """Return the data with one score per item and rater: the mean over the aspects."""
    means = data.ratings.groupby(["item", "rater"], sort=False)["score"].mean().reset_index()
    return data._replace(ratings=means)


def take_majority(data):
    """Return the data with one rating per item and aspect: 1 where more than half of the raters'
    Yes and No (1 and 0) are Yes, else 0; for `target="all"`."""
    case = ["item", "aspect"] if "aspect" in data.ratings else ["item"]
    share = data.ratings.groupby(case, sort=False)["score"].mean()
    majority = share.gt(0.5).astype(float).where(share.notna()).reset_index()
    return data._replace(ratings=majority.assign(rater="the majority"))


def list_scores(data):
    """Return the ratings that have a score, counted anew; `aspect` is "" where they have none."""
    table = data.ratings.dropna(subset=["score"]).reset_index(drop=True)
    return table if "aspect" in table else table.assign(aspect="")


def find_cases(data, target="others"):
    """Return what scorers are held against: item, aspect, rater, person, target, raters (how many
    rated it), and what is known of the item.

    target="others": one row per rating; `person` is this rater's score, `target` the mean of all
    other raters of the item on the aspect (a single rating makes no row). target="all": one row per
    item and aspect, `target` the mean of all, and no person. Nine decimals are kept, so that what
    is equal but for a computer's rounding is a tie. `aspect` is "" where the ratings have none.
    """
    case = ["item", "aspect"]
    scores = list_scores(data).groupby([*case, "rater"])["score"].mean().astype(float)
    table = scores.rename("person").reset_index()
    of_case = table.groupby(case)["person"]
    if target == "all":
        means = of_case.agg(target="mean", raters="size").round(9).reset_index()
        table = means.assign(rater="", person=np.nan)
    else:
        raters = of_case.transform("size")
        others = (raters - 1).where(raters > 1)
        mean_of_others = (of_case.transform("sum") - table["person"]) / others
        table = table.assign(target=mean_of_others.round(9), raters=raters)
        table = table.dropna(subset=["target"])
    table["person"] = table["person"].round(9)  # only now: what is rounded twice is no tie
    return table.merge(data.items, on="item").reset_index(drop=True)


def choose_target(data):
    """Return "others" where at least half of the items have two raters or more, else "all", so that
    a few items rated twice do not take the place of all that were rated once."""
    raters = data.ratings.dropna(subset=["score"]).groupby("item")["rater"].nunique()
    return "others" if (raters > 1).mean() >= 0.5 else "all"


def match_scores(cases, scores):
    """Return {judge: one score per case, nan where it gave none}, in the order of `scores`.

    scores: item, judge, score and perhaps aspect, status (only "ok" counts), repeat, order, partner
    (their mean is taken). Without an aspect the score stands for every aspect of the item; where
    the cases have none, the mean over the aspects is taken.
    """
    if "status" in scores:
        scores = scores[scores["status"] == "ok"]
    scores = scores.assign(score=scores["score"].astype(float))
    has_aspects = "aspect" in scores and cases["aspect"].ne("").any()
    case = ["item", "aspect"] if has_aspects else ["item"]
    means = scores.groupby(["judge", *case])["score"].mean()
    wanted = pd.MultiIndex.from_frame(cases[case]) if has_aspects else cases["item"]
    matched = {}
    for judge in scores["judge"].unique():
        matched[judge] = means.xs(judge).reindex(wanted).to_numpy()
    return matched
