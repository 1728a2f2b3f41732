"""What people would say of items that nobody rated: a judge's scores, corrected by a few ratings.

A judge scored all items, people rated some of them, drawn at random. Three means can be told:

    people alone        the mean of the ratings: right, but from few items
    the judge alone     the mean of its scores: from all items, and wrong by its leniency
    both                the judge's mean, and what people say beyond the judge where they rated

The third is *prediction-powered inference* (`correct_means`). With y the ratings, f the judge's
scores and w a weight,

    both = mean of y (rated) + w x (mean of f (not rated) - mean of f (rated))

It is right whatever the judge is worth; w = 0 leaves the judge out. The best weight is used
(Angelopoulos, Duchi & Zrnic 2023, PPI++), which here counts groups, not items: items of one prompt
are no independent cases.

The means speak of items like these and of these raters.
"""

import numpy as np
import pandas as pd

from goodjudge.comparison.cases import limit_groups
from goodjudge.data import orders, ratings
from goodjudge.errors import DataError
from goodjudge.format import format_interval
from goodjudge.stats import intervals, metrics
from goodjudge.stats.intervals import ENOUGH

WAYS = PEOPLE, JUDGE, BOTH = "people alone", "the judge alone", "both"
SAVES = 0.05  # of the labels: a smaller share is called nothing


def list_items(data, scores, judge):
    """Return the items that a judge scored: item, group, what else is known of them, score (its
    mean over aspects and repeats) and rating (people's mean over raters and aspects, nan where
    nobody rated it).

    data: `Ratings` whose items are all that were scored; scores: item, judge, score and perhaps
    aspect, status (only "ok" counts). Raises DataError where items lack a row, or nobody rated any.
    """
    own = scores[scores["judge"] == judge]
    if "status" in own:
        own = own[own["status"] == "ok"]
    said = own.groupby("item")["score"].mean()
    rated = ratings.list_scores(data).groupby("item")["score"].mean()
    unknown = said.index.difference(data.items["item"])
    if len(unknown):
        raise DataError(
            f"{judge}: scored {unknown[0]!r}, which is no item; expected an item's row with its "
            "group for each item that was scored"
        )
    table = data.items.assign(
        score=data.items["item"].map(said).astype(float),
        rating=data.items["item"].map(rated).astype(float),
    )
    table = table.dropna(subset=["score"]).reset_index(drop=True)
    if table["rating"].isna().all():
        raise DataError(
            f"{judge}: nobody rated an item that it scored; expected some that people rated"
        )
    return table


def correct_means(table, by=None, level=0.95):
    """Return the mean of all items, or of each condition, told in three ways.

    table: of `list_items`, the rated items drawn at random (of each condition); by: a column, such
    as writer, None for all items together. Returns a row for each (condition, way): estimate, low,
    high, n (groups with a rated item; of the judge alone, all groups), weight (of the judge), and
    saved (the share of the labels that could have been spared for an interval as wide). Intervals
    by the jackknife over groups, none from fewer than five; those of shares end at 0 and 1.
    """
    conditions = {"all items": table}
    if by is not None:
        names = sorted(table[by].dropna().unique())
        conditions = {name: table[table[by] == name] for name in names}
    rows = {}
    for name, items in conditions.items():
        for way, row in rate_condition(items, level).items():
            rows[name, way] = row
    index_name = "items" if by is None else by
    means = pd.DataFrame(rows).T.rename_axis([index_name, "way"])
    if table["rating"].dropna().between(0, 1).all():  # shares
        means[["low", "high"]] = means[["low", "high"]].clip(0, 1)
    return means


def rate_condition(items, level):
    """Return {way: a row of `correct_means`} of the items of one condition."""
    condition = Condition(items)
    with_judge = condition.rate(condition.correct, level)
    alone = condition.rate(condition.average_people, level)
    judge = condition.rate(condition.average_judge, level, everywhere=True)
    weight = condition.find_weight(np.arange(len(items)))
    saved = find_saved(alone, with_judge)
    return {
        PEOPLE: pd.concat([alone, pd.Series({"weight": 0.0, "saved": 0.0})]),
        JUDGE: pd.concat([judge, pd.Series({"weight": np.nan, "saved": np.nan})]),
        BOTH: pd.concat([with_judge, pd.Series({"weight": weight, "saved": saved})]),
    }


