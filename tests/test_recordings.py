"""Recordings of judges: keys are made as ever, a contributed one is read and checked, any server
can stand in."""

import http.server
import json
import threading
from functools import partial

import pandas as pd
import pooch
import pytest
from goodjudge.ask import local
from goodjudge.ask.calls import Call, make_key
from goodjudge.ask.replay import read_export

from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from tools import record_judge, recordings

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


@pytest.fixture
def hub(tmp_path):
    """A loopback server of one file."""
    (tmp_path / "hub").mkdir()
    (tmp_path / "hub" / "small.gguf").write_bytes(b"weights" * 1000)
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path / "hub")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/small.gguf"
        server.shutdown()


def test_a_model_is_downloaded_once_and_only_the_one_named(tmp_path, hub):
    right = pooch.file_hash(tmp_path / "hub" / "small.gguf")
    path = local.download(hub, right, tmp_path / "cache")
    (tmp_path / "hub" / "small.gguf").unlink()
    assert local.download(hub, right, tmp_path / "cache") == path
    assert not path.with_suffix(".part").exists()
    path.write_bytes(b"other")
    with pytest.raises(DataError, match="small.gguf: checksum.*damaged.*delete it"):
        local.download(hub, right, tmp_path / "cache")


def says(text):
    """Return `odd` of a server that gives this answer."""
    return lambda n, reply, request: reply["choices"][0]["message"].update(content=text)


def test_any_running_server_answers_a_study_and_a_second_run_asks_nothing(
    tmp_path, monkeypatch, provide, capsys
):
    server = provide(says("Good"))
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    command = ["--model", "mine:7b", "--study", "poem-tiers", "--limit", "3", "--outputs"]
    exports = []
    for _ in range(2):
        assert record_judge.main([*command, str(tmp_path)]) == 0
        exports.append((tmp_path / "mine:7b-poem-tiers.jsonl").read_text(encoding="utf8"))
    assert exports[0] == exports[1]
    assert len(server.asked) == 3
    assert server.last["max_tokens"] == 4
    assert capsys.readouterr().out.count("poem-tiers: 3 answers {") == 2


def test_a_model_whose_first_study_cannot_be_read_is_not_asked_the_others(
    tmp_path, monkeypatch, provide, capsys
):
    server = provide(says("Let me think"))
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    command = ["--model", "thinker", "--study", "poem-tiers", "poem-pairs", "--limit", "3"]
    assert record_judge.main([*command, "--outputs", str(tmp_path)]) == 1
    assert len(server.asked) == 3
    assert (tmp_path / "thinker-poem-tiers.jsonl").read_text().count("\n") == 3, "they are kept"
    assert "not one usable answer (3 unparsed" in capsys.readouterr().err


@pytest.mark.parametrize("judge", ["openai/x", "local/y"])
def test_all_studies_share_one_budget_and_a_list_may_be_long(tmp_path, monkeypatch, judge):
    judges_asked = []
    settings = []

    def ask(requests, judge, reader, options):
        judges_asked.append(judge)
        settings.append(options)
        return pd.DataFrame({"status": ["ok"]})

    monkeypatch.setattr(record_judge.judges, "ask", ask)
    studies = {name: (list, None) for name in ("ttcw", "poem-lists")}
    monkeypatch.setattr(record_judge, "STUDIES", studies)
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    assert record_judge.main(["--judge", judge, "--max-usd", "2", "--outputs", str(tmp_path)]) == 0
    assert judges_asked == [judge, judge]
    assert [options.max_output_tokens for options in settings] == [4, 600]
    assert [options.structured for options in settings] == [False, False]
    assert settings[0].max_usd is settings[1].max_usd
