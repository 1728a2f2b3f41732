"""What a page says of the scores in a reader's files, and of data on which the instrument is not
good enough (benchmarks/passport.py); nothing where nothing is wrong."""

from itertools import combinations

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import agreement, ceiling, intervals, ratings, statistics, trial
from helpers.measures.compare import PERSON
from helpers.measures.controls import CONSTANT
from helpers.measures.trial import lead_names
from helpers.sources.names import display_name

CODES = (-1, -9, -99, -999, 9, 99, 999, 9999)  # by which files say that there is no answer
FEW = 7  # groups from which an interval needs no warning
MANY_RATERS = 40  # among whom nobody is looked for who copies
LUCK = 1.3  # by how much chance in the choice of a control widens the interval of a lead over it
RARE = 0.2  # share of Yes (or of No) below which verdicts of that kind are few
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
    found = {}
    while len(counts) > 2:
        values = counts.index.to_numpy()
        steps = np.diff(values)
        low = is_apart(values[0], steps[0], steps[1:], values[1:])
        high = is_apart(values[-1], steps[-1], steps[:-1], values[:-1])
        if not low and not high:
            break
        value = values[0] if low else values[-1]
        found[float(value)] = int(counts[value])
        counts = counts.drop(value)
    return found


def leave_codes_out(scores):
    """Return the scores that are there and seem to be scores (`find_codes`)."""
    known = pd.Series(scores, dtype=float).dropna()
    return known[~known.isin(list(find_codes(known)))]


def is_apart(value, step, other_steps, others):
    """Return whether a value at an end seems to be a code; step: to the next value; others: the
    values that are left, other_steps: between them."""
    if step > np.ptp(others):
        return True
    alone_below = value < 0 and others[0] >= 0
    return value in CODES and (step > 1.5 * other_steps.max() or alone_below)


def is_other_scale(data, told):
    """Return whether a judge's scores cannot be on the scale of the people's: one of them says Yes
    or No alone, the judge's reach far beyond people's, all lie where hardly one of people's does,
    or they differ by less than a tenth of what people's do.

    data: `Ratings`; told: item, judge, score.
    """
    people, judge = (leave_codes_out(one["score"]) for one in (data.ratings, told))
    if people.empty or judge.empty:
        return False
    yes_or_no = [bool(side.isin([0, 1]).all()) for side in (people, judge)]
    if any(yes_or_no):
        return not all(yes_or_no)
    span = np.ptp(people)
    inside = judge.between(people.min() - span / 2, people.max() + span / 2).all()
    narrow = 0 < np.ptp(judge) < span / 10
    return bool(not inside or narrow or judge.max() < people.quantile(0.05))


def list_sides(data, told):
    """Return {whose scores: they} of people, and of judges where there are some."""
    sides = {"people's scores": data.ratings["score"]}
    if len(told):
        sides["the judge's scores"] = told["score"]
    return sides


def tell_scores(data, told):
    """Return sentences on the scores in a reader's files: their range, and a judge on another
    scale.

    data: `Ratings`; told: item, judge, score.
    """
    said = [
        f"{who[0].upper()}{who[1:]} run from {tell_range(scores)}."
        for who, scores in list_sides(data, told).items()
    ]
    if gives_points(data, told):
        said.append(
            "**People say Yes and No, a judge gives points.** So that points have no advantage, "
            "the highest of them count as Yes: as many as people say Yes, on each aspect. How "
            "lenient the judge is, and whether it could take a rater's place, cannot be said."
        )
    elif is_other_scale(data, told):
        said.append(
            "**Judge and people use different scales.** How far one follows the other can be said, "
            "but not how lenient the judge is, nor whether it could take a rater's place."
        )
    return said


def tell_codes(data, told):
    """Return a sentence on each value in a reader's files that seems to say that there is no score.

    data: `Ratings`; told: item, judge, score.
    """
    said = []
    for who, scores in list_sides(data, told).items():
        for value, times in find_codes(scores).items():
            often = "once" if times == 1 else f"{times:,} times"
            said.append(
                f"**Is {value:g} a score?** It stands {often} among {who}, apart from all others. "
                "If it means that there is no answer, all numbers of this page are wrong: leave "
                "these cells empty, and run again."
            )
    return said


