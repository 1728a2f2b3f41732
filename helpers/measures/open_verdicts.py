"""Yes, no or undecided about a judge, why, and what would decide.

A *yes* or a *no* is given only where the interval allows no other; the smallest difference that
matters is stated before. Three verdicts of the same question, with a smallest difference of 0.1:

    lead over the control    verdict
    0.20 [0.05, 0.35]        yes: all of it lies above 0
    0.02 [-0.04, 0.08]       no: a lead of 0.1 is excluded
    0.05 [-0.10, 0.20]       undecided: it may be nothing, and it may be 0.1 or more

A judge that may know the ratings (a copy of one rater, or more than a perfect judge could have) is
not as good as a rater for it: nothing is decided by ratings that it may have seen. And a judge may
replace a rater only where it is clear that a constant may not.

What would decide comes from `deciding`.
"""

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import (
    alternative,
    controls,
    deciding,
    joined,
    limits,
    notes,
    orders,
    ratings,
    verdicts,
)
from helpers.measures.compare import CEILING, ENDS
from helpers.measures.intervals import ENOUGH
from helpers.measures.trial import lead_names
from helpers.sources.names import display_name

YES, NO, UNDECIDED = "yes", "no", "undecided"
COLUMNS = ["question", "verdict", "why", "what would decide"]
READS, STRANGER, PERSON = verdicts.BETTER, verdicts.BETTER_THAN_STRANGER, verdicts.AS_GOOD
REPLACE = "May it replace a rater?"
EPSILON = 0.2  # of the alternative annotator test: what a judge's lower cost is worth
UNSEEN = "Ratings that the judge cannot have seen: new items, or new raters."
SAYS_THE_SAME = "it says the same of every item, so that it follows nobody"


def give_verdicts(data, scores, found, judge, smallest, *, unit=("item",), seed=0, ways=True):
    """Return the verdicts on a judge: question, verdict ("yes", "no", "undecided"), why (a
    sentence), what would decide (a sentence, "" where it is decided).

    data: `Ratings` as in the file; scores: item, judge, score and perhaps aspect, on the scale of
    the ratings; found: of `compare.compare` (of adjusted ratings, where the card adjusts them);
    judge: a name in it; smallest: the smallest difference that matters (`verdicts.SMALLEST`); unit:
    of `alternative.replace_raters`; seed: of simulations; ways=False leaves out what would decide,
    which takes a few seconds. Of several judges any may be taken for the best: leads are widened.
    """
    seen = suspect(data, scores, found, judge)
    rows = list_leads(found, judge, smallest, seen)
    over_joined = None
    if rows[0][1] == YES:  # of READS
        over_joined = joined.lead_over_joined(data, scores, judge, found)
        rows[0] = (READS, *doubt_joined(*rows[0][1:], over_joined, smallest))
    rows.append(decide_replacement(data, scores, found, judge, unit, seen))
    table = pd.DataFrame(rows, columns=COLUMNS[:3])
    table["why"] = table["why"].str[:1].str.upper() + table["why"].str[1:]
    table[COLUMNS[3]] = ""
    if ways:
        table[COLUMNS[3]] = tell_what_decides(
            table, data, scores, found, judge, smallest, unit, seed, seen, over_joined
        )
    return table


def suspect(data, scores, found, judge):
    """Return why a judge may know these ratings, "" where nothing says so: it agrees with one rater
    as a copy would, or has clearly more than a perfect judge. Arguments of `give_verdicts`."""
    copied = limits.find_copied(data, scores, judge)
    if copied:
        names = " and ".join(display_name(str(name)) for name in copied)
        return (
            f"it agrees with {names} as a copy would, so that it may know these ratings, and "
            "nothing new is known of it"
        )
    if verdicts.is_above_ceiling(found, judge):
        return (
            f"it has {results.format_interval(found.loc[judge])}, clearly more than a perfect "
            f"judge is estimated to have ({results.format_interval(found.loc[CEILING])}): either "
            "that estimate is too low, or it knows these ratings"
        )
    return ""


