"""Pictures of the reference-based notebooks: a reader's stories, the specification curve, cutoffs,
Table 1's rules."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from helpers.figures import COLOURS, DARK, SMALL, WIDTH, dots, mark
from helpers.refbased import definitions, method, rebuild
from helpers.sources.names import display_name

# words of names
KINDS = {"paper": "published", "expert": "human", "second rater": "human", "reference": "judge"}
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


def colours(names):
    """Return {row of a dot plot: colour}; what is no expert, no judge and not printed has the
    colour of a control."""
    return {
        name: next((KINDS[word] for word in KINDS if word in name), "baseline") for name in names
    }


def headline(scores, judge):
    """Return in a sentence how a judge ranks the stories (group x writer: tests passed or mean
    grade)."""
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
    return (
        f"{who} puts {first[0]} first on average, and at the top of {wins} of {len(scores)} groups"
    )


def draw_stories(scores, judge, measure, span):
    """Return a dot plot of a judge's scores (group x writer), a row a story, best first within its
    group; span: of the scale.

    A story without a score keeps its row, without a dot.
    """
    rows = scores.stack().rename("estimate").rename_axis(["group", "writer"]).reset_index()
    rows = rows.sort_values(
        ["group", "estimate", "writer"], ascending=[True, False, True]
    ).set_index(["group", "writer"])
    edge, kind = (
        0.05 * (span[1] - span[0]),
        "simulated" if judge.startswith("simulated/") else "judge",
    )
    return dots(
        rows.assign(low=np.nan, high=np.nan),
        headline(scores, judge),
        measure,
        colours={f"{group} · {writer}": kind for group, writer in rows.index},
        xlim=(span[0] - edge, span[1] + edge),
        n=f"{len(rows)} stories" if len(rows) > 1 else "1 story",
    )


def draw_curve(curves):
    """Return a specification curve: a panel a version, gains in ascending order. Marked: p < .05,
    the paper's, ours.

    curves: {version: (table, gains)} of `definitions.curve`.
    """
    fig, axes = plt.subplots(
        len(curves),
        figsize=(WIDTH, 2.2 * len(curves)),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for ax, (paper, (table, _)) in zip(axes.flat, curves.items()):
        table = table.iloc[table["estimate"].round(10).argsort(kind="stable")].reset_index(
            drop=True
        )
        clear = table["p"] < 0.05
        ax.scatter(
            table.index, table["estimate"], np.where(clear, 30, 3), color=COLOURS["judge"], lw=0
        )
        version = {"unanswered": "failed" if paper == "refbased_v1" else "passed"}
        for words, wanted, look, shift, side in (
            ("the paper's", definitions.PAPER, {"mfc": "white"}, (-4, 8), "right"),
            ("ours", definitions.OURS, {}, (4, -14), "left"),
        ):
            place = int(np.flatnonzero(definitions.where(table, wanted | version))[0])
            gain = table.at[place, "estimate"]
            ax.plot(place, gain, "D", color=COLOURS["published"], ms=6, **look)
            ax.annotate(
                f"{words}: {gain:+.2f}",
                (place, gain),
                shift,
                textcoords="offset points",
                ha=side,
                size=SMALL,
            )
        mark(ax, {"no gain": 0}, along="y")
        ax.set_title(
            f"{display_name(paper)}: {clear.mean():.0%} have p < .05 (large dots)", weight="normal"
        )
        ax.grid(axis="x", visible=False)
    axes[-1, 0].set(xlabel="definitions, by gain")
    return fig


def summarise_choices(table):
    """Return one row a choice of a specification curve: median gain of the definitions with it, and
    their range.

    The target 'all experts' is a row of its own and left out of the other rows.
    """
    strict, rest = (part for _, part in table.groupby(table["target"] != "all experts"))
    measure = rest["measure"].where(
        ~rest["measure"].str.contains("listed"), ">=, four other listings"
    )
    kinds = [
        "target: " + strict["target"],
        "target: " + rest["target"],
        rest["models"],
        "groups: " + rest["groups"],
        "unanswered: " + rest["unanswered"],
        measure,
    ]
    parts = [
        table["estimate"]
        .groupby(kind)
        .agg(["median", "min", "max"])
        .sort_values("median", ascending=False, kind="stable")
        for kind in kinds
    ]
    return pd.concat(parts).set_axis(["estimate", "low", "high"], axis=1)


def draw_choices(table):
    """Return the rows of `summarise_choices`: dots are medians, lines ranges."""
    rows = summarise_choices(table)
    fig, ax = plt.subplots(figsize=(WIDTH, 0.2 * len(rows) + 0.6), layout="constrained")
    ax.hlines(range(len(rows)), rows["low"], rows["high"], color=COLOURS["judge"], lw=2)
    ax.plot(rows["estimate"], range(len(rows)), "o", color=COLOURS["judge"], ms=6)
    ax.set(yticks=range(len(rows)), yticklabels=rows.index, ylim=(len(rows) - 0.5, -0.5))
    ax.grid(axis="y", visible=False)
    mark(ax, {"no gain": 0})
    return fig


def draw_cutoffs(label_sets, cutoff=method.V2_CUTOFF, points=5):
    """Return a panel a judge: share of tests passed against the cutoff, a line a writer (mean over
    groups), one cutoff dashed.

    Writers whose lines are the same share one label.
    """
    fig, axes = plt.subplots(
        len(label_sets),
        figsize=(WIDTH, 1.7 * len(label_sets)),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    cutoffs = list(range(1 - points, points))
    for ax, (name, labels) in zip(axes.flat, label_sets.items()):
        shares = pd.DataFrame(
            {
                at: method.scores(method.passes(labels, at)).mean() / labels["test"].nunique()
                for at in cutoffs
            }
        )
        # from the line that falls first to the last
        lines = shares.round(10).groupby(cutoffs).groups
        for (line, writers), height in zip(
            lines.items(), np.linspace(0.75, 0.25, len(lines)) if len(lines) > 1 else [0.5]
        ):
            colour = COLOURS[CRAFT.get(writers[0], "machine")] if len(writers) == 1 else DARK
            ax.plot(cutoffs, line, ".-", color=colour)
            ax.text(
                np.interp(height, line[::-1], cutoffs[::-1]),
                height,
                ", ".join(writers),
                color=colour,
                size=SMALL,
                ha="center",
                va="center",
                bbox={"fc": "white", "ec": "none", "pad": 1},
            )
        ax.axvline(cutoff, color=DARK, lw=1, ls="--", zorder=1)
        ax.set_title(display_name(name), weight="normal")
    axes[-1, 0].set_xlabel(f"cutoff on plus − minus (dashed: {cutoff})".replace("-", "−"))
    return fig


def draw_table1(fitted):
    """Return a panel a version: the accuracy of each row of Table 1 under both rules (their signs),
    a circle at the printed one.

    fitted: {version: table with printed and a column a rule, index: the judges' names}.
    """
    fig, axes = plt.subplots(
        len(fitted),
        figsize=(WIDTH, 0.2 * sum(map(len, fitted.values())) + 1),
        sharex=True,
        height_ratios=[*map(len, fitted.values())],
        squeeze=False,
        layout="constrained",
    )
    for ax, (paper, table) in zip(axes.flat, fitted.items()):
        table = table.sort_values("printed", kind="stable")
        for rule, sign in SIGNS.items():
            ax.plot(
                table[rule], range(len(table)), ls="", marker=sign, color=COLOURS["judge"], ms=7
            )
        ax.plot(
            table["printed"], range(len(table)), "o", mfc="none", mec=COLOURS["published"], ms=12
        )
        ax.set(yticks=range(len(table)), yticklabels=table.index, ylim=(-0.7, len(table) - 0.3))
        ax.set_title(display_name(paper), weight="normal")
    return fig
