"""What the slides of a lesson show and nothing else does: two pictures that the last row can read,
and the answers to the questions on them, computed like the notebooks' own."""

import base64
import html
from functools import cache

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from goodjudge.comparison import compare
from goodjudge.stats import metrics as statistics

from helpers import agreement, figures
from helpers.results import format_interval
from helpers.sources.names import display_name
from helpers.ttcw import ask, worth
from helpers.ttcw import load as ttcw

SIZE = (11, 5.4)  # inches; a slide shows 100 pixels an inch
LETTERS = 17  # points: 24 pixels on a slide of 1,280
WHO = {
    "control": ("taught by experts on\nthe same authors,\nreads nothing", "baseline"),
    "a person": ("a third expert", "human"),
    "the judge": ("the best of\nseven models", "judge"),
}


@cache
def load_judges():
    """Return who follows two experts as notebook 02 shows it: (stories, who): estimate, low, high,
    n. The interval of the best of seven judges holds for all seven at once."""
    people, recorded = ask.load_panel()
    parts = {}
    for stories, part in ttcw.split(people).items():
        found = compare.compare(
            part, recorded, statistics.balanced_accuracy, within=("aspect",), together=True
        )
        best = found.loc[found["kind"] == "judge", "estimate"].idxmax()
        # the best control has another name on other stories
        parts[stories] = compare.summarise(found, best).rename(
            index=lambda name: "control" if name.startswith(worth.TAUGHT) else name
        )
    return pd.concat(parts, names=["stories", "who"])


def draw(columns=1):
    """Return (fig, axes) of a slide's size, with letters that the last row can read."""
    figures.style()
    plt.rcParams.update({name: LETTERS for name in plt.rcParams if name.endswith("labelsize")})
    plt.rcParams.update({"font.size": LETTERS, "axes.titlesize": LETTERS})
    fig, axes = plt.subplots(ncols=columns, figsize=SIZE, layout="constrained", sharey=True)
    return fig, np.atleast_1d(axes)


def to_img(fig, alt):
    """Return a figure as an HTML image that needs no file."""
    source = f"data:image/png;base64,{base64.b64encode(figures.png(fig)).decode()}"
    return f'<img src="{source}" alt="{html.escape(alt)}">'


def picture_experts(verdicts):
    """Return (HTML image, words): the three experts' scores of each story, by writer."""
    slots = agreement.spread_slots(verdicts)
    writers = slots.index.get_level_values("story").str.split("_").str[1]
    fig, (ax,) = draw()
    ticks, top, means = [], 0, []
    for writer in reversed(ttcw.WRITERS):
        part = slots[writers == writer]
        part = part.iloc[part.mean(axis=1).argsort(kind="stable")[::-1]]
        colour = figures.COLOURS[writer]
        for y, (_, scores) in enumerate(part.iterrows(), top):
            ax.plot([scores.min(), scores.max()], [y, y], color=colour, lw=2)
            ax.plot(scores, [y] * len(scores), "o", color=colour, ms=6)
        ticks.append(top + len(part) / 2)
        top += len(part) + 3
        means.append(f"{display_name(writer)} {part.to_numpy().mean():.1f}")
    ax.set_yticks(ticks, map(display_name, reversed(ttcw.WRITERS)))
    ax.set(xlim=(-0.3, 14.3), ylim=(top - 2, -2), xlabel="tests passed, of 14: each dot an expert")
    ax.grid(axis="y", visible=False)
    words = (
        f"A line per story, from the strictest to the mildest of three experts. "
        f"Mean number of tests passed: {'; '.join(means)}."
    )
    return to_img(fig, words), words


