"""HANNA's loader: counts, and one clear error for each kind of damage."""

import re

import numpy as np
import pandas as pd
import pytest

from helpers.evolvr import hanna, load
from helpers.evolvr.simulate import simulate_cells
from helpers.sources.public import ROOT, DataError, available, locate

AGREEMENT = [0.504, 0.484, 0.570, 0.547, 0.565, 0.607]


@pytest.fixture
def cells():
    return simulate_cells(AGREEMENT, np.random.default_rng(0))


def test_three_sheets_a_story_in_the_order_of_the_file(cells):
    table = hanna.sheets_from_cells(cells)
    assert list(table) == [*hanna.SHEET, *hanna.ASPECTS] and len(table) == 3 * 1056
    arrays, who, stories = hanna.rating_array(table.sample(frac=1, random_state=0))
    assert arrays.shape == (6, 1056, 3) and who[7].tolist() == table.loc[21:23, "rater"].tolist()
    assert stories.to_numpy().tolist() == [list(key) for key in cells.index]
    assert arrays[0].mean(1) == pytest.approx(cells["Relevance"].to_numpy())


@pytest.mark.parametrize(
    "damage, words",
    [
        (lambda c: c.drop(columns="Human 2 SU"), "Human 2 SU"),
        (lambda c: c.drop(columns="Empathy"), "Empathy"),
        (lambda c: c.assign(**{"Human 1 RE": 6}), "whole numbers from 1 to 5"),
        (lambda c: c.assign(**{"Human 1 RE": 2.5}), "whole numbers from 1 to 5"),
        (lambda c: c.assign(**{"Human 1 RE": np.nan}), "whole numbers from 1 to 5"),
        (lambda c: c.assign(Coherence=3.0), "not the mean"),
        (lambda c: c.iloc[:-1], "1056 stories"),
    ],
)
def test_damage_is_one_clear_error(cells, damage, words):
    with pytest.raises(DataError, match=words):
        hanna.sheets_from_cells(damage(cells))


@pytest.fixture
def annotations(cells):
    """A made-up annotations file in the published form: worker W0 rates all stories, the others
    fewer."""
    table = hanna.sheets_from_cells(cells)
    table["Worker ID"] = [
        f"W{0 if slot == 1 else slot + 7 * (story % 2)}"
        for story, slot in zip(table["story"], table["slot"])
    ]
    named = table.rename(
        columns={"story": "Story ID", "system": "Model", "seconds": "Work time in seconds"}
    )
    return named.assign(Prompt="p", Story="s", Human="h").drop(columns=["rater", "slot", "prompt"])


def test_raters_get_pseudonyms_in_order_of_their_sheets(annotations, tmp_path):
    annotations.to_csv(tmp_path / "a.csv", index=False)
    table = hanna.read_annotations(tmp_path / "a.csv")
    assert table["rater"].value_counts().to_dict() == {
        "r01": 1056,
        "r02": 528,
        "r03": 528,
        "r04": 528,
        "r05": 528,
    }
    assert table.loc[:5, "rater"].tolist() == ["r01", "r02", "r03", "r01", "r04", "r05"]
    assert not table.astype(str).apply(lambda column: column.str.contains("W\\d")).any(axis=None)
    assert table.loc[:3, "slot"].tolist() == [1, 2, 3, 1] and table["prompt"].max() == 95


@pytest.mark.parametrize(
    "damage, words",
    [
        (lambda t: t.drop(columns="Worker ID"), "'Worker ID' is missing"),
        (lambda t: t.iloc[1:], "3 rating sheets"),
        (lambda t: t.assign(Surprise=0), "Surprise is 0; expected whole numbers"),
    ],
)
def test_damaged_annotations_are_one_clear_error(annotations, tmp_path, damage, words):
    damage(annotations).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(DataError, match=words):
        hanna.read_annotations(tmp_path / "a.csv")


def test_without_the_annotations_raters_are_slots_and_the_source_says_so(
    cells, no_data, monkeypatch
):
    monkeypatch.setattr(hanna, "read_cells", lambda: cells.drop(columns=cells.filter(like="Rater")))
    table, source = hanna.load_annotations()
    assert (
        set(table["rater"]) == {"slot 1", "slot 2", "slot 3"}
        and "not known" in source
        and not hanna.raters_known(table)
    )


@pytest.mark.parametrize(
    "cell", ["", "[1, 2]", "nonsense", "{}", "[" + ", ".join(["'a'"] * 96) + "]"]
)
def test_a_cell_that_is_not_96_numbers_names_its_place(cell):
    with pytest.raises(DataError, match="row 'X', column 'Y'"):
        hanna.parse_cell(cell, "row 'X', column 'Y'")


