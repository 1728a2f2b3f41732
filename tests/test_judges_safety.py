"""Secrets are kept nowhere; what is paid survives Ctrl-C, a kill, a full disk and a second process;
both SDKs speak to a real server."""

import asyncio
import os
import queue
import signal
import sqlite3
import threading
import time

import fault_server
import httpx2
import pytest
from goodjudge.ask import run  # noqa: F401 (it loads before a test forks)
from goodjudge.ask.errors import StoreError
from goodjudge.ask.redaction import redact_secrets
from goodjudge.ask.store import VERSION, Store
from judges_kit import ANTHROPIC, KEY, LOCAL, OPENAI, ask, table

from helpers import judges
from helpers.sources.public import ROOT
from helpers.workshop import run as runs

HIDDEN = "[OPENAI_API_KEY]"
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and signals")


def everything(path, answers, why=""):
    """Return all that a run leaves: its table, its last words, its store."""
    return answers.to_json() + why + "".join(sqlite3.connect(path).iterdump())


def put_key(where):
    """Return `odd` that says the key back in one part of a reply."""

    def odd(n, reply, request):
        choice = reply["choices"][0]
        if where == "model":
            reply["model"] = f"gpt-4o-{KEY}"
        if where == "finish":
            choice["finish_reason"] = KEY
        if where == "token":
            top = [{"token": KEY, "logprob": -0.1}]
            choice["logprobs"] = {"content": [{"token": KEY, "top_logprobs": top}]}
        if where == "text":
            choice["message"]["content"] = f"{KEY}\nVerdict: Yes"
        if where == "not JSON":
            return f"<{KEY}>".encode()
        return None

    return odd


@pytest.mark.parametrize("where", ["model", "finish", "token", "text", "not JSON"])
def test_a_key_in_any_part_of_a_reply_is_kept_nowhere(tmp_path, provide, where):
    provide(put_key(where))
    answers, why = ask(table(2), OPENAI, tmp_path / "t.sqlite")
    said = everything(tmp_path / "t.sqlite", answers, why)
    assert "planted" not in said
    assert HIDDEN in said or where in ("finish", "not JSON")


@pytest.mark.parametrize("code", [400, 401, 422, 429, 500])
@pytest.mark.parametrize("before", [0, 960, 985, 1990])
def test_a_key_in_an_error_is_hidden_before_anything_is_cut(tmp_path, provide, code, before):
    body = b"a" * before + f"Incorrect key {KEY}.".encode()
    provide(lambda n, reply, request: httpx2.Response(code, content=body))
    answers, why = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    said = everything(tmp_path / "t.sqlite", answers, why)
    assert "sk-pl" not in said
    assert "planted" not in said
    assert HIDDEN in said or before
    assert str(code) in said


def test_a_key_in_the_words_of_a_broken_connection_is_hidden(tmp_path, provide):
    provide(lambda n, reply, request: httpx2.ReadError(f"Bearer {KEY}"))
    answers, why = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    said = everything(tmp_path / "t.sqlite", answers, why)
    assert "planted" not in said
    assert HIDDEN in said


