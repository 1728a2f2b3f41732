"""Say, every 20 seconds of a long run, how far it is.

A page of notebook 07 takes minutes. Meanwhile a thread of its own looks at what the run leaves on
disk, and prints a line:

- `telling_sections` reads the notebook under way: "at work for 40 s: cell 12 of 31, The people".
- `telling_answers` counts a judge's answers: "40 new answers of at most 160, at most 3 min left".

Used by `cards`.
"""

import re
import sqlite3
import sys
import threading
import time
from contextlib import closing, contextmanager

from helpers.workshop import run

SECONDS = 20  # between two lines


@contextmanager
def telling_sections(folder):
    """Print to stderr, while this lasts, which section of the notebook in `folder` is at work."""

    def tell(seconds):
        print(f"at work for {seconds:.0f} s{find_section(folder)}", file=sys.stderr, flush=True)

    with repeating(tell):
        yield


@contextmanager
def telling_answers(store, most):
    """Print, while this lasts, how many new answers are in a store and how much time is left.

    store: the path of a transcript store; most: how many answers can come.
    """
    at_first = count_answers(store)
    last_told = 0

    def tell(seconds):
        nonlocal last_told
        new = count_answers(store) - at_first
        if new == 0:  # nothing has come yet, or all is known from an earlier run
            return
        print(tell_left(new, last_told, most, seconds), flush=True)
        last_told = new

    with repeating(tell):
        yield


@contextmanager
def repeating(tell):
    """Call `tell(seconds since the begin)` every 20 seconds, in a thread, while this lasts."""
    begun = time.monotonic()
    ended = threading.Event()

    def watch():
        while not ended.wait(SECONDS):
            tell(time.monotonic() - begun)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def find_section(folder):
    """Return the place of the cell under way, and the heading above it, as ": cell 12 of 31, The
    people"; "" where no notebook is under way, or no heading stands above."""
    for partial in folder.glob("*.partial.ipynb"):
        cells = run.read_json(partial).get("cells", [])
        states = [cell["metadata"].get("papermill", {}).get("status") for cell in cells]
        waiting = [place for place, state in enumerate(states) if state in ("running", "pending")]
        if not waiting:
            continue
        place = waiting[0]
        above = "\n".join("".join(cell["source"]) for cell in cells[:place])
        headings = re.findall("^#+ (.+)$", above, re.MULTILINE)
        if not headings:
            return ""
        return f": cell {place + 1} of {len(cells)}, {headings[-1]}"
    return ""


def tell_left(new, last_told, most, seconds):
    """Return how many answers have come and how much time is left.

    new: answers so far; last_told: how many had come when this was last said; most: how many can
    come; seconds: since `telling_answers` began, a kernel's start included.
    """
    come = f"{new} new answers of at most {most}"
    if new == last_told:
        return f"{come}, none in the last {SECONDS} s"
    seconds_an_answer = seconds / new
    minutes_left = seconds_an_answer * max(most - new, 0) / 60
    return f"{come}, at most {minutes_left:.0f} min left"


def count_answers(store):
    """Return the number of answers in a transcript store; 0 if it is not there yet."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as db:
            return db.execute("SELECT COUNT(*) FROM answers").fetchone()[0]
    except sqlite3.Error:
        return 0
