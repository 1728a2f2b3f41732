"""Draw what all papers have in common: the verdicts on their numbers, and judges beside people."""

import json
import textwrap

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from goodjudge.stats import intervals
from matplotlib.patches import Patch

from helpers import figures, results
from helpers.audit.facts import BASES
from helpers.audit.ledger import CONTRADICTED, VERDICTS
from helpers.figures import COLOURS
from helpers.sources.names import display_name

SHOWN = VERDICTS[:-1]  # a blank cell stays empty
DECIDED_BY = VERDICTS[:-2]  # verdicts that rest on something
WIDTH, EDGE = 4.75, 0.04  # inches: a figure, and where its title begins
LOOKS = {
    verdict: {"facecolor": COLOURS[verdict], "edgecolor": "white", "linewidth": 0.4}
    for verdict in SHOWN
}
LOOKS["unverifiable"] = {
    "facecolor": "white",
    "edgecolor": COLOURS["unverifiable"],
    "hatch": "////////",
    "linewidth": 0.4,
}
A_USERS, KNOWING = "control that a user could have", "control that knows the author"
LEAD = f"the judge less {A_USERS}"  # the rows of `compare.summarise`
SCORERS = {  # of `forest`: what a row begins with, its colour, its word, how far it is off the line
    "the judge": ("judge", "judge", -0.3),
    "a person": ("human", "a person", -0.1),
    A_USERS: ("baseline", "without reading", 0.1),
    KNOWING: ("told", "told the author", 0.3),
}
TAUGHT = {  # tasks whose judge was trained on ratings by the same people: which nobody else has
    "EvolvR: one writer's stories, a regression with language models": (
        "a regression that was trained on ratings by the same people (HANNA, within one writer)"
    )
}
NO_PERSON = {  # why a study's rows have no person, by what its tasks begin with
    "Poetry": "no person: they are not rated"
}
CORRELATED = ("EvolvR", "Poetry")
MEANS_OF_RHO = ("Reference-based",)  # tasks whose ρ is a mean over groups, with a t interval
NO_STUDY = ("00", "06", "07")  # an introduction, the one that adds up, a page about any ratings
ACCURACY = (0.5, "guessing", "accuracy: balanced, or of pairs")
CORRELATION = (0.0, "no relation", "correlation: ρ in Poetry, else r")


def read_studies(outputs):
    """Return what the studies' notebooks have left in a folder, as `save_findings` wrote it, in
    their order. What a notebook that is no longer there has left, and a study of simulated people,
    is no study of ours. outputs: absolute, or relative to the project."""
    records = []
    for number, name in results.list_notebooks().items():
        path = results.ROOT / outputs / f"{name}.json"
        if number not in NO_STUDY and path.is_file():
            records.append(json.loads(path.read_text(encoding="utf8")))
    return [record for record in records if record["source"] != "simulated"]


def bars(coverage):
    """Return a figure with one bar per paper: shares of its printed numbers by verdict.

    coverage: papers x verdicts, how many numbers.
    """
    figures.style()
    counts = coverage[SHOWN]
    fig, ax = plt.subplots(figsize=(WIDTH, 0.62 * len(counts) + 0.3))
    fig.subplots_adjust(EDGE / WIDTH, 0.12, 1 - EDGE / WIDTH, 1)
    totals = counts.sum(axis=1)
    shares = (100 * counts).div(totals, axis=0)
    before = counts.cumsum(axis=1).shift(axis=1, fill_value=0)
    starts = 100 * before.div(totals, axis=0)
    for verdict in SHOWN:
        ax.barh(range(len(counts)), shares[verdict], 0.45, starts[verdict], **LOOKS[verdict])
    for place, (paper, numbers) in enumerate(counts.iterrows()):
        label_bar(ax, place, display_name(paper), numbers)
    ax.set(xlim=(0, 100), ylim=(len(counts) - 0.6, -0.8), yticks=[])
    ax.set_xlabel("share of the paper's printed numbers, %")
    ax.grid(visible=False)
    ax.spines[["left", "bottom"]].set_visible(False)
    draw_legend(fig, counts.sum())
    return fig


def label_bar(ax, place, paper, numbers):
    """Write a paper's name, and how many numbers it prints, above its bar; numbers: by verdict."""
    total = f"{numbers.sum():,} numbers, {numbers[CONTRADICTED].sum()} contradicted"
    height = place - 0.32
    ax.text(0, height, paper, va="bottom", weight="bold", size=9)
    ax.text(100, height, total, va="bottom", ha="right", size=9)


def draw_legend(fig, totals):
    """Draw the legend of `bars`; totals: numbers by verdict, a Series."""
    present = totals[totals > 0]
    keys = [Patch(label=f"{verdict}: {n:,}", **LOOKS[verdict]) for verdict, n in present.items()]
    corner = (EDGE / WIDTH, -0.1 / fig.get_figheight())
    fig.legend(
        handles=keys,
        ncols=2,
        loc="upper left",
        bbox_to_anchor=corner,
        borderaxespad=0,
        borderpad=0,
        columnspacing=1.5,
        handlelength=1.2,
        handleheight=1.0,
    )


