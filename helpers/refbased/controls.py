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
    cases, rows = ratings.find_cases(data), []
    targets = {
        group: part.pivot(index="rater", columns="writer", values="target")[rebuild.LISTED]
        for group, part in cases.groupby("group")
    }
    for ours in definitions.METHODS[paper]:
        alone = definitions.BASELINES[ours]
        for judge, how in {ours: "with", alone: "without"}.items():
            name = f"{display_name(alone)}, {how} a reference"
            for group, orders in rebuild.rankings_that_fit_print(paper, judge).items():
                values = rankings.pair_accuracy(targets[group].to_numpy(), orders[:, None], FAIR)
                mean = np.nanmean(values, axis=1).round(10)
                for end, choose in CHOICES.items():
                    for writer, score in zip(rebuild.LISTED, orders[choose(mean)]):
                        rows.append((f"{group}/{writer}", name + end, score))
    return pd.DataFrame(rows, columns=["item", "judge", "score"])


def join_ends(found):
    """Return the rows of `compare`, the two of `find_ends` as one: middle, widest interval."""
    names = found.index.str.replace(r", (least|most)$", "", regex=True)
    rows = found.drop(columns="kind").groupby(names, sort=False)
    joined = rows.mean()
    for name in joined.filter(regex="low$|high$"):
        joined[name] = rows[name].min() if name.endswith("low") else rows[name].max()
    joined = joined.assign(kind=found["kind"].groupby(names).first())[list(found)]
    joined.attrs = found.attrs
    return joined


def compare_ends(data, level=0.95):
    """Return `compare` of a study's judges, of whose rankings print leaves two ends."""
    ends, how = find_ends(data), {"within": ("group", "rater"), "level": level}
    return join_ends(compare(data, ends, statistics.pairwise_accuracy, **how))


def compare_all(data):
    """Return `compare_ends` and `one_order`, best first, without leads of the simulated judge."""
    found = compare_ends(data).drop(index="always the same")
    found.loc["one fixed order"] = pd.Series({"kind": "control", **one_order(data)})
    found.loc[CEILING, lead_names("control")] = np.nan
    found = found.dropna(subset="estimate")  # a ceiling that cannot be told
    names = {kind: found.attrs[kind] for kind in ("control", "stranger")}
    columns = {
        f"over {kind}{end}": f"over {name}{end}"
        for kind, name in names.items()
        for end in ("", " low", " high")
    }
    return results.rank(found, "estimate").rename(columns=columns)


def rate_best(data, order, paper="refbased_v2"):
    """Return {task: rows} of the best judge, a person, `one_order`, and the judge's lead over the
    best control, corrected for the choice."""
    number = len(definitions.METHODS[paper])
    found = compare_ends(data, 1 - 0.05 / number)
    best = found[found["kind"] == "judge"]["estimate"].round(10).idxmax()
    rows = {"the judge": found.loc[best], PERSON: found.loc[PERSON]}
    rows["control: one order of the writers"] = intervals.widen(order, number)
    lead = found.loc[best, [*lead_names("control"), "n"]].set_axis(ENDS)
    rows[f"the judge less {found.attrs['control']}"] = lead
    rows = pd.DataFrame({name: row[ENDS] for name, row in rows.items()})
    return {f"Reference-based: {best}": rows.T}


def one_order(data):
    """Return the accuracy against two experts of one order, chosen on half of the groups."""
    cases = ratings.find_cases(data)
    each = cases.groupby(["group", "rater"]).ngroup().to_numpy()
    place, target = cases["writer"].map(rebuild.LISTED.index), cases["target"].to_numpy()
    orders = [np.array(order, float)[place] for order in rankings.weak_orders(3) if max(order)]
    columns = [statistics.by_label(statistics.ordered, one, target, each) for one in orders]
    table = pd.DataFrame(columns).T.groupby(cases["group"].groupby(each).first()).mean()
    return intervals.over_groups(table.index, lambda rows: chosen_on_half(table.iloc[rows]).mean())


def chosen_on_half(table):
    """Return by group the value of the column that is best on halves without it, on average."""
    values, groups = table.to_numpy(), np.arange(len(table))
    halves = itertools.combinations(groups, len(groups) // 2)
    halves = np.array([np.isin(groups, half) for half in halves])
    # equal to ten decimals is equal: the same choice on every machine
    sums = (halves @ values).round(10)
    best = sums == sums.max(axis=1, keepdims=True)
    scored = np.where(halves, np.nan, best @ values.T / best.sum(axis=1, keepdims=True))
    return pd.Series(np.nanmean(scored, axis=0), table.index)


def groups_needed(gains, sizes=(0.05, 0.10, 0.15, 0.20)):
    """Return by true gain the groups that a paired t test (5 %, power 80 %) needs; gains: one per
    group, for their spread alone; low, high: at the ends of its 95 % interval."""
    import pingouin as pg

    n, spread = len(gains), np.std(gains, ddof=1)
    spreads = spread, *(spread * np.sqrt((n - 1) / stats.chi2.ppf([0.975, 0.025], n - 1)))
    rows = {}
    for gain in sizes:
        needed = [pg.power_ttest(d=gain / one, power=0.8, contrast="paired") for one in spreads]
        rows[f"{gain:+.2f}"] = intervals.row(*np.ceil(needed), n)
    return pd.DataFrame(rows).T.rename_axis("true gain")
