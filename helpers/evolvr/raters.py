"""HANNA's raters by name: what severity does to agreement, and the ceiling that noise sets."""

from itertools import permutations

import numpy as np
import pandas as pd

from helpers.evolvr.agreement import pair_up, same_rater_differences
from helpers.evolvr.load import ASPECTS, RATERS, check_aspects, rating_array
from helpers.measures import agreement, intervals, ratings, statistics

SIX = "mean of all six"
ONE = ["one story,\nas rated", "one story,\nseverity\nremoved"]
TWO = ["two stories,\nrated singly,\nseverity\nremoved", "two stories,\ncompared"]


def variances(data):
    """Return by aspect the variances of a single rating: stories, severity, rest; and of a story's
    mean rating. The model (generalizability theory) is additive.

    rest: what is left within stories once severity is away. severity: by how much the variance
    within stories falls. stories: of means without severity, less their share of the rest.
    """
    check_aspects(data)
    table, freedom = agreement.find_severity(data)
    table["free"] = table["score"] - table["severity"]
    given = table.groupby(["aspect", "item"], sort=False)[["score", "free"]]
    means, within = (x.groupby("aspect", sort=False) for x in (given.mean(), given.var()))
    rest = within["free"].sum() * (RATERS - 1) * len(ASPECTS) / freedom
    rated, clean = (means[name].var() for name in ("score", "free"))
    columns = {"stories": clean - rest / RATERS, "severity": within["score"].mean() - rest}
    columns |= {"rest": rest, "mean as rated": rated, "mean, severity removed": clean}
    return pd.DataFrame(columns)


def ceilings(data):
    """Return the highest possible correlation with mean ratings, as rated and severity removed: the
    square root of the share of the means' variance that belongs to stories and aspects. 95 %
    intervals (jackknife) speak of other prompts for these writers and raters."""

    def ceiling(part):
        found, levels = variances(part).mean(), part.ratings.groupby("aspect")["score"].mean()
        more, (rated, clean) = (
            levels.var(ddof=0),
            found[["mean as rated", "mean, severity removed"]],
        )
        return np.sqrt((found["stories"] + more) / (np.array([rated, clean]) + more))

    groups = data.items["group"]
    left = [ceiling(ratings.keep(data, groups != name)) for name in np.unique(groups)]
    whole = zip(["as rated", "severity removed"], np.transpose([ceiling(data), *left]))
    rows = {kind: to_row(values) for kind, values in whole}
    return pd.DataFrame(rows).T.astype({"n": int}).rename_axis("ceiling")


def correlate(one, other, groups, blocks=None):
    """Return Pearson's r over all pairs of numbers (nan left out), then r without each group in
    turn. one, other: arrays with items as rows; groups: one per item; blocks: None, or what each
    pair belongs to (a rater, as a whole number from 0), for the mean r of the blocks, weighted by
    their pairs."""
    known = ~np.isnan(one + other)
    groups = np.broadcast_to(np.reshape(groups, (-1, 1)), known.shape)[known]
    given = statistics.pearson, one[known], other[known], np.zeros(len(groups), int)
    blocks = np.zeros(len(groups), int) if blocks is None else blocks[known]
    whole = statistics.average(*statistics.by_block(*given, blocks))
    return np.r_[whole, statistics.leave_out(*given, groups, blocks)]


def to_row(values, scale="correlation"):
    """Return estimate, low, high, n of what `correlate` returns; scale: None for a difference."""
    return intervals.combine(values[0], [np.asarray(values[1:])], scale=scale)


def list_views(x, free, who, prompts):
    """Return {view: (one, other, prompts, first)}: what two raters said of one story and of two
    stories of a prompt, aspect by aspect; first: the rater who said `one`.

    x, free: ratings as given and without severity, aspects x stories x 3 (nan: left out); who: of
    `load.rating_array`; prompts: one per story. Views: ONE and TWO; of two stories either one
    rating from either rater, or each rater's own difference.
    """
    p, q = np.transpose([*permutations(range(RATERS), 2)])
    a, b = pair_up(prompts)
    rated, compared = (same_rater_differences(y, who, a, b) for y in (free, x))
    swapped = free[:, a][..., p] - free[:, a][..., q]  # the raters exchange their first story
    views = {view: (y[..., p], y[..., q], prompts, who[:, p]) for view, y in zip(ONE, (x, free))}
    single, pair = TWO
    first = prompts[a], who[a][:, p]
    views[single] = rated[..., p] - swapped, rated[..., q] + swapped, *first
    views[pair] = compared[..., p], compared[..., q], *first
    return views


def about_pairs(data):
    """Return (between, change): how far two raters agree about one story and about two (estimate,
    low, high, n of Pearson's r by aspect and view, and the mean r), and what comparing adds.

    Views: of `list_views`. 95 % intervals (jackknife) speak of other prompts.
    """
    (x, who), (free, _) = map(rating_array, (data, agreement.remove_severity(data)))
    views, (single, pair) = list_views(x, free, who, data.items["group"].to_numpy()), TWO
    r, names = {}, [*ASPECTS, SIX]
    for view, (one, other, at, _) in views.items():
        found = {name: correlate(one[k], other[k], at) for k, name in enumerate(ASPECTS)}
        r[view] = found | {SIX: np.mean(list(found.values()), axis=0)}
    between = {(name, view): to_row(r[view][name]) for name in names for view in views}
    change = {name: to_row(r[pair][name] - r[single][name], None) for name in names}
    between, change = (pd.DataFrame(rows).T.astype({"n": int}) for rows in (between, change))
    return between, change.rename_axis("aspect")