def picture_judges(rows):
    """Return (HTML image, words): who follows two experts best, on all and on machine stories."""
    fig, axes = draw(2)
    words = []
    for ax, stories in zip(axes, ("48 stories", "36 machine stories")):
        table = rows.loc[stories]
        for y, (who, (_, kind)) in enumerate(WHO.items()):
            row = 100 * table.loc[who]
            ax.plot([row["low"], row["high"]], [y, y], color=figures.COLOURS[kind], lw=4)
            ax.plot(row["estimate"], y, "o", color=figures.COLOURS[kind], ms=15)
            ax.annotate(
                f"{row['estimate']:.0f}",
                (row["estimate"], y),
                (0, 14),
                ha="center",
                textcoords="offset points",
                size=LETTERS,
                weight="bold",
            )
        shown = {WHO[who][0].replace("\n", " "): format_interval(table.loc[who]) for who in WHO}
        words.append(f"{stories}: {', '.join(f'{who} {said}' for who, said in shown.items())}")
        ax.axvline(50, color=figures.DARK, ls="--", lw=1.5)
        ax.set(title=stories, xlim=(25, 102), ylim=(len(WHO) - 0.4, -0.7))
        ax.grid(axis="y", visible=False)
    axes[0].set_yticks(range(len(WHO)), [label for label, _ in WHO.values()])
    fig.supxlabel("balanced accuracy, % (dashed: a coin); the best model's interval is widened")
    words = (
        "Balanced accuracy against two experts who agree; 95 % intervals over 12 story groups, that"
        f" of the best of seven models widened for the choice. {'; '.join(words)}."
    )
    return to_img(fig, words), words


def answer_unanimous(verdicts):
    """Return the answer to *How can kappa be near 0?* as sentences; exercise 3 of notebook 01."""
    counts = agreement.count_passes(verdicts)
    machine = counts[~counts.index.get_level_values("story").str.endswith("NewYorker")]
    alike = np.isin(machine, [0, 3]).mean()
    no = (machine.to_numpy() == 0).mean()
    yes = machine.mean() / 3
    pairs = (np.isin(machine, [0, 3]) + np.isin(machine, [1, 2]) / 3).mean()
    chance = (yes**2 + (1 - yes) ** 2).mean()
    kappa = agreement.fleiss_kappa(machine).mean()
    return [
        f"All three experts say the same in **{alike:.2f}** of the cases, and nearly always that"
        f" is No: **{no:.2f}** of all cases.",
        f"Two experts agree in {pairs:.2f} of the cases. If they answered at random, with the same"
        f" share of Yes on each test, they would agree in {chance:.2f}.",
        f"Kappa takes that away, and **{kappa:.2f}** is left. One can be unanimous without having"
        " judged alike.",
    ]


def answer_accuracy(verdicts):
    """Return the answer to *In what share is it right?* as sentences; exercise 1 of notebook 02."""
    truth = ttcw.find_majority(verdicts)
    people = truth["writer"] == "NewYorker"
    passed = {
        name: truth.loc[rows, "truth"].mean()
        for name, rows in {"people": people, "machines": ~people}.items()
    }
    right = {name: 0.9 * share + 0.1 * (1 - share) for name, share in passed.items()}
    return [
        f"Most experts say Yes to {passed['people']:.2f} of these cases. So it is right in"
        f" 0.9 × {passed['people']:.2f} + 0.1 × {1 - passed['people']:.2f} ="
        f" **{right['people']:.2f}** of them, and has read nothing.",
        f"About machine stories the same judge is right in **{right['machines']:.2f}**: plain"
        " accuracy says how common Yes is.",
        "*Balanced accuracy* takes the passed and the failed cases apart and averages the two: 0.9"
        " and 0.1 make **0.50**, on any stories.",
    ]


def fill():
    """Return {mark of deck.md: what stands there}."""
    verdicts = ttcw.load_verdicts()
    marks = {}
    marks["figure 01"], marks["words 01"] = picture_experts(verdicts)
    marks["figure 02"], marks["words 02"] = picture_judges(load_judges())
    for name, answer in {"01": answer_unanimous, "02": answer_accuracy}.items():
        marks[f"answer {name}"] = "\n".join(f"- {said}" for said in answer(verdicts))
    return marks
