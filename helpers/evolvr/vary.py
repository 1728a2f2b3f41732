"""The main claims of notebook 05 under other definitions: do they hang on a choice?"""

import itertools

import numpy as np
import pandas as pd
from scipy import stats

from helpers import results
from helpers.evolvr import raters
from helpers.evolvr.load import rating_array
from helpers.measures import (
    compare,
    controls,
    intervals,
    ratings,
    sensitivity,
    severity,
    statistics,
    trial,
    verdicts,
)

MARGIN = 0.05  # of r of two raters, itself 0.1 to 0.4: half of what counts elsewhere
SEVERE = "severity left in single ratings"  # the one definition that is another question
MANY = 90  # stories of a rater whose ratings are left out, or who counts alone
WITHIN, OVER = ("aspect", "writer"), ("writer", "group")  # as in notebook 05
THIRD, CONTROL = "a third rater", "the best control"


def list_busy(data):
    """Return the raters of MANY stories or more, in order of their names."""
    stories = data.ratings.groupby("rater")["item"].nunique()
    return sorted(stories.index[stories >= MANY])


def vary_comparing(data):
    """Return a table of `sensitivity.vary`: by how much two raters agree more about two stories
    that they compare than about two that they rate singly (r, mean of six aspects), by each
    definition.

    data: HANNA's `Ratings`. Where a rater is left out, the others' severity stays as it was.
    """
    rated, who = rating_array(data)
    prompts = data.items["group"].to_numpy()
    free, _ = rating_array(severity.remove_severity(data))
    free_by_squares, _ = rating_array(subtract_severity(data))
    first_writer = data.items["writer"].iloc[0]  # people
    machines = ratings.keep(data, data.items["writer"] != first_writer)

    gain = find_gain(rated, free, who, prompts)
    without = {}
    for name in np.unique(who):
        others = leave_out(rated, free, who, name)
        without[name] = find_gain(*others, who, prompts)
    busy = {f"without {name}": to_row(without[name]) for name in list_busy(data)}
    # left out: prompts, raters; their cells add nothing, so both variances are added
    left_out = [gain[1:], np.array([values[0] for values in without.values()]), np.zeros(1)]

    claims = {
        "r of two raters, severity removed": to_row(gain),
        SEVERE: to_row(find_gain(rated, rated, who, prompts)),
        "severity by plain least squares": to_row(find_gain(rated, free_by_squares, who, prompts)),
        **sensitivity.find_extremes(busy, "one rater left out"),
        "rater by rater, then the mean": to_row(find_gain(rated, free, who, prompts, alone=True)),
        "ranks in place of points": to_row(find_gain(rated, free, who, prompts, ranks=True)),
        "machine stories alone": raters.about_pairs(machines)[1].loc[raters.SIX],
        "for new raters too": intervals.combine(gain[0], left_out),
    }
    return sensitivity.vary(claims).rename_axis("comparing adds to r")


def to_row(gain):
    """Return estimate, low, high, n of what `find_gain` returns."""
    return raters.to_row(gain, scale=None)


def subtract_severity(data):
    """Return the data less each rater's severity by plain least squares."""
    table, _ = severity.find_severity(data)
    free = table["score"] - table["severity"]
    return data._replace(ratings=table.assign(score=free))


def leave_out(rated, free, who, name):
    """Return both arrays of ratings without those of one rater (nan)."""
    is_out = who == name
    return np.where(is_out, np.nan, rated), np.where(is_out, np.nan, free)


def find_gain(rated, free, who, prompts, *, alone=False, ranks=False):
    """Return what comparing adds to r, mean of six aspects, then without each prompt in turn.

    rated, free, who, prompts: of `raters.list_views`; alone: r is taken by the rater who comes
    first, then averaged; ranks: of the numbers that are correlated, in their place.
    """
    views = raters.list_views(rated, free, who, prompts)
    r = []
    for name in raters.TWO:
        view = views[name]
        if ranks:
            view = view._replace(first=rank_by_aspect(view.first))
            view = view._replace(second=rank_by_aspect(view.second))
        codes = None
        if alone:
            names, codes = np.unique(view.rater, return_inverse=True)
            codes = codes.reshape(view.rater.shape)
        r.append(raters.correlate_aspects(view, codes).mean(axis=0))
    rated_singly, compared = r
    return compared - rated_singly


def rank_by_aspect(values):
    """Return ranks among all numbers of an aspect (first axis) in place of the numbers."""
    flat = values.reshape(len(values), -1).round(9)
    ranks = stats.rankdata(flat, axis=1, nan_policy="omit")
    return ranks.reshape(values.shape)


def vary_leads(data, free, scores, judges, tests):
    """Return {(judge, rival): table of `sensitivity.vary`}: by how much judges lead a third rater
    and the best control within one writer's stories, by each definition.

    data, free: HANNA's `Ratings`, as rated and without severity; scores: item, judge, aspect,
    score; judges: names in it; tests: the number of judges of whom each is the best.
    """
    scores = scores[scores["judge"].isin(judges)]
    leads = find_leads(free, scores)
    widened = {pair: intervals.widen(row, tests) for pair, row in leads.items()}
    same_stories = find_leads(free, scores, nested=False)
    over_control = {pair: row for pair, row in same_stories.items() if pair[1] == CONTROL}
    by_rank = find_leads(free, scores, measure=statistics.spearman, over=("group",))
    definitions = {
        "Pearson's r, severity removed": leads,
        f"widened for the best of {tests}": widened,
        "severity left in": find_leads(data, scores),
        "all raters in one correlation": find_leads(free, scores, pooled=True),
        f"raters of {MANY} stories or more, equal weights": average_raters(free, scores),
        "control chosen on the same stories": over_control,
        "for new prompts, the same writers": find_leads(free, scores, over=("group",)),
        "the same, Spearman's ρ": by_rank,
        "for new prompts and raters": find_leads(free, scores, over=("group", "rater")),
    }
    without = {}
    for name in list_busy(free):
        others = free._replace(ratings=free.ratings[free.ratings["rater"] != name])
        without[f"without {name}"] = find_leads(others, scores)

    tables = {}
    for pair in itertools.product(judges, (THIRD, CONTROL)):
        claims = {name: rows[pair] for name, rows in definitions.items() if pair in rows}
        one_out = {name: rows[pair] for name, rows in without.items()}
        for name, row in sensitivity.find_extremes(one_out, "one rater left out").items():
            anonymous, _, _ = name.partition(" (")  # each pair has a rater of its own
            claims[anonymous] = row
        tables[pair] = sensitivity.vary(claims)
    return tables


