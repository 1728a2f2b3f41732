"""The look of all figures: colours that can be seen and told apart, labels that do not overlap, the
same bytes again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb

from helpers import figures


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


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=12), st.floats(0.01, 1))
def test_labels_keep_their_order_and_their_distance(values, gap):
    places = figures.spread(values, gap)
    order = np.argsort(values, kind="stable")
    assert (np.diff(places[order]) >= gap - 1e-9).all()
    if (np.diff(np.sort(values)) >= gap).all():
        assert np.allclose(places, values), "labels with room enough stay where they are"


def test_a_picture_needs_words():
    with pytest.raises(ValueError, match="alternative text"):
        figures.show(figures.panels(1, 1)[0], " ")
