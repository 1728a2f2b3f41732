"""Figures of the two studies on ttcw that `figures.dots` does not draw.

`two_kappas` and `three_scores` show experts (notebook 01), `two_panels` judges beside experts and
controls (02). As in `figures.dots`, `title` is the finding, and what the rows show is the figure's
label, for its alternative text.
"""

import numpy as np
from goodjudge.comparison.compare import CEILING, PERSON

from helpers import figures, results
from helpers.sources.names import display_name
from helpers.ttcw.load import TEST_NAMES, WRITERS

TAUGHT, STRANGER = "control that knows the author", "control that a user could have"
EXPERT = "a third expert"


def two_kappas(kappas, title):
    """Return a figure with two marks per test; kappas: {"48 stories": Series by test, and those of
    machines}. Tests are sorted by the first."""
    first, second = kappas.values()
    first = first.sort_values(ascending=False, kind="stable")
    second = second.loc[first.index]
    fig, axes, places = figures.rows([TEST_NAMES[test] for test in first.index])
    ax = axes[0]
    ax.hlines(places, first, second, color=figures.DARK, lw=0.6, zorder=0)
    for name, values, kind in zip(kappas, (first, second), ("human", "machine")):
        colour = figures.COLOURS[kind]
        ax.plot(values, places, "o", color=colour, ms=5)
        above = (0, 24)  # points
        top = (values.iloc[0], places[0])
        words = f"{name}:\nmean {values.mean():.2f}"
        ax.annotate(words, top, above, ha="center", color=colour, **figures.LABEL)
    ax.axvline(0, color=figures.DARK, lw=0.8, zorder=0)
    ax.set_xlabel("Fleiss' kappa of three experts; 0: as by chance")
    figures.head(fig, title, figures.subtitle("agreement on each test", "12 groups", "open"))
    means = [f"{name} {values.mean():.2f}" for name, values in kappas.items()]
    fig.set_label("; ".join(means))
    return fig


def three_scores(slots, title):
    """Return a figure with one line per story, from its lowest to its highest score, and a dot per
    expert, larger where several give the same.

    slots: of `agreement.spread_slots`, stories x three experts. The stories of a writer stand
    together, sorted by their mean.
    """
    fig, axes = figures.panels(1, 0.085 * len(slots) + 0.9)
    ax = axes[0]
    writer_of = slots.index.get_level_values("story").str.split("_").str[1]
    middles = []
    means = []
    top = 0  # y of the next story, downwards
    for writer in reversed(WRITERS):
        scores = sort_by_mean(slots[writer_of == writer].to_numpy())
        draw_stories(ax, scores, top, figures.COLOURS[writer])
        middles.append(top + (len(scores) - 1) / 2)
        means.append(f"{display_name(writer)} {scores.mean():.1f}")
        top += len(scores) + 2  # two empty lines between writers
    ax.set_yticks(middles, map(display_name, reversed(WRITERS)))
    ax.set(xlim=(-0.4, 14.4), ylim=(top - 1.5, -1.5), xlabel="tests passed, of 14")
    ax.grid(axis="y", visible=False)
    measure = "lines: lowest to highest of three experts"
    subtitle = figures.subtitle(measure, "48 stories", "open", better="")
    figures.head(fig, title, f"{subtitle} · larger dots: experts with the same score")
    fig.set_label("; ".join(means))
    return fig


def sort_by_mean(scores):
    """Return scores, stories x experts, with the highest mean first."""
    means = scores.mean(axis=1).round(10)
    return scores[np.argsort(means, kind="stable")[::-1]]


def draw_stories(ax, scores, top, colour):
    """Draw a line and dots per story, downwards from y = top; scores: stories x experts."""
    for y, of_story in enumerate(scores, top):
        values, experts = np.unique(of_story, return_counts=True)
        ax.plot([values[0], values[-1]], [y, y], color=colour, lw=1)
        ax.scatter(values, np.full(len(values), y), 14 * experts, color=colour)