def list_leads(found, judge, smallest, seen=""):
    """Return (question, verdict, why) of the questions about a judge's leads over the best control,
    over the best that does not know the author (where some control knows the author), and over a
    person; seen: of `suspect`."""
    rivals = {READS: "control"}
    if any(name in found.index for name in controls.KNOW_WRITER):
        rivals[STRANGER] = "stranger"
    rows = []
    for question, rival in rivals.items():
        rows.append((question, *decide_better(found, judge, rival, smallest)))
    return [*rows, (PERSON, *decide_as_good(found, judge, smallest, seen))]


def decide_better(found, judge, rival, smallest):
    """Return (verdict, why): is a judge better than the "control" (or the "stranger")?

    found: of `compare.compare`; smallest: of `give_verdicts`. A constant is a control too: a yes
    asks for a lead over both, the best control and guessing, a no for one of them.
    """
    if np.isnan(found.at[judge, "estimate"]):
        return NO, f"{SAYS_THE_SAME}."
    lead = take_lead(found, judge, rival)
    above = rise_above_guess(found, judge)
    over_control = f"its lead over {describe_rival(found, rival)} is {show(lead)}"
    over_guess = f"it lies {show(above)} above guessing"
    if np.isnan(lead["low"]):
        return UNDECIDED, f"{over_control}, and fewer than {ENOUGH} groups allow no interval."
    if lead["high"] < smallest:
        told = f"{over_control}: as much as {smallest:g} is excluded."
        return NO, f"{told} {doubt_no(found, rival)}".strip()
    if above["high"] < smallest:
        return NO, f"{over_guess}: as much as {smallest:g} is excluded."
    if lead["low"] <= 0:
        return UNDECIDED, f"{over_control}: it may be nothing, and it may be {smallest:g} or more."
    if above["low"] <= 0:
        return UNDECIDED, f"{over_guess}: it may be nothing, and it may be {smallest:g} or more."
    if lead["low"] < smallest:
        return YES, f"{over_control}: above 0, but perhaps less than {smallest:g}."
    return YES, f"{over_control}: {smallest:g} or more."


def doubt_joined(verdict, why, lead, smallest):
    """Return (verdict, why) of a judge that is better than the best control: no longer yes where
    it may only know author and counts together, which no control does.

    verdict, why: of `decide_better`; lead: of `joined.lead_over_joined`.
    """
    if np.isnan(lead["low"]) or lead["low"] > 0:
        return verdict, why
    about = f"it leads each control, but author and counts taken together by {show(lead)}"
    if lead["high"] < smallest:
        return NO, f"{about}: as much as {smallest:g} is excluded."
    return UNDECIDED, f"{about}: it may be nothing, and it may be {smallest:g} or more."


def rise_above_guess(found, judge):
    """Return by how much a judge is above guessing: estimate, low, high, n, widened where the judge
    may be the best of several."""
    _, row = verdicts.introduce(found, judge)
    guess = found.attrs["guess"]
    return row - [guess, guess, guess, 0]


def describe_rival(found, rival):
    """Return in words the best control and what it knows, or the best that does not know the
    author."""
    if rival == "stranger":
        called = found.attrs["stranger"]
        own_name = "" if called == controls.BEST_STRANGER else f": {called}"
        return f"the best control without the author (it never reads{own_name})"
    return f"the best control (it never reads: {verdicts.describe_control(found)})"


def doubt_no(found, rival):
    """Return in sentences why a no about the lead over the best control may say little of a judge,
    "" where nothing says so: nobody who uses a judge has a control that knows the author, and
    perhaps not even a perfect judge leads it."""
    if rival != "control" or found.attrs["chosen"] not in controls.KNOW_WRITER:
        return ""
    told = "Nobody who uses a judge has this control."
    if CEILING not in found.index:
        return told
    lead = found.loc[CEILING, lead_names("control")].set_axis(ENDS[:3])
    if lead["low"] <= 0:
        told += (
            f" Even a perfect judge's lead over it ({results.format_interval(lead, digits=3)}) is "
            "not clear, so that perhaps nobody could have had a yes."
        )
    return told


