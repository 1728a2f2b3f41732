"""Draw reliability, what averaging does, and costs."""

import numpy as np

from helpers.agreement import average_reliability
from helpers.figures import COLOURS, DARK, SMALL, head, mark, panels


def draw_reliability(judges, printed, title):
    """Return a figure of the reliability of ten runs and of ten `judges`; printed: least ICC.

    judges: of `experiments.reliability_and_validity`, a row per kind of judge.
    """
    fig, axes = panels(1, 0.4 * len(judges) + 0.9)
    ax = axes[0]
    measure = f"reliability of ten answers averaged · {judges['n'].iloc[0]:.0f} simulations per row"
    head(fig, title, f"{measure} · further right: more alike, not better")
    places = np.arange(len(judges))
    of_runs = judges["ten runs averaged"].to_numpy(float)
    of_judges = judges["ten judges averaged"].to_numpy(float)
    colour = COLOURS["simulated"]
    ax.hlines(places, of_judges, of_runs, color=colour, lw=1)
    ax.plot(of_judges, places, "D", color=colour, mfc="white", ms=6)
    ax.plot(of_runs, places, "o", color=colour, ms=7)
    look = {"textcoords": "offset points", "size": SMALL, "color": colour, "va": "center"}
    widest = (of_runs - of_judges).argmax()  # where there is most room for two labels
    ax.annotate("ten different judges", (of_judges[widest], widest), (0, 12), ha="center", **look)
    look["bbox"] = {"fc": "white", "ec": "none", "pad": 1}  # over the dashed line
    ax.annotate("ten runs of one judge", (of_runs[widest], widest), (4, -14), ha="right", **look)
    mark(ax, {f"printed (Table 8): ≥ {printed:.2f} →": printed})
    ax.set(xlim=(0, 1.03), ylim=(len(places) - 0.2, -0.5))
    ax.set(yticks=places, yticklabels=name_judges(judges))
    ax.set(xlabel="reliability of the mean of ten", ylabel="how far the judge follows the tiers")
    ax.grid(axis="y", visible=False)
    return fig


def name_judges(judges):
    """Return a simulated judge's name per row: how far it follows the tiers, whether it is steady;
    judges: of `experiments.reliability_and_validity`."""
    names = []
    for (_, noise), r in judges["estimate"].items():
        unsteady = ", unsteady" if noise > 1 else ""
        names.append(f"r = {r:.2f}{unsteady}")
    return names


def draw_averaging(singles, printed):
    """Return reliability against runs averaged: a band from that of a single run to the `printed`
    one (hollow, least and largest), over the rows of Table 8.

    singles, printed: ICC1 and ICC1k by row.
    """
    fig, axes = panels(1, 2.8)
    ax = axes[0]
    once = f"{min(singles):.2f} to {max(singles):.2f}"
    ten = f"{min(printed):.2f} to {max(printed):.2f}"
    title = f"One answer has a reliability of {once}; ten averaged, {ten}"
    measure = f"reliability of a mean · {len(printed)} rows of Table 8 · higher is steadier"
    head(fig, title, measure)
    runs = np.arange(1, 21)
    draw_band(ax, runs, min(singles), max(singles))
    draw_printed(ax, min(singles), printed)
    ax.set(xlabel="runs of one judge that are averaged", ylabel="reliability")
    ax.set(xlim=(0.7, 20), ylim=(0.4, 1.06), xticks=[1, 5, 10, 15, 20])
    return fig


def draw_band(ax, runs, least, most):
    """Draw the reliability of averages over `runs`, between those of two reliabilities of one."""
    colour = COLOURS["published"]
    low = average_reliability(least, runs)
    high = average_reliability(most, runs)
    ax.fill_between(runs, low, high, color=colour, alpha=0.12, lw=0)
    ax.plot(runs, low, color=colour, lw=0.8)
    ax.plot(runs, high, color=colour, lw=0.8)


def draw_printed(ax, single, printed):
    """Draw the least and the largest printed reliability of ten runs, hollow, and name them.

    single: the least reliability of one run; printed: those of ten runs, by row.
    """
    least = min(printed)
    hollow = {"color": COLOURS["published"], "mfc": "white", "ms": 6, "zorder": 3}
    ax.plot([10, 10], [least, max(printed)], "o", **hollow)
    note = {"size": SMALL, "arrowprops": {"arrowstyle": "-", "color": DARK}}
    ax.annotate("printed:\nten runs averaged", (10, least), (11, 0.72), **note)
    ax.annotate("one run, from the printed F", (1, single), (3, single - 0.02), **note)
