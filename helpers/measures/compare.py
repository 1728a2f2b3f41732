"""The one comparison: judges, a person, controls and the ceiling, on the same cases."""

import numpy as np
import pandas as pd

from helpers.measures import controls, ratings, statistics
from helpers.measures.ceiling import NOT_ASKED, find_ceiling
from helpers.measures.trial import ENOUGH, Trial, lead_names

PERSON, CEILING = "a person", "a perfect judge"
ENDS = ["estimate", "low", "high", "n"]
MANY = 20  # single items, above which a control is chosen fold by fold (`controls.FOLDS` of them)
ASKED = {"others": "the other raters", "all": "all raters"}  # how `target` is said to readers


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
    such studies would find. The best control is chosen for each group on the others. The ceiling is
    simulated (`ceiling.find_ceiling`), but not with simulate=False.

    attrs: target; control and stranger, the names of their rows; chosen, the control of most
    groups; people, the raters of whom the person is the mean; found, found low, found high, per
    cent of studies in which the perfect judge's lead over the control would be clear; why, if there
    is no ceiling.
    """
    cases = ratings.find_cases(data, target)
    if target == "others" and cases.empty:
        target, cases = "all", ratings.find_cases(data, "all")
    cases = leave_ties_out(cases, measure)
    trial = Trial(cases, measure, within, over, level)
    judges = ratings.match_scores(cases, scores)
    person = cases["person"].to_numpy(float)
    unread = controls.make_controls(cases, measure, within)
    given = judges | {PERSON: person} | unread
    rows = {name: dict(trial.rate(score)) for name, score in given.items()}
    best, guess, usual = choose_control(trial, unread, rows, controls.BEST)
    strangers = {name: unread[name] for name in unread if name not in controls.KNOW_WRITER}
    stranger, other_guess, _ = choose_control(trial, strangers, rows, controls.BEST_STRANGER)
    for name in [*judges, PERSON]:
        rows[name] |= trial.lead("control", given[name], guess)
        if stranger != best:
            rows[name] |= trial.lead("stranger", given[name], other_guess)
    for name in judges:
        rows[name] |= trial.lead("person", given[name], person)
    rows[best] |= trial.lead("person", guess, person)
    rng = np.random.default_rng(seed)
    top = find_ceiling(data, trial, guess, rng) if simulate else NOT_ASKED
    rows[CEILING] = top.row
    kinds = ["judge"] * len(judges) + ["person"]
    kinds += ["control"] * (len(rows) - len(kinds) - 1) + ["ceiling"]
    found = pd.DataFrame.from_dict(rows, orient="index", dtype=float).rename_axis("who")
    leads = [*lead_names("control"), "visible", *lead_names("stranger"), *lead_names("person")]
    found = found.reindex(columns=[*ENDS, *leads])
    found.insert(0, "kind", kinds)
    power = dict(zip(["found", "found low", "found high"], top.found))
    people = int(cases.loc[~np.isnan(person), "rater"].nunique())
    found.attrs = {"target": ASKED[target], "control": best, "stranger": stranger}
    found.attrs |= {"chosen": usual, "people": people, **power, "why": top.why}
    return found


def leave_ties_out(cases, measure):
    """Return the cases; of a measure of Yes and No those without a target in which the other raters
    tie, for they say neither."""
    if measure not in statistics.OF_TWO_KINDS:
        return cases
    decided = cases["target"] != 0.5
    return cases.assign(target=cases["target"].where(decided))


def choose_control(trial, unread, rows, title):
    """Return (name, guess for each case, the control most often chosen) of the best control, chosen
    for each group (`deal_groups`) on the others, so that the choice does not favour it.

    unread: {name: guess}; rows: {name: its row}. Where all have the same choice it is that control,
    else a row `title` is added to `rows`. Controls of different scales are put on one, within the
    labels. Where none follows people, it is the constant.
    """
    names = list(unread)
    folds = deal_groups(trial)
    left = [leave_folds_out(trial, unread[name], folds) for name in names]
    left = np.nan_to_num(np.array(left), nan=0.0).round(9)  # controls x folds
    chosen = np.argmax(left, axis=0)
    many = np.bincount(chosen, minlength=len(names))
    usual = names[int(np.argmax(many))]
    if np.isnan(rows[usual]["estimate"]):  # it does not vary: no correlation, and 0 is one
        end = 0.0 if rows[usual]["n"] >= ENOUGH else np.nan
        rows[usual] |= {"estimate": 0.0, "low": end, "high": end}
    if many.max() == many.sum():
        return usual, unread[usual], usual
    even = np.array([statistics.put_on_one_scale(unread[name], trial.labels) for name in names])
    if trial.measure is statistics.balanced_accuracy:  # a Yes from 0.5 on has a meaning
        even = np.array([unread[name] for name in names])
    guess = even[chosen[folds], np.arange(len(trial.target))]
    rows[title] = dict(trial.rate(guess))
    return title, guess, usual


def deal_groups(trial):
    """Return the fold of each case within which one control is chosen: its group, or, where most of
    more than twenty groups are a single item, one of five folds of them. With one item left out at
    a time, a control that knows nothing would be chosen for just the items that speak against it.
    """
    groups = trial.groups[0]
    items = trial.cases.groupby(groups)["item"].nunique()
    alone = len(items) > MANY and (items == 1).mean() > 0.5
    return groups % controls.FOLDS if alone else groups


def leave_folds_out(trial, score, folds):
    """Return the measure without each fold in turn, over the cases answered."""
    answered = trial.answered(score)
    found = np.full(folds.max(initial=0) + 1, np.nan)
    for fold in range(len(found)):
        rows = answered[folds[answered] != fold]
        if len(rows):
            found[fold] = trial.value(score, rows)
    return found


def summarise(found, judge):
    """Return the rows that a reader asks for first: estimate, low, high, n of judge, person, the
    best control and a perfect judge, and the judge's paired leads over control and person.

    found: of `compare`; judge: a name in it.
    """
    control = found.attrs["control"]
    names = {judge: "the judge", PERSON: PERSON, control: f"control: {control}", CEILING: CEILING}
    rows = found.loc[list(names), ENDS].rename(names)
    for rival, who in (("control", control), ("person", PERSON)):
        lead = found.loc[judge, [*lead_names(rival), "n"]]
        rows.loc[f"the judge less {who}"] = lead.to_numpy(float)
    return rows


def to_values(tables, of="one judge"):
    """Return {name: number} for `results.save_findings`; tables: {task: rows of `summarise`}; of:
    "one judge" (the open one) or "best judge" (the best of a study, its choice corrected for)."""
    return {
        " / ".join([of, task, row, end]): float(line[end])
        for task, table in tables.items()
        for row, line in table.iterrows()
        for end in ENDS
    }


def from_values(values, of="one judge"):
    """Return (task, row): estimate, low, high, n of what `to_values` wrote; other values are left
    out."""
    rows = [
        [*key.split(" / ")[1:], one] for key, one in values.items() if key.startswith(f"{of} / ")
    ]
    names = ["task", "row", None]
    found = pd.DataFrame(rows, columns=[*names, "value"]).set_index(names)["value"]
    return found.astype(float).unstack(sort=False)
