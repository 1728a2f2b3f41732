"""Raters and judges that agree too well: copies, camps, and judges that may know the ratings.

Scores that were made from the ratings, or by a model that has read them, look like those of a good
judge, and say nothing of new items. Signs, each of which honest judges show seldom:

    a copy of one rater    `find_copied`
    a copy of two          it follows the mean of two raters further than anybody could who does not
                           know what is their own (`find_copied_pair`)
    a heap at the mean     it gives the items' own mean, rounded, far more often than its other
                           distances from the mean, and than the raters, let expect (`find_heap`)

What a judge has memorised in part and read in part may show none of them. Everywhere here data:
`Ratings`; scores: a judge's, as `compare.compare` takes them.
"""

from fractions import Fraction
from itertools import combinations
from math import gcd
from typing import NamedTuple

import numpy as np
from scipy import stats

from goodjudge.comparison.cases import ALONE
from goodjudge.comparison.scales import is_other_scale
from goodjudge.data import orders, ratings
from goodjudge.stats import intervals

MANY_RATERS = 40  # among whom nobody is looked for who copies
NEARLY_ALL = 0.95  # share of the ratings of one rater that a copy has
BY_CHANCE = 1e-4  # a judge's few differences from one rater are seldomer than this
JUDGE = "the judge's own scores"  # its column beside the raters' (no rater is called so)
NEARLY_THE_SAME = 1.83  # Fisher's z of r = .95
MOST_IN_CAMPS = 12  # raters, of whom camps are looked for
ERRORS = 4  # standard errors, from which on nobody is suspected by chance
ERRORS_OF_HEAP = 3  # the same of one number, where no pair is picked out of many
LEAST = 0.3  # on Fisher's z, beyond what two raters share
FEW = 20  # items, below which no heap is looked for
MOST_RATERS = 12  # whose pairs are looked at


class Camps(NamedTuple):
    """Raters in two camps. names: two lists of raters; within, across: the mean r of two raters of
    one camp, and of two camps (back from the mean of Fisher's z)."""

    names: tuple
    within: float
    across: float


def spread_raters(data):
    """Return the ratings with a row per item and aspect and a column per rater."""
    case = ["item", "aspect"]
    return ratings.list_scores(data).pivot_table(index=case, columns="rater", values="score")


def find_copies(data, scores=None):
    """Return the pairs of names (raters, or a judge and a rater) that agree much more than others.

    Pearson's r of every two on their common ratings, ten at least, on Fisher's z; a rater's with a
    judge stands beside that judge's with the other raters, a pair of raters beside all other pairs.
    Much more: above the median of the others by 0.6 (as .8 is above .46) and by four standard
    errors, since some raters know more than others; and above the next best pair by 0.3 and two
    standard errors, since raters of one taste agree beside those of another, all of them (unless
    two are nearly the same, `NEARLY_THE_SAME`). Raters in two camps are told of as such
    (`find_camps`), and no pair of them.
    """
    wide = spread_raters(data)
    if wide.shape[1] > MANY_RATERS:
        return []
    copies = []
    if find_camps(data) is None:
        copies = find_closer(wide, combinations(list(wide), 2))
    if scores is not None and len(scores):
        copies += find_judges_copies(wide, scores)
    return copies


def find_judges_copies(wide, scores):
    """Return the pairs of a judge and a rater that agree much more than that judge and the other
    raters (`find_copies`); wide: of `spread_raters`."""
    copies = []
    cases = wide.index.to_frame(index=False)
    for judge, score in ratings.match_scores(cases, scores).items():
        beside = wide.assign(**{JUDGE: score})
        for _, rater in find_closer(beside, [(JUDGE, rater) for rater in wide]):
            copies.append((judge, rater))
    return copies


def find_copied(data, scores, judge):
    """Return the raters whom a judge seems to have copied (a list, in the order of their names).

    A copy agrees with one rater much more than with the others (`find_copies`, which asks for three
    raters and finds a copy on another scale, too), or says the same of nearly all items
    (`find_equal`, for which two raters do).
    """
    wide = spread_raters(data)
    own = scores[scores["judge"] == judge]
    copied = find_equal(wide, own, judge)
    if wide.shape[1] <= MANY_RATERS:
        copied |= {rater for _, rater in find_judges_copies(wide, own)}
    return sorted(copied, key=str)


def find_equal(wide, scores, judge):
    """Return the set of raters whose score a judge gives in nearly all cases, ten at least.

    Nearly all: in 95 % of the rater's items (and aspects) or more. Raters of Yes and No may all say
    nearly the same, so it must differ from this rater much less than from the others: if it
    differed as often from this one, so few differences would happen by chance in fewer than one
    study of 10,000, however many raters there are. wide: of `spread_raters`. With 60 items, say,

        differs from R1 in 1 of 60, from the others in 42 %    a copy of R1
        differs from R1 in 1 of 60, from the others in 5 %     they all say nearly the same
    """
    score = ratings.match_scores(wide.index.to_frame(index=False), scores)[judge]
    away = np.abs(wide.to_numpy(float) - score[:, None])
    is_known = np.isfinite(away)
    differs = is_known & (away > 1e-9)
    cases = is_known.sum(axis=0)  # of each rater
    differing = differs.sum(axis=0)
    # of the others in each rater's cases: how many ratings, and how many of them differ
    others = is_known.T @ is_known.sum(axis=1) - cases
    others_differing = is_known.T @ differs.sum(axis=1) - differing
    chance = stats.binom.cdf(differing, cases, others_differing / np.maximum(others, 1))
    is_nearly_all = differing <= (1 - NEARLY_ALL) * cases
    is_seldom = chance < BY_CHANCE / wide.shape[1]
    is_equal = (cases >= ALONE) & (others > 0) & is_nearly_all & is_seldom
    return set(wide.columns[is_equal])


