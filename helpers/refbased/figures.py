"""Pictures of the reference-based notebooks: own stories, specification curve, cutoffs, Table 1."""

import numpy as np
import pandas as pd

from helpers.figures import COLOURS, DARK, SMALL, dots, mark, panels
from helpers.refbased import definitions, method, rebuild
from helpers.sources.names import display_name

SIGNS = {rebuild.AT_LEAST: r"$\geq$", rebuild.ABOVE: "$>$"}
# the project's stories are tiers; others' writers are not
CRAFT = {"plain": "good", "told": "medium", "broken": "bad"}
CURVE = (
    "Two specification curves, v1 above v2: several hundred gains in ascending order, most above"
    " zero, some below. More of v2's are large dots (p below .05). The paper's definition and ours"
    " lie in the middle of each curve."
)
CHOICES = (
    "One row a choice: the median gain of v2 under the definitions that make it, and their range."
    " The row of the target 'all experts' reaches below zero; all other rows leave that target out"
    " and lie above zero."
)
CUTOFFS = (
    "One panel a judge: share of tests passed by each writer's stories against the cutoff, for the"
    " judge run here and two simulated judges of plain, told and broken stories. The simulated"
    " curves fall as the cutoff rises and keep the order of craft in the middle."
)
TABLE1 = (
    "Dot plot, a panel a version: each row of Table 1 with the accuracy under both rules, written"
    " as the rules' signs, and a circle at the printed value. In v1 most circles lie round the sign"
    " of above, in v2 round that of at least."
)


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


def draw_stories(scores, judge, measure, span):
    """Return a dot plot of scores (group x writer), best first in its group; span: the scale."""
    rows = scores.stack().rename("estimate").rename_axis(["group", "writer"]).reset_index()
    rows = rows.sort_values(["group", "estimate", "writer"], ascending=[True, False, True])
    rows = rows.set_index(["group", "writer"])
    kind = "simulated" if judge.startswith("simulated/") else "judge"
    edge = 0.05 * (span[1] - span[0])
    return dots(
        rows.assign(low=np.nan, high=np.nan),
        headline(scores, judge),
        measure,
        colours={f"{group} · {writer}": kind for group, writer in rows.index},
        xlim=(span[0] - edge, span[1] + edge),
        n=f"{len(rows)} stories" if len(rows) > 1 else "1 story",
    )


def draw_curve(curves):
    """Return a panel per {version: curve}: gains in order, p < .05, the paper's and ours."""
    fig, axes = panels(len(curves), 2.5 * len(curves), sharex=True, sharey=True)
    marks = {
        "the paper's": (definitions.PAPER, {"mfc": "white"}, (-4, 8), "right"),
        "ours": (definitions.OURS, {}, (4, -14), "left"),
    }
    for ax, (paper, (table, _)) in zip(axes, curves.items()):
        order = table["estimate"].round(10).argsort(kind="stable")
        table = table.iloc[order].reset_index(drop=True)
        gains, clear = table["estimate"], table["p"] < 0.05
        ax.scatter(table.index, gains, np.where(clear, 30, 3), color=COLOURS["judge"], lw=0)
        version = {"unanswered": definitions.OWN_BASELINE[paper]}
        for words, (wanted, look, shift, side) in marks.items():
            place = int(np.flatnonzero(definitions.where(table, wanted | version))[0])
            ax.plot(place, gains[place], "D", color=COLOURS["published"], ms=6, **look)
            note = {"textcoords": "offset points", "ha": side, "size": SMALL}
            ax.annotate(f"{words}: {gains[place]:+.2f}", (place, gains[place]), shift, **note)
        mark(ax, {"no gain": 0}, along="y")
        full = definitions.where(table, definitions.FULL)
        kept = f"{clear[full].mean():.0%} where every model and group is kept"
        share = f"{clear.mean():.0%} have p < .05 (large dots),\n{kept}"
        ax.set_title(f"{display_name(paper)}: {share}", weight="normal")
        ax.grid(axis="x", visible=False)
    axes[-1].set(xlabel="definitions, by gain")
    return fig


