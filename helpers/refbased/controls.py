"""Judges with a reference beside a person and beside controls, on the same pairs of stories.

The papers print how well a judge agrees with experts, not what it said. Print leaves several
rankings of a group's three stories open, so every judge stands here twice: as the ranking that
agrees least with the experts and as the one that agrees most (`find_ends`); `compare_ends` compares
both with a person and controls, and joins the two rows. `one_order` is the control that needs no
reading: one fixed order of the three writers, chosen on half of the groups and scored on the other;
`add_order` sets it and the judges' leads over it beside them.
`groups_needed` says how many groups would show a gain. Notebooks 03 and S3 use these.
"""

import itertools
from functools import cache

import numpy as np
import pandas as pd
from goodjudge.comparison.compare import CEILING, compare, lead_names, summarise
from goodjudge.data import ratings
from goodjudge.stats import intervals, rankings
from goodjudge.stats import metrics as statistics
from scipy import stats

from helpers import results
from helpers.refbased import definitions, rebuild
from helpers.refbased.definitions import FAIR
from helpers.sources.names import display_name

ENDS_OF_PRINT = {", least": np.argmin, ", most": np.argmax}  # of what printed cells leave open


def find_ends(data, paper="refbased_v2"):
    """Return scores (item, judge, score) of the two ends of what print leaves of each judge: the
    judges are called '…, least' and '…, most'. data: the experts' `Ratings`."""
    cases = ratings.find_cases(data)
    targets = {}  # by group: raters x writers
    for group, of_group in cases.groupby("group"):
        table = of_group.pivot(index="rater", columns="writer", values="target")
        targets[group] = table[rebuild.LISTED].to_numpy()
    rows = []
    for with_reference in definitions.METHODS[paper]:
        alone = definitions.BASELINES[with_reference]
        name = display_name(alone)
        rows += list_ends(paper, with_reference, f"{name}, with a reference", targets)
        rows += list_ends(paper, alone, f"{name}, without a reference", targets)
    return pd.DataFrame(rows)


def list_ends(paper, judge, name, targets):
    """Return rows (item, judge, score) of a printed judge's rankings that agree least and most with
    the raters; name: the judge's in these rows; targets: {group: raters x writers}."""
    rows = []
    for group, possible in rebuild.rankings_that_fit_print(paper, judge).items():
        # possible: rankings x writers
        accuracy = rankings.pair_accuracy(targets[group], possible[:, None], FAIR)
        mean_over_raters = np.nanmean(accuracy, axis=1).round(10)
        for end, choose in ENDS_OF_PRINT.items():
            ranking = possible[choose(mean_over_raters)]
            for writer, score in zip(rebuild.LISTED, ranking):
                rows.append({"item": f"{group}/{writer}", "judge": name + end, "score": score})
    return rows


def join_ends(table):
    """Return the rows of `compare`, the two ends of a judge as one: their middle, and the widest
    interval. So '…, least' .50 [.40, .60] and '…, most' .60 [.50, .70] are .55 [.40, .70]."""
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


def compare_ends(data):
    """Return `compare` of a study's judges, of whose rankings print leaves two ends.

    The judges' intervals hold for all of them at once, so that the best may be looked at.
    """
    scores = find_ends(data)
    tables = []
    for end in ENDS_OF_PRINT:
        table = compare(
            data,
            scores[scores["judge"].str.endswith(end)],
            statistics.pairwise_accuracy,
            within=("group", "rater"),
            simulate=not tables,  # the ceiling is the same for both
            together=True,
        )
        tables.append(table)
    first, second = tables
    both = pd.concat([first, second[second["kind"] == "judge"]])
    both.attrs = first.attrs
    return join_ends(both)


def add_order(beside, data):
    """Return the rows of `compare_ends` (beside) and of `one_order`, best first, with the columns
    of `lead_over_order`.

    The perfect judge, who is simulated, has no leads. It stands where the simulation puts it, not
    raised to a control. Leads over a control are named after it.
    """
    table = beside.drop(index="always the same")
    table.loc["one fixed order"] = pd.Series({"kind": "control", **one_order(data)})
    table.loc[CEILING, "estimate"] = table.attrs["fitted"]
    table.loc[CEILING, lead_names("control")] = np.nan
    leads = lead_over_order(data)
    table[list(leads)] = leads
    table = table.dropna(subset="estimate")  # a ceiling that cannot be told
    names = {}
    for rival in ("control", "stranger"):
        for end in ("", " low", " high"):
            names[f"over {rival}{end}"] = f"over {table.attrs[rival]}{end}"
    return results.rank(table, "estimate").rename(columns=names)


def rate_best(beside):
    """Return {task: rows of `compare.summarise`} of the best judge with a reference; beside: of
    `compare_ends`. Without the perfect judge, whose number `compare` may raise."""
    helped = beside.index.str.endswith(", with a reference")
    best = beside.loc[helped, "estimate"].astype(float).round(10).idxmax()
    return {f"Reference-based: {best}": summarise(beside, best).drop(index=CEILING)}


