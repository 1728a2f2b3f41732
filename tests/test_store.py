"""The transcript store keeps the first answer, says who may ask, and exports no prompt."""

import json
import multiprocessing
import os
import subprocess
import sys
import time

import pytest

from helpers.judges.recordings import export_answers, read_export
from helpers.judges.store import COLUMNS, VERSION, Answer, Store, StoreError, alive, digest, started


def row(key, **more):
    """Return an Answer."""
    blank = dict.fromkeys(COLUMNS)
    return Answer(**blank | {"key": key, "prompt_key": key, "repeat": 1, "item": key, "text": "Yes"} | more)


def test_digest_does_not_depend_on_the_order_of_keys():
    assert digest({"a": 1, "b": [2, "ü"]}) == digest({"b": [2, "ü"], "a": 1}) != digest({"a": 1, "b": [2, "u"]})


def test_the_first_answer_to_a_key_stays(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        store.put([row("a"), row("b")])
        store.put([row("a", text="No")])
        found = store.get(["a", "b", "c"])
    assert {key: answer.text for key, answer in found.items()} == {"a": "Yes", "b": "Yes"}


def test_a_claim_is_held_by_one_and_ends_with_the_answer(tmp_path):
    with Store(tmp_path / "t.sqlite") as one, Store(tmp_path / "t.sqlite") as two:
        one.beat()
        assert (one.claim("a"), two.claim("a"), one.claim("a")) == ("mine", "taken", "mine")
        one.put([row("a")])
        assert two.claim("a") == "answered"
        one.claim("b")
        one.fail("b", "no luck")
        assert two.claim("b") == "mine"
        assert one.rows("SELECT key, note FROM failures") == [("b", "no luck")]


def test_the_claim_of_a_dead_or_silent_process_is_free(tmp_path):
    host, _, began, _ = Store(tmp_path / "x.sqlite").owner.rsplit(":", 3)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert not alive(f"{host}:{gone.pid}:{began}:x", time.time())
    assert not alive(f"{host}:{os.getpid()}:{int(began) - 60}:x", time.time())  # its number went to another process
    assert alive(f"{host}:{os.getpid()}:{began}:x", time.time() - 3600)  # suspended for an hour, and alive
    assert alive("elsewhere:1:1:x", time.time()) and not alive("elsewhere:1:1:x", time.time() - 600)
    assert not alive("elsewhere:1:1:x", None) and not alive(f"{host}:{os.getpid()}:{began}:x", None)
    assert abs(started(os.getpid()) - int(began)) <= 1


def test_a_store_of_a_newer_version_is_refused_before_anything_is_paid(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        assert store.rows("PRAGMA user_version") == [(VERSION,)]
        store.rows(f"PRAGMA user_version={VERSION + 1}")
    with pytest.raises(StoreError, match="t.sqlite: a newer version.*update the project"):
        Store(tmp_path / "t.sqlite")


def _write(path, start):
    with Store(path) as store:
        for i in range(start, start + 150):
            store.claim(str(i))
            store.put([row(str(i))])


def test_four_processes_write_at_once(tmp_path):
    path = tmp_path / "t.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write, args=(path, 100 * i)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0, 0]
    with Store(path) as store:
        assert len(store.get(str(i) for i in range(450))) == 450


def test_an_export_keeps_all_but_prompts(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        store.put([row("b", text="ü\u2028\x00é"), row("a", params='{"max_tokens": 3}')])
        assert export_answers(store, tmp_path / "out.jsonl") == 2
    lines = read_export(tmp_path / "out.jsonl")
    assert [line.key for line in lines] == ["a", "b"]
    with Store(tmp_path / "u.sqlite") as other:
        other.put(lines)
        assert other.get(["b"])["b"] == row("b", text="ü\u2028\x00é")


@pytest.mark.parametrize("text, what", [("{", "line 1"), ("[]", "line 1"), ('{"key": 1}', "prompt_key")])
def test_a_damaged_export_is_named_with_its_line(tmp_path, text, what):
    (tmp_path / "bad.jsonl").write_text(text)
    with pytest.raises(StoreError, match=f"bad.jsonl.*{what}"):
        read_export(tmp_path / "bad.jsonl")


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "t.sqlite").write_text(json.dumps(["not a database"]) * 200)
    with pytest.raises(StoreError, match="t.sqlite"):
        Store(tmp_path / "t.sqlite")
