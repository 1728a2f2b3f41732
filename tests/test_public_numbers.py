"""The public files' numbers: tidy tables from good files, one clear error for each kind of
damage."""

import pandas as pd
import pytest

from helpers.evolvr import load
from helpers.sources.files import DataError
from helpers.sources.kept import read_kept
from tools import public_numbers

SHEETS = read_kept("hanna-ratings")


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


@pytest.mark.parametrize("verdict", [None, "yes", "N/A"])
def test_a_verdict_that_is_neither_yes_nor_no_is_named_with_its_row(verdict):
    raw = records()
    raw.loc[7, "binary_verdict"] = verdict
    with pytest.raises(DataError, match="x.json, row 8: score is .* expected Yes or No"):
        public_numbers.read_ttcw_verdicts(raw, "x.json")


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
        (lambda t: first(t, "Surprise", 0), "row 1: Surprise is 0; expected 1, 2, 3, 4 or 5"),
    ],
)
def test_damaged_annotations_are_one_clear_error(tmp_path, damage, words):
    damage(published()).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(DataError, match=words):
        public_numbers.read_hanna_sheets(tmp_path / "a.csv")
