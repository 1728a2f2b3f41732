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


def test_tiers_go_from_dark_to_light():
    shades = [light(figures.COLOURS[tier]) for tier in TIERS]
    assert shades == sorted(shades)


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


def test_a_dot_plot_says_what_is_shown():
    texts = [text.get_text() for text in draw().texts]
    subtitle, title = (text.replace("\n", " ").replace("\N{NO-BREAK SPACE}", " ") for text in texts)
    assert title == TITLE
    assert subtitle == "12 groups · open data · right is better · lines: 95 % intervals"


def test_a_dot_plot_names_its_axis_its_lines_and_its_kinds_once(axes):
    assert axes.get_xlabel() == "r with experts"
    words = sorted(text.get_text() for text in axes.texts)
    assert words == ["0.5 = guessing", "control", "judge"]


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


def test_title_subtitle_and_picture_share_one_left_edge_and_one_width():
    fig = draw()
    fig.draw_without_rendering()
    boxes = [text.get_window_extent() for text in fig.texts]
    left_edges = {round(box.x0 / fig.dpi, 2) for box in boxes}
    assert len(left_edges) == 1
    assert max(box.x1 for box in boxes) <= fig.bbox.x1
    pixels_wide = int.from_bytes(figures.png(fig)[16:20], "big")
    assert pixels_wide == figures.WIDTH * 200


def test_an_interval_that_is_missing_is_not_announced():
    fig = figures.dots(TABLE.assign(low=np.nan, high=np.nan), "A finding", "r")
    assert "intervals" not in fig.texts[0].get_text()


def test_rows_have_the_names_that_readers_know_and_the_colours_of_their_labels():
    table = TABLE.set_axis(pd.MultiIndex.from_tuples([("recorded/gpt4", 0.5), ("words", 1)]))
    fig = figures.dots(table, "A finding", "r", colours={"recorded/gpt4 · 0.5": "human"})
    ax = fig.axes[0]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["GPT-4 · 0.5", "words · 1.0"]
    colours = {text.get_text(): text.get_color() for text in ax.texts}
    assert colours["human raters"] == figures.COLOURS["human"]


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=12), st.floats(0.01, 1))
def test_labels_keep_their_order_and_their_distance(values, gap):
    places = figures.spread(values, gap)
    order = np.argsort(values, kind="stable")
    assert (np.diff(places[order]) >= gap - 1e-9).all()
    if (np.diff(np.sort(values)) >= gap).all():
        assert np.allclose(places, values), "labels with room enough stay where they are"


def test_labels_of_lines_that_end_together_do_not_overlap():
    fig, axes = figures.panels(1, 3)
    ax = axes[0]
    ax.plot([0, 1], [0, 1])
    ends = {"one": 0.5, "two": 0.5, "three": 0.51}
    figures.label_lines(ax, ends, {"one": "judge", "two": "human", "three": "#000000"})
    fig.draw_without_rendering()
    boxes = [text.get_window_extent() for text in ax.texts]
    boxes.sort(key=lambda box: box.y0)
    for below, above in zip(boxes, boxes[1:]):
        assert below.y1 <= above.y0


def test_panels_stand_below_one_another():
    fig, below = figures.panels(3, 2.5, sharex=True)
    assert len(below) == 3
    assert list(fig.get_size_inches()) == [figures.WIDTH, 2.5]


@pytest.fixture
def page(monkeypatch):
    """Return what a page shows, in order, from an empty one on."""
    shown = []
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.setattr(figures, "display", shown.append)
    monkeypatch.setattr(figures, "AT_THE_TOP", [])
    return shown


def test_a_picture_needs_words():
    with pytest.raises(ValueError, match="alternative text"):
        figures.show(draw(), " ")


def test_a_picture_scales_down_on_a_page(page):
    figures.show(draw(), "Two dots.")
    assert page[0].alt == "Two dots."
    assert page[0].width == 640


def test_words_that_end_in_a_colon_are_followed_by_the_rows(page):
    figures.show(draw(), "Two dots:")
    judge, control = TABLE.index
    assert page[0].alt == f"Two dots: {judge} 0.70; {control} 0.10"


def test_a_dollar_in_a_readers_words_is_no_formula():
    rows = {"estimate": [0.2], "low": [np.nan], "high": [np.nan], "n": [3]}
    fig = figures.dots(pd.DataFrame(rows, ["$a_$"]), "$b_$ is first", "grade")
    assert figures.png(fig), "it can be drawn"
    assert figures.plain("$a_$") == r"\$a_\$"


def draw_bar(height=1.0):
    """Return a figure with one bar."""
    fig, axes = figures.panels(1, 1)
    axes[0].bar([0], [height])
    return fig


def test_a_figure_at_the_top_of_a_page_is_drawn_no_second_time(page, tmp_path):
    figures.show(draw_bar(), "One bar.", save=tmp_path / "a.png")
    figures.show_saved(tmp_path / "a.png")
    figures.show(draw_bar(), "One bar.")
    first, top, second = page
    assert first.alt == top.alt == "One bar."
    assert "at the top of the page" in second.data


def test_another_figure_than_the_one_at_the_top_is_shown(page, tmp_path):
    figures.show(draw_bar(), "One bar.", save=tmp_path / "a.png")
    figures.show_saved(tmp_path / "a.png")
    figures.show(draw_bar(0.97), "A bar that is a little lower.")
    assert page[-1].alt == "A bar that is a little lower."


def test_in_a_reader_s_session_a_cell_shows_what_it_draws(page, tmp_path, monkeypatch):
    figures.show(draw_bar(), "One bar.", save=tmp_path / "a.png")
    figures.show_saved(tmp_path / "a.png")
    monkeypatch.setenv("JPY_SESSION_NAME", "reader.ipynb")
    figures.show(draw_bar(), "One bar.")
    assert page[-1].alt == "One bar."
