"""The public files' numbers: tidy tables from good files, one clear error for each kind of
damage."""

import copy
import json

import hanna_kit
import numpy as np
import openpyxl
import pandas as pd
import pytest

from helpers.edits import load as edits
from helpers.evolvr import load
from helpers.sources.files import DataError
from helpers.sources.public import locate, read_json
from tools import keep_ratings, public_numbers

_, SHEETS = hanna_kit.simulate_hanna([0.5] * 6, np.random.default_rng(0))
SHEETS = SHEETS.astype({"item": int})  # as published; the project names stories by texts


def records():
    """Two stories, two tests, three experts, as the release writes them (all strings)."""
    return pd.DataFrame(
        [
            {
                "story_idx": story[0],
                "story_id": story,
                "expert_idx": str(expert),
                "ttcw_idx": str(test),
                "category": "Fluency",
                "binary_verdict": "Yes" if expert == test else "No",
                "explanation": "because",
            }
            for story in ("0_GPT4", "1_NewYorker")
            for test in (1, 2)
            for expert in (1, 2, 3)
        ]
    )


def test_good_records_become_a_tidy_table():
    table = public_numbers.read_ttcw_verdicts(records(), "file.json")
    assert list(table) == ["item", "rater", "aspect", "score"]
    assert len(table) == 12
    assert table.iloc[7].tolist() == ["1_NewYorker", "2", "1", 0]
    passed = table.loc[table["score"] == 1, ["rater", "aspect"]]
    assert passed.to_numpy().tolist() == [["1", "1"], ["2", "2"]] * 2


@pytest.mark.parametrize("column", ["story_id", "expert_idx", "ttcw_idx", "binary_verdict"])
def test_a_missing_column_is_named(column):
    with pytest.raises(DataError, match=rf"x.json: column '{column}' is missing; expected story_"):
        public_numbers.read_ttcw_verdicts(records().drop(columns=column), "x.json")


@pytest.mark.parametrize("row", [0, 7, 11])
@pytest.mark.parametrize("verdict", [None, "", "yes", "YES", "No ", "N/A"])
def test_a_verdict_that_is_neither_yes_nor_no_is_named_with_its_row(row, verdict):
    raw = records()
    raw.loc[row, "binary_verdict"] = verdict
    with pytest.raises(DataError, match=rf"x.json, row {row + 1}: score is .* expected Yes or No"):
        public_numbers.read_ttcw_verdicts(raw, "x.json")


@pytest.mark.parametrize("row", [0, 5, 11])
@pytest.mark.parametrize("verdict", ["Yes", "No"])
def test_a_second_verdict_is_named_with_its_row(row, verdict):
    raw = records()
    raw.loc[12] = raw.loc[row]
    raw.loc[12, "binary_verdict"] = verdict  # twice is wrong whether or not the two agree
    with pytest.raises(DataError, match=r"x.json, row 13: rater is .* each expert once"):
        public_numbers.read_ttcw_verdicts(raw, "x.json")


@pytest.mark.parametrize("lost", [[0], [4, 5], [1, 6, 7], [0, 1, 2, 9]])
def test_a_story_without_three_experts_is_named(lost):
    with pytest.raises(DataError, match=r"x.json, row \d+: item is '\d_\w+'; expected 3 experts"):
        public_numbers.read_ttcw_verdicts(records().drop(index=lost), "x.json")


def test_a_fourth_expert_is_as_wrong_as_a_missing_one():
    more = pd.concat([records(), records().iloc[[3]].assign(expert_idx="9")])
    with pytest.raises(DataError, match="row 4: item is '0_GPT4'; expected 3 experts"):
        public_numbers.read_ttcw_verdicts(more, "x.json")


def test_a_blocked_answer_is_told_from_an_answer(monkeypatch):
    answers = [
        {"id": "story_0_GPT4_test2", "response": " Content Blocked\n"},
        {"id": "story_0_GPT4_test1", "response": "No"},
    ]
    monkeypatch.setattr(public_numbers, "read_json", lambda name: answers)
    found = public_numbers.read_ttcw_answers("gpt4")
    assert found["finish"].tolist() == ["content_filter", "stop"]
    assert found["item"].tolist() == ["0_GPT4", "0_GPT4"]
    assert found["aspect"].tolist() == [2, 1]


