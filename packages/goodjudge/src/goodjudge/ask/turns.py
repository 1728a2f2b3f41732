"""One process at a time asks a provider for a store, so that none pays for what another pays for.

The lock is a small file beside the store, `transcripts.sqlite-openai`. SQLite locks it, and the
operating system frees it when its process ends, however it ends.
"""

import sqlite3
import time
import warnings
from contextlib import closing, contextmanager
from pathlib import Path

from goodjudge.ask.errors import JudgeError, StoreError


@contextmanager
def take_turn(store, provider, seconds):
    """Hold the right to ask a provider for a store, while this lasts; wait for it if another holds
    it.

    Raises JudgeError if another holds it and no answer of its comes for so many seconds.
    """
    gate = f"{store.path.resolve()}-{provider}"  # one store, whatever it is called
    make_private(gate)
    with closing(sqlite3.connect(gate, timeout=0.2, isolation_level=None)) as lock:
        wait_for_lock(lock, gate, store, provider, seconds)
        yield


def wait_for_lock(lock, gate, store, provider, seconds):
    """Return when the lock is had; JudgeError as of `take_turn`."""
    last_state = None
    deadline = 0.0
    while not try_lock(lock, gate):
        waiting = f"another process asks {provider}/ for this store; waiting for it to end"
        warnings.warn(waiting, stacklevel=5)
        state = store.rows("PRAGMA data_version")
        if state != last_state:  # something was written: the other goes on
            last_state = state
            deadline = time.monotonic() + seconds
        if time.monotonic() > deadline:
            raise JudgeError(
                f"another process asks {provider}/ for {store.path.name}, and no answer came"
                f" for {seconds:.0f} s; let it finish or end it, then run again"
            )


def try_lock(lock, gate):
    """Return whether the lock is had now; raise StoreError for a file that can be none."""
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.DatabaseError as fault:
        if fault.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            return False
        reason = f"{Path(gate).name}: no lock can be kept here ({fault}); make room, or remove it"
        raise StoreError(reason) from None
    return True


def make_private(path):
    """Make an empty file that only its owner can read, unless there is one; a store quotes
    texts."""
    if not Path(path).exists():
        Path(path).touch(0o600)
