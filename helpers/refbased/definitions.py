"""How the method's gain over its own baseline depends on definitions that the papers leave open.

The gain is how much better a judge agrees with experts with a reference than the same model does
without. Both papers leave open how agreement is counted: a correlation or pairs, what a tie counts,
which experts a story must convince. `gain_by_group` computes it by one definition, `joint_gains` by
each measure with a p value, `curve` by all definitions at once (448 for each version):

    models              measure              target     groups   unanswered   estimate     p
    all three models    human ties dropped   majority   all      passed           0.13  0.04
    Claude 3.5          at least (>=)        majority   all      passed           0.11  0.31

`summarise_curves` tells how many of them show a gain, notebook 03 shows it. All are computed from
the rankings that print leaves (`rebuild.rankings_that_fit_print`), in their middle.
"""

import itertools
from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from goodjudge.stats import intervals, rankings
from goodjudge.stats.rankings import pair_accuracy

from helpers.refbased import rebuild

# a judge with a reference: the same model without one
BASELINES = {
    "claude35_ours": "claude35",
    "gpt-4o_ours": "gpt-4o",
    "qwen2-72b-chat_ours": "qwen2-72b-chat",
    "qwen2-72b-chat_v3_ours": "qwen2-72b-chat",
}
# the judges with a reference that each version compares
METHODS = {
    "refbased_v1": ["claude35_ours", "gpt-4o_ours", "qwen2-72b-chat_ours"],
    "refbased_v2": ["claude35_ours", "gpt-4o_ours", "qwen2-72b-chat_v3_ours"],
}
MODELS = {"Claude 3.5": slice(0, 1), "all three models": slice(0, 3)}  # places in METHODS
# what each version's baseline counts unanswered tests as
UNANSWERED = {"failed": "refbased_v1", "passed": "refbased_v2"}
OWN_BASELINE = {paper: how for how, paper in UNANSWERED.items()}
SETS = ["all", "every model and group"]
FULL = {"models": "all three models", "groups": "all"}
FAIR = "human ties dropped"  # a judge's tie is half right, an experts' tie asks nothing
PAPER = {"models": "Claude 3.5", "measure": rebuild.AT_LEAST, "target": "majority", "groups": "all"}
OURS = PAPER | {"models": "all three models", "measure": FAIR}


class Measure(NamedTuple):
    """A way to count how far a judge's order of a group's stories is that of experts.

    name: as readers know it, its choice left out, "ρ"; function: (human, judge) -> one number per
    group, both groups x writers; scale: what the number is multiplied by for print, 2 for a
    correlation, which `function` halves; is_variant: is it another in a lesser choice alone?
    """

    name: str
    function: Callable
    scale: int = 1
    is_variant: bool = False


def measures():
    """Return {full name: `Measure`}: two correlations, undefined ones counted in two ways; the
    accuracy by four rules in which the order of the writers does not matter, and by the paper's
    (>=) for each of the six orders in which they may be listed."""
    by_name = {}
    for name, correlate in {"ρ": rankings.rho_by_group, "τ": rankings.tau_by_group}.items():
        with_zero = partial(half_correlation, correlate, 0.0)
        left_out = partial(half_correlation, correlate, np.nan)
        by_name[f"{name}, undefined = 0"] = Measure(name, with_zero, 2)
        by_name[f"{name}, undefined left out"] = Measure(name, left_out, 2, is_variant=True)
    for rule in rankings.ORDER_FREE:
        by_name[rule] = Measure(rule, partial(pair_accuracy, rule=rule))
    for order in itertools.permutations(range(3)):
        name = name_listing(order)
        is_variant = name not in (rebuild.AT_LEAST, rebuild.ABOVE)
        listed = partial(accuracy_as_listed, order)
        by_name[name] = Measure(name, listed, is_variant=is_variant)
    return by_name


def half_correlation(correlate, undefined, human, judge):
    """Return half a correlation of each group: from -.5 to .5, it gains as an accuracy does."""
    return correlate(human, judge, undefined) / 2


def accuracy_as_listed(order, human, judge):
    """Return the accuracy by at least (>=) if the writers are listed in this order."""
    order = list(order)
    return pair_accuracy(human[:, order], judge[:, order], rebuild.AT_LEAST)


def name_listing(order):
    """Return what at least (>=) is called if the writers are listed in this order: with the list
    turned round, it is above (>). (0, 2, 1), the last two exchanged, is 'at least (>=), listed
    132'."""
    if order == (0, 1, 2):
        return rebuild.AT_LEAST
    if order == (2, 1, 0):
        return rebuild.ABOVE
    places = "".join(str(place + 1) for place in order)
    return f"{rebuild.AT_LEAST}, listed {places}"


