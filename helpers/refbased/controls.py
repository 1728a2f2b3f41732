"""Controls for the reference-based judges: rows that a results table should have, paired tests, power, worth of tuning."""

import numpy as np
import pandas as pd
from scipy import stats

from helpers.measures import rankings
from helpers.measures.words import lexical_statistics
from helpers.refbased import rebuild as rebuilt
from helpers.sources.published import Printed
from helpers.ttcw import data as ttcw
from helpers.ttcw import simulate

FAIR = "human ties dropped"  # the rule used where one is needed: a judge's tie is half right, an experts' tie asks nothing
PAIRS = {  # method row -> its baseline row in the same paper's figures
    "refbased_v1": {
        "claude35_ours": "claude35",
        "claude35_ours_opt": "claude35",
        "gpt-4o_ours": "gpt-4o",
        "gpt-4o_ours_opt": "gpt-4o",
        "qwen2-72b-chat_ours": "qwen2-72b-chat",
        "qwen2-72b-chat_ours_opt": "qwen2-72b-chat",
    },
    "refbased_v2": {
        "claude35_ours": "claude35",
        "gpt-4o_ours": "gpt-4o",
        "qwen2-72b-chat_v3_ours": "qwen2-72b-chat",
    },
}


def rule_table(paper, human=None):
    """Return judges x rules: mean accuracy over the twelve groups as low and high, for every row of the paper's figures."""
    rows = []
    for judge in rebuilt.printed_rows(paper)["judge"].unique():
        orders = rebuilt.allowed(paper, judge, human)
        for rule in rankings.RULES:
            low, high = rebuilt.bounds_of(orders, rule, human)
            rows.append((judge, rule, np.nanmean(low), np.nanmean(high)))
    return pd.DataFrame(rows, columns=["judge", "rule", "low", "high"])


def improvements(paper, rule=FAIR, human=None, rng=None):
    """Return one row a claimed improvement: both accuracies, paired difference, interval, exact sign-flip p, groups used.

    Only rows whose cells determine the accuracy under `rule` in every group; the others carry nan.
    """
    rng, rows = rng or np.random.default_rng(0), []
    for ours, base in PAIRS[paper].items():
        (low, high), (low0, high0) = (
            rebuilt.accuracy_bounds(paper, ours, rule, human),
            rebuilt.accuracy_bounds(paper, base, rule, human),
        )
        d = low - low0
        if np.nanmax(np.abs([high - low, high0 - low0])) > 1e-9:
            rows.append((ours, base, *[np.nan] * 6))
            continue
        mean, p = rankings.sign_flip(d)
        _, left, right = rankings.bootstrap_mean(d, rng)
        rows.append((ours, base, np.nanmean(low0), np.nanmean(low), mean, left, right, p))
    columns = ["method", "baseline", "accuracy before", "accuracy after", "difference", "low", "high", "p"]
    return pd.DataFrame(rows, columns=columns)


def constant_judges(human, rule=FAIR):
    """Return accuracy by group (rows) of the judges that rank the writers alike in every group (columns, best first).

    All rankings with ties of the writers but the one that ties them all.
    """
    table = {}
    for ranks in rankings.weak_orders(human.shape[1]):
        if max(ranks) == 0:
            continue
        layers = [" = ".join(w for w, r in zip(human.columns, ranks) if r == level) for level in range(max(ranks), -1, -1)]
        scores = np.tile(np.array(ranks, float), (len(human), 1))
        table[" > ".join(layers)] = rankings.pair_accuracy(human.to_numpy(), scores, rule)
    table = pd.DataFrame(table, index=human.index)
    return table[table.mean().round(10).sort_values(ascending=False, kind="stable").index]


def leave_one_out(table):
    """Return for each group (row) the value of the column that is best on the mean of the other rows (first if tied)."""
    chosen = [table.drop(index=g).mean().round(10).idxmax() for g in table.index]
    return pd.Series([table.at[g, c] for g, c in zip(table.index, chosen)], index=table.index)


