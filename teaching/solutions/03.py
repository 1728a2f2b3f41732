"""Solutions of notebook 03, each a function of the notebook's namespace: (right answer, known mistakes)."""

import numpy as np

from helpers.measures import rankings
from helpers.refbased import controls, method


def exercise_1(ns):
    """Score a judge that says 11, 12, 11 in both orders of listing and count the rules that do not give the same."""
    experts, judge = ns["experts"], np.array([11, 12, 11])

    def changed(rule):
        turned = rankings.pair_accuracy(experts[::-1], judge[::-1], rule)
        return not np.isclose(rankings.pair_accuracy(experts, judge, rule), turned)

    right = sum(changed(rule) for rule in rankings.RULES)
    mistakes = [(len(rankings.RULES), "That is the number of all rules."),
                (len(rankings.ORDER_FREE), "That is the number of rules that ignore the order.")]
    return right, [(wrong, why) for wrong, why in mistakes if wrong != right]


def exercise_2(ns):
    """Subtract each judge's accuracy under > from that under >= (v2) and take the largest loss."""
    table = controls.rule_table("refbased_v2").pivot(index="judge", columns="rule", values="low")
    right = (table["at least (>=)"] - table["above (>)"]).idxmax()
    lowest = table["above (>)"].idxmin()
    return right, [(lowest, "That is the lowest judge under >, not the one that falls most.")] if lowest != right else []


def exercise_3(ns):
    """Ask position_bias for the share of tests that the swap contradicts."""
    fair, first = (method.position_bias(table)["contradicted by the swap"] for name, table in ns["sets"].items()
                   if name.startswith("SIMULATED"))
    return float(first), [(float(fair), "That is the fair judge.")]