def test_every_secret_of_the_environment_is_hidden_the_longest_first(monkeypatch):
    for name, value in {"MY_TOKEN": "abcde", "B_SECRET": "abcde-fghij", "C_KEY": "ab"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("OTHER", "hello world")
    monkeypatch.setenv("DATABASE_URL", "postgres://me:open-sesame@db/x")
    monkeypatch.setenv("MY_SECRET_ACCESS", "klmnopq")
    said = redact_secrets("abcde-fghij abcde ab hello world open-sesame klmnopq")
    assert said == "[B_SECRET] [MY_TOKEN] ab hello world [DATABASE_URL] [MY_SECRET_ACCESS]"
    assert redact_secrets("abcde-fghij", 12) == "abcde-fghij"


ENDS = ["sk-planted-0***cdef", "sk-p...cdef", "sk-pl\u2026", "***bcdef", "sk-planted", "89abcdef"]


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("code", [401, 500])
def test_the_ends_of_a_key_are_hidden_as_the_whole_is(tmp_path, provide, code, ends):
    body = f"Incorrect API key provided: {ends}. See".encode()
    provide(lambda n, reply, request: httpx2.Response(code, content=body))
    answers, why = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    said = everything(tmp_path / "t.sqlite", answers, why)
    assert f"provided: {HIDDEN}. See" in said
    assert "planted" not in said
    assert "cdef" not in said


def test_a_key_in_the_address_of_a_redirect_is_not_told(tmp_path, provide):
    headers = {"location": f"https://{KEY}.example/v1"}
    provide(lambda n, reply, request: httpx2.Response(307, headers=headers))
    _, why = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert "307: no answer, and no other address" in why
    assert "planted" not in why


def test_a_masked_key_in_a_good_reply_is_hidden_and_words_like_its_ends_stay(tmp_path, provide):
    def odd(n, reply, request):
        text = "Key sk-planted***cdef. It plants, sk... and decoded.\nVerdict: Yes"
        reply["choices"][0]["message"]["content"] = text

    provide(odd)
    answers, _ = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    first = answers["text"].iloc[0].splitlines()[0]
    assert first == f"Key {HIDDEN}. It plants, sk... and decoded."


def test_a_long_reply_of_stars_is_searched_for_keys_in_no_time(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    begin = time.process_time()
    for many in ("*", "x", ".\u2026", "\\u2022", "sk-p*", "a"):
        redact_secrets(many * 60_000, 16, 8)
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    "judge", ["sk-typed-by-mistake", "openai/sk-typed-by-mistake", KEY, f"local/{KEY}"]
)
def test_a_key_typed_as_a_judge_is_refused_and_not_repeated(tmp_path, provide, judge):
    provider = provide()
    with pytest.raises(judges.JudgeError, match="what looks like a key") as fault:
        ask(table(1), judge, tmp_path / "t.sqlite")
    assert "mistake" not in str(fault.value)
    assert "planted" not in str(fault.value)
    assert not provider.asked


def test_a_key_typed_as_a_parameter_reaches_no_copy_of_a_notebook(tmp_path):
    notebook = ROOT / "notebooks" / "02-llm-judge-baseline.ipynb"
    with pytest.raises(runs.ParameterError, match="judge holds what looks like a key") as fault:
        runs.execute(notebook, tmp_path / "x.ipynb", {"judge": "sk-typed-by-mistake"})
    assert "mistake" not in str(fault.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("key", ["sk-pa55-word\nx-other: 1", "sk-pa55-wörd", "sk-pa55\x00word", ""])
def test_what_can_be_no_key_is_sent_nowhere_and_seen_nowhere(tmp_path, provide, monkeypatch, key):
    provider = provide()
    # which no shell could hold
    monkeypatch.setattr(os, "environ", dict(os.environ) | {"OPENAI_API_KEY": key})
    with pytest.raises(judges.JudgeError, match="environment variable OPENAI_API_KEY") as fault:
        ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert "pa55" not in str(fault.value)
    assert not provider.asked
    os.environ["OPENAI_API_KEY"] = "none-00 \n"  # as a file gives it
    ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert provider.headers["authorization"] == "Bearer none-00"


def test_a_local_server_hears_nothing_of_an_account(tmp_path, provide, monkeypatch):
    provider = provide()
    for name, value in {
        "ORG_ID": "org",
        "PROJECT_ID": "pro",
        "CUSTOM_HEADERS": "x-my: cus",
    }.items():
        monkeypatch.setenv(f"OPENAI_{name}", f"{value}-secret")
    ask(table(1), LOCAL, tmp_path / "t.sqlite")
    assert "secret" not in str(provider.headers)
    assert KEY not in str(provider.headers)
    ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert provider.headers["openai-organization"] == "org-secret"


@pytest.mark.parametrize(
    "url",
    [
        "http://user:pa55-word@127.0.0.1:9/v1",
        "http://127.0.0.1:9/v1?api_key=pa55-word",
        "user:pa55-word@127.0.0.1:9/v1",
        "127.0.0.1:9",
        "http://127.0.0.1:99999/v1",
        "http://127.0.0.1:port/v1",
        "ftp://u:pa55-word@host",
        "http://[::1/v1",
        "http://\x01pa55-word/v1",
        "http://127.0.0.1:9/v1\x01",
    ],
)
@pytest.mark.parametrize("judge", [OPENAI, LOCAL])
def test_an_unusable_address_is_one_clear_error_that_repeats_none_of_it(
    tmp_path, provide, monkeypatch, judge, url
):
    provide()
    name = f"{judge.split('/')[0].upper()}_BASE_URL"
    monkeypatch.setenv(name, url)
    said = f"^the environment variable {name} is not a usable address"
    with pytest.raises(judges.JudgeError, match=said) as fault:
        ask(table(1), judge, tmp_path / "t.sqlite")
    assert "pa55" not in str(fault.value)


@pytest.mark.parametrize("port", ["port", "99999"])
def test_a_proxy_that_can_be_none_is_one_clear_error(tmp_path, monkeypatch, port):
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HTTP_PROXY", f"http://u:pa55-word@127.0.0.1:{port}")
    with pytest.raises(judges.JudgeError, match="ALL_PROXY is not a usable proxy") as fault:
        ask(table(1), LOCAL, tmp_path / "t.sqlite")
    assert "pa55" not in str(fault.value)


def test_a_gateway_asked_as_local_hears_its_own_key(tmp_path, provide, monkeypatch):
    provider = provide()
    monkeypatch.setenv("LOCAL_API_KEY", "gateway-0123456789")
    ask(table(1), LOCAL, tmp_path / "t.sqlite")
    assert provider.headers["authorization"] == "Bearer gateway-0123456789"


def test_parameters_in_a_judges_name_are_sent_and_part_of_the_key(tmp_path, provide):
    provider, path = provide(), tmp_path / "t.sqlite"
    warm = LOCAL + "?max_tokens=2000&temperature=0.7&reasoning_effort=low"
    first, _ = ask(table(1), warm, path)
    sent = {"model": "any", "max_tokens": 2000, "temperature": 0.7, "reasoning_effort": "low"}
    assert {name: provider.last[name] for name in sent} == sent
    assert set(first["model"]) == {"any"}
    second, _ = ask(table(1), LOCAL, path)
    third, _ = ask(table(1), LOCAL + "?temperature=0&max_tokens=400", path)
    assert first["key"].iloc[0] != second["key"].iloc[0] == third["key"].iloc[0]
    ask(table(1), OPENAI + "?max_tokens=70&temperature=1", path)
    assert provider.last["max_completion_tokens"] == 70
    assert provider.last["temperature"] == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("openai/gpt-4o?max_tokens", "expected name=value behind the question mark"),
        ("openai/gpt-4o?max_tokens=many", "max_tokens='many': expected a whole number"),
        ("local/any?max_tokens=0", "max_tokens=0: expected a whole number"),
        ("openai/gpt-4o?service_tier=priority", "'service_tier' might change what a call costs"),
        ("local/any?n=5", "'n' might change what a call costs"),
        ("local/any?temperature=NaN", "params: "),
        ("openai/?temperature=0", "expected provider/name"),
    ],
)
def test_parameters_that_make_no_sense_are_named(tmp_path, provide, name, said):
    provider = provide()
    with pytest.raises(judges.JudgeError, match=said):
        ask(table(1), name, tmp_path / "t.sqlite")
    assert not provider.asked


