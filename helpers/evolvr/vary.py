"""The main claims of notebook 05 under other definitions: do they hang on a choice?"""

import numpy as np
import pandas as pd
from scipy import stats

from helpers import results
from helpers.evolvr import raters
from helpers.evolvr.load import ASPECTS, rating_array
from helpers.measures import (
    agreement,
    compare,
    controls,
    intervals,
    ratings,
    sensitivity,
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
    machines = ratings.keep(data, data.items["writer"] != data.items["writer"].iloc[0])
    squares = agreement.find_severity(data)[0]
    squares["score"] = squares["score"] - squares["severity"]
    (x, who), (free, _) = map(rating_array, (data, agreement.remove_severity(data)))
    by_squares = rating_array(data._replace(ratings=squares))[0]
    rest = who, data.items["group"].to_numpy()
    first = find_gain(x, free, *rest)
    left = {name: find_gain(*leave_out(x, free, who, name), *rest) for name in np.unique(who)}
    busy = {f"without {name}": raters.to_row(left[name], None) for name in list_busy(data)}
    parts = [first[1:], np.array([one[0] for one in left.values()]), np.zeros(1)]
    claims = {
        "r of two raters, severity removed": raters.to_row(first, None),
        SEVERE: raters.to_row(find_gain(x, x, *rest), None),
        "severity by plain least squares": raters.to_row(find_gain(x, by_squares, *rest), None),
        **sensitivity.find_extremes(busy, "one rater left out"),
        "rater by rater, then the mean": raters.to_row(find_gain(x, free, *rest, alone=True), None),
        "ranks in place of points": raters.to_row(find_gain(x, free, *rest, ranks=True), None),
        "machine stories alone": raters.about_pairs(machines)[1].loc[raters.SIX],
        "for new raters too": intervals.combine(first[0], parts),  # both variances are added
    }
    return sensitivity.vary(claims).rename_axis("comparing adds to r")


def leave_out(x, free, who, name):
    """Return both arrays of ratings without those of one rater (nan)."""
    return [np.where(who == name, np.nan, part) for part in (x, free)]


def find_gain(x, free, who, prompts, *, alone=False, ranks=False):
    """Return what comparing adds to r, mean of six aspects, then without each prompt in turn.

    x, free, who, prompts: of `raters.list_views`; alone: r is taken by the rater who comes first,
    then averaged; ranks: of the numbers that are correlated, in their place.
    """
    views, r = raters.list_views(x, free, who, prompts), {}
    for view in raters.TWO:
        one, other, at, first = views[view]
        codes = np.unique(first, return_inverse=True)[1].reshape(first.shape) if alone else None
        if ranks:
            one, other = (
                stats.rankdata(side.round(9), axis=1, nan_policy="omit")
                for side in (one.reshape(len(one), -1), other.reshape(len(other), -1))
            )
            one, other = (side.reshape(len(side), *first.shape) for side in (one, other))
        each = [raters.correlate(one[k], other[k], at, codes) for k in range(len(ASPECTS))]
        r[view] = np.mean(each, axis=0)
    single, pair = raters.TWO
    return r[pair] - r[single]


def vary_leads(data, free, scores, judges, tests):
    """Return {(judge, rival): table of `sensitivity.vary`}: by how much judges lead a third rater
    and the best control within one writer's stories, by each definition.

    data, free: HANNA's `Ratings`, as rated and without severity; scores: item, judge, aspect,
    score; judges: names in it; tests: the number of judges of whom each is the best.
    """
    pairs = [(judge, rival) for judge in judges for rival in (THIRD, CONTROL)]
    scores = scores[scores["judge"].isin(judges)]
    first = find_leads(free, scores)
    found = {
        "Pearson's r, severity removed": first,
        f"widened for the best of {tests}": {
            pair: intervals.widen(row, tests) for pair, row in first.items()
        },
        "severity left in": find_leads(data, scores),
        "all raters in one correlation": find_leads(free, scores, pooled=True),
        f"raters of {MANY} stories or more, equal weights": average_raters(free, scores),
        "control chosen on the same stories": {
            pair: row
            for pair, row in find_leads(free, scores, nested=False).items()
            if pair[1] == CONTROL
        },
        "for new prompts, the same writers": find_leads(free, scores, over=("group",)),
        "the same, Spearman's ρ": find_leads(
            free, scores, measure=statistics.spearman, over=("group",)
        ),
        "for new prompts and raters": find_leads(free, scores, over=("group", "rater")),
    }
    left = {}
    for name in list_busy(free):
        rest = free._replace(ratings=free.ratings[free.ratings["rater"] != name])
        left[f"without {name}"] = find_leads(rest, scores)
    for pair in pairs:
        rows = {without: leads[pair] for without, leads in left.items()}
        for name, row in sensitivity.find_extremes(rows, "one rater left out").items():
            end = name.split(" (")[0]  # each pair has a rater of its own
            found.setdefault(end, {})[pair] = row
    return {
        pair: sensitivity.vary({name: rows[pair] for name, rows in found.items() if pair in rows})
        for pair in pairs
    }


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
        known = [guess for guess in unread.values() if guess.value > 0]
        control = max(known, key=lambda guess: round(guess.value, 9))
    leads = {}
    for judge, score in ratings.match_scores(cases, scores).items():
        scored = whole.apply(score)
        for rival, name, against in ((THIRD, "person", person), (CONTROL, "control", control)):
            lead = whole.lead(name, scored, against)
            n = whole.count(np.intersect1d(scored.rows, against.rows))
            ends = [lead[end] for end in trial.lead_names(name)]
            leads[judge, rival] = intervals.row(*ends, n)
    return leads


def average_raters(data, scores):
    """Return {(judge, a third rater): row}: the mean over raters of MANY stories or more, all with
    one weight, of the judge's lead over each; intervals over prompts."""
    cases = ratings.find_cases(data)
    cases = cases[cases["rater"].isin(list_busy(data))].reset_index(drop=True)
    target, person = (cases[name].to_numpy(float) for name in ("target", "person"))
    labels = cases.groupby([*WITHIN]).ngroup().to_numpy()
    rater, prompt = pd.factorize(cases["rater"], sort=True)[0], cases["group"].to_numpy()

    def average(score, rows):
        given = score[rows], target[rows], labels[rows], rater[rows]
        return statistics.by_block(statistics.pearson, *given)[0].mean()

    def lead_of(score):
        return lambda rows: average(score, rows) - average(person, rows)

    return {
        (judge, THIRD): intervals.over_groups(prompt, lead_of(score))
        for judge, score in ratings.match_scores(cases, scores).items()
    }


def read_lead(found, judge, rival):
    """Return a judge's lead over the "control" or a "person" (estimate, low, high, n) from
    `compare.compare`."""
    return found.loc[judge, [*trial.lead_names(rival), "n"]].set_axis(compare.ENDS).astype(float)


def compare_ceilings(analytic, simulated):
    """Return by how much two ceilings differ (estimate, low, high, n); their errors are taken as
    independent, which makes the interval too wide."""
    halves = [(row["high"] - row["low"]) / 2 for row in (analytic, simulated)]
    gap, half = simulated["estimate"] - analytic["estimate"], np.hypot(*halves)
    return intervals.row(gap, gap - half, gap + half, min(analytic["n"], simulated["n"]))


def tell_comparing(table, where):
    """Return in a sentence whether what comparing adds hangs on a choice; table: of
    `vary_comparing`; where: the notebook that shows it."""
    others = table.iloc[1:].drop(SEVERE)
    small = [verdicts.are_alike(row, MARGIN) == "alike" for _, row in others.iterrows()]
    clear = others.index[others["low"] > 0]
    say = "all" if all(small) else f"{sum(small)} of"
    told = (
        f"By {say} {len(others)} other ways to take severity off and to compute r, comparing adds "
        f"less than {MARGIN:g}"
    )
    if len(clear):
        told += f"; it is clearly more than nothing by {len(clear)}: {', '.join(clear)}"
    return f"{told} ({where})."


def tell_leads(tables, where):
    """Return a sentence on each claim of `vary_leads`, as a list; where: as in
    `tell_comparing`."""
    told = []
    for (judge, rival), table in tables.items():
        low, high = table.iloc[0][["low", "high"]]
        says = "clearly leads" if low > 0 else "does not clearly lead"
        if high < 0:
            says = "is clearly behind"
        judge = f"{judge[:1].upper()}{judge[1:]}"
        told.append(f"- {judge} {says} {rival}. {sensitivity.tell(table, where)}")
    return "\n".join(told)


def tabulate(tables):
    """Return the tables of `vary_leads` as one of text: a column for each judge and rival; what
    differs from the first row is said in its cell."""
    rows = dict.fromkeys(name for table in tables.values() for name in table.index)
    columns = {}
    for (judge, rival), table in tables.items():
        cells = table.apply(results.estimate_cell, axis=1, digits=2)
        said = table["against the first"]
        cells = cells.where(said == sensitivity.SAME, cells + ": " + said)
        columns[f"{judge} less {rival} [95 %]"] = cells.reindex(list(rows)).fillna("")
    return pd.DataFrame(columns).rename_axis("within one writer's stories")
