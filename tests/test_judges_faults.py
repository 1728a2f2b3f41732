"""Faults on purpose, through the real client: nothing lost, nothing paid twice, no secret anywhere.

JUDGES_STRESS=1 makes it 2,000 requests a provider and fifty kills (some minutes).
"""

import collections
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from judges_kit import KEY, MODELS, fault_server, make_requests

from helpers import judges
from helpers.judges import labels, live, prices  # noqa: F401 (it loads before a test forks)
from helpers.judges.store import Store

STRESS = bool(os.environ.get("JUDGES_STRESS"))
FORK = multiprocessing.get_context("fork") if hasattr(os, "fork") else None
needs_fork = pytest.mark.skipif(FORK is None, reason="needs fork and signals")


def ask(requests, judge, store, **options):
    return judges.ask(
        requests, judge, labels.parse_yes_no, transcripts=store, **{"max_usd": 100.0, **options}
    )


def quietly(requests, judge, store, options):
    """Ask in a child process; the parent kills it or reads the store."""
    try:
        ask(requests, judge, store, **options)
    except KeyboardInterrupt:
        os._exit(3)
    os._exit(0)


def start(*words):
    child = FORK.Process(target=quietly, args=words)
    child.start()
    return child


@pytest.mark.parametrize("judge", MODELS.values())
def test_a_fifth_of_requests_fail_and_none_is_lost_or_paid_twice(tmp_path, monkeypatch, judge):
    count = 2000 if STRESS else 400
    with fault_server(tmp_path, monkeypatch, rate=0.2, latency=0.01) as log:
        answers = ask(make_requests(count // 20, 20), judge, tmp_path / "t.sqlite", concurrency=64)
        answered = collections.Counter(log.keys("answered"))
        faults = collections.Counter(
            line.get("fault") for line in log.lines if line["event"] == "asked"
        )
    assert (answers["status"] == "ok").all() and answers.attrs["complete"]
    assert set(answered) == set(answers["key"]) and set(answered.values()) == {1}
    # every kind of fault did happen
    assert len(faults) == 10 and sum(faults.values()) - faults[""] > 0.15 * count
    assert answers.attrs["usd"] >= answers["usd"].sum() > 0


@needs_fork
def test_kill_at_random_moments_and_no_finished_answer_is_asked_again(tmp_path, monkeypatch):
    kills, chance = (50 if STRESS else 8), random.Random(7)
    requests, judge, store = (
        make_requests(75 if STRESS else 25, 20),
        MODELS["openai"],
        tmp_path / "t.sqlite",
    )
    with fault_server(tmp_path, monkeypatch, latency=0.05) as log:
        kept, flying, killed = [], 0, 0
        for _ in range(kills):
            size, child = log.path.stat().st_size, start(requests, judge, store, {"concurrency": 8})
            # until its first request arrives
            while log.path.stat().st_size == size and child.is_alive():
                time.sleep(0.01)
            time.sleep(chance.uniform(0.0, 0.3))
            child.kill()
            child.join()
            killed += child.exitcode == -signal.SIGKILL
            moment = time.time()
            with Store(store) as kept_store:
                kept.append(
                    (moment, {row[0] for row in kept_store.rows("SELECT key FROM answers")})
                )
            flying += 8
        answers = ask(requests, judge, store, concurrency=8)
        asked = [(line["t"], line["key"]) for line in log.lines if line["event"] == "asked"]
    assert killed >= kills // 2 and len(kept[-1][1]) > 0
    assert (answers["status"] == "ok").all()
    for moment, keys in kept:
        assert not [key for t, key in asked if t > moment and key in keys]
    assert len(asked) - len(answers) <= flying  # only what was under way at a kill is asked again


@needs_fork
def test_two_processes_share_one_store_and_no_answer_is_paid_twice(tmp_path, monkeypatch):
    requests, judge, store = make_requests(15, 20), MODELS["anthropic"], tmp_path / "t.sqlite"
    with fault_server(tmp_path, monkeypatch, latency=0.03) as log:
        children = [start(requests, judge, store, {"concurrency": 8}) for _ in range(2)]
        for child in children:
            child.join(120)
        assert [child.exitcode for child in children] == [0, 0]
        assert sorted(log.keys("asked")) == sorted(ask(requests, judge, store, offline=True)["key"])


@needs_fork
def test_ctrl_c_keeps_what_is_finished_and_what_is_under_way(tmp_path, monkeypatch):
    requests, judge, store = make_requests(20, 20), MODELS["openai"], tmp_path / "t.sqlite"
    with fault_server(tmp_path, monkeypatch, latency=0.1) as log:
        child = start(requests, judge, store, {"concurrency": 8})
        while len(log.keys("answered")) < 10:
            time.sleep(0.02)
        os.kill(child.pid, signal.SIGINT)
        child.join(60)
        assert child.exitcode == 3
        with Store(store) as kept:
            assert (
                {row[0] for row in kept.rows("SELECT key FROM answers")}
                == set(log.keys("answered"))
                == set(log.keys("asked"))
            )


def test_a_server_that_is_down_stops_the_run_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    begin = time.monotonic()
    with pytest.raises(
        judges.Incomplete, match="no server answers at http://127.0.0.1:9/v1.*LOCAL_BASE_URL"
    ) as stop:
        ask(make_requests(10, 20), "local/any", tmp_path / "t.sqlite", concurrency=8)
    assert set(stop.value.answers["note"]) == {"not asked"} and time.monotonic() - begin < 5


def test_a_wrong_model_is_no_answer(tmp_path, monkeypatch):
    with fault_server(tmp_path, monkeypatch, rate=1, faults="wrong-model"):
        answers = ask(make_requests(1, 2), MODELS["openai"], tmp_path / "t.sqlite")
    assert (
        answers["status"].tolist() == ["error"] * 2
        and "answered by another-model" in answers["note"].iloc[0]
    )
    assert answers.attrs["usd"] > 0  # it was paid for, and the run says so


@pytest.mark.parametrize("judge", MODELS.values())
def test_a_batch_is_submitted_left_collected_and_its_failed_lines_sent_again(
    tmp_path, monkeypatch, judge
):
    requests, store, states = make_requests(10, 10), tmp_path / "t.sqlite", []
    with fault_server(tmp_path, monkeypatch, batch_polls=2, line_faults=0.2, seed=3) as log:
        with pytest.raises(judges.Incomplete, match="nothing was submitted"):
            ask(requests, judge, store, batch=True, max_usd=0.0)
        for _ in range(12):
            try:
                answers = ask(requests, judge, store, batch=True)
                break
            except judges.Incomplete as stop:
                states.append(stop.answers["status"].eq("ok").sum())
        live = ask(requests, judge, store)
        sent = [line["keys"] for line in log.lines if line["event"] == "batch"]
        assert (answers["status"] == "ok").all() or answers["note"].str.contains(
            "expired|oops|overloaded"
        ).any()
        assert (live["status"] == "ok").all()
        assert set(collections.Counter(log.keys("answered")).values()) == {1}
    assert (
        states[0] == states[1] == 0 < states[2] < 100
        and len(sent[0]) == 100 > len(sent[1]) == 100 - states[2]
    )
    if judge == MODELS["openai"]:  # half the price of the same tokens asked live
        one = answers[answers["status"] == "ok"].iloc[0]
        price = prices.find_price("openai", "gpt-4o")
        assert one["usd"] == pytest.approx(
            prices.cost(price, *one[["input_tokens", "output_tokens", "cached_tokens"]]) / 2
        )


@pytest.mark.parametrize("judge", MODELS.values())
def test_a_batch_whose_submission_was_cut_off_is_found_again(tmp_path, monkeypatch, judge):
    requests, store = make_requests(2, 5), tmp_path / "t.sqlite"

    def cut(self, sql, *values, _real=Store.write):
        if "state='submitted'" in sql and not cut.done:
            cut.done = True
            raise MemoryError("the machine died here")
        return _real(self, sql, *values)

    cut.done = False
    with fault_server(tmp_path, monkeypatch, batch_polls=1) as log:
        with monkeypatch.context() as patch:
            patch.setattr(Store, "write", cut)
            with pytest.raises(MemoryError):
                ask(requests, judge, store, batch=True)
        for _ in range(3):
            try:
                answers = ask(requests, judge, store, batch=True)
            except judges.Incomplete:
                continue
        assert (answers["status"] == "ok").all() and len(
            [1 for line in log.lines if line["event"] == "batch"]
        ) == 1


def test_no_key_of_the_environment_is_written_anywhere(tmp_path, monkeypatch):
    script = (
        "import sys, logging; from judges_kit import make_requests\n"
        "from helpers import judges; from helpers.judges import labels\n"
        "from helpers.judges.replay import export_answers; from helpers.judges.store import"
        " Store\n"
        "for word in ('WRONG-KEY', 'fine'):\n"
        "    try:\n"
        "        a = judges.ask(make_requests(1, 3, word), sys.argv[1], labels.parse_yes_no, transcripts=sys.argv[2], max_usd=1,\n"  # noqa: E501
        "                       progress=True)\n"
        "        a.to_csv(sys.argv[2] + '.csv'); export_answers(Store(sys.argv[2]), sys.argv[2] +"
        " '.jsonl')\n"
        "    except judges.Incomplete as stop:\n"
        "        print(stop, stop.answers['note'].tolist())\n"
        "judges.ask(make_requests(1, 3, 'WRONG-KEY'), sys.argv[1], labels.parse_yes_no,"
        " transcripts=sys.argv[2], max_usd=1)\n"
    )
    with fault_server(tmp_path, monkeypatch, rate=0.3) as log:
        for judge in MODELS.values():
            done = subprocess.run(
                [sys.executable, "-c", script, judge, str(tmp_path / "t.sqlite")],
                capture_output=True,
                text=True,
                env=os.environ
                | {"PYTHONPATH": os.pathsep.join(["tests", "."]), "PYTHONFAULTHANDLER": "1"},
            )
            assert (
                done.returncode == 1
                and "401" in done.stderr
                and KEY not in done.stdout + done.stderr
            )
            assert "[OPENAI_API_KEY]" in done.stderr or "[ANTHROPIC_API_KEY]" in done.stderr
        assert log.keys("asked")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 4 and not [
        path.name for path in files if KEY.encode() in path.read_bytes()
    ]
    assert json.loads((tmp_path / "t.sqlite.jsonl").read_text().splitlines()[0])["text"]
