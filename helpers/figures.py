"""One look for all figures: style, colours keyed to meaning, and pictures with alternative text."""
import io
import os
from pathlib import Path

import matplotlib.pyplot as plt
import seaborn as sns
from IPython.display import Image, display

# Okabe-Ito, safe for colour-blind readers; one meaning a colour in all notebooks
COLOURS = {"human": "#0072B2", "NewYorker": "#0072B2", "Claude": "#D55E00", "GPT4": "#009E73", "GPT3.5": "#CC79A7",
           "judge": "#D55E00", "baseline": "#999999", "ceiling": "#0072B2", "published": "#000000", "ours": "#E69F00",
           "simulated": "#56B4E9", "good": "#0072B2", "medium": "#E69F00", "bad": "#CC79A7",
           "reproduced": "#0072B2", "consistent": "#56B4E9", "differs": "#D55E00", "inconsistent": "#CC79A7",
           "not contradicted": "#BFE3F7", "unverifiable": "#C8C8C8"}


def style():
    """Set the shared look; call once in the import cell."""
    sns.set_theme(style="whitegrid", context="notebook", rc={
        "figure.dpi": 100, "savefig.dpi": 100, "axes.titlelocation": "left", "axes.titleweight": "bold",
        "axes.titlesize": 11, "axes.labelsize": 10, "legend.frameon": False, "axes.spines.top": False,
        "axes.spines.right": False, "svg.hashsalt": "judging-creativity", "figure.max_open_warning": 0})


def png(fig):
    """Return the figure as PNG bytes, the same bytes for the same figure."""
    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", bbox_inches="tight", metadata={"Software": None})
    plt.close(fig)
    return buffer.getvalue()


def show(fig, alt, title=None, save=None):
    """Display a figure with its alternative text (required); `title` states the finding; `save`: also a PNG file there."""
    if not alt.strip():
        raise ValueError("a figure needs alternative text: say what it shows and what a reader should see in it")
    if title:
        fig.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    picture = png(fig)
    if save:
        Path(save).parent.mkdir(parents=True, exist_ok=True)
        Path(save).write_bytes(picture)
    display(Image(picture, alt=alt))


def dots(table, title, measure, references=(), colours=None, better="right", xlim=None):
    """Return a figure with one dot and interval a row, in the table's order from the top.

    table: estimate, low, high, n, its index the row labels; references: {label: x} of vertical lines, labelled in the plot;
    colours: {row label: colour or a key of COLOURS}. `title` is the finding; `measure` names what is measured, of what n.
    """
    names = [" · ".join(map(str, name)) if isinstance(name, tuple) else str(name) for name in table.index]
    fig, ax = plt.subplots(figsize=(7.2, 0.36 * len(table) + 1.3), layout="constrained")
    for place, (name, (_, one)) in enumerate(zip(names, table.iterrows())):
        colour = (colours or {}).get(name, "judge")
        colour = COLOURS.get(colour, colour)
        ax.plot([one["low"], one["high"]], [place, place], color=colour, lw=2, solid_capstyle="butt")
        ax.plot(one["estimate"], place, "o", color=colour, ms=6)
    for label, x in dict(references).items():
        ax.axvline(x, color="#555555", lw=1, ls="--", zorder=0)
        ax.text(x, -0.75, f" {label}", fontsize=8, color="#333333", va="bottom")
    ax.set(yticks=range(len(names)), yticklabels=names, ylim=(len(names) - 0.4, -1.0 if dict(references) else -0.6), xlim=xlim)
    ax.set_xlabel(f"{measure}; lines: 95 % interval" + (f"; {better} is better" if better else ""), fontsize=9)
    ax.grid(axis="y", visible=False)
    fig.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    return fig


def titled(source, finding):
    """Return a figure's title; a figure of simulated data says so first."""
    return finding if source == "open" else f"SIMULATED, calibrated to the paper: {finding}"


def explore(draw, static, name, value, low, high):
    """Show a slider `name` from low to high in a Jupyter session (calls `draw(value)`); headless, call `static()` instead."""
    if "JPY_SESSION_NAME" not in os.environ:  # set by Jupyter's server for a reader's kernel, not by papermill
        return static()
    import ipywidgets

    return ipywidgets.interact(draw, **{name: ipywidgets.IntSlider(value=value, min=low, max=high, description=name)})
