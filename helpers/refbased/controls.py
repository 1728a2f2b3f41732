"""Controls for the reference-based judges: rows that read nothing, one target for everybody,
planning of a next study."""

import itertools

import numpy as np
import pandas as pd
import pingouin as pg
from scipy import stats

from helpers.measures import intervals, rankings
from helpers.refbased import definitions, rebuild
from helpers.refbased.definitions import FAIR
from helpers.sources.names import display_name


def rule_table(paper):
    """Return judges x rules: mean accuracy over the twelve groups as low, high and text, for every
    row of the paper's figures."""
    rows, human = [], rebuild.expert_scores()
    for judge, rule in itertools.product(
        rebuild.printed_rows(paper)["judge"].unique(), rankings.RULES
    ):
        low, high = map(np.nanmean, rebuild.bounds_of(rebuild.allowed(paper, judge), rule, human))
        rows.append(
            (judge, rule, low, high, f"{low:.2f}" if high - low < 1e-9 else f"{low:.2f}–{high:.2f}")
        )
    return pd.DataFrame(rows, columns=["judge", "rule", "low", "high", "text"])


def accuracy(passed, scores=None, human=None):
    """Return the accuracy by group against the mean of two experts, averaged over the three choices
    of two, or against `human`.

    passed: tests passed, (group, expert) x writer, three experts a group; scores: {group: array
    (rankings still possible) x writers}, of which the middle is taken, or None for the expert who
    is left out; human: group x writer, in place of two.
    """
    rows = {}
    for group, part in passed.groupby(level=0):
        targets = (
            [part.drop(index=expert).mean() for expert in part.index]
            if human is None
            else [human.loc[group]]
        )
        given = [scores[group]] * len(targets) if scores else part.to_numpy()[:, None]
        values = [
            rankings.pair_accuracy(np.tile(target, (len(one), 1)), one, FAIR)
            for target, one in zip(targets, given)
        ]
        mean = np.nanmean(values, axis=0)
        rows[group] = (mean.min() + mean.max()) / 2
    return pd.Series(rows)


def constant_judges(passed, human=None):
    """Return accuracy by group (rows; see `accuracy`) of judges that rank the writers alike in
    every group (columns).

    Columns: the ranks of Claude, GPT4, GPT3.5 from 0, the lowest; all twelve rankings with ties but
    the one of ties alone.
    """
    groups = passed.index.unique(level=0)
    return pd.DataFrame(
        {
            ranks: accuracy(passed, dict.fromkeys(groups, np.array([ranks], float)), human)
            for ranks in rankings.weak_orders(3)
            if max(ranks)
        }
    )


