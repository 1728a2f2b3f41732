"""Draw what all papers have in common: the verdicts on their numbers, and judges beside people."""

import json
import textwrap
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from goodjudge.comparison import compare
from goodjudge.stats import intervals
from matplotlib.patches import Patch

from helpers import figures, results
from helpers.audit.ledger import CONTRADICTED, VERDICTS
from helpers.figures import COLOURS
from helpers.sources.files import DataError
from helpers.sources.names import display_name

SHOWN = VERDICTS[:-1]  # a blank cell stays empty
WIDTH, EDGE = 4.75, 0.04  # inches: a figure, and where its title begins
HATCHED = {"facecolor": "white", "edgecolor": COLOURS["unverifiable"], "hatch": "////////"}
LOOKS = {
    verdict: {"facecolor": COLOURS[verdict], "edgecolor": "white", "linewidth": 0.4}
    for verdict in SHOWN
}
LOOKS["unverifiable"] |= HATCHED
# the rows of `compare.summarise`
A_USERS, KNOWING = "control that a user could have", "control that knows the author"
LEAD = f"the judge less {A_USERS}"
SCORERS = {  # of `forest`: what a row begins with, its colour, its word, how far it is off the line
    "the judge": ("judge", "judge", -0.3),
    "a person": ("human", "a person", -0.1),
    A_USERS: ("baseline", "without reading", 0.1),
    KNOWING: ("told", "told the author", 0.3),
}


class Row(NamedTuple):
    """What stands in a row of the figure of all studies. texts: the set of texts, one name for rows
    that share theirs; counts: is it a ready-made judge (not one trained on ratings by the same
    people) of texts that people rated?"""

    texts: str
    judge: str
    measure: str
    counts: bool = True


ROWS = {  # by what a task's name begins with; the first that fits
    "Art or Artifice?": Row("Art or Artifice?", "best model of 02", "balanced accuracy"),
    "Reference-based": Row("Art or Artifice?", "best model of 03", "pairwise accuracy"),
    "Editing": Row("Editing by machines", "reward model of 08", "pairwise accuracy"),
    "EvolvR: one writer's stories, a regression": Row(
        "HANNA", "regression of 05", "Pearson's r", counts=False
    ),
    "EvolvR": Row("HANNA", "best model of 05", "Pearson's r"),
    "Poetry": Row("our poems", "small open model of 04", "Spearman's ρ", counts=False),
}
MEANS_OF_RHO = ("Reference-based",)  # tasks whose ρ is a mean over groups, with a t interval
NO_STUDY = ("00", "06", "07")  # an introduction, the one that adds up, a page about any ratings
ACCURACY = (0.5, "guessing", "accuracy: balanced, or of pairs")
CORRELATION = (0.0, "no relation", "correlation: Pearson's r")


def read_rows(outputs, of):
    """Return what the studies' notebooks have left in a folder, (task, row): estimate, low, high,
    n, in their order. What a notebook that is no longer there has left, and a study of simulated
    people, is no study of ours.

    outputs: absolute, or relative to the project; of: as in `compare.from_values`. DataError if
    there is nothing.
    """
    values = {}
    for number, name in results.list_notebooks().items():
        path = results.ROOT / outputs / f"{name}.json"
        if number in NO_STUDY or not path.is_file():
            continue
        record = json.loads(path.read_text(encoding="utf8"))
        if record["source"] != "simulated":
            values.update(record.get("values", {}))
    rows = compare.from_values(values, of)
    if rows.empty:
        advice = "run notebooks 02 to 05 and 08 with these outputs first, or say make reproduce"
        raise DataError(f"{results.ROOT / outputs}: no study has left a number of {of!r}; {advice}")
    return rows


def bars(coverage):
    """Return a figure with one bar per paper: shares of its printed numbers by verdict.

    coverage: papers x verdicts, how many numbers.
    """
    figures.style()
    counts = coverage[SHOWN]
    fig, ax = plt.subplots(figsize=(WIDTH, 0.62 * len(counts) + 0.3))
    fig.subplots_adjust(EDGE / WIDTH, 0.12, 1 - EDGE / WIDTH, 1)
    shares = (100 * counts).div(counts.sum(axis=1), axis=0)
    starts = shares.cumsum(axis=1) - shares
    for verdict in SHOWN:
        ax.barh(range(len(counts)), shares[verdict], 0.45, starts[verdict], **LOOKS[verdict])
    for place, (paper, numbers) in enumerate(counts.iterrows()):
        total = f"{numbers.sum():,} numbers, {numbers[CONTRADICTED].sum()} contradicted"
        above = {"va": "bottom", "size": 9}
        ax.text(0, place - 0.32, display_name(paper), weight="bold", **above)
        ax.text(100, place - 0.32, total, ha="right", **above)
    ax.set(xlim=(0, 100), ylim=(len(counts) - 0.6, -0.8), yticks=[])
    ax.set_xlabel("share of the paper's printed numbers, %")
    ax.grid(visible=False)
    ax.spines[["left", "bottom"]].set_visible(False)
    totals = counts.sum()
    present = totals[totals > 0]
    fig.legend(
        handles=[
            Patch(label=f"{verdict}: {n:,}", **LOOKS[verdict]) for verdict, n in present.items()
        ],
        ncols=2,
        loc="upper left",
        bbox_to_anchor=(EDGE / WIDTH, -0.1 / fig.get_figheight()),
        borderaxespad=0,
        borderpad=0,
        columnspacing=1.5,
        handlelength=1.2,
        handleheight=1.0,
    )
    return fig