def list_limits(data, found, measure, scores=None):
    """Return sentences on what these data cannot bear; an empty list for ordinary data.

    data: `Ratings`; found: of `compare.compare`; measure: of `statistics`, and scores, as there.
    """
    told = []
    groups = data.items["group"].nunique()
    even = count_even_groups(data)
    if trial.ENOUGH <= groups and even < FEW:
        many = f"{groups} groups are few"
        if groups >= FEW:
            many = f"{groups} groups of so different size count as about {even:.0f}"
        told.append(
            f"**{many}.** An interval from so few rests on the assumption that groups differ "
            "evenly; one odd group would move it."
        )
    rated = data.ratings.dropna(subset=["score"]).groupby("item")["rater"].nunique()
    twice = int((rated > 1).sum())
    if not found.attrs["why"] and twice < len(rated) / 2:
        told.append(
            f"**Only {twice} of {len(rated)} items have two raters.** The perfect judge is "
            "computed from them, and may stand too high or too low."
        )
    guess = found.attrs["guess"]
    person = found.loc[PERSON, ["estimate", "low"]] - guess
    if not found.attrs["why"] and person["low"] < person["estimate"] / 6:
        told.append(
            "**That people agree is only just clear.** So a perfect judge's value is hardly known: "
            "read its interval, not its dot."
        )
    if found.at[found.attrs["control"], "estimate"] < guess - 0.01:
        told.append(
            "**The best control does worse than guessing here.** It was chosen for each group on "
            "the others, and none of the controls follows people. Read a lead over it as no larger "
            f"than the lead over guessing ({guess:g})."
        )
    if is_lead_doubtful(found):
        told.append(
            "**The lead over the best control is only just clear.** No control clearly follows "
            "people here, so which of them is best is partly luck, and the interval of the lead "
            "is too narrow by about a quarter. Take the lead as not shown."
        )
    share = data.ratings["score"].mean()
    rarer = min(share, 1 - share)
    if say_yes_or_no(data.ratings["score"]) and rarer < RARE:
        said = "Yes" if share < 0.5 else "No"
        told.append(
            f"**Only {rarer:.0%} of people's verdicts are {said}.** Every number here rests on "
            "these few, and the intervals are somewhat too narrow."
        )
    if found.attrs["why"] == ceiling.TOO_LITTLE:
        told.append(
            "**These data do not show whether people agree.** Their ratings of one item are not "
            "clearly more alike than those of different items. So nobody knows how far a judge "
            "could get. Whether it is as good as one more rater has no meaning."
        )
    if twice and measure in statistics.POOLED and not agreement.know_all_severity(data):
        told.append(
            f"**Most raters rated fewer than {agreement.LEAST} items,** so how severe each is "
            "cannot be learnt: it is not taken off, and counts as noise."
        )
    if is_adjudicated(data):
        told.append(
            "**More raters were asked just where the first ones differ.** Items that people find "
            "hard so have the most ratings, and a rater who decides between two sides must "
            "disagree with one of them. A person and a perfect judge stand somewhat too low, so a "
            "judge seems better beside them than it is. Leave the deciding ratings out if you can "
            "tell them."
        )
    for pair in find_copies(data, scores):
        names = " and ".join(display_name(str(name)) for name in pair)
        told.append(
            f"**{names} agree far more than any others.** If one of them copied, or both were "
            "asked together, a person and a perfect judge stand too high here, and so does a judge "
            "who copied."
        )
    judges = found[found["kind"] == "judge"]
    if len(judges) and measure in statistics.CORRELATIONS and (judges["high"] < 0).all():
        told.append(
            "**The scores run against people's.** Is 1 the best on one side, and the worst on the "
            "other? Then turn one side round."
        )
    return told


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
    each = scores.groupby(["item", "aspect"])["score"].agg(["count", "min", "max"])
    each = each[each["count"] >= 2]
    spread = (each["max"] - each["min"]).round(9)
    usual = each["count"] == each["count"].min()
    if usual.sum() < 5 or (~usual).sum() < 5:
        return False
    return bool(spread[~usual].min() > spread[usual].max())


def find_copies(data, scores=None):
    """Return the pairs of names (raters, or a judge and a rater) that agree much more than others.

    data: `Ratings`; scores: item, judge, score. Pearson's r of every two on their common ratings,
    ten at least, on Fisher's z; a rater's with a judge stands beside that judge's with the other
    raters, a pair of raters beside all other pairs. Much more: above the median of the others by
    0.6 (as .8 is above .46) and by four standard errors, since some raters know more than others.
    """
    case = ["item", "aspect"]
    wide = ratings.list_scores(data).pivot_table(index=case, columns="rater", values="score")
    raters = list(wide)
    if len(raters) > MANY_RATERS:
        return []
    families = [list(combinations(raters, 2))]
    if scores is not None and len(scores):
        cases = wide.index.to_frame(index=False)
        for judge, score in ratings.match_scores(cases, scores).items():
            wide[judge] = score
            families.append([(judge, rater) for rater in raters])
    copies = []
    for pairs in families:
        z, error = {}, {}
        for first, second in pairs:
            both = wide[[first, second]].dropna()
            varies = len(both) >= trial.ALONE and (both.nunique() > 1).all()
            if varies:
                z[first, second] = intervals.fisher(np.corrcoef(both.T)[0, 1])
                error[first, second] = 1 / np.sqrt(len(both) - 3)
        if len(z) < 3:
            continue
        for pair, own in z.items():
            rest = np.median([value for name, value in z.items() if name != pair])
            if own - rest > max(0.6, 4 * error[pair]):
                copies.append(pair)
    return copies


def is_lead_doubtful(found):
    """Return whether a judge's clear lead over the best control would not be clear if the choice of
    the control were allowed for: no control clearly follows people, and the interval, wider by
    three tenths as the passport has it for such data, would hold 0; found: of `compare.compare`.
    """
    control = found.loc[found.attrs["control"]]
    if found.attrs["chosen"] == CONSTANT or control["low"] > found.attrs["guess"]:
        return False
    judges = found[found["kind"] == "judge"]
    lead, low, _ = (judges[name] for name in lead_names("control"))
    clear = low > 0
    lower = lead - LUCK * (lead - low)
    return bool((clear & (lower <= 0)).any())