def chosen_on_half(table):
    """Return for each group (row) the value of the column that is best on a half of the groups
    without it.

    Averaged over all halves, and over columns that are equally good.
    """
    values, groups = table.to_numpy(), np.arange(len(table))
    halves = np.array(
        [np.isin(groups, half) for half in itertools.combinations(groups, len(groups) // 2)]
    )
    # equal to ten decimals is equal: the same choice on every machine
    sums = (halves @ values).round(10)
    best = sums == sums.max(axis=1, keepdims=True)
    scored = np.where(halves, np.nan, best @ values.T / best.sum(axis=1, keepdims=True))
    return pd.Series(np.nanmean(scored, axis=0), table.index)


def one_target(verdicts, stories, human=None, paper="refbased_v2"):
    """Return groups x judges, best first: accuracy of all rows against two of the three experts, or
    of all against `human`; and {row: the candidates that it was chosen from}."""
    passed = (
        verdicts[verdicts["writer"].isin(rebuild.LISTED)]
        .groupby(["group", "expert", "writer"])["passed"]
        .sum()
    )
    passed = passed.unstack()[rebuild.LISTED].astype(float)
    words = stories.pivot(index="group", columns="writer", values="words")[rebuild.LISTED]
    lengths = {
        name: accuracy(
            passed, {group: sign * words.loc[[group]].to_numpy() for group in words.index}, human
        )
        for name, sign in {"longer wins": 1, "shorter wins": -1}.items()
    }
    learnt = {
        "one order, chosen on half the groups": constant_judges(passed, human),
        "length, its direction chosen on half the groups": pd.DataFrame(lengths),
    }
    rows = {
        "GPT-3.5 last, the others tied": learnt["one order, chosen on half the groups"][1, 1, 0]
    }
    rows |= {name: chosen_on_half(candidates) for name, candidates in learnt.items()}
    if human is None:
        rows["a third expert"] = accuracy(passed)
    for ours in definitions.METHODS[paper]:
        name = definitions.BASELINES[ours]
        rows[f"{display_name(name)}, with a reference"] = accuracy(
            passed, rebuild.allowed(paper, ours), human
        )
        rows[f"{display_name(name)}, without a reference"] = accuracy(
            passed, rebuild.allowed(paper, name), human
        )
    table = pd.DataFrame(rows)
    return table[table.mean().round(10).sort_values(ascending=False, kind="stable").index], learnt


def summarise(table, learnt=(), leader=None):
    """Return the mean of every column of groups x judges, or by how much column `leader` leads it:
    estimate, low, high, n.

    Jackknife over groups (of a plain mean: Student's t), no interval from fewer than five. A row
    that was chosen on half of the groups (learnt: {column: its candidates}) is chosen anew without
    each group.
    """

    def mean(name, rows):
        return (
            chosen_on_half(learnt[name].iloc[rows]) if name in learnt else table[name].iloc[rows]
        ).mean()

    found = {}
    for name in table.columns.drop(leader or []):
        known = np.flatnonzero(table[name].notna())

        def statistic(rows, name=name, known=known):
            one = mean(name, known[rows])
            return mean(leader, known[rows]) - one if leader else one

        ends = (
            intervals.over_groups(known, statistic)
            if len(known) > 4
            else [statistic(slice(None)), np.nan, np.nan, len(known)]
        )
        found[name] = intervals.row(*ends)
    return pd.DataFrame(found).T.rename_axis("judge")


def coverage(table, rng, draws=4000):
    """Return in what share of studies with as many groups, drawn from these, the 95 % t interval of
    a column holds its mean."""
    n, values = len(table), table.to_numpy()
    drawn = values[rng.integers(n, size=(draws, n))]
    half = stats.t.ppf(0.975, n - 1) * drawn.std(axis=1, ddof=1) / np.sqrt(n)
    return pd.Series(
        (np.abs(drawn.mean(axis=1) - values.mean(axis=0)) <= half).mean(axis=0),
        table.columns,
        name="coverage",
    )


def beside_length(chosen, scores, judge):
    """Return groups x (more words, fewer words, the judge): accuracy against the target of
    `load.load_candidates`.

    scores: group x writer, as the judge's items name the groups. Empty without a target.
    """
    if chosen.target is None:
        return pd.DataFrame(columns=[judge], dtype=float)
    target = chosen.target.loc[chosen.words.index, chosen.words.columns]
    scores = scores.rename(index={str(group): group for group in target.index}).reindex_like(target)
    given = {"more words": chosen.words, "fewer words": -chosen.words, judge: scores}
    return pd.DataFrame(
        {name: rankings.pair_accuracy(target, one, FAIR) for name, one in given.items()},
        target.index,
    )


def groups_needed(gains, sizes=(0.05, 0.10, 0.15, 0.20), wanted=0.8):
    """Return for each true gain the groups that a paired t test at 5 % needs for 80 % power:
    estimate, low, high, n.

    gains: one a group, for their spread alone; low and high: at the ends of the 95 % interval of
    that spread.
    """
    n, spread = len(gains), np.std(gains, ddof=1)
    spreads = spread, *(spread * np.sqrt((n - 1) / stats.chi2.ppf([0.975, 0.025], n - 1)))
    rows = {
        f"{gain:+.2f}": intervals.row(
            *(
                np.ceil(pg.power_ttest(d=gain / one, power=wanted, contrast="paired"))
                for one in spreads
            ),
            n,
        )
        for gain in sizes
    }
    return pd.DataFrame(rows).T.rename_axis("true gain")
