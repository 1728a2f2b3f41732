"""What to doubt: a `Caution` for each thing that makes these data say less than they seem to
(benchmarks/passport.py).

`find_cautions` lists those that apply. Each is looked for by a function that returns a `Caution`,
or None where there is nothing to doubt. Everywhere here study: of `study.set_up`; found: of
`compare.compare`.
"""

from goodjudge.card.shapes import Caution
from goodjudge.card.study import has_response_ids
from goodjudge.comparison import controls, noise_ceiling, scales
from goodjudge.comparison.cases import ALONE, lead_names
from goodjudge.comparison.compare import ENDS, PERSON
from goodjudge.data import orders, ratings
from goodjudge.diagnostics import copies, reliability
from goodjudge.diagnostics.shortfall import find_shortfall
from goodjudge.format import format_interval
from goodjudge.stats import intervals, metrics, severity

FEW = 7  # groups from which an interval needs no warning
MUCH_WORSE = 0.1  # than guessing, from which on a best control is spoken of
ANSWERED = 0.9  # share of the items, below which a judge's items are not all items
LACKS = 0.02  # of the measure, from which on a control that learnt from few texts is spoken of
RARE = 0.2  # share of Yes (or of No) below which verdicts of that kind are few
ALMOST_ONE = 0.2  # the interval of a judge's lead over the control, as a share of the judge's own


def find_cautions(study, found, judge, control, seen="", writer=""):
    """Return the list of `Caution` of a card, the worst first; none for ordinary data.

    judge: the one that the card is about, None for none; control: the row of `found` of the best
    control that a user could have; seen, writer: of `questions.Doubts`.
    """
    cautions = [
        doubt_seen(seen),
        doubt_one_item(study),
        doubt_response_ids(study),
        doubt_one_rater(study),
        doubt_scale(study),
        doubt_few_groups(study.data),
        doubt_turned_scale(found, study.measure),
        doubt_winners(study.data),
    ]
    if study.several:
        cautions += [
            doubt_agreement(found),
            doubt_camps(study.data),
            doubt_strays(study, found),
            *[doubt_copy(pair) for pair in list_copies(study) if not (seen and judge in pair)],
            doubt_unlinked(study.data),
            doubt_deciding_raters(study.data),
            doubt_severity(study),
            doubt_ceiling(study.data, found),
            doubt_weak_agreement(found),
        ]
    cautions += [
        doubt_writer(writer),
        doubt_shortfall(study, found) if study.several and judge is not None else None,
        doubt_unanswered(study, judge),
        doubt_control(found, control),
        doubt_repeated_control(found, control),
        doubt_rare_verdicts(study.data),
        doubt_one_order(study.data),
    ]
    return [caution for caution in cautions if caution is not None]


def doubt_seen(seen):
    """Return that the judge may know these ratings."""
    return Caution("It may know these ratings", seen, "score") if seen else None


def doubt_writer(writer):
    """Return that a lead may be the writer's."""
    return Caution("Its lead may be the writer's", writer, "writer") if writer else None


def doubt_shortfall(study, found):
    """Return that the control that knows the writer learnt from so few texts that it may have
    clearly more of many."""
    names = [name for name in controls.KNOW_WRITER if name in found.index]
    known = found.loc[names, "estimate"].dropna()
    if known.empty:
        return None
    how = {"target": study.target, "within": study.within, "seed": study.seed}
    texts, lacks = find_shortfall(study.adjusted, study.measure, known.idxmax(), **how)
    if not lacks >= LACKS:
        return None
    return Caution(
        "The control that knows the writer learnt from few texts",
        f"It learnt from about {texts:.0f} ratings of each writer in other groups. To judge by how "
        f"much less it has when it learns from half of them, from very many it might have "
        f"{lacks:.2f} more: a lead over it is too large by as much.",
        "writer",
    )


def doubt_one_item(study):
    """Return that there is one item alone."""
    if len(study.data.items) > 1:
        return None
    return Caution(
        "There is one item",
        "One item tells nothing about how far anybody follows the others: that takes items that "
        "differ.",
        "item",
    )


def doubt_response_ids(study):
    """Return that raters cannot be told apart."""
    if not has_response_ids(study.data):
        return None
    return Caution(
        "Nearly every rating has a rater of its own",
        "Perhaps the column read as rater is the number of a response. Nobody is known to have "
        "rated several items, so no row is a person, and whether a judge is as good as one more "
        "rater cannot be asked.",
        "rater",
    )