def one_order(data):
    """Return the accuracy against two experts of one order of the writers, ties allowed, chosen on
    half of the groups and scored on the other, and the other way round (estimate, low, high, n).

    estimate: the mean over all ways of halving; low, high: of one way, drawn by lot, as a judge's
    interval is of one judge (`bound_one_way`).
    """
    return bound_one_way(score_orders(ratings.find_cases(data)))


def lead_over_order(data):
    """Return each judge's lead over `one_order` (over one fixed order, its low and high; a row per
    judge of `join_ends`): the mean over groups, which count alike. The intervals hold for all
    judges at once (Bonferroni)."""
    cases = ratings.find_cases(data)
    of_order = score_orders(cases)
    ends = find_ends(data)
    judges = ends["judge"].nunique() / len(ENDS_OF_PRINT)
    rows = {}
    for judge, scores in ends.groupby("judge", sort=False):
        score = cases["item"].map(scores.set_index("item")["score"])
        lead = rate_by_group(cases, score.to_numpy()).to_numpy() - of_order  # ways x groups
        rows[judge] = bound_one_way(lead, level=1 - 0.05 / judges).drop("n")
    table = pd.DataFrame(rows).T.set_axis(lead_names("one fixed order"), axis=1)
    return join_ends(table.assign(kind="judge")).drop(columns="kind")


def score_orders(cases):
    """Return the accuracy of `one_order` by way of halving and group (ways x groups); cases: of
    `ratings.find_cases`."""
    writer = cases["writer"].map(rebuild.LISTED.index)
    accuracies = []
    for order in rankings.weak_orders(3):
        if max(order) == 0:  # all alike: no order
            continue
        accuracies.append(rate_by_group(cases, np.array(order, float)[writer]))
    return score_halvings(np.array(accuracies).T)


def rate_by_group(cases, score):
    """Return by group the pairwise accuracy of a score (one number per case), the mean over its
    raters."""
    set_of_three = cases.groupby(["group", "rater"]).ngroup().to_numpy()  # what a rater compares
    by_set = statistics.by_label(
        statistics.pair_accuracy_of_sets, score, cases["target"].to_numpy(), set_of_three
    )
    group_of_set = cases["group"].groupby(set_of_three).first()
    return pd.Series(by_set).groupby(group_of_set).mean()


def bound_one_way(scored, level=0.95):
    """Return estimate, low, high, n of the mean of `scored` (ways x groups), as it is of one way
    that is drawn by lot: the variance over groups within a way, and that between ways."""
    groups = scored.shape[1]
    within_a_way = scored.var(axis=1, ddof=1).mean() / groups
    between_ways = scored.mean(axis=1).var()
    return intervals.around(scored.mean(), within_a_way + between_ways, groups, level)


def score_halvings(values):
    """Return for each way of halving the groups (a row) and each group the value of the column that
    is best on the half without the group; columns that are equally good there share the choice.

    values: groups x columns. With four groups there are six ways.
    """
    in_half = halve(len(values))
    return np.where(in_half, value_of_best(values, ~in_half), value_of_best(values, in_half))


def value_of_best(values, chooses):
    """Return for each set of groups that chooses (sets x groups, True or False) the value, in every
    group, of the column that is best on the set; values: groups x columns."""
    # equal to ten decimals is equal: the same choice on every machine
    sums = (chooses @ values).round(10)  # sets x columns
    is_best = sums == sums.max(axis=1, keepdims=True)
    return is_best @ values.T / is_best.sum(axis=1, keepdims=True)


@cache
def halve(groups):
    """Return which groups each half holds, of all halves that there are (halves x groups)."""
    halves = np.array(list(itertools.combinations(range(groups), groups // 2)))
    is_in_half = np.zeros((len(halves), groups), bool)
    np.put_along_axis(is_in_half, halves, True, axis=1)
    return is_in_half


def groups_needed(gains, sizes=(0.05, 0.10, 0.15, 0.20)):
    """Return by true gain the groups that a paired t test (5 %, power 80 %) needs.

    gains: one per group, for their standard deviation alone; low, high: the groups needed at the
    ends of its 95 % interval.
    """
    import pingouin as pg

    n = len(gains)
    sd = np.std(gains, ddof=1)
    smallest_sd, largest_sd = sd * np.sqrt((n - 1) / stats.chi2.ppf([0.975, 0.025], n - 1))
    rows = {}
    for gain in sizes:
        groups = []
        for spread in (sd, smallest_sd, largest_sd):
            needed = pg.power_ttest(d=gain / spread, power=0.8, contrast="paired")
            groups.append(np.ceil(needed))
        rows[f"{gain:+.2f}"] = intervals.row(*groups, n)
    return pd.DataFrame(rows).T.rename_axis("true gain")
