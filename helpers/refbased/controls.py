"""Controls for the reference-based judges: rows that read nothing, one target for everybody, planning of a next study."""

import itertools

import numpy as np
import pandas as pd
import pingouin as pg
from scipy import stats

from helpers.measures import intervals, rankings
from helpers.refbased import definitions, rebuild
from helpers.refbased.definitions import FAIR


def rule_table(paper):
    """Return judges x rules: mean accuracy over the twelve groups as low, high and text, for every row of the paper's figures."""
    rows, human = [], rebuild.expert_scores()
    for judge, rule in itertools.product(rebuild.printed_rows(paper)["judge"].unique(), rankings.RULES):
        low, high = map(np.nanmean, rebuild.bounds_of(rebuild.allowed(paper, judge), rule, human))
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

    Columns: the ranks of Claude, GPT4, GPT3.5 from 0, the lowest; all twelve rankings with ties but the one of ties alone.
    """
    groups = passed.index.unique(level=0)
    return pd.DataFrame({ranks: accuracy(passed, dict.fromkeys(groups, np.array([ranks], float)), human)
                         for ranks in rankings.weak_orders(3) if max(ranks)})


def chosen_on_half(table):
    """Return for each group (row) the value of the column that is best on a half of the groups without it.

    Averaged over all halves, and over columns that are equally good.
    """
    values, groups = table.to_numpy(), range(len(table))
    halves = list(itertools.combinations(groups, len(table) // 2))
    scored = np.full((len(halves), len(table)), np.nan)
    for row, half in zip(scored, halves):
        means, rest = values[list(half)].mean(axis=0).round(10), np.setdiff1d(groups, half)
        row[rest] = values[rest][:, means == means.max()].mean(axis=1)
    return pd.Series(np.nanmean(scored, axis=0), index=table.index)


def one_target(verdicts, stories, human=None, paper="refbased_v2"):
    """Return groups x judges: accuracy of all rows against two of the three experts, or of all against `human`, best first."""
    passed = experts(verdicts)
    constants = constant_judges(passed, human)
    words = stories.pivot(index="group", columns="writer", values="words")[rebuild.LISTED]
    rows = {"GPT-3.5 last, the others tied": constants[1, 1, 0],
            "one order, chosen on half the groups": chosen_on_half(constants),
            "shorter story wins": accuracy(passed, {group: -words.loc[[group]].to_numpy() for group in words.index}, human)}
    if human is None:
        rows["one expert"] = accuracy(passed)
    for ours in definitions.METHODS[paper]:
        name = definitions.BASELINES[ours]
        rows[f"{name}, with a reference"] = accuracy(passed, rebuild.allowed(paper, ours), human)
        rows[f"{name}, alone"] = accuracy(passed, rebuild.allowed(paper, name), human)
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
    target = chosen.target.loc[chosen.words.index, chosen.words.columns]
    scores = scores.rename(index={str(group): group for group in target.index}).reindex_like(target)
    given = {"more words": chosen.words, "fewer words": -chosen.words, judge: scores}
    return pd.DataFrame({name: rankings.pair_accuracy(target, one, FAIR) for name, one in given.items()}, target.index)


def sweep_values(answers, accuracy, bias):
    """Return {name: number} of a judge's run for a sweep's table; accuracy: one a group."""
    found = {"pairwise_accuracy": accuracy.mean(), "groups": len(accuracy), "n": len(answers),
             "answered": (answers["status"] == "ok").mean()}
    names = {"first_preferred": "story shown first preferred", "contradicted_by_the_swap": "contradicted by the swap"}
    return found | {short: bias[name] for short, name in names.items() if name in bias}


def groups_needed(gains, sizes=(0.05, 0.10, 0.15, 0.20), wanted=0.8):
    """Return for each true gain the groups that a paired t test at 5 % needs for 80 % power: estimate, low, high, n.

    gains: one a group, for their spread alone; low and high: at the ends of the 95 % interval of that spread.
    """
    n, spread = len(gains), np.std(gains, ddof=1)
    spreads = spread, *(spread * np.sqrt((n - 1) / stats.chi2.ppf([0.975, 0.025], n - 1)))
    rows = {f"{gain:+.2f}": intervals.row(*(np.ceil(pg.power_ttest(d=gain / one, power=wanted, contrast="paired"))
                                            for one in spreads), n) for gain in sizes}
    return pd.DataFrame(rows).T.rename_axis("true gain")
