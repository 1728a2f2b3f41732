"""Rebuild the reference-based papers' figures: scores, definitions, what print allows.

Each figure prints, for every judge and group of three stories, how well the judge's scores follow
the experts': as rho, as tau, as the accuracy of pairs. Neither version says how scores and
agreement are counted, so `search` tries every definition on the judges whose answers are public,
and counts the printed cells that each reproduces. For the other judges print gives no scores, only
agreement; `rankings_that_fit_print` lists the rankings of three stories that have the printed
numbers, and `bounds_of` how well these follow the experts by any other measure:

    experts 5 3 0, printed rho .87 and tau .82  ->  the judge ranked  2 1 1  or  2 2 1

A story's score is the number of tests that it passes. Groups are 0 to 11, writers as in LISTED.
"""

import itertools
from functools import cache, partial

import numpy as np
import pandas as pd
from goodjudge.stats import rankings

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
AT_LEAST = "at least (>=)"
ABOVE = "above (>)"


def expert_scores(kind="majority", tests=None, verdicts=None):
    """Return tests passed (group x writer) by majority of three experts, mean, any or all.

    kind: one of HUMAN; tests: numbers of the tests that count (None: all); verdicts: of
    `ttcw.load_verdicts`, which is read where none are given.
    """
    if verdicts is None:
        verdicts = read_verdicts()
    verdicts = verdicts[verdicts["writer"].isin(LISTED)]
    if tests is not None:
        verdicts = verdicts[verdicts["test"].isin(tests)]
    yes = verdicts.groupby(["group", "writer", "test"])["passed"].sum()
    passed_by_kind = {
        "majority": yes >= 2,
        "mean of experts": yes / 3,
        "any expert": yes >= 1,
        "all experts": yes == 3,
    }
    passed = passed_by_kind[kind].groupby(["group", "writer"]).sum()
    return passed.unstack()[LISTED].astype(float)


@cache
def read_verdicts():
    """Return what `ttcw.load_verdicts` does, read once."""
    return ttcw.load_verdicts()


@cache
def recorded_verdicts(judge):
    """Return group, writer, passed (1 Yes, 0 No, nan: neither) of a recorded judge's answers."""
    answers = ttcw.load_answers(judge)
    group, writer = ttcw.split_story(answers["story"])
    passed = answers["label"].map({"Yes": 1.0, "No": 0.0})
    return pd.DataFrame({"group": group, "writer": writer, "passed": passed})


@cache
def judge_scores(judge, refused="failed"):
    """Return tests passed (group x writer) by a recorded judge's answers; refused: what one without
    Yes or No counts as (failed, passed, or left out: the share of the answered tests x 14)."""
    table = recorded_verdicts(judge).fillna({"passed": REFUSED[refused]})
    shares = table.groupby(["group", "writer"])["passed"].mean()
    tests_passed = (14 * shares).round(9)
    return tests_passed.unstack()[LISTED]


@cache
def printed_rows(paper):
    """Return the printed figures, one row per judge and group: rho, tau, accuracy (strings)."""
    lines = Printed(paper).lines
    columns = []
    for metric, figure in FIGURES[paper].items():
        cells = lines[(lines["table"] == figure) & lines["column"].isin(STORIES)]
        column = cells.set_index(["row", "column"])["value"]
        columns.append(column.rename(metric))
    table = pd.concat(columns, axis=1).rename_axis(["judge", "story"]).reset_index()
    group = table.pop("story").str.removeprefix("story_").astype(int)
    table.insert(1, "group", group)
    return table


@cache
def matches(printed, computed):
    """Return whether a printed cell rounds `computed`; a blank cell stands for 0 or undefined."""
    if printed == "":
        return abs(computed) < 0.005
    return agrees(printed, computed)


def search(paper):
    """Return the cells of the figures that each definition and metric reproduces: human scores x
    unanswered tests, for accuracy also x orders of the writers x rules.

    Columns: metric, human score, unanswered, order, rule, cells reproduced, cells, of them blank;
    the best definitions of a metric first.
    """
    printed = printed_rows(paper)
    cells = {}
    for metric in FIGURES[paper]:
        table = printed.pivot(index="judge", columns="group", values=metric)
        cells[metric] = table.loc[ttcw.JUDGES].to_numpy().ravel()  # judge by judge
    rows = []
    for kind, refused in itertools.product(HUMAN, REFUSED):
        # judges x groups x writers
        judged = np.array([judge_scores(judge, refused) for judge in ttcw.JUDGES])
        human = np.broadcast_to(expert_scores(kind), judged.shape)
        for metric, order, rule, values in try_definitions(human, judged):
            hits = list(map(matches, cells[metric], values.ravel()))
            rows.append(
                {
                    "metric": metric,
                    "human score": kind,
                    "unanswered": refused,
                    "order": order,
                    "rule": rule,
                    "cells reproduced": sum(hits),
                    "cells": len(hits),
                    "of them blank": (cells[metric] == "").sum(),
                }
            )
    return pd.DataFrame(rows).sort_values(
        ["metric", "cells reproduced"], ascending=[True, False], kind="stable", ignore_index=True
    )


def try_definitions(human, judged):
    """Return (metric, order of the writers, rule for ties, values: judges x groups) by each
    definition of each metric; human, judged: scores, judges x groups x writers."""
    rho = rankings.rho_by_group(human, judged)
    tau = rankings.tau_by_group(human, judged)
    tried = [("rho", "any", "", rho), ("tau", "any", "", tau)]
    orders = list(itertools.permutations(range(3)))
    for order, rule in itertools.product(orders, rankings.RULES):
        if rule not in rankings.ORDER_FREE:
            listed = ", ".join(display_name(LISTED[i]) for i in order)
        elif order == orders[0]:  # once is enough
            listed = "any"
        else:
            continue
        share = rankings.pair_accuracy(human[..., order], judged[..., order], rule)
        tried.append(("accuracy", listed, rule, share))
    return tried


@cache
def rankings_that_fit_print(paper, judge):
    """Return {group: rankings (k x 3) whose rho, tau and accuracy round to the print}."""
    printed = printed_rows(paper)
    rows = printed[printed["judge"] == judge].set_index("group")
    cells = rows[["rho", "tau", "accuracy"]].replace("", "nan").astype(float)
    by_group = {}
    for group, human in expert_scores().iterrows():
        rho, tau, accuracy = cells.loc[group]
        orders = rankings.orders_allowed(tuple(human), rho, tau, accuracy)
        by_group[group] = np.array(orders, float)
    return by_group


def bounds_of(orders, rule, human):
    """Return (low, high) arrays over groups: the accuracy of the allowed orders {group: orders} by
    a rule of `rankings.RULES`, or by a measure: function(human, judge)."""
    measure = rule if callable(rule) else partial(rankings.pair_accuracy, rule=rule)
    counts = [len(allowed) for allowed in orders.values()]
    judged = np.concatenate(list(orders.values()))  # orders x writers, group after group
    experts = np.repeat(human.loc[list(orders)].to_numpy(), counts, axis=0)
    values = measure(experts, judged)
    firsts = np.cumsum(counts) - counts  # where a group's orders begin
    return np.minimum.reduceat(values, firsts), np.maximum.reduceat(values, firsts)
