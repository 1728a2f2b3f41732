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


def titled(source, finding):
    """Return a figure's title; a figure of simulated data says so first."""
    return finding if source == "open" else f"SIMULATED, calibrated to the paper: {finding}"


def explore(draw, static, name, value, low, high):
    """Show a slider `name` from low to high in a Jupyter session (calls `draw(value)`); headless, call `static()` instead."""
    if "JPY_SESSION_NAME" not in os.environ:  # set by Jupyter's server for a reader's kernel, not by papermill
        return static()
    import ipywidgets

    return ipywidgets.interact(draw, **{name: ipywidgets.IntSlider(value=value, min=low, max=high, description=name)})