def test_a_server_that_is_down_stops_the_run_and_says_so(tmp_path, provide):
    provide(lambda n, reply, request: httpx2.ConnectError("refused"))
    answers, why = ask(table(20), LOCAL, tmp_path / "t.sqlite")
    assert "no server answers at 127.0.0.1:8080 (refused)" in why
    assert "LOCAL_BASE_URL" in why
    assert set(answers["note"]) == {"not asked"}
    provide(lambda n, reply, request: httpx2.ConnectError("refused") if n == 9 else None)
    assert not ask(table(20), LOCAL, tmp_path / "t.sqlite")[1]  # it was there before


# what is paid is kept


@needs_fork
def test_ctrl_c_three_times_keeps_all_that_was_sent_and_sends_no_more(tmp_path, provide):
    def odd(n, reply, request):
        for after in (0, 0.05, 0.1) if n == 30 else ():
            threading.Timer(after, os.kill, [os.getpid(), signal.SIGINT]).start()

    provider, path = provide(odd, clock=False, latency=0.3), tmp_path / "t.sqlite"
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        ask(table(200), OPENAI, path, concurrency=32)
    assert signal.getsignal(signal.SIGINT) is before
    with Store(path) as kept:
        assert set(kept.get(provider.asked)) == set(provider.asked)
    assert 30 <= len(provider.asked) < 70


