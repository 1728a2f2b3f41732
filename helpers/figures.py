"""One look for all figures: style, colours keyed to meaning, and pictures with alternative text."""

import io
import os
import textwrap
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import PIL.Image
import PIL.PngImagePlugin
import seaborn as sns
from IPython.display import Image, Markdown, display
from matplotlib.transforms import Bbox
from scipy.optimize import isotonic_regression

from helpers.sources.names import display_name
from helpers.sources.public import ROOT

# a name in a script that the font has not is drawn as boxes; the tables hold it
warnings.filterwarnings("ignore", message="Glyph .* missing from font")

# One meaning a colour in all notebooks; every colour has a contrast of 3:1 or more against white
COLOURS = {
    "human": "#0072B2",
    "NewYorker": "#0072B2",
    "judge": "#D55E00",
    "baseline": "#767676",
    "published": "#000000",
    "simulated": "#00806B",  # what a paper prints has hollow marks
    # told apart by their labels
    "machine": "#8C4799",
    "Claude": "#8C4799",
    "GPT4": "#8C4799",
    "GPT3.5": "#8C4799",
    "good": "#4A2E12",
    "medium": "#88591F",
    "bad": "#B28A4E",  # tiers: dark to light
    # verdicts of the ledger
    "reproduced": "#00441B",
    "consistent": "#1B7837",
    "not contradicted": "#5A9E5A",
    "differs": "#CB3A56",
    "inconsistent": "#7A0019",
    "unverifiable": "#8C8C8C",
}
KINDS = {  # the words beside the marks
    "human": "human raters",
    "judge": "judge",
    "baseline": "control",
    "published": "printed",
    "simulated": "simulated",
    "machine": "machine writers",
}
# the colour of a kind of scorer in a table of `measures.compare`
SCORERS = {"judge": "judge", "person": "human", "control": "baseline", "ceiling": "simulated"}
FROM = {"open": "open data", "simulated": "simulated data", "published": "printed numbers"}
FROM["recorded"] = "recorded answers"
WIDTH = 4.8  # inches: the widest figure; its text is then legible at 360 pixels
# points of all text and of a figure's title; the grey of subtitles and lines
SMALL, LARGE, DARK = 9, 11, "#444444"
LABEL = {
    "size": SMALL,
    "textcoords": "offset points",
    "annotation_clip": False,
    "va": "center",
    "zorder": 2.4,
    # of a label within the plot
    "bbox": {"fc": "white", "ec": "none", "pad": 0.5, "alpha": 0.8},
}
AT_THE_TOP = []  # the pictures that `show_saved` has shown on this page
UNSEEN = 64  # of 255: how far a pixel's colour may be off on another processor


