"""Why a judge may know the very ratings that it is held against.

Scores that were made from the ratings, or by a model that has read them, look like those of a good
judge, and say nothing of new items. Four signs, each of which honest judges show seldom:

    a copy of one rater         `limits.find_copied`
    a copy of two               it follows the mean of two raters further than anybody could who
                                does not know what is their own
    above the ceiling           `verdicts.is_above_ceiling`
    a heap at the mean          it gives the items' own mean, rounded, far more often than its other
                                distances from the mean, and than the raters, let expect

What a judge has memorised in part and read in part may show none of them.
"""

from fractions import Fraction
from itertools import combinations
from math import gcd

import numpy as np
from scipy import stats

from helpers import results
from helpers.measures import intervals, limits, notes, orders, ratings, trial, verdicts
from helpers.measures.compare import CEILING, ENDS
from helpers.sources.names import display_name

ERRORS = 4  # standard errors, from which on nobody is suspected by chance
ERRORS_OF_HEAP = 3  # the same of one number, where no pair is picked out of many
LEAST = 0.3  # on Fisher's z, beyond what two raters share
FEW = 20  # items, below which no heap is looked for
MOST_RATERS = 12  # whose pairs are looked at


def suspect(data, scores, found, judge):
    """Return why a judge may know these ratings, "" where nothing says so.

    data: `Ratings` as in the file; scores: item, judge, score and perhaps aspect; found: of
    `compare.compare`; judge: a name in it.
    """
    copied = limits.find_copied(data, scores, judge)
    if not copied and not verdicts.is_above_ceiling(found, judge):
        copied = find_copied_pair(data, scores, judge)
    if copied:
        names = " and ".join(display_name(str(name)) for name in copied)
        return (
            f"it agrees with {names} as a copy would, so that it may know these ratings, and "
            "nothing new is known of it"
        )
    if verdicts.is_above_ceiling(found, judge):
        return (
            f"it has {results.format_interval(found.loc[judge, ENDS])}, clearly more than a "
            "perfect judge is estimated to have "
            f"({results.format_interval(found.loc[CEILING, ENDS])}): either that estimate is too "
            "low, or it knows these ratings"
        )
    heap = find_heap(data, scores, judge)
    if heap is None:
        return ""
    hits, expected, of_raters = heap
    return (
        f"it gives the mean of an item's ratings, rounded, in {hits:.0%} of the items, where its "
        f"other distances let expect {expected:.0%} (a rater gives that of the others in "
        f"{of_raters:.0%}), so that it may know some of these ratings"
    )


def find_copied_pair(data, scores, judge):
    """Return the two raters whose mean a judge follows further than it could without knowing what
    is their own, () where there are none; of several pairs the one that it follows furthest.

    What a rater says is in part his or her own. The rest, the share s, others say too: the largest
    r with another rater is taken for it. Of two raters who correlate at r and have the shares s and
    t, the mean has variance in proportion to 2 + 2 r, of which s + t + 2 r is not their own. So
    nobody who does not know their own part follows it beyond the root of (s + t + 2 r) / (2 + 2 r):
    .82 where all three are .5. Beyond it by 4 standard errors on Fisher's z, and by 0.3, is
    suspicious.
    """
    wide = limits.spread_raters(data)
    if orders.are_orders(data):  # of the two sides of a pair one says all
        first = data.items.drop_duplicates("set")["item"] if orders.are_pairs(data) else None
        wide = wide if first is None else wide[wide.index.isin(first, level="item")]
    if not 3 <= wide.shape[1] <= MOST_RATERS:
        return ()
    cases = wide.index.to_frame(index=False)
    own = ratings.match_scores(cases, scores[scores["judge"] == judge])[judge]
    z, _ = limits.correlate_raters(wide)
    share = dict(zip(wide, np.tanh(np.nanmax(np.where(np.isnan(z), -np.inf, z), axis=1))))
    beyond = {}
    for first, second in combinations(list(wide), 2):
        pair = wide[[first, second]].to_numpy(float)
        known = ~np.isnan(pair).any(axis=1) & ~np.isnan(own)
        if known.sum() < 2 * trial.ALONE or min(np.ptp(pair[known], axis=0)) == 0:
            continue
        if np.ptp(own[known]) == 0:
            continue
        r = max(np.corrcoef(pair[known].T)[0, 1], 0.0)
        shares = sum(max(share[name], r) for name in (first, second))
        most = intervals.fisher(np.sqrt((shares + 2 * r) / (2 + 2 * r)))
        has = intervals.fisher(np.corrcoef(pair[known].mean(axis=1), own[known])[0, 1])
        items = cases.loc[known, "item"].nunique()
        if has - most > max(LEAST, ERRORS / np.sqrt(max(items - 3, 1))):
            beyond[first, second] = has - most
    return max(beyond, key=beyond.get) if beyond else ()


