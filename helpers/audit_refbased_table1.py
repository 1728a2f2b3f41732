"""The ledger of the two reference-based papers: Table 1, its accuracies under the rule for ties that fits most of them."""

import numpy as np

from helpers import audit, ttcw
from helpers import refbased_figures as rebuilt
from helpers.audit import Printed
from helpers.audit_refbased import FOUND, average_column, recomputed
from helpers.ledger import line

METRIC = {"rho": "AVG Spearman", "tau": "AVG Kendall's Tau", "accuracy": "Pairwise Accuracy"}
CODES = {
    "Claude V1.3": "claudev13",
    "Claude V2": "claudev2",
    "Claude V2.1": "claudev21",
    "Claude 3-Opus": "claude3-opus",
    "Claude 3.5": "claude35",
    "ChatGPT": "cgpt",
    "GPT-4": "gpt4",
    "GPT-4o": "gpt-4o",
    "Gemini-Pro": "gemini-pro",
    "Qwen-2-72B-Chat": "qwen2-72b-chat",
    "qwen2-72b-chat(ours)": "qwen2-72b-chat_v3_ours",
    "claude35(ours)": "claude35_ours",
    "gpt-4o(ours)": "gpt-4o_ours",
}


def code_of(row):
    """Return the figures' name for a row of Table 1 ('Ours / Claude 3.5' -> 'claude35_ours')."""
    kind, name = row.split(" / ")
    code = CODES.get(name, name)
    return code + "_ours" if kind == "Ours" and not code.endswith("_ours") else code


def rule_bounds(paper, judge, values):
    """Return {rule: (low, high)} of a judge's mean accuracy under >= and >: exact if recorded, else from the printed cells."""
    if judge in ttcw.JUDGES:
        exact = {rebuilt.AT_LEAST: values[judge, "accuracy"].mean(), rebuilt.ABOVE: values[judge, "above"].mean()}
        return {rule: (value, value) for rule, value in exact.items()}
    bounds = {rule: rebuilt.accuracy_bounds(paper, judge, rule) for rule in (rebuilt.AT_LEAST, rebuilt.ABOVE)}
    return {rule: (float(low.mean()), float(high.mean())) for rule, (low, high) in bounds.items()}


def rules_that_fit(paper):
    """Return {row of Table 1: (rules whose accuracy rounds to the printed one, bounds by rule)}."""
    printed, values = Printed(paper), recomputed(paper)
    found = {}
    for row in printed.grid("Table 1").index:
        bounds = rule_bounds(paper, code_of(row), values)
        text = printed.text("Table 1", row, METRIC["accuracy"])
        found[row] = ([rule for rule, (low, high) in bounds.items() if audit.reaches(text, low, high)], bounds)
    return found


def column_rule(fits):
    """Return the rule that most cells of Table 1's accuracy column fit."""
    return max((rebuilt.AT_LEAST, rebuilt.ABOVE), key=lambda rule: sum(rule in rules for rules, _ in fits.values()))


def table1_lines(paper):
    """Return the lines of Table 1: correlations from the figures, accuracies under the column's rule, changes."""
    printed, values, lines, fits = Printed(paper), recomputed(paper), [], rules_that_fit(paper)
    usual = column_rule(fits)
    for table, row, column in printed.keys("Table 1"):
        code, metric = code_of(row), next(m for m, name in METRIC.items() if column.startswith(name))
        figure = rebuilt.FIGURES[paper][metric]
        average = (figure, code, average_column(printed, figure))
        if column.endswith("(change)"):
            lines.append(change_line(printed, (table, row, column), fits))
        elif metric == "accuracy":
            rules, bounds = fits[row]
            note = f"the column's rule is {usual}; this cell fits {' and '.join(rules) or 'neither >= nor >'}"
            if code not in ttcw.JUDGES:
                note += " (accuracy rebuilt from this judge's cells in the figures)"
            basis = "raw" if code in ttcw.JUDGES else "printed"
            lines.append(line(paper, table, row, column, np.mean(bounds[usual]), basis, note, usual in rules))
        elif code in ttcw.JUDGES:
            note = f"mean of the twelve recomputed cells, unanswered = {FOUND[paper]}, undefined counted 0"
            lines.append(line(paper, table, row, column, values[code, metric].mean(), "raw", note))
        else:
            lines.append(audit.check_same(printed, (table, row, column), average, f"the average in {figure}"))
    return lines


def change_line(printed, key, fits):
    """Return the line of a change in Table 1: printed cells' difference; for accuracy both must come under one rule."""
    table, row, column = key
    base = next(
        r
        for r in printed.grid(table).index
        if r.startswith("Baseline") and code_of(r) == code_of(row).removesuffix("_ours").removesuffix("_v3")
    )
    name = column.removesuffix(" (change)")
    plain = audit.check_difference(printed, key, (table, row, name), (table, base, name), "difference of two cells of this table")
    if name != METRIC["accuracy"]:
        return plain
    shared = [rule for rule in fits[row][0] if rule in fits[base][0]]
    if shared:
        usual = column_rule(fits)
        other = (
            ""
            if usual in shared
            else (
                f"; under the column's rule {usual} it would be "
                f"{np.mean(fits[row][1][usual]) - np.mean(fits[base][1][usual]):+.2f}"
            )
        )
        return plain | {"how": f"difference of two cells of this table, both under the rule {shared[0]}{other}"}
    low, high = np.subtract(fits[row][1][rebuilt.AT_LEAST], fits[base][1][rebuilt.AT_LEAST][::-1])
    return audit.check_range(
        printed, key, (low + high) / 2, low, high, "the two cells come under different rules; difference under >="
    )
