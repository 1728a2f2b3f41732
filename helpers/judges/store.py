"""Keep every answer of a judge in one SQLite file: cache, crash journal and audit trail at once."""

import hashlib
import json
import os
import socket
import sqlite3
import time
import uuid
from pathlib import Path

COLUMNS = ["key", "prompt_key", "provider", "model", "params", "repeat", "item", "text", "finish", "served_model", "input_tokens",
           "cached_tokens", "written_tokens", "output_tokens", "usd", "seconds", "at", "versions"]
CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
STALE = 10.0  # seconds without a sign of life after which another process may take over a claim
SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, prompt_key TEXT, provider TEXT, model TEXT, params TEXT,
  repeat INTEGER, item TEXT, text TEXT, finish TEXT, served_model TEXT, input_tokens INTEGER, cached_tokens INTEGER,
  written_tokens INTEGER, output_tokens INTEGER, usd REAL, seconds REAL, at TEXT, versions TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS failures (key TEXT, note TEXT, usd REAL, at TEXT);
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS owners (owner TEXT PRIMARY KEY, beat REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS batches (tag TEXT PRIMARY KEY, id TEXT, provider TEXT, endpoint TEXT, state TEXT,
  created REAL, owner TEXT, calls TEXT);
"""


class StoreError(ValueError):
    """A transcript file is not what it must be; the message names file, line and expectation."""


def digest(value):
    """Return the SHA-256 (hex) of the canonical JSON of a value: sorted keys, no spaces, UTF-8."""
    text = CANONICAL.encode(value)
    return hashlib.sha256(text.encode("utf8", "surrogatepass")).hexdigest()


class Store:
    """One transcript file, safe for several processes; a claim keeps two of them from paying for the same answer.

    Answers are written with a full sync, claims without: a claim that is lost costs nothing.
    """

    def __init__(self, path):
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        try:
            self._answers, self._claims = self._connect("FULL"), self._connect("NORMAL")
        except sqlite3.DatabaseError as fault:
            raise StoreError(f"{self.path.name}: not a transcript store ({fault}); name another file") from None

    def _connect(self, sync):
        db = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
        for attempt in range(50):  # the switch to WAL does not wait for a busy file by itself
            try:
                db.execute("PRAGMA journal_mode=WAL")
                break
            except sqlite3.OperationalError:
                if attempt == 49:
                    raise
                time.sleep(0.05)
        db.execute(f"PRAGMA synchronous={sync}")
        db.executescript(SCHEMA)
        return db

    def close(self):
        """Give up this process's claims and close the file."""
        self._claims.execute("DELETE FROM claims WHERE owner=?", (self.owner,))
        self._claims.execute("DELETE FROM owners WHERE owner=?", (self.owner,))
        self._answers.close()
        self._claims.close()

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        self.close()

    def get(self, keys):
        """Return {key: tuple in the order of COLUMNS} for those of `keys` that are answered."""
        found, keys = {}, list(keys)
        sql = f"SELECT {','.join(COLUMNS)} FROM answers WHERE key IN (SELECT value FROM json_each(?))"
        for start in range(0, len(keys), 20_000):
            found.update({row[0]: row for row in self._answers.execute(sql, (json.dumps(keys[start : start + 20_000]),))})
        return found

    def put(self, rows):
        """Keep answers (tuples in the order of COLUMNS) in one synced transaction; the first answer to a key stays."""
        answer = f"INSERT OR IGNORE INTO answers VALUES ({','.join('?' * len(COLUMNS))})"
        self._write(self._answers, [(answer, rows), ("DELETE FROM claims WHERE key=?", [(row[0],) for row in rows])])

    def fail(self, key, note, usd=0.0):
        """Note a failed call (audit only: it is asked again next time) and release its claim."""
        note = ("INSERT INTO failures VALUES (?,?,?,?)", [(key, note, usd, now())])
        self._write(self._claims, [note, ("DELETE FROM claims WHERE key=?", [(key,)])])

    def _write(self, db, statements):
        db.execute("BEGIN IMMEDIATE")
        try:
            for sql, rows in statements:
                db.executemany(sql, rows)
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise

    def beat(self):
        """Say that this process lives (call every few seconds while it holds claims)."""
        self._claims.execute("INSERT OR REPLACE INTO owners VALUES (?,?)", (self.owner, time.time()))

    def claim(self, key):
        """Return 'mine' if this process may now ask for `key`, 'answered', or 'taken' by another live process."""
        db = self._claims
        db.execute("BEGIN IMMEDIATE")
        try:
            if db.execute("SELECT 1 FROM answers WHERE key=?", (key,)).fetchone():
                return "answered"
            row = db.execute(
                "SELECT owner, (SELECT beat FROM owners o WHERE o.owner=c.owner) FROM claims c WHERE key=?", (key,)
            ).fetchone()
            if row and row[0] != self.owner and alive(*row):
                return "taken"
            db.execute("INSERT OR REPLACE INTO claims VALUES (?,?)", (key, self.owner))
            return "mine"
        finally:
            db.execute("COMMIT")

    def reserve_batch(self, tag, calls, endpoint):
        """Note, in one step that no other process can share, that `calls` go into a batch; return the keys that do.

        Left out are calls that are answered or already in a batch that is not collected.
        """
        db, provider = self._answers, calls[0]["provider"]
        db.execute("BEGIN IMMEDIATE")
        try:
            busy = {key for _, _, members in self.batches(provider, endpoint, "submitted", "submitting") for key in members}
            busy |= set(self.get(call["key"] for call in calls))
            kept = {call["key"]: {name: call[name] for name in COLUMNS[:7]} for call in calls if call["key"] not in busy}
            if kept:
                db.execute(
                    "INSERT INTO batches VALUES (?,?,?,?,?,?,?,?)",
                    (tag, None, provider, endpoint, "submitting", time.time(), self.owner, json.dumps(kept)),
                )
            return set(kept)
        finally:
            db.execute("COMMIT")

    def batches(self, provider, endpoint, *states):
        """Return (tag, id, {key: call without its prompt}) for each batch in one of `states`."""
        marks = ",".join("?" * len(states))
        sql = f"SELECT tag, id, calls FROM batches WHERE provider=? AND endpoint=? AND state IN ({marks})"
        rows = self.rows(sql, provider, endpoint, *states)
        return [(tag, id, json.loads(calls)) for tag, id, calls in rows]

    def is_alive(self, tag):
        """Return whether the process that submits a batch still lives."""
        owner, beat = self.rows(
            "SELECT b.owner, (SELECT beat FROM owners o WHERE o.owner=b.owner) FROM batches b WHERE tag=?", tag
        )[0]
        return alive(owner, beat)

    def rows(self, sql, *values):
        """Return the rows of a query (for tables of failures, batches and the like)."""
        return self._answers.execute(sql, values).fetchall()

    def run(self, sql, *values):
        """Run one synced statement."""
        self._answers.execute(sql, values)


def alive(owner, beat):
    """Return whether the holder of a claim still lives: a recent sign of life, and on this machine a running process."""
    if beat is None or time.time() - beat > STALE:
        return False
    host, pid, _ = owner.rsplit(":", 2)
    if host != socket.gethostname() or os.name != "posix":
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def now():
    """Return the time in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
