"""The ledger of the two reference-based papers: figures and Table 1 recomputed, their other numbers checked."""

import itertools

import numpy as np

from helpers import audit, rankings, ttcw
from helpers import refbased_figures as rebuilt
from helpers.audit import Printed
from helpers.ledger import line

FOUND = {
    "refbased_v1": "failed",
    "refbased_v2": "passed",
}  # what an unanswered test counts as; found by refbased_figures.search
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


def average_column(printed, figure):
    """Return the name of a figure's last column, the average over the stories."""
    return printed.grid(figure).columns[-1]


def recomputed(paper):
    """Return {(judge, metric): 12 values} for the seven recorded judges, under the definitions that the search found."""
    human, result = rebuilt.expert_scores(), {}
    for judge in ttcw.JUDGES:
        table = rankings.compare(human, rebuilt.judge_scores(judge, FOUND[paper]))
        result |= {
            (judge, "rho"): table["rho"],
            (judge, "tau"): table["tau"],
            (judge, "accuracy"): table[rebuilt.AT_LEAST],
            (judge, "above"): table[rebuilt.ABOVE],
        }
    return result


def figure_lines(paper):
    """Return the lines of the three figures: recorded judges from raw answers, the others by what is jointly attainable."""
    printed, values, human, lines = Printed(paper), recomputed(paper), rebuilt.expert_scores(), []
    base = f"majority of three experts; unanswered = {FOUND[paper]}; "
    notes = {
        "rho": base + "Spearman, undefined counted 0",
        "tau": base + "Kendall tau-b; a blank stands for 0 or undefined",
        "accuracy": base + "pairs agree if a >= b on both sides or on neither, writers listed Claude, GPT4, GPT3.5",
    }
    rows = rebuilt.printed_rows(paper)
    for _, row in rows.iterrows():
        cells = [row["rho"], row["tau"], row["accuracy"]]
        numbers = [float(c) if c else float("nan") for c in cells]
        for k, (metric, figure) in enumerate(rebuilt.FIGURES[paper].items()):
            key = (paper, figure, row["judge"], f"story_{row['group']}")
            if row["judge"] in ttcw.JUDGES:
                value = values[row["judge"], metric][row["group"]]
                lines.append(line(*key, value, "raw", notes[metric], rebuilt.matches(cells[k], value)))
                continue
            fits, culprits = triple(tuple(human.loc[row["group"]]), numbers)
            near = nearest_cell(tuple(human.loc[row["group"]]), numbers, k)
            lines.append(
                line(
                    *key,
                    near,
                    "printed",
                    "rho, tau and accuracy of this judge and story must come from one ranking of "
                    "the three stories against the experts' majority scores",
                    fits or (culprits and k not in culprits),
                )
            )
    for metric, figure in rebuilt.FIGURES[paper].items():
        lines += [average_line(printed, figure, judge, metric, values) for judge in printed.grid(figure).index]
    return lines


def triple(human, numbers):
    """Return (fits, culprits) for one judge and story: see `refbased_figures.nearest_triple`."""
    states = np.array(list(rankings.cells(human, rebuilt.AT_LEAST).values()))
    return rebuilt.nearest_triple(states, np.nan_to_num(numbers))


def nearest_cell(human, numbers, k):
    """Return the attainable value of cell k among the rankings that fit the other two cells (all rankings if none fits)."""
    table = np.array(list(rankings.cells(human, rebuilt.AT_LEAST).values()))
    rest = np.abs(np.delete(table - np.nan_to_num(numbers), k, axis=1)) <= 0.0051
    pool = table[rest.all(axis=1)] if rest.all(axis=1).any() else table
    return audit.nearest(numbers[k] if not np.isnan(numbers[k]) else 0.0, pool[:, k])


def average_line(printed, figure, judge, metric, values):
    """Return the line of a row's average: from raw answers for a recorded judge, else the mean of the printed cells."""
    column = average_column(printed, figure)
    if (judge, metric) in values:
        note = f"mean of the twelve recomputed cells, unanswered = {FOUND[printed.paper]}"
        if printed.text(figure, judge, column) == "":
            note += "; the cell is blank, the row stands where this value sorts"
            return line(printed.paper, figure, judge, column, values[judge, metric].mean(), "raw", note, False)
        return line(printed.paper, figure, judge, column, values[judge, metric].mean(), "raw", note)
    cells = np.array([np.nan_to_num(printed.number(figure, judge, story)) for story in rebuilt.STORIES])
    slack = 0.005 if metric != "accuracy" else 0.0034  # a third is printed as 0.33 or 0.67, which is off by 0.0033
    mean = float(np.mean(np.round(cells * 3) / 3)) if metric == "accuracy" else float(cells.mean())
    return audit.check_range(
        printed,
        (figure, judge, column),
        mean,
        mean - slack,
        mean + slack,
        "mean of the twelve printed cells, blanks counted 0",
    )


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
            if code in ttcw.JUDGES:
                lines.append(line(paper, table, row, column, bounds[usual][0], "raw", note, usual in rules))
            else:
                lines.append(
                    line(
                        paper,
                        table,
                        row,
                        column,
                        np.mean(bounds[usual]),
                        "printed",
                        note + " (accuracy rebuilt from this judge's cells in the figures)",
                        usual in rules,
                    )
                )
        elif code in ttcw.JUDGES:
            lines.append(
                line(
                    paper,
                    table,
                    row,
                    column,
                    values[code, metric].mean(),
                    "raw",
                    f"mean of the twelve recomputed cells, unanswered = {FOUND[paper]}, undefined counted 0",
                )
            )
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


def duplicates(first="refbased_v1", second="refbased_v2"):
    """Return the figure cells that both versions print for the same baseline judge: one row a cell that changed."""
    tables = [rebuilt.printed_rows(paper).set_index(["judge", "group"]) for paper in (first, second)]
    shared = [key for key in tables[0].index if key in tables[1].index and "ours" not in key[0]]
    return [
        (judge, group, metric, tables[0].at[(judge, group), metric], tables[1].at[(judge, group), metric])
        for (judge, group), metric in itertools.product(shared, METRIC)
        if tables[0].at[(judge, group), metric] != tables[1].at[(judge, group), metric]
    ]
