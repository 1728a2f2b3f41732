"""The one comparison: judges, a person, controls and the ceiling, on the same cases."""

import itertools
from typing import NamedTuple

import numpy as np
import pandas as pd

from goodjudge.comparison import controls
from goodjudge.comparison.cases import Measured, Trial, lead_names
from goodjudge.comparison.noise_ceiling import NOT_ASKED, find_ceiling
from goodjudge.data import ratings
from goodjudge.stats import intervals, metrics
from goodjudge.stats.covariates import deal_groups

PERSON, CEILING = "a person", "a perfect judge"
ENDS = ["estimate", "low", "high", "n"]
ENOUGH = intervals.ENOUGH  # groups; of fewer there is no interval
MANY = 20  # groups, above which a control is chosen fold by fold (`unread.FOLDS` of them)
ASKED = {"others": "the other raters", "all": "all raters"}  # how `target` is said to readers
TAKEN = {  # names of rows that are no judge, here and on a card
    PERSON,
    CEILING,
    *controls.MEANS,
    controls.CONSTANT,
    controls.LENGTH,
    controls.COUNT,
    controls.SHOWN_FIRST,
    controls.SHOWN_LAST,
    controls.BEST,
    controls.BEST_STRANGER,
    "one more rater",
    "who wrote it",
    "who wrote it, by aspect",
}
POWER = ["found", "found low", "found high"]  # how often a perfect judge's lead is clear


def compare(
    data,
    scores,
    measure,
    *,
    target="others",
    within=(),
    over=("group",),
    level=0.95,
    seed=0,
    simulate=True,
    together=False,
):
    """Return one row per scorer: how far it follows people, beside all it must be held against.

    data: `Ratings`; scores: item, judge, score and perhaps aspect, status, repeat, order, partner
    (see `ratings.match_scores`); measure: of `statistics`, taken within the columns `within`. over:
    the groups that intervals speak of, one column or two (a claim about new writers and new
    prompts). target="others": a judge and a left-out rater are held against the same remaining
    raters, on the same cases, each rater in turn, and a correlation is the mean over raters; "all":
    everybody against the mean of all raters, where no person can be a row (also where no item has
    two raters).

    Columns: kind (judge, person, control, ceiling), estimate, low, high, n (groups; no interval
    from fewer than five); the paired leads on the cases that both answered: `over control` (the
    best that reads nothing), `over stranger` (the best that does not know the writer either) and
    `over person`, each with low and high; and `visible`, the lead over the control that 80 of 100
    such studies would find. The best control is chosen for each group on the others (of more than
    twenty groups, for each fifth of them on the other four). The ceiling is simulated
    (`ceiling.find_ceiling`), but not with simulate=False; it is never below the best control, which
    it contains. together=True: the intervals of the judges, and of their leads, hold for all judges
    at once, so that the best may be looked at (`intervals.find_max_t`); the person's and the
    controls' stay as they are.

    attrs: target; control and stranger, the names of their rows; chosen, the control of most
    groups; people, the raters of whom the person is the mean; guess, the value that guessing has;
    scale, of `intervals.widen`; together, as given; found, found low, found high, per cent of
    studies in which the perfect judge's lead over the control would be clear; why, if there is no
    ceiling; fitted, the ceiling by the model alone, where the control is above it.
    """
    refuse_loose_orders(data, within)
    refuse_names(scores)
    cases, target = list_cases(data, target, measure)
    trial = Trial(cases, measure, within, over, level)
    judges = apply_to_all(trial, ratings.match_scores(cases, scores))
    person = trial.apply(cases["person"].to_numpy(float))
    unread = apply_to_all(trial, controls.make_controls(cases, measure, within, trial.labels))
    best, stranger = choose_both(trial, unread)
    best = measure_without_each(trial, best)
    if stranger.name != best.name:
        stranger = measure_without_each(trial, stranger)
    scorers = Scorers(judges, person, unread, best, stranger)
    top = NOT_ASKED
    if simulate:
        rng = np.random.default_rng(seed)
        top = find_ceiling(data, trial, best, person, rng)
    rows = rate_alone(trial, scorers)
    add_leads(rows, trial, scorers)
    if together:
        widen_together(rows, trial, scorers)
    rows[CEILING] = raise_to(top.row, rows[best.name]["estimate"])
    table = lay_out_rows(rows, judges)
    people = cases.loc[cases["person"].notna(), "rater"].nunique()
    table.attrs = {
        "target": ASKED[target],
        "control": best.name,
        "stranger": stranger.name,
        "chosen": best.usual,
        "people": int(people),
        "guess": metrics.find_guess(measure),
        "scale": trial.scale,
        "together": together,
        **dict(zip(POWER, top.found)),
        "why": top.why,
        "fitted": top.row["estimate"],
    }
    return table


