"""Pictures of the reference-based notebooks: own stories, specification curve, cutoffs, Table 1."""

import numpy as np
import pandas as pd

from helpers import results
from helpers.figures import COLOURS, DARK, SMALL, dots, head, panels, show, subtitle
from helpers.refbased import definitions, method, rebuild
from helpers.sources.names import display_name

CRAFT = {"plain": "good", "clichés": "medium", "broken": "bad"}
CURVE = "Gains in ascending order, most above zero; below, the choices behind each."
CUTOFFS = "Three lines: as the cutoff rises, stories pass fewer tests."
TARGET = "Dots with intervals: controls, judges and a person."
TABLE1 = "Dot plot: in v1 most printed accuracies lie at those of 'above', in v2 of 'at least'."


def headline(scores, judge):
    """Return how a judge ranks the stories, in a sentence; scores: group x writer."""
    who, mean = display_name(judge), scores.mean().round(10)
    who = who[0].upper() + who[1:]
    if scores.isna().all(axis=None):
        return f"{who} gives no story a score"
    if len(mean) == 1:
        return f"{who} gives {mean.index[0]} {mean.item():.1f} on average"
    if scores.stack().nunique() == 1:
        return f"{who} gives every story the same score, so it ranks none"
    first = mean.index[mean == mean.max()]
    if len(first) > 1:
        return f"{who} ranks {' and '.join(map(str, first))} alike on average"
    wins = scores.rank(axis=1, ascending=False, method="min")[first[0]].eq(1).sum()
    of = f"at the top of {wins} of {len(scores)} groups"
    return f"{who} puts {first[0]} first on average, and {of}"


def draw_stories(scores, judge, variant, tests):
    """Return a dot plot of scores (group x writer) on so many tests, best first in its group."""
    rows = scores.stack().rename("estimate").rename_axis(["group", "writer"]).reset_index()
    rows = rows.sort_values(["group", "estimate", "writer"], ascending=[True, False, True])
    rows["kind"] = "simulated" if judge.startswith("simulated/") else "judge"
    graded = variant == "no reference"
    stories = "1 story" if len(rows) == 1 else f"{len(rows)} stories"
    measure = "mean grade from 1 to 5" if graded else f"tests passed of {tests}"
    low, high = (0.8, 5.2) if graded else (-0.05 * tests, 1.05 * tests)
    rows = rows.set_index(["group", "writer"]).assign(low=np.nan, high=np.nan)
    return dots(rows, headline(scores, judge), measure, xlim=(low, high), n=stories)


def show_own(mine, answers, scores, judge, variant, cutoff, outputs):
    """Show a reader's stories (of `load_candidates`) by score and save each test's verdict."""
    if mine.data is None:
        results.say("Without human scores (column `human`) there is nothing to compare.")
    show(draw_stories(scores, judge, variant, len(mine.tests)), "Dot plot, one row per story:")
    table = method.by_test(answers, variant, mine.tests, cutoff)
    file = results.save_own(table, "03", judge, outputs)
    results.say(f"`{outputs}/{file}` has one row per story and test.")


def list_choices(table):
    """Return {choice: mask of the definitions that make it} of a specification curve, by kind."""
    measure = table["measure"].str.split(",").str[0]
    measure = measure.mask(table["measure"].str.contains("listed"), ">=, four other listings")
    kinds = [table["models"], "target: " + table["target"], "groups: " + table["groups"]]
    kinds += ["unanswered tests: " + table["unanswered"], measure]
    return {choice: kind == choice for kind in kinds for choice in kind.unique()}


