"""The rebuilt figures and the two papers' ledger: the found definitions give every cell, and wrong cells would be caught."""
import numpy as np
import pytest

from helpers import audit_refbased, audit_refbased_text, ledger, refbased_controls
from helpers import refbased_figures as rebuilt
from helpers.data import available

pytestmark = pytest.mark.skipif(not available("ttcw"), reason="needs the open data")


@pytest.fixture(scope="module")
def decided():
    lines = [line for paper in rebuilt.FIGURES for line in audit_refbased_text.lines_of(paper)]
    return ledger.decide(lines, "03")


def test_every_printed_number_has_a_line(decided):
    assert len(decided) == sum(len(ledger.read_published(paper)) for paper in rebuilt.FIGURES)


def test_every_recorded_cell_of_the_figures_is_reproduced(decided):
    cells = decided[decided["column"].str.startswith("story_") & (decided["basis"] == "raw")]
    assert len(cells) == 2 * 3 * 7 * 12 and (cells["verdict"] == "reproduced").all()


def test_another_treatment_of_refusals_does_not_fit_v1():
    wrong = rebuilt.judge_scores("gemini-pro", "passed"), rebuilt.judge_scores("gemini-pro", "failed")
    assert not wrong[0].equals(wrong[1])


def test_a_changed_cell_is_caught():
    human = (2.0, 5.0, 0.0)
    assert audit_refbased.triple(human, [0.5, 0.33, 0.67])[0]
    assert not audit_refbased.triple(human, [0.5, 0.82, 0.67])[0]


def test_attainable_means_hold_the_truth_and_exclude_others():
    human = rebuilt.expert_scores().iloc[:3]
    states = rebuilt.attainable(human, rebuilt.ABOVE)
    assert rebuilt.nearest_triple(states, [1.0, 1.0, 1.0])[0] and not rebuilt.nearest_triple(states, [1.0, 0.2, 1.0])[0]


def test_contradictions_are_the_known_ones(decided):
    wrong = decided[decided["verdict"].isin(["differs", "inconsistent"])]
    rows = set(map(tuple, wrong[["table", "row"]].values))
    assert rows >= {("Table 1", "Baseline / gpt4"), ("Table 1", "Baseline / gemini-pro")}
    assert len(wrong) == 10


def test_word_counts_of_table_3_come_out(decided):
    part = decided[(decided["table"] == "Table 3") & (decided["basis"] == "raw")]
    assert len(part) == 36 and (part["verdict"] == "reproduced").all()


def test_the_best_constant_judge_beats_its_opposite():
    table = refbased_controls.constant_judges(rebuilt.expert_scores())
    assert table.columns[0].endswith("> GPT3.5") and table.mean().iloc[0] > 0.7 > 0.3 > table.mean().iloc[-1]


def test_improvements_are_paired_over_the_twelve_groups():
    table = refbased_controls.improvements("refbased_v2", rng=np.random.default_rng(0))
    assert np.allclose(table["accuracy after"] - table["accuracy before"], table["difference"]) and table["p"].between(0, 1).all()