def raise_to(row, control):
    """Return the row of a perfect judge, raised to the value of the best control where the model of
    the ratings puts it lower: what the control knows, the perfect judge knows, too."""
    if not row["estimate"] < control:
        return row
    return row | {"estimate": control, "high": max(row["high"], control)}


def refuse_loose_orders(data, within):
    """Raise ValueError for pairs and ranks that are not compared within their sets, where places
    mean nothing; data, within: of `compare`."""
    if "set" in data.items and not {"set", "group"}.intersection(within):
        raise ValueError("pairs and ranks have an order within sets alone: orders.choose_within")


def refuse_names(scores):
    """Raise ValueError for a judge that is called like a row that is no judge: one of them would
    have the other's numbers."""
    for name in scores["judge"].unique():
        if name in TAKEN:
            raise ValueError(f"judge {name!r}: a row of the table that is no judge is called so")


def list_cases(data, target, measure):
    """Return (the cases, what they are held against: "others" or "all"); all raters where no item
    has two. data, target, measure: of `compare`."""
    cases = ratings.find_cases(data, target)
    if target == "others" and cases.empty:
        target = "all"
        cases = ratings.find_cases(data, target)
    return leave_ties_out(cases, measure), target


def rate_alone(trial, scorers):
    """Return {name: {estimate, low, high, n}} of all judges, the person and the controls; trial: a
    `Trial`; scorers: `Scorers`.

    The row of the chosen control counts its choice, as its lead does: also where it is a control
    with a name of its own, since another study might have chosen another.
    """
    everybody = {**scorers.judges, PERSON: scorers.person, **scorers.unread}
    rows = {name: dict(trial.rate(scorer)) for name, scorer in everybody.items()}
    # best last, so that it wins where both have one name
    choices = {choice.name: choice for choice in (scorers.stranger, scorers.best)}
    # first the usual control by itself; where the choice is that control, the second loop writes
    # over its row, now with the unrest of the choice
    for choice in choices.values():
        usual = trial.count_constant_as_zero(scorers.unread[choice.usual])
        rows[choice.usual] = dict(trial.rate(usual))
    for name in dict.fromkeys([scorers.best.name, scorers.stranger.name]):
        control = trial.count_constant_as_zero(choices[name].control)
        rows[name] = dict(trial.rate(control, choices[name].unrest))
    return rows


def add_leads(rows, trial, scorers):
    """Add the paired leads to the rows of `rate_alone`: of judges and person over the controls, of
    judges and the best control over the person."""
    judges, person, _, best, stranger = scorers
    for name, scorer in [*judges.items(), (PERSON, person)]:
        rows[name] |= trial.lead("control", scorer, best.control, best.unrest)
        if stranger.name != best.name:
            rows[name] |= trial.lead("stranger", scorer, stranger.control, stranger.unrest)
    for name, scorer in [*judges.items(), (best.name, best.control)]:
        unrest = best.unrest if name == best.name else 0.0
        rows[name] |= trial.lead("person", scorer, person, unrest)


def widen_together(rows, trial, scorers):
    """Make the intervals of the judges, and of their leads, hold for all judges at once.

    rows: of `rate_alone` and `add_leads`; trial: a `Trial`; scorers: `Scorers`. One critical value
    for the judges' own values and one for each rival.
    """
    judges, person, _, best, stranger = scorers
    judges = {name: judge for name, judge in judges.items() if not np.isnan(rows[name]["low"])}
    if len(judges) < 2:
        return
    there, _ = intervals.SCALES[trial.scale]
    own = [[there(part) for part in judge.left] for judge in judges.values()]
    stretch_rows(rows, judges, own, ["estimate", "low", "high"], trial, scale=trial.scale)
    rivals = {
        "control": (best.control, best.unrest),
        "stranger": (stranger.control, stranger.unrest),
        "person": (person, 0.0),
    }
    for rival, (against, unrest) in rivals.items():
        names = lead_names(rival)
        led = [name for name in judges if not np.isnan(rows[name].get(names[1], np.nan))]
        if len(led) > 1:
            leads = [trial.subtract(judges[name], against)[1] for name in led]
            stretch_rows(rows, led, leads, names, trial, unrest)


