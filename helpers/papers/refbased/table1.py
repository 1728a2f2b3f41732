"""The two reference-based papers, Table 1: means over groups, beside the averages of the figures.

A row is a judge, alone or with the paper's method; the latter also prints what it changes:

    row                    AVG Spearman  (change)  AVG Kendall's Tau  (change)  Pairwise Accuracy  …
    Baseline / Claude 3.5  0.14                    0.13                         0.50
    Ours / Claude 3.5      0.50          +0.36     0.44               +0.31     0.69               …

The figures print the same averages under other names: the second row is their claude35_ours
(`code_of`). Correlations are those averages. Accuracies need not be, as ties can be counted in two
ways: are two stories ranked alike where both sides call the first at least as good (>=, the rule of
the figures) or neither does, or where both call it better (>) or neither does? Say experts give the
stories A and B 3 points each, and a judge gives them 5 and 4:

    listed as   experts      judge        alike by >=?   alike by >?
    A, B        3 >= 3 yes   5 >= 4 yes   yes
                3 > 3 no     5 > 4 yes                   no
    B, A        3 >= 3 yes   4 >= 5 no    no
                3 > 3 no     4 > 5 no                    yes

So with the writers listed in reverse, the rule >= is the rule > (and > is >=), and what fits > only
may have been counted by >= down a reversed list; nothing printed tells the two apart.
`rules_that_fit` says which rule gives a printed accuracy.
"""

from functools import cache

import numpy as np
import pandas as pd
from goodjudge.stats import rankings

from helpers.papers.refbased.figures import UNANSWERED, average_column, recomputed
from helpers.refbased import rebuild
from helpers.sources.names import display_name
from helpers.sources.published import Printed, Rounded, agrees
from helpers.ttcw import load as ttcw

COLUMNS = {"rho": "AVG Spearman", "tau": "AVG Kendall's Tau", "accuracy": "Pairwise Accuracy"}
ACCURACY = COLUMNS["accuracy"]
RULES = [rebuild.AT_LEAST, rebuild.ABOVE]
UNKNOWN = (np.nan, np.nan)
CODES = {  # names that the figures write otherwise
    "chatgpt": "cgpt",
    "gpt-4": "gpt4",
    "qwen-2-72b-chat": "qwen2-72b-chat",
    "qwen2-72b-chat_ours": "qwen2-72b-chat_v3_ours",
}


def check_judges(paper):
    """Check Table 1: correlations and accuracies by the released answers, or by the averages of the
    figures; changes by their two cells."""
    bounds = rules_that_fit(paper)
    for row in bounds.index:
        check_correlation(paper, row, "rho")
        check_correlation(paper, row, "tau")
        check_accuracy(paper, row, bounds.loc[row, RULES])
    row_of_code = {code_of(row): row for row in bounds.index}
    for code, row in row_of_code.items():
        base = row_of_code.get(base_of(code))
        if row.startswith("Ours") and base:
            check_change(paper, row, base, bounds)


def code_of(row):
    """Return the figures' name for a row of Table 1 ('Ours / Claude 3.5' -> 'claude35_ours')."""
    kind, name = row.split(" / ")
    name = name.lower().replace(" ", "").replace(".", "").replace("(ours)", "_ours")
    code = CODES.get(name, name)
    if kind == "Ours" and not code.endswith("_ours"):
        code += "_ours"
    return code


def base_of(code):
    """Return the figures' name of the same judge without a reference."""
    return code.removesuffix("_ours").removesuffix("_v3")


def is_recorded(row):
    """Return whether the answers of a row's judge are released."""
    return code_of(row) in ttcw.JUDGES


def average_of(paper, row, metric):
    """Return the key of the average, in a figure, that a cell of Table 1 should repeat."""
    figure = rebuild.FIGURES[paper.paper][metric]
    return figure, code_of(row), average_column(paper, figure)


def check_correlation(paper, row, metric):
    """Check one mean correlation: of a recorded judge by its answers, else by the figure."""
    if is_recorded(row):
        how = "mean of the twelve numbers recomputed from the released answers; an unanswered test"
        how += f" counts as {UNANSWERED[paper.paper]}"
        check_recorded(paper, row, metric, how)
    else:
        average = average_of(paper, row, metric)
        paper.same(("Table 1", row, COLUMNS[metric]), average, f"the average in {average[0]}")


def check_recorded(paper, row, metric, how):
    """Check a cell of a recorded judge by the mean over groups that its answers give."""
    mean = recomputed(paper.paper)[metric][code_of(row)].mean()
    paper.check_number(("Table 1", row, COLUMNS[metric]), Rounded(mean), how, "raw")


