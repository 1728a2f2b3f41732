"""Pictures of the reference-based notebooks: the specification curve, scores by cutoff."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns

from helpers.figures import COLOURS
from helpers.refbased import definitions, method

MARKS = {"the paper's": (definitions.PAPER, "published", "D"), "ours": (definitions.OURS, "ours", "s")}
KINDS = {"without": "baseline", "expert": "human", "with": "judge"}  # a word of a row's name -> its colour
CURVE = ("Two specification curves, v1 and v2: the gains of several hundred definitions in ascending order, most above zero, "
         "some below; more of v2's have p below .05. Ticks below show the choices behind each gain; the target 'all experts' "
         "gathers at v2's low end. The paper's definition and ours lie in the middle.")
CUTOFFS = ("One panel a judge: share of tests passed by each writer's stories against the cutoff, for the judge run here and two "
           "simulated judges of plain, told and broken stories. The simulated curves fall as the cutoff rises and keep the order "
           "of craft in the middle. Marked are 0 and minus 2.")


def colours(names):
    """Return {row of the one-target figure: colour}; what reads nothing has the colour of our own rules."""
    return {name: next((KINDS[word] for word in KINDS if word in name), "ours") for name in names}


def draw_curve(curves):
    """Return a specification curve: a column a version, gains in ascending order above, the definition of each below.

    curves: {version: (table, gains)} of `definitions.curve`. Coloured: p < .05; marked: the paper's definition, ours.
    """
    fig, axes = plt.subplots(2, len(curves), figsize=(9, 7.6), sharex="col", sharey="row", squeeze=False, layout="constrained",
                             height_ratios=[3, 4])
    for (top, below), (paper, (table, _)) in zip(axes.T, curves.items()):
        table = table.iloc[table["estimate"].round(10).argsort(kind="stable")].reset_index(drop=True)
        for label, part, colour in (("p ≥ .05", table["p"] >= 0.05, "0.7"), ("p < .05", table["p"] < 0.05, COLOURS["judge"])):
            top.plot(table.index[part], table["estimate"][part], ".", color=colour, ms=5, label=label)
        for name, (wanted, colour, marker) in MARKS.items():
            version = {"unanswered": "failed" if paper == "refbased_v1" else "passed"}
            place = int(np.flatnonzero(definitions.where(table, wanted | version))[0])
            top.plot(place, table.at[place, "estimate"], marker, color=COLOURS[colour], ms=8, mec="white",
                     label=f"{name}: {table.at[place, 'estimate']:+.2f}")
        top.axhline(0, color="0.3", lw=0.8)
        top.set(title=f"{paper}: {len(table)} definitions")
        top.legend(fontsize=8, loc="upper left")
        draw_choices(below, table)
    axes[0, 0].set_ylabel("mean gain, scale of accuracy\n(correlations halved)")
    return fig


def draw_choices(ax, table):
    """Draw one row of ticks a choice: where along the curve it was taken."""
    kinds = {"models": table["models"], "target": "target: " + table["target"], "groups": "groups: " + table["groups"],
             "unanswered": "unanswered " + table["unanswered"],
             "measure": table["measure"].where(~table["measure"].str.contains("listed"), ">=, four other listings")}
    levels = [(column, level) for column in kinds.values() for level in sorted(set(column))]
    for place, (column, level) in enumerate(levels):
        taken = np.flatnonzero(column == level)
        ax.plot(taken, np.full(len(taken), place), "|", color="0.35", ms=5, mew=0.5)
    ax.set(yticks=range(len(levels)), xlabel="definitions, by gain", ylim=(len(levels) - 0.5, -0.5))
    ax.set_yticklabels([level for _, level in levels], fontsize=8)
    ax.grid(False)


def passed_at(label_sets, cutoff):
    """Return writers x judges: the share of tests passed at one cutoff, mean over groups."""
    table = {name: method.scores(method.passes(labels, cutoff)).mean() / labels["test"].nunique()
             for name, labels in label_sets.items()}
    return pd.DataFrame(table).rename_axis("writer").rename_axis(columns=f"share of tests passed, cutoff {cutoff}")


def draw_cutoffs(label_sets, points=5):
    """Return small multiples, one a judge: share of tests passed against the cutoff, a line a writer (mean over groups)."""
    table = pd.concat({cutoff: passed_at(label_sets, cutoff) for cutoff in range(1 - points, points)}, names=["cutoff"])
    long = table.melt(ignore_index=False, var_name="judge", value_name="share").dropna().reset_index()
    grid = sns.relplot(long, x="cutoff", y="share", hue="writer", style="writer", col="judge", kind="line", markers=True,
                       height=3.4, aspect=1.1, facet_kws={"despine": False})
    for cutoff in (method.V2_CUTOFF, method.V1_CUTOFF):
        grid.refline(x=cutoff, color="0.6", lw=0.8, ls="-")
    grid.set_titles("{col_name}").set_axis_labels("cutoff on L+ − L−", "share of tests passed")
    grid.figure.subplots_adjust(top=0.82)
    return grid.figure