def stretch_rows(rows, judges, parts, names, trial, extra=0.0, scale=None):
    """Stretch the intervals of some judges by `intervals.find_factor`.

    rows: {name: {column: number}}, changed in place; judges: names; parts: of each judge; names:
    the columns of estimate, low, high; trial: a `Trial`; extra: a variance that all share.
    """
    factor = intervals.find_factor(parts, trial.level, extra)
    for judge in judges:
        estimate, low, high = (rows[judge][name] for name in names)
        ends = intervals.stretch(low, estimate, high, factor, scale)
        rows[judge] |= dict(zip(names[1:], ends))
        if names[0] == "over control":
            rows[judge]["visible"] *= factor


def lay_out_rows(rows, judges):
    """Return {name: row} as the table of `compare`, its columns in order; judges: their names."""
    leads = [*lead_names("control"), "visible", *lead_names("stranger"), *lead_names("person")]
    table = pd.DataFrame.from_dict(rows, orient="index", dtype=float).rename_axis("who")
    table = table.reindex(columns=[*ENDS, *leads])
    kinds = dict.fromkeys(judges, "judge") | {PERSON: "person", CEILING: "ceiling"}
    table.insert(0, "kind", [kinds.get(name, "control") for name in table.index])
    return table


def leave_ties_out(cases, measure):
    """Return the cases; of a measure of Yes and No those without a target in which the other raters
    tie, for they say neither."""
    if measure not in metrics.OF_TWO_KINDS:
        return cases
    decided = cases["target"] != 0.5
    return cases.assign(target=cases["target"].where(decided))


def apply_to_all(trial, scores):
    """Return {name: `trial.Measured`} of {name: one score per case}."""
    return {name: trial.apply(score) for name, score in scores.items()}


class Choice(NamedTuple):
    """The best control. name: of its row; control: a `trial.Measured`; usual: the control that most
    groups have; unrest: of `find_unrest`."""

    name: str
    control: Measured
    usual: str
    unrest: float = 0.0


class Scorers(NamedTuple):
    """Who is compared. judges, unread (controls): {name: `trial.Measured`}; person: a
    `trial.Measured`; best, stranger: the `Choice` of the best control, and of the best that does
    not know the writer."""

    judges: dict
    person: Measured
    unread: dict
    best: Choice
    stranger: Choice


def choose_both(trial, unread):
    """Return the `Choice` of the best control, and of the best that does not know the writer.

    trial: a `Trial`; unread: {name: `trial.Measured`} of all controls. Three levels: a control is
    *learnt* on other groups (`controls.learn_controls`); one is *chosen* for each fold of groups,
    by how it does on the others, learnt without the fold (`choose_once`); all this is *repeated*
    without each fifth of the groups, to see how much another study's choice would differ
    (`choose_without_each`, `find_unrest`). With the fifths A to E:

        parts[A]         all cases but A's, and the controls learnt on B, C, D, E
        learnt[A, B]     the controls learnt on C, D, E
        again[A]         in B the control of parts[A] whose learnt[A, B] does best on C, D, E; in C
                         the one whose learnt[A, C] does best on B, D, E; …
    """
    if list(unread) == [controls.CONSTANT]:  # nothing to learn, nothing to choose
        constant = Choice(controls.CONSTANT, unread[controls.CONSTANT], controls.CONSTANT)
        return constant, constant
    fifths = deal_groups(trial.groups[0], trial.known.writers)
    parts = list_parts(trial, fifths)
    folds = find_choice_folds(trial, fifths)
    if folds is fifths:
        learnt = [part.unread for part in parts]
    else:
        learnt = [part.unread for part in list_parts(trial, folds)]
    best, stranger = choose_once(trial, unread, folds, learnt)
    again = choose_without_each(parts, fifths)
    unrest_of_best = find_unrest(best, parts, [best_anew for best_anew, _ in again])
    unrest_of_stranger = find_unrest(stranger, parts, [stranger_anew for _, stranger_anew in again])
    return best._replace(unrest=unrest_of_best), stranger._replace(unrest=unrest_of_stranger)