def summarise_choices(table):
    """Return median and range of the gain by choice; 'all experts' only in its own row."""
    strict, rest = (part for _, part in table.groupby(table["target"] != "all experts"))
    listed = rest["measure"].str.contains("listed")
    kinds = [
        "target: " + strict["target"],
        "target: " + rest["target"],
        rest["models"],
        "groups: " + rest["groups"],
        "unanswered: " + rest["unanswered"],
        rest["measure"].mask(listed, ">=, four other listings"),
    ]
    parts = [table["estimate"].groupby(kind).agg(["median", "min", "max"]) for kind in kinds]
    parts = [part.sort_values("median", ascending=False, kind="stable") for part in parts]
    return pd.concat(parts).set_axis(["estimate", "low", "high"], axis=1)


def draw_choices(table):
    """Return the rows of `summarise_choices`: dots are medians, lines ranges."""
    table = summarise_choices(table)
    rows, colour = range(len(table)), COLOURS["judge"]
    fig, (ax,) = panels(1, 0.2 * len(table) + 0.6)
    ax.hlines(rows, table["low"], table["high"], color=colour, lw=2)
    ax.plot(table["estimate"], rows, "o", color=colour, ms=6)
    ax.set(yticks=rows, yticklabels=table.index, ylim=(len(table) - 0.5, -0.5))
    ax.grid(axis="y", visible=False)
    mark(ax, {"no gain": 0})
    return fig


def draw_cutoffs(label_sets, cutoff=method.V2_CUTOFF, points=5):
    """Return a panel per judge: share of tests passed by cutoff, a line per writer (mean)."""
    fig, axes = panels(len(label_sets), 1.7 * len(label_sets), sharex=True, sharey=True)
    cutoffs = list(range(1 - points, points))
    look = {"size": SMALL, "ha": "center", "va": "center"}
    look["bbox"] = {"fc": "white", "ec": "none", "pad": 1}
    for ax, (name, labels) in zip(axes, label_sets.items()):
        passed = {at: method.scores(method.passes(labels, at)).mean() for at in cutoffs}
        shares = pd.DataFrame(passed) / labels["test"].nunique()
        # from the line that falls first to the last
        lines = shares.round(10).groupby(cutoffs).groups
        heights = np.linspace(0.75, 0.25, len(lines)) if len(lines) > 1 else [0.5]
        for (line, writers), height in zip(lines.items(), heights):
            colour = COLOURS[CRAFT.get(writers[0], "machine")] if len(writers) == 1 else DARK
            middle = np.interp(height, line[::-1], cutoffs[::-1])
            ax.plot(cutoffs, line, ".-", color=colour)
            ax.text(middle, height, ", ".join(writers), color=colour, **look)
        ax.axvline(cutoff, color=DARK, lw=1, ls="--", zorder=1)
        ax.set_title(display_name(name), weight="normal")
    axes[-1].set_xlabel(f"cutoff on plus − minus (dashed: {cutoff})".replace("-", "−"))
    return fig


def draw_table1(fitted):
    """Return a panel per {version: table}: accuracies under both rules, a circle at print."""
    lengths = [len(table) for table in fitted.values()]
    height = 0.2 * sum(lengths) + 1
    fig, axes = panels(len(fitted), height, sharex=True, height_ratios=lengths)
    look = {"ls": "", "color": COLOURS["judge"], "ms": 7}
    ring = {"mfc": "none", "mec": COLOURS["published"], "ms": 12}
    for ax, (paper, table) in zip(axes, fitted.items()):
        table, rows = table.sort_values("printed", kind="stable"), range(len(table))
        for rule, sign in SIGNS.items():
            ax.plot(table[rule], rows, marker=sign, **look)
        ax.plot(table["printed"], rows, "o", **ring)
        ax.set(yticks=rows, yticklabels=table.index, ylim=(-0.7, len(table) - 0.3))
        ax.set_title(display_name(paper), weight="normal")
    return fig