@pytest.mark.parametrize(
    "ids, line",
    [
        (["story_0_GPT4_test1", "story_0_GPT4_test1"], 2),
        (["story_0_GPT4_test1", "0_GPT4_1"], 2),
        (["story_GPT4_test1"], 1),
        (["story_0_GPT4_testA"], 1),
        (["story_0_GPT4_test1 "], 1),
    ],
)
def test_a_malformed_or_repeated_id_is_named_with_its_row(monkeypatch, ids, line):
    given = [{"id": word, "response": "Yes"} for word in ids]
    monkeypatch.setattr(public_numbers, "read_json", lambda name: given)
    message = rf"ttcw/annotations_gpt4.jsonl, row {line}: id is '{ids[line - 1]}'; expected story_"
    with pytest.raises(DataError, match=message):
        public_numbers.read_ttcw_answers("gpt4")


def test_a_damaged_file_of_answers_is_named(no_data, tmp_path):
    path = tmp_path / "cache" / "ttcw" / "annotations_gpt4.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text('{"id": "story_0_GPT4_test1", "response": "Yes"}\n')
    with pytest.raises(DataError, match="ttcw/annotations_gpt4.jsonl: checksum"):
        public_numbers.read_ttcw_answers("gpt4")


def published():
    """A made-up annotations file in the published form: worker W0 rates all stories, the others
    fewer."""
    slots = zip(SHEETS["item"], SHEETS["slot"])
    workers = [f"W{0 if slot == 1 else slot + 7 * (story % 2)}" for story, slot in slots]
    names = {"item": "Story ID", "seconds": "Work time in seconds"}
    table = SHEETS.rename(columns=names).drop(columns=["rater", "slot"])
    return table.assign(Model="M", **{"Worker ID": workers})


def test_raters_get_pseudonyms_in_order_of_their_sheets(tmp_path):
    published().to_csv(tmp_path / "a.csv", index=False)
    table = public_numbers.read_hanna_sheets(tmp_path / "a.csv")
    counts = table["rater"].value_counts().sort_index()
    assert counts.to_dict() == {"r01": 1056, "r02": 528, "r03": 528, "r04": 528, "r05": 528}
    assert table.loc[:5, "rater"].tolist() == ["r01", "r02", "r03", "r01", "r04", "r05"]
    assert not table.astype(str).apply(lambda column: column.str.contains("W\\d")).any(axis=None)
    same = ["item", "slot", "seconds", *load.ASPECTS]
    pd.testing.assert_frame_equal(table[same], SHEETS[same], check_dtype=False)


def first(table, column, value):
    return table.assign(**{column: [value, *table[column].iloc[1:]]})


@pytest.mark.parametrize(
    "damage, words",
    [
        (lambda t: t.drop(columns="Worker ID"), "column 'Worker ID' is missing"),
        (lambda t: t.iloc[1:], "1056 stories, 3 sheets of each"),
        (lambda t: t.assign(**{"Story ID": t["Story ID"] + 1}), "1056 stories, 3 sheets of each"),
        (lambda t: first(t, "Surprise", 0), "row 1: Surprise is 0; expected 1, 2, 3, 4 or 5"),
        (lambda t: first(t, "Relevance", 2.5), "row 1: Relevance is 2.5"),
        (lambda t: first(t, "Complexity", np.nan), "row 1: Complexity is nan"),
    ],
)
def test_damaged_annotations_are_one_clear_error(tmp_path, damage, words):
    damage(published()).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(DataError, match=words):
        public_numbers.read_hanna_sheets(tmp_path / "a.csv")


def write_cells(path, **columns):
    pd.DataFrame({"Model": ["X", "Y"], **columns}).to_csv(path, index=False)
    return path


def test_cells_are_lists_of_numbers_by_prompt(tmp_path):
    up, down = list(range(96)), list(range(95, -1, -1))
    cells = [str(up), json.dumps(down).replace("95", "nan")]
    found = public_numbers.read_hanna_cells(write_cells(tmp_path / "c.csv", BLEU=cells))
    assert found.loc[("X", 7), "BLEU"] == 7 and found.loc[("Y", 7), "BLEU"] == 88
    assert np.isnan(found.loc[("Y", 0), "BLEU"]) and found.shape == (192, 1)


