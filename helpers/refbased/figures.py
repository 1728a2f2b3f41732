"""Pictures of the reference-based notebooks: specification curve, cutoffs, Table 1.

The titles of `draw_curve`, `draw_cutoffs` and `draw_table1` are findings. The assert below each is
its proof: on other data the drawing fails rather than say what is not so.
"""

import numpy as np
import pandas as pd

from helpers.figures import COLOURS, DARK, SMALL, head, panels, subtitle
from helpers.refbased import definitions, method, rebuild
from helpers.sources.names import display_name

CRAFT = {"plain": "good", "clichés": "medium", "broken": "bad"}
CURVE = "Gains in ascending order, most above zero; below, the choices behind each."
CUTOFFS = "Three lines: as the cutoff rises, stories pass fewer tests."
TARGET = "Dots with intervals: controls, judges and a person."
TABLE1 = "Dot plot: in v1 most printed accuracies lie at those of 'above', in v2 of 'at least'."


def headline(scores, judge):
    """Return how a judge ranks the stories, in a sentence; scores: group x writer."""
    name = display_name(judge)
    name = name[0].upper() + name[1:]
    mean = scores.mean().round(10)
    if scores.isna().all(axis=None):
        return f"{name} gives no story a score"
    if len(mean) == 1:
        return f"{name} gives {mean.index[0]} {mean.item():.1f} on average"
    if scores.stack().nunique() == 1:
        return f"{name} gives every story the same score, so it ranks none"
    first = mean.index[mean == mean.max()]
    if len(first) > 1:
        return f"{name} ranks {' and '.join(map(str, first))} alike on average"
    places = scores.rank(axis=1, ascending=False, method="min")
    wins = places[first[0]].eq(1).sum()
    return (
        f"{name} puts {first[0]} first on average, and at the top of {wins} of {len(scores)} groups"
    )


def list_choices(table):
    """Return {choice: mask of the definitions that make it} of a specification curve, by kind."""
    measure = table["measure"].str.split(",").str[0]
    is_other_listing = table["measure"].str.contains("listed")
    kinds = [
        "models: " + table["models"],
        "target: " + table["target"],
        "plots: " + table["groups"],
        "unanswered tests: " + table["unanswered"],
        "measure: " + measure.mask(is_other_listing, ">=, four other listings"),
    ]
    masks = {}
    for kind in kinds:
        for choice in kind.unique():
            masks[choice] = kind == choice
    return masks


def draw_curve(paper="refbased_v2"):
    """Return v2's specification curve: gains in ascending order, below them the choices of each."""
    table, _ = definitions.curve(paper)
    title = "v2's gain falls below zero only where all three experts must say Yes"
    assert table.query("target != 'all experts'")["estimate"].min() > 0
    choices = pd.DataFrame(list_choices(table))  # in the order in which they are made up
    order = table["estimate"].round(10).argsort(kind="stable")
    table = table.iloc[order].reset_index(drop=True)
    choices = choices.iloc[order].reset_index(drop=True)
    height = 2.4 + 0.19 * len(choices.columns)
    fig, (ax, grid) = panels(2, height, sharex=True, height_ratios=[1, 1.5])
    draw_gains(ax, table, paper)
    draw_choices(grid, choices, table["p"] < 0.05)
    ax.grid(axis="x", visible=False)
    grid.grid(axis="x", visible=False)
    words = "one dot per definition; large dots, orange strokes: p < .05"
    head(fig, title, subtitle(words, "12 plots", "open", "up"))
    return fig


def draw_gains(ax, table, paper):
    """Draw the gain of each definition, in the table's order; the paper's and ours are named."""
    is_clear = table["p"] < 0.05
    sizes = np.where(is_clear, 30, 3)
    ax.scatter(table.index, table["estimate"], sizes, color=COLOURS["judge"], lw=0)
    version = {"unanswered": definitions.OWN_BASELINE[paper]}
    papers = find_place(table, definitions.PAPER | version)
    ours = find_place(table, definitions.OURS | version)
    label_gain(ax, table, papers, "the paper's,\nClaude 3.5", (-4, 8), "right", inside="white")
    label_gain(ax, table, ours, "ours,\nthree models", (6, -24), "left", inside=None)
    ax.axhline(0, color=DARK, lw=1, ls="--", zorder=1)
    ax.set(ylabel="gain in accuracy")


def find_place(table, definition):
    """Return the position of a definition ({column: value}) in a curve."""
    return int(np.flatnonzero(definitions.where(table, definition))[0])


