"""People as persons: each rater beside the others, for these raters and for new ones; how well they
agree, and how many of them a reliable mean needs."""

import numpy as np
import pandas as pd

from helpers.measures import agreement, compare, intervals, ratings, statistics, trial


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
    group = table["item"].map(data.items.set_index("item")["group"])
    group, found = pd.factorize(group)[0] % 200, {}
    cell = table["item"].map(data.items.set_index("item")[within]) if within else table["score"] * 0
    cell = pd.factorize(cell)[0]
    for aspect, rows in table.groupby("aspect", sort=False).indices.items():
        part, kin = table.iloc[rows], group[rows]
        given = (*(pd.factorize(part[name])[0] for name in ("item", "rater")), part["score"])
        given = [*(np.asarray(column) for column in given), cell[rows]]
        crowd = not agreement.know_severity(given[1], agreement.SOME)
        if crowd:  # what is one rater's severity, and what noise, cannot be told
            given[1] = given[1] * 0
        everyone = rate_pair(*given)
        kept = [kin != name for name in np.unique(kin)]
        left = [rate_pair(*(column[rows] for column in given)) for rows in kept]
        for k, kind in enumerate(("relative", "absolute")):
            if crowd and kind == "relative":
                continue
            alike = intervals.combine(everyone[k], [np.array(left)[:, k]], scale="correlation")
            found[aspect, kind] = {**alike, "raters for 0.8": count_needed(alike)["estimate"]}
    return pd.DataFrame(found).T.rename_axis(["aspect", "decision"])


def lay_out_agreement(data, linked=True):
    """Return the table of `find_agreement` for readers: beside it, where several items have one
    writer, the same within writers; no interval from fewer than five groups.

    linked: whether raters share items, directly or through others (`agreement.estimate_severity`);
    if not, there is no absolute row, since a severe panel cannot be told from poor items.
    """
    groups = data.items["group"].nunique()
    found = intervals.drop_ends(find_agreement(data), groups).drop(columns="n")
    needed = "raters for 0.8"
    if "writer" in data.items and data.items["writer"].nunique() < len(data.items) / 2:
        inside = intervals.drop_ends(find_agreement(data, "writer"), groups).drop(columns="n")
        name = "within writers"
        ends = {"estimate": name, "low": f"{name} low", "high": f"{name} high"}
        found = found.join(inside.rename(columns=ends | {needed: f"{needed}, within writers"}))
    for name in [name for name in found if name.startswith(needed)]:
        found[name] = found[name].map(tell_needed)
    if not linked:
        found = found[found.index.get_level_values("decision") == "relative"]
    alone = found.index.get_level_values("aspect").unique().tolist() == [""]
    return found.droplevel("aspect") if alone else found


def tell_needed(many):
    """Return a number of raters as text; above a thousand it says nothing more."""
    if np.isnan(many):
        return ""
    return "no number" if np.isinf(many) else "over 1,000" if many > 1000 else f"{many:,.0f}"


def rate_each(data, measure, *, within=(), over=("group",), level=0.95):
    """Return a row per rater with ten items or more (estimate, low, high, n: groups; items): how
    far this rater follows the others on the same items.

    data: `Ratings`; measure, within, over: as `compare.compare` takes them.
    """
    cases = compare.leave_ties_out(ratings.find_cases(data), measure)
    items = cases.groupby("rater")["item"].nunique()
    rows = {}
    for rater in items.index[items >= trial.ALONE]:
        own = cases[cases["rater"] == rater].reset_index(drop=True)
        alone = trial.Trial(own, measure, within, over, level)
        person = alone.apply(own["person"].to_numpy(float))
        rows[rater] = {**alone.rate(person), "items": items[rater]}
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("rater")
    return table.reindex(columns=[*compare.ENDS, "items"])


def for_new_raters(data, scores, measure, *, within=(), level=0.95):
    """Return the rows of `compare.compare` whose intervals speak of new raters too, not only of new
    items: over groups and raters at once. No interval where fewer than five raters rated.

    data, scores, measure, within: as `compare.compare` takes them.
    """
    how = {"within": within, "over": ("group", "rater"), "level": level, "simulate": False}
    return compare.compare(data, scores, measure, **how)


def count(data, scores):
    """Return how many items, raters, aspects, ratings, groups and judges there are, and how many
    of the items all judges scored."""
    size = ratings.list_scores(data)[["item", "rater", "aspect"]].nunique().add_suffix("s")
    size["ratings"], size["groups"] = len(data.ratings), data.items["group"].nunique()
    size["judges"] = scores["judge"].nunique()
    if len(scores):
        by_item = scores.dropna(subset=["score"]).groupby("item")["judge"].nunique()
        size["items that every judge scored"] = (by_item == size["judges"]).sum()
    return size.rename("number").rename_axis("what there is")


def count_needed(row, wanted=0.8):
    """Return how many raters have a mean of reliability `wanted` (estimate, low, high, n) from a
    row of the reliability of one, by Spearman-Brown; infinitely many where one has none."""
    r = row[["estimate", "high", "low"]].clip(lower=1e-12)
    many = np.ceil((wanted / (1 - wanted) * (1 - r) / r).round(9)).clip(lower=1)
    return intervals.row(*many.mask(r <= 1e-12, np.inf), row["n"])


def rate_pair(item, rater, score, cell):
    """Return (relative, absolute): the share of the variance of one rating that is the item's, with
    the raters' severity left out and counted as error, among items of one cell (such as a writer);
    nan where no two items share a cell and where nothing varies. item, rater, cell: whole numbers
    from 0."""
    freely = len(np.unique(item)) - len(np.unique(cell))
    if freely < 1 or np.ptp(score) == 0:
        return np.nan, np.nan
    severity, freedom = agreement.fit_severity(item, rater, score)
    free = score - severity
    count = np.bincount(item)
    rated = count > 0
    means = np.bincount(item, free) / np.maximum(count, 1)  # of each item
    error = ((free - means[item]) ** 2).sum() / max(freedom, 1)
    cell_of_item = np.zeros(len(count), int)
    cell_of_item[item] = cell
    apart = statistics.centre(means[rated], cell_of_item[rated])
    noise_of_means = error * (1 / count[rated]).mean()
    items = (apart**2).sum() / freely - noise_of_means  # may be below 0 by chance
    noise_of_severity = error * (len(score) - rated.sum() - freedom) / len(score)
    shares = np.bincount(rater) / len(rater)
    between = 1 - (shares**2).sum()
    raters = max((severity.var() - noise_of_severity) / between, 0) if between > 0 else 0.0
    if items + error <= 0:
        return np.nan, np.nan
    return items / (items + error), items / (items + error + raters)
