"""The main claims of notebooks 01 and 02 under other definitions: do they depend on a choice?

`vary_agreement` asks whether experts agree about machine stories, `vary_judge` whether a judge
leads guessing, a third expert and the best control of either kind. Each lists its definitions, the
notebook's own first, as rows estimate, low, high, n of a difference from 0; `choices.vary` says
of each whether it stands as the first does. Supplement S1 shows the tables.
"""

import pandas as pd
from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.diagnostics import reliability as people
from goodjudge.stats import intervals, severity
from goodjudge.stats import metrics as statistics

from helpers import agreement, choices
from helpers.ttcw import adds, experts, worth

NOBODY = pd.DataFrame({"item": [], "judge": [], "score": []})  # scores, where no judge is compared
STRANGER = "a control that does not know the writer"  # a rival beside those of `choices`
RIVALS = {  # as readers know them here
    choices.GUESSING: "guessing",
    choices.PERSON: "a third expert",
    STRANGER: f"the {worth.STRANGER}",
    choices.CONTROL: f"the {worth.TAUGHT}",
}


def vary_agreement(verdicts, machines):
    """Return a table of `choices.vary`: how far experts agree about machine stories, by each
    definition; 0 is no agreement, whatever the unit.

    verdicts: of `load.load_verdicts`; machines: the `Ratings` of the stories in question.
    """
    tests_passed = ratings.average_aspects(machines)
    without_one = choices.leave_raters_out(tests_passed, experts.correlate_experts)
    slopes = adds.find_slopes(machines, NOBODY)
    claims = {
        **correlate_pairs(tests_passed),
        **choices.find_extremes(without_one, "r, one expert left out"),
        **correlate_with_others(tests_passed),
        "mean kappa of the tests": average_kappa(verdicts, machines),
        "balanced accuracy of a third expert, less 0.50": lead_of_expert(machines),
        "regression, writer and test held": slopes.loc[compare.PERSON],
    }
    return choices.vary(claims)


def correlate_pairs(tests_passed):
    """Return {definition: a row}: r of two experts of a story, and r once severity or means are
    taken off; tests_passed: `Ratings`, a score per story and expert."""

    def subtract_group(data):
        return ratings.subtract_means(data, "rater", "group")

    def subtract_writer(data):
        return ratings.subtract_means(data, "writer")

    removals = {
        "r of two experts, as scored": [],
        "r, severity removed": [severity.remove_severity],
        "r, within a group": [subtract_group],
        "r, within a group, machines' means removed": [subtract_group, subtract_writer],
    }
    rows = {}
    for name, steps in removals.items():
        rows[name] = experts.correlate_experts(tests_passed, steps)
    return rows


def correlate_with_others(tests_passed):
    """Return {definition: a row}: r of an expert with the mean of the other two, for these experts
    and for new ones."""
    compared = compare.compare(tests_passed, NOBODY, statistics.pearson, simulate=False)
    for_new = people.for_new_raters(tests_passed, NOBODY, statistics.pearson)
    return {
        "r of an expert with the other two, mean over experts": compared.loc[compare.PERSON],
        "the same, for new experts too": for_new.loc[compare.PERSON],
    }


def average_kappa(verdicts, machines):
    """Return a row: the mean of Fleiss' kappa over the tests, on the stories of some `Ratings`."""
    is_there = verdicts["story"].isin(machines.items["item"])
    counts = agreement.count_passes(verdicts[is_there])
    return experts.average_kappas({"kappa": counts}).loc["kappa"]


def lead_of_expert(machines):
    """Return a row: the balanced accuracy of a third expert, less what guessing has."""
    measure = statistics.balanced_accuracy
    table = compare.compare(machines, NOBODY, measure, within=worth.WITHIN, simulate=False)
    return choices.subtract_guess(table.loc[compare.PERSON], measure)


