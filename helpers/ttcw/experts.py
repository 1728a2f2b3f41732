"""How far experts agree: kappas, the definitions tried for them, severity removed."""

from itertools import combinations

import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score

from helpers import results
from helpers.measures import agreement, intervals, ratings


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
    counts = agreement.count_passes(verdicts)
    groups, printed = counts.index.get_level_values("group").to_numpy(), printed.to_numpy()
    found = [
        agreement.search_subsets(counts.to_numpy(), groups, printed, kind).assign(definition=kind)
        for kind in agreement.CHANCE
    ]
    others = [
        (f"Fleiss' kappa without one {unit}", name, leave_one_out(verdicts, unit, name))
        for unit in ("story", "expert")
        for name in sorted(verdicts[unit].unique())
    ]
    others.append(("Cohen's kappa, mean of three pairs", (), pair_kappas(verdicts)))
    others = pd.DataFrame(others, columns=["definition", "left_out", "kappas"])
    away = np.abs(np.stack(others["kappas"]) - printed)
    others = others.assign(matches=(away <= 0.005 + 1e-9).sum(axis=1), groups=len(set(groups)))
    table = results.rank(pd.concat([*found, others], ignore_index=True), "matches", "definition")
    return table[["definition", "left_out", "groups", "matches"]].rename(columns={"groups": "n"})


def leave_one_out(verdicts, unit, name):
    """Return Fleiss' kappa by test without one story or expert; two experts a story are enough."""
    cells = verdicts[verdicts[unit] != name].groupby(["story", "test"])["passed"]
    return agreement.fleiss_kappa(cells.sum().unstack(), cells.size().unstack())


def pair_kappas(verdicts):
    """Return the mean of Cohen's kappa over the three pairs of expert slots, by test."""
    slot = verdicts.groupby("story")["expert"].rank(method="dense").astype(int)
    cases = verdicts.assign(slot=slot).pivot(index=["test", "story"], columns="slot")["passed"]
    kappas = [
        cases.groupby("test").apply(lambda part, a=a, b=b: cohen_kappa_score(part[a], part[b]))
        for a, b in combinations(cases, 2)
    ]
    return np.mean(kappas, axis=0)


def spread(data):
    """Return scores, items (index group, item) x slots: each item's raters in order of number."""
    table = data.ratings.merge(data.items[["item", "group"]])
    slot = table.groupby("item")["rater"].rank().astype(int)
    return table.assign(slot=slot).pivot(index=["group", "item"], columns="slot", values="score")


def correlate_experts(data, removals=()):
    """Return r between two experts' scores of an item after `removals` in turn, such as
    `severity.remove_severity` (Ratings -> Ratings), with its interval over groups (jackknife-t).

    data: `Ratings` without aspects, as many raters for every item. Whenever a group is left out,
    the removals are made again.
    """

    def correlate(rows):
        part = ratings.keep(data, np.isin(np.arange(len(data.items)), rows))
        for remove in removals:
            part = remove(part)
        return agreement.pair_correlation(spread(part))

    return intervals.over_groups(data.items["group"], correlate, scale="correlation")