def label_gain(ax, table, place, words, shift, side, inside):
    """Draw a definition's gain as a diamond and name it; shift: of the name, in points; inside: the
    colour that fills the diamond (None: as its edge)."""
    gain = table["estimate"][place]
    ax.plot(place, gain, "D", color=COLOURS["published"], ms=6, mfc=inside)
    note = {"textcoords": "offset points", "ha": side, "size": SMALL}
    ax.annotate(f"{words}: {gain:+.2f}", (place, gain), shift, **note)


def draw_choices(ax, choices, is_clear):
    """Draw a row per choice, a stroke for each definition that makes it.

    choices: masks, definitions x choices; is_clear: which definitions have p < .05.
    """
    for row, choice in enumerate(choices):
        mask = choices[choice]
        colours = np.where(is_clear[mask], COLOURS["judge"], COLOURS["baseline"])
        places = mask.index[mask]
        ax.vlines(places, row - 0.35, row + 0.35, lw=1, color=colours)
    rows = len(choices.columns)
    ax.set(yticks=range(rows), yticklabels=choices, ylim=(rows - 0.5, -0.5))
    ax.set(xlabel="definitions, by gain")


def draw_cutoffs(labels, cutoff, judge):
    """Return the share of tests passed by each writer against the cutoff, one of them dashed.

    labels: group, writer, test, plus and minus, as of `method.labels`, but in hundredths of a step;
    cutoff: the dashed one, in hundredths as well.
    """
    cutoffs = range(-5, 9)
    passed = {}  # of each cutoff: by writer, the mean number of tests passed
    for at in cutoffs:
        passed[at] = method.scores(method.passes(labels, at)).mean()
    shares = pd.DataFrame(passed) / labels["test"].nunique()  # writers x cutoffs
    title = "No cutoff passes plain stories more often than clichés"
    assert (shares.loc["plain"] <= shares.loc["clichés"]).all()
    fig, axes = panels(1, 2.6)
    ax = axes[0]
    head(fig, title, f"{display_name(judge)} · {labels['group'].nunique()} plots")
    box = {"fc": "w", "ec": "w", "pad": 1}
    look = {"size": SMALL, "ha": "center", "va": "center", "bbox": box}
    heights = np.linspace(0.75, 0.25, len(shares))  # of the names, each on its line
    for (writer, line), height in zip(shares.iterrows(), heights):
        colour = COLOURS[CRAFT[writer]]
        ax.plot(cutoffs, line, ".-", color=colour)
        x = np.interp(height, line[::-1], cutoffs[::-1])
        ax.text(x, height, writer, color=colour, **look)
    ax.axvline(cutoff, color=DARK, lw=1, ls="--", zorder=1)
    about = f"cutoff on plus − minus, hundredths of a step (dashed: {cutoff})"
    ax.set(ylabel="share of tests passed", xlabel=about.replace("-", "−"))
    return fig


def draw_table1(fitted):
    """Return one panel per version with three dots per row of Table 1: its accuracy as printed and
    under both rules; fitted: {version: judge, printed, fits, and (low, high) by rule}."""
    title = "Most of v1's Table 1 counts ties in another way than v1's Figure 3"
    only_above = fitted["refbased_v1"]["fits"].map(lambda rules: rules == [rebuild.ABOVE])
    assert only_above.mean() > 0.5
    lengths = [len(table) for table in fitted.values()]
    fig, axes = panels(2, 0.3 * sum(lengths) + 1, sharex=True, height_ratios=lengths)
    measure = "as printed and by two ways of counting ties; without a reference unless stated"
    head(fig, title, subtitle(measure, "12 plots", "open", ""))
    for ax, (paper, table) in zip(axes, fitted.items()):
        table = table.sort_values("printed", kind="stable")
        draw_accuracies(ax, table, "printed", "published", 0.25)
        draw_accuracies(ax, table, rebuild.ABOVE, "judge", 0)
        draw_accuracies(ax, table, rebuild.AT_LEAST, "baseline", -0.25)
        ax.set(yticks=range(len(table)), yticklabels=table["judge"], ylim=(-0.6, len(table) - 0.4))
        ax.set_title(display_name(paper), weight="normal")
    axes[0].legend(loc="lower right", frameon=True)  # a box: no dots of these rows
    axes[-1].set_xlabel("pairwise accuracy")
    return fig


def draw_accuracies(ax, table, column, key, up):
    """Draw a dot per row of Table 1: a number, or the middle of (low, high); key: of COLOURS; up:
    how far above its row's middle."""
    middles = table[column].map(np.mean)
    places = np.arange(len(table)) + up
    colour = COLOURS[key]
    inside = "white" if key == "published" else colour
    ax.plot(middles, places, "o", color=colour, mfc=inside, ms=5, label=column)
