"""What a judge of the tests is worth, beside a person, controls and a perfect judge.

The first part is about one judge that a reader asked (an `Asked`). It may have answered some cases
only (a case: a story and a test), so `rate` sets it beside everybody else on just these;
`list_rows` has what came out. The second part tabulates the judges whose answers are recorded
(`find_leads_over_each`, `take_strongest`, `list_judges`). Notebook 02 shows both and says what they
mean.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from goodjudge.card import verdicts
from goodjudge.comparison import compare, controls
from goodjudge.comparison.cases import Trial, lead_names
from goodjudge.data import ratings
from goodjudge.data.ratings import Ratings
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics

from helpers import results
from helpers.sources.names import display_name
from helpers.ttcw import adds, ask

CASE = ["item", "aspect"]  # a story and a test
WITHIN = ("aspect",)  # a test is compared with itself
THREE = ["estimate", "low", "high"]
TAUGHT = "control that knows the author"
STRANGER = "control that a user could have"
LENGTH_BY_TEST = "length, test by test"
EXPERT = "a third expert"  # how readers know the person of `compare`


class Asked(NamedTuple):
    """The result of a judge that was asked.

    judge: as it was asked for; rival: the best recorded judge; people: the `Ratings` of the cases
    that both answered; table: rows of `compare` on these; gains: of `adds.find_gains`, on the cases
    that the judge answered; answered, wanted: numbers of cases; level: of the intervals of the
    gains. Both tables are empty where there is nothing to compare.
    """

    judge: str
    rival: str
    people: Ratings
    table: pd.DataFrame
    gains: pd.DataFrame
    answered: int
    wanted: int
    level: float

    @property
    def name(self):
        """The judge's name for readers."""
        return display_name(self.judge)


def rate(people, scores, judge, rival, wanted, level):
    """Return the `Asked` of a judge: what it, the recorded judge `rival`, a person, the controls
    and a perfect judge reach on the cases that both judges answered.

    judge: as it was asked for; scores: of all judges; wanted: how many cases it was asked about;
    level: of the intervals of what it adds.
    """
    own = scores[scores["judge"] == judge]
    answered = len(own.drop_duplicates(CASE))
    nothing = pd.DataFrame()
    asked = Asked(judge, rival, people, nothing, nothing, answered, wanted, level)
    if not answered:
        return asked
    both = list(dict.fromkeys([judge, rival]))  # the judge may be its own rival
    shared = keep_answered(people, scores, both)
    if shared.items.empty:
        return asked
    of_both = scores[scores["judge"].isin(both)]
    table = compare.compare(shared, of_both, statistics.balanced_accuracy, within=WITHIN)
    gains = adds.find_gains(keep_answered(people, own, [judge]), own, level=level)
    return asked._replace(people=shared, table=table, gains=gains)


def keep_answered(people, scores, judges):
    """Return the `Ratings` of the cases that all of the judges answered."""
    kept = people.ratings
    for judge in judges:
        answered = scores.loc[scores["judge"] == judge, CASE].drop_duplicates()
        kept = kept.merge(answered, on=CASE)
    is_there = people.items["item"].isin(kept["item"])
    return people._replace(items=people.items[is_there].reset_index(drop=True), ratings=kept)


def name_rows(table):
    """Return {row of `compare`: how readers know it}: a person, the best control that a user could
    have, the best that knows the author, and a perfect judge where there is one."""
    control = table.attrs["control"]
    stranger = table.attrs["stranger"]
    names = {compare.PERSON: compare.PERSON, control: f"{TAUGHT}: {describe_best(table)}"}
    names[stranger] = f"{STRANGER}: {describe_stranger(table)}"
    if not np.isnan(table.loc[compare.CEILING, "estimate"]):
        names[compare.CEILING] = compare.CEILING
    return names


def describe_best(table):
    """Return what the best control of rows of `compare` is, in all plots or in most."""
    return table.attrs["chosen"] + verdicts.tell_most(table, "plots")


def describe_stranger(table):
    """Return what the best control that a user could have is; table: of `compare`."""
    stranger = table.attrs["stranger"]
    return "another one from plot to plot" if stranger == controls.BEST_STRANGER else stranger


