"""The two reference-based papers, figures: judges by group of three stories, and averages."""

from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.audit.attainable import nearest
from helpers.measures import rankings
from helpers.refbased import rebuild
from helpers.sources.published import Rounded
from helpers.ttcw import load as ttcw

# what an unanswered test counts as; found by refbased.rebuild.search
UNANSWERED = {"refbased_v1": "failed", "refbased_v2": "passed"}
METRICS = {
    "rho": rankings.rho_by_group,
    "tau": rankings.tau_by_group,
    "accuracy": rankings.pair_accuracy,
    "above": partial(rankings.pair_accuracy, rule=rebuild.ABOVE),
}
DEFINITIONS = {
    "rho": "Spearman, 0 where it is undefined",
    "tau": "Kendall tau-b; a blank stands for 0 or undefined",
    "accuracy": "two stories are ranked alike if both sides call the first at least as good or both"
    " do not (order Claude, GPT4, GPT3.5)",
}


def check(paper):
    """Check the figures against the released answers and against rankings of three stories."""
    check_recorded(paper)
    exact = check_triples(paper)
    for figure, cells in exact.items():
        average = paper.grid(figure).columns[-1]
        mean = cells.mean(axis=1, skipna=False)
        how = "mean of the twelve numbers beside it, unrounded by the rankings that give them"
        paper.check(figure, mean.to_frame(average), how)


@cache
def recomputed(name):
    """Return {metric: 12 groups x 7 recorded judges} by the definitions of the search; metrics:
    those of `METRICS`, of which above is the accuracy by the rule >. name: of the paper."""
    human = rebuild.expert_scores()
    values = {}
    for metric, measure in METRICS.items():
        columns = {}
        for judge in ttcw.JUDGES:
            scores = rebuild.judge_scores(judge, UNANSWERED[name])
            columns[judge] = measure(human, scores)
        values[metric] = pd.DataFrame(columns, human.index)
    return values


def check_recorded(paper):
    """Check the figures' rows of the recorded judges against their answers: cells and mean."""
    unanswered = f"an unanswered test counts as {UNANSWERED[paper.paper]}"
    for metric, figure in rebuild.FIGURES[paper.paper].items():
        cells = recomputed(paper.paper)[metric].T.set_axis(rebuild.STORIES, axis=1)
        how = "recomputed from the released answers and the experts' majority: "
        how += f"{DEFINITIONS[metric]}; {unanswered} (of all rules tried, as the paper states none,"
        how += " these fit best)"
        holds = cells.astype(object)
        for judge in cells.index:
            for story in cells.columns:
                printed = paper.text(figure, judge, story)
                holds.at[judge, story] = rebuild.matches(printed, cells.at[judge, story])
        paper.require(figure, holds, how, cells, "raw")
        average = paper.grid(figure).columns[-1]
        is_blank = paper.grid(figure).loc[cells.index, [average]].isna()
        remark = "; the cell is blank, and its row stands where this value sorts"
        remarks = is_blank.map({True: remark, False: ""}.get)
        how = f"mean of the twelve recomputed numbers; {unanswered}"
        mean = cells.mean(axis=1).to_frame(average)
        paper.check(figure, mean, how, "raw", remark=remarks)


def check_triples(paper):
    """Check other judges' cells by the rankings that give all three numbers of a judge and group.

    Returns {figure: judges x stories}, the cells unrounded; nan where no ranking gives them.
    """
    figures = list(rebuild.FIGURES[paper.paper].values())
    grids = [paper.grid(figure)[rebuild.STORIES].drop(index=ttcw.JUDGES) for figure in figures]
    fits_of_three = {}
    for story, human in zip(rebuild.STORIES, rebuild.expert_scores().to_numpy()):
        for judge in grids[0].index:
            numbers = np.nan_to_num([grid.at[judge, story] for grid in grids])
            fits_of_three[judge, story] = fit(tuple(human), tuple(numbers))
    how = "one ranking of the three stories, compared with the experts' majority, gives the three"
    how += " numbers printed for this judge and group (rho, tau and accuracy)"
    exact = {}
    for place, figure in enumerate(figures):
        fits = {cell: three[place] for cell, three in fits_of_three.items()}
        nearest_values = spread({cell: fit.nearest for cell, fit in fits.items()})
        holds = spread({cell: fit.holds for cell, fit in fits.items()})
        exact[figure] = spread({cell: fit.exact for cell, fit in fits.items()})
        paper.require(figure, holds, how, nearest_values)
    return exact


def spread(cells):
    """Return {(row, column): value} as a DataFrame."""
    return pd.Series(cells).unstack(sort=False)


class Fit(NamedTuple):
    """What rankings of three stories allow for one printed number."""

    nearest: float  # the nearest value that they can have
    holds: bool  # can the printed number stand?
    exact: float  # the value before rounding; nan where no ranking gives the numbers


@cache
def fit(human, numbers):
    """Return what rankings of three stories allow for the numbers of one judge and group: a `Fit`
    for rho, for tau and for accuracy.

    human: the experts' scores of the three stories; numbers: the three as printed.
    """
    triples = np.array(list(rankings.cells(human, rebuild.AT_LEAST).values()))  # rankings x 3
    one_fits_all, holds = rebuild.nearest_triple(triples, numbers)
    is_near = np.abs(triples - numbers) <= 0.0051
    fits = []
    for k, number in enumerate(numbers):
        others_are_near = np.delete(is_near, k, axis=1).all(axis=1)
        possible = triples[:, k]
        left = possible[others_are_near] if others_are_near.any() else possible
        exact = nearest(number, possible) if one_fits_all else np.nan
        fits.append(Fit(nearest(number, left), holds[k], exact))
    return fits


def check_rounded_averages(paper):
    """Check the figures' averages against the twelve cells as they are printed."""
    for metric, figure in rebuild.FIGURES[paper.paper].items():
        average = paper.grid(figure).columns[-1]
        cells = paper.grid(figure)[rebuild.STORIES].fillna(0)
        slack = 0.005
        if metric == "accuracy":  # thirds, printed as 0.33 and 0.67, are off by 0.0033
            cells = (cells * 3).round() / 3
            slack = 0.0034
        mean = cells.mean(axis=1)
        mean = Rounded(mean, mean - slack, mean + slack)
        how = "mean of the twelve numbers beside it, a blank counted as 0"
        paper.check(figure, mean.to_frame(average), how)
