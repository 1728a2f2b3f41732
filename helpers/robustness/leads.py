"""By how much judges lead guessing, a person and the best control, by definitions of a reader's
choice.

`compare.compare` gives these leads as a study reports them. Here they are computed again in other
ways, for `sensitivity.vary_each`: on other cases (`find_leads` takes the cases themselves), over
other groups, against a control that was chosen on the same groups, rater by rater
(`average_raters`). Leads are kept as {(judge, rival): a row estimate, low, high, n}.
"""

import numpy as np
import pandas as pd
from goodjudge.comparison import cases as trial
from goodjudge.comparison import compare, controls
from goodjudge.data import ratings
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics
from goodjudge.stats.jackknife import by_block

RIVALS = GUESSING, PERSON, CONTROL = "guessing", "a person", "the best control"


def find_leads(cases, scores, measure, *, within=(), over=("group",), nested=True):
    """Return each judge's leads over guessing, a person and the best control: {(judge, rival): a
    row}, as `compare.compare` has them of the same cases.

    cases: of `ratings.find_cases`; scores: item, judge, score and perhaps aspect; measure, within,
    over: of `compare.compare`; nested: the control is chosen for each group on the others (else on
    all groups, which favours it).
    """
    cases = compare.leave_ties_out(cases, measure)
    whole = trial.Trial(cases, measure, within, over, level=0.95)
    person = whole.apply(cases["person"].to_numpy(float))
    control, unrest = find_best_control(whole, nested)
    leads = {}
    for judge, score in ratings.match_scores(cases, scores).items():
        judged = whole.apply(score)
        leads[judge, GUESSING] = subtract_guess(whole.rate(judged), measure)
        leads[judge, PERSON] = find_lead(whole, judged, "person", person)
        leads[judge, CONTROL] = find_lead(whole, judged, "control", control, unrest)
    return leads


def find_best_control(whole, nested):
    """Return the best control of a `trial.Trial`: (a `trial.Measured`, the variance that learning
    and choosing it add, 0 unless nested); nested: of `find_leads`. One that does not vary counts as
    guessing does: a correlation of 0, a share of .5."""
    scores = controls.make_controls(whole.cases, whole.measure, whole.within, whole.labels)
    unread = {name: whole.measure_alone(score) for name, score in scores.items()}
    if nested:
        best, _ = compare.choose_both(whole, unread)
        return whole.apply(best.control.score), best.unrest
    guess = statistics.find_guess(whole.measure)
    values = {name: np.nan_to_num(control.value, nan=guess) for name, control in unread.items()}
    best = max(values, key=lambda name: values[name].round(9))
    return whole.apply(scores[best]), 0.0


def find_lead(whole, judged, rival, against, unrest=0.0):
    """Return estimate, low, high, n of a judge's lead on the cases that both answered; nan where
    there are none.

    whole: a `trial.Trial`; judged, against: a `trial.Measured` of the judge and of its rival, a
    "person" or the "control"; unrest: of `compare.find_unrest`.
    """
    lead = whole.lead(rival, judged, against, unrest)
    if not lead:
        return intervals.row()
    ends = [lead[name] for name in trial.lead_names(rival)]
    return intervals.row(*ends, whole.count(trial.list_shared(judged, against)))


def subtract_guess(row, measure):
    """Return a row (estimate, low, high, n) of a measure less what guessing has: 0 or 0.5."""
    guess = statistics.find_guess(measure)
    return row[compare.ENDS] - [guess, guess, guess, 0]


def average_raters(cases, scores, measure, *, within=(), least=trial.ALONE):
    """Return each judge's leads over guessing and a person, {(judge, rival): a row}, computed on
    each rater's cases and then averaged: raters of `least` items or more count, all with the same
    weight. nan where there is no such rater; intervals over groups.

    cases, scores, measure, within: of `find_leads`.
    """
    cases = keep_busy_raters(cases, least)
    cases = compare.leave_ties_out(cases, measure)
    leads = {}
    for judge, score in ratings.match_scores(cases, scores).items():
        has_both = cases["target"].notna() & ~np.isnan(score)
        answered = cases[has_both].reset_index(drop=True)
        own, lead = average_leads(answered, score[has_both], measure, within)
        leads[judge, GUESSING] = own
        leads[judge, PERSON] = lead
    return leads


def keep_busy_raters(cases, least):
    """Return the cases of raters who rated so many items or more."""
    items = cases.groupby("rater")["item"].transform("nunique")
    return cases[items >= least].reset_index(drop=True)


def average_leads(cases, score, measure, within):
    """Return (lead over guessing, lead over a person), each a mean over raters; score: one number
    per case. nan without cases."""
    if cases.empty:
        return intervals.row(), intervals.row()
    target = cases["target"].to_numpy(float)
    person = cases["person"].to_numpy(float)
    labels = trial.label_cases(cases, within)
    rater, _ = pd.factorize(cases["rater"])

    def average(values, rows):
        by_rater, _ = by_block(measure, values[rows], target[rows], labels[rows], rater[rows])
        return statistics.mean_of_known(by_rater)

    def lead_over_person(rows):
        return average(score, rows) - average(person, rows)

    groups = cases["group"].to_numpy()
    own = intervals.over_groups(groups, lambda rows: average(score, rows))
    return subtract_guess(own, measure), intervals.over_groups(groups, lead_over_person)


def keep_rival(leads, rival):
    """Return the leads over one rival alone."""
    return {claim: row for claim, row in leads.items() if rival in claim}


def widen_all(leads, tests):
    """Return the leads with intervals corrected for the best of several `tests` (Bonferroni)."""
    return {claim: intervals.widen(row, tests) for claim, row in leads.items()}
