"""A real open judge: its file is had and verified, any server can stand in, its recorded answers
are replayed and read."""

import http.server
import threading
from functools import partial

import pandas as pd
import pooch
import pytest
from goodjudge.ask import local

from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from tools import record_judge as one_judge


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


def test_a_model_that_cannot_be_had_says_where_to_put_it(tmp_path, hub):
    with pytest.raises(DataError, match="cannot be downloaded.*put it into"):
        local.download(hub.replace("small", "absent"), "0" * 64, tmp_path)
    with pytest.raises(DataError, match="path of a GGUF file or one of smollm2, qwen"):
        local.find_model("no-such-model")


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
        assert one_judge.main([*command, str(tmp_path)]) == 0
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
    assert one_judge.main([*command, "--outputs", str(tmp_path)]) == 1
    assert len(server.asked) == 3
    assert (tmp_path / "thinker-poem-tiers.jsonl").read_text().count("\n") == 3, "they are kept"
    assert "not one usable answer (3 unparsed" in capsys.readouterr().err


def test_a_server_of_which_no_model_is_named_is_not_called_smollm2(
    tmp_path, monkeypatch, provide, capsys
):
    server = provide()
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    assert one_judge.main(["--limit", "1", "--outputs", str(tmp_path)]) == 1
    assert "127.0.0.1:9: say which of its models is the judge" in capsys.readouterr().err
    assert not server.asked
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"some notes", b""])
def test_a_file_that_is_no_model_is_one_clear_error(tmp_path, monkeypatch, capsys, content):
    monkeypatch.delenv("LOCAL_BASE_URL", raising=False)
    (tmp_path / "notes.txt").write_bytes(content)
    with pytest.raises(DataError, match="notes.txt: is no GGUF file .*expected the weights"):
        local.find_model(str(tmp_path / "notes.txt"))


def test_without_more_words_the_smallest_local_model_is_tried_on_all_studies_and_spends_nothing():
    assert vars(one_judge.read_arguments([])) == {
        "model": "",
        "judge": None,
        "study": list(one_judge.STUDIES),
        "limit": one_judge.TRIAL,
        "concurrency": 1,
        "max_usd": 0.0,
        "outputs": ROOT / "outputs" / "local",
    }
    assert one_judge.read_arguments(["--model", "m"]).limit == 0, "a model that is named, on all"


@pytest.mark.parametrize("judge", ["openai/x", "local/y"])
def test_all_studies_share_one_budget_and_a_list_may_be_long(tmp_path, monkeypatch, judge):
    judges_asked = []
    settings = []

    def ask(requests, judge, reader, options):
        judges_asked.append(judge)
        settings.append(options)
        return pd.DataFrame({"status": ["ok"]})

    monkeypatch.setattr(one_judge.judges, "ask", ask)
    studies = {name: (list, None) for name in ("ttcw", "poem-lists")}
    monkeypatch.setattr(one_judge, "STUDIES", studies)
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    assert one_judge.main(["--judge", judge, "--max-usd", "2", "--outputs", str(tmp_path)]) == 0
    assert judges_asked == [judge, judge]
    assert [options.max_output_tokens for options in settings] == [4, 600]
    assert [options.structured for options in settings] == [False, False]
    assert settings[0].max_usd is settings[1].max_usd
