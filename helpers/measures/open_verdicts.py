"""Yes, no or undecided about a judge, why, and what would decide.

A *yes* or a *no* is given only where the interval allows no other; the smallest difference that
matters is stated before. Three verdicts of the same question, with a smallest difference of 0.1:

    lead over the control    verdict
    0.20 [0.05, 0.35]        yes: all of it lies above 0
    0.02 [-0.04, 0.08]       no: a lead of 0.1 is excluded
    0.05 [-0.10, 0.20]       undecided: it may be nothing, and it may be 0.1 or more

The rival of the first question is the best control that a user of the judge could have: a
constant, the length, other counts, the place in which an item was shown. A control that knows the
author was taught by people's ratings of the same authors, which nobody has for new ones: it
explains what ratings are about (`authors`), and decides nothing. But where nothing can be learnt
about authors, since each stands in one group only, a lead may be the author's: then a yes needs
that the judge clearly adds to the author (`adds.find_added`).

A judge that may know the ratings (`suspicion`) has no yes to anything: nothing is decided by
ratings that it may have seen. And a judge may replace a rater only where it is clear that a
constant may not.

What would decide comes from `deciding`.
"""

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import (
    adds,
    alternative,
    authors,
    controls,
    deciding,
    notes,
    orders,
    ratings,
    suspicion,
    verdicts,
)
from helpers.measures.compare import ENDS
from helpers.measures.intervals import ENOUGH
from helpers.measures.trial import lead_names

YES, NO, UNDECIDED = "yes", "no", "undecided"
COLUMNS = ["question", "verdict", "why", "what would decide"]
READS, PERSON = verdicts.BETTER, verdicts.AS_GOOD
REPLACE = "May it replace a rater?"
EPSILON = 0.2  # of the alternative annotator test: what a judge's lower cost is worth
UNSEEN = "Ratings that the judge cannot have seen: new items, or new raters."
LEARNABLE = (
    "Items by the same authors in several groups, or more items of each author: among these the "
    "judge must follow people, too."
)
SAYS_THE_SAME = "it says the same of every item, so that it follows nobody"


def give_verdicts(data, scores, found, judge, smallest, *, unit=("item",), seed=0, ways=True):
    """Return the verdicts on a judge: question, verdict ("yes", "no", "undecided"), why (a
    sentence), what would decide (a sentence, "" where it is decided).

    data: `Ratings` as in the file; scores: item, judge, score and perhaps aspect, on the scale of
    the ratings; found: of `compare.compare` (of adjusted ratings, where the card adjusts them);
    judge: a name in it; smallest: the smallest difference that matters (`verdicts.SMALLEST`); unit:
    of `alternative.replace_raters`; seed: of simulations; ways=False leaves out what would decide,
    which takes a few seconds. Of several judges any may be taken for the best: leads are widened.

    attrs: seen, of `suspicion.suspect`; added, what the judge adds to author and counts
    (`find_added`).
    """
    seen = suspicion.suspect(data, scores, found, judge)
    added = find_added(data, scores, judge)
    doubt = doubt_author(data, added)
    rows = [
        (READS, *decide_better(found, judge, "stranger", smallest, seen, doubt)),
        (PERSON, *decide_as_good(found, judge, smallest, seen)),
        decide_replacement(data, scores, found, judge, unit, seen),
    ]
    table = pd.DataFrame(rows, columns=COLUMNS[:3])
    table["why"] = table["why"].str[:1].str.upper() + table["why"].str[1:]
    table[COLUMNS[3]] = ""
    if ways:
        table[COLUMNS[3]] = tell_what_decides(
            table, data, scores, found, judge, smallest, unit, seed, seen, doubt
        )
    table.attrs = {"seen": seen, "added": added}
    return table


def find_added(data, scores, judge):
    """Return what one standard deviation of a judge goes with in people's single ratings, given
    author, rater and counts (`adds.find_added`): estimate, low, high, n, all nan where nothing can
    be said. data, scores: of `give_verdicts`; counts that are known of some items only are left
    out; of several judges the interval holds for all at once.
    """
    counts = controls.list_counts(data.items)
    partly = [name for name in counts if data.items[name].isna().any()]
    data = data._replace(items=data.items.drop(columns=partly))
    return adds.find_added(data, scores).loc[judge, ENDS].astype(float)


def doubt_author(data, added):
    """Return why a judge's lead may be the author's, "" where nothing says so; added: of
    `find_added`."""
    if not authors.are_unlearnt(data) or added["low"] > 0:
        return ""
    return (
        "the items of each author stand in one group only, so that what the author alone would "
        "tell cannot be learnt here, and that the judge adds to it is not clear"
    )


