"""The main claims of notebook 05 under other definitions: do they depend on a choice?

`vary_comparing` asks how much comparing two stories adds to raters' agreement, `vary_leads` whether
judges lead a person and the best control within one writer's stories. Each lists its
definitions, the notebook's own first, as rows estimate, low, high, n of a difference from 0;
`choices.vary` says of each whether it stands as the first does. Supplement S1 shows the tables.
"""

import itertools
from typing import NamedTuple

import numpy as np
from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.stats import intervals, severity
from goodjudge.stats import metrics as statistics
from scipy import stats

from helpers import choices
from helpers.evolvr import raters
from helpers.evolvr.load import rating_array

MARGIN = 0.05  # of r of two raters, itself 0.1 to 0.4: half of what counts elsewhere
SEVERE = "severity left in single ratings"  # another question
MANY = 90  # stories of a rater whose ratings are left out, or who counts alone
WITHIN, OVER = ("aspect", "writer"), ("writer", "group")  # as in notebook 05
RIVALS = {choices.PERSON: "a person", choices.CONTROL: "the best control"}  # for readers


def list_busy(data):
    """Return the raters of MANY stories or more, in order of their names."""
    stories = data.ratings.groupby("rater")["item"].nunique()
    return sorted(stories.index[stories >= MANY])


class Gain(NamedTuple):
    """What comparing adds to r of two raters, the mean of six aspects.

    whole: of all prompts; without_each: without each prompt in turn, an array.
    """

    whole: float
    without_each: np.ndarray


def vary_comparing(data):
    """Return a table of `choices.vary`: by how much two raters agree more about two stories
    that they compare than about two that they rate singly (r, mean of six aspects), by each
    definition.

    data: HANNA's `Ratings`. Where a rater is left out, the others' severity stays as it was.
    """
    rated, who = rating_array(data)
    prompts = data.items["group"].to_numpy()
    free, _ = rating_array(severity.remove_severity(data))
    free_by_squares, _ = rating_array(subtract_severity(data))

    def row_by(free_of_severity, **how):
        return to_row(find_gain(rated, free_of_severity, who, prompts, **how))

    gain = find_gain(rated, free, who, prompts)
    without_rater = {}
    for name in np.unique(who):
        others = leave_out(rated, free, who, name)
        without_rater[name] = find_gain(*others, who, prompts)
    without_busy = {f"without {name}": to_row(without_rater[name]) for name in list_busy(data)}

    claims = {
        "r of two raters, severity removed": to_row(gain),
        SEVERE: row_by(rated),
        "severity by plain least squares": row_by(free_by_squares),
        **choices.find_extremes(without_busy, "one rater left out"),
        "rater by rater, then the mean": row_by(free, alone=True),
        "ranks in place of points": row_by(free, ranks=True),
        "machine stories alone": compare_on_machine_stories(data),
        "for new raters too": to_row_for_new_raters(gain, without_rater),
    }
    return choices.vary(claims, [SEVERE]).rename_axis("comparing adds to r")


def to_row(gain):
    """Return estimate, low, high, n (prompts) of a `Gain`, for new prompts."""
    return intervals.combine(gain.whole, [gain.without_each])


def to_row_for_new_raters(gain, without_rater):
    """Return estimate, low, high, n of a `Gain`, for new prompts and new raters
    (`intervals.combine_two`); without_rater: {rater: the `Gain` without this rater}."""
    over_raters = [smaller.whole for smaller in without_rater.values()]
    return intervals.combine_two(gain.whole, gain.without_each, over_raters)


def compare_on_machine_stories(data):
    """Return estimate, low, high, n of what comparing adds where no story is by people, who are
    HANNA's first writer."""
    people = data.items["writer"].iloc[0]
    machines = ratings.keep(data, data.items["writer"] != people)
    _, change = raters.about_pairs(machines)
    return change.loc[raters.SIX]


def subtract_severity(data):
    """Return the data less each rater's severity by plain least squares."""
    table, _ = severity.find_severity(data)
    free = table["score"] + table["severity"]
    return data._replace(ratings=table.assign(score=free))


def leave_out(rated, free, who, name):
    """Return both arrays of ratings without those of one rater (nan)."""
    is_out = who == name
    return np.where(is_out, np.nan, rated), np.where(is_out, np.nan, free)


