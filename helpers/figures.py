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
    "told": "#767676",  # a control that knows the author
    "published": "#000000",
    "simulated": "#00806B",
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
    "not contradicted": "#7D8FA0",
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
FROM = {
    "open": "open data",
    "simulated": "simulated data",
    "published": "printed numbers",
    "recorded": "recorded answers",
}
WIDTH = 4.8  # inches: the widest figure; its text is then legible at 360 pixels
SMALL = 9  # points: all text but titles
LARGE = 11  # points: a figure's title
DARK = "#444444"  # the grey of subtitles and lines
UNBROKEN = "\N{NO-BREAK SPACE}"
HOLLOW = ("published", "told")  # whose marks are empty
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
    look = {
        "font.size": SMALL,
        "axes.titlesize": SMALL,
        "axes.labelsize": SMALL,
        "xtick.labelsize": SMALL,
        "ytick.labelsize": SMALL,
        "legend.fontsize": SMALL,
        "figure.labelsize": SMALL,
        "figure.dpi": 200,
        "savefig.dpi": 200,
        "figure.figsize": (WIDTH, 3),
        "figure.max_open_warning": 0,
        "axes.titlelocation": "left",
        "axes.titleweight": "bold",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "axes.edgecolor": "#999999",
        "axes.linewidth": 0.8,
        "grid.color": "#DDDDDD",
        "grid.linewidth": 0.6,
        "legend.frameon": False,
    }
    sns.set_theme(style="whitegrid", font="DejaVu Sans", rc=look)


def subtitle(measure, n="", source="", better="right"):
    """Return a figure's second line: measure · n · source · better; what is empty is left out.

    No line breaks within the source and within "right is better".
    """
    source_words = FROM.get(source, source) or ""
    better_words = f"{better} is better" if better else ""
    return join_by_dots(
        measure, n, source_words.replace(" ", UNBROKEN), better_words.replace(" ", UNBROKEN)
    )


def join_by_dots(*texts):
    """Return the texts with a dot between them; an empty one is left out."""
    return " · ".join(text for text in texts if text)


def plain(text):
    """Return a reader's words as matplotlib is to draw them: a dollar begins no formula."""
    return text.replace("$", r"\$")


def head(fig, title, subtitle=""):
    """Write the finding and what is measured above a figure, both from its left edge."""
    bottom = 0.09  # inches above the figure
    bottom = write_above(fig, subtitle, bottom, SMALL, 124, color=DARK)
    write_above(fig, title, bottom, LARGE, 114, weight="bold")


def write_above(fig, text, bottom, size, letters, **look):
    """Write a text, `bottom` inches above a figure, in as many lines as it needs; return the bottom
    of what follows above it. A line holds `letters` / size letters for each inch of the figure."""
    width, height = fig.get_size_inches()
    words = plain(text or "").replace(" · ", f"{UNBROKEN}· ")  # no line begins with a dot
    lines = textwrap.wrap(words, int(width * letters / size))
    x = 0.04 / width
    y = 1 + bottom / height
    fig.text(x, y, "\n".join(lines), size=size, va="bottom", linespacing=1.2, **look)
    line_height = size * 1.4 / 72
    return bottom + len(lines) * line_height + 0.03


def png(fig):
    """Return the figure as PNG bytes, the same bytes for the same figure: its whole width, and all
    that is drawn."""
    fig.draw_without_rendering()
    drawn = fig.get_tightbbox()
    right = max(fig.get_size_inches()[0], drawn.x1)
    box = Bbox.from_extents(min(0, drawn.x0), drawn.y0 - 0.05, right, drawn.y1 + 0.05)
    fig.set_layout_engine("none")  # it is laid out by now
    full = io.BytesIO()
    quick = {"compress_level": 1}  # it is packed again below
    fig.savefig(full, format="png", bbox_inches=box, pil_kwargs=quick)
    plt.close(fig)
    picture = PIL.Image.open(full).convert("RGB")
    small = io.BytesIO()
    picture.quantize(128).save(small, "png", optimize=True)  # 128 colours: a third of the bytes
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
    if alt.endswith(":"):
        alt = f"{alt} {fig.get_label()}"
    picture = png(fig)
    if is_at_the_top(picture):
        display(Markdown("*This cell draws the figure at the top of the page.*"))
    else:
        display_picture(picture, alt)
    if save:
        path = ROOT / save
        path.parent.mkdir(parents=True, exist_ok=True)
        words = PIL.PngImagePlugin.PngInfo()
        words.add_itxt("Description", alt)
        PIL.Image.open(io.BytesIO(picture)).save(path, "png", optimize=True, pnginfo=words)