def describe_rows(tasks):
    """Return what stands in each task's row, as ROWS has it: a DataFrame by task with texts, judge,
    measure, counts. A study that ROWS does not know has an accuracy and counts."""
    described = {}
    for task in tasks:
        unknown = Row(task.partition(":")[0], "best judge", "accuracy")
        fitting = [row for begins, row in ROWS.items() if task.startswith(begins)]
        described[task] = (fitting or [unknown])[0]
    index = pd.Index(described, name="row")
    return pd.DataFrame(list(described.values()), index, Row._fields)


def widen_all(rows, tests):
    """Return the rows of one judge in several tasks (by task: estimate, low, high, n), each
    interval widened for `tests` on the scale on which it was made, within -1 and 1."""
    wide = {}
    for task, row in rows.iterrows():
        scale = None if task.startswith(MEANS_OF_RHO) else "correlation"
        wide[task] = intervals.widen(row, tests, scale)
    wide = pd.DataFrame(wide).T
    wide[["low", "high"]] = wide[["low", "high"]].clip(-1, 1)
    return wide


def find_smallest_visible(rows, tests):
    """Return the correlation that would be clear, by intervals so widened, in 80 of 100 such
    studies, by task; rows, tests: of `widen_all`; the width of an interval on Fisher's z is taken
    to be the same around 0."""
    ends = np.arctanh(rows[["low", "high"]].clip(-0.999, 0.999))
    halves = (ends["high"] - ends["low"]) / 2
    level = 1 - 0.05 / tests
    least_z = [intervals.find_visible(half, n, level) for half, n in zip(halves, rows["n"])]
    return pd.Series(np.tanh(least_z), rows.index)


def forest(best, title):
    """Return the figure of all studies: a panel per measure, in each task the best judge, a person
    and the best controls, which read nothing. best: of `compare.from_values(values, "best judge")`;
    ROWS says whose measure is an accuracy, whose a correlation."""
    best = best[~best.index.get_level_values("row").str.contains(" less ")]  # no leads
    rows = describe_rows(best.index.unique("task"))
    is_accuracy = rows["measure"].str.endswith("accuracy")
    both = [(rows[is_accuracy], ACCURACY), (rows[~is_accuracy], CORRELATION)]
    both = [(its, scale) for its, scale in both if len(its)]
    sizes = [len(its) for its, _ in both]
    fig, axes = figures.panels(len(both), 0.9 + 0.8 * sum(sizes), height_ratios=sizes)
    for ax, (its, scale) in zip(axes, both):
        draw_panel(ax, best, its, scale, labelled=ax is axes[0])
    measured = "against people; lines: 95 % intervals"
    figures.head(fig, title, figures.subtitle(measured, "", "open"))
    return fig


def draw_panel(ax, best, rows, scale, labelled):
    """Draw one panel of `forest`. rows: its lines, of `describe_rows`; scale: (chance, its name,
    the measure); labelled: do the first line's dots have labels?"""
    chance, guess, measure = scale
    tasks = list(rows.index)
    names = [textwrap.fill(display_name(task), 24) for task in tasks]
    names = [f"{name}\n({judge})" for name, judge in zip(names, rows["judge"])]
    ax.set(yticks=range(len(tasks)), yticklabels=names, ylim=(len(tasks) - 0.5, -0.5))
    ax.set(xlim=(min(chance, best.loc[tasks, "low"].min()) - 0.05, 1), xlabel=measure)
    ax.grid(axis="y", visible=False)
    for begins, (colour, word, shift) in SCORERS.items():
        is_scorer = best.index.get_level_values("row").str.startswith(begins)
        of_scorer = best[is_scorer].droplevel("row")
        present = [task for task in tasks if task in of_scorer.index]
        places = [tasks.index(task) + shift for task in present]
        figures.draw_dots(ax, of_scorer.loc[present], places, [colour] * len(present))
        if labelled and present:
            first = of_scorer.loc[present[0]]
            figures.label_dot(ax, places[0], first, word, figures.colour_of(colour))
    figures.mark(ax, {guess: chance})
