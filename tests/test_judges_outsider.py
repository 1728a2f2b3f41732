"""What an outside attack found: a provider, a server or a file that is not what it seems, one test
for each fault."""

import asyncio
import gzip
import json
import os
import signal
import sqlite3
import threading
import time

import pytest
from nasty_server import NastyServer
from test_judges_money import ANTHROPIC, OPENAI, ask, failures, table

from helpers import judges
from helpers.judges import attempts, batches, labels
from helpers.judges.store import Store, StoreError

HANG = object()
BOTH = pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])


class Odd(NastyServer):
    """`odd[step]`: what it says next, once each, instead of the truth: a value, what is called with
    the server, or HANG."""

    def __init__(self, mode="good"):
        super().__init__(mode, latency=0.005)
        self.odd, self.seen = {}, []

    async def batch(self, method, path, headers, body, writer):
        end = path.split("/")[-1]
        step = {"content": "results", "batches": "list"}.get(
            end, end if end == "results" else "poll"
        )
        step = {"list": "create", "poll": "upload"}[step] if method == "POST" else step
        self.seen.append(step)
        if not self.odd.get(step):
            return await super().batch(method, path, headers, body, writer)
        value = self.odd[step].pop(0)
        if value is HANG:
            await asyncio.sleep(0.6)
            return await super().batch(method, path, headers, body, writer)
        return await self.send(writer, 200, value(self) if callable(value) else value)


@pytest.fixture
def serve(monkeypatch):
    """A function that starts such a server and points both SDKs at it."""
    started = []

    def start(*mode):
        started.append(Odd(*mode).__enter__())
        for name, value in {
            "OPENAI_BASE_URL": started[-1].url,
            "ANTHROPIC_BASE_URL": started[-1].url[:-3],
            "LOCAL_BASE_URL": started[-1].url,
            "OPENAI_API_KEY": "sk-planted-0123456789",
            "ANTHROPIC_API_KEY": "sk-planted-0123456789",
        }.items():
            monkeypatch.setenv(name, value)
        return started[-1]

    monkeypatch.setattr(attempts, "PAUSE", 0.01)
    yield start
    for server in started:
        server.__exit__()


def batch(path, judge=OPENAI, times=1, count=4, **options):
    """Ask for a batch so many times; return the last (answers or None, why it is not complete)."""
    for _ in range(times):
        try:
            found = ask(table(count), judge, path, max_usd=5.0, batch=True, **options)
        except judges.JudgeError as fault:
            found = None, str(fault)
    return found


