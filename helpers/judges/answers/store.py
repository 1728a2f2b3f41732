"""Keep every answer of a judge in one SQLite file: cache, crash journal and audit trail at once."""

import json
import sqlite3
import threading
import time
import warnings
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from helpers.judges.errors import JudgeError
from helpers.sources.public import ROOT

TRANSCRIPTS = ROOT / "outputs" / "transcripts.sqlite"
VERSION = 2  # of the schema, in PRAGMA user_version


class StoreError(ValueError):
    """A transcript file is not what it must be; the message names file, line and expectation."""


class Answer(NamedTuple):
    """One answer, from the provider's reply to the table; tokens are None where nobody knows them.

    item: what the first request with this key was about. input_tokens include those read from
    (cached) and written to the provider's prompt cache; at: UTC; versions: JSON, of the SDK, and
    for local/ the server (`addresses.name_server`); logprobs: JSON, the likeliest first tokens
    (probabilities.py), None where the provider gave none.
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
    logprobs: str | None = None


COLUMNS = list(Answer._fields)
LATER = "logprobs"  # a column that older stores lack, and a field that only some exports have
KINDS = {int: "INTEGER", int | None: "INTEGER", float | None: "REAL"}  # everything else is TEXT
NAMES = ",".join(COLUMNS)
FIELDS = [f"{name} {KINDS.get(kind, 'TEXT')}" for name, kind in Answer.__annotations__.items()]
TABLES = (
    f"answers ({','.join(FIELDS)}, PRIMARY KEY (key)) WITHOUT ROWID",
    "failures (key TEXT, note TEXT, usd REAL, at TEXT)",
)


def answer_to(call, text, **facts):
    """Return the Answer to a Call."""
    return Answer(
        key=call.key,
        prompt_key=call.prompt_key,
        provider=call.provider,
        model=call.model,
        params=call.params,
        repeat=call.repeat,
        item=whole(call.about),
        text=text,
        **facts,
    )


def whole(text):
    """Return text that every store can hold: halves of characters become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def now():
    """Return the time in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def find_store(transcripts=None):
    """Return the path of a transcript store, a file; a relative one is in the project's folder."""
    if str(transcripts).startswith((":memory:", "file:")):
        raise JudgeError(f"transcripts={transcripts!r}: expected a file, so that answers are kept")
    return ROOT / (transcripts or TRANSCRIPTS)


class Store:
    """One transcript file, safe for several threads and processes; every write is on the disk when
    its call returns.

    Raises StoreError for a file that is no store, or that a newer version of this project wrote.
    """

    def __init__(self, path):
        self.path, self.lock = Path(path), threading.Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            make_private(self.path)
            self.db = sqlite3.connect(self.path, timeout=60, check_same_thread=False)
            self._refuse_strange()
            version = self.rows("PRAGMA user_version")[0][0]
            if version < VERSION:
                self._upgrade()
        except (sqlite3.DatabaseError, OSError, ValueError) as fault:
            raise self._unusable(fault) from None
        if version > VERSION:
            raise StoreError(
                f"{self.path.name}: a newer version of this project wrote it (schema {version},"
                f" this one knows {VERSION}); update the project, or name another file in"
                " `transcripts`"
            )

    def _unusable(self, fault):
        return StoreError(
            f"{self.path.name}: no transcript store can be kept here ({fault}); name another file"
        )

    def _refuse_strange(self):
        """Raise ValueError for somebody else's database: it has tables, but none of answers."""
        tables = {row[0] for row in self.rows("SELECT name FROM sqlite_master")}
        fields = {row[1] for row in self.rows("PRAGMA table_info(answers)")}
        if tables and not {*COLUMNS} - {LATER} <= fields:
            self.db.close()
            raise ValueError("a database of something else, left as it was")

    def _upgrade(self):
        """Bring an empty or older file to this version's schema."""
        # with another process at work it stays as it is: slower, no less safe
        with suppress(sqlite3.OperationalError):
            self.rows("PRAGMA journal_mode=WAL")
        with self.lock, self.db as db:
            db.execute("BEGIN IMMEDIATE")
            fields = [row[1] for row in db.execute("PRAGMA table_info(answers)")]
            if fields and LATER not in fields:
                db.execute(f"ALTER TABLE answers ADD COLUMN {LATER} TEXT")
            for table in TABLES:
                db.execute(f"CREATE TABLE IF NOT EXISTS {table}")
            db.execute(f"PRAGMA user_version={VERSION}")

    def __enter__(self):
        return self

    def __exit__(self, kind, fault, trace):
        self.db.close()
        if isinstance(fault, sqlite3.DatabaseError):
            raise self._unusable(fault) from None

    def rows(self, sql, *values):
        """Return the rows of one statement."""
        with self.lock:
            return self.db.execute(sql, values).fetchall()

    def write(self, sql, *rows):
        """Run a statement once for each row of values, all in one transaction."""
        with self.lock, self.db:
            self.db.executemany(sql, rows)

    def get(self, keys):
        """Return {key: Answer} for those of `keys` that are answered."""
        wanted = "key IN (SELECT value FROM json_each(?))"
        rows = self.rows(f"SELECT {NAMES} FROM answers WHERE {wanted}", json.dumps([*keys]))
        return {row[0]: Answer._make(row) for row in rows}

    def put(self, answers):
        """Keep answers; the first answer to a key stays."""
        marks = ",".join("?" * len(COLUMNS))
        self.write(f"INSERT OR IGNORE INTO answers ({NAMES}) VALUES ({marks})", *answers)

    def fail(self, note, *keys, usd=0.0):
        """Note failed requests and what each may have cost (they are asked again)."""
        rows = [(key, note, usd, now()) for key in keys]
        self.write("INSERT INTO failures VALUES (?,?,?,?)", *rows)

    @contextmanager
    def turn(self, name, seconds):
        """Hold the right to ask a provider: one process at a time, so none pays for another's.

        The lock is the operating system's and ends with its process. Raises JudgeError if another
        holds it and no answer comes for so many seconds.
        """
        # the store can be written, before anything is paid; if not, __exit__ says so
        self.write("DELETE FROM failures WHERE 0", ())
        seen, end = None, 0.0
        gate = f"{self.path.resolve()}-{name}"  # one store, whatever it is called
        make_private(gate)
        with closing(sqlite3.connect(gate, timeout=0.2, isolation_level=None)) as lock:
            while not take(lock, gate):
                waiting = f"another process asks {name}/ for this store; waiting for it to end"
                warnings.warn(waiting, stacklevel=4)
                if (state := self.rows("PRAGMA data_version")) != seen:
                    seen, end = state, time.monotonic() + seconds
                if time.monotonic() > end:
                    raise JudgeError(
                        f"another process asks {name}/ for {self.path.name}, and no answer came"
                        f" for {seconds:.0f} s; let it finish or end it, then run again"
                    )
            yield


def make_private(path):
    """Make a file that only its owner can read, unless it is there; a store quotes texts."""
    if not Path(path).exists():
        Path(path).touch(0o600)


def take(lock, gate):
    """Return whether the lock is had; raise StoreError for a file that is none."""
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.DatabaseError as fault:
        if fault.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            return False
        why = f"{Path(gate).name}: no lock can be kept here ({fault}); make room, or remove it"
        raise StoreError(why) from None
    return True