def find_gain(rated, free, who, prompts, *, alone=False, ranks=False):
    """Return the `Gain`: r of two raters about two stories that they compare, less r about two that
    they rate singly.

    rated, free, who, prompts: of `raters.list_views`; alone: r is taken by the rater who comes
    first, then averaged; ranks: of the numbers that are correlated, in their place.
    """
    views = raters.list_views(rated, free, who, prompts)
    r = {}
    for name in raters.TWO:
        view = views[name]
        if ranks:
            view = view._replace(first=rank_by_aspect(view.first))
            view = view._replace(second=rank_by_aspect(view.second))
        blocks = raters.number_raters(view.rater) if alone else None
        r[name] = raters.correlate_aspects(view, blocks).mean(axis=0)  # whole, without each prompt
    rated_singly, compared = raters.TWO
    gain = r[compared] - r[rated_singly]
    return Gain(gain[0], gain[1:])


def rank_by_aspect(values):
    """Return ranks among all numbers of an aspect (first axis) in place of the numbers."""
    flat = values.reshape(len(values), -1).round(9)
    ranks = stats.rankdata(flat, axis=1, nan_policy="omit")
    return ranks.reshape(values.shape)


def allow_for_choice(free, scores, together, best):
    """Return {how the choice of the best judge is allowed for: {(judge, rival): a row}}: for all
    judges together, and by Bonferroni's correction; `vary_leads` takes them so.

    free: HANNA's `Ratings` without severity; scores: of the judges among whom `best` was chosen;
    together: of `compare.compare`, of these, with together=True.
    """
    of_best = compare.summarise(together, best)
    rows = {choices.PERSON: of_best.loc["the judge less a person"]}
    rows[choices.CONTROL] = of_best.loc["the judge less control that a user could have"]
    alone = choices.find_leads(
        ratings.find_cases(free),
        scores[scores["judge"] == best],
        statistics.pearson,
        within=WITHIN,
        over=OVER,
    )
    judges = scores["judge"].nunique()
    return {
        f"allowing for the choice, the {judges} together": {
            (best, rival): row for rival, row in rows.items()
        },
        f"allowing for the choice, Bonferroni for {judges}": {
            (best, rival): intervals.widen(alone[best, rival], judges) for rival in rows
        },
    }


def vary_leads(data, free, scores, judges, chosen):
    """Return {(judge, rival): table of `choices.vary`}: by how much judges lead a person and
    the best control within one writer's stories, by each definition.

    data, free: HANNA's `Ratings`, as rated and without severity; scores: item, judge, aspect,
    score; judges: names in it; chosen: of `allow_for_choice`.
    """
    scores = scores[scores["judge"].isin(judges)]

    def lead_on(cases, measure=statistics.pearson, over=OVER, nested=True):
        return choices.find_leads(cases, scores, measure, within=WITHIN, over=over, nested=nested)

    def find_leads(ratings_of_some):
        return lead_on(ratings.find_cases(ratings_of_some))

    cases = ratings.find_cases(free)
    pooled = cases.assign(rater="all of them")
    by_rater = choices.average_raters(cases, scores, statistics.pearson, within=WITHIN, least=MANY)
    chosen_there = lead_on(cases, nested=False)
    without_one = choices.leave_raters_out(free, find_leads, list_busy(free))
    first = lead_on(cases)
    prompts, prompts_and_raters = ("group",), ("group", "rater")  # what may be new
    definitions = {
        "Pearson's r, severity removed": first,
        **chosen,
        "severity left in": find_leads(data),
        "all raters in one correlation": lead_on(pooled),
        f"raters of {MANY} stories or more, equal weights": by_rater,
        "control chosen on the same stories": choices.keep_rival(chosen_there, choices.CONTROL),
        "for new prompts, the same writers": lead_on(cases, over=prompts),
        "the same, Spearman's ρ": lead_on(cases, statistics.spearman, over=prompts),
        "for new prompts and raters": lead_on(cases, over=prompts_and_raters),
        **choices.find_extremes_of_each(without_one, "one rater left out"),
    }
    tables = choices.vary_each(definitions, aside=["severity left in"])
    return {
        (judge, shown): tables[judge, rival]
        for judge, (rival, shown) in itertools.product(judges, RIVALS.items())
    }