def gain_by_group(paper, measure, human, unanswered=None):
    """Return the gains, groups x models: the accuracy with a reference less that without, each in
    the middle of what printed cells leave open.

    measure: a `Measure`; human: scores, group x writer; unanswered: what an unanswered test of
    the judge without a reference counts as, a key of UNANSWERED (None: as in this paper).
    """
    paper_of_baseline = UNANSWERED.get(unanswered, paper)
    gains = []
    for judge in METHODS[paper]:
        with_reference = middle_accuracy(paper, judge, measure, human)
        without = middle_accuracy(paper_of_baseline, BASELINES[judge], measure, human)
        gains.append(with_reference - without)
    return np.column_stack(gains)


def middle_accuracy(paper, judge, measure, human):
    """Return by group the middle between the least and the most that a judge's printed cells leave
    of a `Measure`."""
    orders = rebuild.rankings_that_fit_print(paper, judge)
    low, high = rebuild.bounds_of(orders, measure.function, human)
    return (low + high) / 2


def joint_gains():
    """Return the mean gain of the three models by version and measure, variants left out: estimate,
    low, high, n, p. The p is exact: the models are judged on the same groups, so a group's sign is
    flipped for all at once."""
    human = rebuild.expert_scores()
    rows = {}
    for paper, measure in itertools.product(METHODS, measures().values()):
        if measure.is_variant:
            continue
        gains = gain_by_group(paper, measure, human)  # groups x models
        gain = measure.scale * gains.mean(axis=1)
        _, p_values, _ = rankings.flip_all(gain[None])
        rows[paper, measure.name] = {**intervals.of_mean(gain), "p": p_values[0]}
    return pd.DataFrame(rows).T.rename_axis(["paper", "measure"])


@cache
def curve(paper):
    """Return (table, gains): every definition with its estimate and p, and its gain in each group,
    definitions x groups (nan: a group that it leaves out).

    Columns of the table: models, measure, target (which experts), groups (all, or those whose
    stories the experts tell apart), unanswered (what an unanswered test of the baseline counts
    as), estimate, p.
    """
    different_scores = rebuild.expert_scores().nunique(axis=1).to_numpy()
    no_tie = different_scores == len(rebuild.LISTED)
    groups_used = {"all": np.ones_like(no_tie), "no expert tie": no_tie}
    humans = {target: rebuild.expert_scores(target) for target in rebuild.HUMAN}
    definitions = []
    gains = []
    choices = itertools.product(rebuild.HUMAN, measures().items(), UNANSWERED)
    for target, (name, measure), unanswered in choices:
        by_model = gain_by_group(paper, measure, humans[target], unanswered)  # groups x models
        for models, groups in itertools.product(MODELS, groups_used):
            gain = by_model[:, MODELS[models]].mean(axis=1)
            gains.append(np.where(groups_used[groups], gain, np.nan))
            definitions.append((models, name, target, groups, unanswered))
    gains = np.array(gains)
    columns = ["models", "measure", "target", "groups", "unanswered"]
    table = pd.DataFrame(definitions, columns=columns)
    table["estimate"], table["p"], _ = rankings.flip_all(gains)
    return table, gains


def where(table, definition):
    """Return the mask of the rows of a curve that are this definition ({column: value})."""
    return (table[list(definition)] == pd.Series(definition)).all(axis=1)


def summarise_curves():
    """Return by version and set of definitions (all; those that keep every model and group): how
    many, the gain's range, shares, p."""
    rows = {}
    for paper in METHODS:
        table, gains = curve(paper)
        is_full = where(table, FULL)
        is_any = np.ones_like(is_full)
        for name, is_in_set in zip(SETS, (is_any, is_full)):
            rows[paper, name] = summarise_curve(table[is_in_set], gains[is_in_set])
    return pd.DataFrame(rows).T.rename_axis(["paper", "which"])


def summarise_curve(table, gains):
    """Return how many definitions a curve has, its gain's range, shares, and the exact p of its
    median; table, gains: of `curve`."""
    gain = table["estimate"]
    _, _, p_of_median = rankings.flip_all(gains)
    return {
        "definitions": len(gain),
        "median gain": gain.median(),
        "smallest": gain.min(),
        "largest": gain.max(),
        "share above 0": (gain > 1e-9).mean(),
        "share with p < .05": (table["p"] < 0.05).mean(),
        "p of the median": p_of_median,
    }