def list_rows(asked):
    """Return the rows that a reader asks for first, best first: balanced accuracy of the judge, the
    best recorded one, a person, the best controls and a perfect judge; and the judge's lead over
    the controls and the person."""
    names = name_rows(asked.table)
    scorers = list(dict.fromkeys([asked.judge, asked.rival, *names]))
    rows = asked.table.loc[scorers, compare.ENDS].copy()
    lead = f"lead of {asked.name}"
    for rival, row in name_rivals(asked.table).items():
        leads = asked.table.loc[asked.judge, lead_names(rival)].to_numpy(float)
        rows.loc[row, [lead, f"{lead} low", f"{lead} high"]] = leads
    rows = rows.rename(names)
    return results.rank(rows.dropna(subset=["estimate"]), "estimate", "who")


def name_rivals(table):
    """Return {rival, as `compare` names leads over it: its row}."""
    control = table.attrs["control"]
    stranger = table.attrs["stranger"]
    rivals = {"control": control, "person": compare.PERSON}
    if stranger != control:
        rivals["stranger"] = stranger
    return rivals


def name_lead(table):
    """Return the columns of `compare` with leads over the best control that a user could have."""
    alone = table.attrs["stranger"] == table.attrs["control"]
    return lead_names("control" if alone else "stranger")


def tidy_rows(asked):
    """Return the rows of `list_rows` as text for readers; an empty table where there are none."""
    if asked.table.empty:
        return pd.DataFrame(columns=["in the same cases"])
    rows = list_rows(asked).rename_axis("in the same cases")
    return results.tidy(rows, measure="balanced accuracy", n="plots")


def own_row(asked):
    """Return estimate, low, high, n of the judge's balanced accuracy; nan where there is none."""
    if asked.table.empty:
        return intervals.row()
    return asked.table.loc[asked.judge, compare.ENDS]


def place(asked, parts, scores):
    """Return (the judge's name, {panel: (its row or None, what is said of it there)}) for
    `figures.two_panels`, None without a judge: a row only where it answered about every story.

    parts: {panel: `Ratings`}; scores: of all judges.
    """
    if asked is None:
        return None
    own = scores[scores["judge"] == asked.judge]
    placed = {panel: place_among(part, own, asked.judge) for panel, part in parts.items()}
    return asked.name, placed


def place_among(part, own, judge):
    """Return (the judge's row of `compare`, or None; what is said of it) among some stories; part:
    their `Ratings`; own: the judge's scores."""
    stories = part.items["item"]
    answered = stories.isin(own["item"]).sum()
    if answered < len(stories):
        return None, f"answered about {answered} of {len(stories)} stories"
    cases = keep_answered(part, own, [judge])
    table = compare.compare(cases, own, statistics.balanced_accuracy, within=WITHIN)
    here = own[own["item"].isin(stories)]
    with_verdict = len(here.drop_duplicates(CASE))
    wanted = len(part.ratings.drop_duplicates(CASE))
    fewer = f"{with_verdict} of {wanted} cases" if with_verdict < wanted else ""
    return table.loc[judge], fewer


def tidy_gain(asked):
    """Return what the judge and a person add in AUC, as text; empty where nothing is known."""
    if asked.gains.empty:
        return pd.DataFrame()
    rows = asked.gains.loc[[asked.judge, compare.PERSON], compare.ENDS]
    rows = rows.rename_axis("what the answers add")
    return results.tidy(rows, 3, "gain in AUC", asked.level, "plots")


def find_leads_over_each(people, scores):
    """Return (controls, leads): each control that a user could have, by itself, and the leads of
    all judges and of a person over it, as rows estimate, low, high, n.

    people: `Ratings`; scores: of the judges. controls: by control; leads: by (control, judge), with
    intervals that hold for all judges of a control. Whoever clearly leads each control leads the
    best of them, whichever that is.
    """
    cases, _ = compare.list_cases(people, "others", statistics.balanced_accuracy)
    trial = Trial(cases, statistics.balanced_accuracy, WITHIN, ("group",), 0.95)
    judges = compare.apply_to_all(trial, ratings.match_scores(cases, scores))
    person = trial.apply(cases["person"].to_numpy(float))
    rows, leads = {}, {}
    for control, score in list_unread(trial).items():
        unread = trial.apply(score)
        rows[control] = trial.rate(unread)
        found = {judge: trial.subtract(own, unread) for judge, own in judges.items()}
        factor = intervals.find_factor([parts for _, parts, _ in found.values()])
        for judge, (lead, parts, shared) in found.items():
            alone = trial.bound(lead, parts, shared)
            ends = intervals.stretch(alone["low"], lead, alone["high"], factor)
            leads[control, judge] = intervals.row(lead, *ends, alone["n"])
        lead, parts, shared = trial.subtract(person, unread)
        leads[control, compare.PERSON] = trial.bound(lead, parts, shared)
    names = ["control", "judge"]
    return pd.DataFrame(rows).T.rename_axis(names[:1]), pd.DataFrame(leads).T.rename_axis(names)


