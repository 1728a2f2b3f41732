"""The look of all figures: colours that can be seen and told apart, labels that do not overlap, the
same bytes again."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb

from helpers import figures
from helpers.audit.ledger import VERDICTS

TABLE = pd.DataFrame(
    {"estimate": [0.7, 0.1], "low": [0.6, -0.2], "high": [0.8, 0.4], "n": 12},
    index=["a judge with a name that is too long for one line", "number of words"],
)
TITLE = "Some judges agree with human experts more than mere counts of words, most do not"
# what a figure sets against each other
KINDS = ("human", "judge", "baseline", "published", "simulated", "machine")
TIERS = ("good", "medium", "bad")


def light(colour):
    """Return a colour's relative luminance (WCAG 2): 0 for black, 1 for white."""
    channels = np.array(to_rgb(colour))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize("name", [*figures.COLOURS, "DARK"])
def test_every_colour_stands_out_from_white(name):
    colour = figures.COLOURS.get(name, figures.DARK)
    least = 4.5 if name == "DARK" else 3  # text needs more than a mark
    contrast = 1.05 / (light(colour) + 0.05)
    assert contrast >= least


def test_one_colour_has_one_meaning():
    verdicts = [name for name in VERDICTS if name in figures.COLOURS]
    for first, second in combinations([*KINDS, *TIERS, *verdicts], 2):
        alike = figures.COLOURS[first] == figures.COLOURS[second]
        assert not alike, f"{first} and {second} look alike"


def draw():
    """Return a dot plot of TABLE: two rows of two kinds, a reference line, a subtitle."""
    return figures.dots(
        TABLE,
        TITLE,
        "r with experts",
        {"0.5 = guessing": 0.5},
        {"number of words": "baseline"},
        n="12 groups",
        source="open",
    )


@pytest.fixture
def axes():
    """Return the axes of `draw`."""
    return draw().axes[0]


def test_a_dot_plot_has_a_dot_and_an_interval_per_row(axes):
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    lines = [line for line in axes.lines if line.get_marker() != "o"]
    assert [dot.get_xdata()[0] for dot in dots] == [0.7, 0.1]
    colours = [figures.COLOURS[key] for key in ("judge", "baseline")]
    assert [dot.get_color() for dot in dots] == colours
    ends = [list(line.get_xdata()) for line in lines]
    assert ends == [[0.6, 0.8], [-0.2, 0.4], [0.5, 0.5]], "two intervals, then the reference"


def test_the_same_figure_has_the_same_bytes():
    assert figures.png(draw()) == figures.png(draw())


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=12), st.floats(0.01, 1))
def test_labels_keep_their_order_and_their_distance(values, gap):
    places = figures.spread(values, gap)
    order = np.argsort(values, kind="stable")
    assert (np.diff(places[order]) >= gap - 1e-9).all()
    if (np.diff(np.sort(values)) >= gap).all():
        assert np.allclose(places, values), "labels with room enough stay where they are"


def test_a_picture_needs_words():
    with pytest.raises(ValueError, match="alternative text"):
        figures.show(draw(), " ")
