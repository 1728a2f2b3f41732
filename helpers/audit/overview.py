"""Draw what all papers have in common: the verdicts on their numbers, and judges beside people."""

import textwrap

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.patches import Patch

from helpers import figures
from helpers.audit.ledger import CONTRADICTED, VERDICTS
from helpers.figures import COLOURS
from helpers.measures import intervals
from helpers.sources.names import display_name

SHOWN = VERDICTS[:-1]  # a blank cell stays empty
WIDTH, EDGE = 4.75, 0.04  # inches: a figure, and where its title begins
LOOKS = {one: {"facecolor": COLOURS[one], "edgecolor": "white", "linewidth": 0.4} for one in SHOWN}
GREY = {"facecolor": "white", "edgecolor": COLOURS["unverifiable"], "hatch": "////////"}
LOOKS["unverifiable"] |= GREY
SCORERS = {"the judge": "judge", "a person": "human", "control": "baseline"}  # of `forest`: colour
CORRELATED = ("EvolvR", "Poetry")
MEANS_OF_RHO = ("Reference-based",)  # tasks whose ρ is a mean over groups, with a t interval
CHANCES = ((0.5, "accuracy: balanced, or of pairs"), (0.0, "correlation: ρ in Poetry, else r"))


def bars(coverage):
    """Return a figure with one bar per paper: shares of its printed numbers by verdict."""
    figures.style()
    counts = coverage[SHOWN]
    fig, ax = plt.subplots(figsize=(WIDTH, 0.62 * len(counts) + 0.3))
    fig.subplots_adjust(EDGE / WIDTH, 0.12, 1 - EDGE / WIDTH, 1)
    starts = 100 * counts.T.cumsum().shift(fill_value=0).T.div(counts.sum(axis=1), axis=0)
    for verdict in SHOWN:
        wide = 100 * counts[verdict] / counts.sum(axis=1)
        ax.barh(range(len(counts)), wide, 0.45, starts[verdict], **LOOKS[verdict])
    for row, (paper, one) in enumerate(counts.iterrows()):
        said = f"{one.sum():,} numbers, {one[CONTRADICTED].sum()} contradicted"
        ax.text(0, row - 0.32, display_name(paper), va="bottom", weight="bold", size=9)
        ax.text(100, row - 0.32, said, va="bottom", ha="right", size=9)
    ax.set(xlim=(0, 100), ylim=(len(counts) - 0.6, -0.8), yticks=[])
    ax.set_xlabel("share of the paper's printed numbers, %")
    ax.grid(visible=False)
    ax.spines[["left", "bottom"]].set_visible(False)
    found = counts.sum()[counts.sum() > 0]
    keys = [Patch(label=f"{one}: {n:,}", **LOOKS[one]) for one, n in found.items()]
    place = {"loc": "upper left", "bbox_to_anchor": (EDGE / WIDTH, -0.1 / fig.get_figheight())}
    tight = {"borderaxespad": 0, "borderpad": 0, "columnspacing": 1.5}
    fig.legend(handles=keys, ncols=2, handlelength=1.2, handleheight=1.0, **place, **tight)
    return fig


def widen_leads(best):
    """Return the leads of the best judges over controls (estimate, low, high, n), all corrected
    together, and `visible`: the lead that 80 of 100 such studies would find.

    best: of `forest`. Its intervals are corrected for the choice of the best judge already; they
    are widened by as much as 95 % intervals would be, which is a little too wide.
    """
    leads = best.filter(regex="less (?!a person)", axis=0)
    wide = leads.apply(intervals.widen, axis=1, tests=len(leads))
    halves = leads["high"] - leads["estimate"]
    visible = [intervals.find_visible(half, n) for half, n in zip(halves, leads["n"])]
    return wide.assign(visible=visible)


def tell_leads(leads):
    """Return how often the best judge clearly leads the best control, as a sentence; where and
    whose judges these are, in words. leads: of `widen_leads`."""
    names = [display_name(task) for task in leads.index.get_level_values("task")]
    studies = [name.partition(": ")[0].partition(" (")[0] for name in names]
    ahead = leads["low"].to_numpy() > 0
    clear = [name for name, there in zip(names, ahead) if there]
    where = {study for study, there in zip(studies, ahead) if there}
    count = f"{len(where) or 'none'} of {len(set(studies))} studies"
    said = f"The best judge clearly leads the best control in {count}"
    return said, " and ".join(clear) or "none"


def widen_all(rows, tests):
    """Return the rows of one judge in several tasks (by task: estimate, low, high, n), each
    interval widened for `tests` on the scale on which it was made, within -1 and 1."""
    found = {}
    for task, row in rows.iterrows():
        scale = None if task.startswith(MEANS_OF_RHO) else "correlation"
        wide = intervals.widen(row, tests, scale)
        wide[["low", "high"]] = wide[["low", "high"]].clip(-1, 1)
        found[task] = wide
    return pd.DataFrame(found).T


def find_least(rows):
    """Return the correlation that 80 of 100 such studies would find, by task; rows: intervals of
    `widen_all`, whose width on Fisher's z is taken to be the same around 0."""
    ends = np.arctanh(rows[["low", "high"]].clip(-0.999, 0.999))
    halves = (ends["high"] - ends["low"]) / 2
    least = [np.tanh(intervals.find_visible(half, n)) for half, n in zip(halves, rows["n"])]
    return pd.Series(least, rows.index)


def forest(best, title):
    """Return the figure of all studies: a panel per measure, in each task the best judge, a person
    and the best control that reads nothing. best: of `compare.from_values(values, "best judge")`;
    tasks of studies in CORRELATED are correlations, the others accuracies."""
    best = best[~best.index.get_level_values("row").str.contains(" less ")]
    tasks = best.index.unique("task")
    correlated = [task for task in tasks if task.startswith(CORRELATED)]
    parts = [[task for task in tasks if task not in correlated], correlated]
    sizes = [max(len(part), 1) for part in parts]
    fig, axes = figures.panels(2, 0.9 + 0.62 * sum(sizes), height_ratios=sizes)
    for ax, part, (chance, measure) in zip(axes, parts, CHANCES):
        shown = [textwrap.fill(display_name(task), 24) for task in part]
        ax.set(yticks=range(len(part)), yticklabels=shown, ylim=(len(part) - 0.5, -0.5))
        lowest = best.loc[part, "low"].min() if part else chance
        ax.set(xlim=(min(chance, lowest) - 0.05, 1), xlabel=measure)
        ax.grid(axis="y", visible=False)
        for up, (row, key) in zip((-0.25, 0, 0.25), SCORERS.items()):
            rows = best[best.index.get_level_values("row").str.startswith(row)].droplevel("row")
            there = [task for task in part if task in rows.index]
            places = [part.index(task) + up for task in there]
            figures.draw_dots(ax, rows.loc[there], places, [key] * len(there))
            if there and part is parts[0]:
                label = figures.KINDS[key] if row != "a person" else row
                figures.label_dot(ax, places[0], rows.loc[there[0]], label, figures.COLOURS[key])
        figures.mark(ax, {"guessing" if chance else "no relation": chance})
    measured = "against people, or tiers; lines: intervals"
    figures.head(fig, title, figures.subtitle(measured, "", "open"))
    return fig