def half(server):
    found = server.results(
        "batch_0", "processing_status" in server.state("batch_0", True) and server.anthropic
    )
    return found[: len(found) // 2]


def poll(**change):
    return lambda server: server.state("batch_0", server.anthropic) | change


ODD = {
    "error": ("poll", {"error": {"message": "later"}}),
    "a list": ("poll", []),
    "empty": ("results", b""),
    "cut": ("results", half),
    "html": ("results", b"<html>gateway</html>"),
    "json": ("results", b'{"error": "later"}'),
    "state": ("poll", poll(status="queued", processing_status="queued")),
    "another": ("poll", poll(id="batch_9")),
    "no file": ("poll", poll(output_file_id=None)),
    "cancelled": (
        "poll",
        poll(output_file_id=None, status="cancelled", request_counts={"completed": 4}),
    ),
}


@BOTH
@pytest.mark.parametrize("what", ODD)
def test_what_is_no_result_is_no_end_of_a_batch(tmp_path, serve, judge, what):
    server, (step, value) = serve(), ODD[what]
    server.anthropic = judge == ANTHROPIC
    batch(tmp_path / "t.sqlite", judge)
    server.odd[step] = [value]
    answers, why = batch(tmp_path / "t.sqlite", judge, times=3)
    assert (
        len(server.batches) == 1
        and not why
        and answers["status"].eq("ok").all()
        and not server.odd[step]
    )
    assert answers.attrs["usd"] == 0 and not len(failures(tmp_path / "t.sqlite").query("usd > 0"))


@BOTH
def test_a_list_that_is_none_does_not_say_that_a_batch_was_not_taken(
    tmp_path, serve, monkeypatch, judge
):
    server = serve("create-lost")
    monkeypatch.setattr(batches, "UNLISTED", 0.0, raising=False)
    batch(tmp_path / "t.sqlite", judge)
    server.odd["list"] = [{"error": {"message": "later"}}]
    assert "a reply has not the documented shape" in batch(tmp_path / "t.sqlite", judge)[1]
    _, why = batch(tmp_path / "t.sqlite", judge, times=2)
    assert len(server.batches) == 1 and not why


@BOTH
def test_a_lost_batch_that_is_not_listed_yet_is_waited_for(tmp_path, serve, monkeypatch, judge):
    server = serve("create-lost")
    batch(tmp_path / "t.sqlite", judge)
    server.odd["list"] = [{"data": []}, {"data": [], "has_more": False}]
    _, why = batch(tmp_path / "t.sqlite", judge, times=2)
    assert "in a batch" in why and len(server.batches) == 1
    assert not batch(tmp_path / "t.sqlite", judge)[1] and len(server.batches) == 1


@pytest.mark.parametrize("said", [b"<html>", {}, [], {"error": {"message": "later"}}, {"id": 5}])
def test_a_batch_that_the_provider_never_took_is_sent_again_after_a_while(
    tmp_path, serve, monkeypatch, said
):
    server = serve()
    server.odd["create"] = [said]
    batch(tmp_path / "t.sqlite")
    assert "in a batch" in batch(tmp_path / "t.sqlite")[1] and not server.batches
    monkeypatch.setattr(batches, "UNLISTED", 0.0)
    assert not batch(tmp_path / "t.sqlite", times=2)[1] and len(server.batches) == 1


@pytest.mark.parametrize("more", [{}, {"has_more": False}, {"has_more": True}])
def test_a_list_without_an_end_is_read_once(tmp_path, serve, monkeypatch, more):
    server = serve("create-lost")
    batch(tmp_path / "t.sqlite")
    server.odd["list"] = [
        {"data": [{"id": f"x{i}", "metadata": {}} for i in range(100)], **more}
    ] * 50
    assert "in a batch" in batch(tmp_path / "t.sqlite")[1] and len(server.odd["list"]) >= 48


@BOTH
@pytest.mark.parametrize("body", [5, [1], "text", None])
def test_a_line_with_an_odd_body_is_its_own_failure(tmp_path, serve, judge, body):
    server = serve()
    anthropic = judge == ANTHROPIC
    batch(tmp_path / "t.sqlite", judge)

    def odd(server):
        first, *rest = server.results("batch_0", anthropic).splitlines()
        line = json.loads(first)
        line["result" if anthropic else "response"]["message" if anthropic else "body"] = body
        return b"\n".join([json.dumps(line).encode(), *rest])

    server.odd["results"] = [odd]
    answers, why = batch(tmp_path / "t.sqlite", judge)
    assert answers["status"].eq("ok").sum() == 3 and "1 answers are in a batch" in why


def test_lines_that_come_twice_cost_once(tmp_path, serve):
    server = serve()
    batch(tmp_path / "t.sqlite")
    server.odd["results"] = [lambda server: server.results("batch_0", False) * 2]
    answers, _ = batch(tmp_path / "t.sqlite")
    assert answers.attrs["usd"] == pytest.approx(answers["usd"].sum())


def interrupt(path, after=0.25):
    """Ask for a batch and press Ctrl-C; return the seconds that it took to end."""
    begin = time.monotonic()
    threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        judges.ask(
            table(4),
            OPENAI,
            labels.parse_yes_no,
            transcripts=path,
            max_usd=5.0,
            batch=True,
            progress=False,
        )
    return time.monotonic() - begin


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("step", ["poll", "results"])
def test_ctrl_c_ends_a_batch_run_that_only_looks(tmp_path, serve, step):
    server = serve()
    batch(tmp_path / "t.sqlite")
    server.odd[step] = [HANG] * 9
    assert interrupt(tmp_path / "t.sqlite") < 0.55
    server.odd[step] = []
    assert not batch(tmp_path / "t.sqlite")[1] and len(server.batches) == 1


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_lets_a_submission_end(tmp_path, serve):
    server = serve()
    server.odd["create"] = [HANG]
    assert 0.55 < interrupt(tmp_path / "t.sqlite", 0.3) and server.seen[-1] == "create"
    with Store(tmp_path / "t.sqlite") as store:
        assert store.rows("SELECT state FROM batches") == [("submitted",)]
    assert not batch(tmp_path / "t.sqlite")[1] and len(server.batches) == 1


def test_a_batch_run_ends_when_its_time_is_over(tmp_path, serve):
    server = serve()
    batch(tmp_path / "t.sqlite")
    server.odd["poll"] = [HANG] * 9
    answers, why = batch(tmp_path / "t.sqlite", run_seconds=0.2)
    assert "longer than 0.2 s (run_seconds)" in why and answers["note"].eq("not looked up").all()


@pytest.mark.parametrize("what, kept", [(b'{"custom_id": "another"}', 2), (b"<html>", 1)])
def test_a_lost_batch_of_anthropic_is_known_by_its_lines_alone(
    tmp_path, serve, monkeypatch, what, kept
):
    server = serve("create-lost")
    monkeypatch.setattr(batches, "UNLISTED", 0.0)
    batch(tmp_path / "t.sqlite", ANTHROPIC)
    # another's batch of the same size, or nothing that can be read
    server.mode, server.odd["results"] = "good", [what] * 2
    for _ in range(3):
        _, why = batch(tmp_path / "t.sqlite", ANTHROPIC)
    assert not why and len(server.batches) == kept


def test_one_prompt_of_several_items_is_asked_and_paid_once(tmp_path, serve):
    server, requests = serve(), table(4).assign(prompt=["the same?"] * 3 + ["another?"])
    answers, _ = ask(requests, OPENAI, tmp_path / "t.sqlite", max_usd=1.0)
    assert (
        server.requests == 2
        and answers["status"].eq("ok").all()
        and answers["item"].tolist() == requests["item"].tolist()
    )
    assert answers.attrs["calls"] == 2 and answers.attrs["usd"] == pytest.approx(
        answers["usd"].sum(), abs=2e-6
    )
    assert judges.plan(requests, OPENAI, transcripts=tmp_path / "u.sqlite")["calls"].tolist() == [2]


def test_one_prompt_of_several_items_is_one_line_of_a_batch(tmp_path, serve):
    server = serve()
    with pytest.raises(judges.Incomplete, match="1 answers are in a batch"):
        judges.ask(
            table(4).assign(prompt="the same?"),
            OPENAI,
            labels.parse_yes_no,
            transcripts=tmp_path / "t.sqlite",
            max_usd=1.0,
            batch=True,
        )
    assert len(server.batches["batch_0"]["lines"]) == 1


def test_a_store_has_one_lock_by_whatever_name(tmp_path):
    Store(tmp_path / "t.sqlite").db.close()
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "t.sqlite")
    with (
        Store(tmp_path / "t.sqlite") as one,
        Store(tmp_path / "link.sqlite") as other,
        one.turn("openai", 1),
    ):
        with (
            pytest.raises(judges.JudgeError, match="another process asks"),
            pytest.warns(UserWarning),
            other.turn("openai", 0),
        ):
            pass


