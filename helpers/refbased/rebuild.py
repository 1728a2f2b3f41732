"""Rebuild the reference-based papers' figures: scores, definitions, what print allows."""

import itertools
from functools import cache, partial

import numpy as np
import pandas as pd

from helpers.judges.answers.labels import parse_first_word
from helpers.measures import rankings
from helpers.sources.names import display_name
from helpers.sources.published import Printed, agrees
from helpers.ttcw import load as ttcw

FIGURES = {
    "refbased_v1": {"rho": "Figure 1", "tau": "Figure 2", "accuracy": "Figure 3"},
    "refbased_v2": {"rho": "Figure 2", "tau": "Figure 3", "accuracy": "Figure 4"},
}
STORIES = [f"story_{group}" for group in range(12)]
LISTED = ["Claude", "GPT4", "GPT3.5"]  # the order of the candidates that the search finds
HUMAN = ["majority", "mean of experts", "any expert", "all experts"]
# what an answer without Yes or No counts as
REFUSED = {"failed": 0.0, "passed": 1.0, "left out": np.nan}
AT_LEAST, ABOVE = "at least (>=)", "above (>)"


def expert_scores(kind="majority", tests=None, verdicts=None):
    """Return tests passed (group x writer) by majority of three experts, mean, any or all."""
    verdicts = ttcw.load_verdicts() if verdicts is None else verdicts
    verdicts = verdicts[verdicts["writer"].isin(LISTED)]
    if tests is not None:
        verdicts = verdicts[verdicts["test"].isin(tests)]
    yes = verdicts.groupby(["group", "writer", "test"])["passed"].sum()
    passed = {
        "majority": yes >= 2,
        "mean of experts": yes / 3,
        "any expert": yes >= 1,
        "all experts": yes == 3,
    }[kind]
    return passed.groupby(level=[0, 1]).sum().unstack()[LISTED].astype(float)


@cache
def recorded_verdicts(judge):
    """Return group, writer, passed (1 Yes, 0 No, nan: neither) of a recorded judge's answers."""
    answers = ttcw.load_recorded(judge)
    table = answers["story"].str.split("_", n=1, expand=True).set_axis(["group", "writer"], axis=1)
    passed = answers["text"].map(parse_first_word).map({"Yes": 1.0, "No": 0.0})
    return table.assign(group=table["group"].astype(int), passed=passed)


def judge_scores(judge, refused="failed"):
    """Return tests passed (group x writer) by a recorded judge's answers; refused: what one without
    Yes or No counts as (failed, passed, or left out: the share of the answered tests x 14)."""
    table = recorded_verdicts(judge).fillna({"passed": REFUSED[refused]})
    shares = table.groupby(["group", "writer"])["passed"].mean()
    return (14 * shares).round(9).unstack()[LISTED]


def printed_rows(paper):
    """Return the printed figures, one row per judge and group: rho, tau, accuracy (strings)."""
    lines, parts = Printed(paper).lines, []
    for metric, figure in FIGURES[paper].items():
        part = lines[(lines["table"] == figure) & lines["column"].isin(STORIES)]
        parts.append(part.set_index(["row", "column"])["value"].rename(metric))
    table = pd.concat(parts, axis=1).rename_axis(["judge", "group"]).reset_index()
    return table.assign(group=table["group"].str.split("_").str[1].astype(int))


def matches(printed, computed):
    """Return whether a printed cell rounds `computed`; a blank cell stands for 0 or undefined."""
    return abs(computed) < 0.005 if printed == "" else agrees(printed, computed)