def vary_judge(whole, machines, scores, judge):
    """Return {rival: table of `choices.vary`}: by how much a judge leads guessing, a third
    expert and the best control of either kind on machine stories, by each definition.

    whole, machines: `Ratings` of all stories and of those by machines; scores: of all judges;
    judge: a name in it, the best of several. Intervals hold for all judges at once, as in notebook
    02: they are as much wider as the first definition's (`find_factors`), those of models by
    Bonferroni.
    """
    own = scores[scores["judge"] == judge]
    tests = scores["judge"].nunique()

    def lead_on(cases, **how):
        how |= {"measure": statistics.balanced_accuracy, "within": worth.WITHIN}
        found = choices.find_leads(cases, own, **how)
        without_writer = choices.find_leads(cases.drop(columns="writer"), own, **how)
        return found | {(judge, STRANGER): without_writer[judge, choices.CONTROL]}

    def find_leads(data):
        return lead_on(ratings.find_cases(data))

    cases = ratings.find_cases(machines)
    first = lead_on(cases)
    on_all_stories = find_leads(whole)
    chosen_there = lead_on(cases, nested=False)
    by_expert = choices.average_raters(
        cases, own, statistics.balanced_accuracy, within=worth.WITHIN
    )
    without_one = choices.leave_raters_out(machines, find_leads)
    definitions = {
        "balanced accuracy": first,
        "all 48 stories": keep_rivals(on_all_stories, choices.GUESSING, STRANGER),
        "control chosen on the same stories": keep_rivals(chosen_there, STRANGER, choices.CONTROL),
        "against one expert, no tie left out": lead_on(pair_raters(machines)),
        "expert by expert, then the mean": by_expert,
        "for new experts too": lead_on(cases, over=("group", "rater")),
        **choices.find_extremes_of_each(without_one, "one expert left out"),
    }
    of_machines = find_factors(machines, scores, judge, first)
    of_all = {"all 48 stories": find_factors(whole, scores, judge, on_all_stories)}
    for name, found in definitions.items():
        definitions[name] = stretch(found, of_all.get(name, of_machines))
    definitions |= lead_by_models(machines, own, judge, tests)
    tables = choices.vary_each(definitions, aside=of_all)
    return {shown: tables[judge, rival] for rival, shown in RIVALS.items()}


def find_factors(people, scores, judge, first):
    """Return {rival: by how much wider the interval of a judge's lead over it is, if it is to hold
    for all judges}; people: `Ratings`; scores, judge: of `vary_judge`; first: its leads alone."""
    measure = statistics.balanced_accuracy
    table = compare.compare(
        people, scores, measure, within=worth.WITHIN, simulate=False, together=True
    )
    columns = {
        choices.GUESSING: compare.ENDS[:3],
        choices.PERSON: compare.lead_names("person"),
        STRANGER: worth.name_lead(table),
        choices.CONTROL: compare.lead_names("control"),
    }
    factors = {}
    for rival, names in columns.items():
        estimate, _, high = table.loc[judge, names]
        half = first[judge, rival]["high"] - first[judge, rival]["estimate"]
        factors[rival] = (high - estimate) / half if half > 1e-9 else 1.0
    return factors


def stretch(found, factors):
    """Return leads, {(judge, rival): a row}, with intervals wider by the factor of each rival."""
    wide = {}
    for (judge, rival), row in found.items():
        three = row["low"], row["estimate"], row["high"]
        low, high = intervals.stretch(*three, factors[rival])
        wide[judge, rival] = intervals.row(row["estimate"], low, high, row["n"])
    return wide


def keep_rivals(found, *rivals):
    """Return the leads over some rivals alone; found: {(judge, rival): a row}."""
    return {claim: row for claim, row in found.items() if claim[1] in rivals}


def lead_by_models(machines, own, judge, tests):
    """Return {definition: {(judge, rival): a row}}: what a judge's scores `own` add in models of
    the experts' verdicts, in place of balanced accuracy; tests: of how many judges it is the best.
    Levels as in notebook 02, where gains are shown for a person, too, and on two sets of stories.
    """
    gain = adds.find_gains(machines, own, level=1 - 0.05 / (2 * (tests + 1))).loc[judge]
    slope = adds.find_slopes(machines, own, level=1 - 0.05 / tests).loc[judge]
    over_person = slope[[*compare.lead_names("person"), "n"]].set_axis(compare.ENDS)
    return {
        "gain in AUC over knowing the tests": {(judge, choices.GUESSING): gain},
        "regression, writer and test held": {
            (judge, choices.GUESSING): slope,
            (judge, choices.PERSON): over_person,
        },
    }


def pair_raters(data):
    """Return the cases of every two raters of an item on an aspect, each once as the person and
    once as the target, so that no raters can tie.

    Columns: as of `ratings.find_cases`.
    """
    case = ["item", "aspect"]
    scores = ratings.list_scores(data)[[*case, "rater", "score"]]
    pairs = scores.merge(scores, on=case, suffixes=("", " of another"))
    pairs = pairs[pairs["rater"] != pairs["rater of another"]]
    pairs = pairs.drop(columns="rater of another")
    pairs = pairs.rename(columns={"score": "person", "score of another": "target"})
    return pairs.assign(raters=2).merge(data.items, on="item").reset_index(drop=True)
