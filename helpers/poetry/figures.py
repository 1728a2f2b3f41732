"""Draw orderings of poems as strips, and consistency beside validity."""

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from helpers.figures import COLOURS

TIER_COLOURS = [COLOURS["good"], COLOURS["medium"], COLOURS["bad"]]


def draw_strips(orderings, names=("A, best", "B", "C")):
    """Return a figure of orderings, one strip each: {label: tier codes from highest to lowest rated}, colours by tier."""
    figure, axis = plt.subplots(figsize=(9, 0.36 * len(orderings) + 1.1))
    axis.imshow(np.array(list(orderings.values())), aspect="auto", cmap=ListedColormap(TIER_COLOURS[: len(names)]),
                interpolation="nearest")
    axis.set_yticks(range(len(orderings)), list(orderings))
    axis.set_yticks(np.arange(len(orderings) - 1) + 0.5, minor=True)
    axis.grid(False)
    axis.grid(which="minor", axis="y", color="white", linewidth=5)
    axis.tick_params(which="both", length=0)
    axis.set_xticks([])
    axis.set_xlabel("highest rated  →  lowest rated")
    for side in axis.spines.values():
        side.set_visible(False)
    axis.legend(handles=[Patch(color=colour, label=name) for colour, name in zip(TIER_COLOURS, names)], ncols=len(names),
                loc="upper right", bbox_to_anchor=(1, -0.02))
    return figure


def draw_costs(curve):
    """Return a figure of mean correlation (SRC, with 95 % bars) against poems read, by list size (colour) and judge (line)."""
    figure, axis = plt.subplots(figsize=(8, 4))
    for (name, size), part in curve.groupby(["judge", "design"]):
        style = {"color": COLOURS["simulated" if size == "15" else "judge"], "marker": "o" if size == "15" else "s"}
        axis.errorbar(part["readings"], part["SRC"], 1.96 * part["se"], label=f"lists of {size}, {name}", capsize=3,
                      linestyle=":" if "not" in name else "-", **style)
    axis.set(xscale="log", xlabel="poems read in all (cost in tokens)", ylabel="SRC, mean of simulated studies")
    ticks = sorted(curve["readings"].unique())
    axis.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axis.minorticks_off()
    axis.legend(fontsize=9)
    return figure


def draw_reliability(grid, lowest):
    """Return two panels of SRC against ICC1k: ten runs of one judge, ten judges; grey from `lowest`, the lowest printed ICC."""
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True)
    panels = {"ten runs averaged": "ten runs of one judge", "ten judges averaged": "one run each of ten judges with own tastes"}
    for axis, (column, title) in zip(axes, panels.items()):
        sns.lineplot(grid, x=column, y="SRC", hue="validity", palette="crest", marker="o", legend=axis is axes[1], ax=axis)
        axis.set(xlabel=f"ICC1k of {title}", xlim=(0, 1.01), ylim=(0, 1))
    axes[0].axvspan(lowest, 1, color="#dddddd", zorder=0)
    axes[0].annotate("range of Table 8", (lowest - 0.01, 0.03), ha="right", fontsize=9)
    sns.move_legend(axes[1], "upper left", title="validity")
    return figure
