"""The transcript store keeps the first answer, says who may ask, and exports no prompt."""

import json
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from goodjudge.ask.answer import COLUMNS, Answer
from goodjudge.ask.errors import StoreError
from goodjudge.ask.replay import read_export
from goodjudge.ask.store import VERSION, Store
from judges_kit import export_answers


def row(key, **more):
    """Return an Answer 'Yes' to a key; more: fields that it has besides."""
    blank = dict.fromkeys(COLUMNS)
    usual = {"key": key, "prompt_key": key, "repeat": 1, "item": key, "text": "Yes"}
    return Answer(**blank | usual | more)


def test_the_first_answer_to_a_key_stays(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        store.put([row("a"), row("b")])
        store.put([row("a", text="No")])
        columns = [row[1] for row in store.rows("PRAGMA table_info(answers)")]
        stored = store.get(["c", *map(str, range(40_000)), "a", "b"])
    assert stored == {"a": row("a"), "b": row("b")} and columns == COLUMNS


def take_turn(path, provider, events):
    """Hold a provider's turn for a while, in a thread; note when."""
    with Store(path) as store, store.turn(provider):
        events.append(f"{provider} begins")
        time.sleep(0.1)
        events.append(f"{provider} ends")


@pytest.mark.filterwarnings("ignore:another process asks")
def test_one_at_a_time_asks_a_provider_by_whatever_name_the_store_is_called(tmp_path):
    Store(tmp_path / "t.sqlite").db.close()
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "t.sqlite")
    events = []
    with ThreadPoolExecutor(2) as pool:
        for name in ("t", "link"):
            pool.submit(take_turn, tmp_path / f"{name}.sqlite", "openai", events)
    assert events == ["openai begins", "openai ends"] * 2
    with Store(tmp_path / "t.sqlite") as store, store.turn("anthropic"):
        take_turn(tmp_path / "t.sqlite", "openai", events)  # another may be asked meanwhile
    assert len(events) == 6


OLDER = """
    CREATE TABLE answers (key TEXT PRIMARY KEY, prompt_key TEXT, provider TEXT, model TEXT,
      params TEXT, repeat INTEGER, item TEXT, text TEXT, finish TEXT, served_model TEXT,
      input_tokens INTEGER, cached_tokens INTEGER, written_tokens INTEGER, output_tokens INTEGER,
      usd REAL, seconds REAL, at TEXT, versions TEXT) WITHOUT ROWID;
    CREATE TABLE failures (key TEXT, note TEXT, usd REAL, at TEXT);
    CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT) WITHOUT ROWID;
    CREATE TABLE owners (owner TEXT PRIMARY KEY, beat REAL) WITHOUT ROWID;
    CREATE TABLE batches (tag TEXT PRIMARY KEY, id TEXT, provider TEXT, endpoint TEXT, state TEXT,
      created REAL, owner TEXT, calls TEXT);
    INSERT INTO batches VALUES ('t', 'b', 'openai', '', 'submitted', 1.0, 'me', '{}');
    INSERT INTO failures VALUES ('a', 'late', 0.5, 'then');
    PRAGMA user_version=1;
"""


@pytest.mark.parametrize("times", [1, 2])
def test_an_older_store_is_brought_up_to_date_and_loses_nothing(tmp_path, times):
    with closing(sqlite3.connect(tmp_path / "t.sqlite")) as old:
        old.executescript(OLDER)
        old.execute(f"INSERT INTO answers VALUES ({','.join('?' * 18)})", row("a")[:18])
        old.commit()
    for _ in range(times):
        with Store(tmp_path / "t.sqlite") as store:
            store.put([row("b", logprobs="[]")])
            answers = store.get("ab")
            batches = store.rows("SELECT tag, id, calls FROM batches")
            notes = store.rows("SELECT note FROM failures")
    assert answers == {"a": row("a"), "b": row("b", logprobs="[]")}
    assert batches == [("t", "b", "{}")]
    assert notes == [("late",)]


def test_a_store_of_a_newer_version_or_another_kind_is_refused(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        assert store.rows("PRAGMA user_version") == [(VERSION,)]
        store.rows(f"PRAGMA user_version={VERSION + 1}")
    with pytest.raises(StoreError, match="t.sqlite: a newer version.*update the project"):
        Store(tmp_path / "t.sqlite")
    (tmp_path / "t.sqlite").write_text(json.dumps(["not a database"]) * 200)
    with pytest.raises(StoreError, match="t.sqlite"):
        Store(tmp_path / "t.sqlite")


def test_an_export_keeps_all_but_prompts(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        store.put([row("b", text="ü\u2028\x00é"), row("a", params='{"max_tokens": 3}')])
    export_answers(tmp_path / "t.sqlite", tmp_path / "out.jsonl")
    answers = read_export(tmp_path / "out.jsonl")
    assert [answer.key for answer in answers] == ["a", "b"]
    with Store(tmp_path / "u.sqlite") as other:
        other.put(answers)
        assert other.get(["b"])["b"] == row("b", text="ü\u2028\x00é")


GOOD = json.dumps(row("a")._asdict())


def changed(**fields):
    """Return a good line of an export with some fields changed."""
    return json.dumps(json.loads(GOOD) | fields)


@pytest.mark.parametrize(
    "text, what",
    [
        ("{", "line 1"),
        ('{"key": 1}', "prompt_key"),
        (f"{GOOD}\n{GOOD}", "line 2: .*a key twice"),
        (changed(text=None), "a text that is none"),
        (changed(repeat=[1]), "no whole number"),
        (changed(logprobs='[["Yes", 5.0]]'), "log-prob"),
    ],
)
def test_a_damaged_export_is_named_with_its_line(tmp_path, text, what):
    (tmp_path / "bad.jsonl").write_text(text)
    with pytest.raises(StoreError, match=f"bad.jsonl.*{what}"):
        read_export(tmp_path / "bad.jsonl")


@pytest.mark.parametrize("version", [0, 2])
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