def find_heap(data, scores, judge):
    """Return (hits, expected, of the raters) where a judge gives the items' own mean far too often,
    else None: how often it gives the mean of an item's ratings, rounded as its own scores are; how
    often it would by its other distances from the mean; and how often a rater gives the mean of
    the others.

    Distances of an honest judge make one heap, about as a normal curve does, whose width is taken
    from its outer parts (the 10 % at either end). One who knows the mean of some items makes a
    second one, at 0. A scale that all use at one end makes such a heap as well, for the raters too:
    so the judge must exceed the curve by more than the raters do, by three standard errors. Not
    of Yes and No, of pairs and ranks, nor on another scale than people's.
    """
    if orders.are_orders(data) or ratings.say_yes_or_no(data.ratings["score"]):
        return None
    own = scores[scores["judge"] == judge]
    if notes.is_other_scale(data, own):
        return None
    wide = limits.spread_raters(data)
    cases = wide.index.to_frame(index=False)
    given = ratings.match_scores(cases, own)[judge]
    people = wide.to_numpy(float)
    several = (~np.isnan(people)).sum(axis=1) > 1
    if several.sum() < FEW:
        return None
    totals = np.nansum(people, axis=1)
    counts = (~np.isnan(people)).sum(axis=1)
    step = find_step(people[~np.isnan(people)])
    means = totals / np.maximum(counts, 1)
    heap = measure_heap(given[several], means[several], counts[several], step)
    if heap is None:
        return None
    hits, expected = heap
    of_raters = []
    for column in people.T:
        rated = several & ~np.isnan(column)
        others = (totals - np.nan_to_num(column))[rated] / (counts[rated] - 1)
        of_rater = measure_heap(column[rated], others, counts[rated] - 1, step)
        if of_rater is not None:
            of_raters.append(of_rater)
    if not of_raters:
        return None
    usual, curve = np.mean(of_raters, axis=0)
    items = cases.loc[several & ~np.isnan(given), "item"].nunique()
    error = np.sqrt(max(expected * (1 - expected), 1 / items) / items)
    if hits - expected - max(usual - curve, 0) <= ERRORS_OF_HEAP * error:
        return None
    return hits, expected, float(usual)


def measure_heap(given, mean, counts, step):
    """Return (how often scores are the mean, rounded as they are, and how often they would be by a
    normal curve with the width of their outer distances); None of few or where nothing varies.

    given, mean, counts: the score, the mean of people's ratings and how many these are, one per
    case; step: in which people rate. Distances of whole scores from means of four whole ratings are
    0, .25, .5 and so on: five of these, and not four, are .5 or less, so the curve is taken over
    five quarters.
    """
    known = ~np.isnan(given) & ~np.isnan(mean)
    given, mean, counts = given[known], mean[known], counts[known]
    if len(given) < FEW or np.ptp(given) == 0:
        return None
    own_step = find_step(given)
    half = own_step / 2
    away = given - mean
    low, high = np.quantile(away, [0.1, 0.9])
    width = (high - low) / (2 * stats.norm.ppf(0.9))
    if width < 1e-9:
        return None
    middle = (low + high) / 2
    expected = 0.0
    for count in np.unique(counts):
        apart = find_common_step(own_step, step / count)  # between two possible distances
        reach = (np.floor(half / apart + 1e-6) + 0.5) * apart
        ends = stats.norm.cdf([(-reach - middle) / width, (reach - middle) / width])
        expected += (counts == count).mean() * (ends[1] - ends[0])
    return float((np.abs(away) <= half + 1e-9).mean()), float(expected)


def find_common_step(first, second):
    """Return the largest number of which two steps are multiples: of 1 and 0.25 it is 0.25."""
    first, second = (Fraction(step).limit_denominator(10_000) for step in (first, second))
    below = first.denominator * second.denominator
    above = gcd(first.numerator * second.denominator, second.numerator * first.denominator)
    return above / below


def find_step(scores):
    """Return the step in which scores are given: 1, 0.5, 0.25, 0.1, 0.05 or 0.01, the largest of
    which all are multiples; else 0.01."""
    for step in (1, 0.5, 0.25, 0.1, 0.05):
        steps = scores / step
        if np.abs(steps - steps.round()).max() < 1e-6:
            return step
    return 0.01