def measure_without_each(trial, choice):
    """Return a `Choice` whose control is measured without each group in turn, as a lead needs it;
    `choose_both` spares the time for each of many controls."""
    return choice._replace(control=trial.apply(choice.control.score))


def choose_once(trial, unread, folds, learnt):
    """Return the two `Choice` of `choose_both`, their unrest not yet known.

    folds: of each case, whole numbers from 0, within which one control is chosen; learnt: the
    controls learnt without each fold, {name: `trial.Measured`} each.
    """
    best = choose_control(trial, unread, folds, learnt, controls.BEST)
    strangers = {name: unread[name] for name in unread if name not in controls.KNOW_WRITER}
    if len(strangers) == len(unread):  # none knows the writer
        return best, best
    stranger = choose_control(trial, strangers, folds, learnt, controls.BEST_STRANGER)
    return best, stranger


class Part(NamedTuple):
    """A comparison without some groups. kept: of each case of the whole, True where it is kept;
    trial: the `Trial` of these; unread: {name: `trial.Measured`} of the controls, learnt on them
    alone."""

    kept: np.ndarray
    trial: Trial
    unread: dict


def make_part(trial, kept):
    """Return the `Part` of a `Trial` with the cases kept (True for each). A count whose sign was
    learnt with all would be chosen just where it suits what is left out."""
    smaller = trial.keep(kept)
    scores = controls.learn_controls(smaller.known, trial.measure, trial.within, smaller.labels)
    return Part(kept, smaller, {name: smaller.measure_alone(scores[name]) for name in scores})


def list_parts(trial, folds):
    """Return a list of the `Part` of a `Trial` without each fold (of each case, 0, 1, …)."""
    return [make_part(trial, folds != fold) for fold in np.unique(folds)]


def choose_without_each(parts, fifths):
    """Return the two `Choice` of `choose_both` for each `Part` without a fifth of the groups; its
    folds are the other fifths. Without the first and the second is what is left without the second
    and the first, so that each pair is learnt once.

    parts: of `list_parts`; fifths: of each case of the whole, 0, 1, …
    """
    learnt = {}  # {two fifths: the controls without them}
    for first, second in itertools.combinations(range(len(parts)), 2):
        part = parts[first]
        kept = fifths[part.kept] != second
        learnt[frozenset([first, second])] = make_part(part.trial, kept).unread
    again = []
    for fifth, part in enumerate(parts):
        # the other fifths, renumbered from 0, in the order of `others`
        folds = np.unique(fifths[part.kept], return_inverse=True)[1]
        others = [other for other in range(len(parts)) if other != fifth]
        without_two = [learnt[frozenset([fifth, other])] for other in others]
        again.append(choose_once(part.trial, part.unread, folds, without_two))
    return again


def find_unrest(choice, parts, again):
    """Return the variance that learning and choosing a control add to that of its value.

    choice: a `Choice`; parts: of `list_parts`, without each fifth of the groups; again: the
    `Choice` on each of them. It is the variance of the moves: by how much the control's value over
    the cases kept differs if it is learnt and chosen on them alone. The jackknife of a lead takes
    the control as it is, and alone its interval covers 78 % where eleven random counts are at hand;
    with this, 88 to 97 % in the designs of benchmarks/passport.py. (A jackknife that learns and
    chooses anew would add four times as much: its intervals are twice too wide, for a choice
    jumps.)
    """
    moves = []
    for part, anew in zip(parts, again):
        as_it_is = part.trial.measure_alone(choice.control.score[part.kept])
        moves.append(find_move(part.trial.measure, anew.control.value, as_it_is.value))
    return float(np.var(moves)) if moves else 0.0


