"""Yes, no or undecided about a judge, why, and what would decide.

A *yes* or a *no* is given only where the interval allows no other; the smallest difference that
matters is stated before. Three verdicts of the same question, with a smallest difference of 0.1:

    lead over the control    verdict
    0.20 [0.05, 0.35]        yes: all of it lies above 0
    0.02 [-0.04, 0.08]       no: a lead of 0.1 is excluded
    0.05 [-0.10, 0.20]       undecided: it may be nothing, and it may be 0.1 or more

What would decide comes from `deciding`.
"""

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import alternative, controls, deciding, notes, ratings, verdicts
from helpers.measures.compare import ENDS
from helpers.measures.intervals import ENOUGH
from helpers.measures.trial import lead_names

YES, NO, UNDECIDED = "yes", "no", "undecided"
COLUMNS = ["question", "verdict", "why", "what would decide"]
READS = "Does it read better than it could by not reading?"
STRANGER = "Does it read better than one could without reading or knowing the author?"
PERSON = "Is it as good as one more rater?"
REPLACE = "May it replace a rater?"
EPSILON = 0.2  # of the alternative annotator test: what a judge's lower cost is worth
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
    rows = list_leads(found, judge, smallest)
    rows.append(decide_replacement(data, scores, found, judge, unit))
    table = pd.DataFrame(rows, columns=COLUMNS[:3])
    table["why"] = table["why"].str[:1].str.upper() + table["why"].str[1:]
    table[COLUMNS[3]] = ""
    if ways:
        table[COLUMNS[3]] = tell_what_decides(
            table, data, scores, found, judge, smallest, unit, seed
        )
    return table


def list_leads(found, judge, smallest):
    """Return (question, verdict, why) of the questions about a judge's leads over the best control,
    over the best that does not know the author (where some control knows the author), and over a
    person."""
    rivals = {READS: "control"}
    if any(name in found.index for name in controls.KNOW_WRITER):
        rivals[STRANGER] = "stranger"
    rows = []
    for question, rival in rivals.items():
        rows.append((question, *decide_better(found, judge, rival, smallest)))
    return [*rows, (PERSON, *decide_as_good(found, judge, smallest))]


def decide_better(found, judge, rival, smallest):
    """Return (verdict, why): is a judge better than the "control" (or the "stranger")?

    found: of `compare.compare`; smallest: of `give_verdicts`. A constant is a control too: a yes
    asks for a lead over both, the best control and guessing, a no for one of them.
    """
    if np.isnan(found.at[judge, "estimate"]):
        return NO, f"{SAYS_THE_SAME}."
    lead = take_lead(found, judge, rival)
    above = rise_above_guess(found, judge)
    over_control = (
        f"its lead over the best control ({describe_rival(found, rival)}) is {show(lead)}"
    )
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
    """Return in words what the best control knows, or the name of the best that does not know the
    author."""
    return verdicts.describe_control(found) if rival == "control" else found.attrs["stranger"]


def decide_as_good(found, judge, smallest):
    """Return (verdict, why): is a judge as good as one more rater? Arguments of `decide_better`."""
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
    if lead["low"] > -smallest:
        return YES, f"{about}: less good by less than {smallest:g}, if at all."
    if lead["high"] < -smallest:
        return NO, f"{about}: less good by more than {smallest:g}."
    return UNDECIDED, f"{about}: it may be less good by {smallest:g} or more, and by less."


def take_lead(found, judge, rival):
    """Return estimate, low, high, n of a judge's lead over a rival, widened where the judge may be
    the best of several."""
    judges = (found["kind"] == "judge").sum()
    lead = found.loc[judge, [*lead_names(rival), "n"]].set_axis(ENDS)
    return verdicts.take_lead(found.loc[judge], rival, judges) if lead.notna().all() else lead


def show(lead):
    """Return a lead and its number of groups as text."""
    return f"{results.format_interval(lead)} ({lead['n']:.0f} groups)"


