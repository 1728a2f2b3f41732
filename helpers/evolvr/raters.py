"""HANNA's raters by name: what severity does to agreement, and the ceiling that noise sets."""

from itertools import permutations
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.evolvr.agreement import pair_up, same_rater_differences
from helpers.evolvr.load import ASPECTS, RATERS, check_aspects, rating_array
from helpers.measures import intervals, ratings, severity, statistics

SIX = "mean of all six"
ONE = ["one story,\nas rated", "one story,\nseverity\nremoved"]
TWO = ["two stories,\nrated singly,\nseverity\nremoved", "two stories,\ncompared"]


def variances(data):
    """Return by aspect the variances of a single rating (stories, severity, rest) and those of a
    story's mean rating (mean as rated; mean, severity removed), in squared points.

    The model (generalizability theory) is additive. rest: the variance within stories once severity
    is away; severity: by how much it falls; stories: that of means without severity, less their
    share of the rest. data: HANNA's `Ratings`; DataError for other aspects.
    """
    check_aspects(data)
    table, freedom = severity.find_severity(data)
    table["free"] = table["score"] - table["severity"]
    by_story = table.groupby(["aspect", "item"], sort=False)[["score", "free"]]
    within = by_story.var().groupby("aspect", sort=False)
    of_means = by_story.mean().groupby("aspect", sort=False).var()
    squares = within["free"].sum() * (RATERS - 1)
    rest = squares * len(ASPECTS) / freedom  # freedom: of all aspects together
    return pd.DataFrame(
        {
            "stories": of_means["free"] - rest / RATERS,
            "severity": within["score"].mean() - rest,
            "rest": rest,
            "mean as rated": of_means["score"],
            "mean, severity removed": of_means["free"],
        }
    )


def ceilings(data):
    """Return the highest possible correlation with mean ratings (estimate, low, high, n prompts),
    as rated and severity removed. 95 % intervals (jackknife) speak of other prompts for these
    writers and raters."""
    prompts = data.items["group"]
    everything = find_ceiling(data)
    without_each = []
    for name in np.unique(prompts):
        without_each.append(find_ceiling(ratings.keep(data, prompts != name)))
    rows = {}
    for kind, estimate in everything.items():
        left_out = [ceiling[kind] for ceiling in without_each]
        rows[kind] = to_row([estimate, *left_out])
    return to_table(rows).rename_axis("ceiling")


def find_ceiling(data):
    """Return {as rated, severity removed: the highest possible correlation with mean ratings}: the
    square root of the share of the means' variance that belongs to stories and aspects."""
    variance = variances(data).mean()
    level_of_aspect = data.ratings.groupby("aspect")["score"].mean()
    of_aspects = level_of_aspect.var(ddof=0)
    true = variance["stories"] + of_aspects
    as_rated = variance["mean as rated"] + of_aspects
    severity_removed = variance["mean, severity removed"] + of_aspects
    return {
        "as rated": np.sqrt(true / as_rated),
        "severity removed": np.sqrt(true / severity_removed),
    }


def correlate(first, second, groups, blocks=None):
    """Return Pearson's r over all pairs of numbers (nan left out), then r without each group in
    turn.

    first, second: arrays with items as rows; groups: one per item; blocks: None, or what each pair
    belongs to (a rater, as a whole number from 0), for the mean r of the blocks, weighted by their
    pairs.
    """
    known = ~np.isnan(first + second)
    groups = np.reshape(groups, (-1, 1))
    groups = np.broadcast_to(groups, known.shape)[known]
    labels = np.zeros(len(groups), int)  # one for all: no mean is taken off first
    blocks = labels if blocks is None else blocks[known]
    pairs = first[known], second[known], labels
    values, counts = statistics.by_block(statistics.pearson, *pairs, blocks)
    without_each = statistics.leave_out(statistics.pearson, *pairs, groups, blocks)
    return np.append(statistics.average(values, counts), without_each)


def to_row(values, scale="correlation"):
    """Return estimate, low, high, n of what `correlate` returns; scale: None for a difference."""
    return intervals.combine(values[0], [np.asarray(values[1:])], scale=scale)


def to_table(rows):
    """Return {name: a row estimate, low, high, n} as a table with a whole n."""
    return pd.DataFrame(rows).T.astype({"n": int})


class View(NamedTuple):
    """What two raters said of the same case: a story, or two of a prompt.

    first, second: their numbers, aspects x cases x 6 (a story's three raters make six ordered
    pairs), nan where one is missing; prompts: one per case; rater: who said `first`, cases x 6.
    """

    first: np.ndarray
    second: np.ndarray
    prompts: np.ndarray
    rater: np.ndarray


def list_views(rated, free, who, prompts):
    """Return {name: `View`}: of one story, as rated and without severity (ONE); of two stories,
    either one rating from either rater or each rater's own difference (TWO).

    rated, free: ratings as given and without severity, aspects x stories x 3 (nan: left out); who:
    of `load.rating_array`; prompts: one per story.
    """
    p, q = np.transpose(list(permutations(range(RATERS), 2)))  # the six ordered pairs of raters
    a, b = pair_up(prompts)  # story a and story b of one prompt
    differences = same_rater_differences(rated, who, a, b)
    free_differences = same_rater_differences(free, who, a, b)
    # rated singly: raters p and q exchange what they gave story a, and keep story b
    exchanged = free[:, a][..., p] - free[:, a][..., q]
    single_p = free_differences[..., p] - exchanged
    single_q = free_differences[..., q] + exchanged
    as_rated, severity_removed = ONE
    singly, compared = TWO
    of_one = {"prompts": prompts, "rater": who[:, p]}
    of_two = {"prompts": prompts[a], "rater": who[a][:, p]}
    return {
        as_rated: View(rated[..., p], rated[..., q], **of_one),
        severity_removed: View(free[..., p], free[..., q], **of_one),
        singly: View(single_p, single_q, **of_two),
        compared: View(differences[..., p], differences[..., q], **of_two),
    }


def correlate_aspects(view, blocks=None):
    """Return what `correlate` does of a `View`, a row per aspect: aspects x (1 + prompts)."""
    sides = zip(view.first, view.second)
    return np.array([correlate(*two, view.prompts, blocks) for two in sides])


def about_pairs(data):
    """Return (between, change): how far two raters agree about one story and about two (estimate,
    low, high, n of Pearson's r by aspect and view, and the mean r), and what comparing adds.

    Views: of `list_views`. 95 % intervals (jackknife) speak of other prompts.
    """
    rated, who = rating_array(data)
    free, _ = rating_array(severity.remove_severity(data))
    views = list_views(rated, free, who, data.items["group"].to_numpy())
    r = {}
    for name, view in views.items():
        by_aspect = correlate_aspects(view)
        mean = by_aspect.mean(axis=0)
        r[name] = dict(zip([*ASPECTS, SIX], [*by_aspect, mean]))
    singly, compared = TWO
    between = {}
    change = {}
    for aspect in [*ASPECTS, SIX]:
        for view in views:
            between[aspect, view] = to_row(r[view][aspect])
        change[aspect] = to_row(r[compared][aspect] - r[singly][aspect], scale=None)
    return to_table(between), to_table(change).rename_axis("aspect")