def two_panels(tables, title, leader, asked=None):
    """Return a figure of stacked dot plots of balanced accuracy, ranked by the first panel: a
    perfect judge, a person, both kinds of control, the judge `leader` and, in one line, the others.

    tables: {panel title: rows of `compare.compare`, the same in all}; asked: one more judge, as
    `worth.place` returns it: its name, and {panel title: (its row or None, what is written beside
    it)}.
    """
    first = next(iter(tables.values()))
    is_other = (first["kind"] == "judge") & (first.index != leader)
    others = first.index[is_other]
    drawn = {panel: pick_rows(table, leader) for panel, table in tables.items()}
    ranked = rank_rows(drawn)
    asked_name, asked_rows = asked or ("", {})
    others_name = f"{len(others)} other judges"
    lines = [*ranked]
    if asked_name:
        lines.append(asked_name)
    if len(others):
        lines.append(others_name)
    fig, axes, places = figures.rows(lines, len(tables))
    place_of = dict(zip(lines, places))
    for ax, (panel, table) in zip(axes, tables.items()):
        draw_rows(ax, drawn[panel], place_of)
        for other in others:
            colour = figures.COLOURS["judge"]
            estimate = table.loc[other, "estimate"]
            ax.plot(estimate, place_of[others_name], "o", ms=4, color=colour)
        ax.set_title(panel, pad=18)
    for ax in axes:
        figures.mark(ax, {"0.50 = guessing": 0.5})
    for ax, (row, text) in zip(axes, asked_rows.values()):
        draw_asked(ax, place_of[asked_name], row, text)
    axes[-1].set_xlabel("balanced accuracy")
    measure = "against two experts who agree; 95 % intervals (judges': for all at once)"
    figures.head(fig, title, figures.subtitle(measure, "12 story groups", "open"))
    of_first = next(iter(drawn.values()))
    estimates = of_first["estimate"].reindex(ranked).dropna()
    fig.set_label("; ".join(f"{name} {value:.2f}" for name, value in estimates.items()))
    return fig


def pick_rows(table, leader):
    """Return the rows of `compare` that are drawn, under the same names for every table: a perfect
    judge, a third expert, the best control of each kind, the judge `leader`."""
    names = {
        CEILING: CEILING,
        PERSON: EXPERT,
        table.attrs["control"]: TAUGHT,
        table.attrs["stranger"]: STRANGER,  # takes the place where both are the same control
        leader: display_name(leader),
    }
    return table.loc[list(names)].rename(names).rename_axis("who")


def rank_rows(drawn):
    """Return the names of the rows of `pick_rows`, the best in the first panel first, then those of
    which it knows nothing; drawn: {panel: rows}."""
    first = next(iter(drawn.values()))
    known = first.dropna(subset=["estimate"])
    ranked = list(results.rank(known, "estimate", "who").index)
    for rows in drawn.values():
        ranked += [name for name in rows.index if name not in ranked]
    return ranked


def draw_rows(ax, rows, place_of):
    """Draw dots with intervals, from the top, and words where an estimate is not known; place_of:
    {name: y}."""
    rows = rows.loc[sorted(rows.index, key=place_of.get)]
    places = [place_of[name] for name in rows.index]
    colours = [figures.SCORERS[kind] for kind in rows["kind"]]
    figures.draw_dots(ax, rows, places, colours)
    for name in rows.index[rows["estimate"].isna()]:
        write_in_middle(ax, place_of[name], "(not known, so no dot)")


def draw_asked(ax, place, row, text):
    """Draw the row of the judge that was asked (None: there is none) and write `text` about it."""
    if row is None:
        write_in_middle(ax, place, text)
        return
    figures.draw_dots(ax, row.to_frame().T, [place], ["judge"])
    below = (0, -9)  # points
    ax.annotate(text, (row["estimate"], place), below, ha="center", **figures.LABEL)


def write_in_middle(ax, place, text):
    """Write a text in the middle of a row, where there is no dot."""
    frame = ax.get_yaxis_transform()
    ax.annotate(text, (0.5, place), (0, 0), xycoords=frame, ha="center", **figures.LABEL)
