"""How well people agree, how many raters a reliable mean needs, and each rater beside the others.

`find_agreement` is a decision study of generalizability theory. A rating of one aspect is taken for
a sum of independent parts, and `rate_pair` estimates their variances:

    rating = item - rater's severity + error
    relative reliability = items / (items + error)              which item is better?
    absolute reliability = items / (items + error + severity)   what is an item worth?

With variances of items 1, severity 0.5 and error 2.5 one rating has a relative reliability of 0.29
and an absolute one of 0.25; `count_needed` says that means of 10 and of 12 raters have 0.8.

`rate_each` holds each rater against the others, and `for_new_raters` makes intervals that speak of
raters who were not asked. `count` says how much there is of everything.
"""

import numpy as np
import pandas as pd

from goodjudge.comparison import cases as trial
from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.stats import intervals, metrics, severity

DECISIONS = ["relative", "absolute"]
NEEDED = "raters for 0.8"
WITHIN = {  # what the columns are called within writers
    "estimate": "within writers",
    "low": "within writers low",
    "high": "within writers high",
    NEEDED: f"{NEEDED}, within writers",
}


def find_agreement(data, within=None):
    """Return a row per aspect and kind of decision: how alike two raters are (estimate, low, high,
    n: groups, 200 blocks of them at most), and how many have a mean of reliability 0.8.

    data: `Ratings`, several raters an item; within: a column of items, such as writer, whose
    differences shall not count: people may agree who writes better, and hardly about single texts.
    relative: which item is better, so that severity does not matter if all rate the same; absolute:
    what an item is worth, so that severity is error (the only row where most raters rated fewer
    than ten items, so that severity is not known). A decision study of generalizability theory with
    items x raters (Brennan 2001, chapters 1-2), aspect by aspect; intervals by the jackknife on
    Fisher's z.
    """
    table = ratings.list_scores(data)
    items = data.items.set_index("item")
    group, _ = pd.factorize(table["item"].map(items["group"]))
    block = group % trial.BLOCKS
    cell = np.zeros(len(table), int)
    if within:
        cell, _ = pd.factorize(table["item"].map(items[within]))
    rows = {}
    for aspect, places in table.groupby("aspect", sort=False).indices.items():
        decisions = study_aspect(table.iloc[places], cell[places], block[places])
        for kind, row in decisions.items():
            rows[aspect, kind] = row
    return pd.DataFrame(rows).T.rename_axis(["aspect", "decision"])


def study_aspect(table, cell, block):
    """Return {kind of decision: a row} of `rate_decisions` of one aspect, without the relative one
    where severity is not known.

    table: the aspect's ratings (item, rater, score); cell, block: of each rating, as
    `rate_decisions` takes them.
    """
    item, _ = pd.factorize(table["item"])
    rater, _ = pd.factorize(table["rater"])
    score = table["score"].to_numpy()
    if severity.know_severity(rater, severity.LEARN_FROM):
        return rate_decisions(item, rater, score, cell, block)
    one_rater = np.zeros(len(item), int)  # severity cannot be told from noise: it is error
    decisions = rate_decisions(item, one_rater, score, cell, block)
    return {"absolute": decisions["absolute"]}


def rate_decisions(item, rater, score, cell, block):
    """Return {kind of decision: estimate, low, high, n, and how many raters are needed} of the
    ratings of one aspect.

    item, rater, cell: as `rate_pair` takes them; block: of each rating, what is independent.
    """

    def rate(kept):
        return rate_pair(item[kept], rater[kept], score[kept], cell[kept])

    everything = np.full(len(score), True)
    reliability = rate(everything)  # relative, absolute
    without = np.array([rate(block != number) for number in np.unique(block)])  # blocks x 2
    rows = {}
    for column, kind in enumerate(DECISIONS):
        row = intervals.combine(reliability[column], [without[:, column]], scale="correlation")
        rows[kind] = {**row, NEEDED: count_needed(row)["estimate"]}
    return rows


def lay_out_agreement(data, linked=True):
    """Return the table of `find_agreement` for readers: beside it, where several items have one
    writer, the same within writers; no interval from fewer than five groups.

    linked: whether raters share items, directly or through others (`severity.estimate_severity`);
    if not, there is no absolute row, since a severe panel cannot be told from poor items.
    """
    table = tell_agreement(data)
    if "writer" in data.items and data.items["writer"].nunique() < len(data.items) / 2:
        inside = tell_agreement(data, "writer")
        table = table.join(inside.rename(columns=WITHIN))
    if not linked:
        is_relative = table.index.get_level_values("decision") == "relative"
        table = table[is_relative]
    aspects = table.index.get_level_values("aspect").unique().tolist()
    return table.droplevel("aspect") if aspects == [""] else table


def tell_agreement(data, within=None):
    """Return `find_agreement` without n, the numbers of raters as text, and without intervals where
    there are fewer than five groups."""
    groups = data.items["group"].nunique()
    table = intervals.drop_ends(find_agreement(data, within), groups).drop(columns="n")
    return table.assign(**{NEEDED: table[NEEDED].map(tell_needed)})


def tell_needed(raters):
    """Return a number of raters as text; above a thousand it says nothing more."""
    if np.isnan(raters):
        return ""
    if np.isinf(raters):
        return "no number"
    return "over 1,000" if raters > 1000 else f"{raters:,.0f}"


