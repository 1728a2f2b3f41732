"""Controls for the reference-based judges: rows that read nothing, one target for everybody."""

import itertools

import numpy as np
import pandas as pd
from scipy import stats

from helpers.measures import intervals, rankings
from helpers.refbased import definitions, rebuild
from helpers.refbased.definitions import FAIR
from helpers.sources.names import display_name


def rule_table(paper):
    """Return judges x rules: mean accuracy over the twelve groups as low, high and text, for every
    row of the paper's figures."""
    rows, human = [], rebuild.expert_scores()
    for judge in rebuild.printed_rows(paper)["judge"].unique():
        orders = rebuild.rankings_that_fit_print(paper, judge)
        for rule in rankings.RULES:
            low, high = map(np.nanmean, rebuild.bounds_of(orders, rule, human))
            text = f"{low:.2f}" if high - low < 1e-9 else f"{low:.2f}–{high:.2f}"
            rows.append((judge, rule, low, high, text))
    return pd.DataFrame(rows, columns=["judge", "rule", "low", "high", "text"])


def agreement_with_two_experts(passed, scores=None, human=None):
    """Return the accuracy by group against the mean of two experts, averaged over the three choices
    of two, or against `human`.

    passed: tests passed, (group, expert) x writer, three experts per group; scores: {group: array
    (rankings still possible) x writers}, of which the middle is taken, or None for the expert who
    is left out; human: group x writer, in place of two.
    """
    rows = {}
    for group, part in passed.groupby(level=0):
        targets = [part.drop(index=expert).mean() for expert in part.index]
        if human is not None:
            targets = [human.loc[group]]
        given = [scores[group]] * len(targets) if scores else part.to_numpy()[:, None]
        values = [
            rankings.pair_accuracy(np.tile(target, (len(one), 1)), one, FAIR)
            for target, one in zip(targets, given)
        ]
        mean = np.nanmean(values, axis=0)
        rows[group] = (mean.min() + mean.max()) / 2
    return pd.Series(rows)


def constant_judges(passed, human=None):
    """Return accuracy by group (rows; see `agreement_with_two_experts`) of judges that rank the
    writers alike in every group (columns).

    Columns: the ranks of Claude, GPT4, GPT3.5 from 0, the lowest; all twelve rankings with ties but
    the one of ties alone.
    """
    groups, columns = passed.index.unique(level=0), {}
    for ranks in rankings.weak_orders(3):
        if max(ranks):
            alike = dict.fromkeys(groups, np.array([ranks], float))
            columns[ranks] = agreement_with_two_experts(passed, alike, human)
    return pd.DataFrame(columns)


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
    listed = verdicts[verdicts["writer"].isin(rebuild.LISTED)]
    passed = listed.groupby(["group", "expert", "writer"])["passed"].sum().unstack()
    passed = passed[rebuild.LISTED].astype(float)
    words = stories.pivot(index="group", columns="writer", values="words")[rebuild.LISTED]
    longer = {group: words.loc[[group]].to_numpy() for group in words.index}
    shorter = {group: -of for group, of in longer.items()}
    lengths = {
        "longer wins": agreement_with_two_experts(passed, longer, human),
        "shorter wins": agreement_with_two_experts(passed, shorter, human),
    }
    learnt = {
        "one order, chosen on half the groups": constant_judges(passed, human),
        "length, its direction chosen on half the groups": pd.DataFrame(lengths),
    }
    orders = learnt["one order, chosen on half the groups"]
    rows = {"GPT-3.5 last, the others tied": orders[1, 1, 0]}
    rows |= {name: chosen_on_half(candidates) for name, candidates in learnt.items()}
    if human is None:
        rows["a third expert"] = agreement_with_two_experts(passed)
    for ours in definitions.METHODS[paper]:
        alone = definitions.BASELINES[ours]
        for judge, how in {ours: "with", alone: "without"}.items():
            scores = rebuild.rankings_that_fit_print(paper, judge)
            accuracy = agreement_with_two_experts(passed, scores, human)
            rows[f"{display_name(alone)}, {how} a reference"] = accuracy
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
        chosen = (
            chosen_on_half(learnt[name].iloc[rows]) if name in learnt else table[name].iloc[rows]
        )
        return chosen.mean()

    found = {}
    for name in table.columns.drop(leader or []):
        known = np.flatnonzero(table[name].notna())

        def statistic(rows, name=name, known=known):
            one = mean(name, known[rows])
            return mean(leader, known[rows]) - one if leader else one

        if len(known) > 4:
            found[name] = intervals.over_groups(known, statistic)
        else:
            found[name] = intervals.row(statistic(slice(None)), np.nan, np.nan, len(known))
    return pd.DataFrame(found).T.rename_axis("judge")


def coverage(table, rng, draws=4000):
    """Return in what share of studies with as many groups, drawn from these, the 95 % t interval of
    a column holds its mean."""
    n, values = len(table), table.to_numpy()
    drawn = values[rng.integers(n, size=(draws, n))]
    half = stats.t.ppf(0.975, n - 1) * drawn.std(axis=1, ddof=1) / np.sqrt(n)
    held = np.abs(drawn.mean(axis=1) - values.mean(axis=0)) <= half
    return pd.Series(held.mean(axis=0), table.columns, name="coverage")


def accuracy_beside_words(chosen, scores, judge):
    """Return groups x (more words, fewer words, the judge): accuracy against the target of
    `load.load_candidates`.

    scores: group x writer, as the judge's items name the groups. Empty without a target.
    """
    if chosen.target is None:
        return pd.DataFrame(columns=[judge], dtype=float)
    target = chosen.target.loc[chosen.words.index, chosen.words.columns]
    scores = scores.rename(index={str(group): group for group in target.index}).reindex_like(target)
    given = {"more words": chosen.words, "fewer words": -chosen.words, judge: scores}
    rows = {name: rankings.pair_accuracy(target, one, FAIR) for name, one in given.items()}
    return pd.DataFrame(rows, target.index)


def groups_needed(gains, sizes=(0.05, 0.10, 0.15, 0.20)):
    """Return for each true gain the groups that a paired t test at 5 % needs for 80 % power:
    estimate, low, high, n.

    gains: one per group, for their spread alone; low and high: at the ends of the 95 % interval of
    that spread.
    """
    import pingouin as pg

    n, spread = len(gains), np.std(gains, ddof=1)
    spreads = spread, *(spread * np.sqrt((n - 1) / stats.chi2.ppf([0.975, 0.025], n - 1)))
    rows = {}
    for gain in sizes:
        needed = [pg.power_ttest(d=gain / one, power=0.8, contrast="paired") for one in spreads]
        rows[f"{gain:+.2f}"] = intervals.row(*np.ceil(needed), n)
    return pd.DataFrame(rows).T.rename_axis("true gain")
