"""Two servers under one name are never taken for one judge, and one server that has moved is asked
nothing twice."""

import json

import answering_server
import pytest
from goodjudge.ask.store import Store
from judges_kit import LOCAL, ask, table

from helpers import judges
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
    assert len(first.asked) == 3
    assert not second.asked


def test_a_server_that_has_moved_goes_on_under_its_old_name(tmp_path, monkeypatch, two):
    first, second = two
    path = tmp_path / "t.sqlite"
    ask(table(3), LOCAL, path)
    monkeypatch.setenv("LOCAL_BASE_URL", second.url)
    monkeypatch.setenv("LOCAL_SERVER", first.url.split("/")[2])
    answers, _ = ask(table(5), LOCAL, path)
    again, _ = ask(table(5), LOCAL, path)
    assert len(answers) == 5
    assert again["text"].equals(answers["text"])
    assert len(second.asked) == 2


def test_another_model_under_the_same_name_has_answers_of_its_own(tmp_path, monkeypatch, two):
    first, second = two
    path = tmp_path / "t.sqlite"
    ask(table(3), LOCAL, path)
    monkeypatch.setenv("LOCAL_BASE_URL", second.url)
    answers, _ = ask(table(3), f"{LOCAL}?server=mine", path)
    assert len(second.asked) == 3
    assert set(answers["status"]) == {"ok"}
    monkeypatch.setenv("LOCAL_BASE_URL", first.url)  # it is known by its own name
    ask(table(3), f"{LOCAL}?server=mine", path)
    assert len(first.asked) == 3


def test_an_address_of_the_readers_network_goes_into_no_export(tmp_path, two):
    path = tmp_path / "t.sqlite"
    ask(table(1), LOCAL, path)
    with Store(path) as store:
        (kept,) = store.rows("SELECT versions FROM answers")[0]
        export_answers(store, tmp_path / "x.jsonl")
    assert json.loads(kept)["server"] == two[0].url.split("/")[2]
    assert "127.0.0.1" not in (tmp_path / "x.jsonl").read_text()
