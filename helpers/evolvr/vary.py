"""The main claims of notebook 05 under other definitions: do they hang on a choice?

`vary_comparing` asks how much comparing two stories adds to raters' agreement, `vary_leads` whether
judges lead a third rater and the best control within one writer's stories. Each lists its
definitions, the notebook's own first, as rows estimate, low, high, n of a difference from 0;
`sensitivity.vary` says of each whether it stands as the first does. Notebook 05b shows the tables.
"""

import itertools

import numpy as np
from scipy import stats

from helpers.evolvr import raters
from helpers.evolvr.load import rating_array
from helpers.measures import intervals, leads, ratings, sensitivity, severity, statistics, verdicts

MARGIN = 0.05  # of r of two raters, itself 0.1 to 0.4: half of what counts elsewhere
SEVERE = "severity left in single ratings"  # the one definition that is another question
MANY = 90  # stories of a rater whose ratings are left out, or who counts alone
WITHIN, OVER = ("aspect", "writer"), ("writer", "group")  # as in notebook 05
RIVALS = {leads.PERSON: "a third rater", leads.CONTROL: "the best control"}  # for readers


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

    def lead_on(cases, measure=statistics.pearson, over=OVER, nested=True):
        return leads.find_leads(cases, scores, measure, within=WITHIN, over=over, nested=nested)

    def find_leads(ratings_of_some):
        return lead_on(ratings.find_cases(ratings_of_some))

    cases = ratings.find_cases(free)
    first = lead_on(cases)
    by_rater = leads.average_raters(cases, scores, statistics.pearson, within=WITHIN, least=MANY)
    chosen_there = lead_on(cases, nested=False)
    without_one = sensitivity.leave_raters_out(free, find_leads, list_busy(free))
    definitions = {
        "Pearson's r, severity removed": first,
        f"widened for the best of {tests}": leads.widen_all(first, tests),
        "severity left in": find_leads(data),
        "all raters in one correlation": lead_on(cases.assign(rater="all of them")),
        f"raters of {MANY} stories or more, equal weights": by_rater,
        "control chosen on the same stories": leads.keep_rival(chosen_there, leads.CONTROL),
        "for new prompts, the same writers": lead_on(cases, over=("group",)),
        "the same, Spearman's ρ": lead_on(cases, statistics.spearman, over=("group",)),
        "for new prompts and raters": lead_on(cases, over=("group", "rater")),
        **sensitivity.find_extremes_of_each(without_one, "one rater left out"),
    }
    tables = sensitivity.vary_each(definitions)
    shown = {}
    for judge, rival in itertools.product(judges, RIVALS):
        shown[judge, RIVALS[rival]] = tables[judge, rival]
    return shown


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
        sentence += f". By {len(clear)} of them it adds clearly more than nothing: "
        sentence += "; ".join(clear)
    return f"{sentence} ({where})."


def tell_leads(tables, where):
    """Return a line of a list on each claim of `vary_leads`; where: as in `tell_comparing`."""
    claims = {}
    for (judge, rival), table in tables.items():
        name = judge[:1].upper() + judge[1:]  # a sentence begins with it
        claims[name, rival] = table
    return sensitivity.tell_leads(claims, where)


def tabulate(tables):
    """Return the tables of `vary_leads` as one of text: a column for each judge and rival."""
    columns = {f"{judge} less {rival} [95 %]": tables[judge, rival] for judge, rival in tables}
    return sensitivity.tabulate(columns).rename_axis("within one writer's stories")
