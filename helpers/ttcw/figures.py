"""Figures of the two studies on ttcw that `figures.dots` does not draw."""

import textwrap

import numpy as np

from helpers import figures
from helpers.measures.agreement import average_reliability
from helpers.sources.names import display_name
from helpers.ttcw.load import TEST_NAMES, WRITERS

MARKS = dict(zip(WRITERS, "vDs^"))


def label_top(ax, first, colours):
    """Write a name above each mark of the first row, with a thin line to it. first: {name: x}; set
    the limits before."""
    ax.figure.draw_without_rendering()  # only now has the axes its width
    low, high = ax.get_xlim()
    top, inch = ax.get_yticks()[0], ax.get_window_extent().width / ax.figure.dpi
    gap = (high - low) * (max(map(len, first)) * 0.08 + 0.05) / inch
    for (label, x), place in zip(first.items(), figures.spread(list(first.values()), gap)):
        colour = figures.COLOURS[colours[label]]
        ax.annotate(
            label,
            (x, top),
            (place, 1.03),
            textcoords=ax.get_xaxis_transform(),
            **{"ha": "center", "size": figures.SMALL, "color": colour, "annotation_clip": False},
            arrowprops={"arrowstyle": "-", "lw": 0.6, "color": colour, "shrinkB": 4},
        )


def by_writer(table, label, order):
    """Return a figure with one row per judge, in `order`, and one mark per writer.

    table: judges x writers, percentages; label: of the axis.
    """
    fig, (ax,), places = figures.rows(order)
    ax.set(xlim=(-3, 103), xlabel=label)
    for writer in WRITERS:
        look = {"ms": 5, "color": figures.COLOURS[writer]}
        ax.plot(table.loc[order, writer], places, MARKS[writer], **look)
    first = table.loc[order[0], WRITERS].rename(display_name)
    label_top(ax, dict(first), dict(zip(first.index, WRITERS)))
    return fig


def two_kappas(first, second, labels, colours):
    """Return a figure with two marks a test, sorted by the first: Series by test; `labels` and
    `colours` name the two."""
    first = first.sort_values(ascending=False, kind="stable")
    second = second.loc[first.index]
    fig, (ax,), y = figures.rows([TEST_NAMES[test] for test in first.index])
    ax.hlines(y, first, second, color=figures.DARK, lw=0.6, zorder=0)
    for values, colour in zip((first, second), colours):
        ax.plot(values, y, "o", color=figures.COLOURS[colour], ms=5)
    ax.axvline(0, color=figures.DARK, lw=0.8, zorder=0)
    ax.set_xlabel("Fleiss' kappa of three experts; 0: as by chance")
    top = dict(zip(labels, (first.iloc[0], second.iloc[0])))
    label_top(ax, top, dict(zip(labels, colours)))
    return fig


def three_scores(slots):
    """Return a figure with one line per story, from its lowest to its highest score, and a dot per
    expert.

    slots: stories x experts, index (group, story), values 0-14, as `agreement.spread_slots` returns
    them. Stories are sorted by their mean within a writer; where experts give the same score, the
    dot is larger.
    """
    fig, (ax,) = figures.panels(1, 0.085 * len(slots) + 0.9)
    writers = slots.index.get_level_values("story").str.split("_").str[1]
    ticks, top = [], 0
    for writer in reversed(WRITERS):
        part = slots[writers == writer]
        part = part.iloc[part.mean(axis=1).round(10).argsort(kind="stable")[::-1]]
        for y, (_, scores) in enumerate(part.iterrows(), top):
            values, experts = np.unique(scores, return_counts=True)
            ax.plot([values[0], values[-1]], [y, y], color=figures.COLOURS[writer], lw=1)
            ax.scatter(values, np.full(len(values), y), 14 * experts, color=figures.COLOURS[writer])
        ticks.append(top + (len(part) - 1) / 2)
        top += len(part) + 2
    ax.set_yticks(ticks, map(display_name, reversed(WRITERS)))
    ax.set(xlim=(-0.4, 14.4), ylim=(top - 1.5, -1.5), xlabel="tests passed, of 14")
    ax.grid(axis="y", visible=False)
    return fig


def panel_sizes(rows, most=40, target=0.8):
    """Return a figure of the reliability of a mean of 1, 2, … experts, one panel per row.

    rows: {label: estimate, low, high of r}.
    """
    fig, axes = figures.panels(len(rows), 1.9 * len(rows), sharex=True, sharey=True)
    experts, colour = np.arange(1, most + 1), figures.COLOURS["human"]
    for ax, (label, r) in zip(axes, rows.items()):
        ends = [max(r[end], 0) for end in ("low", "estimate", "high")]
        low, middle, high = (average_reliability(end, experts) for end in ends)
        ax.fill_between(experts, low, high, color=colour, alpha=0.15, lw=0)
        ax.plot(experts, np.transpose([low, high]), color=colour, lw=0.6)
        ax.plot(experts, middle, color=colour, lw=2)
        ax.set(title=label, xlim=(1, most), ylim=(0, 1), yticks=[0, 0.5, target, 1])
        ax.axhline(target, color=figures.DARK, lw=1, ls="--")
        if middle[-1] >= target:
            needed = experts[middle >= target][0]
            ax.plot(needed, middle[needed - 1], "o", color=colour)
            look = {"ha": "left", "color": colour, **figures.LABEL}
            ax.annotate(f"{needed} experts", (needed, target), (0, -9), **look)
    axes[-1].set_xlabel("experts who read each story")
    return fig


def two_panels(tables, reference, label, measure):
    """Return a figure of stacked dot plots: {panel title: rows of `compare.compare`, the same in
    all}, a dashed line at `reference`."""
    first = next(iter(tables.values()))
    fig, axes, places = figures.rows(first.index, len(tables))
    for ax, (title, table) in zip(axes, tables.items()):
        figures.draw_dots(ax, table, places, [figures.SCORERS[kind] for kind in table["kind"]])
        ax.set_title(title, pad=18)
    for ax in axes:
        figures.mark(ax, {label: reference})
    axes[-1].set_xlabel(measure)
    return fig


def own_grid(table, most=40):
    """Return a figure of a judge's verdicts on a reader's texts: filled for Yes, hollow for No, a
    grey dash for neither.

    table: as `ask.write_own` returns it; of repeated answers the first counts. The longer side
    stands in rows, `most` at most; texts and tests with most Yes come first.
    """
    grid = table[table["repeat"] == 1].pivot(index="story", columns="test", values="verdict")
    grid = grid if len(grid) >= grid.shape[1] else grid.T
    rows, columns = (
        grid.eq("Yes").mean(axis=axis).sort_values(ascending=False, kind="stable").index
        for axis in (1, 0)
    )
    grid = grid.loc[rows[:most], columns].rename(figures.plain)
    short = [figures.plain(textwrap.shorten(label, 30, placeholder="…")) for label in columns]
    fig, (ax,), places = figures.rows(grid.index)
    fig.set_figheight(fig.get_figheight() + 0.09 * max(map(len, short)))  # names stand upright
    for (_, row), y in zip(grid.iterrows(), places):
        for x, verdict in enumerate(row):
            mark, kind = ("s", "judge") if verdict in ("Yes", "No") else ("_", "baseline")
            colour = figures.COLOURS[kind]
            ax.plot(x, y, mark, ms=9, color=colour, mfc=colour if verdict == "Yes" else "white")
    ax.set_xticks(range(len(short)), short, rotation=90)
    ax.set_xlim(-0.6, len(short) - 0.4)
    ax.tick_params(labeltop=True, labelbottom=False)
    ax.grid(visible=False)
    return fig