def decide_replacement(data, scores, found, judge, unit):
    """Return (question, verdict, why): may a judge replace a rater, by the alternative annotator
    test with epsilon 0.2, and would a constant pass it too?

    yes: it wins against half of the raters or more, and no constant does; no: it clearly loses to
    more than half; undecided: any other, also where a constant passes. Arguments of
    `give_verdicts`.
    """
    obstacle = notes.find_obstacle(data, scores, found)
    if obstacle:
        return REPLACE, UNDECIDED, obstacle
    cases = ratings.find_cases(data)
    matched = ratings.match_scores(cases, scores)
    deficits = alternative.list_deficits(cases, matched[judge], unit)
    if not deficits:
        return REPLACE, UNDECIDED, tell_too_few()
    raters = len(deficits)
    wins = alternative.beat_raters(deficits, EPSILON).sum()
    losses = alternative.beat_raters([-of_rater for of_rater in deficits], -EPSILON).sum()
    about = f"it wins against {wins} of {raters} raters, and clearly loses to {losses}"
    if wins < raters / 2 and losses > raters / 2:
        return REPLACE, NO, f"{about}."
    if wins < raters / 2:
        return REPLACE, UNDECIDED, f"{about}: the others are open."
    constants = list_constants(cases, unit)
    if constants:
        passing = " and ".join(constants)
        return REPLACE, UNDECIDED, f"{about}, but so does what never reads: {passing}."
    return REPLACE, YES, f"{about}; a constant would not pass."


def tell_too_few():
    """Return why the alternative annotator test cannot be made."""
    return f"No rater has {alternative.LEAST} items that others rated."


def list_constants(cases, unit):
    """Return the names of the constants (also the mean of the aspect) that would pass the test;
    cases, unit: of `alternative.list_deficits`."""
    passing = []
    for name, guess in alternative.make_unread(cases).items():
        is_constant = name.startswith("always") or name == "the aspect's mean"
        if is_constant:
            deficits = alternative.list_deficits(cases, guess, unit)
            if deficits and alternative.beat_raters(deficits, EPSILON).mean() >= 0.5:
                passing.append(name)
    return passing


def tell_what_decides(table, data, scores, found, judge, smallest, unit, seed):
    """Return for each verdict what would decide it, "" where it is decided; table: question,
    verdict, why; other arguments of `give_verdicts`."""
    is_open = table.set_index("question")["verdict"] == UNDECIDED
    rivals = {READS: "control", STRANGER: "stranger", PERSON: "person"}
    told = []
    setting = None
    for question in table["question"]:
        if not is_open[question]:
            told.append("")
        elif question == REPLACE:
            told.append(tell_what_replaces(data, scores, found, judge, unit))
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


def tell_what_replaces(data, scores, found, judge, unit):
    """Return what would decide whether a judge may replace a rater; arguments of
    `give_verdicts`."""
    if notes.is_other_scale(data, scores):
        return "Scores on the scale of the ratings."
    if notes.find_obstacle(data, scores, found):
        return "Five groups or more, two raters for each item, and people who agree."
    cases = ratings.find_cases(data)
    deficits = alternative.list_deficits(cases, ratings.match_scores(cases, scores)[judge], unit)
    if not deficits:
        return f"{alternative.LEAST} items or more by each rater, each rated by others too."
    passes = alternative.beat_raters(deficits, EPSILON).mean() >= 0.5
    if passes and list_constants(cases, unit):
        return "No number of items: a test is needed that a constant fails."
    there = int(np.median([len(of_rater) for of_rater in deficits]))
    needed = deciding.count_units_needed(deficits, EPSILON)
    of = "items" if len(unit) == 1 else "verdicts"
    if needed <= there:
        return (
            f"More {of} would help little: {there:,} by each rater show a judge as near as the "
            "raters in 80 of 100 studies, and this one is neither that nor clearly farther."
        )
    if needed * len(deficits) > deciding.FEASIBLE:
        return f"No study of feasible size: about {needed:,} {of} by each rater."
    more = (needed - there) * len(deficits)
    return f"About {needed:,} {of} by each rater instead of {there:,}: {more:,} more ratings."
