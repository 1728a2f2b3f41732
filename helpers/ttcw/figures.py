"""Figures of the two studies on ttcw that `figures.dots` does not draw. As there, `title` is the
finding; what the rows show is the figure's label, for its alternative text."""

import textwrap

import numpy as np

from helpers import figures, results
from helpers.measures.compare import CEILING, PERSON
from helpers.sources.names import display_name
from helpers.ttcw.load import TEST_NAMES, WRITERS

TAUGHT, STRANGER = "control that knows the author", "control without the author"


def two_kappas(kappas, title):
    """Return a figure with two marks per test; kappas: {"48 stories": Series by test, and those of
    machines}. Tests are sorted by the first."""
    colours = dict(zip(kappas, ("human", "machine")))
    first, second = kappas.values()
    first = first.sort_values(ascending=False, kind="stable")
    second = second.loc[first.index]
    fig, (ax,), y = figures.rows([TEST_NAMES[test] for test in first.index])
    ax.hlines(y, first, second, color=figures.DARK, lw=0.6, zorder=0)
    for values, (name, kind) in zip((first, second), colours.items()):
        colour = figures.COLOURS[kind]
        ax.plot(values, y, "o", color=colour, ms=5)
        place = {"xytext": (0, 17), "ha": "center"}
        ax.annotate(name, (values.iloc[0], y[0]), color=colour, **place, **figures.LABEL)
    ax.axvline(0, color=figures.DARK, lw=0.8, zorder=0)
    ax.set_xlabel("Fleiss' kappa of three experts; 0: as by chance")
    figures.head(fig, title, figures.subtitle("agreement on each test", "12 groups", "open"))
    fig.set_label("; ".join(f"{name} {one.mean():.2f}" for name, one in kappas.items()))
    return fig


def three_scores(slots, title):
    """Return a figure with one line per story, from its lowest to its highest score, and a dot per
    expert, larger where several give the same; slots: of `agreement.spread_slots`. Stories are
    sorted by their mean within a writer."""
    fig, (ax,) = figures.panels(1, 0.085 * len(slots) + 0.9)
    writers = slots.index.get_level_values("story").str.split("_").str[1]
    ticks, top, means = [], 0, []
    for writer in reversed(WRITERS):
        part = slots[writers == writer]
        part = part.iloc[part.mean(axis=1).round(10).argsort(kind="stable")[::-1]]
        for y, (_, scores) in enumerate(part.iterrows(), top):
            values, experts = np.unique(scores, return_counts=True)
            ax.plot([values[0], values[-1]], [y, y], color=figures.COLOURS[writer], lw=1)
            ax.scatter(values, np.full(len(values), y), 14 * experts, color=figures.COLOURS[writer])
        ticks.append(top + (len(part) - 1) / 2)
        top += len(part) + 2
        means.append(f"{display_name(writer)} {part.to_numpy().mean():.1f}")
    ax.set_yticks(ticks, map(display_name, reversed(WRITERS)))
    ax.set(xlim=(-0.4, 14.4), ylim=(top - 1.5, -1.5), xlabel="tests passed, of 14")
    ax.grid(axis="y", visible=False)
    told = figures.subtitle("lines: lowest to highest of three experts", "48 stories", "open", "")
    figures.head(fig, title, told + " · larger dots: experts with the same score")
    fig.set_label("; ".join(means))
    return fig


def two_panels(tables, title, leader, asked=None):
    """Return a figure of stacked dot plots of balanced accuracy, ranked by the first panel: a
    perfect judge, a person, the best controls, the judge `leader` and, in one line, the others.

    tables: {panel title: rows of `compare.compare`, the same in all}; asked: one more judge's
    name, and {panel title: (its row or None, what is written beside it)}.
    """
    first = next(iter(tables.values()))
    known = [pick_rows(table, leader) for table in tables.values()]
    shown = results.rank(known[0].dropna(subset=["estimate"]), "estimate", "who").index
    shown = [*shown, *known[0].index.difference(shown, sort=False)]
    others = [name for name in first.index[first["kind"] == "judge"] if name != leader]
    rest = f"{len(others)} other judges"
    name, placed = asked or ("", {})
    order = [*shown, *[name] * bool(name), *[rest] * bool(others)]
    fig, axes, places = figures.rows(order, len(tables))
    at = dict(zip(order, places))
    for ax, (panel, table), drawn in zip(axes, tables.items(), known):
        drawn = drawn.loc[[who for who in shown if who in drawn.index]]
        keys = [figures.SCORERS[kind] for kind in drawn["kind"]]
        figures.draw_dots(ax, drawn, [at[who] for who in drawn.index], keys)
        colour = figures.COLOURS["judge"]
        for other in others:
            ax.plot(table.loc[other, "estimate"], at[rest], "o", ms=4, color=colour)
        for who in drawn.index[drawn["estimate"].isna()]:
            middle = ax.get_yaxis_transform()
            place = (0.5, at[who]), (0, 0)
            ax.annotate("not known", *place, xycoords=middle, ha="center", **figures.LABEL)
        ax.set_title(panel, pad=18)
    for ax in axes:
        figures.mark(ax, {"0.50 = guessing": 0.5})
    for ax, (row, text) in zip(axes, placed.values()):
        if row is not None:
            figures.draw_dots(ax, row.to_frame().T, [at[name]], ["judge"])
            ax.annotate(text, (row["estimate"], at[name]), (0, -9), ha="center", **figures.LABEL)
        else:
            middle = ax.get_yaxis_transform()
            ax.annotate(
                text, (0.5, at[name]), (0, 0), xycoords=middle, ha="center", **figures.LABEL
            )
    axes[-1].set_xlabel("balanced accuracy")
    told = "against two experts who agree, 95 % intervals"
    figures.head(fig, title, figures.subtitle(told, "12 story groups", "open"))
    said = known[0]["estimate"].reindex(shown).dropna()
    fig.set_label("; ".join(f"{who} {value:.2f}" for who, value in said.items()))
    return fig


def pick_rows(table, leader):
    """Return the rows of `compare` that are drawn, under the same names for every table: a perfect
    judge, a person, the best control, the best without the author and the judge `leader`."""
    control, stranger = table.attrs["control"], table.attrs["stranger"]
    rows = {CEILING: CEILING, PERSON: PERSON, control: TAUGHT, stranger: STRANGER}
    rows[leader] = display_name(leader)
    return table.loc[list(rows)].rename(rows).rename_axis("who")


def own_grid(table, title, most=40):
    """Return a figure of a judge's verdicts on a reader's texts (a table of `own.list_verdicts`).

    Of repeated answers the first counts. The longer side stands in rows, `most` at most; texts and
    tests with most Yes come first.
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
    figures.head(fig, title, "filled: Yes · hollow: No · dash: no verdict")
    return fig
