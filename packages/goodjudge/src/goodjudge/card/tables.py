"""The tables of a card beside its comparison: people, where a judge fails, corrected means, sizes.

Each function returns a table with a named index or columns of its own, empty where it is not asked.
Everywhere here study: of `study.set_up`; found: of `compare.compare`; judge: a name in it.
"""

import numpy as np
import pandas as pd

from goodjudge import plan
from goodjudge.comparison import compare, controls
from goodjudge.comparison.cases import ALONE, Trial
from goodjudge.comparison.compare import CEILING, ENDS, PERSON
from goodjudge.data import ratings
from goodjudge.diagnostics import (
    alt_test,
    consistency,
    fairness,
    leniency,
    ppi,
    reliability,
    system_level,
)
from goodjudge.errors import DataError
from goodjudge.format import rank
from goodjudge.stats import intervals, metrics, severity

NOTHING = pd.DataFrame()
RATER = "one more rater"  # how `compare.PERSON` is called on a card
NAMES = {  # of rows, on a card
    PERSON: RATER,
    controls.BEST: "the best of all, chosen elsewhere",
    controls.BEST_STRANGER: "the best, chosen on other groups",
    "authorship": "who wrote it",
    "authorship and aspect": "who wrote it, by aspect",
}
MANY_WRITERS = 40  # of more than which all pairs would take too long to swap


def name_ends(table, name):
    """Return a table whose estimate, low and high are called name, name low and name high."""
    names = {"estimate": name, "low": f"{name} low", "high": f"{name} high"}
    return table.rename(columns=names)


def drop_ends(study, table):
    """Return a table without intervals where there are fewer than five groups."""
    return intervals.drop_ends(table, study.groups)


# ------------------------------------------------------------------------------------ people


def find_people(study):
    """Return how reliable one rater is, a row per aspect and kind of decision."""
    if not study.several:
        return NOTHING
    linked = bool(severity.share_of_largest_circle(study.data) > 1 - 1e-9)
    table = name_ends(reliability.lay_out_agreement(study.data, linked), "reliability of one rater")
    return table.reset_index()


def rate_raters(study, found):
    """Return each rater's own row, that of all together, and that which speaks of new raters too;
    with each rater's severity where it is known."""
    if not study.several or study.target != "others":
        return NOTHING
    settings = {"within": study.within, "level": study.level}
    each = reliability.rate_each(study.adjusted, study.measure, **settings)
    each = each.iloc[np.argsort([int(name[1:]) for name in each.index], kind="stable")]
    nobody = study.scores.head(0)
    anybody = reliability.for_new_raters(study.adjusted, nobody, study.measure, **settings)
    each.loc["these raters together"] = found.loc[PERSON, ENDS]
    each.loc["and new raters"] = anybody.loc[PERSON, ENDS]
    table = name_ends(each, f"{study.name} with the others").rename(columns={"n": "groups"})
    if severity.know_all_severity(study.data) and not study.in_order:
        strict, linked = severity.estimate_severity(study.data)
        if linked:
            table["severity"] = strict["severity"]
    return table


# ------------------------------------------------------------------------------ where it fails


def rate_parts(study, judge, factor):
    """Return how far a judge and a person follow people in each part of the cases, such as each
    aspect: a row per part with items; intervals are over groups, of a group over its items.

    factor: "aspect" or "group". Parts of fewer than ten items have no row.
    """
    cases, _ = compare.list_cases(study.adjusted, study.target, study.measure)
    if factor not in cases or cases[factor].nunique() < 2:
        return NOTHING
    score = ratings.match_scores(cases, study.compared)[judge]
    within = tuple(name for name in study.within if name != factor)
    over = ("item",) if factor == "group" else ("group",)
    rows = {}
    for name, places in cases.groupby(factor, sort=False).indices.items():
        part = cases.iloc[places].reset_index(drop=True)
        if part["item"].nunique() < ALONE:
            continue
        trial = Trial(part, study.measure, within, over, study.level)
        own = trial.rate(trial.apply(score[places]))
        person = trial.rate(trial.apply(part["person"].to_numpy(float)))
        row = {"estimate": own["estimate"], "low": own["low"], "high": own["high"]}
        ends = dict(zip((RATER, f"{RATER} low", f"{RATER} high"), person))
        rows[name] = row | ends | {"items": part["item"].nunique()}
    if len(rows) < 2:
        return NOTHING
    table = name_ends(pd.DataFrame.from_dict(rows, orient="index"), str(judge))
    return table.dropna(axis="columns", how="all").rename_axis(factor)


