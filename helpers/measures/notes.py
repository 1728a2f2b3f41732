"""What a page says of the scores in a reader's files, of data that cannot bear a comparison
(`limits` has these warnings), and of people, leniency and replacement; nothing where nothing is
wrong.

Everywhere here data: `Ratings`; scores: a judge's, as `compare.compare` takes them (item, judge,
score and perhaps aspect, status, repeat, order, partner); found: what it returns.
"""

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import (
    ceiling,
    controls,
    intervals,
    limits,
    orders,
    ratings,
    statistics,
    trial,
    verdicts,
)
from helpers.sources.names import display_name

CODES = (-1, -9, -99, -999, 9, 99, 999, 9999)  # by which files say that there is no answer
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

    A value is one if it lies further from all others than they lie apart. It is one, too, if it is
    one of `CODES`, the smallest or largest of all, and its distance to the next value is more than
    1.5 times the largest between two neighbours among the others (or it is the only one below 0).
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
    or No alone, the judge's reach beyond people's by more than half of their range, all lie below
    where 95 % of people's lie, or they differ by less than a tenth of what people's do."""
    people = leave_codes_out(data.ratings["score"])
    judge = leave_codes_out(scores["score"])
    if people.empty or judge.empty:
        return False
    if ratings.say_yes_or_no(people) or ratings.say_yes_or_no(judge):
        return ratings.say_yes_or_no(people) != ratings.say_yes_or_no(judge)
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
    if orders.are_orders(data):  # places, which nobody wrote
        return tell_not_rated(data, scores)
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
    of_what = " of every comparison (means that are corrected by the judge count them)"
    if orders.are_orders(data):  # of which no mean is taken
        of_what = ""
    more = ", …" if len(names) > 3 else ""
    sentence = (
        f"**{len(names):,} of {len(names) + used:,} items in the judge's file are rated by nobody"
    )
    sentence += f"** and left out{of_what}: {shown}{more}."
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
    if orders.are_orders(data):
        return sentences
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
        limits.warn_of_few_groups(data),
        limits.warn_of_pairs(data),
        limits.warn_of_unanswered(data, found, scores),
        limits.warn_of_few_items_rated_twice(data, found),
        limits.warn_of_weak_agreement(found),
        limits.warn_of_bad_control(found),
        limits.warn_of_repeated_control(found),
        limits.warn_of_rare_verdicts(data),
        limits.warn_of_no_agreement(found),
        limits.warn_of_unknown_severity(data, measure),
        limits.warn_of_deciding_raters(data),
        limits.warn_of_one_order(data),
        limits.warn_of_camps(data),
        limits.warn_of_strays(data, found, measure),
        *[limits.warn_of_copy(pair) for pair in limits.find_copies(data, scores)],
        limits.warn_of_turned_scale(found, measure),
    ]
    return [sentence for sentence in sentences if sentence]


def choose_measure(data):
    """Return (measure, its name, the value of guessing) for ratings: for pairs and ranks pairwise
    accuracy, for Yes and No balanced accuracy, else Pearson's r."""
    if orders.are_orders(data):
        return statistics.pairwise_accuracy, "pairwise accuracy", 0.5
    if ratings.say_yes_or_no(data.ratings["score"]):
        return statistics.balanced_accuracy, "balanced accuracy", 0.5
    return statistics.pearson, "Pearson's r", 0


def gives_points(data, scores):
    """Return whether people say Yes and No alone, and a judge does not."""
    return ratings.say_yes_or_no(data.ratings["score"]) and is_other_scale(data, scores)


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
        if not ratings.say_yes_or_no(leave_codes_out(own)):
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
    they would be about other items than the rest. Where the best control that a user could have is
    one of them, nobody's lead over it is left either; a comparison of the known items alone has it.
    attrs["stranger"] then names the best control, as where one control is both, so that no page
    shows a row of its own for the other.

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
    """Return in a sentence how a judge does beside the best control that a user could have, on the
    items that this control can count; "" of a judge that has no value there.

    on_known: of `compare.compare` on these items; margin: the smallest lead that counts; items,
    of_items: how many such items there are, among how many.
    """
    show = results.format_interval
    stranger = on_known.attrs["stranger"]
    rival = "control" if stranger == on_known.attrs["control"] else "stranger"
    question = verdicts.BETTER
    lead = on_known.loc[judge, [*trial.lead_names(rival), "n"]]
    lead = lead.set_axis(["estimate", "low", "high", "n"])
    if np.isnan(lead["estimate"]):
        return ""
    judges = verdicts.count_judges(on_known)
    if judges > 1:
        lead = intervals.widen(lead, judges)
    _, row = verdicts.introduce(on_known, judge)
    reply = verdicts.answer(on_known, margin).loc[judge, question]
    called = "" if stranger in (controls.BEST, controls.BEST_STRANGER) else f" ({stranger})"
    sentence = (
        f"On the {items} of {of_items} items whose length is known {display_name(judge)} has "
        f"{show(row)}, the best control that a user could have{called} "
        f"{show(on_known.loc[stranger])}: a lead of {show(lead)}. {question} {reply.capitalize()}."
    )
    guess = on_known.attrs["guess"]
    if on_known.at[stranger, "estimate"] < guess - limits.MUCH_WORSE:
        sentence += (
            " But this control does worse than guessing here: read a lead over it as no larger "
            f"than the lead over guessing ({guess:g})."
        )
    return sentence


def tell_people(agreed):
    """Return a sentence on how reliable one rater is, in a list; empty where nothing is known.

    agreed: of `people.lay_out_agreement`.
    """
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
        clear = (rows["within writers low"] > 0).sum()
        sentence += f", among one writer's items {within:z.2f}, clearly above 0 "
        sentence += f"in {clear} of them" if clear else "in none (which does not say that it is 0)"
    return [f"{sentence}."]


def tell_leniency(strict, judge, unit):
    """Return a sentence on how lenient a judge is, in a list; empty where nothing is known.

    strict: of `strictness.find_strictness`; unit: points or logits.
    """
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
    """Return, in a list, a sentence on what the alternative annotator test says of a judge, and
    whether a control passes too.

    replaced: of `alternative.replace_raters`; counted: what is one trial.
    """
    passes = replaced["wins at 0.2"] >= 0.5
    verb = "passes" if passes[judge] else "does not pass"
    test = f"the alternative annotator test (epsilon 0.2, a trial being {counted})"
    sentence = f"{start_with(judge)} {verb} {test}"
    is_control = replaced["kind"] == "control"
    passing = replaced.index[passes & is_control]
    if len(passing):
        verb = "passes" if len(passing) == 1 else "pass"
        too = " too" if passes[judge] else ""
        names = " and ".join(f"*{name}*" for name in passing)
        sentence += f"; of the controls, which read nothing, {names} {verb}{too}"
    return [f"{sentence}."]