def doubt_one_rater(study):
    """Return that items have one rater each."""
    rated = study.data.ratings.dropna(subset=["score"]).groupby("item")["rater"].nunique()
    if len(study.data.items) < 2 or rated.max() > 1:
        return None
    return Caution(
        "Each item has one rater",
        "How far people agree is not known, so no row is a person. A second rater for a part of "
        "the items would tell.",
        "rater",
    )


def doubt_scale(study):
    """Return that people say Yes and No and a judge gives points, or that the scales differ."""
    if not len(study.scores) or study.in_order:
        return None
    if scales.gives_points(study.data, study.scores):
        return Caution(
            "People say Yes and No, a judge gives points",
            "So that points have no advantage, the highest of them count as Yes: as many as people "
            "say Yes, on each aspect. How lenient the judge is, and whether it could take a "
            "rater's place, cannot be said.",
            "score",
        )
    if not study.scales:
        return None
    return Caution(
        "The judge uses another scale",
        f"Its scores run from {study.scales}. How far one follows the other can be said, but not "
        "how lenient the judge is, nor whether it could take a rater's place.",
        "score",
    )


def doubt_few_groups(data):
    """Return that an interval rests on few groups, or on groups that count as few."""
    groups = data.items["group"].nunique()
    even = count_even_groups(data)
    if even >= FEW:
        return None
    if groups < intervals.ENOUGH:
        return Caution(
            f"There {'is' if groups == 1 else 'are'} {groups} group{'s' * (groups != 1)}",
            f"With fewer than {intervals.ENOUGH} independent groups there is no interval, and "
            "nothing can be said about other items than these.",
            "group",
        )
    few = f"{groups} groups are few"
    if groups >= FEW:
        few = f"{groups} groups of so different size count as about {even:.0f}"
    return Caution(
        few,
        "An interval from so few rests on the assumption that groups differ evenly; one odd group "
        "would move it.",
        "group",
    )


def count_even_groups(data):
    """Return how many groups of one size would count as much as these (Kish's effective number of
    groups, the square of the sum of their items over the sum of squares)."""
    items = data.items["group"].value_counts()
    return float(items.sum() ** 2 / (items**2).sum())


def doubt_winners(data):
    """Return that the items seem to be pairs of which one wins, each in no group."""
    if not are_winners(data):
        return None
    return Caution(
        "Are these winners of pairs?",
        "Every row of Yes and No stands here as often as its exact opposite, as where one item of "
        "each pair wins. Then two items hold one fact, and all intervals are too narrow: name the "
        "pair in a column group, and run again.",
        "group",
    )


def are_winners(data):
    """Return whether each item is a group of its own, all raters rated all with Yes or No, and each
    row of their verdicts stands as often as its opposite."""
    alone = data.items["group"].nunique() == len(data.items)
    scores = ratings.list_scores(data)
    if not alone or len(data.items) < 2 * ALONE or not ratings.say_yes_or_no(scores["score"]):
        return False
    wide = scores.pivot_table(index=["item", "aspect"], columns="rater", values="score")
    if wide.isna().any(axis=None):
        return False
    rows = wide.astype(int)  # an item (and aspect) each, a column per rater
    times = rows.value_counts().to_dict()
    opposite = (1 - rows).value_counts().to_dict()
    return times == opposite


def doubt_unanswered(study, judge):
    """Return that the judge left out many items, so that it is rated on others than a person."""
    if judge is None:
        return None
    rated = set(study.data.ratings.dropna(subset=["score"])["item"])
    own = study.compared[study.compared["judge"] == judge].dropna(subset=["score"])
    if "status" in own:
        own = own[own["status"] == "ok"]
    answered = rated & set(own["item"])
    if len(answered) >= ANSWERED * len(rated):
        return None
    return Caution(
        f"It answered {len(answered):,} of {len(rated):,} items",
        "Its own value is of these, a person's of all: where a judge leaves out what is hard, it "
        "stands too high beside a person. The lead over a person is of the items that both have.",
        "score",
    )


def count_rated_twice(data):
    """Return (how many items have two raters or more, how many have one or more)."""
    rated = data.ratings.dropna(subset=["score"]).groupby("item")["rater"].nunique()
    return int((rated > 1).sum()), len(rated)


def doubt_ceiling(data, found):
    """Return that the ceiling rests on less than half of the items."""
    twice, items = count_rated_twice(data)
    if found.attrs["why"] or twice >= items / 2:
        return None
    return Caution(
        f"Only {twice:,} of {items:,} items have two raters",
        "The perfect judge is computed from them, and may stand too high or too low.",
        "rater",
    )


