"""What a page says of the scores in a reader's files, and of data on which the instrument is not
good enough (benchmarks/passport.py); nothing where nothing is wrong.

Everywhere here data: `Ratings`; scores: a judge's, as `compare.compare` takes them (item, judge,
score and perhaps aspect, status, repeat, order, partner); found: what it returns.
"""

from itertools import combinations

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import (
    ceiling,
    controls,
    intervals,
    ratings,
    severity,
    statistics,
    trial,
    verdicts,
)
from helpers.measures.compare import PERSON
from helpers.sources.names import display_name

CODES = (-1, -9, -99, -999, 9, 99, 999, 9999)  # by which files say that there is no answer
FEW = 7  # groups from which an interval needs no warning
MANY_RATERS = 40  # among whom nobody is looked for who copies
MUCH_WORSE = 0.1  # than guessing, from which on a best control is spoken of
ANSWERED = 0.9  # share of the items, below which a judge's items are not all items
RARE = 0.2  # share of Yes (or of No) below which verdicts of that kind are few
ALMOST_ONE = 0.2  # the interval of a judge's lead over the control, as a share of the judge's own
UNLINKED = (
    "**Some raters share no item with the others**, directly or through a third: how severe they "
    "are cannot be told from how good their items are."
)
ONE_ITEM = (
    "**One item tells nothing** about how far anybody follows the others: that takes items that "
    "differ."
)
RESPONSE_IDS = (
    "**Nearly every rating has a rater of its own.** Perhaps the column read as *rater* is the "
    "number of a response. Nobody is known to have rated several items, so no row is a person, and "
    "whether a judge is as good as one more rater cannot be asked."
)


def tell_range(scores):
    """Return the smallest and the largest score as text."""
    known = pd.Series(scores, dtype=float).dropna()
    return f"{known.min():g} to {known.max():g}" if len(known) else "none"


def find_codes(scores):
    """Return {value: how often it stands there} of values that seem to say that there is no score.

    A value is one if it lies further from all others than they lie apart, or if it is one of
    `CODES`, the smallest or largest of all, and is further from the next value than any two others
    are (or the only one below 0).
    """
    known = pd.Series(scores, dtype=float).dropna()
    counts = known.value_counts().sort_index()
    codes = {}
    while len(counts) > 2:
        values = counts.index.to_numpy()
        if is_apart(values[0], values[1:]):
            code = values[0]
        elif is_apart(values[-1], values[:-1]):
            code = values[-1]
        else:
            break
        codes[float(code)] = int(counts[code])
        counts = counts.drop(code)
    return codes


def leave_codes_out(scores):
    """Return the scores that are there and seem to be scores (`find_codes`)."""
    known = pd.Series(scores, dtype=float).dropna()
    return known[~known.isin(list(find_codes(known)))]


def is_apart(value, others):
    """Return whether a value at an end seems to be a code; others: all other values, sorted."""
    step = np.abs(others - value).min()
    if step > np.ptp(others):
        return True
    if value not in CODES:
        return False
    alone_below = value < 0 and others[0] >= 0
    return bool(step > 1.5 * np.diff(others).max() or alone_below)


def is_other_scale(data, scores):
    """Return whether a judge's scores cannot be on the scale of the people's: one of them says Yes
    or No alone, the judge's reach far beyond people's, all lie where hardly one of people's does,
    or they differ by less than a tenth of what people's do."""
    people = leave_codes_out(data.ratings["score"])
    judge = leave_codes_out(scores["score"])
    if people.empty or judge.empty:
        return False
    if say_yes_or_no(people) or say_yes_or_no(judge):
        return say_yes_or_no(people) != say_yes_or_no(judge)
    span = np.ptp(people)
    reaches_beyond = judge.min() < people.min() - span / 2 or judge.max() > people.max() + span / 2
    is_narrow = 0 < np.ptp(judge) < span / 10
    is_below = judge.max() < people.quantile(0.05)
    return bool(reaches_beyond or is_narrow or is_below)


def list_sides(data, scores):
    """Return {whose scores: they} of people, and of judges where there are some."""
    sides = {"people's scores": data.ratings["score"]}
    if len(scores):
        sides["the judge's scores"] = scores["score"]
    return sides


