"""HANNA's loader: counts, and one clear error for each kind of damage."""

import json

import numpy as np
import pandas as pd
import pytest

from helpers.evolvr import hanna, load, others
from helpers.evolvr.simulate import simulate_cells
from helpers.sources.public import DataError, available

AGREEMENT = [0.504, 0.484, 0.570, 0.547, 0.565, 0.607]


@pytest.fixture
def cells():
    return simulate_cells(AGREEMENT, np.random.default_rng(0))


def test_tidy_ratings_has_three_ratings_for_each_story_and_aspect(cells):
    table = hanna.tidy_ratings(cells)
    assert len(table) == 11 * 96 * 6 * 3
    assert (table.groupby(["story", "aspect"]).size() == 3).all()
    arrays, stories = hanna.rating_array(table)
    assert arrays.shape == (6, 1056, 3) and len(stories) == 1056
    pd.testing.assert_series_equal(
        pd.Series(arrays[0].mean(1)), cells.sort_index()["Relevance"].reset_index(drop=True), check_names=False
    )


@pytest.mark.parametrize(
    "damage, words",
    [
        (lambda c: c.drop(columns="Human 2 SU"), "Human 2 SU"),
        (lambda c: c.drop(columns="Empathy"), "Empathy"),
        (lambda c: c.assign(**{"Human 1 RE": 6}), "whole numbers from 1 to 5"),
        (lambda c: c.assign(**{"Human 1 RE": 2.5}), "whole numbers from 1 to 5"),
        (lambda c: c.assign(**{"Human 1 RE": np.nan}), "whole numbers from 1 to 5"),
        (lambda c: c.assign(Coherence=3.0), "not the mean"),
    ],
)
def test_damage_is_one_clear_error(cells, damage, words):
    with pytest.raises(DataError, match=words):
        hanna.tidy_ratings(damage(cells))


@pytest.mark.parametrize("cell", ["", "[1, 2]", "nonsense", "{}", "[" + ", ".join(["'a'"] * 96) + "]"])
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
    story = hanna.rating_array(hanna.tidy_ratings(cells))[1].iloc[7]
    assert judges["ChatGPT, prompt 3"][1, 7] == cells.loc[(story["system"], story["prompt"]), "ChatGPT CH 3"]


def test_load_says_that_a_simulation_is_one():
    cells, ratings, source, line = load.load("simulated", np.random.default_rng(0))
    assert (source, len(ratings)) == ("simulated", 19_008) and "simulated" in line and len(cells) == 1056


def test_reader_downloads_are_checked(tmp_path):
    with pytest.raises(FileNotFoundError, match="download"):
        others.load_storyer(tmp_path)
    with pytest.raises(FileNotFoundError, match="download"):
        others.load_openmeva(tmp_path)
    file = tmp_path / "storyer_scale.jsonl"
    file.write_text(
        json.dumps({"story": "s", "aspect": "style", "rating": 4})
        + "\n"
        + json.dumps({"story": "s", "aspect": "style"})
    )
    with pytest.raises(DataError, match="line 2"):
        others.load_storyer(tmp_path)
    file.write_text(json.dumps({"story": "s", "aspect": "style", "rating": 7}))
    with pytest.raises(DataError, match="1 to 5"):
        others.load_storyer(tmp_path)
    (tmp_path / "mans_roc.json").write_text(json.dumps({"0": {"gen": {"gpt": {"text": "t", "score": [1, 5]}}}}))
    assert others.load_openmeva(tmp_path)["rating"].tolist() == [1, 5]


@pytest.mark.skipif(not available("hanna"), reason="the open data are not on this machine")
def test_open_file_gives_the_published_counts_and_marks_human_stories():
    cells = hanna.read_cells()
    assert len(hanna.tidy_ratings(cells)) == 19_008
    bleu = next(name for name in cells if name.startswith("BLEU"))
    assert (cells.loc["Human", bleu] > 99.9).all() and cells.loc["GPT", bleu].max() < 50