def doubt_weak_agreement(found):
    """Return that the ceiling is hardly known, as people only just agree."""
    person = found.loc[PERSON, ["estimate", "low"]] - found.attrs["guess"]
    is_only_just_clear = person["low"] < person["estimate"] / 6
    if found.attrs["why"] or not is_only_just_clear:
        return None
    return Caution(
        "That people agree is only just clear",
        "So a perfect judge's value is hardly known: read its interval, not its dot.",
        "score",
    )


def doubt_agreement(found):
    """Return that there is no ceiling, as it is not clear that people agree."""
    if found.attrs["why"] != noise_ceiling.TOO_LITTLE:
        return None
    return Caution(
        "These data do not show whether people agree",
        "Their ratings of one item are not clearly more alike than those of different items. So "
        "nobody knows how far a judge could get. Whether it is as good as one more rater has no "
        "meaning.",
        "score",
    )


def doubt_control(found, control):
    """Return that the best control that a user could have is worse than guessing."""
    guess = found.attrs["guess"]
    if not found.at[control, "estimate"] < guess - MUCH_WORSE:
        return None
    return Caution(
        "The best control does worse than guessing here",
        "It was chosen for each group on the others, and none of the controls follows people. Read "
        f"a lead over it as no larger than the lead over guessing ({guess:g}).",
    )


def doubt_repeated_control(found, control):
    """Return that a judge's scores are almost those of the best control that a user could have, so
    that the interval of its lead is too narrow.

    The interval of a lead is much narrower than the judge's own only where both rise and fall
    together from group to group: below a fifth, where they correlate at .98 or more. In
    benchmarks/passport.py such an interval can miss a lead of a few thousandths. The sentence says
    hundredths, to be on the safe side: a fifth of an interval of ±.10 is ±.02.
    """
    judges = found[found["kind"] == "judge"]
    rival = "control" if control == found.attrs["control"] else "stranger"
    _, low, high = lead_names(rival)
    width_of_lead = judges[high] - judges[low]
    own_width = judges["high"] - judges["low"]
    repeats = judges.index[width_of_lead < ALMOST_ONE * own_width]
    if repeats.empty:
        return None
    names = " and ".join(str(name) for name in repeats)
    says = "says" if len(repeats) == 1 else "say"
    return Caution(
        f"{names} {says} almost the same as a control",
        f"The control ({control}) reads nothing. The interval of the lead over it is too narrow to "
        "tell a lead of a few hundredths: read such a lead as none.",
        "score",
    )


def doubt_rare_verdicts(data):
    """Return that people say Yes, or No, in few cases."""
    scores = data.ratings["score"]
    yes = scores.mean()
    share = min(yes, 1 - yes)
    if not (ratings.say_yes_or_no(scores) and share < RARE):
        return None
    rare = "Yes" if yes < 0.5 else "No"
    return Caution(
        f"Only {share:.0%} of people's verdicts are {rare}",
        "Every number here rests on these few, and the intervals are somewhat too narrow.",
        "score",
    )


def doubt_severity(study):
    """Return that the raters' severity is not taken off, as each rated few items."""
    twice, _ = count_rated_twice(study.data)
    matters = twice and study.measure in metrics.POOLED
    if not matters or severity.know_all_severity(study.data):
        return None
    return Caution(
        f"Most raters rated fewer than {severity.ADJUST_FROM} items",
        "So how severe each is cannot be learnt: it is not taken off, and counts as noise. A "
        "person stands lower for it; a judge, who is one and the same for all items, does not.",
        "rater",
    )


def doubt_unlinked(data):
    """Return that some raters share no item with the others."""
    if orders.are_orders(data) or severity.share_of_largest_circle(data) > 1 - 1e-9:
        return None
    return Caution(
        "Some raters share no item with the others",
        "Directly or through a third: how severe they are cannot be told from how good their items "
        "are.",
        "rater",
    )


