"""The main claims of notebooks 01 and 02 under other definitions: do they hang on a choice?"""

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import (
    adds,
    agreement,
    compare,
    controls,
    intervals,
    people,
    ratings,
    sensitivity,
    severity,
    statistics,
    trial,
)
from helpers.sources.names import display_name
from helpers.ttcw import experts, worth

NOBODY = pd.DataFrame({"item": [], "judge": [], "score": []})
RIVALS = {"guessing": "", "a third expert": "person", "the best control": "control"}


def vary_agreement(verdicts, machines):
    """Return a table of `sensitivity.vary`: how far experts agree about machine stories, by each
    definition; 0 is no agreement, whatever the unit.

    verdicts: of `load.load_verdicts`; machines: the `Ratings` of the stories in question.
    """
    scores = ratings.average_aspects(machines)
    counts = agreement.count_passes(verdicts[verdicts["story"].isin(machines.items["item"])])
    within = [lambda data: ratings.subtract_means(data, "rater", "group")]
    writers = [*within, lambda data: ratings.subtract_means(data, "writer")]
    claims = {
        "r of two experts, as scored": experts.correlate_experts(scores),
        "r, severity removed": experts.correlate_experts(scores, [severity.remove_severity]),
        "r, within a group": experts.correlate_experts(scores, within),
        "r, within a group, machines' means removed": experts.correlate_experts(scores, writers),
    }
    left = sensitivity.leave_raters_out(scores, experts.correlate_experts)
    claims |= sensitivity.find_extremes(left, "r, one expert left out")
    alone = compare.compare(scores, NOBODY, statistics.pearson, simulate=False)
    new = people.for_new_raters(scores, NOBODY, statistics.pearson).loc[compare.PERSON]
    claims["r of an expert with the other two, mean over experts"] = alone.loc[compare.PERSON]
    claims["the same, for new experts too"] = new
    claims["mean kappa of the tests"] = experts.average_kappas({"": counts}).loc[""]
    given = machines, NOBODY, statistics.balanced_accuracy
    third = compare.compare(*given, within=worth.WITHIN, simulate=False).loc[compare.PERSON]
    claims["balanced accuracy of a third expert, less 0.50"] = less_guessing(third)
    held = adds.find_slopes(machines, NOBODY).loc[compare.PERSON]
    claims["regression, writer and test held"] = held
    return sensitivity.vary({name: row[compare.ENDS] for name, row in claims.items()})


def vary_judge(whole, machines, scores, judge, tests):
    """Return {rival: table of `sensitivity.vary`}: by how much a judge leads guessing, a third
    expert and the best control on machine stories, by each definition.

    whole, machines: `Ratings` of all stories and of those by machines; scores: of all judges;
    judge: a name in it; tests: the number of judges of whom it is the best.
    """
    own = scores[scores["judge"] == judge]

    def lead(data, over=("group",)):
        how = {"within": worth.WITHIN, "over": over, "simulate": False}
        return read_leads(compare.compare(data, own, statistics.balanced_accuracy, **how), judge)

    first = lead(machines)
    cases = ratings.find_cases(machines)
    cases["target"] = cases["target"].where(cases["target"] != 0.5)
    found = {
        "balanced accuracy": first,
        f"widened for the best of {tests}": {
            rival: intervals.widen(row, tests) for rival, row in first.items()
        },
        "all 48 stories": {"guessing": lead(whole)["guessing"]},
        "control chosen on the same stories": {
            "the best control": lead_control(cases, own, judge, nested=False)["the best control"]
        },
        "against one expert, no tie left out": lead_control(pair_raters(machines), own, judge),
        "expert by expert, then the mean": average_raters(cases, own, judge),
        "for new experts too": lead(machines, ("group", "rater")),
    }
    left = sensitivity.leave_raters_out(machines, lead)
    for rival in RIVALS:
        rows = {without: leads[rival] for without, leads in left.items()}
        for name, row in sensitivity.find_extremes(rows, "one expert left out").items():
            end = name.split(" (")[0]  # each rival has an expert of its own
            found.setdefault(end, {})[rival] = row
    gain = adds.find_gains(machines, own).loc[judge]
    found["gain in AUC over knowing the tests"] = {"guessing": gain}
    held = adds.find_slopes(machines, own).loc[judge]
    over = held[[*compare.lead_names("person"), "n"]].set_axis(compare.ENDS)
    found["regression, writer and test held"] = {"guessing": held, "a third expert": over}
    return {
        rival: sensitivity.vary(
            {name: rows[rival][compare.ENDS] for name, rows in found.items() if rival in rows}
        )
        for rival in RIVALS
    }


