"""The main claim of notebook 03 under other definitions: does it hang on a choice?"""

import numpy as np

from helpers.measures import intervals, sensitivity
from helpers.refbased import definitions, rebuild
from helpers.refbased.definitions import FAIR
from helpers.sources.names import display_name
from helpers.ttcw import load as ttcw

SECOND = "refbased_v2"


def vary_gain():
    """Return a table of `sensitivity.vary`: by how much three models with a reference agree better
    with experts than without, in the second version, by each definition. The open data are needed.

    Three experts read all stories of a group, so that their severity does not matter.
    """
    verdicts = ttcw.load_verdicts()
    human, mean = rebuild.expert_scores(), count_passed(verdicts)
    rules = definitions.measures()
    fair, names = (
        rules[FAIR],
        {"ρ, undefined = 0": "Spearman's ρ", "τ, undefined = 0": "Kendall's τ"},
    )
    names |= {rule: f"ties: {rule}" for rule in ("same sign", "ties half", "any tie wrong")}
    names |= {rebuild.AT_LEAST: "ties: the paper's rule, >=", rebuild.ABOVE: "ties: >"}
    claims = {"ties: human ties dropped": average(gain(fair, human))}
    for rule, name in names.items():
        scale = 2 if rule[0] in "ρτ" else 1
        claims[name] = average(scale * gain(rules[rule], human))
    claims["the first version, human ties dropped"] = average(gain(fair, human, "refbased_v1"))
    claims["unanswered tests failed, as in the first version"] = average(
        gain(fair, human, unanswered="failed")
    )
    claims["experts' mean, not majority"] = average(gain(fair, mean))
    claims["expert by expert, then the mean"] = average(by_expert(verdicts, fair))
    experts = sorted(verdicts["expert"].unique())
    left_out = {}
    for name in experts:
        rest = count_passed(verdicts[verdicts["expert"] != name])
        left_out[f"without expert {name}"] = average(gain(fair, rest))
    claims |= sensitivity.find_extremes(left_out, "experts' mean, one expert left out")
    gains, rows = gain(fair, human), {}
    for place, ours in enumerate(definitions.METHODS[SECOND]):
        name = display_name(definitions.BASELINES[ours])
        rows[f"without {name}"] = average(np.delete(gains, place, axis=1))
    claims |= sensitivity.find_extremes(rows, "one model left out")
    by_group = gain(fair, mean).mean(axis=1)
    no_group = np.array([np.nanmean(np.delete(by_group, k)) for k in range(len(by_group))])
    no_expert = np.array([row["estimate"] for row in left_out.values()])
    parts = [no_group, no_expert, np.zeros(1)]  # both variances are added
    claims["experts' mean, for new experts too"] = intervals.combine(np.nanmean(by_group), parts)
    return sensitivity.vary(claims).rename_axis("gain with a reference, second version")


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
    return share.groupby(level=[0, 1]).sum().unstack()[rebuild.LISTED].round(9)


def by_expert(verdicts, measure):
    """Return the gains (groups x models) against each of a group's experts alone, averaged."""
    machines = verdicts[verdicts["writer"].isin(rebuild.LISTED)]
    slot = machines.groupby(["group", "writer", "test"])["expert"].rank()
    parts = [count_passed(machines[slot == place]) for place in (1, 2, 3)]
    return np.nanmean([gain(measure, human) for human in parts], axis=0)
