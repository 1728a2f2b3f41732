"""Draw a ledger: shares of verdicts per paper, and a mosaic like the paper's tables."""

import textwrap

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.collections import PatchCollection
from matplotlib.patches import Patch, Rectangle

from helpers import figures
from helpers.audit import ledger
from helpers.audit.ledger import CONTRADICTED
from helpers.figures import COLOURS
from helpers.sources.names import display_name

VERDICTS = ledger.VERDICTS[:-1]  # a blank cell stays empty
# inches: a figure, a square, between tables, a table's name
WIDTH, SIDE, GAP, TITLE = 4.75, 0.078, 0.16, 0.2
EDGE = 0.04  # inches: where titles of figures begin
WHITE = {"edgecolor": "white", "linewidth": 0.4}
LOOKS = {verdict: {"facecolor": COLOURS[verdict], **WHITE} for verdict in VERDICTS}
GREY = COLOURS["unverifiable"]
SCORERS = {"the judge": "judge", "a person": "human", "control": "baseline"}  # of `forest`: colour
CORRELATED = ("EvolvR", "Poetry")
CHANCES = ((0.5, "accuracy"), (0.0, "correlation"))
LOOKS["unverifiable"] |= {"facecolor": "white", "edgecolor": GREY, "hatch": "////////"}


def lay_out(lines, width=60):
    """Return a grid of places in `VERDICTS` (-1 empty), as printed; text is wrapped at `width`."""
    if lines["table"].iloc[0] == "text":
        rows, columns = np.divmod(np.arange(len(lines)), width)
    else:
        rows, columns = (pd.factorize(lines[name])[0] for name in ("row", "column"))
        width = columns.max() + 1
    grid = np.full((rows.max() + 1, width), -1)
    grid[rows, columns] = lines["verdict"].map(ledger.VERDICTS.index)
    return grid


def place(grids, names):
    """Return {table: (left, top)} in inches, line by line from the left; and the height."""
    places, left, top, deep = {}, 0, 0, 0
    for table, grid in grids.items():
        rows, wide = grid.shape[0] * SIDE, max(grid.shape[1] * SIDE, 0.078 * len(names[table]))
        if left and left + wide > WIDTH:
            left, top, deep = 0, top + deep + TITLE + GAP, 0
        places[table], left, deep = (left, top), left + wide + GAP, max(deep, rows)
    return places, top + deep + TITLE


def draw(lines, paper):
    """Return a figure of ledger lines: a block per table, a square per number by its verdict."""
    part = lines[lines["paper"] == paper]
    grids = {table: lay_out(part[part["table"] == table]) for table in dict.fromkeys(part["table"])}
    names = {table: "running text" if table == "text" else table for table in grids}
    places, height = place(grids, names)
    figures.style()
    fig = plt.figure(figsize=(WIDTH, height))
    ax = fig.add_axes((0, 0, 1, 1), xlim=(-EDGE, WIDTH - EDGE), ylim=(height, 0))
    ax.axis("off")
    for table, (left, top) in places.items():
        ax.text(left, top + 0.02, names[table], va="top", size=9)
    for verdict in sorted(VERDICTS, key=CONTRADICTED.__contains__):
        squares = [
            Rectangle((left + x * SIDE, top + TITLE + y * SIDE), SIDE, SIDE)
            for table, (left, top) in places.items()
            for y, x in np.argwhere(grids[table] == VERDICTS.index(verdict))
        ]
        edge = {"edgecolor": "black", "linewidth": 1.2} if verdict in CONTRADICTED else {}
        ax.add_collection(PatchCollection(squares, **LOOKS[verdict] | edge))
    add_key(fig, part["verdict"].value_counts())
    return fig


def add_key(fig, counts):
    """Write below a figure what its colours mean and how many numbers have each verdict."""
    found = [verdict for verdict in VERDICTS if verdict in counts]
    labels = [f"{verdict}: {counts[verdict]:,}" for verdict in found]
    patches = [Patch(label=label, **LOOKS[verdict]) for verdict, label in zip(found, labels)]
    place = {"loc": "upper left", "bbox_to_anchor": (EDGE / WIDTH, -0.1 / fig.get_figheight())}
    tight = {"borderaxespad": 0, "borderpad": 0, "columnspacing": 1.5}
    fig.legend(handles=patches, ncols=2, handlelength=1.2, handleheight=1.0, **place, **tight)


def bars(coverage):
    """Return a figure with one bar per paper: shares of its printed numbers by verdict."""
    figures.style()
    counts = coverage[VERDICTS]
    fig, ax = plt.subplots(figsize=(WIDTH, 0.62 * len(counts) + 0.3))
    fig.subplots_adjust(EDGE / WIDTH, 0.12, 1 - EDGE / WIDTH, 1)
    starts = 100 * counts.T.cumsum().shift(fill_value=0).T.div(counts.sum(axis=1), axis=0)
    for verdict in VERDICTS:
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
    add_key(fig, counts.sum())
    return fig


def forest(best):
    """Return the figure of all studies: a panel per measure, in each task the best judge, a person
    and the best control that reads nothing. best: of `compare.from_values(values, "best judge")`;
    tasks of studies in CORRELATED are correlations, the others accuracies."""
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
    return fig
