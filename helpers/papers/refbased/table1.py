"""The audit of the two reference-based papers: Table 1 against the averages of their figures.

With the writers listed in reverse, the rule >= is the rule > (and > is >=): of two stories, the
first is at least as good just when the second is not better. So what fits > only may have been
counted by >= down a reversed list; nothing printed tells the two apart.
"""

import numpy as np
import pandas as pd

from helpers.measures import rankings
from helpers.refbased import rebuild as rebuilt
from helpers.sources.names import display_name
from helpers.sources.published import Printed, agrees
from helpers.ttcw import load as ttcw

METRIC = {"rho": "AVG Spearman", "tau": "AVG Kendall's Tau", "accuracy": "Pairwise Accuracy"}
RULES = rebuilt.AT_LEAST, rebuilt.ABOVE
CODES = {
    "chatgpt": "cgpt",
    "gpt-4": "gpt4",
    "qwen-2-72b-chat": "qwen2-72b-chat",
    "qwen2-72b-chat_ours": "qwen2-72b-chat_v3_ours",
}  # names that the figures write otherwise


def code_of(row):
    """Return the figures' name for a row of Table 1 ('Ours / Claude 3.5' -> 'claude35_ours')."""
    kind, name = row.split(" / ")
    name = name.lower().replace(" ", "").replace(".", "").replace("(ours)", "_ours")
    code = CODES.get(name, name)
    return code + "_ours" if kind == "Ours" and not code.endswith("_ours") else code


def rules_that_fit(paper, values):
    """Return the rows of Table 1: judge, accuracy as printed, rules that give it (`fits`), and the
    (low, high) of the mean that each rule gives; nan if a group has no order."""
    humans, found = rebuilt.expert_scores(), {}
    grids = [paper.grid(figure) for figure in rebuilt.FIGURES[paper.paper].values()]
    for row in paper.grid("Table 1").index:
        judge, key = code_of(row), ("Table 1", row, METRIC["accuracy"])
        if judge in ttcw.JUDGES:
            means = (values[metric][judge].mean() for metric in ("accuracy", "above"))
            bounds = {rule: (mean, mean) for rule, mean in zip(RULES, means)}
        else:
            orders = {}
            for group, human in humans.iterrows():
                cells = (grid.at[judge, f"story_{group}"] for grid in grids)
                orders[group] = rankings.orders_allowed(tuple(human), *cells)
            bounds = dict.fromkeys(RULES, (np.nan, np.nan))
            for rule in RULES if all(orders.values()) else ():
                ends = rebuilt.bounds_of(orders, rule, humans)
                bounds[rule] = tuple(float(end.mean()) for end in ends)
        fits = [rule for rule, ends in bounds.items() if agrees(paper.text(*key), *ends)]
        told = {"judge": display_name(judge), "printed": paper.number(*key), "fits": fits}
        found[row] = told | bounds
    return pd.DataFrame(found).T


def check(paper, values, unanswered):
    """Check Table 1 by the figures' averages (accuracies: one name, one count) and its changes."""
    fits, first = rules_that_fit(paper, values), Printed("refbased_v1")
    before = {
        code_of(row): first.text("Table 1", row, METRIC["accuracy"])
        for row in first.grid("Table 1").index
        if paper.paper == "refbased_v2"
    }
    bases = {code_of(row): row for row in fits.index if row.startswith("Baseline")}
    for row, bounds in fits[[*RULES]].iterrows():
        code = code_of(row)
        for metric, column in METRIC.items():
            key, figure = ("Table 1", row, column), rebuilt.FIGURES[paper.paper][metric]
            average = figure, code, paper.grid(figure).columns[-1]
            how = f"the average in {figure}"
            if metric == "accuracy":
                how += f", where a score as high is enough (>=); {under(bounds)}"
                how += ", as >= does down the reversed list of writers"
                if paper.text(*key) == before.get(code) != paper.text(*average):
                    how += "; Table 1 of refbased_v1 prints the same"
            differs = paper.text(*average) and paper.number(*key) != paper.number(*average)
            if code in ttcw.JUDGES and not (metric == "accuracy" and differs):
                mean = values[metric][code].mean()
                if metric != "accuracy":
                    how = "mean of the twelve numbers recomputed from the released answers; an"
                    how += f" unanswered test counts as {unanswered}"
                paper.note(key, mean, "raw", how, agrees(paper.text(*key), mean))
            else:
                paper.same(key, average, how)
        base = bases.get(code.removesuffix("_ours").removesuffix("_v3"))
        if row.startswith("Ours") and base:
            check_change(paper, row, base, fits)


def under(bounds):
    """Return in words what the mean accuracy is under either rule ({rule: (low, high)})."""
    parts = []
    for rule, ends in bounds.items():
        numbers = dict.fromkeys(f"{end:.2f}" for end in ends)
        parts.append(f"{rule} gives {' to '.join(numbers)}")
    return ", ".join(parts)


def check_change(paper, row, base, fits):
    """Check a row's changes by its two cells; for accuracy, say what the figure's averages give."""
    cells, names = paper.table("Table 1"), list(METRIC.values())
    gap = (cells.at(row, names) - cells.at(base, names)).to_frame(row).transpose()
    gap = gap.set_axis([f"{name} (change)" for name in names], axis=1)
    key, how = ("Table 1", row, gap.mid.columns[-1]), "difference of two numbers of this table"
    figure = rebuilt.FIGURES[paper.paper]["accuracy"]
    averages = paper.table(figure)[paper.grid(figure).columns[-1]]
    step = averages[code_of(row)] - averages[code_of(base)]
    new, old = fits.loc[row], fits.loc[base]
    rules = {rule: np.subtract(new[rule], old[rule][::-1]) for rule in RULES}
    words = f"the averages in {figure} differ by {step.mid:+.2f}; {under(rules)}"
    if not agrees(paper.text(*key), step.low, step.high):
        words += f"; the two numbers are not those of {figure}"
    hows = pd.DataFrame(how, gap.mid.index, gap.mid.columns)
    hows[key[2]] += f"; {words}"
    paper.check("Table 1", gap, hows)