def choose_measure(data):
    """Return (measure, its name, the value of guessing) for ratings: for Yes and No balanced
    accuracy, else Pearson's r."""
    if say_yes_or_no(data.ratings["score"]):
        return statistics.balanced_accuracy, "balanced accuracy", 0.5
    return statistics.pearson, "Pearson's r", 0


def say_yes_or_no(scores):
    """Return whether all scores that are there are 1 (Yes) and 0 (No)."""
    return bool(scores.dropna().isin([0, 1]).all())


def gives_points(data, told):
    """Return whether people say Yes and No alone, and a judge does not.

    data: `Ratings`; told: item, judge, score.
    """
    return say_yes_or_no(data.ratings["score"]) and is_other_scale(data, told)


def cut_points(data, told):
    """Return a judge's scores in which points are Yes and No (1 and 0): on each aspect the highest
    are Yes, as many as people say Yes, or as near to it as ties allow.

    data: `Ratings` of Yes and No; told: item, judge, score and perhaps aspect, status, repeat,
    order, partner (the mean is cut). Against people who say Yes and No, points would have an
    advantage over one more person, who says Yes and No too. A judge that does so stays as it is.
    """
    if "status" in told:
        told = told[told["status"] == "ok"]
    said = told.assign(score=told["score"].astype(float)).dropna(subset=["score"])
    by = []
    if "aspect" in data.ratings:
        by = ["aspect"]
        if "aspect" not in said:
            said = said.merge(data.ratings[["aspect"]].drop_duplicates(), how="cross")
    means = said.groupby(["judge", "item", *by], sort=False)["score"].mean().reset_index()
    parts = []
    for names, part in means.groupby(["judge", *by], sort=False):
        people = data.ratings
        if by:
            people = people[people["aspect"] == names[1]]
        own = leave_codes_out(said.loc[said["judge"] == names[0], "score"])
        if not say_yes_or_no(own):
            cut = find_cut(part["score"], people["score"].mean())
            part = part.assign(score=(part["score"] >= cut).astype(float))
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def find_cut(scores, share):
    """Return the cutoff from which on a score is a Yes, so that the share of Yes is as near as can
    be to `share`; where two are as near, the lower cutoff."""
    cutoffs = np.append(np.sort(scores.unique()), np.inf)
    reached = np.array([(scores >= cutoff).mean() for cutoff in cutoffs])
    apart = np.abs(reached - share).round(9)
    return cutoffs[np.argmin(apart)]


def tell_people(agreed):
    """Return in a sentence how reliable one rater is; agreed: of `people.lay_out_agreement`."""
    kinds = agreed.index.get_level_values("decision")
    kind = "relative" if "relative" in kinds else "absolute"
    rows = agreed[kinds == kind].dropna(subset=["estimate"])
    if rows.empty:
        return []
    of = f"The reliability of one rater ({kind}) is"
    if len(rows) == 1:
        return [f"{of} {results.format_interval(rows.iloc[0])}."]
    middle, span = rows["estimate"].median(), results.format_range(rows["estimate"])
    told = f"{of} {middle:z.2f} (the median of {len(rows)} aspects; {span})"
    if "within writers" in rows:
        told += f", among one writer's items {rows['within writers'].median():z.2f}"
    return [f"{told}."]


def tell_leniency(strict, judge, unit):
    """Return in a sentence how lenient a judge is; strict: of `strictness.find_strictness`; unit:
    points or logits."""
    row = strict.loc[(judge, "leniency")]
    if np.isnan(row["estimate"]):
        return []
    way = "higher" if row["estimate"] > 0 else "lower"
    size = row[["estimate", "low", "high"]] * np.sign(row["estimate"])
    ends = sorted([size["low"], size["high"]])
    amount = results.format_interval(size["estimate"], *ends)
    clear = " (not clearly)" if row["low"] <= 0 <= row["high"] else ""
    name = display_name(judge)
    told = f"{name[:1].upper()}{name[1:]} scores the average item {amount} {unit} {way}{clear}"
    return [f"{told} than the average rater."]


def find_obstacle(data, told, found):
    """Return why nobody can say whether a judge could take a rater's place, "" where one can.

    data: `Ratings`; told: item, judge, score; found: of `compare.compare`.
    """
    if is_other_scale(data, told):
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
    won = replaced["wins at 0.2"]
    test = f"the alternative annotator test (epsilon 0.2, a trial being {counted})"
    name, passes = display_name(judge), won[judge] >= 0.5
    said = f"{name[:1].upper()}{name[1:]} {'passes' if passes else 'does not pass'} {test}"
    unread = replaced.index[(replaced["kind"] == "control") & (won >= 0.5)]
    if len(unread):
        joined = "passes" if len(unread) == 1 else "pass"
        too = " too" if passes else ""
        said += f"; of the controls, which read nothing, {' and '.join(unread)} {joined}{too}"
    return [f"{said}."]