def check_accuracy(paper, row, bounds):
    """Check one accuracy: of a recorded judge by its answers, else by the figure's average; both
    count ties by >=.

    The answers decide only where table and figure print the same, or the figure nothing. Where the
    two differ, that is what there is to say, and the table is held against the figure.
    bounds: {rule: (low, high)} of the mean accuracy of this row.
    """
    key = ("Table 1", row, ACCURACY)
    average = average_of(paper, row, "accuracy")
    how = f"the average in {average[0]}, where a score as high is enough (>=); {tell(bounds)}"
    how += ", as >= does down the reversed list of writers"
    figure_is_blank = paper.text(*average) == ""
    are_alike = figure_is_blank or paper.number(*key) == paper.number(*average)
    if is_recorded(row) and not are_alike:
        how += "; the released answers give both, two quantities under one name"
    if repeats_v1(paper, row) and paper.text(*key) != paper.text(*average):
        how += "; Table 1 of refbased_v1 prints the same"
    answers_decide = is_recorded(row) and are_alike
    if answers_decide:
        check_recorded(paper, row, "accuracy", how)
    else:
        paper.same(key, average, how)


def repeats_v1(paper, row):
    """Return whether the second version prints the accuracy of the first for a row's judge."""
    if paper.paper != "refbased_v2":
        return False
    first = read_first()
    rows = [name for name in first.grid("Table 1").index if code_of(name) == code_of(row)]
    printed_in_first = [first.text("Table 1", name, ACCURACY) for name in rows]
    return paper.text("Table 1", row, ACCURACY) in printed_in_first


@cache
def read_first():
    """Return what the first version prints."""
    return Printed("refbased_v1")


def rules_that_fit(paper):
    """Return which ways of counting ties give the accuracies of Table 1: by row, the judge's name,
    the accuracy as printed, `fits` (a list of RULES), and a column per rule with the (low, high) of
    the mean that it gives; nan if a group has no order."""
    humans = rebuild.expert_scores()
    lines = {}
    for row in paper.grid("Table 1").index:
        key = ("Table 1", row, ACCURACY)
        bounds = mean_accuracies(paper, row, humans)
        lines[row] = {
            "judge": display_name(code_of(row)),
            "printed": paper.number(*key),
            "fits": [rule for rule in RULES if agrees(paper.text(*key), *bounds[rule])],
            **bounds,
        }
    return pd.DataFrame(lines).T


def mean_accuracies(paper, row, humans):
    """Return {rule: (low, high)} of a judge's mean accuracy over groups: exact for a recorded
    judge, else what the orders allow that fit the figures.

    humans: the experts' scores, groups x writers.
    """
    if is_recorded(row):
        values = recomputed(paper.paper)
        at_least = values["accuracy"][code_of(row)].mean()
        above = values["above"][code_of(row)].mean()
        return {rebuild.AT_LEAST: (at_least, at_least), rebuild.ABOVE: (above, above)}
    orders = orders_that_fit(paper, row, humans)
    if not all(orders.values()):
        return dict.fromkeys(RULES, UNKNOWN)
    bounds = {}
    for rule in RULES:
        low, high = rebuild.bounds_of(orders, rule, humans)
        bounds[rule] = float(low.mean()), float(high.mean())
    return bounds


def orders_that_fit(paper, row, humans):
    """Return {group: orders of its three stories that give the judge's numbers in the figures}.
    humans: as in `mean_accuracies`."""
    grids = [paper.grid(figure) for figure in rebuild.FIGURES[paper.paper].values()]
    orders = {}
    for group, human in humans.iterrows():
        printed = [grid.at[code_of(row), f"story_{group}"] for grid in grids]
        orders[group] = rankings.orders_allowed(tuple(human), *printed)
    return orders


def tell(bounds):
    """Return in words what a mean accuracy is under each rule; bounds: {rule: (low, high)}."""
    phrases = []
    for rule, ends in bounds.items():
        numbers = [f"{end:.2f}" for end in ends]
        if numbers[0] == numbers[1]:
            numbers = numbers[:1]
        phrases.append(f"{rule} gives {' to '.join(numbers)}")
    return ", ".join(phrases)


def check_change(paper, row, base, bounds):
    """Check a row's changes by its two cells; for accuracy, say what the figure's averages give.

    base: the row of the same judge without a reference; bounds: as `rules_that_fit` returns them.
    """
    columns = list(COLUMNS.values())
    cells = paper.table("Table 1")
    change = (cells.at(row, columns) - cells.at(base, columns)).to_frame(row).transpose()
    change = change.set_axis([f"{name} (change)" for name in columns], axis=1)
    remarks = pd.DataFrame("", [row], change.mid.columns)
    remarks[f"{ACCURACY} (change)"] = tell_change(paper, row, base, bounds)
    how = "difference of two numbers of this table"
    paper.check("Table 1", change, how, remark=remarks)


def tell_change(paper, row, base, bounds):
    """Return what is said of a change in accuracy: how the figure's averages differ, and what each
    rule gives. Arguments as in `check_change`."""
    figure = rebuild.FIGURES[paper.paper]["accuracy"]
    averages = paper.table(figure)[average_column(paper, figure)]
    step = averages[code_of(row)] - averages[code_of(base)]
    changes = {}
    for rule in RULES:
        low, high = bounds.at[row, rule]
        base_low, base_high = bounds.at[base, rule]
        changes[rule] = low - base_high, high - base_low
    words = f"; the averages in {figure} differ by {step.mid:+.2f}; {tell(changes)}"
    if not agrees(paper.text("Table 1", row, f"{ACCURACY} (change)"), step.low, step.high):
        words += f"; the two numbers are not those of {figure}"
    return words
