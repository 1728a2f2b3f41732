"""Draw orderings of poems as strips, reliability, what averaging does, and costs."""

import numpy as np
import seaborn as sns
from matplotlib.colors import ListedColormap

from helpers.figures import COLOURS, DARK, SMALL, head, label_lines, mark, panels, plain
from helpers.measures.agreement import average_reliability
from helpers.poetry.lists import order_by

STRIPS = (
    "Each strip has a stripe per poem: the tiers, then the judge's orders. The better an order, the"
    " more its colours keep in blocks."
)


def draw_strips(means, summary, poems, title, rng):
    """Return a figure of orderings, a strip each: the tiers, then `poems` by each row of `summary`
    (of `analysis.summarise`)."""
    tiers, names = poems["tier"].cat.codes.to_numpy(), list(poems["tier"].cat.categories)
    first = np.sort(tiers)
    strips = {"the tiers": (first, "")}
    for (criterion, size, rating), r in summary["estimate"].items():
        order = order_by(means[criterion, size]["position" if rating == "place" else "score"], rng)
        strips[f"{criterion}, lists of {size}, by {rating}"] = tiers[order], f"r = {r:.2f}"
    fig, (ax,) = panels(1, 0.5 * len(strips))
    mean = "places" if (summary.index.get_level_values(2) == "place").all() else "ratings"
    head(fig, title, f"order of mean {mean} · {len(tiers)} poems · one block per tier is best")
    colours = sns.blend_palette([COLOURS[name] for name in ("good", "medium", "bad")], len(names))
    look = {"cmap": ListedColormap(colours), "vmin": 0, "vmax": len(names) - 1}
    edges = np.arange(len(tiers) + 1)
    for row, (label, (codes, r)) in enumerate(strips.items()):
        ax.pcolormesh(edges, [row, row + 0.5], codes[None], **look)
        ax.text(0, row - 0.1, plain(label), size=SMALL)
        ax.text(len(codes), row - 0.1, r, size=SMALL, ha="right")
    look = {"size": SMALL, "weight": "bold", "ha": "center", "va": "center_baseline"}
    for code, name in enumerate(names):
        middle, light = np.flatnonzero(first == code).mean() + 0.5, code < len(names) / 2
        ax.text(middle, 0.25, plain(name), color="white" if light else "black", **look)
    for x, text, side in ((0, "← highest rated", "left"), (len(tiers), "lowest rated →", "right")):
        ax.text(x, len(strips) - 0.43, text, size=SMALL, ha=side, va="top")
    ax.set(xlim=(0, len(tiers)), ylim=(len(strips) - 0.2, -0.45), yticks=[], xticks=[])
    sns.despine(ax=ax, left=True, bottom=True)
    return fig


def draw_reliability(judges, printed, title):
    """Return a figure of the reliability of ten runs and of ten `judges`; printed: least ICC."""
    fig, (ax,) = panels(1, 0.4 * len(judges) + 0.9)
    measure = f"reliability of ten answers averaged · {judges['n'].iloc[0]:.0f} simulations per row"
    head(fig, title, f"{measure} · further right: more alike, not better")
    told = judges["estimate"].items()
    labels = [f"r = {r:.2f}{', unsteady' * (noise > 1)}" for (_, noise), r in told]
    rows, colour = np.arange(len(judges)), COLOURS["simulated"]
    runs, many = judges[["ten runs averaged", "ten judges averaged"]].to_numpy(float).T
    ax.hlines(rows, many, runs, color=colour, lw=1)
    ax.plot(many, rows, "D", color=colour, mfc="white", ms=6)
    ax.plot(runs, rows, "o", color=colour, ms=7)
    look = {"textcoords": "offset points", "size": SMALL, "color": colour, "va": "center"}
    ax.annotate("ten different judges", (many[-1], rows[-1]), (0, 12), ha="center", **look)
    ax.annotate("ten runs of one judge →", (printed, rows[-1]), (-4, -14), ha="right", **look)
    mark(ax, {f"printed (Table 8): ≥ {printed:.2f} →": printed})
    ax.set(yticks=rows, yticklabels=labels, ylim=(len(rows) - 0.2, -0.5), xlim=(0, 1.03))
    ax.set(xlabel="reliability of the mean of ten", ylabel="how far the judge follows the tiers")
    ax.grid(axis="y", visible=False)
    return fig


def draw_averaging(singles, printed, ours, made_up):
    """Return reliability against runs averaged: a band from that of a single run to the `printed`
    one (hollow, least and largest), over the rows of Table 8; and `ours`, if there is any."""
    fig, (ax,) = panels(1, 2.8)
    told = f"reliability of a mean · {len(printed)} rows of Table 8 · higher is steadier"
    once, tens = (f"{min(values):.2f} to {max(values):.2f}" for values in (singles, printed))
    head(fig, f"One answer has a reliability of {once}; ten averaged, {tens}", told)
    k, colour = np.arange(1, 21), COLOURS["simulated" if made_up else "judge"]
    least, most = (average_reliability(once, k) for once in (min(singles), max(singles)))
    ax.fill_between(k, least, most, color=COLOURS["published"], alpha=0.12, lw=0)
    for edge in (least, most):
        ax.plot(k, edge, color=COLOURS["published"], lw=0.8)
    hollow = {"color": COLOURS["published"], "mfc": "white", "ms": 6, "zorder": 3}
    ax.plot(np.full(2, 10), [min(printed), max(printed)], "o", **hollow)
    note = {"size": SMALL, "arrowprops": {"arrowstyle": "-", "color": DARK}}
    ax.annotate("printed:\nten runs averaged", (10, min(printed)), (11, 0.72), **note)
    ax.annotate("one run, from the printed F", (1, min(singles)), (3, min(singles) - 0.02), **note)
    for one in ours[:1]:
        ax.plot(k, average_reliability(one, k), color=colour, lw=2)
        said = f"{'SIMULATED: ' * made_up}this notebook's judge, one list"
        ax.annotate(said, (1, one), (1, 1.02), color=colour, size=SMALL)
    ax.set(xlabel="runs of one judge that are averaged", ylabel="reliability")
    ax.set(xlim=(0.7, 20), ylim=(0.4, 1.06), xticks=[1, 5, 10, 15, 20])
    return fig


def draw_costs(curve):
    """Return a panel per judge: mean correlation (95 % bars) by poems read and list size."""
    found = curve.groupby(level=["judge", "readings"], sort=False).agg(["mean", "sem"])
    judges, ticks = (found.index.unique(level) for level in found.index.names)
    fig, axes = panels(len(judges), 2 * len(judges), sharex=True, sharey=True)
    colour = COLOURS["simulated"]
    for ax, judge in zip(axes, judges):
        for size, fill in (("15", colour), ("90", "white")):
            part = found.loc[judge][size]
            bars = {"fmt": "o-", "color": colour, "mfc": fill}
            ax.errorbar(part.index, part["mean"], 1.96 * part["sem"], **bars)
        ax.set(xscale="log", ylabel="correlation")
        ax.set_title(judge, weight="normal")
        ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        ax.minorticks_off()
    for ax, judge in zip(axes, judges):
        ends = found.loc[judge, ticks[-1]].xs("mean", level=1).rename("lists of {}".format)
        label_lines(ax, ends.to_dict(), dict.fromkeys(ends.index, colour))
    axes[-1].set_xlabel("poems read in all (roughly the cost)")
    return fig
