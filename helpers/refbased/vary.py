"""The main claim of notebook 03 under other definitions: does it depend on a choice?"""

import numpy as np
from goodjudge.stats import intervals

from helpers import choices
from helpers.refbased import definitions, rebuild
from helpers.refbased.definitions import FAIR
from helpers.sources.names import display_name
from helpers.ttcw import load as ttcw

SECOND = "refbased_v2"
FIRST = "the first version, human ties dropped"  # another question: about another method


def vary_gain():
    """Return a table of `choices.vary`: by how much three models with a reference agree better
    with experts than without, in the second version, by each definition.

    Three experts read all stories of a group, so that their severity does not matter.
    """
    verdicts = ttcw.load_verdicts()
    human = rebuild.expert_scores()
    mean = count_passed(verdicts)
    fair = definitions.measures()[FAIR]
    claims = {"ties: human ties dropped": average(gain(fair, human))}
    claims |= by_other_measures(human)
    claims[FIRST] = average(gain(fair, human, "refbased_v1"))
    failed = gain(fair, human, unanswered="failed")
    claims["unanswered tests failed, as in v1"] = average(failed)
    claims["experts' mean, not majority"] = average(gain(fair, mean))
    claims["expert by expert, then the mean"] = average(by_expert(verdicts, fair))
    without_expert = leave_experts_out(verdicts, fair)
    claims |= choices.find_extremes(without_expert, "experts' mean, one expert left out")
    without_model = leave_models_out(gain(fair, human))
    claims |= choices.find_extremes(without_model, "one model left out")
    claims["experts' mean, for new experts too"] = for_new_experts(gain(fair, mean), without_expert)
    return choices.vary(claims, [FIRST]).rename_axis("v2's gain with a reference")


def by_other_measures(human):
    """Return {definition: a row} of the gain by correlations and by other rules for ties."""
    names = {
        "ρ, undefined = 0": "Spearman's ρ",
        "τ, undefined = 0": "Kendall's τ",
        "same sign": "ties: same sign",
        "ties half": "ties: ties half",
        "any tie wrong": "ties: any tie wrong",
        rebuild.AT_LEAST: "ties: the paper's rule, >=",
        rebuild.ABOVE: "ties: >",
    }
    measures = definitions.measures()
    rows = {}
    for full_name, name in names.items():
        measure = measures[full_name]
        rows[name] = average(measure.scale * gain(measure, human))
    return rows


def leave_experts_out(verdicts, measure):
    """Return {"without expert e": a row} of the gain against the mean of the other experts."""
    rows = {}
    for name in sorted(verdicts["expert"].unique()):
        rest = count_passed(verdicts[verdicts["expert"] != name])
        rows[f"without expert {name}"] = average(gain(measure, rest))
    return rows


def leave_models_out(gains):
    """Return {"without model m": a row} of the gain of the other models; gains: groups x models."""
    rows = {}
    for place, ours in enumerate(definitions.METHODS[SECOND]):
        name = display_name(definitions.BASELINES[ours])
        rows[f"without {name}"] = average(np.delete(gains, place, axis=1))
    return rows


def for_new_experts(gains, without_expert):
    """Return the mean gain with an interval over groups and over experts (`intervals.combine_two`).

    gains: groups x models; without_expert: {expert left out: a row}.
    """
    by_group = gains.mean(axis=1)  # nan where experts tie all stories
    over_groups = []
    for k in range(len(by_group)):
        over_groups.append(np.nanmean(np.delete(by_group, k)))
    over_experts = [row["estimate"] for row in without_expert.values()]
    return intervals.combine_two(np.nanmean(by_group), over_groups, over_experts)


def gain(measure, human, paper=SECOND, unanswered=None):
    """Return groups x models of `definitions.gain_by_group`."""
    return definitions.gain_by_group(paper, measure, human, unanswered)


def average(gains):
    """Return the mean gain of all models (estimate, low, high, n: groups)."""
    by_group = gains.mean(axis=1)  # nan where experts tie all stories
    return intervals.of_mean(by_group[~np.isnan(by_group)])


def count_passed(verdicts):
    """Return how many tests a story passes (group x writer), each test as the share of its experts
    who say so."""
    machines = verdicts[verdicts["writer"].isin(rebuild.LISTED)]
    share = machines.groupby(["group", "writer", "test"])["passed"].mean().round(9)
    passed = share.groupby(["group", "writer"]).sum().round(9)
    return passed.unstack()[rebuild.LISTED]


def by_expert(verdicts, measure):
    """Return the gains (groups x models) against each of a group's experts alone, averaged."""
    machines = verdicts[verdicts["writer"].isin(rebuild.LISTED)]
    slot = machines.groupby(["group", "writer", "test"])["expert"].rank()
    gains = []
    for place in (1, 2, 3):
        human = count_passed(machines[slot == place])
        gains.append(gain(measure, human))
    return np.nanmean(gains, axis=0)