def draw_curve(source, paper="refbased_v2"):
    """Return v2's specification curve: gains in ascending order, below them the choices of each."""
    table, _ = definitions.curve(paper)
    title = "v2's gain falls below zero only where all three experts must say Yes"
    assert table.query("target != 'all experts'")["estimate"].min() > 0
    order = table["estimate"].round(10).argsort(kind="stable")
    table = table.iloc[order].reset_index(drop=True)
    gains, clear, choices = table["estimate"], table["p"] < 0.05, list_choices(table)
    fig, (ax, grid) = panels(2, 2.4 + 0.19 * len(choices), sharex=True, height_ratios=[1, 1.5])
    ax.scatter(table.index, gains, np.where(clear, 30, 3), color=COLOURS["judge"], lw=0)
    version = {"unanswered": definitions.OWN_BASELINE[paper]}
    marks = {
        "the paper's,\nClaude 3.5": (definitions.PAPER, {"mfc": "white"}, (-4, 8), "right"),
        "ours,\nthree models": (definitions.OURS, {}, (6, -24), "left"),
    }
    for words, (wanted, look, shift, side) in marks.items():
        place = int(np.flatnonzero(definitions.where(table, wanted | version))[0])
        ax.plot(place, gains[place], "D", color=COLOURS["published"], ms=6, **look)
        note = {"textcoords": "offset points", "ha": side, "size": SMALL}
        ax.annotate(f"{words}: {gains[place]:+.2f}", (place, gains[place]), shift, **note)
    ax.axhline(0, color=DARK, lw=1, ls="--", zorder=1)
    ax.set(ylabel="gain in accuracy")
    for row, made in enumerate(choices.values()):
        colour = np.where(clear[made], COLOURS["judge"], COLOURS["baseline"])
        grid.vlines(table.index[made], row - 0.35, row + 0.35, lw=1, color=colour)
    grid.set(yticks=range(len(choices)), yticklabels=choices, ylim=(len(choices) - 0.5, -0.5))
    grid.set(xlabel="definitions, by gain")
    for one in (ax, grid):
        one.grid(axis="x", visible=False)
    words = "one dot per definition; large dots, orange strokes: p < .05"
    head(fig, title, subtitle(words, "12 groups", source, "up"))
    return fig


def draw_cutoffs(labels, cutoff, judge):
    """Return the share of tests passed by each writer against the cutoff, one of them dashed."""
    (fig, (ax,)), cutoffs = panels(1, 2.6), range(-5, 9)
    passed = {at: method.scores(method.passes(labels, at)).mean() for at in cutoffs}
    shares = pd.DataFrame(passed) / labels["test"].nunique()
    title = "No cutoff passes plain stories more often than clichés"
    assert (shares.loc["plain"] <= shares.loc["clichés"]).all()
    head(fig, title, f"{display_name(judge)} · {labels['group'].nunique()} groups")
    look = {"size": SMALL, "ha": "center", "va": "center", "bbox": {"fc": "w", "ec": "w", "pad": 1}}
    for (writer, line), height in zip(shares.iterrows(), np.linspace(0.75, 0.25, len(shares))):
        colour = COLOURS[CRAFT[writer]]
        ax.plot(cutoffs, line, ".-", color=colour)
        ax.text(np.interp(height, line[::-1], cutoffs[::-1]), height, writer, color=colour, **look)
    ax.axvline(cutoff, color=DARK, lw=1, ls="--", zorder=1)
    about = f"cutoff on plus − minus, hundredths of a step (dashed: {cutoff})"
    ax.set(ylabel="share of tests passed", xlabel=about.replace("-", "−"))
    return fig


def draw_table1(fitted, source):
    """Return one panel per version with three dots per row of Table 1: its accuracy as printed and
    under both rules; fitted: {version: judge, printed, fits, and (low, high) by rule}."""
    title = "Most of v1's Table 1 counts ties in another way than v1's Figure 3"
    assert fitted["refbased_v1"]["fits"].map(lambda rules: rules == [rebuild.ABOVE]).mean() > 0.5
    lengths = [len(table) for table in fitted.values()]
    fig, axes = panels(2, 0.3 * sum(lengths) + 1, sharex=True, height_ratios=lengths)
    measure = "as printed and by two ways of counting ties; without a reference unless stated"
    head(fig, title, subtitle(measure, "12 groups", source, ""))
    marks = {"printed": "published", rebuild.ABOVE: "judge", rebuild.AT_LEAST: "baseline"}
    for ax, (paper, table) in zip(axes, fitted.items()):
        table, rows = table.sort_values("printed", kind="stable"), np.arange(len(table))
        for up, (name, key) in zip((0.25, 0, -0.25), marks.items()):
            inside = "white" if key == "published" else COLOURS[key]
            look = {"color": COLOURS[key], "mfc": inside, "ms": 5, "label": name}
            ax.plot(table[name].map(np.mean), rows + up, "o", **look)
        ax.set(yticks=rows, yticklabels=table["judge"], ylim=(-0.6, len(table) - 0.4))
        ax.set_title(display_name(paper), weight="normal")
    axes[0].legend(loc="lower right")
    axes[-1].set_xlabel("pairwise accuracy")
    return fig