def rate_each(data, measure, *, within=(), over=("group",), level=0.95):
    """Return a row per rater with ten items or more (estimate, low, high, n: groups; items): how
    far this rater follows the others on the same items.

    data: `Ratings`; measure, within, over: as `compare.compare` takes them.
    """
    cases = compare.leave_ties_out(ratings.find_cases(data), measure)
    items = cases.groupby("rater")["item"].nunique()
    busy_raters = items.index[items >= trial.ALONE]
    rows = {}
    for rater in busy_raters:
        own_cases = cases[cases["rater"] == rater].reset_index(drop=True)
        alone = trial.Trial(own_cases, measure, within, over, level)
        person = alone.apply(own_cases["person"].to_numpy(float))
        rows[rater] = {**alone.rate(person), "items": items[rater]}
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("rater")
    return table.reindex(columns=[*compare.ENDS, "items"])


def rate_person(data, measure, within):
    """Return estimate, low, high, n of a person in the raters' mean, as `compare.compare` has it;
    data, measure, within: of `rate_each`."""
    cases = compare.leave_ties_out(ratings.find_cases(data), measure)
    whole = trial.Trial(cases.reset_index(drop=True), measure, within, ("group",), 0.95)
    return whole.rate(whole.apply(whole.cases["person"].to_numpy(float)))


def for_new_raters(data, scores, measure, *, within=(), level=0.95):
    """Return the rows of `compare.compare` whose intervals speak of new raters too, not only of new
    items: over groups and raters at once. No interval where fewer than five raters rated.

    data, scores, measure, within: as `compare.compare` takes them.
    """
    both = ("group", "rater")
    return compare.compare(
        data, scores, measure, within=within, over=both, level=level, simulate=False
    )


def count(data, scores):
    """Return how many items, raters, aspects, ratings, groups and judges there are, and how many
    of the items all judges scored (a Series of numbers by name)."""
    size = ratings.list_scores(data)[["item", "rater", "aspect"]].nunique().add_suffix("s")
    size["ratings"] = len(data.ratings)
    size["groups"] = data.items["group"].nunique()
    size["judges"] = scores["judge"].nunique()
    if len(scores):
        judges = scores.dropna(subset=["score"]).groupby("item")["judge"].nunique()  # of each item
        size["items that every judge scored"] = (judges == size["judges"]).sum()
    return size.rename("number").rename_axis("what there is")


def count_needed(row, wanted=0.8):
    """Return how many raters have a mean of reliability `wanted` (estimate, low, high, n) from a
    row of the reliability of one, by Spearman-Brown; infinitely many where one has none."""
    nothing = 1e-12
    r = row[["estimate", "high", "low"]].clip(lower=nothing)  # the more alike, the fewer
    raters = wanted / (1 - wanted) * (1 - r) / r
    whole = np.ceil(raters.round(9)).clip(lower=1)
    estimate, low, high = whole.mask(r <= nothing, np.inf)
    return intervals.row(estimate, low, high, row["n"])


def rate_pair(item, rater, score, cell):
    """Return (relative, absolute): the share of the variance of one rating that is the item's, with
    the raters' severity left out and counted as error.

    item, rater, cell: whole numbers from 0, one per rating; items are compared with those of their
    cell (such as a writer) only. nan where no two items share a cell and where nothing varies.
    """
    comparable = len(np.unique(item)) - len(np.unique(cell))
    if comparable < 1 or np.ptp(score) == 0:
        return np.nan, np.nan
    severities, freedom = severity.fit_severity(item, rater, score)
    free = score + severities
    from_item = metrics.centre(free, item)
    error = (from_item**2).sum() / max(freedom, 1)
    items = find_item_variance(free, item, cell, error)
    raters = find_rater_variance(severities, item, rater, error, freedom)
    if items + error <= 0:
        return np.nan, np.nan
    relative = items / (items + error)
    absolute = items / (items + error + raters)
    return relative, absolute


def find_item_variance(free, item, cell, error):
    """Return the variance of items within a cell, below 0 where chance would have it so: that of
    the items' means, less what their error adds.

    free: ratings without severity; item, cell: as `rate_pair` takes them; error: the variance of
    one rating about its item.
    """
    ratings_of_item = np.bincount(item)
    is_rated = ratings_of_item > 0
    counts = ratings_of_item[is_rated]
    means = np.bincount(item, free)[is_rated] / counts
    cell_of_item = np.zeros(len(ratings_of_item), int)
    cell_of_item[item] = cell
    from_cell = metrics.centre(means, cell_of_item[is_rated])
    freedom = len(means) - len(np.unique(cell))
    by_chance = error * (1 / counts).mean()
    return (from_cell**2).sum() / freedom - by_chance


def find_rater_variance(severities, item, rater, error, freedom):
    """Return the variance of raters' severity, 0 or more.

    severities: of each rating; item, rater: as `rate_pair` takes them; error: as for
    `find_item_variance`; freedom: the degrees that the fit of items and raters leaves. The fitted
    severities vary more than the true ones. Where all raters rate the same items, on average

        var(severities) = variance of raters * two_raters + error * fitted_effects / ratings

    which is solved for the variance of raters. Elsewhere error adds somewhat more than that.
    """
    share_of_rater = np.bincount(rater) / len(rater)
    two_raters = 1 - (share_of_rater**2).sum()  # the chance that two ratings have two raters
    if two_raters <= 0:
        return 0.0
    number_of_ratings = len(severities)
    fitted_effects = number_of_ratings - len(np.unique(item)) - freedom  # raters less circles
    by_chance = error * fitted_effects / number_of_ratings
    variance = (severities.var() - by_chance) / two_raters
    return max(variance, 0)
