"""People as persons: each rater beside the others, for these raters and for new ones; how well they
agree, and how many of them a reliable mean needs."""

import numpy as np
import pandas as pd

from helpers.measures import compare, intervals, ratings, severity, statistics, trial

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
    groups = pd.factorize(table["item"].map(items["group"]))[0]
    blocks = groups % trial.BLOCKS
    cells = np.zeros(len(table), int)
    if within:
        cells = pd.factorize(table["item"].map(items[within]))[0]
    rows = {}
    for aspect, places in table.groupby("aspect", sort=False).indices.items():
        part = table.iloc[places]
        item = pd.factorize(part["item"])[0]
        rater = pd.factorize(part["rater"])[0]
        knows_severity = severity.know_severity(rater, severity.LEARN_FROM)
        if not knows_severity:  # it cannot be told from noise
            rater = np.zeros(len(rater), int)
        sides = item, rater, part["score"].to_numpy(), cells[places]
        decisions = rate_decisions(*sides, blocks[places])
        if not knows_severity:
            del decisions["relative"]
        for kind, row in decisions.items():
            rows[aspect, kind] = row
    return pd.DataFrame(rows).T.rename_axis(["aspect", "decision"])


def rate_decisions(item, rater, score, cell, block):
    """Return {kind of decision: estimate, low, high, n, and how many raters are needed} of the
    ratings of one aspect.

    item, rater, cell: as `rate_pair` takes them; block: of each rating, what is independent.
    """

    def rate(kept):
        return rate_pair(item[kept], rater[kept], score[kept], cell[kept])

    everybody = rate(np.full(len(score), True))
    without = np.array([rate(block != name) for name in np.unique(block)])  # blocks x 2
    rows = {}
    for column, kind in enumerate(DECISIONS):
        row = intervals.combine(everybody[column], [without[:, column]], scale="correlation")
        rows[kind] = {**row, NEEDED: count_needed(row)["estimate"]}
    return rows


def lay_out_agreement(data, linked=True):
    """Return the table of `find_agreement` for readers: beside it, where several items have one
    writer, the same within writers; no interval from fewer than five groups.

    linked: whether raters share items, directly or through others (`severity.estimate_severity`);
    if not, there is no absolute row, since a severe panel cannot be told from poor items.
    """
    groups = data.items["group"].nunique()
    table = intervals.drop_ends(find_agreement(data), groups).drop(columns="n")
    table[NEEDED] = table[NEEDED].map(tell_needed)
    if "writer" in data.items and data.items["writer"].nunique() < len(data.items) / 2:
        inside = intervals.drop_ends(find_agreement(data, "writer"), groups).drop(columns="n")
        inside[NEEDED] = inside[NEEDED].map(tell_needed)
        table = table.join(inside.rename(columns=WITHIN))
    if not linked:
        table = table[table.index.get_level_values("decision") == "relative"]
    aspects = table.index.get_level_values("aspect").unique().tolist()
    return table.droplevel("aspect") if aspects == [""] else table


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
    r = row[["estimate", "high", "low"]].clip(lower=1e-12)  # the more alike, the fewer
    raters = wanted / (1 - wanted) * (1 - r) / r
    whole = np.ceil(raters.round(9)).clip(lower=1)
    return intervals.row(*whole.mask(r <= 1e-12, np.inf), row["n"])


def rate_pair(item, rater, score, cell):
    """Return (relative, absolute): the share of the variance of one rating that is the item's, with
    the raters' severity left out and counted as error, among items of one cell (such as a writer);
    nan where no two items share a cell and where nothing varies. item, rater, cell: whole numbers
    from 0, one per rating."""
    comparable = len(np.unique(item)) - len(np.unique(cell))
    if comparable < 1 or np.ptp(score) == 0:
        return np.nan, np.nan
    severities, freedom = severity.fit_severity(item, rater, score)
    free = score - severities
    error = (statistics.centre(free, item) ** 2).sum() / max(freedom, 1)
    items = find_item_variance(free, item, cell, error)
    raters = find_rater_variance(severities, item, rater, error, freedom)
    if items + error <= 0:
        return np.nan, np.nan
    return items / (items + error), items / (items + error + raters)


def find_item_variance(free, item, cell, error):
    """Return the variance of items within a cell, below 0 where chance would have it so.

    free: ratings without severity; item, cell: as `rate_pair` takes them; error: the variance of
    one rating about its item.
    """
    times = np.bincount(item)
    rated = times > 0
    means = np.bincount(item, free)[rated] / times[rated]
    cell_of_item = np.zeros(len(times), int)
    cell_of_item[item] = cell
    cells = cell_of_item[rated]
    apart = statistics.centre(means, cells)
    freedom = len(means) - len(np.unique(cell))
    noise = error * (1 / times[rated]).mean()
    return (apart**2).sum() / freedom - noise


def find_rater_variance(severity, item, rater, error, freedom):
    """Return the variance of raters' severity, 0 or more; severity: of each rating; freedom: the
    degrees that the fit of items and raters leaves."""
    shares = np.bincount(rater) / len(rater)
    between = 1 - (shares**2).sum()  # the chance that two ratings have two raters
    if between <= 0:
        return 0.0
    effects = len(severity) - len(np.unique(item)) - freedom
    noise = error * effects / len(severity)
    return max((severity.var() - noise) / between, 0)
