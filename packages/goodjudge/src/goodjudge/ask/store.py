"""Keep every answer of a judge in one SQLite file: cache, crash journal and audit trail at once.

An answer is written to the disk before the next thing happens, under a key that is made of all that
was asked (`calls.Call`). So a run that ends halfway goes on where it ended, and nothing is
paid for twice:

    with Store("outputs/transcripts.sqlite") as store:
        stored = store.get(keys)      # {key: Answer} of those that are answered
        store.put(new_answers)        # on the disk when the call returns

Two tables: `answers`, a row for each `Answer`, and `failures`, what was or may have been billed
without an answer.
"""

import json
import sqlite3
import threading
import warnings
from contextlib import contextmanager, suppress
from pathlib import Path

from goodjudge.ask.answer import COLUMNS, LATER, Answer, now
from goodjudge.ask.errors import StoreError

TRANSCRIPTS = "transcripts.sqlite"
VERSION = 2  # of the schema, in PRAGMA user_version

ANSWERS = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT,
    prompt_key TEXT,
    provider TEXT,
    model TEXT,
    params TEXT,
    repeat INTEGER,
    item TEXT,
    text TEXT,
    finish TEXT,
    served_model TEXT,
    input_tokens INTEGER,
    cached_tokens INTEGER,
    written_tokens INTEGER,
    output_tokens INTEGER,
    usd REAL,
    seconds REAL,
    at TEXT,
    versions TEXT,
    logprobs TEXT,
    PRIMARY KEY (key)
) WITHOUT ROWID
"""
FAILURES = "CREATE TABLE IF NOT EXISTS failures (key TEXT, note TEXT, usd REAL, at TEXT)"
NAMES = ",".join(COLUMNS)


def find_store(transcripts):
    """Return the path of a transcript store, a file; a relative one is in the working folder."""
    return Path(transcripts or TRANSCRIPTS)


class Store:
    """One transcript file, safe for several threads and processes; every write is on the disk when
    its call returns.

    A file that cannot be written can still be read. Raises StoreError for a file that is no store,
    or that a newer version of this project wrote.
    """

    def __init__(self, path):
        self.path = Path(path)
        self.lock = threading.Lock()  # one thread at a time uses the connection
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            make_private(self.path)
            version = self._open()
        except (sqlite3.DatabaseError, OSError, ValueError) as fault:
            raise self._unusable(fault) from None
        if version > VERSION:
            raise StoreError(
                f"{self.path.name}: a newer version of this project wrote it (schema {version},"
                f" this one knows {VERSION}); update the project, or name another file in"
                " `transcripts`"
            )

    def _open(self):
        """Connect to the file, and return the version of its schema."""
        self.db = sqlite3.connect(self.path, timeout=60, check_same_thread=False)
        try:
            self._refuse_strange()
        except sqlite3.OperationalError:  # nothing may be written beside it, as a journal would be
            self.db.close()
            address = f"{self.path.resolve().as_uri()}?mode=ro&immutable=1"
            self.db = sqlite3.connect(address, uri=True, check_same_thread=False)
            self._refuse_strange()
        version = self.rows("PRAGMA user_version")[0][0]
        if version < VERSION:
            self._upgrade()
        return version

    def _refuse_strange(self):
        """Raise ValueError for somebody else's database: it has tables, but none of answers."""
        tables = self.rows("SELECT name FROM sqlite_master")
        is_store = {*COLUMNS} - {LATER} <= self._columns_of_answers()
        if tables and not is_store:
            self.db.close()
            raise ValueError("a database of something else, left as it was")

    def _upgrade(self):
        """Bring an empty or older file to this version's schema."""
        # with another process at work it stays as it is: slower, no less safe
        with suppress(sqlite3.OperationalError):
            self.rows("PRAGMA journal_mode=WAL")
        with self.lock, self.db as db:
            db.execute("BEGIN IMMEDIATE")  # another process may be doing the same
            db.execute(ANSWERS)
            db.execute(FAILURES)
            if LATER not in self._columns_of_answers():
                db.execute(f"ALTER TABLE answers ADD COLUMN {LATER} TEXT")
            db.execute(f"PRAGMA user_version={VERSION}")

    def _columns_of_answers(self):
        """Return the names of the columns that the file's table of answers has; empty without
        one."""
        return {row[1] for row in self.db.execute("PRAGMA table_info(answers)")}

    def _unusable(self, fault):
        """Return the StoreError that tells why no store can be kept here."""
        return StoreError(
            f"{self.path.name}: no transcript store can be kept here ({fault}); name another file"
        )

    def __enter__(self):
        return self

    def __exit__(self, kind, fault, trace):
        self.db.close()
        if isinstance(fault, sqlite3.DatabaseError):
            raise self._unusable(fault) from None

    def get(self, keys):
        """Return {key: Answer} for those of `keys` that are answered."""
        # the keys as one JSON text, since SQLite takes only so many values
        sql = f"SELECT {NAMES} FROM answers WHERE key IN (SELECT value FROM json_each(?))"
        answers = [Answer._make(row) for row in self.rows(sql, json.dumps([*keys]))]
        return {answer.key: answer for answer in answers}

    def put(self, answers):
        """Keep answers; the first answer to a key stays."""
        marks = ",".join("?" * len(COLUMNS))
        self.write(f"INSERT OR IGNORE INTO answers ({NAMES}) VALUES ({marks})", *answers)

    def fail(self, note, *keys, usd=0.0):
        """Note failed requests and what each may have cost (they are asked again)."""
        rows = [(key, note, usd, now()) for key in keys]
        self.write("INSERT INTO failures VALUES (?,?,?,?)", *rows)

    @contextmanager
    def turn(self, provider):
        """Hold the right to ask a provider, while this lasts: one process at a time asks for a
        store, so that none pays for what another pays for. Waits until the other has ended; the
        operating system frees the lock of a process however it ends.

        Where answers cannot be written, it is no use to ask: that is found out here, before
        anything is paid.
        """
        from filelock import FileLock, Timeout  # only who asks needs it

        self.write("DELETE FROM failures WHERE 0", ())
        gate = f"{self.path.resolve()}-{provider}.lock"  # one store, whatever it is called
        lock = FileLock(gate, mode=0o600, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            waiting = f"another process asks {provider}/ for this store; waiting for it to end"
            warnings.warn(waiting, stacklevel=4)
            lock.acquire()
        except (OSError, NotImplementedError) as fault:
            raise self._unusable(f"no lock beside it: {fault}") from None
        try:
            yield
        finally:
            lock.release()

    def rows(self, sql, *values):
        """Return the rows of one statement."""
        with self.lock:
            return self.db.execute(sql, values).fetchall()

    def write(self, sql, *rows):
        """Run a statement once for each row of values, all in one transaction."""
        with self.lock, self.db:
            self.db.executemany(sql, rows)


def make_private(path):
    """Make an empty file that only its owner can read, unless there is one; a store quotes
    texts."""
    if not Path(path).exists():
        Path(path).touch(0o600)
