"""Two servers under one name are never taken for one judge, and one server that has moved is asked
nothing twice."""

import json

import answering_server
import pytest
from judges_kit import LOCAL, OPENAI, ask, table

from helpers import judges
from helpers.judges.answers.store import Store
from helpers.judges.live import local
from tools.record_judge import export_answers


@pytest.fixture
def two(monkeypatch):
    """Two servers on two ports; the first is named, and has answered nothing yet."""
    monkeypatch.delenv("LOCAL_SERVER", raising=False)
    with answering_server.serving() as first, answering_server.serving() as second:
        monkeypatch.setenv("LOCAL_BASE_URL", first.url)
        yield first, second


def test_another_server_under_the_same_name_does_not_replay_the_firsts_answers(
    tmp_path, monkeypatch, two
):
    first, second = two
    path = tmp_path / "t.sqlite"
    ask(table(3), LOCAL, path)
    monkeypatch.setenv("LOCAL_BASE_URL", second.url)
    for count in (3, 5):  # all are stored, and some are
        with pytest.raises(judges.JudgeError, match="3 answers of local/any in the store"):
            ask(table(count), LOCAL, path)
    assert len(first.asked) == 3 and not second.asked


def test_a_server_that_has_moved_goes_on_under_its_old_name(tmp_path, monkeypatch, two):
    first, second = two
    path = tmp_path / "t.sqlite"
    ask(table(3), LOCAL, path)
    monkeypatch.setenv("LOCAL_BASE_URL", second.url)
    monkeypatch.setenv("LOCAL_SERVER", first.url.split("/")[2])
    answers, _ = ask(table(5), LOCAL, path)
    assert len(answers) == 5 and len(second.asked) == 2
    again, _ = ask(table(5), LOCAL, path)
    assert again["text"].equals(answers["text"]) and len(second.asked) == 2


def test_another_model_under_the_same_name_has_answers_of_its_own(tmp_path, monkeypatch, two):
    first, second = two
    path = tmp_path / "t.sqlite"
    ask(table(3), LOCAL, path)
    monkeypatch.setenv("LOCAL_BASE_URL", second.url)
    answers, _ = ask(table(3), f"{LOCAL}?server=mine", path)
    assert len(second.asked) == 3 and set(answers["status"]) == {"ok"}
    monkeypatch.setenv("LOCAL_BASE_URL", first.url)  # it is known by its own name
    ask(table(3), f"{LOCAL}?server=mine", path)
    assert len(first.asked) == 3


def test_stored_answers_are_had_without_any_server(tmp_path, monkeypatch, two):
    path = tmp_path / "t.sqlite"
    ask(table(3), LOCAL, path)
    monkeypatch.setenv("LOCAL_BASE_URL", "")
    assert len(ask(table(3), LOCAL, path)[0]) == 3
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    assert len(ask(table(3), LOCAL, path, offline=True)[0]) == 3
    assert len(two[0].asked) == 3


def test_the_name_of_a_server_is_not_sent_and_paid_judges_take_none(tmp_path, provide):
    provider = provide()
    ask(table(1), f"{LOCAL}?server=mine", tmp_path / "t.sqlite")
    assert "server" not in provider.last
    with pytest.raises(judges.JudgeError, match="'server' might change what a call costs"):
        ask(table(1), f"{OPENAI}?server=mine", tmp_path / "t.sqlite")


def test_a_model_served_here_is_told_by_its_file_and_not_by_its_port(tmp_path, monkeypatch, two):
    path = tmp_path / "t.sqlite"
    servers = iter([*two, two[0]])
    monkeypatch.setattr(local, "start_server", lambda model: (None, next(servers).url[:-3]))
    for content, folder in ((b"GGUF one", "a"), (b"GGUF two", "b")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "any.gguf").write_bytes(content)
    for _ in range(2):
        monkeypatch.setenv("LOCAL_BASE_URL", "")
        with local.serving(str(tmp_path / "a" / "any.gguf")):
            ask(table(3), LOCAL, path)
    assert len(two[0].asked) == 3 and not two[1].asked
    monkeypatch.setenv("LOCAL_BASE_URL", "")
    with local.serving(str(tmp_path / "b" / "any.gguf")):
        with pytest.raises(judges.JudgeError, match="come from the server 'any sha256:"):
            ask(table(3), LOCAL, path)


def test_answers_that_name_two_models_are_told(tmp_path, provide):
    def odd(n, reply, request):
        reply["model"] = "small.gguf" if n < 3 else "large.gguf"

    provide(odd)
    told = r"more than one model answered: large.gguf \(1\), small.gguf \(2\)"
    for _ in range(2):  # asked, and from the store
        with pytest.warns(UserWarning, match=told):
            ask(table(3), LOCAL, tmp_path / "t.sqlite")


def test_an_address_of_the_readers_network_goes_into_no_export(tmp_path, two):
    path = tmp_path / "t.sqlite"
    ask(table(1), LOCAL, path)
    with Store(path) as store:
        (kept,) = store.rows("SELECT versions FROM answers")[0]
        export_answers(store, tmp_path / "x.jsonl")
    assert json.loads(kept)["server"] == two[0].url.split("/")[2]
    assert "127.0.0.1" not in (tmp_path / "x.jsonl").read_text()