def decide_as_good(found, judge, smallest, seen=""):
    """Return (verdict, why): is a judge as good as one more rater? Arguments of `decide_better`;
    seen: of `suspect`; a judge that may know the ratings may have a no, never a yes."""
    lead = take_lead(found, judge, "person")
    about = f"its lead over one more rater is {show(lead)}"
    if np.isnan(found.at["a person", "estimate"]):
        return UNDECIDED, "No item has two raters, so how good a rater is cannot be known."
    if np.isnan(found.at[judge, "estimate"]):
        return NO, f"{SAYS_THE_SAME}."
    obstacle = verdicts.find_no_meaning(found, smallest)
    if obstacle:
        return UNDECIDED, f"It has {obstacle}."
    if np.isnan(lead["low"]):
        return UNDECIDED, f"{about}, and fewer than {ENOUGH} groups allow no interval."
    if lead["high"] < -smallest:
        return NO, f"{about}: less good by more than {smallest:g}."
    if seen:
        return UNDECIDED, f"{about}, but {seen}."
    if lead["low"] > -smallest:
        return YES, f"{about}: less good by less than {smallest:g}, if at all."
    return UNDECIDED, f"{about}: it may be less good by {smallest:g} or more, and by less."


def take_lead(found, judge, rival):
    """Return estimate, low, high, n of a judge's lead over a rival, widened where the judge may be
    the best of several. The best control is the best without the author, too, where it knows none.
    """
    is_both = found.attrs["stranger"] == found.attrs["control"]
    if rival == "stranger" and is_both and found.attrs["chosen"] not in controls.KNOW_WRITER:
        rival = "control"
    judges = (found["kind"] == "judge").sum()
    lead = found.loc[judge, [*lead_names(rival), "n"]].set_axis(ENDS)
    return verdicts.take_lead(found.loc[judge], rival, judges) if lead.notna().all() else lead


def show(lead):
    """Return a lead and its number of groups as text."""
    return f"{results.format_interval(lead)} ({lead['n']:.0f} groups)"


def decide_replacement(data, scores, found, judge, unit, seen=""):
    """Return (question, verdict, why): may a judge replace a rater, by the alternative annotator
    test with epsilon 0.2, and would a constant pass it too?

        the judge                   each constant           the verdict
        wins against half or more   clearly loses           yes
        wins against half or more   may pass, or passes     undecided
        clearly loses               any                     no
        any other                   any                     undecided

    To lose clearly is to lose clearly to more than half of the raters. In a small study a constant
    neither passes nor loses clearly, and then nobody knows what a pass is worth. Arguments of
    `give_verdicts`; seen: of `suspect`; a judge that may know the ratings has no yes.
    """
    obstacle = notes.find_obstacle(data, scores, found)
    if obstacle:
        return REPLACE, UNDECIDED, obstacle
    cases = ratings.find_cases(data)
    matched = ratings.match_scores(cases, scores)
    deficits = alternative.list_deficits(cases, matched[judge], unit)
    if not deficits:
        return REPLACE, UNDECIDED, tell_too_few(name_units(data, unit))
    raters = len(deficits)
    wins, losses = count_won_and_lost(deficits)
    about = f"it wins against {wins} of {raters} raters, and clearly loses to {losses}"
    if wins < raters / 2 and losses > raters / 2:
        return REPLACE, NO, f"{about}."
    if wins < raters / 2:
        still_open = raters - wins - losses
        which = f"all {raters}" if still_open == raters else f"{still_open}"
        return REPLACE, UNDECIDED, f"{about}: {which} {'is' if still_open == 1 else 'are'} open."
    if seen:
        return REPLACE, UNDECIDED, f"{about}, but {seen}."
    constants = list_constants(cases, unit)
    passing = [name for name, passes in constants.items() if passes]
    if passing:
        names = " and ".join(passing)
        return REPLACE, UNDECIDED, f"{about}, but so does what never reads: {names}."
    if constants:
        names = " and ".join(constants)
        return REPLACE, UNDECIDED, f"{about}, but so might what never reads: {names}."
    return REPLACE, YES, f"{about}; a constant would clearly not pass."