def find_saved(alone, with_judge):
    """Return the share of the labels that an interval as wide as people's alone would not need;
    alone, with_judge: rows with low and high."""
    ratio = (with_judge["high"] - with_judge["low"]) / (alone["high"] - alone["low"])
    return max(1 - ratio**2, 0.0) if ratio == ratio else np.nan


class Condition:
    """The items of one condition, whose mean is told; items: of `list_items`."""

    def __init__(self, items):
        self.rating = items["rating"].to_numpy(float)
        self.score = items["score"].to_numpy(float)
        self.rated = ~np.isnan(self.rating)
        self.group = limit_groups(pd.factorize(items["group"], sort=True)[0])

    def average_people(self, rows):
        """Return the mean of the ratings over some rows, nan where there are none."""
        return average(self.rating[rows[self.rated[rows]]])

    def average_judge(self, rows):
        """Return the mean of the scores over some rows, nan where there are none."""
        return average(self.score[rows])

    def correct(self, rows):
        """Return the corrected mean over some rows, with the best weight for them."""
        weight = self.find_weight(rows)
        people = self.average_people(rows)
        if weight == 0:
            return people
        is_rated = self.rated[rows]
        gap = self.average_judge(rows[~is_rated]) - self.average_judge(rows[is_rated])
        return people + weight * gap

    def find_weight(self, rows):
        """Return the weight of the judge, 0 to 1, that makes the corrected mean vary least from one
        draw of groups to another.

        Each group has a share in the error of people's mean (a; in the code `off`) and in the gap
        between the judge's means over rated and over other items (b; `apart`). The weight is the
        slope of a on b: sum of a b / sum of b². Where every item is a group it tends to the
        weight of PPI++, cov(y, f) / ((1 + n / N) var(f)).
        """
        rated = rows[self.rated[rows]]
        unrated = rows[~self.rated[rows]]
        if not (len(rated) and len(unrated)):
            return 0.0  # nothing to correct, or nothing to correct it with
        off = self.part_of_groups(self.rating, rated)
        apart = self.part_of_groups(self.score, rated) - self.part_of_groups(self.score, unrated)
        spread = apart @ apart
        if spread <= 1e-12:
            return 0.0
        return float(np.clip(off @ apart / spread, 0, 1))

    def part_of_groups(self, values, rows):
        """Return for each group its part in how far the mean of values over some rows is off: the
        sum over its rows of (value - mean) / number of rows."""
        apart = (values[rows] - values[rows].mean()) / len(rows)
        return np.bincount(self.group[rows], apart, self.group.max() + 1)

    def rate(self, statistic, level, everywhere=False):
        """Return estimate, low, high, n of a mean by the jackknife over groups.

        statistic: a function of rows; everywhere: groups without a rated item count, too.
        """
        rows = np.arange(len(self.rated))
        counted = self.group if everywhere else self.group[self.rated]
        groups = len(np.unique(counted))
        estimate = statistic(rows)
        if groups < ENOUGH:
            return intervals.row(estimate, n=groups)
        without = intervals.leave_out(self.group, statistic)
        variance = (len(without) - 1) * np.var(without)
        return intervals.around(estimate, variance, groups, level)


def average(values):
    """Return the mean of some values, nan where there are none."""
    return values.mean() if len(values) else np.nan


def find_selection(table, by=None):
    """Return by how much the judge scores the rated items above the others: estimate, low, high, n
    (groups). An interval without 0 says that they were hardly drawn at random.

    table: of `list_items`; by: a column of conditions, within each of which they were drawn.
    """
    rated = table["rating"].notna().to_numpy()
    score = table["score"].to_numpy(float)
    if by is not None:
        score = metrics.centre(score, pd.factorize(table[by])[0])

    def differ(rows):
        here = rated[rows]
        if here.all() or not here.any():
            return np.nan
        return score[rows][here].mean() - score[rows][~here].mean()

    groups = limit_groups(pd.factorize(table["group"], sort=True)[0])
    return intervals.over_groups(groups, differ)


