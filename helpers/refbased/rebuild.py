"""Rebuild the result figures of the two reference-based papers: scores, the search over definitions, what printed cells allow."""

import itertools
from functools import cache

import numpy as np
import pandas as pd

from helpers.judges.labels import parse_first_word
from helpers.measures import rankings
from helpers.sources.published import Printed, agrees
from helpers.ttcw import data as ttcw

FIGURES = {
    "refbased_v1": {"rho": "Figure 1", "tau": "Figure 2", "accuracy": "Figure 3"},
    "refbased_v2": {"rho": "Figure 2", "tau": "Figure 3", "accuracy": "Figure 4"},
}
STORIES = [f"story_{group}" for group in range(12)]
LISTED = ["Claude", "GPT4", "GPT3.5"]  # the order of the candidates that the search finds
HUMAN = ["majority", "mean of experts", "any expert", "all experts"]
REFUSED = ["failed", "passed", "left out"]
AT_LEAST, ABOVE = "at least (>=)", "above (>)"


def expert_scores(kind="majority", tests=None, verdicts=None):
    """Return tests passed by each candidate (group x writer): by majority of three experts, mean, any or all of them."""
    verdicts = ttcw.load_verdicts() if verdicts is None else verdicts
    if tests is not None:
        verdicts = verdicts[verdicts["test"].isin(tests)]
    yes = verdicts[verdicts["writer"].isin(LISTED)].groupby(["group", "writer", "test"])["passed"].sum()
    passed = {"majority": yes >= 2, "mean of experts": yes / 3, "any expert": yes >= 1, "all experts": yes == 3}[kind]
    return passed.groupby(level=[0, 1]).sum().unstack()[LISTED].astype(float)


@cache
def recorded_verdicts(judge):
    """Return (answers, their verdicts) of a recorded judge, read once."""
    answers = ttcw.load_recorded(judge)
    return answers, answers["text"].map(parse_first_word)


def judge_scores(judge, refused="failed"):
    """Return tests passed by each candidate (group x writer) by a recorded judge's answers.

    refused: what an answer without Yes or No counts as (failed, passed, or left out: the share of the answered tests x 14).
    """
    answers, verdict = recorded_verdicts(judge)
    value = verdict.map({"Yes": 1.0, "No": 0.0}).fillna({"failed": 0.0, "passed": 1.0, "left out": np.nan}[refused])
    key = [
        answers["story"].str.split("_", n=1).str[0].astype(int).rename("group"),
        answers["story"].str.split("_", n=1).str[1].rename("writer"),
    ]
    mean = value.groupby(key).mean() * 14
    return mean.round(9).unstack()[LISTED]


def printed_rows(paper):
    """Return the printed figures as one row a (judge, story): rho, tau, accuracy as printed (strings, '' blank)."""
    return _rows(paper).copy()


@cache
def _rows(paper):
    printed, parts = Printed(paper), []
    for metric, figure in FIGURES[paper].items():
        part = printed.lines[(printed.lines["table"] == figure) & printed.lines["column"].isin(STORIES)]
        parts.append(part.set_index(["row", "column"])["value"].rename(metric))
    table = pd.concat(parts, axis=1).rename_axis(["judge", "story"]).reset_index()
    table.insert(1, "group", table["story"].str.split("_").str[1].astype(int))
    return table.drop(columns="story")


def matches(printed, computed):
    """Return whether a printed cell is the rounding of `computed`; a blank cell stands for 0 or undefined."""
    return abs(computed) < 0.005 if printed == "" else agrees(printed, computed)


