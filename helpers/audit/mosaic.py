"""Draw a ledger: shares of verdicts a paper, and a mosaic in which a reader can recognise the
paper's tables."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.patches import Patch, Rectangle

from helpers.audit.ledger import CONTRADICTED
from helpers.audit.ledger import VERDICTS as LEDGER_VERDICTS
from helpers.figures import COLOURS

VERDICTS = LEDGER_VERDICTS[:-1]  # a blank cell stays empty
# inches: a figure, a square, between tables, a table's name
WIDTH, SIDE, GAP, TITLE = 4.75, 0.078, 0.16, 0.2
EDGE = 0.04  # inches: where titles of figures begin
LOOKS = {
    verdict: {"facecolor": COLOURS[verdict], "edgecolor": "white", "linewidth": 0.4}
    for verdict in VERDICTS
}
LOOKS["unverifiable"] |= {
    "facecolor": "white",
    "edgecolor": COLOURS["unverifiable"],
    "hatch": "////////",
}


def lay_out(lines, width=60):
    """Return a grid of verdict codes (-1 empty), as printed; text is wrapped at `width`."""
    codes = lines["verdict"].map({v: i for i, v in enumerate(VERDICTS)}).fillna(-1).to_numpy(int)
    if lines["table"].iloc[0] == "text":
        grid = np.full((-(-len(codes) // width), width), -1)
        grid.flat[: len(codes)] = codes
        return grid
    rows, columns = list(dict.fromkeys(lines["row"])), list(dict.fromkeys(lines["column"]))
    grid = np.full((len(rows), len(columns)), -1)
    for row, column, code in zip(lines["row"], lines["column"], codes):
        grid[rows.index(row), columns.index(column)] = code
    return grid


def place(grids, names):
    """Return {table: (left, top)} in inches: from left to right, and on a new line where a line is
    full; and the height."""
    places, left, top, deep = {}, 0, 0, 0
    for table, grid in grids.items():
        rows, wide = grid.shape[0] * SIDE, max(grid.shape[1] * SIDE, 0.078 * len(names[table]))
        if left and left + wide > WIDTH:
            left, top, deep = 0, top + deep + TITLE + GAP, 0
        places[table], left, deep = (left, top), left + wide + GAP, max(deep, rows)
    return places, top + deep + TITLE


def draw(ledger, paper):
    """Return a figure: a block a table, a square a number by its verdict; contradicted ones stand
    out with a black edge."""
    part = ledger[ledger["paper"] == paper]
    grids = {table: lay_out(part[part["table"] == table]) for table in dict.fromkeys(part["table"])}
    names = {table: "running text" if table == "text" else table for table in grids}
    places, height = place(grids, names)
    fig = plt.figure(figsize=(WIDTH, height))
    ax = fig.add_axes((0, 0, 1, 1), xlim=(-EDGE, WIDTH - EDGE), ylim=(height, 0))
    ax.axis("off")
    for table, (left, top) in places.items():
        ax.text(left, top + 0.02, names[table], va="top", size=9)
    for verdict in sorted(VERDICTS, key=CONTRADICTED.__contains__):
        cells = [
            (left + x * SIDE, top + TITLE + y * SIDE)
            for table, (left, top) in places.items()
            for y, x in np.argwhere(grids[table] == VERDICTS.index(verdict))
        ]
        look = LOOKS[verdict] | (
            {"edgecolor": "black", "linewidth": 1.2} if verdict in CONTRADICTED else {}
        )
        ax.add_collection(PatchCollection([Rectangle(cell, SIDE, SIDE) for cell in cells], **look))
    add_key(fig, part["verdict"].value_counts())
    return fig


def add_key(fig, counts):
    """Write below a figure what its colours mean and how many numbers have each verdict."""
    patches = [
        Patch(label=f"{verdict}: {counts[verdict]:,}", **LOOKS[verdict])
        for verdict in VERDICTS
        if verdict in counts
    ]
    fig.legend(
        handles=patches,
        ncols=2,
        loc="upper left",
        bbox_to_anchor=(EDGE / WIDTH, -0.1 / fig.get_figheight()),
        handlelength=1.2,
        handleheight=1.0,
        borderaxespad=0,
        borderpad=0,
        columnspacing=1.5,
    )


def bars(coverage, name=str):
    """Return a figure with one bar a paper: shares of its printed numbers by verdict; contradicted
    ones are counted beside it.

    coverage: papers x verdicts, counts; `name` says how a paper is called.
    """
    counts = coverage[VERDICTS]
    fig, ax = plt.subplots(figsize=(WIDTH, 0.62 * len(counts) + 0.3))
    fig.subplots_adjust(EDGE / WIDTH, 0.12, 1 - EDGE / WIDTH, 1)
    starts = 100 * counts.T.cumsum().shift(fill_value=0).T.div(counts.sum(axis=1), axis=0)
    for verdict in VERDICTS:
        wide = 100 * counts[verdict] / counts.sum(axis=1)
        ax.barh(range(len(counts)), wide, 0.45, starts[verdict], **LOOKS[verdict])
    for row, (paper, one) in enumerate(counts.iterrows()):
        said = f"{one.sum():,} numbers, {one[CONTRADICTED].sum()} contradicted"
        ax.text(0, row - 0.32, name(paper), va="bottom", weight="bold", size=9)
        ax.text(100, row - 0.32, said, va="bottom", ha="right", size=9)
    ax.set(
        xlim=(0, 100),
        ylim=(len(counts) - 0.6, -0.8),
        yticks=[],
        xlabel="share of the paper's printed numbers, %",
    )
    ax.grid(visible=False)
    ax.spines[["left", "bottom"]].set_visible(False)
    add_key(fig, counts.sum())
    return fig
