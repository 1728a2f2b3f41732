"""What these data cannot bear: a warning for each thing that makes a comparison say less than it
seems to (benchmarks/passport.py).

Each `warn_of_...` returns a sentence or two, "" where there is nothing to warn of; `notes` lists
those that apply. Everywhere here data: `Ratings`; scores: a judge's, as `compare.compare` takes
them; found: what it returns.
"""

from itertools import combinations

import numpy as np
from scipy import stats

from helpers.measures import ceiling, intervals, ratings, severity, statistics, trial
from helpers.measures.compare import PERSON
from helpers.sources.names import display_name

FEW = 7  # groups from which an interval needs no warning
MANY_RATERS = 40  # among whom nobody is looked for who copies
NEARLY_ALL = 0.95  # share of the ratings of one rater that a copy has
BY_CHANCE = 1e-4  # a judge's few differences from one rater are seldomer than this
JUDGE = "the judge's own scores"  # its column beside the raters' (no rater is called so)
MUCH_WORSE = 0.1  # than guessing, from which on a best control is spoken of
ANSWERED = 0.9  # share of the items, below which a judge's items are not all items
RARE = 0.2  # share of Yes (or of No) below which verdicts of that kind are few
ALMOST_ONE = 0.2  # the interval of a judge's lead over the control, as a share of the judge's own


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
    errors, since some raters know more than others.
    """
    wide = spread_raters(data)
    if wide.shape[1] > MANY_RATERS:
        return []
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
        if lead > max(0.6, 4 * error[pair]):
            closer.append(pair)
    return closer


def warn_of_turned_scale(found, measure):
    """Return that all judges run against people, as where 1 is the best on one side; else ""."""
    judges = found[found["kind"] == "judge"]
    if judges.empty or measure not in statistics.CORRELATIONS or not (judges["high"] < 0).all():
        return ""
    return (
        "**The scores run against people's.** Is 1 the best on one side, and the worst on the "
        "other? Then turn one side round."
    )
