"""What these data cannot bear: a warning for each thing that makes a comparison say less than it
seems to (benchmarks/passport.py).

Each `warn_of_...` returns a sentence or two, "" where there is nothing to warn of; `notes` lists
those that apply. Everywhere here data: `Ratings`; scores: a judge's, as `compare.compare` takes
them; found: what it returns.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy import stats

from helpers import results
from helpers.measures import (
    ceiling,
    intervals,
    orders,
    people,
    ratings,
    severity,
    statistics,
    trial,
)
from helpers.measures.compare import ENDS, PERSON
from helpers.sources.names import display_name

FEW = 7  # groups from which an interval needs no warning
MANY_RATERS = 40  # among whom nobody is looked for who copies
NEARLY_ALL = 0.95  # share of the ratings of one rater that a copy has
BY_CHANCE = 1e-4  # a judge's few differences from one rater are seldomer than this
JUDGE = "the judge's own scores"  # its column beside the raters' (no rater is called so)
MUCH_WORSE = 0.1  # than guessing, from which on a best control is spoken of
ANSWERED = 0.9  # share of the items, below which a judge's items are not all items
RARE = 0.2  # share of Yes (or of No) below which verdicts of that kind are few
NEARLY_THE_SAME = 1.83  # Fisher's z of r = .95
MOST_IN_CAMPS = 12  # raters, of whom camps are looked for
ALMOST_ONE = 0.2  # the interval of a judge's lead over the control, as a share of the judge's own


class Camps(NamedTuple):
    """Raters in two camps. names: two lists of raters; within, across: the mean r of two raters of
    one camp, and of two camps (back from the mean of Fisher's z)."""

    names: tuple
    within: float
    across: float


def warn_of_few_groups(data):
    """Return that an interval rests on few groups, or on groups that count as few; else ""."""
    groups = data.items["group"].nunique()
    even = count_even_groups(data)
    if groups < trial.ENOUGH or even >= FEW:
        return ""
    few = f"{groups} groups are few"
    if groups >= FEW:
        few = f"{groups} groups of so different size count as about {even:.0f}"
    return (
        f"**{few}.** An interval from so few rests on the assumption that groups differ "
        "evenly; one odd group would move it."
    )


def count_even_groups(data):
    """Return how many groups of one size would count as much as these (Kish's effective number of
    groups, the square of the sum of their items over the sum of squares)."""
    items = data.items["group"].value_counts()
    return float(items.sum() ** 2 / (items**2).sum())


def warn_of_pairs(data):
    """Return that the items seem to be pairs of which one wins, each in no group; else ""."""
    if not are_winners(data):
        return ""
    return (
        "**Are these winners of pairs?** Every row of Yes and No stands here as often as its exact "
        "opposite, as where one item of each pair wins. Then two items hold one fact, and all "
        "intervals are too narrow: name the pair in a column *group*, and run again."
    )


def are_winners(data):
    """Return whether each item is a group of its own, all raters rated all with Yes or No, and each
    row of their verdicts stands as often as its opposite."""
    alone = data.items["group"].nunique() == len(data.items)
    scores = ratings.list_scores(data)
    if not alone or len(data.items) < 2 * trial.ALONE or not ratings.say_yes_or_no(scores["score"]):
        return False
    wide = scores.pivot_table(index=["item", "aspect"], columns="rater", values="score")
    if wide.isna().any(axis=None):
        return False
    rows = wide.astype(int)  # an item (and aspect) each, a column per rater
    times = rows.value_counts().to_dict()
    opposite = (1 - rows).value_counts().to_dict()
    return times == opposite


def warn_of_unanswered(data, found, scores):
    """Return that the best judge left out many items, so that it is rated on others than a person;
    else ""."""
    judges = found.loc[found["kind"] == "judge", "estimate"].dropna()
    if scores is None or judges.empty:
        return ""
    best = judges.idxmax()
    rated = set(data.ratings.dropna(subset=["score"])["item"])
    of_best = scores[scores["judge"] == best].dropna(subset=["score"])
    answered = rated & set(of_best["item"])
    if len(answered) >= ANSWERED * len(rated):
        return ""
    return (
        f"**{display_name(best)} answered {len(answered)} of {len(rated)} items.** Its own value "
        "is of these, a person's of all: where a judge leaves out what is hard, it stands too high "
        "beside a person. The lead over a person is of the items that both have. The labels saved "
        "hold for such items alone."
    )


def count_rated_twice(data):
    """Return (how many items have two raters or more, how many have one or more)."""
    rated = data.ratings.dropna(subset=["score"]).groupby("item")["rater"].nunique()
    return int((rated > 1).sum()), len(rated)


def warn_of_few_items_rated_twice(data, found):
    """Return that the ceiling rests on less than half of the items, else ""."""
    twice, items = count_rated_twice(data)
    if found.attrs["why"] or twice >= items / 2:
        return ""
    return (
        f"**Only {twice} of {items} items have two raters.** The perfect judge is "
        "computed from them, and may stand too high or too low."
    )


def warn_of_weak_agreement(found):
    """Return that the ceiling is hardly known, as people only just agree; else ""."""
    person = found.loc[PERSON, ["estimate", "low"]] - found.attrs["guess"]
    is_only_just_clear = person["low"] < person["estimate"] / 6
    if found.attrs["why"] or not is_only_just_clear:
        return ""
    return (
        "**That people agree is only just clear.** So a perfect judge's value is hardly known: "
        "read its interval, not its dot."
    )


def warn_of_bad_control(found):
    """Return that the best control is worse than guessing, else ""."""
    guess = found.attrs["guess"]
    control = found.at[found.attrs["control"], "estimate"]
    is_worse = control < guess - MUCH_WORSE
    if not is_worse:
        return ""
    return (
        "**The best control does worse than guessing here.** It was chosen for each group on "
        "the others, and none of the controls follows people. Read a lead over it as no larger "
        f"than the lead over guessing ({guess:g})."
    )


def warn_of_repeated_control(found):
    """Return that a judge's scores are almost those of the best control, so that the interval of
    its lead is too narrow; else "".

    The interval of a lead is much narrower than the judge's own only where both rise and fall
    together from group to group: below a fifth, where they correlate at .98 or more. In
    benchmarks/passport.py such an interval can miss a lead of a few thousandths. The sentence says
    hundredths, to be on the safe side: a fifth of an interval of ±.10 is ±.02.
    """
    judges = found[found["kind"] == "judge"]
    _, low, high = trial.lead_names("control")
    width_of_lead = judges[high] - judges[low]
    own_width = judges["high"] - judges["low"]
    repeats = judges.index[width_of_lead < ALMOST_ONE * own_width]
    if repeats.empty:
        return ""
    names = " and ".join(display_name(name) for name in repeats)
    says = "says" if len(repeats) == 1 else "say"
    control = display_name(found.attrs["control"])
    return (
        f"**{names} {says} almost the same as the best control** ({control}), which reads nothing. "
        "The interval of the lead over it is too narrow to tell a lead of a few hundredths: read "
        "such a lead as none."
    )


def warn_of_rare_verdicts(data):
    """Return that people say Yes, or No, in few cases; else ""."""
    scores = data.ratings["score"]
    yes = scores.mean()
    share = min(yes, 1 - yes)
    is_rare = ratings.say_yes_or_no(scores) and share < RARE
    if not is_rare:
        return ""
    rare = "Yes" if yes < 0.5 else "No"
    return (
        f"**Only {share:.0%} of people's verdicts are {rare}.** Every number here rests on "
        "these few, and the intervals are somewhat too narrow."
    )


def warn_of_no_agreement(found):
    """Return that there is no ceiling, as it is not clear that people agree; else ""."""
    if found.attrs["why"] != ceiling.TOO_LITTLE:
        return ""
    return (
        "**These data do not show whether people agree.** Their ratings of one item are not "
        "clearly more alike than those of different items. So nobody knows how far a judge "
        "could get. Whether it is as good as one more rater has no meaning."
    )


def warn_of_unknown_severity(data, measure):
    """Return that the raters' severity is not taken off, as each rated few items; else ""."""
    twice, _ = count_rated_twice(data)
    matters = twice and measure in statistics.POOLED
    if not matters or severity.know_all_severity(data):
        return ""
    return (
        f"**Most raters rated fewer than {severity.ADJUST_FROM} items,** so how severe each is "
        "cannot be learnt: it is not taken off, and counts as noise. A person stands lower for it; "
        "a judge, who is one and the same for all items, does not."
    )


def warn_of_deciding_raters(data):
    """Return that more raters were asked where the first ones differ, else ""."""
    if not is_adjudicated(data):
        return ""
    return (
        "**More raters were asked just where the first ones differ.** Items that people find "
        "hard so have the most ratings, and a rater who decides between two sides must "
        "disagree with one of them. A person and a perfect judge stand somewhat too low, so a "
        "judge seems better beside them than it is. Leave the deciding ratings out if you can "
        "tell them."
    )


def is_adjudicated(data):
    """Return whether the items with more raters are just those on which raters differ most.

    Five items (and aspects) of each kind at least: those with the fewest raters, two or more, and
    those with more. Each of the second must have a wider range of scores than all of the first.
    """
    scores = ratings.list_scores(data).astype({"score": float})
    cases = scores.groupby(["item", "aspect"])["score"].agg(["count", "min", "max"])
    cases = cases[cases["count"] >= 2]
    spread = (cases["max"] - cases["min"]).round(9)
    is_usual = cases["count"] == cases["count"].min()
    if is_usual.sum() < 5 or (~is_usual).sum() < 5:
        return False
    return bool(spread[~is_usual].min() > spread[is_usual].max())


def warn_of_copy(pair):
    """Return that two agree so far that one may have copied; pair: of `find_copies`."""
    names = " and ".join(display_name(str(name)) for name in pair)
    return (
        f"**{names} agree far more than any others.** If one of them copied, or both were "
        "asked together, a person and a perfect judge stand too high here, and so does a judge "
        "who copied. Or the others hardly follow anybody: then a person stands too low, and a "
        "judge seems better beside one. See each rater's own row."
    )


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


def spread_raters(data):
    """Return the ratings with a row per item and aspect and a column per rater."""
    case = ["item", "aspect"]
    return ratings.list_scores(data).pivot_table(index=case, columns="rater", values="score")


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
    is_equal = (cases >= trial.ALONE) & (others > 0) & is_nearly_all & is_seldom
    return set(wide.columns[is_equal])


def find_closer(wide, pairs):
    """Return the pairs that agree much more than the other pairs (`find_copies`).

    wide: a column of scores per name, a row per item and aspect; pairs: of names.
    """
    z = {}
    error = {}  # of z
    for first, second in pairs:
        both = wide[[first, second]].dropna()
        can_correlate = len(both) >= trial.ALONE and (both.nunique() > 1).all()
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


def warn_of_camps(data):
    """Return that raters fall into two camps, so that a perfect judge stands too low; else ""."""
    camps = find_camps(data)
    if camps is None:
        return ""
    first, second = (", ".join(display_name(str(name)) for name in camp) for camp in camps.names)
    told = (
        f"**Raters fall into two camps**: {first}; and {second}. Within a camp two raters have "
        f"r = {camps.within:.2f}, across {camps.across:.2f}."
    )
    if camps.across < 0:
        return f"{told} Did one camp turn the scale, with 1 for the best?"
    return (
        f"{told} They want different things. A person stands between the two, and a perfect "
        "judge's value is too low: who knows both tastes can have more. A mean of all is nobody's "
        "wish: look at each camp by itself."
    )


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
        if len(both) < trial.ALONE or min(np.ptp(both.to_numpy(), axis=0)) < 1e-9:
            continue
        z[first, second] = z[second, first] = intervals.fisher(np.corrcoef(both.T)[0, 1])
        common.append(both.index.get_level_values("item").nunique())
    return z, float(np.median(common)) if common else 0.0


def warn_of_strays(data, found, measure):
    """Return that a rater follows nobody, or runs against the others, and what a person has without
    this rater; else "". measure: of `statistics`.

    A rater follows nobody clearly whose interval beside the others holds guessing and lies below
    what a person has without this rater, by half of it or more; one runs against the others whose
    interval lies below guessing. Three raters or more, those with ten items.
    """
    if data.ratings["rater"].nunique() < 3 or find_camps(data) is not None:
        return ""
    within = orders.choose_within(data)
    adjusted = severity.adjust_raters(data) if measure is statistics.pearson else data
    each = people.rate_each(adjusted, measure, within=within).dropna(subset=["low"])
    if len(each) < 3:
        return ""
    guess = found.attrs["guess"]
    strays = each[each["low"] <= guess]
    if strays.empty or len(strays) > len(each) / 3:
        return ""
    without = adjusted._replace(
        ratings=adjusted.ratings[~adjusted.ratings["rater"].isin(strays.index)]
    )
    person = people.rate_person(without, measure, within=within)
    half = guess + (person["estimate"] - guess) / 2
    is_stray = (strays["high"] < person["estimate"]) & (strays["estimate"] < half)
    if not is_stray.all() or not person["low"] > guess:
        return ""
    told = []
    turned = []
    for rater, row in strays.iterrows():
        name = display_name(str(rater))
        does = "follows nobody clearly"
        if row["high"] < guess:
            does = "runs against the others"
            turned.append(name)
        told.append(f"{name} {does} ({results.format_interval(row[ENDS])})")
    names = " and ".join(display_name(str(rater)) for rater in strays.index)
    sentence = (
        f"**{'; '.join(told)}.** Without {names} a person has "
        f"{results.format_interval(person)}, with everybody "
        f"{results.format_interval(found.loc[PERSON, ENDS])}."
    )
    if turned:
        return f"{sentence} Did {' and '.join(turned)} turn the scale, with 1 for the best?"
    return (
        f"{sentence} Whoever rates without reading makes a judge seem better beside a person: look "
        "at these ratings before you believe a verdict."
    )


def warn_of_one_order(data):
    """Return that each pair was shown in one order alone, where people lean to one place; else
    ""."""
    if not orders.are_pairs(data) or "position" not in data.items:
        return ""
    place = data.items.set_index("item")["position"]
    if not place.isin([1, 2]).all():
        return ""
    table = data.ratings.assign(place=data.ratings["item"].map(place))
    first = table[table["place"] == 1]
    group = first["item"].map(data.items.set_index("item")["group"])
    won = (first["score"] - 1).groupby(group).mean()  # 1 of the first, 0 of the second, 0.5 of ties
    row = intervals.of_mean(won)
    if not (row["low"] > 0.5 or row["high"] < 0.5):
        return ""
    where = "first" if row["estimate"] > 0.5 else "second"
    share = row[ENDS] if where == "first" else 1 - row[["estimate", "high", "low"]]
    share = intervals.row(*share.to_numpy(float)[:3], row["n"])
    return (
        f"**People prefer the text shown {where}** in {results.format_interval(share)} of their "
        "choices, and each pair was shown in one order only. Whether that is the place or the "
        "texts, these data cannot tell: let people (and the judge) see each pair in both orders."
    )


def warn_of_turned_scale(found, measure):
    """Return that all judges run against people, as where 1 is the best on one side; else ""."""
    judges = found[found["kind"] == "judge"]
    if judges.empty or measure not in statistics.CORRELATIONS or not (judges["high"] < 0).all():
        return ""
    return (
        "**The scores run against people's.** Is 1 the best on one side, and the worst on the "
        "other? Then turn one side round."
    )
