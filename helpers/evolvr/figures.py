"""The picture of notebooks 05 and 05b: lines over the rows of a table."""

import numpy as np

from helpers.figures import COLOURS, label_lines, panels


def draw_lines(lines, colours, ylabel="", intervals=()):
    """Return one line per column over the rows of a table, each named at its right end. colours:
    {column: colour or a key of COLOURS}, of which published has hollow dots; intervals: {column:
    (low, high)}, one of each per row, of lines that are drawn bold."""
    fig, (ax,) = panels(1, 3.6)
    places = np.arange(len(lines))
    for name, column in lines.items():
        colour = COLOURS.get(colours[name], colours[name])
        face = "white" if colours[name] == "published" else colour
        size = {"lw": 3, "ms": 7} if name in intervals else {"lw": 1.2, "ms": 4}
        ax.plot(places, column, "o-", color=colour, mfc=face, **size)
        if name in intervals:
            ax.vlines(places, *intervals[name], color=colour, lw=2)
    ax.set(xticks=places, xticklabels=lines.index, xlabel=lines.index.name or "")
    ax.set(xlim=(-0.2, len(lines) - 0.8), ylabel=ylabel)
    label_lines(ax, lines.iloc[-1].to_dict(), colours)
    return fig
