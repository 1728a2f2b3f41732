"""The two reference-based papers, figures: judges by group of three stories, and averages."""

from functools import cache, partial

import numpy as np
import pandas as pd

from helpers.audit.attainable import nearest
from helpers.measures import rankings
from helpers.refbased import rebuild as rebuilt
from helpers.sources.published import Rounded
from helpers.ttcw import load as ttcw

# what an unanswered test counts as; found by refbased.rebuild.search
FOUND = {"refbased_v1": "failed", "refbased_v2": "passed"}
METRICS = {
    "rho": rankings.rho_by_group,
    "tau": rankings.tau_by_group,
    "accuracy": rankings.pair_accuracy,
    "above": partial(rankings.pair_accuracy, rule=rebuilt.ABOVE),
}


@cache
def recomputed(name):
    """Return {metric: 12 groups x 7 recorded judges} by the definitions of the search; above: >."""
    human = rebuilt.expert_scores()
    judged = {judge: rebuilt.judge_scores(judge, FOUND[name]) for judge in ttcw.JUDGES}
    found = {}
    for metric, of in METRICS.items():
        columns = {judge: of(human, said) for judge, said in judged.items()}
        found[metric] = pd.DataFrame(columns, human.index)
    return found


def check_recorded(paper):
    """Check the figures' rows of the recorded judges against their answers: cells and mean."""
    unanswered = f"an unanswered test counts as {FOUND[paper.paper]}"
    notes = {"rho": "Spearman, 0 where it is undefined"}
    notes["tau"] = "Kendall tau-b; a blank stands for 0 or undefined"
    notes["accuracy"] = "two stories are ranked alike if both sides call the first at least as good"
    notes["accuracy"] += " or both do not (order Claude, GPT4, GPT3.5)"
    for metric, figure in rebuilt.FIGURES[paper.paper].items():
        cells = recomputed(paper.paper)[metric].T.set_axis(rebuilt.STORIES, axis=1)
        holds = cells.astype(object)
        for (judge, story), cell in cells.stack().items():
            holds.at[judge, story] = rebuilt.matches(paper.text(figure, judge, story), cell)
        how = f"recomputed from the released answers and the experts' majority: {notes[metric]}"
        how += f"; {unanswered} (of all rules tried, as the paper states none, these fit best)"
        paper.check(figure, cells, how, "raw", holds)
        average = paper.grid(figure).columns[-1]
        blank = paper.grid(figure).loc[cells.index, [average]].isna()
        noted = {True: "; the cell is blank, and its row stands where this value sorts", False: ""}
        how = f"mean of the twelve recomputed numbers; {unanswered}" + blank.map(noted.get)
        paper.check(figure, cells.mean(axis=1).to_frame(average), how, "raw")


def check_triples(paper):
    """Check other judges' cells by the rankings that give all three; return them unrounded."""
    figures, triples, exact = rebuilt.FIGURES[paper.paper].values(), {}, {}
    cells = [paper.grid(figure)[rebuilt.STORIES].drop(index=ttcw.JUDGES) for figure in figures]
    for story, human in zip(rebuilt.STORIES, rebuilt.expert_scores().to_numpy()):
        for judge in cells[0].index:
            numbers = np.nan_to_num([part.at[judge, story] for part in cells])
            triples[judge, story] = fit(tuple(human), tuple(numbers))
    how = "one ranking of the three stories, compared with the experts' majority, gives the three"
    how += " numbers printed for this judge and group (rho, tau and accuracy)"
    for k, figure in enumerate(figures):
        parts = zip(*(triple[k] for triple in triples.values()))
        tables = [pd.Series(part, triples).unstack(sort=False) for part in parts]
        found, holds, exact[figure] = tables
        paper.check(figure, found, how, holds=holds)
    return exact


@cache
def fit(human, numbers):
    """Return for the three cells of one judge and story: (nearest value, holds, unrounded)."""
    states = np.array(list(rankings.cells(human, rebuilt.AT_LEAST).values()))
    fits, holds = rebuilt.nearest_triple(states, numbers)
    near, found = np.abs(states - numbers) <= 0.0051, []
    for k, right in enumerate(holds):
        rest = np.delete(near, k, axis=1).all(axis=1)  # where the other two cells fit
        value = nearest(numbers[k], states[rest if rest.any() else slice(None), k])
        unrounded = nearest(numbers[k], states[:, k]) if fits else np.nan
        found.append((value, right, unrounded))
    return found


def check_averages(paper, exact=None):
    """Check the figures' averages against the twelve cells; exact: {figure: cells unrounded}."""
    for metric, figure in rebuilt.FIGURES[paper.paper].items():
        column = paper.grid(figure).columns[-1]
        if exact is not None:
            mean = exact[figure].mean(axis=1, skipna=False).to_frame(column)
            how = "mean of the twelve numbers beside it, unrounded by the rankings that give them"
            paper.check(figure, mean, how)
            continue
        cells, slack = paper.grid(figure)[rebuilt.STORIES].fillna(0), 0.005
        if metric == "accuracy":  # thirds, printed as 0.33 and 0.67, are off by 0.0033
            cells, slack = (cells * 3).round() / 3, 0.0034
        mean = cells.mean(axis=1)
        mean = Rounded(mean, mean - slack, mean + slack).to_frame(column)
        paper.check(figure, mean, "mean of the twelve numbers beside it, a blank counted as 0")
