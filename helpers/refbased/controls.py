"""Beside the reference-based judges: what print leaves of them, one order of the writers, rules."""

import itertools

import numpy as np
import pandas as pd
from scipy import stats

from helpers import results
from helpers.measures import intervals, rankings, ratings, statistics
from helpers.measures.compare import CEILING, ENDS, PERSON, compare, lead_names
from helpers.refbased import definitions, rebuild
from helpers.refbased.definitions import FAIR
from helpers.sources.names import display_name

CHOICES = {", least": np.argmin, ", most": np.argmax}  # of what printed cells leave open


def find_ends(data, paper="refbased_v2"):
    """Return scores (item, judge, score) of rankings that print allows: '…, least', '…, most'."""
    cases = ratings.find_cases(data)
    targets = {}  # by group: raters x writers
    for group, of_group in cases.groupby("group"):
        table = of_group.pivot(index="rater", columns="writer", values="target")
        targets[group] = table[rebuild.LISTED].to_numpy()
    rows = []
    for ours in definitions.METHODS[paper]:
        alone = definitions.BASELINES[ours]
        name = display_name(alone)
        rows += list_ends(paper, ours, f"{name}, with a reference", targets)
        rows += list_ends(paper, alone, f"{name}, without a reference", targets)
    return pd.DataFrame(rows)


def list_ends(paper, judge, name, targets):
    """Return rows (item, judge, score) of a printed judge's rankings that agree least and most with
    the raters; targets: {group: raters x writers}."""
    rows = []
    for group, orders in rebuild.rankings_that_fit_print(paper, judge).items():
        accuracy = rankings.pair_accuracy(targets[group], orders[:, None], FAIR)  # orders x raters
        mean = np.nanmean(accuracy, axis=1).round(10)
        for end, choose in CHOICES.items():
            order = orders[choose(mean)]
            for writer, score in zip(rebuild.LISTED, order):
                rows.append({"item": f"{group}/{writer}", "judge": name + end, "score": score})
    return rows


def join_ends(table):
    """Return the rows of `compare`, the two of `find_ends` as one: middle, widest interval."""
    names = table.index.str.replace(r", (least|most)$", "", regex=True)
    ends = table.drop(columns="kind").groupby(names, sort=False)
    joined = ends.mean()
    for column in joined:
        if column.endswith("low"):
            joined[column] = ends[column].min()
        elif column.endswith("high"):
            joined[column] = ends[column].max()
    joined["kind"] = table["kind"].groupby(names).first()
    joined = joined[list(table)]
    joined.attrs = table.attrs
    return joined


def compare_ends(data, level=0.95):
    """Return `compare` of a study's judges, of whose rankings print leaves two ends."""
    table = compare(
        data, find_ends(data), statistics.pairwise_accuracy, within=("group", "rater"), level=level
    )
    return join_ends(table)


def compare_all(data):
    """Return `compare_ends` and `one_order`, best first, without leads of the simulated judge."""
    table = compare_ends(data).drop(index="always the same")
    table.loc["one fixed order"] = pd.Series({"kind": "control", **one_order(data)})
    table.loc[CEILING, lead_names("control")] = np.nan
    table = table.dropna(subset="estimate")  # a ceiling that cannot be told
    names = {}
    for rival in ("control", "stranger"):
        for end in ("", " low", " high"):
            names[f"over {rival}{end}"] = f"over {table.attrs[rival]}{end}"
    return results.rank(table, "estimate").rename(columns=names)


def rate_best(data, order, paper="refbased_v2"):
    """Return {task: rows} of the best judge, a person, `one_order`, and the judge's lead over the
    best control, corrected for the choice."""
    judges = len(definitions.METHODS[paper])
    table = compare_ends(data, level=1 - 0.05 / judges)
    estimates = table.loc[table["kind"] == "judge", "estimate"]
    best = estimates.round(10).idxmax()
    lead = table.loc[best, [*lead_names("control"), "n"]].set_axis(ENDS)
    rows = {
        "the judge": table.loc[best],
        PERSON: table.loc[PERSON],
        "control: one order of the writers": intervals.widen(order, judges),
        f"the judge less {table.attrs['control']}": lead,
    }
    ends = pd.DataFrame({name: row[ENDS] for name, row in rows.items()})
    return {f"Reference-based: {best}": ends.T}


def one_order(data):
    """Return the accuracy against two experts of one order, chosen on half of the groups."""
    cases = ratings.find_cases(data)
    target = cases["target"].to_numpy()
    set_of_three = cases.groupby(["group", "rater"]).ngroup().to_numpy()  # what a rater compares
    writer = cases["writer"].map(rebuild.LISTED.index)
    columns = []
    for order in rankings.weak_orders(3):
        if max(order) > 0:  # not all alike
            score = np.array(order, float)[writer]
            accuracy = statistics.by_label(
                statistics.pair_accuracy_of_sets, score, target, set_of_three
            )
            columns.append(accuracy)
    by_set = pd.DataFrame(columns).T  # sets x orders
    group = cases["group"].groupby(set_of_three).first()
    table = by_set.groupby(group).mean()  # groups x orders

    def mean_of_chosen(rows):
        return chosen_on_half(table.iloc[rows]).mean()

    return intervals.over_groups(table.index, mean_of_chosen)


def chosen_on_half(table):
    """Return by group the value of the column that is best on halves without it, on average."""
    values = table.to_numpy()  # groups x columns
    groups = np.arange(len(table))
    halves = itertools.combinations(groups, len(groups) // 2)
    chose = np.array([np.isin(groups, half) for half in halves])  # halves x groups
    # equal to ten decimals is equal: the same choice on every machine
    sums = (chose @ values).round(10)  # halves x columns
    is_best = sums == sums.max(axis=1, keepdims=True)
    number_best = is_best.sum(axis=1, keepdims=True)
    value_of_best = is_best @ values.T / number_best  # halves x groups
    scored = np.where(chose, np.nan, value_of_best)
    return pd.Series(np.nanmean(scored, axis=0), table.index)


def groups_needed(gains, sizes=(0.05, 0.10, 0.15, 0.20)):
    """Return by true gain the groups that a paired t test (5 %, power 80 %) needs; gains: one per
    group, for their spread alone; low, high: at the ends of its 95 % interval."""
    import pingouin as pg

    n = len(gains)
    spread = np.std(gains, ddof=1)
    low, high = spread * np.sqrt((n - 1) / stats.chi2.ppf([0.975, 0.025], n - 1))
    rows = {}
    for gain in sizes:
        groups = []
        for sd in (spread, low, high):
            needed = pg.power_ttest(d=gain / sd, power=0.8, contrast="paired")
            groups.append(np.ceil(needed))
        rows[f"{gain:+.2f}"] = intervals.row(*groups, n)
    return pd.DataFrame(rows).T.rename_axis("true gain")
