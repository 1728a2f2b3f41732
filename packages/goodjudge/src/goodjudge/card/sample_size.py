"""What would decide an open question: how many more items, raters or answers of the judge.

An interval leaves a question open where it is too wide. With n groups it is about

    half an interval = t x spread of the lead for one group / root of n

so that the file's own interval says how many groups would do (`verdicts.count_groups_needed`).
More raters make the others' mean less noisy: the spread of a lead falls, and the lead of one and
the same judge rises, as does what a perfect judge has. By how much is simulated from a model of the
file's own ratings, with a judge, a control and a person that are as good as those in the file
(`planning`). Asking a judge again takes its own noise off, as far as the answers that were
repeated show any.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from goodjudge import plan
from goodjudge.diagnostics import alt_test
from goodjudge.errors import DataError
from goodjudge.stats import metrics
from goodjudge.stats.intervals import ENOUGH

FEASIBLE = 20_000  # ratings in all: HANNA, the largest study here, has 19,008
TIMES = (1, 1.5, 2, 3, 4)  # as many raters an item as there are
FEW_ASPECTS, MANY_ASPECTS = 200, 50  # studies simulated with two aspects or fewer, and with more
MOST_REPEATS = 20  # answers of a judge to one question


class Setting(NamedTuple):
    """The size of a study, and what more raters would bring.

    items, groups, aspects: how many there are; raters: of an item (the median); spreads: a row for
    each number of raters, a column for each rival of a judge (control, stranger, person): of
    `simulate_leads`, as a share of that with the raters there are.
    """

    items: int
    groups: int
    aspects: int
    raters: int
    spreads: pd.DataFrame


def find_setting(data, found, judge, seed=0):
    """Return the `Setting` of a file.

    data: `Ratings`; found: of `compare.compare`; judge: a name in it. Where the ratings give no
    model (all are the same), more raters are taken to bring nothing.
    """
    raters_of_case = data.ratings.groupby(list_case(data))["rater"].nunique()
    raters = max(int(raters_of_case.median()), 1)
    aspects = data.ratings["aspect"].nunique() if "aspect" in data.ratings else 1
    panels = {int(np.ceil(raters * times)) for times in TIMES} | {2, 3}
    panels = sorted(panel for panel in panels if panel >= raters)
    items = data.ratings["item"].nunique()
    groups = int(found.at[judge, "n"]) or data.items["group"].nunique()
    spreads = simulate_spreads(data, found, judge, panels, seed)
    return Setting(items, groups, aspects, raters, spreads)


def list_case(data):
    """Return the columns that name a case: item, and aspect where the ratings have one."""
    return ["item", "aspect"] if "aspect" in data.ratings else ["item"]


def simulate_spreads(data, found, judge, panels, seed):
    """Return the table `spreads` of a `Setting`; panels: numbers of raters, the file's own first;
    other arguments as for `find_setting`."""
    names = {rival: found.attrs[rival] for rival in ("control", "stranger")}
    try:
        assumed = plan.borrow(data, 0.0, "the file", np.random.default_rng(seed))
    except DataError:
        return pd.DataFrame(1.0, panels, [*names, "person"])
    curve = plan.trace_curve(assumed, panels[0], np.random.default_rng(seed))
    shares = {}
    guess = metrics.find_guess(plan.choose_measure(assumed))
    for who, row in {**names, "judge": judge}.items():
        value = np.nan_to_num(found.at[row, "estimate"], nan=guess)
        shares[who] = float(np.interp(value, curve, plan.SHARES))
    spreads = {}
    for panel in panels:
        rng = np.random.default_rng(seed)  # the same luck for each number of raters
        spreads[panel] = simulate_leads(assumed, shares, panel, rng)
    table = pd.DataFrame(spreads).T
    # nan where a single rater leaves no person: the next panel's stands in its place
    of_first = table.bfill().iloc[0]
    # 0 where both know all there is, or both nothing: then more raters are taken to bring nothing
    shares_of_first = table / of_first
    shares_of_first.loc[:, ~(of_first > 1e-9)] = 1.0
    return np.minimum.accumulate(shares_of_first.bfill())  # more raters never make it wider


def simulate_leads(assumed, shares, raters, rng):
    """Return {rival: the spread of a judge's lead over it}, where so many raters rate each item.

    The spread is the standard deviation of the lead over many studies, divided by how far a perfect
    judge is above guessing: with more raters everybody's value rises, and leads with it. nan for
    the person where an item has a single rater.

    assumed: a `plan.Assumed`; shares: {judge, control, stranger: how much of what raters share
    it knows}; a control that knows nothing is a constant.
    """
    studies = MANY_ASPECTS if assumed.aspects > 2 else FEW_ASPECTS
    drawn = plan.draw_usual(assumed, raters, rng, studies)
    guess = metrics.find_guess(plan.choose_measure(assumed))
    reach = plan.measure_share(assumed, drawn, 1.0, 0).mean() - guess
    reach = reach if reach > 0 else np.nan  # even a perfect judge is not above guessing
    of_judge = plan.measure_share(assumed, drawn, shares["judge"], 0)
    spreads = {}
    for rival in ("control", "stranger"):
        value = guess
        if shares[rival] > 0:
            value = plan.measure_share(assumed, drawn, shares[rival], 1)
        spreads[rival] = np.std(of_judge - value) / reach
    spreads["person"] = np.nan
    if raters > 1:
        of_person = plan.measure_scorer(assumed, drawn.answers, drawn)
        spreads["person"] = np.std(of_judge - of_person) / reach
    return spreads


def find_ways(needed, setting, rival):
    """Return what would decide a question about a lead, a row for each number of raters: items,
    groups, raters, ratings (in all), more (ratings than there are), wanted (items, not rounded).

    needed: groups with the raters there are (`verdicts.count_groups_needed`); setting: of
    `find_setting`; rival: control, stranger or person.
    """
    together = setting.items / setting.groups
    there = setting.items * setting.raters * setting.aspects
    rows = []
    for raters, share in setting.spreads[rival].items():
        groups = max(needed * share**2, ENOUGH)
        wanted = max(int(np.ceil(groups * together)), setting.items)
        items = setting.items
        if wanted > items:
            items += round_up(wanted - items)
        groups = int(np.ceil(items / together))
        ratings = items * int(raters) * setting.aspects
        rows.append((items, groups, int(raters), ratings, ratings - there, wanted))
    return pd.DataFrame(rows, columns=["items", "groups", "raters", "ratings", "more", "wanted"])


def round_up(number):
    """Return a number rounded up to two digits, since nothing more is known of it: 446 is 450."""
    step = 10 ** max(int(np.floor(np.log10(max(number, 1)))) - 1, 0)
    return int(np.ceil(number / step) * step)


def tell_ways(needed, setting, rival):
    """Return in a sentence what would decide a question about a lead; arguments of `find_ways`.

    More items with the raters there are; where that is enough, more raters for the items there
    are; and both together where that is cheapest. Where all need more than `FEASIBLE` ratings, no
    study would do.
    """
    ways = find_ways(needed, setting, rival)
    feasible = ways[ways["ratings"] <= FEASIBLE]
    if feasible.empty:
        least = ways.loc[ways["ratings"].idxmin()]
        items, raters = round_up(least["wanted"]), int(least["raters"])
        return (
            f"No study of feasible size: about {items:,} items by {raters} raters "
            f"({items * raters * setting.aspects:,} ratings) would be needed."
        )
    told = []
    same_raters = feasible[feasible["raters"] == setting.raters]
    same_items = feasible[feasible["items"] == setting.items]
    for choice in (
        same_raters.head(1),
        same_items.head(1),
        feasible.sort_values("ratings", kind="stable").head(1),
    ):
        for _, way in choice.iterrows():
            words = tell_way(way, setting)
            if words not in told:
                told.append(words)
    return f"About {'; or '.join(told)}."


def tell_way(way, setting):
    """Return one row of `find_ways` in words, with its cost in ratings."""
    more_items = way["items"] - setting.items
    more_groups = way["groups"] - setting.groups
    more_raters = way["raters"] - setting.raters
    parts = []
    if more_items:
        of_groups = f" ({more_groups:,} groups)" if setting.groups < setting.items else ""
        parts.append(f"{more_items:,} more items like these{of_groups}")
    if more_raters:
        parts.append(f"{way['raters']} raters an item instead of {setting.raters}")
    return f"{' with '.join(parts) or 'as much again'}: {way['more']:,} more ratings"


def find_repeat_noise(scores, judge):
    """Return (share, times): the share of the variance of one answer of a judge that another answer
    to the same question does not have, and how often it was asked (the median); (nan, 1) where
    nothing was asked twice.

    scores: item, judge, score and perhaps aspect, order, partner, status (only "ok" counts).
    """
    own = scores[scores["judge"] == judge]
    if "status" in own:
        own = own[own["status"] == "ok"]
    question = [name for name in ("item", "aspect", "order", "partner") if name in own]
    by_question = own.dropna(subset=["score"]).groupby(question)["score"]
    counts = by_question.size()
    twice = counts > 1
    total = own["score"].var()
    if not twice.any() or not total > 0:
        return np.nan, 1
    noise = (by_question.var()[twice] * (counts[twice] - 1)).sum() / (counts[twice] - 1).sum()
    return float(min(noise / total, 1)), int(counts.median())


def tell_repeats(scores, judge, r, missing):
    """Return what asking a judge more often would do for a question about its lead, "" where
    nothing is known of it.

    scores: of `find_repeat_noise`; r: the judge's correlation; missing: by how much its lead would
    have to rise. Where one answer has the noise v, a mean of m answers has a reliability of (1 -
    v) / (1 - v + v / m), and r rises with the root of that. With v = 0.5 one answer has 1/2, a mean
    of three has 3/4: r is sqrt(1.5) = 1.22 times as large.
    """
    noise, times = find_repeat_noise(scores, judge)
    if np.isnan(noise) or not r > 0 or noise >= 1:
        return ""
    now = (1 - noise) / (1 - noise + noise / times)
    most = r * (np.sqrt(1 / now) - 1)  # of endlessly many answers
    for asked in range(times + 1, MOST_REPEATS + 1):
        then = (1 - noise) / (1 - noise + noise / asked)
        if r * (np.sqrt(then / now) - 1) >= missing:
            return f"Asking the judge {asked} times instead of {times} would do, too."
    if most > missing:
        least = max(times, MOST_REPEATS)
        return (
            f"Asking the judge more often would do, too, but only with more than {least} answers."
        )
    return f"Asking the judge more often would add {most:.2f} to its r at most: not enough."


def count_units_needed(deficits, epsilon, level=0.05):
    """Return how many units (items) each rater would need in the alternative annotator test, so
    that 80 of 100 judges that are as near as the raters would win against a usual rater.

    deficits: one Series for each rater tested, of `alt_test.list_deficits`; epsilon: how far the
    mean deficit lies from the limit (of such a judge epsilon itself, since its mean deficit is 0).
    The level is that of Benjamini and Yekutieli where all raters are beaten.
    """
    raters = len(deficits)
    strict = level / sum(1 / number for number in range(1, raters + 1))
    spread = np.median([find_unit_spread(of_rater) for of_rater in deficits])
    steps = stats.norm.ppf(1 - strict) + stats.norm.ppf(0.8)
    return round_up(max((steps * spread / epsilon) ** 2, alt_test.LEAST))


def find_unit_spread(deficit):
    """Return the spread of one unit that would give the mean deficit its error, were the units
    independent; those of one item (the first level of the index) are not."""
    apart = (deficit - deficit.mean()).groupby(level=0).sum()
    items = len(apart)
    variance = items / (items - 1) * (apart**2).sum() / len(deficit)
    return np.sqrt(variance)
