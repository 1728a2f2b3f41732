"""Does a claim depend on a choice? The same estimate by other ways, and without each rater.

A claim is a difference from 0 with its interval, such as the lead of a judge over a person. A study
lists the ways to compute it, the one that it reports first (`vary` in `ttcw`, `refbased`, `poetry`,
`evolvr` and `edits`). `vary` here sets them in a table and says how each stands to the first:

                             estimate    low   high    n   against the first
    balanced accuracy            0.10   0.02   0.18   12   the same
    all 48 stories               0.08   0.01   0.15   12   the same
    for new experts too          0.10  -0.04   0.24   11   no longer clear

Supplement S1 shows them all. How judges lead their rivals by each way is computed by `find_leads`
and `average_raters`: leads are kept as {(judge, rival): a row estimate, low, high, n}.
"""

import numpy as np
import pandas as pd
from goodjudge.comparison import cases as trial
from goodjudge.comparison import compare, controls
from goodjudge.comparison.compare import ENDS
from goodjudge.data import ratings
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics
from goodjudge.stats.jackknife import by_block

from helpers import results

SAME, LOST, FOUND, TURNED = "the same", "no longer clear", "now clear", "turned round"
UNKNOWN = "no interval"
ASIDE = "another question"  # such as one about another rival: shown, and not counted
ANSWERS = {1: "clearly above zero", 0: "not clear", -1: "clearly below zero"}
VERDICT = "against the first"  # the column of these words
RIVALS = GUESSING, PERSON, CONTROL = "guessing", "a person", "the best control"


def vary(claims, aside=()):
    """Return a table of one claim under several definitions: estimate, low, high, n and `against
    the first`, what each says beside the first row: the same, no longer clear, now clear, turned
    round (clear, with the other sign), no interval, another question.

    claims: {definition: a row estimate, low, high, n}; a difference from 0 is the claim. aside:
    definitions that ask another question.
    """
    table = pd.DataFrame(claims).T[ENDS].astype(float)
    signs = table.apply(find_sign, axis=1)
    table[VERDICT] = [set_against(signs.iloc[0], sign) for sign in signs]
    table.loc[table.index.isin(aside), VERDICT] = ASIDE
    return table


def keep_counted(table):
    """Return the rows of a table of `vary` that ask the first one's question."""
    return table[table[VERDICT] != ASIDE]


def vary_each(definitions, aside=()):
    """Return {claim: table of `vary`} of several claims that are computed together.

    definitions: {definition: {claim: a row}}. The claims are those of the first definition; one
    that says nothing about a claim has no line in its table. aside: of `vary`.
    """
    claims = next(iter(definitions.values()))
    tables = {}
    for claim in claims:
        rows = {
            name: by_claim[claim] for name, by_claim in definitions.items() if claim in by_claim
        }
        tables[claim] = vary(rows, aside)
    return tables


def find_sign(row):
    """Return 1 or -1 where a row is clearly above or below 0, 0 where neither is clear, nan where
    there is no interval."""
    if np.isnan(row["low"]):
        return np.nan
    if row["low"] > 0:
        return 1
    if row["high"] < 0:
        return -1
    return 0


def set_against(first, sign):
    """Return what a definition says beside the first one; both: of `find_sign`."""
    if np.isnan(sign):
        return UNKNOWN
    if sign == first:
        return SAME
    if sign == 0:
        return LOST
    if sign == -first:
        return TURNED
    return FOUND


def leave_raters_out(data, claim, raters=None):
    """Return {"without rater r": a claim for the data without this rater}, each rater in turn, in
    order.

    data: `Ratings`; claim: a function of Ratings; raters: those who are left out (None: all).
    """
    if raters is None:
        raters = data.ratings["rater"].unique()
    left_out = {}
    for rater in sorted(raters):
        others = data._replace(ratings=data.ratings[data.ratings["rater"] != rater])
        left_out[f"without rater {rater}"] = claim(others)
    return left_out


def find_extremes(rows, name):
    """Return the two of some rows with the smallest and the largest estimate, named so that a table
    need not list them all; rows: {what was left out: a row}; name: what they have in common."""
    ends = find_ends(rows)
    return {f"{name}, {end} ({which})": rows[which] for end, which in ends.items()}


def find_extremes_of_each(left_out, name):
    """Return {definition: {claim: a row}}, as `vary_each` takes them: the smallest and the largest
    of each claim. They do not say who was left out, as that differs from claim to claim.

    left_out: {what was left out: {claim: a row}}; name: what they have in common.
    """
    extremes = {f"{name}, smallest": {}, f"{name}, largest": {}}
    claims = next(iter(left_out.values()))
    for claim in claims:
        rows = {which: by_claim[claim] for which, by_claim in left_out.items()}
        for end, which in find_ends(rows).items():
            extremes[f"{name}, {end}"][claim] = rows[which]
    return extremes


def find_ends(rows):
    """Return {"smallest", "largest": the name of the row with this estimate}; rows: {name: a row}.
    Of equal ones the first is the smallest, the last the largest."""
    estimates = pd.Series({name: row["estimate"] for name, row in rows.items()}).round(9)
    in_order = estimates.sort_values(kind="stable").index
    return {"smallest": in_order[0], "largest": in_order[-1]}


def summarise(tables):
    """Return a row per claim: the first way's estimate, low, high and n, and its answer (of
    ANSWERS); how many other ways it was computed in; in how many of these the conclusion is
    another; and their names.

    tables: {claim: table of `vary`}. A way without an interval is not counted, nor one that asks
    another question.
    """
    rows = {}
    for claim, table in tables.items():
        first, others = table.iloc[0], keep_counted(table.iloc[1:])
        others = others[others[VERDICT] != UNKNOWN]
        differ = others[others[VERDICT] != SAME]
        named = [f"{way} ({row[VERDICT]})" for way, row in differ.iterrows()]
        counts = {"other ways": len(others), "otherwise": len(differ)}
        answer = {"first answer": ANSWERS[find_sign(first)]}
        rows[claim] = {**first[ENDS], **answer, **counts, "which": "; ".join(named)}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("claim")


def tabulate(tables, digits=2):
    """Return tables of `vary` as one of text, a column each and a row per definition; what differs
    from the first row is said in its cell. tables: {name of the column: table}; digits: behind the
    point, three where an interval begins close to 0."""
    definitions = pd.concat(tables.values()).index.unique()
    columns = {}
    for name, table in tables.items():
        texts = table.apply(results.estimate_cell, axis=1, digits=digits)
        verdicts = table[VERDICT]
        texts = texts.where(verdicts == SAME, texts + ": " + verdicts)
        columns[name] = texts.reindex(definitions).fillna("")
    return pd.DataFrame(columns)


# ── How judges lead their rivals ──────────────────────────────────────────────────────────────────


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
    return row[ENDS] - [guess, guess, guess, 0]


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
