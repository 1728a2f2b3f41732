"""Figures of the studies on ttcw: which rows they draw, in which order, and how they mark them."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from goodjudge.comparison.compare import CEILING, PERSON

from helpers.ttcw import figures

CONTROL, STRANGER, LEADER, OTHER = "authorship", "length", "gpt4", "cgpt"
ROWS = {  # of `compare`: kind, estimate
    LEADER: ("judge", 0.6),
    OTHER: ("judge", 0.5),
    PERSON: ("person", 0.65),
    CONTROL: ("control", 0.7),
    STRANGER: ("control", 0.55),
    CEILING: ("ceiling", 0.8),
}


@pytest.fixture(autouse=True)
def close_figures():
    """Close every figure that a test leaves open."""
    yield
    plt.close("all")


def make_table(control=CONTROL, stranger=STRANGER, **estimates):
    """Return made-up rows of `compare`, intervals of 0.1 on either side."""
    table = pd.DataFrame(ROWS, ["kind", "estimate"]).T
    table["estimate"] = table["estimate"].astype(float)
    for name, estimate in estimates.items():
        table.loc[{"ceiling": CEILING}.get(name, name), "estimate"] = estimate
    table["low"], table["high"] = table["estimate"] - 0.1, table["estimate"] + 0.1
    table.attrs = {"control": control, "stranger": stranger}
    return table


def labels_of(ax):
    """Return the names of the rows of a plot, from the top."""
    return [label.get_text().replace("\n", " ") for label in ax.get_yticklabels()]


def words_in(ax):
    """Return all that is written within a plot."""
    return [text.get_text() for text in ax.texts]


def test_two_panels_are_ranked_by_the_first_and_other_judges_share_a_line():
    fig = figures.two_panels({"all": make_table(), "some": make_table(gpt4=0.9)}, "T", LEADER)
    expected = [
        CEILING,
        figures.TAUGHT,
        figures.EXPERT,
        "GPT-4",
        figures.STRANGER,
        "1 other judges",
    ]
    assert labels_of(fig.axes[0]) == expected
    assert [ax.get_title("left") for ax in fig.axes] == ["all", "some"]
    assert fig.get_label().startswith(f"{CEILING} 0.80; {figures.TAUGHT} 0.70; ")


def test_a_ceiling_that_nobody_knows_is_last_and_said_to_be_unknown():
    tables = {"all": make_table(ceiling=np.nan), "some": make_table()}
    fig = figures.two_panels(tables, "T", LEADER)
    first, second = fig.axes
    assert labels_of(first)[4:] == [CEILING, "1 other judges"]
    assert "(not known, so no dot)" in words_in(first)
    assert "(not known, so no dot)" not in words_in(second)


def test_a_control_that_only_the_second_panel_has_gets_a_row():
    tables = {"all": make_table(control=STRANGER), "some": make_table()}
    fig = figures.two_panels(tables, "T", LEADER)
    assert figures.TAUGHT in labels_of(fig.axes[0])


def test_the_judge_that_was_asked_is_marked_or_said_to_be_missing():
    tables = {"all": make_table(), "some": make_table()}
    row = make_table().loc[LEADER]
    placed = {"all": (None, "answered about 36 of 48 stories"), "some": (row, "9 of 10 cases")}
    fig = figures.two_panels(tables, "T", LEADER, ("local/sage", placed))
    first, second = fig.axes
    assert "local/sage" in labels_of(first)
    assert "answered about 36 of 48 stories" in words_in(first)
    assert "9 of 10 cases" in words_in(second)
    assert len(second.lines) > len(first.lines)


def test_stories_stand_by_writer_sorted_by_their_mean():
    stories = pd.MultiIndex.from_product([[0, 1], ["Claude", "GPT4", "GPT3.5", "NewYorker"]])
    names = [(group, f"{group}_{writer}") for group, writer in stories]
    index = pd.MultiIndex.from_tuples(names, names=["group", "story"])
    slots = pd.DataFrame(0, index, [1, 2, 3])
    slots.loc[(0, "0_NewYorker")] = [3, 3, 6]
    slots.loc[(1, "1_NewYorker")] = [14, 12, 13]
    fig = figures.three_scores(slots, "T")
    (ax,) = fig.axes
    highest, next_one = ax.lines[:2]
    assert list(highest.get_xdata()) == [12, 14]
    assert list(next_one.get_xdata()) == [3, 6]
    assert ax.collections[1].get_sizes().tolist() == [28, 14]  # two experts gave 3
    assert fig.get_label().startswith("New Yorker 8.5; ")