def find_closer(wide, pairs):
    """Return the pairs that agree much more than the other pairs (`find_copies`).

    wide: a column of scores per name, a row per item and aspect; pairs: of names.
    """
    z = {}
    error = {}  # of z
    for first, second in pairs:
        both = wide[[first, second]].dropna()
        can_correlate = len(both) >= ALONE and (both.nunique() > 1).all()
        if can_correlate:
            z[first, second] = intervals.fisher(np.corrcoef(both.T)[0, 1])
            error[first, second] = 1 / np.sqrt(len(both) - 3)
    if len(z) < 3:
        return []
    closer = []
    for pair in z:
        rest = [z[name] for name in z if name != pair]
        lead = z[pair] - np.median(rest)
        over_next = z[pair] - max(rest)
        stands_out = over_next > max(0.3, 2 * error[pair]) or z[pair] > NEARLY_THE_SAME
        if lead > max(0.6, 4 * error[pair]) and stands_out:
            closer.append(pair)
    return closer


def find_camps(data):
    """Return the `Camps` into which four to twelve raters fall, None where they fall into none.

    Pearson's r of every two on ten common ratings or more, on Fisher's z. Of all ways of cutting
    the raters in two, two raters or more on each side, that with the largest difference between the
    mean z within sides and across. They are camps where it is 0.3 and five standard errors or more
    (the best of many cuts is often two by chance), and each rater is nearer to the own side, by two
    standard errors.
    """
    wide = spread_raters(data)
    raters = list(wide)
    if not 4 <= len(raters) <= MOST_IN_CAMPS:
        return None
    z, items = correlate_raters(wide)
    if np.isnan(z[~np.eye(len(raters), dtype=bool)]).any():
        return None
    if orders.are_pairs(data):  # of the two sides of a pair one says all
        items = items / 2
    error = 1 / np.sqrt(max(items - 3, 1))
    best, sides = 0.0, None
    for cut in range(1, 2 ** (len(raters) - 1)):
        side = (cut >> np.arange(len(raters))) % 2 == 1  # the last rater is never among them
        if min(side.sum(), (~side).sum()) < 2:
            continue
        alike = side[:, None] == side[None, :]
        np.fill_diagonal(alike, False)
        across = side[:, None] != side[None, :]
        lead = z[alike].mean() - z[across].mean()
        spread = error * np.sqrt(2 / alike.sum() + 2 / across.sum())
        own = np.where(alike, z, 0).sum(axis=1) / alike.sum(axis=1)
        other = np.where(across, z, 0).sum(axis=1) / across.sum(axis=1)
        is_clear = lead > max(0.3, 5 * spread) and (own - other > 2 * error).all()
        if is_clear and lead > best:
            best, sides = lead, side
            within, between = z[alike].mean(), z[across].mean()
    if sides is None:
        return None
    names = np.array(raters, object)
    return Camps(([*names[sides]], [*names[~sides]]), np.tanh(within), np.tanh(between))


def correlate_raters(wide):
    """Return (Fisher's z of every two raters within aspects, nan of fewer than ten common ratings
    or one that does not vary; the median number of items that two have in common); wide: of
    `spread_raters`."""
    centred = wide - wide.groupby(level="aspect").transform("mean")
    number = wide.shape[1]
    z = np.full((number, number), np.nan)
    common = []
    for first, second in combinations(range(number), 2):
        both = centred.iloc[:, [first, second]].dropna()
        if len(both) < ALONE or min(np.ptp(both.to_numpy(), axis=0)) < 1e-9:
            continue
        z[first, second] = z[second, first] = intervals.fisher(np.corrcoef(both.T)[0, 1])
        common.append(both.index.get_level_values("item").nunique())
    return z, float(np.median(common)) if common else 0.0


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
    wide = spread_raters(data)
    if orders.are_orders(data):  # of the two sides of a pair one says all
        first = data.items.drop_duplicates("set")["item"] if orders.are_pairs(data) else None
        wide = wide if first is None else wide[wide.index.isin(first, level="item")]
    if not 3 <= wide.shape[1] <= MOST_RATERS:
        return ()
    cases = wide.index.to_frame(index=False)
    own = ratings.match_scores(cases, scores[scores["judge"] == judge])[judge]
    z, _ = correlate_raters(wide)
    share = dict(zip(wide, np.tanh(np.nanmax(np.where(np.isnan(z), -np.inf, z), axis=1))))
    beyond = {}
    for first, second in combinations(list(wide), 2):
        pair = wide[[first, second]].to_numpy(float)
        known = ~np.isnan(pair).any(axis=1) & ~np.isnan(own)
        if known.sum() < 2 * ALONE or min(np.ptp(pair[known], axis=0)) == 0:
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
    if is_other_scale(data, own):
        return None
    wide = spread_raters(data)
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