def tell_saving(rows, labels):
    """Return in a sentence what the judge saves: of `labels` rated items how many, or that it saves
    nothing.

    rows: {way: row}, of one condition of `correct_means`.
    """
    saved = rows.loc[BOTH, "saved"]
    show = format_interval
    both, alone = show(rows.loc[BOTH]), show(rows.loc[PEOPLE])
    told = f"With the judge {both}, from people alone {alone}"
    if np.isnan(saved):
        return f"{told}: fewer than {ENOUGH} groups with a rated item allow no interval."
    if saved < SAVES:
        return f"{told}: the judge saves nothing."
    more = round(labels * saved / (1 - saved))
    if more < 1:
        return f"{told}: the judge saves less than one rated item of {labels}."
    items = "rated item" if more == 1 else "rated items"
    return (
        f"{told}: without the judge an interval as narrow would take about {more} {items} more "
        f"than the {labels} there are."
    )


def find_obstacle(data, scores, judge):
    """Return why a judge's mean cannot be corrected, "" where it can.

    data: `Ratings`; scores: of a judge or more; judge: a name in them, None for none.
    """
    if judge is None:
        return "There is no judge whose scores differ, so this is not asked."
    if orders.are_orders(data):
        return "Pairs and ranks tell an order and no mean, so this is not asked."
    if ratings.say_yes_or_no(data.ratings["score"]) != ratings.say_yes_or_no(scores["score"]):
        return "Judge and people use different scales, so this is not asked."
    return ""


def join_unrated(data, scores, unrated):
    """Return (data, scores) to which the items that nobody rated are added.

    data: `Ratings`; scores: a judge's, of rated items; unrated: of `sheets.read_unrated`, None or
    empty for none. Raises DataError where the groups of rated items are known and those of the
    others are not.
    """
    if unrated is None or unrated.empty:
        return data, scores
    is_own_group = (data.items["group"] == data.items["item"]).all()
    if "group" not in unrated and not is_own_group:
        raise DataError(
            "the judge's file has items that nobody rated, and no column group; expected one, as "
            "in the file of ratings"
        )
    facts = [name for name in ("item", "group", "writer") if name in unrated]
    items = unrated[facts].drop_duplicates("item")
    if "group" not in items:
        items = items.assign(group=items["item"])
    everything = pd.concat([data.items, items], ignore_index=True)
    said = pd.concat([scores, unrated[["item", "judge", "score"]]], ignore_index=True)
    return data._replace(items=everything), said


def choose_conditions(table):
    """Return "writer" where the writer of every item is known and there are several, of each of
    whom people rated some items; else None. table: of `list_items`."""
    if "writer" not in table or table["writer"].isna().any() or table["writer"].nunique() < 2:
        return None
    rated_of_writer = table.groupby("writer")["rating"].count()
    return "writer" if (rated_of_writer > 0).all() else None


def tell_savings(means, table):
    """Return, in a list, a sentence on what the judge saves (`tell_saving`) for the mean of all
    items; means: of `correct_means`, table: as it took it."""
    about = tell_saving(means.loc["all items"], table["rating"].count())
    return [f"Mean score of all items: {about[:1].lower()}{about[1:]}"]


def tell_selection(table, by):
    """Return, in a list, a sentence where the judge scores the rated items otherwise than the
    others, so that they were hardly drawn at random. Arguments of `find_selection`."""
    selection = find_selection(table, by)
    if not (selection["low"] > 0 or selection["high"] < 0):
        return []
    apart = format_interval(selection)
    within = "" if by is None else f", compared within each {by}"
    return [
        "**The rated items are not like the others**: the judge scores them higher by "
        f"{apart}{within}. The correction supposes that they were drawn at random."
    ]


def count_saved(found, labelled, cases):
    """Return how many of `labelled` labels each scorer spares at best (kind, estimate, low, high,
    n).

    found: rows of `compare` for Pearson's r, within ("aspect",) where labels are drawn alike from
    every aspect, so that knowing the aspect saves nothing; cases: how many there are in all. With
    explained = r² (0 where r is below 0) and share = labelled / cases,

        saved = labelled * explained * (1 - share) / (1 - share * explained)

    With so many fewer labels the interval of prediction-powered inference with the best weight is
    as wide (Angelopoulos, Duchi & Zrnic 2023), the cases being all there are.
    """
    share = min(labelled / cases, 1)
    explained = found[["estimate", "low", "high"]].clip(lower=0) ** 2
    saved = labelled * explained * (1 - share) / (1 - share * explained)
    return pd.concat([found["kind"], saved, found["n"]], axis=1)
