"""The picture of a card: who follows people how far, as dots with their intervals.

`lay_out` places the dots, for the page (`page.html.j2` draws them) and for matplotlib (`plot`).
"""

import io
import math
import textwrap
import warnings
from typing import NamedTuple

from goodjudge.card import texts, wording
from goodjudge.card.shapes import CEILING, CONTROL, JUDGE, KINDS, PERSON, WRITER

MOST = 12  # rows of one kind in the picture
COLOURS = {  # dark enough for text on white
    JUDGE: "#b43403",
    PERSON: "#0b5c94",
    CONTROL: "#52525b",
    WRITER: "#6d3bb5",
    CEILING: "#0b6b4f",
}
BESIDE = {PERSON: "one more rater", CONTROL: "controls", CEILING: "the ceiling"}
MARKS = {JUDGE: "o", PERSON: "D", CONTROL: "s", WRITER: "^", CEILING: "|"}


class Dot(NamedTuple):
    """One row of the picture: its name, and where it lies.

    estimate, low, high: as numbers (low and high nan where there is no interval); at, left, right:
    the same in per cent of the picture's width, cut at its ends; shown: the numbers as text.
    """

    name: str
    estimate: float
    low: float
    high: float
    at: float
    left: float
    right: float
    shown: str


class Layout(NamedTuple):
    """The picture: groups of dots with their headings, ticks [(per cent, text)], where guessing
    lies, where the ceiling's interval lies ((left, right), None for none) and its estimate, in per
    cent, and how many rows are left out."""

    groups: list
    ticks: list
    guess: float
    band: tuple | None
    ceiling: float | None
    left_out: int

    @property
    def has_lines(self):
        """Whether any row has an interval."""
        return any(texts.is_known(dot.low) for _, _, dots in self.groups for dot in dots)


def lay_out(card):
    """Return the `Layout` of a card's picture; judges stand first, the largest number first."""
    table = card.comparison.dropna(subset=["estimate"])
    first, last, step = find_range(table, card.guess)

    def place(value):
        return round(100 * (min(max(value, first), last) - first) / (last - first), 2)

    groups, left_out = [], 0
    for kind, heading in KINDS.items():
        rows = table[table["kind"] == kind]
        rows = rows.loc[rows["estimate"].astype(float).round(10).sort_values(
            ascending=False, kind="stable").index]  # fmt: skip
        left_out += max(len(rows) - MOST, 0)
        dots = [make_dot(name, row, place) for name, row in rows.head(MOST).iterrows()]
        if dots:
            groups.append((kind, heading, dots))
    top = [dot for kind, _, dots in groups if kind == CEILING for dot in dots]
    band = ceiling = None
    if top:
        ceiling = top[0].at
        if texts.is_known(top[0].low):
            band = (top[0].left, top[0].right)
    count = round((last - first) / step)
    ticks = [first + step * number for number in range(count + 1)]
    labels = [(place(tick), f"{tick:z.1f}" if step >= 0.1 else f"{tick:z.2f}") for tick in ticks]
    return Layout(groups, labels, place(card.guess), band, ceiling, left_out)