def show_saved(path):
    """Display a PNG file that `show` wrote, with the alternative text that it keeps; `show` draws
    the same picture no second time on this page."""
    picture = Path(path).read_bytes()
    AT_THE_TOP.append(picture)
    image = PIL.Image.open(io.BytesIO(picture))
    display_picture(picture, image.text["Description"])


def is_at_the_top(picture):
    """Return whether `show_saved` has shown a picture that is the same to the eye; in a reader's
    Jupyter session always False, so that a cell shows what it draws."""
    if "JPY_SESSION_NAME" in os.environ:
        return False
    mine = pixels(picture)
    for shown in map(pixels, AT_THE_TOP):
        if mine.shape == shown.shape and np.abs(mine - shown).max() <= UNSEEN:
            return True
    return False


def pixels(picture):
    """Return the colours of PNG bytes: height x width x (red, green, blue), 0 to 255."""
    return np.asarray(PIL.Image.open(io.BytesIO(picture)).convert("RGB"), int)


def display_picture(picture, alt):
    """Display PNG bytes at a readable size."""
    # a PNG says its width there; 1.5 pixels a CSS pixel
    wide = int.from_bytes(picture[16:20], "big")
    display(Image(picture, alt=alt, width=round(wide / 1.5)))


def mark(ax, references):
    """Draw dashed vertical lines {label: value}, labelled above the plot, each above the one
    before."""
    for number, (label, value) in enumerate(references.items()):
        ax.axvline(value, color=DARK, lw=1, ls="--", zorder=1)
        side = "right" if value > sum(ax.get_xlim()) / 2 else "left"
        frame = ax.get_xaxis_transform()
        shift = (0, 7 + 12 * number)
        ax.annotate(label, (value, 1), shift, xycoords=frame, ha=side, color=DARK, **LABEL)


def spread(values, gap):
    """Return the places nearest to `values` in their order, at least `gap` apart."""
    values = np.asarray(values, float)
    order = np.argsort(values, kind="stable")
    # places less these steps never fall: a monotone fit
    steps = gap * np.arange(len(order))
    fitted = isotonic_regression(values[order] - steps).x
    places = np.empty(len(order))
    places[order] = fitted + steps
    return places


def label_lines(ax, ends, colours):
    """Name each line right of the axes; ends: {name: y}, colours: {name: colour}."""
    ax.figure.draw_without_rendering()  # only now has the axes its height
    low, high = ax.get_ylim()
    pixels_high = ax.get_window_extent().height
    line_height = 12 / 72 * ax.figure.dpi  # pixels
    gap = (high - low) * line_height / pixels_high
    places = spread(list(ends.values()), gap)
    frame = ax.get_yaxis_transform()
    for (name, y), place in zip(ends.items(), places):
        colour = colour_of(colours[name])
        look = {"va": "center", "size": SMALL, "color": colour}
        ax.annotate(name, (1, y), (1.03, place), xycoords=frame, textcoords=frame, **look)


def colour_of(key):
    """Return the colour of a key of COLOURS; a colour stays as it is."""
    return COLOURS.get(key, key)


def panels(n, height, **shared):
    """Return (fig, n axes), `height` inches in all; shared: for `plt.subplots`, such as sharex."""
    style()
    shared |= {"figsize": (WIDTH, height), "layout": "constrained", "squeeze": False}
    fig, axes = plt.subplots(n, 1, **shared)
    return fig, axes.ravel()


def lines(table, title, measure, colours=None, **words):
    """Return a figure with a line per column over the rows of a table, named at its right end.

    colours: {column: colour or a key of COLOURS}, else human; published has hollow dots; words: of
    the subtitle, as in `dots`, but that higher is better unless `better` says otherwise.
    """
    colours = dict.fromkeys(table, "human") | (colours or {})
    fig, axes = panels(1, 3.6)
    ax = axes[0]
    places = np.arange(len(table))
    for name, column in table.items():
        colour = colour_of(colours[name])
        inside = "white" if colours[name] in HOLLOW else colour
        ax.plot(places, column, "o-", color=colour, mfc=inside, lw=1.2, ms=4)
    ax.set(xticks=places, xticklabels=table.index, xlabel=table.index.name or "")
    ax.set(xlim=(-0.2, len(table) - 0.8), ylabel=measure)
    label_lines(ax, table.iloc[-1].to_dict(), colours)
    head(fig, title, subtitle("", **({"better": "higher"} | words)))
    return fig