@pytest.mark.parametrize("cell", ["", "[1, 2]", "nonsense", "{}", str(["a"] * 96)])
def test_a_cell_that_is_not_96_numbers_names_its_place(tmp_path, cell):
    path = write_cells(tmp_path / "c.csv", BLEU=[str([1.0] * 96), cell])
    with pytest.raises(DataError, match="row 'Y', column 'BLEU': expected 96 numbers"):
        public_numbers.read_hanna_cells(path)


def test_a_writer_twice_or_no_writers_is_refused(tmp_path):
    with pytest.raises(DataError, match="row 2: Model is 'X'; expected one row per system"):
        public_numbers.read_hanna_cells(write_cells(tmp_path / "c.csv", Model=["X", "X"]))
    (tmp_path / "d.csv").write_text("BLEU\n1\n")
    with pytest.raises(DataError, match="'Model' is missing"):
        public_numbers.read_hanna_cells(tmp_path / "d.csv")


@pytest.mark.parametrize(
    ("cell", "value", "message"),
    [
        ("E20", "ten", "row 20, readability of rater 1: score is 'ten'"),
        ("AB20", 11, "row 20, humor of rater 2: score is 11"),
        ("B20", "bard", "writer is 'bard'; expected each writer once"),
        ("B20", "nobody", "expected all 13 writers"),
    ],
)
def test_a_bad_cell_of_the_confederacy_sheet_is_named(open_data, tmp_path, cell, value, message):
    book = openpyxl.load_workbook(locate(public_numbers.SHEET)[0], data_only=True)
    book.worksheets[0][cell] = value
    book.save(tmp_path / "sheet.xlsx")
    with pytest.raises(DataError, match=message):
        public_numbers.read_confederacy(tmp_path / "sheet.xlsx")


@pytest.fixture
def files(open_data):
    """The released files, parsed; a test may spoil its copy."""
    names = ["agreement_map", "WQRM_annotations", *(f"batch{n}" for n in range(1, 8))]
    return {f"lamp/{name}.json": copy.deepcopy(read_json(f"lamp/{name}.json")) for name in names}


@pytest.fixture
def spoilt(files, monkeypatch):
    """The same files, as the loader will read them."""
    for module in (edits, public_numbers):
        monkeypatch.setattr(module, "read_json", files.__getitem__)
    return files


def test_a_ranking_that_is_none_is_refused(spoilt):
    rankings = next(iter(spoilt["lamp/agreement_map.json"]["batch3"].values()))
    rankings[4] = [1, 1, 3]
    with pytest.raises(DataError, match=r"batch3, rater R\d: expected 27 orders"):
        public_numbers.read_lamp_ranks()
    rankings[4] = [1, 2, 3]
    rankings.pop()
    with pytest.raises(DataError, match="one per ranked entry"):
        public_numbers.read_lamp_ranks()


def test_a_missing_text_and_a_missing_place_are_refused(spoilt):
    spoilt["lamp/batch2.json"][3]["postedit"] = None
    with pytest.raises(DataError, match="batch2.json, row 4: writer's edit is"):
        public_numbers.read_lamp_ranks()
    spoilt[edits.REWARDED][0]["annotations"][1]["best_cot"] = "Least Preferred Writing Option"
    with pytest.raises(DataError, match="row 2: group is 'w-000'; expected each of"):
        public_numbers.read_wqrm_ranks()
    for one in spoilt["lamp/batch1.json"]:
        del one["source"]
    with pytest.raises(DataError, match="batch1.json: column 'source' is missing"):
        public_numbers.read_lamp_ranks()


def test_the_share_of_words_that_an_edit_changes():
    kinds = ("draft", "edit", "none")
    items = pd.DataFrame({"item": kinds, "kind": kinds, "group": "g"})
    items["text"] = ["a b c d", "a x c d", "w"]
    assert keep_ratings.share_changed(items).to_dict() == {"draft": 0, "edit": 0.25, "none": 1}