def test_features_fill_gaps_and_refuse_empty_columns(cells):
    groups = hanna.feature_groups(cells)
    cells.iloc[3, cells.columns.get_loc(groups["18 reference-free"][1])] = np.nan
    assert not np.isnan(hanna.features(cells, groups["18 reference-free"])).any()
    with pytest.raises(DataError, match="no value at all"):
        hanna.features(cells.assign(**{groups["length"][0]: np.nan}), groups["length"])
    with pytest.raises(DataError, match="absent"):
        hanna.features(cells, ["absent"])
    with pytest.raises(DataError, match="expected 18"):
        hanna.feature_groups(cells.drop(columns=groups["18 reference-free"][1]))


def test_judges_are_in_the_order_of_the_ratings(cells):
    judges = hanna.llm_ratings(cells)
    assert len(judges) == 20 and judges["ChatGPT, prompt 3"].shape == (6, 1056)
    story = hanna.rating_array(hanna.sheets_from_cells(cells))[2].iloc[7]
    assert (
        judges["ChatGPT, prompt 3"][1, 7]
        == cells.loc[(story["system"], story["prompt"]), "ChatGPT CH 3"]
    )


def test_the_recorded_study_becomes_a_figure_a_table_and_blocks(tmp_path):
    names = ("evaluators", "ten prompts", "blocks", "pairs")
    studies = [("evaluators", "both"), *((name, "prompt") for name in names)]
    rows = [
        (study, fold, target, measure, "text", 0.7, 0.6, 0.8, 96, "sum")
        for study, fold in studies
        for target in ("mean ratings", "without severity")
        for measure in ("r", "rho")
    ]
    names = [
        "study",
        "folds",
        "target",
        "measure",
        "features",
        "estimate",
        "low",
        "high",
        "n",
        "data",
    ]
    pd.DataFrame(rows, columns=names).to_csv(tmp_path / "e.csv", index=False)
    table, blocks = load.load_evaluators(tmp_path / "e.csv")
    assert table.loc["text"].index.tolist() == [
        "new prompts and writers",
        "new prompts",
        "the ten prompts",
    ]
    assert (
        table.loc[("text", "the ten prompts")].tolist() == [0.7, 0.6, 0.8, 96] and len(blocks) == 1
    )


def test_load_says_that_a_simulation_is_one():
    cells, sheets, source, line = load.load("simulated", np.random.default_rng(0))
    assert (
        (source, len(sheets)) == ("simulated", 3168) and "simulated" in line and len(cells) == 1056
    )


@pytest.mark.skipif(not available("hanna"), reason="the open data are not on this machine")
def test_open_file_gives_the_published_counts_and_marks_human_stories():
    cells = hanna.read_cells()
    assert len(hanna.sheets_from_cells(cells)) == 3168
    bleu = next(name for name in cells if name.startswith("BLEU"))
    assert (cells.loc["Human", bleu] > 99.9).all() and cells.loc["GPT", bleu].max() < 50


@pytest.mark.skipif(not available("hanna"), reason="the open data are not on this machine")
def test_both_open_files_hold_the_same_ratings_of_the_same_stories():
    known, source = hanna.load_annotations()
    if source != hanna.KNOWN:
        pytest.skip("the raters' file is not on this machine")
    slots = hanna.sheets_from_cells(hanna.read_cells())
    same = ["story", "prompt", "system", "slot", *hanna.ASPECTS]
    pd.testing.assert_frame_equal(known[same], slots[same], check_dtype=False)
    assert known["rater"].value_counts().iloc[:3].sum() / len(known) == pytest.approx(
        0.79, abs=0.005
    )
    texts = hanna.load_texts()
    assert texts["story"].tolist() == list(range(1056)) and texts["prompt_text"].nunique() == 96
    assert (texts["text"] == texts["human"]).sum() == 96 == texts["system"].eq("Human").sum()


@pytest.mark.skipif(not available("hanna"), reason="the open data are not on this machine")
def test_no_worker_id_is_shown_or_kept():
    try:
        raw = pd.read_csv(locate(hanna.SHEETS)[0], usecols=["Worker ID", "Assignment ID"])
    except FileNotFoundError:
        pytest.skip("the raters' file is not on this machine")
    ids = set(raw.to_numpy().ravel())
    assert not ids & set(
        hanna.read_annotations(locate(hanna.SHEETS)[0]).select_dtypes("str").to_numpy().ravel()
    )
    kept = [
        path
        for folder in ("notebooks", "outputs", "data", "teaching")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in (".ipynb", ".json", ".jsonl", ".csv", ".py", ".yaml", ".md")
    ]
    words = set().union(*(re.findall(r"\w+", path.read_text(encoding="utf8")) for path in kept))
    assert len(kept) > 30 and not ids & words