def doubt_deciding_raters(data):
    """Return that more raters were asked where the first ones differ."""
    if not is_adjudicated(data):
        return None
    return Caution(
        "More raters were asked just where the first ones differ",
        "Items that people find hard so have the most ratings, and a rater who decides between two "
        "sides must disagree with one of them. A person and a perfect judge stand somewhat too "
        "low, so a judge seems better beside them than it is. Leave the deciding ratings out if "
        "you can tell them.",
        "rater",
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


def list_copies(study):
    """Return the pairs of names (raters, or a judge and a rater) that agree much more than
    others."""
    scores = study.compared if len(study.compared) else None
    return copies.find_copies(study.data, scores)


def doubt_copy(pair):
    """Return that two agree so far that one may have copied; pair: of `copies.find_copies`."""
    names = " and ".join(str(name) for name in pair)
    return Caution(
        f"{names} agree far more than any others",
        "If one of them copied, or both were asked together, a person and a perfect judge stand "
        "too high here, and so does a judge who copied. Or the others hardly follow anybody: then "
        "a person stands too low, and a judge seems better beside one. See each rater's own row.",
        "rater",
    )


def doubt_camps(data):
    """Return that raters fall into two camps, so that a perfect judge stands too low."""
    camps = copies.find_camps(data)
    if camps is None:
        return None
    first, second = (", ".join(str(name) for name in camp) for camp in camps.names)
    told = (
        f"{first}; and {second}. Within a camp two raters have r = {camps.within:.2f}, across "
        f"{camps.across:.2f}."
    )
    if camps.across < 0:
        told = f"{told} Did one camp turn the scale, with 1 for the best?"
    else:
        told = (
            f"{told} They want different things. A person stands between the two, and a perfect "
            "judge's value is too low: who knows both tastes can have more. A mean of all is "
            "nobody's wish: look at each camp by itself."
        )
    return Caution("Raters fall into two camps", told, "rater")


def doubt_strays(study, found):
    """Return that a rater follows nobody, or runs against the others, and what a person has without
    this rater.

    A rater follows nobody clearly whose interval beside the others holds guessing and lies below
    what a person has without this rater, by half of it or more; one runs against the others whose
    interval lies below guessing. Three raters or more, those with ten items.
    """
    data, measure, within = study.data, study.measure, study.within
    if data.ratings["rater"].nunique() < 3 or copies.find_camps(data) is not None:
        return None
    adjusted = study.adjusted
    each = reliability.rate_each(adjusted, measure, within=within).dropna(subset=["low"])
    if len(each) < 3:
        return None
    guess = found.attrs["guess"]
    strays = each[each["low"] <= guess]
    if strays.empty or len(strays) > len(each) / 3:
        return None
    kept = ~adjusted.ratings["rater"].isin(strays.index)
    without = adjusted._replace(ratings=adjusted.ratings[kept])
    person = reliability.rate_person(without, measure, within)
    half = guess + (person["estimate"] - guess) / 2
    is_stray = (strays["high"] < person["estimate"]) & (strays["estimate"] < half)
    if not is_stray.all() or not person["low"] > guess:
        return None
    told, turned = [], []
    for rater, row in strays.iterrows():
        does = "follows nobody clearly"
        if row["high"] < guess:
            does = "runs against the others"
            turned.append(str(rater))
        told.append(f"{rater} {does} ({format_interval(row[ENDS])})")
    names = " and ".join(str(rater) for rater in strays.index)
    why = (
        f"{'; '.join(told)}. Without {names} a person has {format_interval(person)}, with "
        f"everybody {format_interval(found.loc[PERSON, ENDS])}."
    )
    if turned:
        why += f" Did {' and '.join(turned)} turn the scale, with 1 for the best?"
        return Caution(f"{names} may have turned the scale", why, "rater")
    why += (
        " Whoever rates without reading makes a judge seem better beside a person: look at these "
        "ratings before you believe a verdict."
    )
    return Caution(f"{names} may not have read", why, "rater")


def doubt_one_order(data):
    """Return that each pair was shown in one order alone, where people lean to one place."""
    if not orders.are_pairs(data) or "position" not in data.items:
        return None
    place = data.items.set_index("item")["position"]
    if not place.isin([1, 2]).all():
        return None
    table = data.ratings.assign(place=data.ratings["item"].map(place))
    first = table[table["place"] == 1]
    group = first["item"].map(data.items.set_index("item")["group"])
    won = (first["score"] - 1).groupby(group).mean()  # 1 of the first, 0 of the second, 0.5 of ties
    row = intervals.of_mean(won)
    if not (row["low"] > 0.5 or row["high"] < 0.5):
        return None
    where = "first" if row["estimate"] > 0.5 else "second"
    share = row[ENDS] if where == "first" else 1 - row[["estimate", "high", "low"]]
    share = intervals.row(*share.to_numpy(float)[:3], row["n"])
    return Caution(
        f"People prefer the text shown {where}",
        f"In {format_interval(share)} of their choices, and each pair was shown in one order only. "
        "Whether that is the place or the texts, these data cannot tell: let people (and the "
        "judge) see each pair in both orders.",
        "preferred",
    )


def doubt_turned_scale(found, measure):
    """Return that all judges run against people, as where 1 is the best on one side."""
    judges = found[found["kind"] == "judge"]
    if judges.empty or measure not in metrics.CORRELATIONS or not (judges["high"] < 0).all():
        return None
    return Caution(
        "The scores run against people's",
        "Is 1 the best on one side, and the worst on the other? Then turn one side round.",
        "score",
    )
