"""Two servers under one name are never taken for one judge, and one server that has moved is asked
nothing twice."""

import itertools
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import answering_server
import pytest
from goodjudge.ask import local
from goodjudge.ask.store import Store
from judges_kit import LOCAL, OPENAI, ask, table

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


@pytest.fixture
def serve_file(tmp_path, monkeypatch, two):
    """A function that serves a made-up model's file here, each time on another of two ports."""
    servers = itertools.cycle(two)

    def start_server(model):
        return None, next(servers).url.removesuffix("/v1")

    monkeypatch.setattr(local, "start_server", start_server)

    def serve(folder):
        monkeypatch.setenv("LOCAL_BASE_URL", "")
        path = tmp_path / folder / "any.gguf"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"GGUF " + folder.encode())
        return local.serving(str(path))

    return serve


def test_a_model_served_here_is_known_again_on_another_port(tmp_path, two, serve_file):
    first, second = two
    for _ in range(2):
        with serve_file("a"):
            ask(table(3), LOCAL, tmp_path / "t.sqlite")
    assert len(first.asked) == 3
    assert not second.asked


def test_another_file_of_the_same_name_is_another_model(tmp_path, serve_file):
    with serve_file("a"):
        ask(table(3), LOCAL, tmp_path / "t.sqlite")
    with serve_file("b"):
        with pytest.raises(judges.JudgeError, match="come from the server 'any sha256:"):
            ask(table(3), LOCAL, tmp_path / "t.sqlite")


def test_answers_that_name_two_models_are_told(tmp_path, provide):
    def odd(n, reply, request):
        reply["model"] = "small.gguf" if n < 3 else "large.gguf"

    provide(odd)
    warning = r"more than one model answered: large.gguf \(1\), small.gguf \(2\)"
    for _ in range(2):  # asked, and from the store
        with pytest.warns(UserWarning, match=warning):
            ask(table(3), LOCAL, tmp_path / "t.sqlite")


def test_an_address_of_the_readers_network_goes_into_no_export(tmp_path, two):
    path = tmp_path / "t.sqlite"
    ask(table(1), LOCAL, path)
    with Store(path) as store:
        (kept,) = store.rows("SELECT versions FROM answers")[0]
        export_answers(store, tmp_path / "x.jsonl")
    assert json.loads(kept)["server"] == two[0].url.split("/")[2]
    assert "127.0.0.1" not in (tmp_path / "x.jsonl").read_text()


@pytest.fixture
def proxy(monkeypatch):
    """A proxy on this machine that the environment names for everything; yields what reaches it."""
    reached = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            reached.append(self.path)
            self.send_error(407, "a proxy")

        def log_message(self, *_):
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{running.server_port}")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    yield reached
    running.shutdown()
    running.server_close()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LocalHost"])
def test_a_text_for_a_judge_on_this_machine_never_goes_through_a_proxy(
    tmp_path, monkeypatch, two, proxy, host
):
    first, _ = two
    monkeypatch.setenv("LOCAL_BASE_URL", first.url.replace("127.0.0.1", host))
    answers, _ = ask(table(3), LOCAL, tmp_path / "t.sqlite")
    assert set(answers["status"]) == {"ok"} and len(first.asked) == 3
    assert proxy == []


def test_a_judge_elsewhere_is_asked_through_the_proxy(tmp_path, monkeypatch, two, proxy):
    monkeypatch.setenv("LOCAL_BASE_URL", "http://judge.example/v1")
    answers, _ = ask(table(1), f"{LOCAL}?price=free", tmp_path / "t.sqlite")
    assert proxy == ["http://judge.example/v1/chat/completions"]
    assert answers["status"].tolist() == ["error"]