def find_leniency(study):
    """Return leniency and slope, (who, leniency) and (who, slope): of `leniency.find_strictness`;
    empty where this cannot be asked."""
    can_be_asked = len(study.scores) and study.several and not study.scales
    if not can_be_asked or study.in_order:
        return NOTHING
    return drop_ends(study, leniency.find_strictness(study.data, study.scores, study.level))


def lay_out_leniency(study, found):
    """Return leniency and slope of each judge and a person, a row each; found: of
    `find_leniency`."""
    if found.empty:
        return NOTHING
    parts = []
    unit = "logits" if study.yes_or_no else "points"
    for quantity, name in {"leniency": f"leniency, in {unit}", "slope": "slope"}.items():
        rows = found.xs(quantity, level=1)[["estimate", "low", "high"]]
        parts.append(name_ends(rows.rename(NAMES), name))
    return pd.concat(parts, axis="columns").rename_axis("who")


def find_uneven(study, judge):
    """Return (a judge's leniency by writer, aspect and length beyond its average, a row per level;
    {factor: p} by permutation, corrected for how many were looked at)."""
    if study.scales or study.in_order or not study.several:
        return NOTHING, {}
    cases = fairness.list_cases(study.data, study.scores, judge)
    factors = [name for name in fairness.list_factors(cases) if name != "group"]
    if not factors:
        return NOTHING, {}
    tested = fairness.compare_factors(cases, np.random.default_rng(study.seed), factors)
    tables = []
    for factor in factors:
        levels = fairness.rate_levels(cases, factor, study.level)
        if not len(levels):
            continue
        levels = levels.reset_index(names="level")
        tables.append(
            levels.assign(factor=factor)[["factor", "level", "estimate", "low", "high", "n"]]
        )
    if not tables:
        return NOTHING, {}
    unit = "shares of Yes" if study.yes_or_no else "points"
    table = name_ends(pd.concat(tables, ignore_index=True), f"beyond its average, in {unit}")
    return table.rename(columns={"n": "groups"}), tested["p corrected"].to_dict()


def rate_writers(study):
    """Return how alike scores and people order the writers, and two writers' items in a group; a
    row per judge and control."""
    items = study.data.items
    if "writer" not in items or not 2 < items["writer"].nunique() <= MANY_WRITERS:
        return NOTHING
    if study.groups < 2:
        return NOTHING
    rng = np.random.default_rng(study.seed)
    table = system_level.compare_levels(study.data, study.scores, rng, study.level)
    table = drop_ends(study, table)
    if table["estimate"].isna().all():
        return NOTHING
    levels = list(system_level.LEVELS)
    first = rank(table.xs(levels[0], level="level"), "estimate")
    parts = []
    for level in levels:
        part = table.xs(level, level="level").reindex(first.index)
        parts.append(name_ends(part[["estimate", "low", "high"]], level))
    return pd.concat(parts, axis="columns").rename(NAMES).rename_axis("who")


def rate_within_writers(study):
    """Return how far judges and a person follow people among one writer's items, where the name is
    worth nothing."""
    items = study.data.items
    if "writer" not in items or study.in_order or not len(study.scores):
        return NOTHING
    if not 2 < items["writer"].nunique() < len(items) / 2:
        return NOTHING
    totals = severity.adjust_raters(ratings.average_aspects(study.data))
    table = compare.compare(
        totals, study.scores, metrics.pearson, within=("writer",), target=study.target,
        level=study.level, seed=study.seed, simulate=False, together=True,
    )  # fmt: skip
    table = table[table["kind"].isin(["judge", "person"])].dropna(subset=["estimate"])
    table = rank(table[ENDS], "estimate", "who").rename(NAMES).rename(columns={"n": "groups"})
    return name_ends(table, "Pearson's r among one writer's items")


