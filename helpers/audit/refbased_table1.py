"""The audit of the two reference-based papers: Table 1, its accuracies under the rule that fits."""
import numpy as np

from helpers.measures import rankings
from helpers.refbased import rebuild as rebuilt
from helpers.sources.published import Rounded, agrees
from helpers.ttcw import data as ttcw

METRIC = {"rho": "AVG Spearman", "tau": "AVG Kendall's Tau", "accuracy": "Pairwise Accuracy"}
RULES = rebuilt.AT_LEAST, rebuilt.ABOVE
CODES = {"chatgpt": "cgpt", "gpt-4": "gpt4", "qwen-2-72b-chat": "qwen2-72b-chat",
         "qwen2-72b-chat_ours": "qwen2-72b-chat_v3_ours"}  # names that the figures write otherwise


def code_of(row):
    """Return the figures' name for a row of Table 1 ('Ours / Claude 3.5' -> 'claude35_ours')."""
    kind, name = row.split(" / ")
    name = name.lower().replace(" ", "").replace(".", "").replace("(ours)", "_ours")
    code = CODES.get(name, name)
    return code + "_ours" if kind == "Ours" and not code.endswith("_ours") else code


def rules_that_fit(paper, values):
    """Return {row of Table 1: (rules that give its accuracy, {rule: (low, high)})}.

    A judge's mean accuracy under >= and > is exact if its answers are public (values: of
    `refbased.recomputed`), else what its printed cells in the figures leave.
    """
    humans, found = rebuilt.expert_scores(), {}
    grids = [paper.grid(figure) for figure in rebuilt.FIGURES[paper.paper].values()]
    for row in paper.grid("Table 1").index:
        judge, text = code_of(row), paper.text("Table 1", row, METRIC["accuracy"])
        if judge in ttcw.JUDGES:
            means = (values[metric][judge].mean() for metric in ("accuracy", "above"))
            bounds = {rule: (mean, mean) for rule, mean in zip(RULES, means)}
        else:
            orders = {}
            for group, human in humans.iterrows():
                cells = (grid.at[judge, f"story_{group}"] for grid in grids)
                orders[group] = rankings.orders_allowed(tuple(human), *cells)
            bounds = {rule: mean_bounds(orders, rule) for rule in RULES}
        found[row] = [rule for rule, ends in bounds.items() if agrees(text, *ends)], bounds
    return found


def mean_bounds(orders, rule):
    """Return (low, high) of the mean accuracy under a rule; nan if a group has no order."""
    if not all(orders.values()):
        return np.nan, np.nan
    return tuple(float(end.mean()) for end in rebuilt.bounds_of(orders, rule))


def check_table1(paper, values, unanswered):
    """Check Table 1: correlations by the figures, accuracies by the column's rule, changes."""
    fits = rules_that_fit(paper, values)
    usual = max(RULES, key=lambda rule: sum(rule in rules for rules, _ in fits.values()))
    bases = {code_of(row): row for row in fits if row.startswith("Baseline")}
    for row, (rules, bounds) in fits.items():
        code, known = code_of(row), code_of(row) in ttcw.JUDGES
        for metric in ("rho", "tau"):
            key, figure = ("Table 1", row, METRIC[metric]), rebuilt.FIGURES[paper.paper][metric]
            if known:
                mean, how = values[metric][code].mean(), "mean of the twelve recomputed cells"
                how += f", unanswered = {unanswered}, undefined counted 0"
                paper.note(key, mean, "raw", how, agrees(paper.text(*key), mean))
            else:
                average = figure, code, paper.grid(figure).columns[-1]
                paper.same(key, average, f"the average in {figure}")
        fit = " and ".join(rules) or "neither >= nor >"
        how = f"the column's rule is {usual}; this cell fits {fit}"
        how += "" if known else " (accuracy rebuilt from this judge's cells in the figures)"
        paper.note(("Table 1", row, METRIC["accuracy"]), np.mean(bounds[usual]),
                   "raw" if known else "printed", how, usual in rules)
        base = bases.get(code.removesuffix("_ours").removesuffix("_v3"))
        if row.startswith("Ours") and base:
            check_change(paper, row, base, fits, usual)


def check_change(paper, row, base, fits, usual):
    """Check the changes of one row of Table 1; for accuracy, both cells must be under one rule."""
    cells, names = paper.table("Table 1"), list(METRIC.values())
    gap = (cells.at(row, names) - cells.at(base, names)).to_frame(row).transpose()
    gap = gap.set_axis([f"{name} (change)" for name in names], axis=1)
    how = "difference of two cells of this table"
    paper.check("Table 1", gap[gap.mid.columns[:2]], how)
    (rules, after), (others, before) = fits[row], fits[base]
    shared, accuracy = [rule for rule in rules if rule in others], gap[gap.mid.columns[2:]]
    if not shared:
        low, high = np.subtract(after[RULES[0]], before[RULES[0]][::-1])
        accuracy = accuracy * 0 + Rounded((low + high) / 2, low, high)
        how = "the two cells come under different rules; difference under >="
    else:
        how += f", both under the rule {shared[0]}"
        if usual not in shared:
            change = np.mean(after[usual]) - np.mean(before[usual])
            how += f"; under the column's rule {usual} it would be {change:+.2f}"
    paper.check("Table 1", accuracy, how)