def search(paper):
    """Return the cells of the figures that each definition and metric reproduces: human scores x
    unanswered tests, for accuracy also x orders of the writers x rules."""
    rows, printed, cells = [], printed_rows(paper), {}
    for metric in FIGURES[paper]:
        table = printed.pivot(index="judge", columns="group", values=metric)
        cells[metric] = table.loc[ttcw.JUDGES].to_numpy().ravel()
    orders = list(itertools.permutations(range(3)))
    for kind, refused in itertools.product(HUMAN, REFUSED):
        # judges x groups x writers
        judged = np.array([judge_scores(judge, refused) for judge in ttcw.JUDGES])
        human = np.broadcast_to(expert_scores(kind), judged.shape)
        found = [("rho", "any", "", rankings.rho_by_group(human, judged))]
        found += [("tau", "any", "", rankings.tau_by_group(human, judged))]
        for order, rule in itertools.product(orders, rankings.RULES):
            free = rule in rankings.ORDER_FREE
            if free and order != orders[0]:
                continue
            listed = "any" if free else ", ".join(display_name(LISTED[i]) for i in order)
            share = rankings.pair_accuracy(human[..., order], judged[..., order], rule)
            found.append(("accuracy", listed, rule, share))
        for metric, listed, rule, values in found:
            blank, hits = cells[metric] == "", map(matches, cells[metric], values.ravel())
            rows.append((metric, kind, refused, listed, rule, sum(hits), len(blank), blank.sum()))
    names = ["metric", "human score", "unanswered", "order", "rule", "cells reproduced", "cells"]
    table = pd.DataFrame(rows, columns=[*names, "of them blank"])
    by = ["metric", "cells reproduced"]
    return table.sort_values(by, ascending=[True, False], kind="stable", ignore_index=True)


def best_definitions(found):
    """Return the best definition per paper and metric, its cells, and the next best's."""
    rows = []
    for paper, table in found.items():
        for _, part in table.groupby("metric"):
            counts = part["cells reproduced"]
            behind = counts[counts < counts.max()].max()
            rows.append({"paper": paper, **part.iloc[0], "next best": behind})
    return pd.DataFrame(rows).replace({"metric": {"rho": "ρ", "tau": "τ"}})


@cache
def rankings_that_fit_print(paper, judge):
    """Return {group: rankings (k x 3) whose rho, tau and accuracy round to the print}."""
    rows = printed_rows(paper).query("judge == @judge").set_index("group")
    cells, found = rows[["rho", "tau", "accuracy"]].replace("", "nan").astype(float), {}
    for group, human in expert_scores().iterrows():
        found[group] = np.array(rankings.orders_allowed(tuple(human), *cells.loc[group]), float)
    return found


def bounds_of(orders, rule, human):
    """Return (low, high) arrays over groups: the accuracy of the allowed orders {group: orders} by
    a rule of `rankings.RULES`, or by a measure: function(human, judge)."""
    measure = rule if callable(rule) else partial(rankings.pair_accuracy, rule=rule)
    values = [measure(np.tile(human.loc[g], (len(o), 1)), np.array(o)) for g, o in orders.items()]
    return np.array([v.min() for v in values]), np.array([v.max() for v in values])


def attainable(human, rule):
    """Return every (mean rho, tau, accuracy) that some judge, a weak order per group, can reach
    against scores (n x 3); undefined correlations count as 0 (as in print)."""
    # three sums, each coded as an integer of 1e-4 within +-2^20, in one int64
    base, shift = 2**21, 2**20
    states = np.zeros(1, dtype=np.int64)
    for scores in human.to_numpy():
        triples = np.array(list(rankings.cells(tuple(scores), rule).values()))
        options = np.unique(np.round(triples * 1e4), axis=0)
        codes = (options @ np.array([base**2, base, 1.0])).astype(np.int64)
        states = np.unique((states[:, None] + codes).ravel())
    states += shift * (base**2 + base + 1)
    sums = np.column_stack([states // base**2, states // base % base, states % base]) - shift
    return sums / 1e4 / len(human)


def nearest_triple(states, target, half=0.005):
    """Return (does a state round to the triple; which cells hold, if one may be wrong)."""
    near = np.abs(states - np.asarray(target, float)) <= half + 1e-4
    fits = bool(near.all(axis=1).any())
    mended = [np.delete(near, k, axis=1).all(axis=1).any() for k in range(near.shape[1])]
    return fits, [fits or bool(any(mended) and not alone) for alone in mended]