def take_strongest(table, people, scores):
    """Return a table of `compare.compare` whose control that a user could have is the strongest of
    `find_leads_over_each`, in place of one that is chosen plot by plot: of two or three rules it
    may come out below each of them. people, scores: of `find_leads_over_each`.
    """
    controls_alone, leads = find_leads_over_each(people, scores)
    strongest = controls_alone["estimate"].idxmax()
    attrs = table.attrs | {"stranger": strongest}
    table = table.drop(index=table.attrs["stranger"], errors="ignore")
    if strongest not in table.index:
        row = controls_alone.loc[[strongest]].assign(kind="control")
        table = pd.concat([table, row.reindex(columns=table.columns)])
    columns = compare.lead_names("stranger")
    of_rival = leads.loc[strongest]
    table.loc[of_rival.index, columns] = of_rival[compare.ENDS[:3]].to_numpy()
    table.attrs = attrs
    return table.rename_axis("who")


def list_unread(trial):
    """Return {control: a Yes (1) or No (0) per case} of what a user could have; trial: a `Trial`.

    Beside those of `controls.make_controls`, whose length has one direction for all tests, a length
    that learns on the other plots for each test by itself whether longer or shorter stories pass.
    """
    unread = controls.make_controls(trial.cases, trial.measure, WITHIN, trial.labels)
    unread = {name: unread[name] for name in unread if name not in controls.KNOW_WRITER}
    words = trial.cases[["words"]].to_numpy(float)
    target = trial.cases["target"].to_numpy(float)
    by_test = np.full(len(target), np.nan)
    for test in np.unique(trial.labels):
        here = np.flatnonzero(trial.labels == test)
        one_label = np.zeros(len(here), int)
        groups = trial.groups[0][here]
        guess, _ = controls.follow_best(words[here], target[here], groups, one_label)
        by_test[here] = np.where(np.isnan(guess), np.nan, guess >= 0)
    return unread | {LENGTH_BY_TEST: by_test}


def list_judges(answers, tables, people=None):
    """Return a row per judge, as text for the report's page of judges where it is shown: judge,
    answers, one count per status, share of Yes, usd (nan where nothing is known of it); and for
    each set of stories the balanced accuracy and the lead over the best control that a user could
    have, with low and high.

    answers: of `ask.ask_panel`; tables: {stories: rows of `compare`}; people: the experts'
    `Ratings`, for a last row about a person.
    """
    rows = {}
    for judge, own in answers.groupby("judge", sort=False):
        rows[judge] = count_answers(own) | read_tables(tables, judge)
    if people is not None:
        share = people.ratings["score"].mean()
        rows[compare.PERSON] = {"share of Yes": share} | read_tables(tables, compare.PERSON)
    return pd.DataFrame(rows).T.rename_axis("judge").reset_index().infer_objects()


def count_answers(answers):
    """Return {column of `list_judges`: number} of one judge's answers, whatever they are worth."""
    is_read = answers["status"] == "ok"
    statuses = answers["status"].value_counts().reindex(list(ask.STATUSES), fill_value=0)
    usd = np.nan
    if answers["output_tokens"].sum() > 0:  # else nothing was counted
        usd = answers["usd"].sum()
    share = answers.loc[is_read, "yes"].astype(float).mean()
    return {"answers": len(answers), **statuses, "share of Yes": share, "usd": usd}


def read_tables(tables, scorer):
    """Return what `compare` has of a judge or a person, {column of `list_judges`: number}."""
    cells = {}
    for stories, table in tables.items():
        if scorer not in table.index:
            continue
        for name, columns in {"agreement": THREE, "lead": name_lead(table)}.items():
            numbers = table.loc[scorer, columns].to_numpy(float)
            label = f"{name}, {stories}"
            cells |= dict(zip([label, f"{label} low", f"{label} high"], numbers))
    return cells