def tell_scores(data, scores):
    """Return sentences on the scores in a reader's files: their range, texts that nobody rated, and
    a judge on another scale."""
    sentences = []
    for whose, values in list_sides(data, scores).items():
        sentences.append(f"{whose[0].upper()}{whose[1:]} run from {tell_range(values)}.")
    sentences += tell_not_rated(data, scores)
    if gives_points(data, scores):
        sentences.append(
            "**People say Yes and No, a judge gives points.** So that points have no advantage, "
            "the highest of them count as Yes: as many as people say Yes, on each aspect. How "
            "lenient the judge is, and whether it could take a rater's place, cannot be said."
        )
    elif is_other_scale(data, scores):
        sentences.append(
            "**Judge and people use different scales.** How far one follows the other can be said, "
            "but not how lenient the judge is, nor whether it could take a rater's place."
        )
    return sentences


def tell_not_rated(data, scores):
    """Return a sentence on the items that a judge scored and nobody rated, in a list; empty where
    there is none.

    data: `Ratings`; scores: of `sheets.read_scores`.
    """
    names = scores.attrs.get("not rated", [])
    if not names:
        return []
    used = scores["item"].nunique()
    shown = ", ".join(f"{name:.60}" for name in names[:3])
    more = ", …" if len(names) > 3 else ""
    sentence = (
        f"**{len(names):,} of {len(names) + used:,} items in the judge's file are rated by nobody"
    )
    sentence += f"** and left out: {shown}{more}."
    lacking = data.items.loc[~data.items["item"].isin(scores["item"]), "item"]
    if len(lacking):
        sentence += (
            f" Rated items without a score: {len(lacking):,}, such as {lacking.iloc[0]:.60}."
        )
        sentence += " Are names spelt alike in both files?"
    return [sentence]


def tell_codes(data, scores):
    """Return a sentence on each value in a reader's files that seems to say that there is no
    score."""
    sentences = []
    for whose, values in list_sides(data, scores).items():
        for code, times in find_codes(values).items():
            often = "once" if times == 1 else f"{times:,} times"
            sentences.append(
                f"**Is {code:g} a score?** It stands {often} among {whose}, apart from all others. "
                "If it means that there is no answer, all numbers of this page are wrong: leave "
                "these cells empty, and run again."
            )
    return sentences


def list_limits(data, found, measure, scores=None):
    """Return sentences on what these data cannot bear; an empty list for ordinary data.

    measure: of `statistics`; data, found, scores: of the module.
    """
    sentences = [
        warn_of_few_groups(data),
        warn_of_pairs(data),
        warn_of_unanswered(data, found, scores),
        warn_of_few_items_rated_twice(data, found),
        warn_of_weak_agreement(found),
        warn_of_bad_control(found),
        warn_of_repeated_control(found),
        warn_of_rare_verdicts(data),
        warn_of_no_agreement(found),
        warn_of_unknown_severity(data, measure),
        warn_of_deciding_raters(data),
        *[warn_of_copy(pair) for pair in find_copies(data, scores)],
        warn_of_turned_scale(found, measure),
    ]
    return [sentence for sentence in sentences if sentence]


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
    if not alone or len(data.items) < 2 * trial.ALONE or not say_yes_or_no(scores["score"]):
        return False
    wide = scores.pivot_table(index=["item", "aspect"], columns="rater", values="score")
    if wide.isna().any(axis=None):
        return False
    verdicts = wide.astype(int)
    times = verdicts.value_counts().to_dict()
    opposite = (1 - verdicts).value_counts().to_dict()
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
    benchmarks/passport.py such an interval can miss a lead of a few thousandths.
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
    verdicts = data.ratings["score"]
    yes = verdicts.mean()
    share = min(yes, 1 - yes)
    is_rare = say_yes_or_no(verdicts) and share < RARE
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


