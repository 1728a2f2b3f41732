"""Draw a ledger as a mosaic in which a reader can recognise the papers' tables."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from helpers.audit.ledger import VERDICTS as LEDGER_VERDICTS
from helpers.figures import COLOURS

VERDICTS = LEDGER_VERDICTS[:-1]  # a blank cell stays empty
HATCHES = {"differs": "//", "inconsistent": "xx"}  # readable without colour


def lay_out(lines, width=24):
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


def draw(ledger, paper, per_row=6):
    """Return a figure: a panel a table, a square a number, coloured and hatched by its verdict."""
    part = ledger[ledger["paper"] == paper]
    grids = {table: lay_out(part[part["table"] == table]) for table in dict.fromkeys(part["table"])}
    count = min(per_row, len(grids))
    lines, shapes = -(-len(grids) // count), [grid.shape[0] for grid in grids.values()]
    heights = [max(shapes[k * count : (k + 1) * count]) for k in range(lines)]
    size = (2.1 * count, sum(0.055 * h + 0.62 for h in heights))
    ratios = {"height_ratios": [h + 6 for h in heights]}
    fig, axes = plt.subplots(lines, count, squeeze=False, figsize=size, gridspec_kw=ratios)
    colours = ListedColormap(["white", *(COLOURS[verdict] for verdict in VERDICTS)])
    for ax in axes.flat:
        ax.axis("off")
    for ax, (table, grid) in zip(axes.flat, grids.items()):
        ax.pcolormesh(grid, cmap=colours, vmin=-1, vmax=len(VERDICTS) - 1, ec="white", lw=0.3)
        ax.set_aspect("equal", anchor="NW")
        for verdict, hatch in HATCHES.items():
            for y, x in np.argwhere(grid == VERDICTS.index(verdict)):
                look = {"fill": False, "hatch": hatch * 2, "lw": 0, "ec": "black", "alpha": 0.5}
                ax.add_patch(plt.Rectangle((x, y), 1, 1, **look))
        ax.invert_yaxis()
        ax.set_title(f"{table} ({(grid >= 0).sum()})", fontsize=8, fontweight="normal")
    present = [verdict for verdict in VERDICTS if (part["verdict"] == verdict).any()]
    patches = [Patch(facecolor=COLOURS[verdict], hatch=HATCHES.get(verdict, "") * 2, label=verdict,
                     edgecolor="white") for verdict in present]
    below = (0.5, -0.02 - 0.1 / lines)
    fig.legend(handles=patches, ncols=6, loc="lower center", bbox_to_anchor=below, fontsize=8)
    fig.tight_layout(rect=(0, 0, 1, 0.93 if lines > 1 else 0.86))
    return fig
