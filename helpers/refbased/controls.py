"""Controls for the reference-based judges: rows that read nothing, one target for everybody, planning of a next study."""

import itertools

import numpy as np
import pandas as pd
from scipy import stats

from helpers.measures import intervals, rankings
from helpers.refbased import definitions, rebuild
from helpers.refbased.definitions import FAIR


def rule_table(paper, human=None):
    """Return judges x rules: mean accuracy over the twelve groups as low, high and text, for every row of the paper's figures."""
    rows = []
    for judge in rebuild.printed_rows(paper)["judge"].unique():
        orders = rebuild.allowed(paper, judge, human)
        for rule in rankings.RULES:
            low, high = map(np.nanmean, rebuild.bounds_of(orders, rule, human))
            rows.append((judge, rule, low, high, f"{low:.2f}" if high - low < 1e-9 else f"{low:.2f}–{high:.2f}"))
    return pd.DataFrame(rows, columns=["judge", "rule", "low", "high", "text"])


def experts(verdicts):
    """Return tests passed by each candidate: (group, expert) x writer, three experts a group."""
    part = verdicts[verdicts["writer"].isin(rebuild.LISTED)]
    return part.groupby(["group", "expert", "writer"])["passed"].sum().unstack()[rebuild.LISTED].astype(float)


def accuracy(passed, scores=None, human=None):
    """Return the accuracy by group against the mean of two experts, averaged over the three choices of two, or against `human`.

    passed: see `experts`; scores: {group: array (rankings still possible) x writers}, of which the middle is taken, or None
    for the expert who is left out; human: group x writer, in place of two experts.
    """
    rows = {}
    for group, part in passed.groupby(level=0):
        targets = [part.drop(index=expert).mean() for expert in part.index] if human is None else [human.loc[group]]
        given = [scores[group]] * len(targets) if scores else part.to_numpy()[:, None]
        values = [rankings.pair_accuracy(np.tile(target, (len(one), 1)), one, FAIR) for target, one in zip(targets, given)]
        mean = np.nanmean(values, axis=0)
        rows[group] = (mean.min() + mean.max()) / 2
    return pd.Series(rows)


def constant_judges(passed, human=None):
    """Return accuracy by group (rows; see `accuracy`) of judges that rank the writers alike in every group (columns).

    All twelve rankings with ties of the three writers but the one that ties them all.
    """
    table, groups = {}, passed.index.unique(level=0)
    for ranks in rankings.weak_orders(3):
        if max(ranks):
            layers = [" = ".join(w for w, r in zip(passed.columns, ranks) if r == level) for level in range(max(ranks), -1, -1)]
            table[" > ".join(layers)] = accuracy(passed, {group: np.array([ranks], float) for group in groups}, human)
    return pd.DataFrame(table)


def chosen_on_half(table):
    """Return for each group (row) the value of the column that is best on a half of the groups without it.

    Averaged over all halves, and over columns that are equally good.
    """
    values, sums, times = table.to_numpy(), np.zeros(len(table)), np.zeros(len(table))
    for half in itertools.combinations(range(len(table)), len(table) // 2):
        means = values[list(half)].mean(axis=0).round(10)
        rest = np.setdiff1d(np.arange(len(table)), half)
        sums[rest] += values[rest][:, means == means.max()].mean(axis=1)
        times[rest] += 1
    return pd.Series(sums / times, index=table.index)


def one_target(verdicts, stories, human=None, paper="refbased_v2"):
    """Return groups x judges: accuracy of all rows against two of the three experts, or of all against `human`, best first."""
    passed = experts(verdicts)
    constants = constant_judges(passed, human)
    words = stories.pivot(index="group", columns="writer", values="words")[rebuild.LISTED]
    rows = {"GPT-3.5 last, the others tied": constants["Claude = GPT4 > GPT3.5"],
            "one order, chosen on half the groups": chosen_on_half(constants),
            "shorter story wins": accuracy(passed, {group: -words.loc[[group]].to_numpy() for group in words.index}, human)}
    if human is None:
        rows["one expert"] = accuracy(passed)
    for ours in definitions.METHODS[paper]:
        name = definitions.BASELINES[ours]
        rows[f"{name}, with a reference"] = accuracy(passed, definitions.orders(paper, ours), human)
        rows[f"{name}, alone"] = accuracy(passed, definitions.orders(paper, name), human)
    table = pd.DataFrame(rows)
    return table[table.mean().round(10).sort_values(ascending=False, kind="stable").index]


def summarise(table):
    """Return one row a column of groups x judges: estimate, low, high, n (t over groups; no interval from fewer than five)."""
    rows = {}
    for name, values in table.items():
        values = values.dropna()
        rows[name] = intervals.of_mean(values) if len(values) > 4 else intervals.row(values.mean(), np.nan, np.nan, len(values))
    return pd.DataFrame(rows).T.rename_axis("judge")


def lead(table, name):
    """Return by how much column `name` of groups x judges leads each other one: estimate, low, high, n, p (exact sign flip)."""
    ahead = table[[name]].to_numpy() - table.drop(columns=name)
    return summarise(ahead).assign(p=[rankings.sign_flip(values)[1] for _, values in ahead.items()])


def beside_length(chosen, scores, judge):
    """Return groups x (more words, fewer words, the judge): accuracy against the target of `load.load_candidates`.

    scores: group x writer, as the judge's items name the groups. Empty without a target.
    """
    if chosen.target is None:
        return pd.DataFrame(columns=[judge], dtype=float)
    words = chosen.candidates.pivot(index="group", columns="writer", values="words")
    target = chosen.target.loc[words.index, words.columns]
    scores = scores.rename(index={str(group): group for group in target.index}).reindex_like(target)
    given = {"more words": words, "fewer words": -words, judge: scores}
    return pd.DataFrame({name: rankings.pair_accuracy(target, one, FAIR) for name, one in given.items()}, target.index)


def sweep_values(answers, accuracy, bias):
    """Return {name: number} of a judge's run for a sweep's table; accuracy: one a group."""
    ok, names = answers["status"] == "ok", {"story shown first preferred": "first_preferred",
                                            "contradicted by the swap": "contradicted_by_the_swap"}
    return {"pairwise_accuracy": accuracy.mean(), "groups": len(accuracy), "n": len(answers), "answered": ok.mean(),
            **{short: bias[name] for name, short in names.items() if name in bias}}


def power(gain, spread, n, alpha=0.05):
    """Return the power of a two-sided paired t test of n groups for a true gain, if gains spread by `spread` (SD)."""
    shift, edge = gain / spread * np.sqrt(n), stats.t.ppf(1 - alpha / 2, n - 1)
    return stats.nct.sf(edge, n - 1, shift) + stats.nct.cdf(-edge, n - 1, shift)


def groups_needed(gains, sizes=(0.05, 0.10, 0.15, 0.20), wanted=0.8, most=5000):
    """Return for each true gain the groups that a paired t test needs for 80 % power: estimate, low, high, n.

    gains: one a group, for their spread alone; low and high: at the ends of the 95 % interval of that spread.
    """
    n, spread = len(gains), np.std(gains, ddof=1)
    ends = spread * np.sqrt((n - 1) / stats.chi2.ppf([0.975, 0.025], n - 1))
    tried = np.arange(3, most)
    rows = {}
    for gain in sizes:
        enough = [tried[power(gain, one, tried) >= wanted][0] for one in (spread, *ends)]
        rows[f"{gain:+.2f}"] = intervals.row(*enough, n)
    return pd.DataFrame(rows).T.rename_axis("true gain")