def count_bases(lines):
    """Return how many lines of a ledger have which verdict on which basis: the verdicts on numbers
    x raw, code, printed; those that nothing can check are left out."""
    counts = pd.crosstab(lines["verdict"], lines["basis"])
    return counts.reindex(index=DECIDED_BY, columns=BASES[:-1], fill_value=0)


def list_leads(best):
    """Return each task's lead of its best judge over the best control that a user could have
    (estimate, low, high, n); `visible`, the lead that would be clear in 80 of 100 such studies; and
    the lead over the control that knows the author, where there is one.

    best: of `forest`; its intervals allow for the choice of the judge already.
    """
    leads = best.xs(LEAD, level="row")
    halves = leads["estimate"] - leads["low"]  # a lead is clear where this side is short enough
    visible = [intervals.find_visible(half, n) for half, n in zip(halves, leads["n"])]
    knowing = best.xs(f"the judge less {KNOWING}", level="row")[["estimate", "low", "high"]]
    names = [KNOWING, f"{KNOWING} low", f"{KNOWING} high"]
    return leads.assign(visible=visible).join(knowing.set_axis(names, axis=1))


def count_leads(leads):
    """Return {how: tasks} of the ready-made judges of texts that people rated: those that clearly
    lead what a user could have, those that clearly do not reach it, those of which the data tell
    neither.

    leads: of `list_leads`. Judges of TAUGHT are not ready-made; texts of NO_PERSON are not rated.
    """
    is_rated = ~leads.index.str.startswith(tuple(NO_PERSON))
    ready_made = leads[is_rated & ~leads.index.isin(list(TAUGHT))]
    ahead, behind = ready_made["low"] > 0, ready_made["high"] < 0
    return {
        "ahead": list(ready_made.index[ahead]),
        "behind": list(ready_made.index[behind]),
        "open": list(ready_made.index[~ahead & ~behind]),
    }


def find_study(task):
    """Return the study of a task: what stands before the first colon or bracket of its name."""
    return display_name(task).partition(": ")[0].partition(" (")[0].partition(",")[0]


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
    and the best control that reads nothing. best: of `compare.from_values(values, "best judge")`;
    tasks of studies in CORRELATED are correlations, the others accuracies."""
    is_lead = best.index.get_level_values("row").str.contains(" less ")
    best = best[~is_lead]
    tasks = best.index.unique("task")
    correlated = [task for task in tasks if task.startswith(CORRELATED)]
    accurate = [task for task in tasks if task not in correlated]
    sizes = [max(len(accurate), 1), max(len(correlated), 1)]
    fig, axes = figures.panels(2, 0.9 + 0.75 * sum(sizes), height_ratios=sizes)
    draw_panel(axes[0], best, accurate, ACCURACY, labelled=True)
    draw_panel(axes[1], best, correlated, CORRELATION, labelled=False)
    measured = "against people, or our own tiers; lines: 95 % intervals"
    figures.head(fig, title, figures.subtitle(measured, "", "open"))
    return fig


def draw_panel(ax, best, tasks, scale, labelled):
    """Draw one panel of `forest`. tasks: its lines, of `best`; scale: (chance, its name, the
    measure); labelled: do the first line's dots have labels?"""
    chance, guess, measure = scale
    names = [textwrap.fill(display_name(task), 24) for task in tasks]
    ax.set(yticks=range(len(tasks)), yticklabels=names, ylim=(len(tasks) - 0.5, -0.5))
    lowest = best.loc[tasks, "low"].min() if tasks else chance
    ax.set(xlim=(min(chance, lowest) - 0.05, 1), xlabel=measure)
    ax.grid(axis="y", visible=False)
    for begins in SCORERS:
        draw_scorer(ax, best, tasks, begins, labelled)
    for place, task in enumerate(tasks):
        if (task, "a person") not in best.index:
            say_why(ax, place, task, chance)
    figures.mark(ax, {guess: chance})


def draw_scorer(ax, best, tasks, begins, labelled):
    """Draw a scorer's dots in one panel; begins: of SCORERS; the rest as in `draw_panel`."""
    colour, word, shift = SCORERS[begins]
    is_scorer = best.index.get_level_values("row").str.startswith(begins)
    rows = best[is_scorer].droplevel("row")
    present = [task for task in tasks if task in rows.index]
    if not present:
        return
    places = [tasks.index(task) + shift for task in present]
    figures.draw_dots(ax, rows.loc[present], places, [colour] * len(present))
    if labelled:
        first = rows.loc[present[0]]
        figures.label_dot(ax, places[0], first, word, figures.colour_of(colour))


def say_why(ax, place, task, chance):
    """Write beside a line of `draw_panel` why it has no person, if `NO_PERSON` knows."""
    for begin, reason in NO_PERSON.items():
        if task.startswith(begin):
            colour = COLOURS["human"]
            right_of_line = (chance + 0.02, place + SCORERS["a person"][2])
            ax.text(*right_of_line, reason, va="center", size=figures.SMALL, color=colour)
