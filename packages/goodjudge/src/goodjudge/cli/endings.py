"""How a command ends, and what a terminal is told: exit codes, signals, progress, output.

A crash, a closed pipe, a full disk or a missing package never ends with 1, which would be an
answer: it ends with 3.
"""

import os
import re
import signal
import socket
import sys
import threading
import time
import traceback
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

from goodjudge.files import UNFINISHED, remove

AS_HOPED, NOT, UNDECIDED, BAD_INPUT = 0, 1, 2, 3
STOPPED, KILLED = 130, 143
ANSWERS = {"yes": AS_HOPED, "no": NOT, "undecided": UNDECIDED}
CODES = {
    AS_HOPED: "as hoped: the judge is better than what you could have without reading (card); it "
    "is as before (drift); the study is large enough (plan); every question has a score (ask); "
    "what should not matter moves no answer (probe)",
    NOT: "not; of ask: not one answer has a score",
    UNDECIDED: "undecided: these data cannot tell; of ask: some answers have no score",
    BAD_INPUT: "bad input, or anything that went wrong",
    STOPPED: "stopped by Ctrl-C",
    KILLED: "stopped by TERM",
}
QUIET = 3  # seconds, after which progress is told
CLEAR = "\r\033[K"


def watch_signals():
    """End at once where Ctrl-C or TERM come, and leave no half-written file; nothing in a thread,
    where signals cannot be watched."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)


def stop(number, frame):
    """End this process now."""
    for part in list(UNFINISHED):
        remove(part)
    try:
        os.write(2, b"\nstopped\n")
    except OSError:
        pass
    os._exit(STOPPED if number == signal.SIGINT else KILLED)


@contextmanager
def stopping(kept):
    """Let Ctrl-C, TERM and a closed terminal end a run of paid calls while this lasts: no more is
    asked, what is under way is waited for and kept, and this process ends with its code.

    kept: a sentence on what is kept. Which signal came is read from a socket, since the run has
    handlers of its own. SystemExit, with STOPPED or KILLED, after a stop.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop_calls(number, frame):
        signal.raise_signal(signal.SIGINT)  # for which the run of calls has a handler

    came, comes = socket.socketpair()
    comes.setblocking(False)
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    heeded = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]  # nohup
    before = {number: signal.signal(number, stop_calls) for number in heeded}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    woken = signal.set_wakeup_fd(comes.fileno(), warn_on_full_buffer=False)
    try:
        yield
    except KeyboardInterrupt:
        first = came.recv(1)[0]
        print(f"stopped; {kept}", file=sys.stderr, flush=True)
        raise SystemExit(STOPPED if first == signal.SIGINT else KILLED) from None
    finally:
        signal.set_wakeup_fd(woken)
        for number, handler in before.items():
            signal.signal(number, handler)
        came.close()
        comes.close()


def prepare_terminal():
    """Let letters that a terminal does not have be shown by their numbers."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.reconfigure(errors="backslashreplace")
        except (AttributeError, ValueError, OSError):  # none, closed, or a test's
            pass


def say(text=""):
    """Print a text for people."""
    print(text, flush=True)


def say_json(text):
    """Print JSON: where the terminal's letters are not UTF-8, in ASCII, which is JSON as well."""
    if "utf" not in (getattr(sys.stdout, "encoding", "") or "").lower():
        text = "".join(one if one.isascii() else escape(one) for one in text)
    print(text.rstrip("\n"), flush=True)


def escape(letter):
    """Return a letter as JSON writes it in ASCII."""
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def flush():
    """Write what was printed; raises OSError where nobody reads it or the disk is full."""
    if sys.stdout is not None:
        sys.stdout.flush()


def can_flush():
    """Return whether what was printed could be written."""
    try:
        flush()
    except (OSError, ValueError):
        give_up_output()
        return False
    return True


def give_up_output():
    """Print no more: nobody reads it. Python's own end would else print a fault, and end with
    120."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):
        pass


def tell_fault(text):
    """Print what is wrong, and return the exit code."""
    can_flush()
    try:
        print(f"error: {text}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass
    return BAD_INPUT


def tell_warning(message, *where, **more):
    """Print a warning as a sentence, without the line of code that gave it (`warnings.showwarning`
    has these arguments)."""
    try:
        print(f"note: {message}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        pass


def word_fault(fault):
    """Return in a sentence what is wrong with the input or the machine."""
    if isinstance(fault, MemoryError):
        return f"more memory is needed than there is ({fault or 'no more is known'}); ask for less"
    if isinstance(fault, ImportError):
        return f"{fault}; install it: pip install {name_install(fault.name or 'goodjudge')}"
    if isinstance(fault, OSError) and fault.strerror:
        where = f"{fault.filename}: " if fault.filename else ""
        return f"{where}{fault.strerror}"
    return str(fault)


def name_install(module):
    """Return what pip is to install for a module: goodjudge with its extra, where one needs it."""
    for need in metadata.requires("goodjudge") or ():
        name = re.match(r"[\w-]+", need)[0].replace("-", "_")
        extra = re.search(r"extra == ['\"](\w+)", need)
        if extra and name == module.partition(".")[0]:
            return f"'goodjudge[{extra[1]}]'"
    return module


def word_crash(fault):
    """Return in a sentence that something went wrong that should not, and where."""
    last = traceback.extract_tb(fault.__traceback__)[-1]
    where = f"{Path(last.filename).name}, line {last.lineno}"
    if os.environ.get("GOODJUDGE_TRACEBACK"):
        traceback.print_exception(fault)
    said = " ".join(str(fault).split())
    return (
        f"goodjudge itself failed ({type(fault).__name__}: {said:.200}; {where}). This is no "
        "answer about your judge. Please report it, with what GOODJUDGE_TRACEBACK=1 prints"
    )


@contextmanager
def working(what):
    """Say on a terminal, from the third second on, what is at work and for how long; nothing where
    the output goes into a file or a pipe."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    ended, begun = threading.Event(), time.monotonic()

    def watch():
        if ended.wait(QUIET):
            return
        while True:
            seconds = time.monotonic() - begun
            sys.stderr.write(f"{CLEAR}{what}, {seconds:.0f} s (Ctrl-C stops it)")
            sys.stderr.flush()
            if ended.wait(1):
                sys.stderr.write(CLEAR)
                sys.stderr.flush()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