def style():
    """Set the shared look, as `panels` does before it draws."""
    texts = ["font.size", "axes.titlesize", "axes.labelsize", "xtick.labelsize", "ytick.labelsize"]
    look = dict.fromkeys([*texts, "legend.fontsize", "figure.labelsize"], SMALL)
    look |= {"figure.dpi": 200, "savefig.dpi": 200, "figure.figsize": (WIDTH, 3)}
    look |= {"axes.titlelocation": "left", "axes.titleweight": "bold", "legend.frameon": False}
    look |= {"axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True}
    look |= {"grid.color": "#DDDDDD", "grid.linewidth": 0.6}
    look |= {"axes.edgecolor": "#999999", "axes.linewidth": 0.8, "figure.max_open_warning": 0}
    sns.set_theme(style="whitegrid", font="DejaVu Sans", rc=look)


def subtitle(measure, n="", source="", better="right"):
    """Return a figure's second line: measure · n · source · better; what is empty left out."""
    # no line breaks within these
    whole = [FROM.get(source, source) or "", f"{better} is better" if better else ""]
    return " · ".join(
        filter(None, [measure, n, *(part.replace(" ", "\N{NO-BREAK SPACE}") for part in whole)])
    )


def plain(text):
    """Return a reader's words as matplotlib is to draw them: a dollar begins no formula."""
    return text.replace("$", r"\$")


def head(fig, title, subtitle=""):
    """Write the finding and what is measured above a figure, both from its left edge."""
    width, height = fig.get_size_inches()
    up = 0.09
    dark, bold = {"color": DARK}, {"weight": "bold"}
    for text, size, look in ((subtitle, SMALL, dark), (title, LARGE, bold)):
        text = plain(text or "").replace(" · ", "\N{NO-BREAK SPACE}· ")  # no line begins with a dot
        lines = textwrap.wrap(text, int(width * (114 if size == LARGE else 124) / size))
        place = (0.04 / width, 1 + up / height)
        fig.text(*place, "\n".join(lines), size=size, va="bottom", linespacing=1.2, **look)
        up += len(lines) * size * 1.4 / 72 + 0.03


def png(fig):
    """Return the figure as PNG bytes, the same bytes for the same figure."""
    fig.draw_without_rendering()
    (width, _), drawn, buffer = fig.get_size_inches(), fig.get_tightbbox(), io.BytesIO()
    left, right = min(0, drawn.x0), max(width, drawn.x1)
    box = Bbox.from_extents(left, drawn.y0 - 0.05, right, drawn.y1 + 0.05)
    fig.savefig(buffer, format="png", bbox_inches=box)
    plt.close(fig)
    small = io.BytesIO()  # 128 colours: a third of the bytes
    PIL.Image.open(buffer).convert("RGB").quantize(128).save(small, "png", optimize=True)
    return small.getvalue()


def show(fig, alt, title=None, subtitle=None, save=None):
    """Display a figure with its alternative text (required); save: also as a PNG that keeps it.

    alt: where it ends in a colon, the rows of `dots` follow; save: a path, relative to the project.
    """
    if not alt.strip():
        raise ValueError(
            "a figure needs alternative text: say what it shows and what a reader should see in it"
        )
    if title:
        head(fig, title, subtitle)
    picture, alt = png(fig), f"{alt} {fig.get_label()}" if alt.endswith(":") else alt
    if is_at_the_top(picture):
        display(Markdown("*This cell draws the figure at the top of the page.*"))
    else:
        display_picture(picture, alt)
    if save:
        told = PIL.PngImagePlugin.PngInfo()
        told.add_itxt("Description", alt)
        (ROOT / save).parent.mkdir(parents=True, exist_ok=True)
        PIL.Image.open(io.BytesIO(picture)).save(ROOT / save, "png", optimize=True, pnginfo=told)


def show_saved(path):
    """Display a PNG file that `show` wrote, with the alternative text that it keeps; `show` draws
    the same picture no second time on this page."""
    picture = Path(path).read_bytes()
    AT_THE_TOP.append(picture)
    display_picture(picture, PIL.Image.open(io.BytesIO(picture)).text["Description"])


def is_at_the_top(picture):
    """Return whether `show_saved` has shown the same picture; in a reader's Jupyter session always
    False, so that a cell shows what it draws."""
    if "JPY_SESSION_NAME" in os.environ:
        return False
    return any(look_alike(picture, other) for other in AT_THE_TOP)


def look_alike(*pictures):
    """Return whether two PNG pictures are the same to the eye."""
    one, other = (PIL.Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures)
    if one.size != other.size:
        return False
    return int(np.abs(np.asarray(one, int) - np.asarray(other, int)).max()) <= UNSEEN


def display_picture(picture, alt):
    """Display PNG bytes at a readable size."""
    # a PNG says its width there; 1.5 pixels a CSS pixel
    wide = int.from_bytes(picture[16:20], "big")
    display(Image(picture, alt=alt, width=round(wide / 1.5)))


def mark(ax, references, along="x"):
    """Draw dashed lines {label: value}, labelled above (along x) or at the left (along y)."""
    for place, (label, value) in enumerate(references.items()):
        (ax.axvline if along == "x" else ax.axhline)(value, color=DARK, lw=1, ls="--", zorder=1)
        at, off, side, how = (0, value), (3, 7), "left", ax.get_yaxis_transform()
        if along == "x":
            side = "right" if value > sum(ax.get_xlim()) / 2 else "left"
            at, off, how = (value, 1), (0, 7 + 12 * place), ax.get_xaxis_transform()
        ax.annotate(label, at, off, xycoords=how, ha=side, color=DARK, **LABEL)


def spread(values, gap):
    """Return the places nearest to `values` in their order, at least `gap` apart."""
    order = np.argsort(values, kind="stable")
    steps, places = gap * np.arange(len(order)), np.empty(len(order))
    places[order] = isotonic_regression(np.asarray(values, float)[order] - steps).x + steps
    return places


def label_lines(ax, ends, colours):
    """Name each line right of the axes; ends: {name: y}, colours: {name: colour}."""
    ax.figure.draw_without_rendering()  # only now has the axes its height
    low, high = ax.get_ylim()
    gap = (high - low) * 12 / 72 * ax.figure.dpi / ax.get_window_extent().height
    beside = dict.fromkeys(("xycoords", "textcoords"), ax.get_yaxis_transform())
    for (name, y), place in zip(ends.items(), spread(list(ends.values()), gap)):
        look = {"va": "center", "size": SMALL, "color": COLOURS.get(colours[name], colours[name])}
        ax.annotate(name, (1, y), (1.03, place), **beside, **look)


def panels(n, height, across=False, **shared):
    """Return (fig, n axes), `height` inches in all; shared: for `plt.subplots`, such as sharex."""
    style()
    size = {"ncols": n} if across else {"nrows": n}
    how = {"figsize": (WIDTH, height), "layout": "constrained", "squeeze": False}
    fig, axes = plt.subplots(**size, **how, **shared)
    return fig, axes.ravel()


def lines(table, title, measure, colours=None, *, bold=(), **told):
    """Return a figure with a line per column over the rows of a table, named at its right end.

    colours: {column: colour or a key of COLOURS}, else human; published has hollow dots; bold:
    {column: table with low and high}, lines that are drawn bold with their intervals. The rest: as
    in `dots`, but that higher is better.
    """
    colours = dict.fromkeys(table, "human") | (colours or {})
    fig, (ax,) = panels(1, 3.6)
    places = np.arange(len(table))
    for name, column in table.items():
        colour = COLOURS.get(colours[name], colours[name])
        face = "white" if colours[name] == "published" else colour
        size = {"lw": 3, "ms": 7} if name in bold else {"lw": 1.2, "ms": 4}
        ax.plot(places, column, "o-", color=colour, mfc=face, **size)
        if name in bold:
            ax.vlines(places, bold[name]["low"], bold[name]["high"], color=colour, lw=2)
    ax.set(xticks=places, xticklabels=table.index, xlabel=table.index.name or "")
    ax.set(xlim=(-0.2, len(table) - 0.8), ylabel=measure)
    label_lines(ax, table.iloc[-1].to_dict(), colours)
    drawn = "bars: 95\N{NO-BREAK SPACE}%\N{NO-BREAK SPACE}intervals" if len(bold) else ""
    head(fig, title, " · ".join(filter(None, [subtitle("", better="higher", **told), drawn])))
    return fig


def rows(labels, n=1, height=0.27):
    """Return (fig, axes, y of each row): n stacked panels, a row `height` inches a line."""
    lines = [textwrap.fill(label, 24) for label in labels]
    heights = np.array([1 + 0.5 * line.count("\n") for line in lines])
    fig, axes = panels(n, n * (0.4 + height * heights.sum()), sharex=True)
    places = heights.cumsum() - heights / 2
    for ax in axes:
        ax.set(yticks=places, yticklabels=lines, ylim=(heights.sum(), 0))
        ax.grid(axis="y", visible=False)
        ax.locator_params("x", nbins=6)
    return fig, axes, places


def dots(table, title, measure, references=(), colours=None, *, xlim=None, kinds=KINDS, **told):
    """Return a figure with one dot and interval per row, in the table's order from the top.

    table: estimate, low, high, n, its index the row labels; references: {label: x} of vertical
    lines, labelled in the plot; colours: {row label: colour or a key of COLOURS}, else as the row's
    `kind` says; kinds: {colour: word beside the first such row}, if there are several. `title` is
    the finding, `measure` names the axis, `told` (n with its unit, source, better) is the subtitle.
    """
    parts = [label if isinstance(label, tuple) else (label,) for label in table.index]
    names = [" · ".join(map(str, part)) for part in parts]
    fig, (ax,), places = rows(
        [plain(" · ".join(map(str, map(display_name, part)))) for part in parts]
    )
    if xlim:  # None would freeze the limits before anything is drawn
        ax.set_xlim(xlim)
    given = table.get("kind", ["judge"] * len(table))
    keys = [(colours or {}).get(name, SCORERS.get(kind, kind)) for name, kind in zip(names, given)]
    draw_dots(ax, table, places, keys, kinds)
    mark(ax, dict(references))
    label = textwrap.fill(plain(measure), 48)
    fig.set_figheight(fig.get_figheight() + 0.19 * (1 + label.count("\n")))
    ax.set_xlabel(label)
    drawn = "lines: 95 % intervals" if table["low"].notna().any() else ""
    drawn = drawn.replace(" % ", "\N{NO-BREAK SPACE}%\N{NO-BREAK SPACE}")
    head(fig, title, " · ".join(filter(None, [subtitle("", **told), drawn])))
    rows_told = zip(names, table["estimate"])
    fig.set_label("; ".join(f"{name} {one:z.2f}" for name, one in rows_told if one == one))
    return fig


def draw_dots(ax, table, places, keys, kinds=KINDS):
    """Draw a dot and an interval per row; keys: its colours, the first of each named."""
    for place, key, (_, one) in zip(places, keys, table.iterrows()):
        colour, ends = COLOURS.get(key, key), [one["low"], one["high"]]
        ax.plot(ends, [place, place], color=colour, lw=2, solid_capstyle="butt")
        inside = "white" if key == "published" else colour
        ax.plot(one["estimate"], place, "o", color=colour, ms=6, mfc=inside)
    for key in dict.fromkeys(keys) if len(set(keys)) > 1 else ():
        first = keys.index(key)
        label_dot(ax, places[first], table.iloc[first], kinds.get(key, ""), COLOURS.get(key, key))


def label_dot(ax, place, row, text, colour):
    """Write a word beside a row's interval, on the side with more room."""
    left, right = ax.get_xlim()
    x, off, side = row["low"], -5, "right"
    if right - row["high"] > row["low"] - left:
        x, off, side = row["high"], 5, "left"
    ax.annotate(text, (x, place), (off, 0), ha=side, color=colour, **LABEL)


def titled(source, finding):
    """Return a figure's title; a figure of simulated data says so first."""
    return finding if source == "open" else f"SIMULATED, calibrated to the paper: {finding}"


def explore(draw, name, value, low, high):
    """Show `draw(value)`, in a Jupyter session with a slider."""
    # set by Jupyter's server for a reader's kernel, not by papermill
    if "JPY_SESSION_NAME" not in os.environ:
        return draw(value)
    import ipywidgets

    slider = ipywidgets.IntSlider(value=value, min=low, max=high, description=name)
    return ipywidgets.interact(draw, **{name: slider})
