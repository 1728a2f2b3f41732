"""What notebooks 05 and 05b show to people: funnels, lines with names, a pair with its rationales,
the slider."""

import numpy as np
import pandas as pd
import pytest

from helpers import figures
from helpers.evolvr import figures as evolvr_views

TEXTS = {"s1": "Rain | fell.", "s2": "<b>Wind</b> *rose*."}
ROW = {"story_a": "s1", "story_b": "s2", "aspect": "style", "score_a": 2, "score_b": 4}


def pool(*rows):
    return pd.DataFrame([ROW | dict(zip(("persona", "rationale"), row)) for row in rows])


def test_bars_of_a_funnel_are_centred_and_as_wide_as_the_share():
    fig = evolvr_views.draw_funnels({"one": ("0.5", [200, 50, 0])}, ["pool", "rule", "attack"])
    bars = fig.axes[0].patches
    assert [round(bar.get_width(), 3) for bar in bars] == [1.0, 0.25]
    assert bars[1].get_x() + bars[1].get_width() / 2 == pytest.approx(0.5)
    assert [text.get_text() for text in fig.axes[0].texts] == ["200\n100 %", "50\n25 %", "0\n0 %"]
    assert [text.get_position()[0] for text in fig.axes[0].texts] == [0.5, 0.675, 0.5], (
        "beside a bar that is too narrow"
    )


def test_a_pair_is_shown_with_what_the_rule_check_reads_and_no_markup_of_its_texts():
    shown = evolvr_views.side_by_side(
        TEXTS, pool(("critic", "Dry.\n[[A: 2, B: 4]]"), ("fan", "Lovely.\n[[A: 5, B: 5]]"))
    )
    assert "so it stays" in shown and "reads: A 5, B 5, so it goes" in shown
    assert "<b>" not in shown and "Rain \\| fell" in shown
    assert {line.replace("\\|", "").count("|") for line in shown.splitlines()} == {3}


def test_rationales_of_different_pairs_are_refused():
    other = pool(("a", "x"), ("b", "y"))
    other.loc[1, "story_a"] = "s3"
    with pytest.raises(ValueError, match="different pairs"):
        evolvr_views.side_by_side(TEXTS, other)


def test_panels_state_their_correlation():
    y = np.array([[1.0, 2, 3, 4]])
    fig = evolvr_views.draw_partners({1: (y[:, ::-1], y), 16: (y, y)})
    assert [ax.get_title("left") or ax.get_title() for ax in fig.axes] == [
        "N = 1: r = -1.00",
        "N = 16: r = 1.00",
    ]


def test_each_line_is_named_the_printed_one_hollow_and_one_with_intervals_bold():
    lines = pd.DataFrame(
        {"averaged": [0.1, 0.3], "Table 10": [0.2, 0.4]}, index=pd.Index([1, 2], name="partners")
    )
    fig = evolvr_views.draw_lines(
        lines,
        {"averaged": "simulated", "Table 10": "published"},
        {"averaged": ([0, 0.2], [0.2, 0.4])},
    )
    ours, printed = fig.axes[0].lines
    assert [text.get_text() for text in fig.axes[0].texts] == ["averaged", "Table 10"]
    assert printed.get_markerfacecolor() == "white" != ours.get_markerfacecolor()
    assert ours.get_linewidth() > printed.get_linewidth() and len(fig.axes[0].collections) == 1
    assert fig.axes[0].get_xlabel() == "partners"


def test_the_slider_calls_draw_with_a_session_and_static_without(monkeypatch):
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert figures.explore(None, lambda: "static", "N", 4, 1, 16) == "static"
    monkeypatch.setenv("JPY_SESSION_NAME", "reader.ipynb")
    drawn = []
    figures.explore(lambda N: drawn.append(N), None, "N", 4, 1, 16)
    assert drawn == [4]
