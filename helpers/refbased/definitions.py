"""How the method's gain over its own baseline depends on definitions that the papers leave open."""

import itertools
from functools import cache, partial

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import intervals, rankings
from helpers.measures.rankings import pair_accuracy
from helpers.refbased import rebuild
from helpers.sources.names import display_name
from helpers.sources.published import Printed

BASELINES = {
    "claude35_ours": "claude35",
    "gpt-4o_ours": "gpt-4o",
    "qwen2-72b-chat_ours": "qwen2-72b-chat",
    "qwen2-72b-chat_v3_ours": "qwen2-72b-chat",
}
FIRST, SECOND, THIRD, LAST = BASELINES
METHODS = {"refbased_v1": [FIRST, SECOND, THIRD], "refbased_v2": [FIRST, SECOND, LAST]}
MODELS = {"Claude 3.5": slice(0, 1), "all three models": slice(0, 3)}
# what each version's baseline counts unanswered tests as
UNANSWERED = {"failed": "refbased_v1", "passed": "refbased_v2"}
OWN_BASELINE = {paper: how for how, paper in UNANSWERED.items()}
SETS = ["all", "every model and group"]
FULL = {"models": "all three models", "groups": "all"}
FAIR = "human ties dropped"  # a judge's tie is half right, an experts' tie asks nothing
PAPER = {"models": "Claude 3.5", "measure": rebuild.AT_LEAST, "target": "majority", "groups": "all"}
OURS = PAPER | {"models": "all three models", "measure": FAIR}


def measures():
    """Return {name: function(human, judge) -> one accuracy per group} (correlations halved)."""
    found = {}
    for name, of in {"ρ": rankings.rho_by_group, "τ": rankings.tau_by_group}.items():
        for word, undefined in {"undefined = 0": 0.0, "undefined left out": np.nan}.items():
            found[f"{name}, {word}"] = lambda h, j, of=of, at=undefined: of(h, j, at) / 2
    found |= {rule: partial(pair_accuracy, rule=rule) for rule in rankings.ORDER_FREE}
    for order in itertools.permutations(range(3)):  # with the list turned round, >= is >
        listed = f"{rebuild.AT_LEAST}, listed {''.join(str(k + 1) for k in order)}"
        name = {(0, 1, 2): rebuild.AT_LEAST, (2, 1, 0): rebuild.ABOVE}.get(order, listed)
        found[name] = lambda h, j, o=list(order): pair_accuracy(h[:, o], j[:, o], rebuild.AT_LEAST)
    return found


def gain_by_group(paper, measure, human, unanswered=None):
    """Return groups x models: method minus baseline, which counts `unanswered` so; of each the
    middle of what printed cells leave."""
    base = UNANSWERED.get(unanswered, paper)

    def middle(version, judge):
        orders = rebuild.rankings_that_fit_print(version, judge)
        return sum(rebuild.bounds_of(orders, measure, human)) / 2

    gains = [middle(paper, ours) - middle(base, BASELINES[ours]) for ours in METHODS[paper]]
    return np.column_stack(gains)


def joint_gains():
    """Return the mean gain of the three models by version and measure; exact p: they are judged on
    the same groups, so a group's sign is flipped for all at once."""
    human, rows = rebuild.expert_scores(), {}
    for paper, (name, measure) in itertools.product(METHODS, measures().items()):
        if "listed" in name or "left out" in name:
            continue
        scale = 2 if name[0] in "ρτ" else 1
        gain = scale * gain_by_group(paper, measure, human).mean(axis=1)
        _, (p,), _ = rankings.flip_all(gain[None])
        rows[paper, name.split(",")[0]] = {**intervals.of_mean(gain), "p": p}
    return pd.DataFrame(rows).T.rename_axis(["paper", "measure"])


def by_measure(gains):
    """Return `joint_gains` as text: a row per measure, gain and p of both versions."""
    told = gains.assign(gain=gains.apply(results.format_interval, axis=1))[["gain", "p"]]
    told = told.unstack("paper").swaplevel(axis=1).sort_index(axis=1)
    return told.reindex(gains.index.unique("measure"))


def printed_gains():
    """Return gains in accuracy as each version's Table 1 and its own figure give them, and by >."""
    rows = {}
    for paper, methods in METHODS.items():
        printed = Printed(paper).grid("Table 1")["Pairwise Accuracy (change)"].dropna()
        averages = Printed(paper).grid(rebuild.FIGURES[paper]["accuracy"]).iloc[:, -1]
        above = gain_by_group(paper, measures()[rebuild.ABOVE], rebuild.expert_scores())
        for ours, *gains in zip(methods, printed, above.mean(axis=0), strict=True):
            alone = BASELINES[ours]
            rows[paper, display_name(alone)] = *gains, averages[ours] - averages[alone]
    table = pd.DataFrame(rows, ["printed in Table 1", "by above (>)", "by its own figure"])
    return table.T.rename_axis(["paper", "model"])


@cache
def curve(paper):
    """Return (definitions with estimate and p, their gains: definitions x groups); a definition:
    models, measure, target, groups (all, or those whose stories the experts tell apart), what an
    unanswered test of the baseline counts as."""
    rows, gains = [], []
    clear = rebuild.expert_scores().nunique(axis=1).to_numpy() == len(rebuild.LISTED)
    used = {"all": clear | True, "no expert tie": clear}
    choices = itertools.product(rebuild.HUMAN, measures().items(), UNANSWERED)
    for kind, (name, measure), unanswered in choices:
        table = gain_by_group(paper, measure, rebuild.expert_scores(kind), unanswered)
        for models, groups in itertools.product(MODELS, used):
            rows.append((models, name, kind, groups, unanswered))
            gains.append(np.where(used[groups], table[:, MODELS[models]].mean(axis=1), np.nan))
    table = pd.DataFrame(rows, columns=["models", "measure", "target", "groups", "unanswered"])
    table["estimate"], table["p"], _ = rankings.flip_all(np.array(gains))
    return table, np.array(gains)


def where(table, definition):
    """Return the mask of the rows of a curve that are this definition ({column: value})."""
    return (table[list(definition)] == pd.Series(definition)).all(axis=1)


def summarise_curves():
    """Return by version and set of definitions (all; those that keep every model and group): how
    many, the gain's range, shares, p."""
    rows = {}
    for paper in METHODS:
        table, gains = curve(paper)
        full = where(table, FULL)
        for name, mask in zip(SETS, (full | True, full)):
            gain = table.loc[mask, "estimate"]
            rows[paper, name] = {
                "definitions": len(gain),
                "median gain": gain.median(),
                "smallest": gain.min(),
                "largest": gain.max(),
                "share above 0": (gain > 1e-9).mean(),
                "share with p < .05": (table.loc[mask, "p"] < 0.05).mean(),
                "p of the median": rankings.flip_all(gains[mask])[2],
            }
    return pd.DataFrame(rows).T.rename_axis(["paper", "which"])