@needs_fork
def test_a_second_ctrl_c_ends_a_run_whose_server_hangs_and_keeps_what_came(tmp_path, provide):
    def odd(n, reply, request):
        if n > 3:
            provider.latency = 10**6

    provider, path = provide(odd, clock=False, latency=0.01), tmp_path / "t.sqlite"
    budget = judges.Budget(1.0)
    begin = time.monotonic()
    for after in (0.7, 2.2):
        threading.Timer(after, os.kill, [os.getpid(), signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        ask(table(30), OPENAI, path, concurrency=2, max_usd=budget)
    assert 2 < time.monotonic() - begin < 6
    assert 3 < len(provider.asked) < 9
    with Store(path) as kept:
        assert set(kept.get(provider.asked)) == set(provider.answered[:3])
    assert budget.held == 0
    assert budget.spent > 0.02, "those under way are booked at the worst"


def forked(work):
    """Do the work in a child process; return its exit status (a signal: negative)."""
    if not (child := os.fork()):
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@needs_fork
@pytest.mark.parametrize("last", [9, 20, 33])
def test_a_killed_run_resumes_and_asks_no_finished_answer_again(tmp_path, provide, last):
    def odd(n, reply, request):
        if n == last:
            os.kill(os.getpid(), signal.SIGKILL)

    log, path = tmp_path / "answered", tmp_path / "t.sqlite"
    provider = provide(odd)

    def work():
        ask(table(40), OPENAI, path, concurrency=4)

    real = Store.put

    def put(store, answers):
        real(store, answers)
        with open(log, "a") as file:
            file.write("".join(answer.key + "\n" for answer in answers))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "put", put)
        assert forked(work) == -signal.SIGKILL
    kept = set(log.read_text().split())
    assert len(kept) >= last - 4
    provider.odd = lambda n, reply, request: None
    answers, _ = ask(table(40), OPENAI, path)
    assert answers["status"].eq("ok").all()
    assert not kept & set(provider.asked)
    assert len(provider.asked) == 40 - len(kept) == answers.attrs["calls"]


@needs_fork
def test_two_processes_share_one_store_and_no_answer_is_paid_twice(tmp_path, provide):
    log, path = tmp_path / "asked", tmp_path / "t.sqlite"

    def odd(n, reply, request):
        with open(log, "a") as file:
            file.write(request.headers["idempotency-key"] + "\n")

    provide(odd, clock=False, latency=0.02)
    children = []
    for _ in range(2):
        if not (child := os.fork()):
            answers, _ = ask(table(40), ANTHROPIC, path, concurrency=4)
            os._exit(0 if answers["status"].eq("ok").all() else 1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    answers, _ = ask(table(40), ANTHROPIC, path, offline=True)
    assert sorted(log.read_text().split()) == sorted(answers["key"])


def with_pragma(monkeypatch, pragma):
    """Let every store that is opened from now on have a limit of SQLite's own."""

    def start(self, path, _real=Store.__init__):
        _real(self, path)
        self.db.execute(f"PRAGMA {pragma}")

    monkeypatch.setattr(Store, "__init__", start)


def test_a_full_disk_ends_the_run_and_what_was_paid_is_in_the_table(tmp_path, provide):
    provider, path = provide(), tmp_path / "t.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        with_pragma(patch, "max_page_count=7")
        answers, why = ask(table(60), OPENAI, path)
    assert "the store cannot be written (database or disk is full)" in why
    assert answers["status"].eq("ok").sum() == len(provider.asked) < 60, "kept or not"
    with Store(path) as store:
        assert 0 < len(store.get(provider.asked)) < 60


def test_a_run_goes_on_when_the_disk_has_room_again(tmp_path, provide):
    provider, path = provide(), tmp_path / "t.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        with_pragma(patch, "max_page_count=7")
        ask(table(60), OPENAI, path)
    answers, why = ask(table(60), OPENAI, path)
    assert not why
    assert answers["status"].eq("ok").all()
    assert len(set(provider.asked)) == 60
    assert len(provider.asked) <= 60 + 8, "what could not be kept is asked again"


def test_a_lock_that_cannot_be_written_is_no_other_process(tmp_path, provide):
    provider, gate = provide(), tmp_path / "t.sqlite-openai"
    gate.mkdir()  # as on a full disk: SQLite cannot open it
    with pytest.raises(StoreError, match="t.sqlite: no transcript store .*unable to open"):
        ask(table(3), OPENAI, tmp_path / "t.sqlite")
    assert not provider.asked
    assert (tmp_path / "t.sqlite").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("pragma", ["query_only=1", None, "lock"])
def test_a_store_that_cannot_be_written_is_refused_before_anything_is_paid(
    tmp_path, provide, monkeypatch, pragma
):
    provider, path = provide(), tmp_path / "t.sqlite"
    if pragma == "lock":
        (tmp_path / "t.sqlite-openai").write_bytes(b"no database " * 999)
    elif pragma:
        with_pragma(monkeypatch, pragma)
    else:
        sqlite3.connect(path).execute(
            f"PRAGMA user_version={VERSION}"
        )  # a store without its tables
    with pytest.raises(StoreError, match="t.sqlite"):
        ask(table(3), OPENAI, path)
    assert not provider.asked


@pytest.fixture
def server():
    """The port of a real server in a thread of its own."""
    loop, ports = asyncio.new_event_loop(), queue.Queue()
    thread = threading.Thread(target=loop.run_until_complete, args=[fault_server.main(ports.put)])
    thread.start()
    port, stop = ports.get(timeout=10)
    yield port
    loop.call_soon_threadsafe(stop.set)
    thread.join(10)


def test_both_sdks_speak_to_a_real_server(tmp_path, monkeypatch, server):
    for judge, end in ((OPENAI, "/v1"), (ANTHROPIC, "")):
        name = judge.split("/")[0].upper()
        monkeypatch.setenv(f"{name}_BASE_URL", f"http://127.0.0.1:{server}{end}")
        monkeypatch.setenv(f"{name}_API_KEY", KEY)
        answers, why = ask(table(12), judge, tmp_path / "t.sqlite")
        assert answers["status"].eq("ok").all()
        assert not why
        assert answers.attrs["calls"] == 12
        assert answers["output_tokens"].eq(12).all()
        assert set(answers["verdict"]) == {"Yes"}
