"""Draw orderings of poems as strips, costs, and reliability beside validity."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from helpers.figures import COLOURS
from helpers.poetry.analysis import average_icc, order_by

TIER_COLOURS = [COLOURS["good"], COLOURS["medium"], COLOURS["bad"]]


def draw_strips(means, tiers, names, rng):
    """Return a figure of orderings, one strip each, colours by tier: the true tiers, then every table of `means` by both ratings.

    means: {(criterion, poems in a list): position and score of every poem}; names: of the tiers, the best first.
    """
    orderings = {"true tiers": np.sort(tiers)}
    for (criterion, size), table in means.items():
        for scoring in ("position", "score"):
            orderings[f"{criterion}, {size}, {scoring}"] = tiers[order_by(table[scoring], rng)]
    figure, axis = plt.subplots(figsize=(7.2, 0.36 * len(orderings) + 1.1))
    colours = ListedColormap(TIER_COLOURS[: len(names)])
    sns.heatmap(pd.DataFrame(orderings).T, cmap=colours, cbar=False, xticklabels=False, ax=axis)
    axis.hlines(range(1, len(orderings)), *axis.get_xlim(), color="white", linewidth=5)
    axis.set_xlabel("highest rated  →  lowest rated", loc="left")
    axis.legend(handles=[Patch(color=colour, label=name) for colour, name in zip(TIER_COLOURS, names)], ncols=len(names),
                loc="upper right", bbox_to_anchor=(1, -0.02))
    return figure


def draw_costs(curve):
    """Return a figure of mean correlation (with 95 % bars) against poems read, by list size (colour) and judge (line).

    curve: one row a simulated study: judge, readings, lists of, SRC.
    """
    figure, axis = plt.subplots(figsize=(7.2, 4), layout="constrained")
    colours = {"15": COLOURS["simulated"], "90": COLOURS["judge"]}
    sns.lineplot(curve, x="readings", y="SRC", hue="lists of", palette=colours, style="judge", markers=True,
                 errorbar=("se", 1.96), err_style="bars", ax=axis)
    axis.set(xscale="log", xlabel="poems read in all (cost in tokens)", ylabel="SRC, mean of simulated studies")
    ticks = sorted(curve["readings"].unique())
    axis.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axis.minorticks_off()
    return figure


def draw_reliability(grid, lowest):
    """Return two panels of r with the tiers against ICC1k: ten runs of one judge, ten judges; grey from `lowest`, the lowest
    printed ICC. A line joins judges that know the tiers equally well."""
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.4), sharey=True, layout="constrained")
    panels = {"ten runs averaged": "ten runs of one judge", "ten judges averaged": "ten judges, one run each"}
    for axis, (column, title) in zip(axes, panels.items()):
        for _, part in grid.groupby("validity"):
            axis.plot(part[column], part["estimate"], "o-", color=COLOURS["simulated"])
        axis.set_title(title, fontsize=10, fontweight="normal")
        axis.set(xlabel="reliability (ICC1k)", xlim=(0, 1.02), ylim=(0, 1))
    axes[0].set_ylabel("correlation with the tiers")
    axes[0].axvspan(lowest, 1.02, color="#dddddd", zorder=0)
    axes[0].annotate("all printed ICCs", (lowest - 0.02, 0.05), ha="right", fontsize=9)
    return figure


def draw_averaging(singles, printed, ours=None, runs=20):
    """Return a figure of reliability against the runs averaged (Spearman-Brown): a grey line for each ICC of one run in
    `singles`, `ours` in colour, and dots for the `printed` ones of ten runs."""
    figure, axis = plt.subplots(figsize=(7.2, 3.6), layout="constrained")
    k = np.arange(1, runs + 1)
    for one in singles:
        axis.plot(k, average_icc(one, k), color=COLOURS["baseline"], lw=1)
    axis.plot(np.full(len(singles), 10), printed, "o", color=COLOURS["published"], ms=4)
    axis.annotate("printed:\nten runs averaged", (10, min(printed)), (11, 0.74), fontsize=9,
                  arrowprops={"arrowstyle": "-", "color": COLOURS["published"]})
    if ours is not None:
        axis.plot(k, average_icc(ours, k), color=COLOURS["simulated"], lw=2)
        axis.annotate("this notebook's judge", (2, average_icc(ours, 2)), (2.5, 1.015), color=COLOURS["simulated"], fontsize=9)
    axis.set(xlabel="runs of one judge that are averaged", ylabel="reliability (ICC1k)", xlim=(1, runs), ylim=(0.4, 1.005))
    axis.set_xticks([1, 5, 10, 15, 20])
    return figure
