"""The ledger of the two reference-based papers: the figures, recorded judges recomputed, the others' cells checked."""

import numpy as np

from helpers import audit, rankings, ttcw
from helpers import refbased_figures as rebuilt
from helpers.audit import Printed
from helpers.ledger import line

FOUND = {
    "refbased_v1": "failed",
    "refbased_v2": "passed",
}  # what an unanswered test counts as; found by refbased_figures.search


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


def exact(printed, judge):
    """Return a judge's mean accuracy in the paper's figure as the exact multiple of 1/36 that its twelve cells add up to."""
    figure = rebuilt.FIGURES[printed.paper]["accuracy"]
    return float(np.mean([round(3 * printed.number(figure, judge, story)) / 3 for story in rebuilt.STORIES]))


def best_baseline(printed):
    """Return the highest exact accuracy among the figure's rows that are not the paper's own method."""
    rows = printed.grid(rebuilt.FIGURES[printed.paper]["accuracy"]).index
    return max(exact(printed, row) for row in rows if "ours" not in row)