@pytest.mark.parametrize(
    "tail, what",
    [("", "t.sqlite: .*no such table"), ("-openai", "t.sqlite-openai: .*not a database")],
)
def test_a_spoilt_store_is_one_clear_error_before_anything_is_asked(tmp_path, serve, tail, what):
    server = serve()
    if tail:
        (tmp_path / "t.sqlite-openai").write_bytes(b"no database " * 999)
    else:
        sqlite3.connect(tmp_path / "t.sqlite").execute("PRAGMA user_version=2")
    with pytest.raises(StoreError, match=what):
        judges.ask(
            table(1),
            OPENAI,
            labels.parse_yes_no,
            transcripts=tmp_path / "t.sqlite",
            max_usd=1.0,
            progress=False,
        )
    assert not server.requests


KEY = "sk-planted-0123456789"
ECHO = {
    "model": lambda reply: reply.update(model=f"gpt-4o-{KEY}"),
    "finish": lambda reply: reply["choices"][0].update(finish_reason=KEY),
    "unknown": lambda reply: reply["choices"][0].update(finish_reason="any words of a stranger"),
    "token": (
        lambda reply: reply["choices"][0].update(
            logprobs={
                "content": [{"token": KEY, "top_logprobs": [{"token": KEY, "logprob": -0.1}]}]
            }
        )
    ),
    "text": lambda reply: reply["choices"][0]["message"].update(content=f"{KEY}\nVerdict: Yes"),
}


@pytest.mark.parametrize("mode", ECHO)
@pytest.mark.parametrize("way", [False, True])
def test_a_key_in_any_part_of_a_reply_is_kept_nowhere(tmp_path, serve, monkeypatch, mode, way):
    server = serve()
    real = server.reply

    def reply(*parts):
        found = real(*parts)
        ECHO[mode](found)
        return found

    monkeypatch.setattr(server, "reply", reply)
    for _ in range(2):
        answers, why = ask(table(2), OPENAI, tmp_path / "t.sqlite", max_usd=1.0, batch=way)
    said = answers.to_json() + why + "".join(sqlite3.connect(tmp_path / "t.sqlite").iterdump())
    assert (
        "planted" not in said
        and "stranger" not in said
        and ("OPENAI_API_KEY" in said or mode in ("finish", "unknown"))
    )


@pytest.mark.parametrize("before", range(960, 1010, 5))
def test_a_key_at_a_cut_is_hidden_before_it_is_cut(tmp_path, serve, monkeypatch, before):
    server = serve()

    async def answer(method, path, headers, body, writer):
        return await server.send(writer, 422, b"a" * before + KEY.encode())

    monkeypatch.setattr(server, "answer", answer)
    answers, _ = ask(table(1), OPENAI, tmp_path / "t.sqlite", max_usd=1.0)
    assert "sk-pl" not in answers["note"].iloc[0]


