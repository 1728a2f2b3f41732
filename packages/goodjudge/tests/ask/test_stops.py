"""Nothing twice, nothing lost: a run that is stopped, killed or refused by its disk keeps what was
answered, asks nothing afterwards, and goes on where it ended; two at once do no harm."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from goodjudge.ask import (
    Budget,
    MissingAnswer,
    run,  # noqa: F401 (it loads before a test forks)
)
from goodjudge.ask.errors import StoreError
from goodjudge.ask.store import VERSION, Store
from judges_kit import ANTHROPIC, OPENAI, ask, failures, table

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and signals")
STOPS = ["SIGINT", "SIGTERM", "SIGHUP"]


def send(name, *seconds):
    """Send this process a signal, after so many seconds each; return the timers."""
    number = [os.getpid(), getattr(signal, name)]
    timers = [threading.Timer(after, os.kill, number) for after in seconds]
    for timer in timers:
        timer.start()
    return timers


@needs_fork
@pytest.mark.parametrize("name", STOPS)
def test_a_stop_keeps_all_that_was_sent_and_sends_no_more(tmp_path, provide, name):
    stopped = []

    def odd(n, reply, request):
        if n == 30:
            stopped.append(n)
            send(name, 0, 0.05, 0.1)  # a trembling finger

    provider, path = provide(odd, clock=False, latency=0.15), tmp_path / "t.sqlite"
    before = [signal.getsignal(getattr(signal, each)) for each in STOPS]
    with pytest.raises(KeyboardInterrupt):
        ask(table(200), OPENAI, path, concurrency=8)
    assert [signal.getsignal(getattr(signal, each)) for each in STOPS] == before
    with Store(path) as kept:
        assert set(kept.get(provider.asked)) == set(provider.asked)
    assert 30 <= len(provider.asked) <= 30 + 8, "those that were under way, and none afterwards"
    again = len(provider.asked)
    if name == "SIGHUP":  # as after nohup: what is ignored stays so, and stops nothing
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        provider.odd = lambda n, reply, request: send(name, 0) if n == again + 3 else None
    ask(table(200), OPENAI, path, concurrency=64)
    assert len(provider.asked) == len({*provider.asked}) == 200 > again
    signal.signal(getattr(signal, name), before[STOPS.index(name)])


@needs_fork
def test_a_second_ctrl_c_ends_a_run_whose_server_hangs_and_keeps_what_came(tmp_path, provide):
    def odd(n, reply, request):
        if n > 3:
            provider.latency = 10**6
        if n == 5:
            begin.append(time.monotonic())
            timers.extend(send("SIGINT", 0, 1.2, 3, 9))  # a busy machine may miss the second

    begin, timers = [], []
    provider, path = provide(odd, clock=False, latency=0.01), tmp_path / "t.sqlite"
    budget = Budget(1.0)
    with pytest.raises(KeyboardInterrupt):
        ask(table(30), OPENAI, path, concurrency=2, max_usd=budget)
    for timer in timers:
        timer.cancel()
    assert 1 < time.monotonic() - begin[0] < 10
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
@pytest.mark.parametrize("seed", [0, 1])
def test_a_run_killed_at_any_moment_goes_on_and_asks_no_kept_answer_again(
    tmp_path, provide, monkeypatch, seed
):
    last, after = random.Random(seed).choice([2, 9, 20, 33]), seed % 2
    log, path = tmp_path / "kept", tmp_path / "t.sqlite"

    def odd(n, reply, request):
        if n == last and not after:
            os.kill(os.getpid(), signal.SIGKILL)

    provider, real = provide(odd), Store.put

    def put(store, answers):
        real(store, answers)
        with open(log, "a") as file:
            file.write("".join(answer.key + "\n" for answer in answers))
        if after and log.read_text().count("\n") == last:
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(Store, "put", put)
    assert forked(lambda: ask(table(40), OPENAI, path, concurrency=4)) == -signal.SIGKILL
    monkeypatch.setattr(Store, "put", real)
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
    answers, why = ask(table(60), OPENAI, path)
    assert not why
    assert answers["status"].eq("ok").all()
    assert len(set(provider.asked)) == 60
    assert len(provider.asked) <= 60 + 8, "what could not be kept is asked again"


@pytest.mark.parametrize("why", ["read only", "no tables", "a lock that is a folder"])
def test_a_store_that_cannot_be_written_is_refused_before_anything_is_paid(
    tmp_path, provide, monkeypatch, why
):
    provider, path = provide(), tmp_path / "t.sqlite"
    if why == "read only":
        with_pragma(monkeypatch, "query_only=1")
    elif why == "no tables":
        sqlite3.connect(path).execute(f"PRAGMA user_version={VERSION}")
    else:
        (tmp_path / "t.sqlite-openai.lock").mkdir()
    with pytest.raises(StoreError, match="t.sqlite"):
        ask(table(3), OPENAI, path)
    assert not provider.asked
    assert path.stat().st_mode & 0o777 == 0o600 or why == "no tables"


READ = """
import sys
import tempfile
sys.path[:0] = {paths!r}
import os, filelock
from goodjudge.ask import run  # before: another user may not read this Python
from judges_kit import OPENAI, ask, table
ask(table(3), OPENAI, {path!r}, offline=True)
os.setuid(65534)
answers, _ = ask(table(3), OPENAI, {path!r}, offline=True)
print(answers["status"].tolist())
try:
    ask(table(4), OPENAI, {path!r}, offline=True)