def count_won_and_lost(deficits):
    """Return how many raters a scorer beats, and to how many it clearly loses; deficits: of
    `alternative.list_deficits`."""
    wins = alternative.beat_raters(deficits, EPSILON).sum()
    losses = alternative.beat_raters([-of_rater for of_rater in deficits], -EPSILON).sum()
    return wins, losses


def tell_too_few(of):
    """Return why the alternative annotator test cannot be made; of: what its units are called."""
    return f"No rater has {alternative.LEAST} {of} that others rated."


def list_constants(cases, unit):
    """Return {name: whether it would pass the test} of the constants (also the mean of the aspect)
    that do not clearly fail it; cases, unit: of `alternative.list_deficits`.

    A constant fails clearly where it loses clearly to more than half of the raters. That it was not
    shown to pass is not enough: few items show neither.
    """
    constants = {}
    for name, deficits in list_deficits_of_constants(cases, unit).items():
        wins, losses = count_won_and_lost(deficits)
        half = len(deficits) / 2
        if losses <= half:
            constants[name] = bool(wins >= half)
    return constants


def list_deficits_of_constants(cases, unit):
    """Return {name: deficits} of the constants; arguments of `list_constants`."""
    of_constants = {}
    for name, guess in alternative.make_unread(cases).items():
        is_constant = name.startswith("always") or name == "the aspect's mean"
        if is_constant:
            of_constants[name] = alternative.list_deficits(cases, guess, unit)
    return of_constants


def tell_what_decides(
    table, data, scores, found, judge, smallest, unit, seed, seen="", over_joined=None
):
    """Return for each verdict what would decide it, "" where it is decided; table: question,
    verdict, why; seen: of `suspect`; over_joined: of `joined.lead_over_joined`, None where it was
    not asked; other arguments of `give_verdicts`."""
    is_open = table.set_index("question")["verdict"] == UNDECIDED
    rivals = {READS: "control", STRANGER: "stranger", PERSON: "person"}
    told = []
    setting = None
    for question in table["question"]:
        if not is_open[question]:
            told.append("")
        elif question == REPLACE:
            told.append(tell_what_replaces(data, scores, found, judge, unit, seen))
        elif question == PERSON and seen and not verdicts.find_no_meaning(found, smallest):
            told.append(UNSEEN)
        else:
            if setting is None:
                setting = deciding.find_setting(data, found, judge, seed)
            closest = over_joined if question == READS else None
            told.append(
                tell_for_lead(found, judge, rivals[question], smallest, setting, scores, closest)
            )
    return told


def tell_for_lead(found, judge, rival, smallest, setting, scores, closest=None):
    """Return what would decide an open question about a lead; setting: of `deciding.find_setting`;
    closest: another lead, which left the question open, None for that over the rival."""
    lead = take_lead(found, judge, rival) if closest is None else closest
    if rival == "person":
        if np.isnan(found.at["a person", "estimate"]):
            return "A second rater for each item."
        obstacle = verdicts.find_no_meaning(found, smallest)
        if obstacle == verdicts.NO_MEANING:
            return "First it must be clear that people agree: more items, or more raters of each."
        if obstacle:
            return "No study of this kind: these raters hardly follow each other."
    if np.isnan(lead["low"]):
        return f"At least {ENOUGH} groups, better a dozen or more."
    open_leads = [lead] if rival == "person" else [lead, rise_above_guess(found, judge)]
    needed = max(
        verdicts.count_groups_needed(wide[ENDS[:3]], wide["n"], smallest) for wide in open_leads
    )
    told = deciding.tell_ways(needed, setting, rival)
    least = -smallest if rival == "person" else 0.0
    is_correlation = found.attrs["guess"] == 0
    if is_correlation:
        missing = least - lead["low"]
        again = deciding.tell_repeats(scores, judge, found.at[judge, "estimate"], missing)
        told = f"{told} {again}".strip()
    return told