def test_a_local_server_hears_nothing_of_an_account(tmp_path, serve, monkeypatch):
    server = serve()
    for name, value in {
        "ORG_ID": "org-secret",
        "PROJECT_ID": "proj-secret",
        "CUSTOM_HEADERS": "x-my: custom-secret",
    }.items():
        monkeypatch.setenv(f"OPENAI_{name}", value)
    ask(table(1), "local/any", tmp_path / "t.sqlite")
    assert server.headers and "secret" not in str(server.headers)
    ask(table(1), OPENAI, tmp_path / "t.sqlite", max_usd=1.0)
    assert server.headers["openai-organization"] == "org-secret"


def test_a_request_that_waited_has_its_own_time(tmp_path, serve, monkeypatch):
    server, real = serve(), Odd.answer

    async def answer(method, path, headers, body, writer):
        if len(server.seen) < 2:
            server.seen.append("busy")
            return await server.send(writer, 429, {}, "retry-after: 0.5")
        await asyncio.sleep(0.15)
        return await real(server, method, path, headers, body, writer)

    monkeypatch.setattr(server, "answer", answer)
    answers, _ = ask(table(2), OPENAI, tmp_path / "t.sqlite", max_usd=1.0, call_seconds=0.6)
    assert answers["status"].tolist() == ["ok", "ok"] and server.requests == 2


@pytest.mark.parametrize("name", ["gzip", "GZIP", "Gzip"])
def test_every_packed_reply_is_unpacked(tmp_path, serve, monkeypatch, name):
    server, real = serve(), Odd.send

    async def send(writer, status, value):
        packed = gzip.compress(value[:50]) + gzip.compress(value[50:])
        return await real(server, writer, status, packed, f"content-encoding: {name}")

    monkeypatch.setattr(server, "send", send)
    answers, _ = ask(table(1), OPENAI, tmp_path / "t.sqlite", max_usd=1.0)
    assert answers["status"].tolist() == ["ok"]


def test_an_answer_that_fills_the_context_is_cut_off(tmp_path, serve, monkeypatch):
    server = serve()
    real = server.reply
    monkeypatch.setattr(
        server,
        "reply",
        lambda *parts: real(*parts) | {"stop_reason": "model_context_window_exceeded"},
    )
    answers, _ = ask(table(1), ANTHROPIC, tmp_path / "t.sqlite", max_usd=1.0)
    assert answers[["status", "note"]].values.tolist() == [
        ["unparsed", "cut off at max_output_tokens"]
    ]


@pytest.mark.parametrize(
    "taken, note",
    [("Yes", ""), (" no", "its first token was 'No', its verdict is not"), ("The", "")],
)
def test_a_verdict_that_its_first_token_contradicts_is_told(
    tmp_path, serve, monkeypatch, taken, note
):
    server = serve()
    real = server.reply
    top = [{"token": token, "logprob": -1.5} for token in ("Yes", " no", "The")]

    def reply(*parts):
        found = real(*parts)
        found["choices"][0] |= {"logprobs": {"content": [{"token": taken, "top_logprobs": top}]}}
        found["choices"][0]["message"]["content"] = "Yes, it is."
        return found

    monkeypatch.setattr(server, "reply", reply)

    def parse(text):
        return {"Y": 1, "N": 0}.get(text[0])

    parse.choices = {"Yes": 1, "No": 0}
    answers, _ = ask(table(1), OPENAI, tmp_path / "t.sqlite", max_usd=1.0, parse=parse)
    assert answers["verdict"].tolist() == [1] and answers["note"].tolist() == [note]
    assert answers["score"].iloc[0] == pytest.approx(0.5) and answers["mass"].iloc[
        0
    ] == pytest.approx(0.4463, abs=1e-4)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_sends_no_further_batch(tmp_path, serve, monkeypatch):
    server = serve()
    monkeypatch.setattr(batches, "LINES", 2)
    server.odd["create"] = [HANG]
    interrupt(tmp_path / "t.sqlite", 0.3)
    assert len(server.batches) == 1
    answers, _ = batch(tmp_path / "t.sqlite", times=2)
    assert len(server.batches) == 2 and answers["status"].eq("ok").all()


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])
def test_a_header_with_odd_bytes_is_no_fault_of_the_text(tmp_path, serve, monkeypatch, judge):
    server, real = serve(), Odd.answer

    async def answer(method, path, headers, body, writer):
        if server.seen:
            return await real(server, method, path, headers, body, writer)
        server.seen.append("busy")
        writer.write(b"HTTP/1.1 429 X\r\ncontent-length: 2\r\nretry-after: \xb2\r\n\r\n{}")
        return True

    monkeypatch.setattr(server, "answer", answer)
    answers, _ = ask(table(1), judge, tmp_path / "t.sqlite", max_usd=1.0)
    assert (
        answers["status"].tolist() == ["ok"] and failures(tmp_path / "t.sqlite")["usd"].sum() == 0
    )