def decide_better(found, judge, rival, smallest, seen="", doubt=""):
    """Return (verdict, why): is a judge better than the "stranger", the best control that a user
    could have (or than the best "control" of all)?

    found: of `compare.compare`; smallest: of `give_verdicts`. A constant is a control too: a yes
    asks for a lead over both, the best control and guessing, a no for one of them. seen: of
    `suspicion.suspect`, doubt: of `doubt_author`: with either there is no yes.
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
        return NO, f"{over_control}: as much as {smallest:g} is excluded."
    if above["high"] < smallest:
        return NO, f"{over_guess}: as much as {smallest:g} is excluded."
    if lead["low"] <= 0:
        return UNDECIDED, f"{over_control}: it may be nothing, and it may be {smallest:g} or more."
    if above["low"] <= 0:
        return UNDECIDED, f"{over_guess}: it may be nothing, and it may be {smallest:g} or more."
    if seen or doubt:
        return UNDECIDED, f"{over_control}, but {seen or doubt}."
    if lead["low"] < smallest:
        return YES, f"{over_control}: above 0, but perhaps less than {smallest:g}."
    return YES, f"{over_control}: {smallest:g} or more."


def rise_above_guess(found, judge):
    """Return by how much a judge is above guessing: estimate, low, high, n, widened where the judge
    may be the best of several."""
    _, row = verdicts.introduce(found, judge)
    guess = found.attrs["guess"]
    return row - [guess, guess, guess, 0]


def describe_rival(found, rival):
    """Return in words the best control and what it knows, or the best that a user could have."""
    if rival == "stranger":
        called = found.attrs["stranger"]
        own_name = "" if called == controls.BEST_STRANGER else f": {called}"
        return f"the best control that a user could have (it never reads{own_name})"
    return f"the best control (it never reads: {verdicts.describe_control(found)})"


def decide_as_good(found, judge, smallest, seen=""):
    """Return (verdict, why): is a judge as good as one more rater? Arguments of `decide_better`;
    seen: of `suspicion.suspect`; a judge that may know the ratings may have a no, never a yes."""
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
    the best of several. The best control is one that a user could have where it knows no author.
    """
    if rival == "stranger":
        rival = verdicts.find_rival(found)
    judges = verdicts.count_judges(found)
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
    `give_verdicts`; seen: of `suspicion.suspect`; a judge that may know the ratings has no yes.
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
    """Return {name: deficits} of the constants: the same score for all, the mean of the aspect,
    and, of pairs, always the one that was shown first, or second; arguments of `list_constants`."""
    guesses = {}
    for name, guess in alternative.make_unread(cases).items():
        is_constant = name.startswith("always") or name == "the aspect's mean"
        if is_constant:
            guesses[name] = guess
    if "name" in cases and "position" in cases:  # pairs, whose places are 1 and 2
        place = cases["position"].to_numpy(float)
        guesses["always the one shown first"] = 3 - place
        guesses["always the one shown second"] = place
    return {name: alternative.list_deficits(cases, guess, unit) for name, guess in guesses.items()}


def tell_what_decides(table, data, scores, found, judge, smallest, unit, seed, seen="", doubt=""):
    """Return for each verdict what would decide it, "" where it is decided; table: question,
    verdict, why; seen: of `suspicion.suspect`; doubt: of `doubt_author`; other arguments of
    `give_verdicts`."""
    is_open = table.set_index("question")["verdict"] == UNDECIDED
    rivals = {READS: "stranger", PERSON: "person"}
    told = []
    setting = None
    for question in table["question"]:
        if not is_open[question]:
            told.append("")
        elif question == REPLACE:
            told.append(tell_what_replaces(data, scores, found, judge, unit, seen))
        elif seen and not (question == PERSON and verdicts.find_no_meaning(found, smallest)):
            told.append(UNSEEN)
        elif question == READS and doubt and take_lead(found, judge, "stranger")["low"] > 0:
            told.append(LEARNABLE)
        else:
            if setting is None:
                setting = deciding.find_setting(data, found, judge, seed)
            told.append(tell_for_lead(found, judge, rivals[question], smallest, setting, scores))
    return told


def tell_for_lead(found, judge, rival, smallest, setting, scores):
    """Return what would decide an open question about a lead; setting: of
    `deciding.find_setting`."""
    lead = take_lead(found, judge, rival)
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
    """Return what would decide whether a judge may replace a rater; seen: of `suspicion.suspect`;
    other arguments of `give_verdicts`."""
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