def tell_what_replaces(data, scores, found, judge, unit, seen=""):
    """Return what would decide whether a judge may replace a rater; seen: of `suspect`; other
    arguments of `give_verdicts`."""
    if notes.is_other_scale(data, scores):
        return "Scores on the scale of the ratings."
    if notes.find_obstacle(data, scores, found):
        return "Five groups or more, two raters for each item, and people who agree."
    cases = ratings.find_cases(data)
    deficits = alternative.list_deficits(cases, ratings.match_scores(cases, scores)[judge], unit)
    of = name_units(data, unit)
    if not deficits:
        return f"{alternative.LEAST} {of} or more by each rater, each rated by others too."
    if seen:
        return UNSEEN
    passes = alternative.beat_raters(deficits, EPSILON).mean() >= 0.5
    units = [len(of_rater) for of_rater in deficits]
    there = int(np.median(units))
    if passes:
        return tell_what_fails_constants(cases, unit, there, of)
    needed = deciding.count_units_needed(deficits, EPSILON)
    if needed <= there:
        deficit = np.mean([of_rater.mean() for of_rater in deficits])
        by = "each rater" if min(units) == max(units) else "the median rater"
        return (
            f"More {of} would help little: there are {there:,} by {by}, which is enough for "
            "a judge that is as near to the others as a rater is. This one lies at the limit, "
            f"neither clearly below it nor clearly above: its mean deficit is {deficit:.2f}, and "
            f"up to {EPSILON:g} is allowed."
        )
    return tell_more_units(needed, there, len(deficits), of)


def name_units(data, unit):
    """Return what the units of the alternative annotator test are called, in the plural; arguments
    of `give_verdicts`."""
    if tuple(unit) == ("set",):
        return "pairs" if orders.are_pairs(data) else "rankings"
    return "items" if len(unit) == 1 else "verdicts"


def tell_what_fails_constants(cases, unit, there, of):
    """Return what would show that no constant passes.

    cases, unit: of `alternative.list_deficits`; there: how many units a rater has; of: what they
    are called.
    """
    constants = list_constants(cases, unit)
    if any(constants.values()):
        return "No number of items: a test is needed that a constant fails."
    needed = [there]
    for name, deficits in list_deficits_of_constants(cases, unit).items():
        if name not in constants:
            continue
        deciding_rater = len(deficits) // 2  # who makes more than half
        mean_deficits = sorted((of_rater.mean() for of_rater in deficits), reverse=True)
        beyond = mean_deficits[deciding_rater] - EPSILON
        if beyond <= 0:
            return (
                f"Perhaps no number of items: by these ratings, {name} is near enough to pass. A "
                "test is needed that a constant fails."
            )
        needed.append(deciding.count_units_needed(deficits, beyond))
    if max(needed) == there:
        return (
            f"A few more {of}: with {there:,} by each rater such a constant would fail clearly in "
            "80 of 100 studies, and in this one it did not."
        )
    return tell_more_units(max(needed), there, len(deficits), of)


def tell_more_units(needed, there, raters, of):
    """Return in a sentence that each rater needs more units, and what they cost in ratings.

    needed, there: units by each rater; of: what they are called.
    """
    if needed * raters > deciding.FEASIBLE:
        return f"No study of feasible size: about {needed:,} {of} by each rater."
    more = (needed - there) * raters
    return f"About {needed:,} {of} by each rater instead of {there:,}: {more:,} more ratings."
