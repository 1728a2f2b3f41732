"""The rebuilt figures and the two papers' ledger: the found definitions give every cell, and wrong
cells would be caught."""

import numpy as np
import pandas as pd
import pytest

from helpers.audit import ledger
from helpers.audit.checks import Paper
from helpers.audit.refbased import audit
from helpers.measures import rankings
from helpers.refbased import rebuild as rebuilt
from helpers.sources.public import available
from helpers.sources.published import read_published

pytestmark = pytest.mark.skipif(not available("ttcw"), reason="needs the open data")


@pytest.fixture(scope="module")
def decided():
    return pd.concat([ledger.decide(audit(Paper(paper)), "03") for paper in rebuilt.FIGURES])


def test_every_printed_number_has_a_line(decided):
    assert len(decided) == sum(len(read_published(paper)) for paper in rebuilt.FIGURES)


def test_every_recorded_cell_of_the_figures_is_reproduced(decided):
    cells = decided[decided["column"].str.startswith("story_") & (decided["basis"] == "raw")]
    printed = cells["value"] != ""
    assert len(cells) == 2 * 3 * 7 * 12 and cells.loc[printed, "verdict"].eq("reproduced").all()
    assert cells.loc[~printed, "verdict"].eq("blank").all()


def test_another_treatment_of_refusals_does_not_fit_v1():
    wrong = (
        rebuilt.judge_scores("gemini-pro", "passed"),
        rebuilt.judge_scores("gemini-pro", "failed"),
    )
    assert not wrong[0].equals(wrong[1])


def test_a_changed_cell_is_caught():
    states = np.array(list(rankings.cells((2.0, 5.0, 0.0), rebuilt.AT_LEAST).values()))
    assert rebuilt.nearest_triple(states, [0.5, 0.33, 0.67])[0]
    assert not rebuilt.nearest_triple(states, [0.5, 0.82, 0.67])[0]


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("refbased_v1", ("Figure 2", "claude35", "story_3"), "0.45"),
        ("refbased_v1", ("Figure 3", "gpt-4o_ours", "AVG_pairwise-ACC"), "0.71"),
        ("refbased_v1", ("Table 2", "claude35_ours", "Fluency / ACC"), "0.99"),
        ("refbased_v1", ("text", "6", "gain in pairwise accuracy of the hybrid"), "+18%"),
        ("refbased_v2", ("Table 2", "AVG Spearman", "Ours (change)"), "+0.40"),
        ("refbased_v2", ("Table 5", "Qwen-Ours", "Cutoff = -2"), "0.24"),
    ],
)
def test_a_changed_number_of_either_paper_is_caught(name, key, value):
    assert audit(Paper(name)).found[key]["holds"]
    assert not audit(Paper(name).changed(key, value)).found[key]["holds"]


def test_attainable_means_hold_the_truth_and_exclude_others():
    human = rebuilt.expert_scores().iloc[:3]
    states = rebuilt.attainable(human, rebuilt.ABOVE)
    assert (
        rebuilt.nearest_triple(states, [1.0, 1.0, 1.0])[0]
        and not rebuilt.nearest_triple(states, [1.0, 0.2, 1.0])[0]
    )


def test_contradictions_are_the_known_ones(decided):
    wrong = decided[decided["verdict"].isin(["differs", "inconsistent"])]
    rows = set(map(tuple, wrong[["table", "row"]].values))
    assert rows >= {("Table 1", "Baseline / gpt4"), ("Table 1", "Baseline / gemini-pro")}
    assert len(wrong) == 17


def test_one_name_of_a_measure_means_one_rule(decided):
    cells = decided[(decided["table"] == "Table 1") & (decided["column"] == "Pairwise Accuracy")]
    cells = cells[cells["paper"] == "refbased_v1"].set_index("row")
    assert (cells["verdict"] == "inconsistent").sum() == 9
    assert (
        "at least (>=) gives 0.64, above (>) gives 0.53"
        in cells.at["Baseline / Claude V1.3", "how"]
    )
    gain = decided[
        decided["column"].eq("Pairwise Accuracy (change)") & decided["row"].eq("Ours / Claude 3.5")
    ]
    assert gain["verdict"].iloc[0] == "inconsistent" and "+0.05" in gain["how"].iloc[0]


def test_a_relative_change_is_no_contradiction(decided):
    line = decided[decided["column"].eq("Claude 3.5 Originality change in pairwise accuracy")].iloc[
        0
    ]
    assert (
        line["verdict"] == "consistent"
        and "per cent" in line["how"]
        and "-23 points" in line["how"]
    )


def test_two_accuracies_of_the_second_version_are_those_of_the_first(decided):
    kept = decided[decided["how"].str.endswith("refbased_v1, Table 1, prints the same")]
    assert kept["paper"].eq("refbased_v2").all() and kept["verdict"].isin(ledger.CONTRADICTED).all()
    assert kept.set_index("row")["value"].to_dict() == {
        "Baseline / gpt4": "0.42",
        "Baseline / gemini-pro": "0.33",
    }


def test_word_counts_of_table_3_come_out(decided):
    part = decided[(decided["table"] == "Table 3") & (decided["basis"] == "raw")]
    assert len(part) == 36 and (part["verdict"] == "reproduced").all()
