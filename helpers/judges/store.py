"""Keep every answer of a judge in one SQLite file: cache, crash journal and audit trail at once."""

import hashlib
import json
import os
import socket
import sqlite3
import time
import uuid
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
STALE = 120.0  # seconds without a sign of life after which the claim of another machine is free
VERSION = 1  # of the schema, in PRAGMA user_version
SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, prompt_key TEXT, provider TEXT, model TEXT, params TEXT, repeat INTEGER,
  item TEXT, text TEXT, finish TEXT, served_model TEXT, input_tokens INTEGER, cached_tokens INTEGER, written_tokens INTEGER,
  output_tokens INTEGER, usd REAL, seconds REAL, at TEXT, versions TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS failures (key TEXT, note TEXT, usd REAL, at TEXT);
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS owners (owner TEXT PRIMARY KEY, beat REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS batches (tag TEXT PRIMARY KEY, id TEXT, provider TEXT, endpoint TEXT, state TEXT,
  created REAL, owner TEXT, calls TEXT);
"""


class StoreError(ValueError):
    """A transcript file is not what it must be; the message names file, line and expectation."""


class Answer(NamedTuple):
    """One answer, from the provider's reply to the table; tokens are None where nobody knows them.

    input_tokens include those read from (cached) and written to the provider's prompt cache; at: UTC; versions: JSON.
    """

    key: str
    prompt_key: str
    provider: str
    model: str
    params: str
    repeat: int
    item: str
    text: str | None = ""
    finish: str = "stop"
    served_model: str | None = None
    input_tokens: int | None = 0
    cached_tokens: int | None = 0
    written_tokens: int | None = 0
    output_tokens: int | None = 0
    usd: float | None = 0.0
    seconds: float | None = 0.0
    at: str | None = None
    versions: str | None = None


COLUMNS = list(Answer._fields)


def answer_to(call, text, **facts):
    """Return the Answer to a call."""
    first = {name: call[name] for name in COLUMNS[:6]}
    return Answer(**first | {"item": call["item"].encode("utf8", "replace").decode(), "text": text} | facts)


def digest(value):
    """Return the SHA-256 (hex) of the canonical JSON of a value: sorted keys, no spaces, UTF-8."""
    return hashlib.sha256(CANONICAL.encode(value).encode("utf8", "surrogatepass")).hexdigest()


class Store:
    """One transcript file, safe for several processes; a claim keeps two of them from paying for the same answer.

    Answers are written with a full sync, claims without: a claim that is lost costs nothing.
    Raises StoreError for a file that is no store, or that a newer version of this project wrote.
    """

    def __init__(self, path):
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{started(os.getpid())}:{uuid.uuid4().hex[:8]}"
        try:
            self._answers, self._claims = self._connect("FULL"), self._connect("NORMAL")
        except sqlite3.DatabaseError as fault:
            raise StoreError(f"{self.path.name}: no transcript store can be here ({fault}); name another file") from None

    def _connect(self, sync):
        db = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
        found = db.execute("PRAGMA user_version").fetchone()[0]
        if found > VERSION:
            raise StoreError(f"{self.path.name}: a newer version of this project wrote it (schema {found}, this one "
                             f"knows {VERSION}); update the project, or name another file in `transcripts`")
        for left in reversed(range(50)):  # the switch to WAL does not wait for a busy file by itself
            try:
                db.execute("PRAGMA journal_mode=WAL")
                break
            except sqlite3.OperationalError:
                if not left:
                    raise
                time.sleep(0.05)
        db.executescript(f"PRAGMA synchronous={sync};{SCHEMA}" + f"PRAGMA user_version={VERSION};" * (found < VERSION))
        return db

    def close(self):
        """Give up this process's claims and close the file."""
        for table in ("claims", "owners"):
            self._claims.execute(f"DELETE FROM {table} WHERE owner=?", (self.owner,))
        self._answers.close()
        self._claims.close()

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        self.close()

    def get(self, keys):
        """Return {key: Answer} for those of `keys` that are answered."""
        found, keys = {}, list(keys)
        sql = f"SELECT {','.join(COLUMNS)} FROM answers WHERE key IN (SELECT value FROM json_each(?))"
        for start in range(0, len(keys), 20_000):
            found |= {row[0]: Answer._make(row) for row in self.rows(sql, json.dumps(keys[start : start + 20_000]))}
        return found

    def put(self, answers):
        """Keep answers in one synced transaction; the first answer to a key stays."""
        with self.transaction(self._answers) as db:
            db.executemany(f"INSERT OR IGNORE INTO answers VALUES ({','.join('?' * len(COLUMNS))})", answers)
            db.executemany("DELETE FROM claims WHERE key=?", [(answer.key,) for answer in answers])

    def fail(self, key, note, usd=0.0, final=True):
        """Note a failed request and what it may have cost (audit only: it is asked again next time).

        `final`: nothing more is tried now, so the claim on the key ends.
        """
        with self.transaction(self._claims) as db:
            db.execute("INSERT INTO failures VALUES (?,?,?,?)", (key, note, usd, now()))
            if final:
                db.execute("DELETE FROM claims WHERE key=?", (key,))

    @contextmanager
    def transaction(self, db=None):
        """Run statements on the connection that this yields as one step that no other process can share."""
        db = db or self._answers
        db.execute("BEGIN IMMEDIATE")
        try:
            yield db
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise

    def beat(self):
        """Say that this process lives (call every few seconds while it holds claims)."""
        self._claims.execute("INSERT OR REPLACE INTO owners VALUES (?,?)", (self.owner, time.time()))

    def claim(self, key):
        """Return 'mine' if this process may now ask for `key`, 'answered', or 'taken' by another live process."""
        with self.transaction(self._claims) as db:
            if db.execute("SELECT 1 FROM answers WHERE key=?", (key,)).fetchone():
                return "answered"
            owner = (db.execute("SELECT owner FROM claims WHERE key=?", (key,)).fetchone() or [self.owner])[0]
            if owner != self.owner and self.is_alive(owner):
                return "taken"
            db.execute("INSERT OR REPLACE INTO claims VALUES (?,?)", (key, self.owner))
            return "mine"

    def is_alive(self, owner):
        """Return whether a process that uses this store still lives."""
        beat = self._claims.execute("SELECT beat FROM owners WHERE owner=?", (owner,)).fetchone()
        return alive(owner, beat[0] if beat else None)

    def rows(self, sql, *values):
        """Run one statement, synced; return its rows."""
        return self._answers.execute(sql, values).fetchall()


def started(pid):
    """Return when a process of this machine began (seconds since 1970), 0 if there is none."""
    try:
        return int(psutil.Process(pid).create_time())
    except psutil.Error:
        return 0


def alive(owner, beat):
    """Return whether the holder of a claim lives: here its process is there, if suspended; elsewhere it beat recently."""
    host, pid, begun, _ = owner.rsplit(":", 3)
    if beat is None or host != socket.gethostname():
        return beat is not None and time.time() - beat <= STALE
    return abs(started(int(pid)) - int(begun)) <= 2


def now():
    """Return the time in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