def rows(labels, n=1, height=0.27):
    """Return (fig, axes, y of each row): n stacked panels, a row `height` inches a line."""
    wrapped = [textwrap.fill(label, 24) for label in labels]
    breaks = np.array([label.count("\n") for label in wrapped])
    heights = 1 + 0.5 * breaks  # of each row, in lines
    total = heights.sum()
    fig, axes = panels(n, n * (0.4 + height * total), sharex=True)
    places = heights.cumsum() - heights / 2
    for ax in axes:
        ax.set(yticks=places, yticklabels=wrapped, ylim=(total, 0))
        ax.grid(axis="y", visible=False)
        ax.locator_params("x", nbins=6)
    return fig, axes, places


def dots(table, title, measure, references=(), colours=None, *, xlim=None, kinds=KINDS, **words):
    """Return a figure with one dot and interval per row, in the table's order from the top.

    table: estimate, low, high, n, its index the row labels; references: {label: x} of vertical
    lines, labelled in the plot; colours: {row label: colour or a key of COLOURS}, else as the row's
    `kind` says; kinds: {colour: word beside the first such row}, if there are several. `title` is
    the finding, `measure` names the axis, `words` (n with its unit, source, better) the subtitle.
    """
    labels = [name_row(label, display_name) for label in table.index]
    fig, axes, places = rows([plain(label) for label in labels])
    ax = axes[0]
    if xlim:  # None would freeze the limits before anything is drawn
        ax.set_xlim(xlim)
    keys = []
    for label, kind in zip(table.index, table.get("kind", ["judge"] * len(table))):
        keys.append((colours or {}).get(name_row(label, str), SCORERS.get(kind, kind)))
    draw_dots(ax, table, places, keys, kinds)
    mark(ax, dict(references))
    wrapped = textwrap.fill(plain(measure), 48)
    fig.set_figheight(fig.get_figheight() + 0.19 * (1 + wrapped.count("\n")))
    ax.set_xlabel(wrapped)
    has_intervals = table["low"].notna().any()
    drawn = f"lines: 95{UNBROKEN}%{UNBROKEN}intervals" if has_intervals else ""
    head(fig, title, join_by_dots(subtitle("", **words), drawn))
    shown = [f"{name} {x:z.2f}" for name, x in zip(labels, table["estimate"]) if not np.isnan(x)]
    fig.set_label("; ".join(shown))
    return fig


def name_row(label, to_name):
    """Return a row's label as text; the levels of several are joined by dots."""
    levels = label if isinstance(label, tuple) else (label,)
    return " · ".join(str(to_name(level)) for level in levels)


def draw_dots(ax, table, places, keys, kinds=KINDS):
    """Draw a dot and an interval per row; keys: its colours, the first of each named."""
    for place, key, (_, row) in zip(places, keys, table.iterrows()):
        colour = colour_of(key)
        inside = "white" if key in HOLLOW else colour
        ends = [row["low"], row["high"]]
        ax.plot(ends, [place, place], color=colour, lw=2, solid_capstyle="butt")
        ax.plot(row["estimate"], place, "o", color=colour, ms=6, mfc=inside)
    different = list(dict.fromkeys(keys))
    if len(different) > 1:
        for key in different:
            first = keys.index(key)
            word = kinds.get(key, "")
            label_dot(ax, places[first], table.iloc[first], word, colour_of(key))


def label_dot(ax, place, row, text, colour):
    """Write a word beside a row's interval, on the side with more room."""
    start, end = ax.get_xlim()
    is_right = end - row["high"] > row["low"] - start
    x, shift, side = (row["high"], 5, "left") if is_right else (row["low"], -5, "right")
    ax.annotate(text, (x, place), (shift, 0), ha=side, color=colour, **LABEL)


def explore(draw, name, value, low, high):
    """Show `draw(value)`, in a Jupyter session with a slider."""
    # set by Jupyter's server for a reader's kernel, not by papermill
    if "JPY_SESSION_NAME" not in os.environ:
        return draw(value)
    import ipywidgets

    slider = ipywidgets.IntSlider(value=value, min=low, max=high, description=name)
    return ipywidgets.interact(draw, **{name: slider})
