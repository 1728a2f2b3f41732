"""Tables as readers see them: readers' names, one row of headers, intervals and whole numbers."""

import numpy as np
import pandas as pd
import pytest

from helpers import results
from helpers.audit.ledger import PAPERS
from helpers.sources.public import ROOT
from helpers.ttcw import load as ttcw


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("recorded/cgpt", "GPT-3.5"),
        ("cgpt", "GPT-3.5"),
        ("recorded/claude3-opus", "Claude 3 Opus"),
        ("openai/gpt-4o", "GPT-4o"),
        ("recorded/smollm2-poems", "SmolLM2 135M"),
        ("recorded/qwen2.5-coder-1.5b-ttcw", "Qwen2.5-Coder 1.5B"),
        ("openai/gpt-4o-mini", "openai/gpt-4o-mini"),
        ("recorded/mine", "recorded/mine"),
        ("simulated/coin", "simulated judge (coin)"),
        ("Baseline / gpt4", "Baseline / gpt4"),
        ("GPT4", "GPT-4"),
        (7, 7),
        ((2, 9), (2, 9)),
        ([1], [1]),
    ],
)
def test_a_label_gets_the_name_that_readers_know(label, said):
    assert results.display_name(label) == said


def test_every_paper_recorded_judge_and_writer_has_a_name_of_its_own():
    assert len({results.display_name(paper) for paper in PAPERS} - set(PAPERS)) == len(PAPERS)
    stems = [path.stem for path in (ROOT / "data" / "recorded").glob("*.jsonl")] + ttcw.JUDGES
    assert not [
        stem for stem in stems if results.display_name(f"recorded/{stem}").startswith("recorded")
    ]
    assert len({results.display_name(judge) for judge in ttcw.JUDGES}) == len(ttcw.JUDGES)


def test_names_reach_the_index_the_cells_and_the_headers_and_parameters_keep_theirs():
    table = pd.DataFrame(
        {"judge": ["recorded/cgpt", None], "GPT4": [1.0, np.nan], "left_out": [(2,), ()]}
    )
    shown = results.tidy(table.assign(paper="ttcw").set_index("paper"))
    assert list(shown) == ["paper", "judge", "GPT-4", "left out"]
    assert shown.iloc[0].tolist() == ["Art or Artifice?", "GPT-3.5", "1", (2,)] and shown.iloc[
        1
    ].tolist()[1:3] == ["", ""]
    assert table["judge"][0] == "recorded/cgpt"


def test_estimates_stand_with_their_interval_and_n_is_whole():
    rows = pd.DataFrame(
        {
            "a": {"estimate": 0.5, "low": 0.25, "high": 1, "n": 12},
            "b": {"estimate": 0.25, "n": 9},
            "c": {"n": 3},
        }
    ).T.astype(object)
    shown = results.tidy(rows.rename_axis("kappa"))
    assert shown["estimate [95 %]"].tolist() == ["0.50 [0.25, 1.00]", "0.25", ""] and shown[
        "n"
    ].tolist() == ["12", "9", "3"]


def test_headers_are_one_row_without_a_hole():
    counts = pd.crosstab(
        pd.Series([1, 2], name="group"), pd.Series(["NewYorker", "GPT4"], name="writer")
    )
    both = pd.concat({"grade": counts, "rank": counts}, axis=1)
    assert list(results.tidy(counts)) == ["group", "GPT-4", "New Yorker"]
    joined = [f"{of} · {who}" for of in ("grade", "rank") for who in ("GPT-4", "New Yorker")]
    assert list(results.tidy(both)) == ["group", *joined]
    assert results.tidy(both).columns.nlevels == 1 and results.tidy(counts).columns.name is None
    assert list(results.tidy(counts.rename_axis(index=None))) == ["GPT-4", "New Yorker"]


@pytest.mark.parametrize("names", [None, ""])
def test_words_that_no_header_would_stand_above_are_an_error(names):
    with pytest.raises(ValueError, match="rename_axis"):
        results.tidy(pd.DataFrame({"n": [1]}, index=["tests"]).rename_axis(names))