def lay_out_added(study, added):
    """Return what each judge and a person add: of `questions.find_added`, for readers."""
    table = added.dropna(subset=["estimate"])
    if not len(table):
        return NOTHING
    unit = "shares of Yes" if study.yes_or_no else "places" if study.in_order else "points"
    name = f"people's ratings higher by, in {unit}"
    table = drop_ends(study, table).rename(NAMES).rename(columns={"n": "groups"})
    return name_ends(table, name)


def replace_raters(study, obstacle):
    """Return how often judges and controls are at least as near to the others as a rater is, and
    how many raters each matches; obstacle: of `questions.find_obstacle`."""
    if obstacle or not len(study.scores):
        return NOTHING
    table = alt_test.replace_raters(study.data, study.scores, unit=study.unit)
    if "wins at 0.2" not in table:
        return NOTHING
    table = rank(drop_ends(study, table), "wins at 0.2", "deficit", "who")
    table = alt_test.count_wins(table).drop(columns=["kind", "wins at 0.15"]).rename(NAMES)
    return name_ends(table, "at least as near").rename(columns={"n": "raters"})


def count_repeated(study):
    """Return how often a judge that was asked twice says the same."""
    if not len(study.scores):
        return NOTHING
    table = consistency.count_repeated(study.data, study.scores, study.level)
    if not len(table):
        return NOTHING
    table = drop_ends(study, table).rename_axis("judge").rename(columns={"n": "groups"})
    return name_ends(table, "same answer again")


def lay_out_known(on_known, name):
    """Return the comparison on the items on which every control is known, None for no such;
    name: of the measure."""
    if on_known is None:
        return NOTHING
    table = on_known[on_known.index != CEILING].dropna(subset=["estimate"])
    table = name_ends(rank(table[ENDS], "estimate", "who"), name)
    return table.rename(NAMES).rename(columns={"n": "groups"})


# ------------------------------------------------------------------------------ means, sizes


def correct_means(study, judge, unrated):
    """Return (people's means of all items and of each writer's, told in three ways; sentences on
    what the judge saves, and on whether the rated items are like the others).

    unrated: of `read_unrated`, None for none. Both are empty where people rated all. Raises
    DataError where the groups of unrated items are not known.
    """
    if judge is None or unrated is None or not len(unrated):
        return NOTHING, []
    if ppi.find_obstacle(study.data, study.scores, judge) or study.scales:
        return NOTHING, []
    own = unrated[unrated["judge"] == judge] if "judge" in unrated else unrated.assign(judge=judge)
    table = ppi.list_items(*ppi.join_unrated(study.data, study.scores, own), judge)
    if table["rating"].notna().all():
        return NOTHING, []
    overall = drop_ends(study, ppi.correct_means(table, level=study.level))
    by = ppi.choose_conditions(table)
    parts, told = [overall], ppi.tell_savings(overall, table)
    if by is not None:
        of_writers = drop_ends(study, ppi.correct_means(table, by, level=study.level))
        parts.append(of_writers)
    told += ppi.tell_selection(table, by)
    means = pd.concat([part.rename_axis(["of", "way"]) for part in parts]).reset_index()
    return name_ends(means, "mean").rename(columns={"n": "groups"}), told


def plan_sizes(study, found, smallest):
    """Return for each number of raters per item the fewest items, of those tried, with which 80 of
    100 studies like this one would show a lead of `smallest` over the best control that a user
    could have; or the most that were tried, with their chance.

    found: of the items on which that control is known.
    """
    if not study.several:
        return NOTHING
    try:
        rng = np.random.default_rng(study.seed)
        assumed = plan.borrow(study.data, 0.0, "variances of this file", rng)
        control = found.at[found.attrs["stranger"], "estimate"]
        value = float(np.nan_to_num(control, nan=study.guess))
        assumed = assumed._replace(control=round(value, 3))
        items = len(study.data.items)
        sizes = plan.plan(assumed, smallest, items, max(assumed.raters, 2), seed=study.seed)
    except DataError:
        return NOTHING
    rows = []
    for _, of_raters in sizes.groupby("raters"):
        enough = of_raters[of_raters["chance"] >= plan.WANTED]
        rows.append(enough.iloc[0] if len(enough) else of_raters.iloc[-1])
    columns = {"raters": "raters per item", "chance": "of 100 studies show it"}
    table = pd.DataFrame(rows)[["raters", "items", "groups", "ratings", "chance"]]
    return table.rename(columns=columns).reset_index(drop=True)