except Exception as fault:
    print(type(fault).__name__)
try:
    ask(table(4), OPENAI, {path!r})
except Exception as fault:
    print(fault)
"""


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs another user")
def test_a_store_that_is_read_only_can_be_read(provide):
    provide()
    with tempfile.TemporaryDirectory() as name:  # not pytest's, which lets nobody else in
        folder = Path(name)
        path = folder / "t.sqlite"
        ask(table(3), OPENAI, path)
        path.chmod(0o444)
        folder.chmod(0o555)
        code = READ.format(paths=[*sys.path], path=str(path))
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd="/")
    said = done.stdout.splitlines()
    assert said[0] == "['ok', 'ok', 'ok']", done.stderr
    assert said[1] == MissingAnswer.__name__
    assert said[2].startswith("t.sqlite: no transcript store can be kept here")


# ── Nothing waits for ever ────────────────────────────────────────────────────────────────────────


def test_a_server_of_no_use_is_left_after_five_calls(tmp_path, provide):
    events = b'data: {"choices":[{"delta":{"content":"Verdict: Yes"}}]}\n\ndata: [DONE]\n\n'
    provider = provide(lambda n, reply, request: events)
    answers, why = ask(table(40), OPENAI, tmp_path / "t.sqlite", concurrency=8)
    assert "5 calls in a row failed, the last with the reply is not the JSON" in why
    assert "begins with 'data: {" in why
    assert len(provider.asked) == 5 * 4
    assert answers["note"].eq("not asked").sum() == 35
    assert failures(tmp_path / "t.sqlite")["usd"].gt(0).sum() == 20, "each was or may be billed"


def test_a_call_that_fails_by_itself_ends_nothing_where_others_are_answered(tmp_path, provide):
    provider, requests, path = provide(), table(40), tmp_path / "t.sqlite"
    provider.odd = lambda n, reply, request: 400 if b"too long" in request.content else None
    requests.loc[:19, "prompt"] = [f"too long {i}" for i in range(20)]
    ask(requests.tail(1), OPENAI, path)  # one was answered before: the judge is of use
    answers, why = ask(requests, OPENAI, path, concurrency=1)
    assert not why
    assert answers["status"].eq("ok").sum() == 20
    provider = provide(lambda n, reply, request: 400)
    _, why = ask(table(60, name="other"), OPENAI, tmp_path / "t.sqlite", concurrency=1)
    assert "5 calls in a row failed, the last with 400" in why
    assert len(provider.asked) == 5


def test_a_reply_that_hangs_ends_with_its_call_and_a_few_of_them_end_the_run(tmp_path, provide):
    provider = provide(latency=10**7)
    answers, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", call_seconds=60)
    assert "no whole answer within" in why
    assert len(provider.asked) <= 5
    assert answers.attrs["usd"] > 0, "what may have been done is booked"
    options = {"call_seconds": 300, "run_seconds": 90}
    _, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", **options)
    assert "longer than 90 s (run_seconds)" in why


PAUSES = [(1, 0.5), (2, 1.0), (5, 8.0), (9, 30.0)]  # they double up to thirty seconds


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])
def test_a_fifth_of_requests_fail_and_none_is_lost_or_paid_twice(tmp_path, provide, judge):
    faults = [500, 429, 503, b"<html>"]
    provider = provide(lambda n, reply, request: faults[n % 4] if n % 5 == 0 else None)
    answers, why = ask(table(100), judge, tmp_path / "t.sqlite", concurrency=8)
    assert not why
    assert answers["status"].eq("ok").all()
    assert len(provider.answered) == len({*provider.answered}) == 100
    assert all(0.75 * most <= run.draw_pause(number) <= most for number, most in PAUSES)