def less_guessing(row):
    """Return a row of balanced accuracy less 0.5, what guessing has."""
    return row[compare.ENDS] - [0.5, 0.5, 0.5, 0]


def read_leads(found, judge):
    """Return {rival: row} of a judge's leads from `compare`."""
    row = found.loc[judge]
    leads = {"guessing": less_guessing(row)}
    for rival, name in RIVALS.items():
        if name:
            leads[rival] = row[[*compare.lead_names(name), "n"]].set_axis(compare.ENDS)
    return leads


def pair_raters(data):
    """Return the cases of every two raters of an item on an aspect, each once as the person and
    once as the target, so that no raters can tie."""
    given = ratings.list_scores(data)[["item", "aspect", "rater", "score"]]
    both = given.merge(given, on=["item", "aspect"], suffixes=("", " of another"))
    both = both[both["rater"] != both["rater of another"]].drop(columns="rater of another")
    both = both.rename(columns={"score": "person", "score of another": "target"})
    return both.assign(raters=2).merge(data.items, on="item").reset_index(drop=True)


def lead_control(cases, own, judge, nested=True):
    """Return {rival: row} of a judge's leads over some cases; nested: the best control is chosen
    for each group on the others."""
    measure, within = statistics.balanced_accuracy, worth.WITHIN
    whole = trial.Trial(cases, measure, within, ("group",), 0.95)
    score = whole.apply(ratings.match_scores(cases, own)[judge])
    person = whole.apply(cases["person"].to_numpy(float))
    unread = compare.apply_to_all(whole, controls.make_controls(cases, measure, within))
    if nested:
        control = compare.choose_both(whole, unread)[0].control
    else:
        control = max(unread.values(), key=lambda guess: np.round(guess.value, 9))
    row = whole.rate(score)
    leads = whole.lead("control", score, control) | whole.lead("person", score, person)
    return read_leads(pd.DataFrame([{**row, **leads}], index=[judge]), judge)


def average_raters(cases, own, judge):
    """Return {rival: row} of a judge's leads, computed on each rater's cases and then averaged over
    raters with ten items or more, all with the same weight; nan where there is none."""
    items = cases.groupby("rater")["item"].transform("nunique")
    cases = cases[(items >= trial.ALONE) & cases["target"].notna()].reset_index(drop=True)
    if cases.empty:
        return {"guessing": intervals.row(), "a third expert": intervals.row()}
    score, person = ratings.match_scores(cases, own)[judge], cases["person"].to_numpy(float)
    cases, score, person = (part[~np.isnan(score)] for part in (cases, score, person))
    target, group = cases["target"].to_numpy(float), cases["group"].to_numpy()
    label, block = (pd.factorize(cases[name])[0] for name in ("aspect", "rater"))

    def average(given, rows):
        sides = given[rows], target[rows], label[rows], block[rows]
        return np.nanmean(statistics.by_block(statistics.balanced_accuracy, *sides)[0])

    own_row = intervals.over_groups(group, lambda rows: average(score, rows))
    lead = intervals.over_groups(group, lambda rows: average(score, rows) - average(person, rows))
    return {"guessing": less_guessing(own_row), "a third expert": lead}


def tabulate(tables):
    """Return the tables of `vary_judge` as one of text: a column for each rival; what differs from
    the first row is said in its cell."""
    rows = dict.fromkeys(name for table in tables.values() for name in table.index)
    columns = {}
    for rival, table in tables.items():
        cells = table.apply(results.estimate_cell, axis=1, digits=2)
        said = table["against the first"]
        cells = cells.where(said == sensitivity.SAME, cells + ": " + said)
        columns[f"lead over {rival} [95 %]"] = cells.reindex(list(rows)).fillna("")
    return pd.DataFrame(columns).rename_axis("36 machine stories")


def tell(tables, judge, where):
    """Return a sentence for each claim of `vary_judge`, as a list; where: the notebook with the
    table."""
    told = []
    for rival, table in tables.items():
        low, high = table.iloc[0][["low", "high"]]
        says = "clearly leads" if low > 0 else "does not clearly lead"
        if high < 0:
            says = "is clearly behind"
        name = display_name(judge)
        told.append(f"- {name} {says} {rival}. {sensitivity.tell(table, where)}")
    return "\n".join(told)