def search(paper, judges=None):
    """Return the search over definitions: one row a definition and metric, with the cells it reproduces of those printed.

    Correlations: 4 human scores x 3 treatments of refusals; accuracy: these x 6 orders of the writers x 6 rules.
    """
    printed, rows = printed_rows(paper), []
    judges = [j for j in (judges or ttcw.JUDGES) if j in set(printed["judge"])]
    scores = {refused: np.array([judge_scores(j, refused) for j in judges]) for refused in REFUSED}  # judges x groups x writers
    cells = (
        printed[printed["judge"].isin(judges)]
        .assign(judge=lambda t: pd.Categorical(t["judge"], judges))
        .sort_values(["judge", "group"])
    )

    def count(metric, values, about, test):
        hits = [test(p, c) for p, c in zip(cells[metric], values.ravel())]
        rows.append((metric, *about, sum(hits), len(hits)))

    for kind, refused in itertools.product(HUMAN, REFUSED):
        human, judged = expert_scores(kind).to_numpy(), scores[refused]
        many = np.broadcast_to(human, judged.shape)
        count("rho", rankings.rho_by_group(many, judged), (kind, refused, "any", ""), matches)
        count("tau", rankings.tau_by_group(many, judged), (kind, refused, "any", ""), matches)
        for order, rule in itertools.product(itertools.permutations(range(len(LISTED))), rankings.RULES):
            free = rule in rankings.ORDER_FREE
            if free and list(order) != sorted(order):
                continue
            named = "any" if free else ", ".join(LISTED[i] for i in order)
            count(
                "accuracy",
                rankings.pair_accuracy(many[..., order], judged[..., order], rule),
                (kind, refused, named, rule),
                agrees,
            )
    columns = ["metric", "human score", "unanswered", "order", "rule", "cells reproduced", "cells"]
    return pd.DataFrame(rows, columns=columns).sort_values(
        ["metric", "cells reproduced"], ascending=[True, False], kind="stable", ignore_index=True
    )


def best_definitions(found):
    """Return, for each paper and metric of {paper: search}, the best definition, its cells, and the cells of the next best."""
    rows = []
    for paper, table in found.items():
        for _, part in table.groupby("metric"):
            counts = part["cells reproduced"]
            rows.append({"paper": paper, **part.iloc[0], "next best": counts[counts < counts.max()].max(), "tried": len(part)})
    return pd.DataFrame(rows)


def allowed(paper, judge, human=None):
    """Return {group: weak orders of (Claude, GPT4, GPT3.5) whose rho, tau and accuracy (>=) round to the printed cells}."""
    human = expert_scores() if human is None else human
    rows = printed_rows(paper)
    rows = rows[rows["judge"] == judge].set_index("group")
    as_number = rows[["rho", "tau", "accuracy"]].replace("", "nan").astype(float)
    return {g: rankings.orders_allowed(tuple(human.loc[g]), *as_number.loc[g]) for g in human.index}


def bounds_of(orders, rule, human=None):
    """Return (low, high) arrays, one entry a group: the accuracy under `rule` over the allowed orders ({group: orders})."""
    human = expert_scores() if human is None else human
    values = [rankings.pair_accuracy(np.tile(human.loc[g], (len(o), 1)), np.array(o), rule) for g, o in orders.items()]
    return np.array([v.min() for v in values]), np.array([v.max() for v in values])


def accuracy_bounds(paper, judge, rule, human=None):
    """Return (low, high) arrays, one entry a group: what the printed cells leave for the accuracy under another rule."""
    human = expert_scores() if human is None else human
    return bounds_of(allowed(paper, judge, human), rule, human)


def attainable(human, rule):
    """Return every (mean rho, mean tau, mean accuracy) that some judge can reach against these expert scores (n x 3).

    Each group's judge is one of the weak orders of its stories, undefined correlations count as 0 (as in the figures).
    """
    base, shift = 2**21, 2**20  # three sums, each coded as an integer of 1e-4 within +-2^20, in one int64
    states = np.zeros(1, dtype=np.int64)
    for group in human.index:
        options = np.unique(np.round(np.array(list(rankings.cells(tuple(human.loc[group]), rule).values())) * 1e4), axis=0)
        codes = (options @ np.array([base**2, base, 1.0])).astype(np.int64)
        states = np.unique((states[:, None] + codes).ravel())
    states += shift * (base**2 + base + 1)
    sums = np.column_stack([states // base**2, states // base % base, states % base]) - shift
    return sums / 1e4 / len(human)


def nearest_triple(states, target, half=0.005):
    """Return (fits, culprits): whether a state rounds to the target triple; which single cells, left out, would mend it."""
    off = np.abs(states - np.asarray(target, float)) <= half + 1e-4
    if off.all(axis=1).any():
        return True, []
    return False, [k for k in range(off.shape[1]) if np.delete(off, k, axis=1).all(axis=1).any()]