def find_leads(data, scores, *, measure=statistics.pearson, over=OVER, nested=True, pooled=False):
    """Return {(judge, rival): row}: each judge's lead (estimate, low, high, n) over a third rater
    and over the best control, as `compare.compare` has it.

    nested: the control is chosen for each group on the others; pooled: all raters are in one
    correlation.
    """
    cases = ratings.find_cases(data)
    whole = trial.Trial(cases, measure, WITHIN, over, 0.95)
    if pooled:
        whole.blocks = np.zeros(len(cases), int)
    person = whole.apply(cases["person"].to_numpy(float))
    unread = compare.apply_to_all(whole, controls.make_controls(cases, measure, WITHIN))
    if nested:
        control = compare.choose_both(whole, unread)[0].control
    else:
        above_guessing = [guess for guess in unread.values() if guess.value > 0]
        control = max(above_guessing, key=lambda guess: round(guess.value, 9))
    leads = {}
    for judge, score in ratings.match_scores(cases, scores).items():
        scored = whole.apply(score)
        leads[judge, THIRD] = find_lead(whole, scored, "person", person)
        leads[judge, CONTROL] = find_lead(whole, scored, "control", control)
    return leads


def find_lead(whole, scored, rival, against):
    """Return estimate, low, high, n of a judge's lead; whole: a `trial.Trial`; scored, against: a
    `trial.Measured` of the judge and of its rival, a "person" or the "control"."""
    lead = whole.lead(rival, scored, against)
    ends = [lead[name] for name in trial.lead_names(rival)]
    rows = np.intersect1d(scored.rows, against.rows)
    return intervals.row(*ends, whole.count(rows))


def average_raters(data, scores):
    """Return {(judge, a third rater): row}: the mean over raters of MANY stories or more, all with
    one weight, of the judge's lead over each; intervals over prompts."""
    cases = ratings.find_cases(data)
    cases = cases[cases["rater"].isin(list_busy(data))].reset_index(drop=True)
    target = cases["target"].to_numpy(float)
    person = cases["person"].to_numpy(float)
    labels = cases.groupby(list(WITHIN)).ngroup().to_numpy()
    rater, _ = pd.factorize(cases["rater"], sort=True)

    def average(score, rows):
        r_of_raters, _ = statistics.by_block(
            statistics.pearson, score[rows], target[rows], labels[rows], rater[rows]
        )
        return r_of_raters.mean()

    leads = {}
    for judge, score in ratings.match_scores(cases, scores).items():

        def lead(rows, score=score):
            return average(score, rows) - average(person, rows)

        leads[judge, THIRD] = intervals.over_groups(cases["group"].to_numpy(), lead)
    return leads


def tell_comparing(table, where):
    """Return in a sentence whether what comparing adds hangs on a choice; table: of
    `vary_comparing`; where: the notebook that shows it."""
    other_ways = table.iloc[1:].drop(SEVERE)
    is_small = [verdicts.are_alike(row, MARGIN) == "alike" for _, row in other_ways.iterrows()]
    share = "all" if all(is_small) else f"{sum(is_small)} of"
    sentence = (
        f"By {share} {len(other_ways)} other ways to take severity off and to compute r, comparing "
        f"adds less than {MARGIN:g}"
    )
    clear = other_ways.index[other_ways["low"] > 0]
    if len(clear):
        sentence += f"; it is clearly more than nothing by {len(clear)}: {', '.join(clear)}"
    return f"{sentence} ({where})."


def tell_leads(tables, where):
    """Return a line of a list on each claim of `vary_leads`; where: as in `tell_comparing`."""
    lines = []
    for (judge, rival), table in tables.items():
        first = table.iloc[0]
        leads = "does not clearly lead"
        if first["low"] > 0:
            leads = "clearly leads"
        if first["high"] < 0:
            leads = "is clearly behind"
        name = judge[:1].upper() + judge[1:]
        lines.append(f"- {name} {leads} {rival}. {sensitivity.tell(table, where)}")
    return "\n".join(lines)


def tabulate(tables):
    """Return the tables of `vary_leads` as one of text: a column for each judge and rival; what
    differs from the first row is said in its cell."""
    definitions = pd.concat(tables.values()).index.unique()
    columns = {}
    for (judge, rival), table in tables.items():
        texts = table.apply(results.estimate_cell, axis=1, digits=2)
        differs = table["against the first"]
        texts = texts.where(differs == sensitivity.SAME, texts + ": " + differs)
        columns[f"{judge} less {rival} [95 %]"] = texts.reindex(definitions).fillna("")
    return pd.DataFrame(columns).rename_axis("within one writer's stories")