def find_move(measure, anew, as_it_is):
    """Return by how much a control's value over some cases differs if it is learnt on them alone
    (anew); a value that is not known (nan) counts as guessing."""
    values = np.nan_to_num([anew, as_it_is], nan=metrics.find_guess(measure))
    return values[0] - values[1]


def choose_control(trial, unread, folds, learnt, title):
    """Return the `Choice` of the best control, chosen for each fold of groups on the others, so
    that the choice does not favour it.

    unread: {name: `trial.Measured`}; folds, learnt: of `choose_once`. Where all folds have the same
    choice it is that control, else it is called `title`. Controls of different scales are put on
    one, within the labels; a Yes or a No stays one, each control having its own cutoff at the mean
    (`controls.learn_controls`). Where none follows people, it is the constant; of controls that are
    equally good elsewhere, the first.
    """
    names = list(unread)
    guess = metrics.find_guess(trial.measure)
    values = np.full((len(names), len(learnt)), guess)  # controls x folds
    for fold, without in enumerate(learnt):
        for row, name in enumerate(names):
            if name in without and len(unread[name].rows):
                values[row, fold] = np.nan_to_num(without[name].value, nan=guess)
    chosen = np.argmax(values.round(9), axis=0)
    times = np.bincount(chosen, minlength=len(names))
    usual = names[int(np.argmax(times))]
    if times.max() == times.sum():
        return Choice(usual, unread[usual], usual)
    scores = [unread[name].score for name in names]
    if trial.measure is not metrics.balanced_accuracy:  # there a Yes from 0.5 on has a meaning
        scores = [metrics.put_on_one_scale(score, trial.labels) for score in scores]
    control_of_case = chosen[folds]
    mixed = np.array(scores)[control_of_case, np.arange(len(folds))]  # of each case, its control's
    return Choice(title, trial.measure_alone(mixed), usual)


def find_choice_folds(trial, fifths):
    """Return the fold of each case within which one control is chosen: its group, or, of more than
    twenty groups, its fifth of them (`unread.deal_groups`). With one group of many left out at a
    time, a control that knows nothing would be chosen for just the groups that speak against it.
    """
    groups = trial.groups[0]
    if groups.max(initial=0) < MANY:
        return groups
    return fifths


def summarise(found, judge):
    """Return the rows that a reader asks for first: estimate, low, high, n of judge, person, both
    best controls and a perfect judge, and the judge's paired leads over controls and person.

    found: of `compare` (with together=True where the judge is the best of several); judge: a name
    in it. *A user could have* the control that does not know the writer; where the best control
    does, it has a row of its own.
    """
    control, stranger = found.attrs["control"], found.attrs["stranger"]
    names = {judge: "the judge", PERSON: PERSON}
    rivals = {"stranger": f"control that a user could have: {stranger}"}
    names[stranger] = rivals["stranger"]
    if control != stranger:
        rivals["control"] = f"control that knows the author: {control}"
        names[control] = rivals["control"]
    rows = found.loc[[*names, CEILING], ENDS].rename(names | {CEILING: CEILING})
    rivals = {rival: name.partition(": ")[0] for rival, name in rivals.items()} | {"person": PERSON}
    for rival, who in rivals.items():
        columns = lead_names("control" if rival == "stranger" and control == stranger else rival)
        lead = found.loc[judge, [*columns, "n"]].astype(float).set_axis(ENDS)
        rows.loc[f"the judge less {who}"] = lead
    return rows


def to_values(tables, of="one judge"):
    """Return {name: number} for `results.save_findings`; tables: {task: rows of `summarise`}; of:
    "one judge" (the open one) or "best judge" (the best of a study, its choice corrected for)."""
    values = {}
    for task, table in tables.items():
        for row, numbers in table.iterrows():
            for end in ENDS:
                values[" / ".join([of, task, row, end])] = float(numbers[end])
    return values


def from_values(values, of="one judge"):
    """Return (task, row): estimate, low, high, n of what `to_values` wrote; other values are left
    out."""
    numbers = {}
    for name, number in values.items():
        first, *names = name.split(" / ")
        if first == of:
            numbers[tuple(names)] = number
    index = pd.MultiIndex.from_tuples(numbers, names=["task", "row", None])
    return pd.Series(list(numbers.values()), index, float).unstack(sort=False)
