"""The transcript store keeps the first answer, says who may ask, and exports no prompt."""

import json
import os
import signal
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from helpers.judges.answers.replay import read_export
from helpers.judges.answers.store import COLUMNS, VERSION, Answer, Store, StoreError
from helpers.judges.errors import JudgeError
from helpers.judges.requests.calls import digest
from tools.record_judge import export_answers


def row(key, **more):
    """Return an Answer."""
    blank = dict.fromkeys(COLUMNS)
    return Answer(
        **blank | {"key": key, "prompt_key": key, "repeat": 1, "item": key, "text": "Yes"} | more
    )


def test_digest_does_not_depend_on_the_order_of_keys():
    assert (
        digest({"a": 1, "b": [2, "ü"]})
        == digest({"b": [2, "ü"], "a": 1})
        != digest({"a": 1, "b": [2, "u"]})
    )


def test_the_first_answer_to_a_key_stays(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        store.put([row("a"), row("b")])
        store.put([row("a", text="No")])
        found = store.get(["a", "b", "c"])
    assert {key: answer.text for key, answer in found.items()} == {"a": "Yes", "b": "Yes"}


def test_one_process_at_a_time_asks_a_provider(tmp_path):
    with Store(tmp_path / "t.sqlite") as one, Store(tmp_path / "t.sqlite") as two:
        with one.turn("openai", 1), two.turn("anthropic", 1):
            with (
                pytest.warns(UserWarning, match="waiting"),
                pytest.raises(JudgeError, match="another process asks openai/"),
            ):
                with two.turn("openai", 0.5):
                    pass
        with two.turn("openai", 0.5):
            pass


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and signals")
def test_the_turn_of_a_suspended_process_is_kept_and_that_of_a_dead_one_is_free(tmp_path):
    reader, writer = os.pipe()
    if not (other := os.fork()):
        with Store(tmp_path / "t.sqlite").turn("openai", 1):
            os.write(writer, b"x")
            signal.pause()
    with Store(tmp_path / "t.sqlite") as store:
        os.read(reader, 1)
        os.kill(other, signal.SIGSTOP)
        with pytest.warns(UserWarning), pytest.raises(JudgeError), store.turn("openai", 0.3):
            pass
        os.kill(other, signal.SIGKILL)
        os.waitpid(other, 0)
        with store.turn("openai", 0):
            pass


def test_an_older_store_is_brought_up_to_date_and_loses_nothing(tmp_path):
    old = sqlite3.connect(tmp_path / "t.sqlite")
    old.executescript("""
        CREATE TABLE answers (key TEXT PRIMARY KEY, prompt_key TEXT, provider TEXT, model
          TEXT, params TEXT,
          repeat INTEGER, item TEXT, text TEXT, finish TEXT, served_model TEXT, input_tokens
            INTEGER,
          cached_tokens INTEGER, written_tokens INTEGER, output_tokens INTEGER, usd REAL,
            seconds REAL, at TEXT,
          versions TEXT) WITHOUT ROWID;
        CREATE TABLE failures (key TEXT, note TEXT, usd REAL, at TEXT);
        CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT) WITHOUT ROWID;
        CREATE TABLE owners (owner TEXT PRIMARY KEY, beat REAL) WITHOUT ROWID;
        CREATE TABLE batches (tag TEXT PRIMARY KEY, id TEXT, provider TEXT, endpoint TEXT,
          state TEXT,
          created REAL, owner TEXT, calls TEXT);
        INSERT INTO batches VALUES ('t', 'b', 'openai', '', 'submitted', 1.0, 'me', '{}');
        INSERT INTO failures VALUES ('a', 'late', 0.5, 'then');
        PRAGMA user_version=1;""")
    old.execute(f"INSERT INTO answers VALUES ({','.join('?' * 18)})", row("a")[:18])
    old.commit()
    for _ in range(2):
        with Store(tmp_path / "t.sqlite") as store:
            store.put([row("b", logprobs="[]")])
            assert store.get("ab") == {"a": row("a"), "b": row("b", logprobs="[]")}
            assert store.rows("SELECT tag, id, calls FROM batches") == [("t", "b", "{}")]
            assert store.rows("SELECT note FROM failures") == [("late",)]


def test_a_store_of_a_newer_version_is_refused_before_anything_is_paid(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        assert store.rows("PRAGMA user_version") == [(VERSION,)]
        store.rows(f"PRAGMA user_version={VERSION + 1}")
    with pytest.raises(StoreError, match="t.sqlite: a newer version.*update the project"):
        Store(tmp_path / "t.sqlite")


def test_a_store_has_one_lock_by_whatever_name(tmp_path):
    Store(tmp_path / "t.sqlite").db.close()
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "t.sqlite")
    with Store(tmp_path / "t.sqlite") as one, Store(tmp_path / "link.sqlite") as other:
        with one.turn("openai", 1), pytest.raises(JudgeError), pytest.warns(UserWarning):
            with other.turn("openai", 0):
                pass


def test_two_connections_and_many_threads_write_at_once(tmp_path):
    with Store(tmp_path / "t.sqlite") as one, Store(tmp_path / "t.sqlite") as two:
        with ThreadPoolExecutor(8) as pool:
            for i in range(200):
                pool.submit((one, two)[i % 2].put, [row(str(i)), row("the same")])
        assert (
            len(one.get(map(str, range(200)))) == 200
            and len(one.rows("SELECT * FROM answers")) == 201
        )


def test_forty_thousand_keys_are_looked_up(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        store.put([row("0"), row("20000"), row("39999")])
        assert store.get(map(str, range(40_000))).keys() == {"0", "20000", "39999"}


def test_an_export_keeps_all_but_prompts(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        store.put([row("b", text="ü\u2028\x00é"), row("a", params='{"max_tokens": 3}')])
        assert export_answers(store, tmp_path / "out.jsonl") == 2
    lines = read_export(tmp_path / "out.jsonl")
    assert [line.key for line in lines] == ["a", "b"]
    with Store(tmp_path / "u.sqlite") as other:
        other.put(lines)
        assert other.get(["b"])["b"] == row("b", text="ü\u2028\x00é")


GOOD = json.dumps(row("a")._asdict())


@pytest.mark.parametrize(
    "text, what",
    [
        ("{", "line 1"),
        ("[]", "line 1"),
        ('{"key": 1}', "prompt_key"),
        (f"{GOOD}\n{GOOD}", "line 2: .*a key twice"),
        (GOOD.replace('"Yes"', "null"), "a text that is none"),
        (json.dumps(json.loads(GOOD) | {"prompt_key": ["p"]}), "a key, an item or a text"),
        (json.dumps(json.loads(GOOD) | {"repeat": [1]}), "no whole number"),
        (GOOD.replace('"logprobs": null', '"logprobs": "[[\\"Yes\\", 5.0]]"'), "log-prob"),
        ("[" * 100_000, "line 1"),
    ],
)
def test_a_damaged_export_is_named_with_its_line(tmp_path, text, what):
    (tmp_path / "bad.jsonl").write_text(text)
    with pytest.raises(StoreError, match=f"bad.jsonl.*{what}"):
        read_export(tmp_path / "bad.jsonl")


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "t.sqlite").write_text(json.dumps(["not a database"]) * 200)
    with pytest.raises(StoreError, match="t.sqlite"):
        Store(tmp_path / "t.sqlite")


@pytest.mark.parametrize("version", [0, 1, 2, 3])
@pytest.mark.parametrize("table", ["notes (text)", "answers (key, text)"])
def test_a_strangers_database_is_refused_and_left_as_it_was(tmp_path, version, table):
    path = tmp_path / "notes.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(f"CREATE TABLE {table}; PRAGMA user_version={version}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="^notes.sqlite: .*of something else, left as it was"):
        Store(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["notes.sqlite"]