def find_range(table, guess):
    """Return (first, last, step) of the axis: all estimates and, as far as they are no further
    than 0.35 beyond these, the ends of the intervals."""
    estimates = [float(value) for value in table["estimate"]] + [guess]
    ends = [float(value) for name in ("low", "high") for value in table[name].dropna()]
    least, most = min(estimates) - 0.35, max(estimates) + 0.35
    values = estimates + [min(max(end, least), most) for end in ends]
    span = max(max(values) - min(values), 0.1)
    step = next((one for one in (0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if span / one <= 7), span / 6)
    first, last = (math.floor(min(values) / step + 1e-9), math.ceil(max(values) / step - 1e-9))
    return first * step, max(last, first + 1) * step, step


def make_dot(name, row, place):
    """Return a row of a comparison as `Dot`; place: a number -> per cent of the width."""
    estimate, low, high = (wording.as_number(row[end]) for end in ("estimate", "low", "high"))
    has_interval = texts.is_known(low) and texts.is_known(high)
    left, right = (place(low), place(high)) if has_interval else (place(estimate),) * 2
    shown = wording.show_row(row)
    return Dot(texts.clean(name), estimate, low, high, place(estimate), left, right, shown)


def make_title(card):
    """Return the picture's title: who is in it; simulated data say so."""
    kinds = set(card.comparison.dropna(subset=["estimate"])["kind"])
    there = [said for kind, said in BESIDE.items() if kind in kinds]
    about = " and ".join(filter(None, [", ".join(there[:-1]), *there[-1:]]))
    if card.judge is None:
        about = f"{about[:1].upper()}{about[1:]}"
    else:
        about = f"{wording.call(card.judge)} beside {about}" if about else wording.call(card.judge)
    return f"{about} (simulated data)" if card.simulated else about


def describe(card):
    """Return the picture in words, for those who do not see it."""
    told = []
    for _, heading, dots in lay_out(card).groups:
        rows = ", ".join(f"{texts.cut(dot.name)} {dot.shown}" for dot in dots)
        told.append(f"{heading}: {rows}.")
    measured = f"{card.measure} with {card.target}, {100 * card.level:g} % intervals in brackets"
    start = f"{make_title(card)}: {measured}."
    return f"{start} {' '.join(told)} Guessing has {card.guess:g}."


def plot(card):
    """Return the picture as a matplotlib figure, in inches as wide as a page of A4 with margins."""
    from matplotlib.figure import Figure

    layout = lay_out(card)
    lines = sum(len(dots) + 1 for _, _, dots in layout.groups)
    figure = Figure(figsize=(6.9, 1.2 + 0.27 * max(lines, 3)), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    if layout.band is not None:
        axes.axvspan(*layout.band, color=COLOURS[CEILING], alpha=0.13, linewidth=0)
    if layout.ceiling is not None:
        axes.axvline(layout.ceiling, color=COLOURS[CEILING], linewidth=1)
    axes.axvline(layout.guess, color="0.45", linewidth=1, linestyle=(0, (4, 3)))
    height, names = 0, []
    for kind, heading, dots in layout.groups:
        names.append((height, heading, "bold"))
        height += 1
        for dot in dots:
            if dot.right > dot.left:
                axes.plot([dot.left, dot.right], [height] * 2, color=COLOURS[kind], linewidth=2)
            axes.plot([dot.at], [height], MARKS[kind], color=COLOURS[kind], markersize=6.5)
            axes.text(101.5, height, dot.shown, va="center", fontsize=8, color=COLOURS[kind])
            names.append((height, texts.cut(dot.name, 34), "normal"))
            height += 1
    axes.set_ylim(height - 0.4, -0.6)
    axes.set_xlim(-1, 101)
    axes.set_yticks([at for at, *_ in names])
    axes.set_yticklabels([name for _, name, _ in names], fontsize=9, parse_math=False)
    for label, (_, _, weight) in zip(axes.get_yticklabels(), names):
        label.set_fontweight(weight)
    axes.set_xticks([at for at, _ in layout.ticks], [text for _, text in layout.ticks], fontsize=9)
    label = textwrap.fill(f"{card.measure} with {card.target} (dashed: guessing)", 90, max_lines=3)
    axes.set_xlabel(label, fontsize=9, parse_math=False)
    axes.tick_params(length=0)
    axes.spines[["left", "right", "top"]].set_visible(False)
    title = textwrap.fill(make_title(card), 66)
    figure.suptitle(title, fontsize=11, fontweight="bold", x=0.01, ha="left", parse_math=False)
    return figure


def make_png(card):
    """Return the picture as the bytes of a PNG file; letters that no font here has become boxes."""
    page = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        plot(card).savefig(page, format="png", metadata={"Software": None})
    return page.getvalue()