def warn_of_copy(pair):
    """Return that two agree so far that one may have copied; pair: of `find_copies`."""
    names = " and ".join(display_name(str(name)) for name in pair)
    return (
        f"**{names} agree far more than any others.** If one of them copied, or both were "
        "asked together, a person and a perfect judge stand too high here, and so does a judge "
        "who copied. Or the others hardly follow anybody: then a person stands too low, and a "
        "judge seems better beside one. See each rater's own row."
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


def count_even_groups(data):
    """Return how many groups of one size would count as much as these (Kish's effective number of
    groups, the square of the sum of their items over the sum of squares)."""
    items = data.items["group"].value_counts()
    return float(items.sum() ** 2 / (items**2).sum())


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


def find_copies(data, scores=None):
    """Return the pairs of names (raters, or a judge and a rater) that agree much more than others.

    Pearson's r of every two on their common ratings, ten at least, on Fisher's z; a rater's with a
    judge stands beside that judge's with the other raters, a pair of raters beside all other pairs.
    Much more: above the median of the others by 0.6 (as .8 is above .46) and by four standard
    errors, since some raters know more than others.
    """
    case = ["item", "aspect"]
    wide = ratings.list_scores(data).pivot_table(index=case, columns="rater", values="score")
    raters = list(wide)
    if len(raters) > MANY_RATERS:
        return []
    copies = find_closer(wide, combinations(raters, 2))
    if scores is not None and len(scores):
        cases = wide.index.to_frame(index=False)
        for judge, score in ratings.match_scores(cases, scores).items():
            wide[judge] = score
            copies += find_closer(wide, [(judge, rater) for rater in raters])
    return copies


def find_closer(wide, pairs):
    """Return the pairs that agree much more than the other pairs (`find_copies`).

    wide: a column of scores per name, a row per item and aspect; pairs: of names.
    """
    z, error = {}, {}
    for first, second in pairs:
        both = wide[[first, second]].dropna()
        varies = len(both) >= trial.ALONE and (both.nunique() > 1).all()
        if varies:
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


def choose_measure(data):
    """Return (measure, its name, the value of guessing) for ratings: for Yes and No balanced
    accuracy, else Pearson's r."""
    if say_yes_or_no(data.ratings["score"]):
        return statistics.balanced_accuracy, "balanced accuracy", 0.5
    return statistics.pearson, "Pearson's r", 0


def say_yes_or_no(scores):
    """Return whether all scores that are there are 1 (Yes) and 0 (No)."""
    return bool(scores.dropna().isin([0, 1]).all())


def gives_points(data, scores):
    """Return whether people say Yes and No alone, and a judge does not."""
    return say_yes_or_no(data.ratings["score"]) and is_other_scale(data, scores)


def cut_points(data, scores):
    """Return a judge's scores (judge, item, perhaps aspect, score) in which points are Yes and No
    (1 and 0): on each aspect the highest are Yes, as many as people say Yes, or as near to it as
    ties allow.

    data: `Ratings` of Yes and No; scores: the mean over repeats, orders and partners is cut.
    Against people who say Yes and No, points would have an advantage over one more person, who says
    Yes and No too. A judge that does so stays as it is.
    """
    if "status" in scores:
        scores = scores[scores["status"] == "ok"]
    scores = scores.assign(score=scores["score"].astype(float)).dropna(subset=["score"])
    by = []
    if "aspect" in data.ratings:
        by = ["aspect"]
        if "aspect" not in scores:  # a score stands for every aspect
            aspects = data.ratings[["aspect"]].drop_duplicates()
            scores = scores.merge(aspects, how="cross")
    means = scores.groupby(["judge", "item", *by], sort=False)["score"].mean().reset_index()
    parts = []
    for (judge, *aspect), part in means.groupby(["judge", *by], sort=False):
        own = scores.loc[scores["judge"] == judge, "score"]
        if not say_yes_or_no(leave_codes_out(own)):
            people = data.ratings
            if by:
                people = people[people["aspect"] == aspect[0]]
            cutoff = find_cut(part["score"], people["score"].mean())
            part = part.assign(score=(part["score"] >= cutoff).astype(float))
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def find_cut(scores, share):
    """Return the cutoff from which on a score is a Yes, so that the share of Yes is as near as can
    be to `share`; where two are as near, the lower cutoff."""
    cutoffs = np.append(np.sort(scores.unique()), np.inf)
    shares = np.array([(scores >= cutoff).mean() for cutoff in cutoffs])
    distance = np.abs(shares - share).round(9)
    return cutoffs[np.argmin(distance)]


def find_known_items(data):
    """Return for each item whether every number is known of it that a control may count without
    reading, such as its words; all True where no such number is known of any item."""
    counts = data.items[controls.list_counts(data.items)]
    return counts.notna().all(axis=1).to_numpy()


def leave_partial_controls_out(found, is_known):
    """Return `found` without the numbers of controls that count, where some items have no count:
    they would be about other items than the rest. Where the best control without the author is one
    of them, nobody's lead over it is left either; a comparison of the known items alone has it.

    is_known: of `find_known_items`. Nothing changes where all items are known, and where the best
    control itself is one that counts.
    """
    counting = [controls.LENGTH, controls.COUNT, controls.BEST_STRANGER]
    if is_known.all() or found.attrs["control"] in counting:
        return found
    table = found.copy()
    table.loc[table.index.isin(counting), ["estimate", "low", "high"]] = np.nan
    if table.attrs["stranger"] in counting:
        table[trial.lead_names("stranger")] = np.nan
        table.attrs["stranger"] = table.attrs["control"]
    return table


def tell_known(on_known, judge, margin, items, of_items):
    """Return in a sentence how a judge does beside the best control that does not know the author,
    on the items that this control can count; "" of a judge that has no value there.

    on_known: of `compare.compare` on these items; margin: the smallest lead that counts; items,
    of_items: how many such items there are, among how many.
    """
    show = results.format_interval
    stranger = on_known.attrs["stranger"]
    rival = "control" if stranger == on_known.attrs["control"] else "stranger"
    lead = on_known.loc[judge, [*trial.lead_names(rival), "n"]]
    lead = lead.set_axis(["estimate", "low", "high", "n"])
    if np.isnan(lead["estimate"]):
        return ""
    judges = (on_known["kind"] == "judge").sum()
    if judges > 1:
        lead = intervals.widen(lead, judges)
    _, row = verdicts.introduce(on_known, judge)
    (question,) = (text for text, asked in verdicts.QUESTIONS.items() if asked == rival)
    reply = verdicts.answer(on_known, margin).loc[judge, question]
    called = "" if stranger in (controls.BEST, controls.BEST_STRANGER) else f" ({stranger})"
    sentence = (
        f"On the {items} of {of_items} items whose length is known {display_name(judge)} has "
        f"{show(row)}, the best control that does not know the author{called} "
        f"{show(on_known.loc[stranger])}: a lead of {show(lead)}. {question} {reply.capitalize()}."
    )
    guess = on_known.attrs["guess"]
    if on_known.at[stranger, "estimate"] < guess - MUCH_WORSE:
        sentence += (
            " But this control does worse than guessing here: read a lead over it as no larger "
            f"than the lead over guessing ({guess:g})."
        )
    return sentence


def tell_people(agreed):
    """Return in a sentence how reliable one rater is; agreed: of `people.lay_out_agreement`."""
    kinds = agreed.index.get_level_values("decision")
    kind = "relative" if "relative" in kinds else "absolute"
    rows = agreed[kinds == kind].dropna(subset=["estimate"])
    if rows.empty:
        return []
    start = f"The reliability of one rater ({kind}) is"
    if len(rows) == 1:
        return [f"{start} {results.format_interval(rows.iloc[0])}."]
    middle, span = rows["estimate"].median(), results.format_range(rows["estimate"])
    sentence = f"{start} {middle:z.2f} (the median of {len(rows)} aspects; {span})"
    if "within writers" in rows:
        within = rows["within writers"].median()
        sentence += f", among one writer's items {within:z.2f}"
    return [f"{sentence}."]


def tell_leniency(strict, judge, unit):
    """Return in a sentence how lenient a judge is; strict: of `strictness.find_strictness`; unit:
    points or logits."""
    row = strict.loc[(judge, "leniency")]
    if np.isnan(row["estimate"]):
        return []
    direction = "higher" if row["estimate"] > 0 else "lower"
    size = row[["estimate", "low", "high"]] * np.sign(row["estimate"])
    ends = sorted([size["low"], size["high"]])
    amount = f"{results.format_interval(size['estimate'], *ends)} {unit} {direction}"
    if row["low"] <= 0 <= row["high"]:
        amount += " (not clearly)"
    return [f"{start_with(judge)} scores the average item {amount} than the average rater."]


def start_with(judge):
    """Return a judge's name for readers with a capital letter."""
    name = display_name(judge)
    return f"{name[:1].upper()}{name[1:]}"


def find_obstacle(data, scores, found):
    """Return why nobody can say whether a judge could take a rater's place, "" where one can."""
    if is_other_scale(data, scores):
        return "Judge and people use different scales, so this is not asked."
    if found.attrs["why"] == ceiling.TOO_LITTLE:
        return (
            "It is not clear that people agree: to be as near to them as they are to each other "
            "is easy."
        )
    if data.ratings.groupby("item")["rater"].nunique().max() < 2:
        return "One rater per item: there is nobody to be near to."
    if data.items["group"].nunique() < trial.ENOUGH:
        return (
            f"These data cannot tell: with fewer than {trial.ENOUGH} groups nothing can be said "
            "about other items."
        )
    return ""


def tell_alternative(replaced, judge, counted):
    """Return in a sentence what the alternative annotator test says of a judge, and whether a
    control passes too; replaced: of `alternative.replace_raters`; counted: what is one trial."""
    passes = replaced["wins at 0.2"] >= 0.5
    verb = "passes" if passes[judge] else "does not pass"
    test = f"the alternative annotator test (epsilon 0.2, a trial being {counted})"
    sentence = f"{start_with(judge)} {verb} {test}"
    controls = replaced.index[passes & (replaced["kind"] == "control")]
    if len(controls):
        verb = "passes" if len(controls) == 1 else "pass"
        too = " too" if passes[judge] else ""
        sentence += f"; of the controls, which read nothing, {' and '.join(controls)} {verb}{too}"
    return [f"{sentence}."]