def lexical_judges(human, stories, rule=FAIR):
    """Return accuracy by group (rows) of judges that rank by one lexical statistic, upwards or downwards (columns)."""
    part = stories[stories["writer"].isin(human.columns)]
    values = pd.DataFrame([lexical_statistics(text) for text in part["text"]], index=part.index)
    table = {}
    for name in values:
        score = part.assign(v=values[name]).pivot(index="group", columns="writer", values="v").loc[human.index, human.columns]
        table["more " + name] = rankings.pair_accuracy(human, score, rule)
        table["fewer " + name] = rankings.pair_accuracy(human, -score, rule)
    return pd.DataFrame(table, index=human.index)


def experts_against_others(verdicts, writers, rule=FAIR):
    """Return the accuracy by group of one expert's scores against the mean of the other two, averaged over the three."""
    part = verdicts[verdicts["writer"].isin(writers)]
    passes = part.groupby(["group", "expert", "writer"])["passed"].sum().unstack()[writers].astype(float)
    rows = {}
    for group, scores in passes.groupby(level=0):
        values = [rankings.pair_accuracy(scores.drop(index=i).mean(), scores.loc[i], rule) for i in scores.index]
        rows[group] = np.nanmean(values)
    return pd.Series(rows)


def chance(human, rng, rule=FAIR, draws=2000):
    """Return (mean, low, high) of the mean accuracy of judges that score at random without ties."""
    scores = rng.random((draws, *human.shape))
    accuracy = np.nanmean(rankings.pair_accuracy(np.broadcast_to(human, scores.shape), scores, rule), axis=1)
    return float(accuracy.mean()), *map(float, np.quantile(accuracy, [0.025, 0.975]))


def reference_rows(verdicts, stories, rng, rule=FAIR):
    """Return the rows that a results table should have: row, accuracy, low, high (95 %), n groups."""
    human, rows = rebuilt.expert_scores(verdicts=verdicts), []
    constants = constant_judges(human, rule)
    rows.append((f"always {constants.columns[0]} (chosen in hindsight)", constants.iloc[:, 0]))
    rows.append(("always one order, chosen on the other groups", leave_one_out(constants)))
    if stories is not None:
        lexical = lexical_judges(human, stories, rule)
        rows.append(("longer story wins", lexical["more words"]))
        rows.append(("shorter story wins", lexical["fewer words"]))
        rows.append(("best lexical statistic, chosen on the other groups", leave_one_out(lexical)))
    rows.append(("one expert against the other two", experts_against_others(verdicts, list(human.columns), rule)))
    out = [(name, *rankings.bootstrap_mean(values, rng), int(values.notna().sum())) for name, values in rows]
    out.append(("chance", *chance(human.to_numpy(), rng, rule), len(human)))
    return pd.DataFrame(out, columns=["row", "accuracy", "low", "high", "groups"])


def groups_needed(differences, rng, sizes=(12, 24, 36, 48, 72, 96, 144, 192, 288, 384), draws=2000, alpha=0.05):
    """Return the power of a paired t test on n groups drawn from the observed differences: groups, power (simulated)."""
    d = np.asarray(differences, float)
    d = d[~np.isnan(d)]
    rows = []
    for n in sizes:
        sample = rng.choice(d, size=(draws, n))
        spread = sample.std(axis=1, ddof=1)
        t = sample.mean(axis=1) / np.where(spread > 0, spread / np.sqrt(n), np.inf)
        rows.append((n, float(np.mean(t > stats.t.ppf(1 - alpha / 2, n - 1)))))
    return pd.DataFrame(rows, columns=["groups", "power"])


def simulated_verdicts(rng):
    """Return simulated expert verdicts calibrated to ttcw's Table 5, for machines without the open data."""
    table = Printed("ttcw").grid("Table 5").drop(index="Average")
    table = table.rename(index={row: test for test, row in ttcw.ROWS.items()}).sort_index()
    rates = table[list(ttcw.SOURCES.values())].set_axis(list(ttcw.SOURCES), axis=1).T / 100
    return simulate.simulate_panel(rates.clip(0.005, 0.995), table["Expert Agreement"], rng)
