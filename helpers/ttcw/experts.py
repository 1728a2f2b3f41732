"""How far experts agree: kappas, the definitions tried for them, severity removed."""

from itertools import combinations

import numpy as np
import pandas as pd
from goodjudge.data import ratings
from goodjudge.diagnostics import consistency as steadiness
from goodjudge.stats import intervals

from helpers import agreement, results

HALF_A_DIGIT = 0.005 + 1e-9  # of a kappa with two decimals


def average_kappas(tables):
    """Return the mean Fleiss' kappa over the tests with its interval over groups: a row for each of
    {name: table of `agreement.count_passes`}."""

    def average(table):
        groups, values = table.index.get_level_values("group"), table.to_numpy()
        return intervals.over_groups(
            groups, lambda rows: np.nanmean(agreement.fleiss_kappa(values[rows]))
        )

    return pd.DataFrame({name: average(table) for name, table in tables.items()}).T


def search_definitions(verdicts, printed):
    """Return one row per definition of the printed kappas (Series by test, two decimals):
    definition, left_out, n (groups used), matches (best first).

    Tried: three coefficients on every non-empty subset of groups; Fleiss' kappa without one story
    or one expert; the mean of Cohen's kappa over three pairs.
    """
    printed = printed.to_numpy()
    by_subset = search_groups(verdicts, printed)
    by_others = pd.DataFrame(
        [
            *leave_each_out(verdicts, "story"),
            *leave_each_out(verdicts, "expert"),
            define_cohen(verdicts),
        ]
    )
    away = np.abs(np.stack(by_others["kappas"]) - printed)  # definitions x tests
    by_others["matches"] = (away <= HALF_A_DIGIT).sum(axis=1)
    by_others["n"] = verdicts["group"].nunique()
    table = pd.concat([by_subset, by_others], ignore_index=True)
    table = results.rank(table, "matches", "definition")
    return table[["definition", "left_out", "n", "matches"]]


def search_groups(verdicts, printed):
    """Return a row per coefficient and subset of groups: definition, left_out (groups), n (groups
    used), matches (how many printed kappas it gives)."""
    counts = agreement.count_passes(verdicts)
    groups = counts.index.get_level_values("group").to_numpy()
    tables = []
    for kind in agreement.CHANCE:
        table = agreement.search_subsets(counts.to_numpy(), groups, printed, kind)
        tables.append(table.assign(definition=kind))
    return pd.concat(tables).rename(columns={"groups": "n"})


def leave_each_out(verdicts, unit):
    """Return a definition {definition, left_out, kappas} for each story or expert left out."""
    definition = f"Fleiss' kappa without one {unit}"
    rows = []
    for name in sorted(verdicts[unit].unique()):
        kappas = leave_one_out(verdicts, unit, name)
        rows.append({"definition": definition, "left_out": name, "kappas": kappas})
    return rows


def define_cohen(verdicts):
    """Return Cohen's kappa as a definition {definition, left_out (nobody), kappas}."""
    definition = "Cohen's kappa, mean of three pairs"
    return {"definition": definition, "left_out": (), "kappas": pair_kappas(verdicts)}


def leave_one_out(verdicts, unit, name):
    """Return Fleiss' kappa by test without one story or expert; two experts a story are enough."""
    rest = verdicts[verdicts[unit] != name]
    cells = rest.groupby(["story", "test"])["passed"]
    passed, raters = cells.sum().unstack(), cells.size().unstack()  # stories x tests
    return agreement.fleiss_kappa(passed, raters)


def pair_kappas(verdicts):
    """Return the mean of Cohen's kappa over the three pairs of expert slots, by test."""
    slot = verdicts.groupby("story")["expert"].rank(method="dense").astype(int)
    cases = verdicts.assign(slot=slot).pivot(index=["test", "story"], columns="slot")["passed"]
    kappas = []
    for first, second in combinations(cases, 2):
        by_test = cases[[first, second]].astype(float).groupby("test")
        kappas.append([steadiness.find_kappa(*part.to_numpy().T) for _, part in by_test])
    return np.mean(kappas, axis=0)


def fill_slots(items, table):
    """Return the scores of some items (names) as an array, items x slots: of each item its raters'
    in order of number, nan in slots that are left over.

    table: item, rater, score of ratings, of these items alone.
    """
    place = pd.Index(items).get_indexer(table["item"])
    rater, _ = pd.factorize(table["rater"], sort=True)
    order = np.lexsort([rater, place])  # by items, then by raters
    place = place[order]
    begin = np.searchsorted(place, place)  # where the ratings of each one's item begin
    slot = np.arange(len(place)) - begin
    scores = np.full((len(items), slot.max() + 1), np.nan)
    scores[place, slot] = table["score"].to_numpy(float)[order]
    return scores


def correlate_experts(data, removals=()):
    """Return r between two experts' scores of an item after `removals` in turn, such as
    `severity.remove_severity` (Ratings -> Ratings), with its interval over groups (jackknife-t).

    data: `Ratings` without aspects, as many raters for every item. Whenever a group is left out,
    the removals are made again.
    """

    data = data._replace(items=data.items.sort_values(["group", "item"], ignore_index=True))

    def correlate(rows):
        part = ratings.keep(data, np.isin(np.arange(len(data.items)), rows))
        for remove in removals:
            part = remove(part)
        return agreement.pair_correlation(fill_slots(part.items["item"], part.ratings))

    return intervals.over_groups(data.items["group"], correlate, scale="correlation")
