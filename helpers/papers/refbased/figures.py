"""The two reference-based papers, figures: judges by group of three stories, and averages.

Three figures show how each judge ranks the three machine stories of twelve groups, beside the
majority of experts: by Spearman's rho, Kendall's tau, and the accuracy of pairs. One of them:

    judge     story_0  story_1  …  story_11  AVG_spearman
    claude35  1.00     0.00     …  0.50      0.14

The answers of seven judges are released: what they give is recomputed. Of the other judges a number
has to fit the two that the other figures print for the same judge and group, as three stories can
be ranked in thirteen ways only, ties included, and one ranking has to give all three numbers.
"""

from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from goodjudge.stats import rankings

from helpers.audit import attainable
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


def check_figures(paper):
    """Check the figures: recorded judges by their answers, the others by rankings of three
    stories."""
    for metric, figure in rebuild.FIGURES[paper.paper].items():
        check_recorded(paper, metric, figure)
    fits = fit_rankings(paper)
    for figure in rebuild.FIGURES[paper.paper].values():
        check_ranked(paper, figure, fits[fits["figure"] == figure])


def average_column(paper, figure):
    """Return the name of a figure's column of averages, its last."""
    return paper.grid(figure).columns[-1]


@cache
def recomputed(name):
    """Return {metric: 12 groups x 7 recorded judges} by the definitions of the search.

    metric: of `METRICS`, of which above is the accuracy by the rule >; name: of the paper.
    """
    human = rebuild.expert_scores()
    values = {}
    for metric, measure in METRICS.items():
        by_judge = {}
        for judge in ttcw.JUDGES:
            scores = rebuild.judge_scores(judge, UNANSWERED[name])
            by_judge[judge] = measure(human, scores)
        values[metric] = pd.DataFrame(by_judge, human.index)
    return values


def check_recorded(paper, metric, figure):
    """Check a figure's rows of the recorded judges by their answers: cells and averages."""
    cells = recomputed(paper.paper)[metric].T.set_axis(rebuild.STORIES, axis=1)  # judges x stories
    unanswered = f"an unanswered test counts as {UNANSWERED[paper.paper]}"
    how = "recomputed from the released answers and the experts' majority: "
    how += f"{DEFINITIONS[metric]}; {unanswered} (of all rules tried, as the paper states none,"
    how += " these fit best)"
    matches = cells.astype(object)
    for judge in cells.index:
        for story in cells.columns:
            printed = paper.text(figure, judge, story)
            # a blank may stand for 0
            matches.at[judge, story] = rebuild.matches(printed, cells.at[judge, story])
    paper.require(figure, matches, how, cells, "raw")
    average = average_column(paper, figure)
    is_blank = paper.grid(figure).loc[cells.index, [average]].isna()
    remark = "; the cell is blank, and its row stands where this value sorts"
    remarks = is_blank.map({True: remark, False: ""}.get)
    how = f"mean of the twelve recomputed numbers; {unanswered}"
    mean = cells.mean(axis=1).to_frame(average)
    paper.check(figure, mean, how, "raw", remark=remarks)


class Fit(NamedTuple):
    """What rankings of three stories allow for one printed number."""

    nearest: float  # the value that they can have and that is nearest to it
    holds: bool  # can the printed number stand?
    exact: float  # the value before rounding; nan where no ranking gives the three numbers


def fit_rankings(paper):
    """Return what rankings of three stories allow for the numbers of the judges whose answers are
    not released: figure, judge, story, and the fields of `Fit`."""
    figures = list(rebuild.FIGURES[paper.paper].values())
    grids = [paper.grid(figure)[rebuild.STORIES].drop(index=ttcw.JUDGES) for figure in figures]
    rows = []
    for story, human in zip(rebuild.STORIES, rebuild.expert_scores().to_numpy()):
        for judge in grids[0].index:
            numbers = [grid.at[judge, story] for grid in grids]
            numbers = np.nan_to_num(numbers)  # a blank stands for 0
            for figure, fit in zip(figures, fit_three(tuple(human), tuple(numbers))):
                rows.append((figure, judge, story, *fit))
    return pd.DataFrame(rows, columns=["figure", "judge", "story", *Fit._fields])


@cache
def fit_three(human, numbers):
    """Return three `Fit`, for the rho, tau and accuracy of one judge and group.

    human: the experts' scores of the three stories; numbers: the three as printed.
    """
    triples = list(rankings.cells(human, rebuild.AT_LEAST).values())
    triples = np.array(triples)  # rankings x (rho, tau, accuracy)
    one_fits_all, holds = attainable.nearest_triple(triples, numbers)
    is_near = np.abs(triples - numbers) <= 0.0051
    fits = []
    for k, number in enumerate(numbers):
        possible = triples[:, k]
        others_are_near = np.delete(is_near, k, axis=1).all(axis=1)
        left_by_others = possible[others_are_near] if others_are_near.any() else possible
        exact = attainable.nearest(number, possible) if one_fits_all else np.nan
        fits.append(Fit(attainable.nearest(number, left_by_others), holds[k], exact))
    return fits


def check_ranked(paper, figure, fits):
    """Check a figure's rows of the other judges: cells, and the averages of the cells unrounded.

    fits: of `fit_rankings`, the rows of this figure.
    """
    by_cell = fits.pivot(index="judge", columns="story")
    how = "one ranking of the three stories, compared with the experts' majority, gives the three"
    how += " numbers printed for this judge and group (rho, tau and accuracy)"
    paper.require(figure, by_cell["holds"], how, by_cell["nearest"])
    exact = by_cell["exact"][rebuild.STORIES]
    mean = exact.mean(axis=1, skipna=False)
    how = "mean of the twelve numbers beside it, unrounded by the rankings that give them"
    paper.check(figure, mean.to_frame(average_column(paper, figure)), how)


def check_rounded_averages(paper):
    """Check the figures' averages by the twelve cells as they are printed, blanks as 0."""
    for metric, figure in rebuild.FIGURES[paper.paper].items():
        cells = paper.grid(figure)[rebuild.STORIES].fillna(0)
        slack = 0.005
        if metric == "accuracy":  # thirds, printed as 0.33 and 0.67, are off by 0.0033
            cells = (cells * 3).round() / 3
            slack = 0.0034
        mean = cells.mean(axis=1)
        mean = Rounded(mean, mean - slack, mean + slack)
        how = "mean of the twelve numbers beside it, a blank counted as 0"
        paper.check(figure, mean.to_frame(average_column(paper, figure)), how)
