"""Recordings of judges: a contributed one is read and checked, and what another would take is
counted."""

import json

import pandas as pd
import pooch
import pytest
from goodjudge.ask.calls import Call, make_key
from goodjudge.ask.replay import read_export

from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from tools import recordings

MODEL = "qwen2.5-coder-1.5b"
EXAMPLE = ROOT / "data" / "recorded" / f"{MODEL}-poem-votes.jsonl"


@pytest.fixture
def lines():
    """The lines of a recording of ours, as one that a reader contributes."""
    return [json.loads(line) for line in EXAMPLE.read_text(encoding="utf8").splitlines()]


def give(lines, folder, name="my-model-8b-poem-votes.jsonl"):
    """Write a contributed recording; return its path."""
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf8")
    return path


def test_a_contributed_recording_is_taken(lines, tmp_path):
    assert recordings.check_recording(give(lines, tmp_path)) == "poem-votes"


def test_the_keys_of_all_recorded_answers_are_made_as_ever():
    answers = [each for path in EXAMPLE.parent.glob("*.jsonl") for each in read_export(path)]
    assert len(answers) > 5000
    for answer in answers:
        asked = (answer.prompt_key, answer.provider, answer.model, answer.params)
        call = Call(None, *asked, answer.repeat, 0, answer.item, "", "", "")
        assert make_key(call) == answer.key


def test_a_recording_holds_keys_and_labels_and_no_text(lines):
    assert {line["text"] for line in lines} <= {"A", "B"}
    assert all(recordings.KEY.fullmatch(line["prompt_key"]) for line in lines)
    assert not any({"prompt", "shared", "system"} & set(line) for line in lines)


WRONG = {
    "a text": ("text", "The " + "sea " * 30, "holds labels and no text"),
    "another item": ("item", "99/alone/99/with help", "is not asked about"),
    "no key": ("prompt_key", "abc", "no SHA-256"),
    "an address": ("versions", '{"server": "http://10.0.0.7:8000"}', "address of a server"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_fault_is_named_with_its_line(lines, tmp_path, fault):
    field, value, message = WRONG[fault]
    lines[2][field] = value
    with pytest.raises(DataError, match=f"poem-votes.jsonl, line 3: .*{message}"):
        recordings.check_recording(give(lines, tmp_path))


def test_what_is_kept_is_computed_of_the_recording_that_is_there():
    committed = pd.read_csv(recordings.KEPT)
    names = [path.name for path in recordings.find_recordings()]
    assert sorted(committed["file"]) == sorted(names)
    for row in committed.itertuples():
        assert row.sha256 == pooch.file_hash(recordings.FOLDER / row.file)
