"""Where the pages of `cards` lie, and where they are made.

Two runs never write over each other. A page's name says what was judged and by what, and ends in
six letters for the rest: `judge-card-my-ratings-gpt-1f0c3a.html`. While a page is made, its
notebook runs in a folder that no other run uses; then the folder goes.
"""

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from helpers.workshop import run


def name_page(kind, path, *by, given=None):
    """Return the name of a page and of its files, without an ending.

    kind: what the name begins with, such as "judge-card"; path: the reader's file or folder; by:
    other files, or a judge's name ("" for none); given: what else the page depends on, as JSON can
    hold it. The six letters at the end tell apart files of one name in different folders, and one
    file that is read in different ways.
    """
    sources = [Path(path), *(source for source in by if source)]
    stems = [source.stem if isinstance(source, Path) else source for source in sources]
    words = [re.sub(r"[^\w.]+", "-", stem).strip("-.") for stem in stems]
    whole = "\0".join(str(Path(source).resolve()) for source in sources)
    if given:
        whole += json.dumps(given, sort_keys=True)
    letters = hashlib.sha256(whole.encode()).hexdigest()[:6]
    return "-".join([kind, *words, letters])


@contextmanager
def private_folder(folder, name):
    """Give a new folder, within `folder`, for the one run that makes the page `name`.

    At its end the folder is removed; the notebook of a failed run is left as failed/`name`.ipynb
    in `folder`. A KeyboardInterrupt goes on with the page's notebook as its argument, for
    `run.tell_stopped`. What killed runs have left is removed at the begin.
    """
    folder.mkdir(parents=True, exist_ok=True)
    remove_left_folders(folder)
    notebook = folder / f"{name}.ipynb"
    private = Path(tempfile.mkdtemp(prefix=f".{name[:80]}-run{os.getpid()}-", dir=folder))
    try:
        yield private
    except KeyboardInterrupt as stop:
        stop.args = (notebook,)
        raise
    finally:
        for failed in private.glob("failed/*.ipynb"):
            kept = run.failed_copy(notebook)
            kept.parent.mkdir(exist_ok=True)
            os.replace(failed, kept)
        shutil.rmtree(private, ignore_errors=True)


def remove_left_folders(folder):
    """Remove the private folders of runs that were killed, no longer alive, and say so."""
    for left in folder.glob(".judge-*-run*-*"):
        process = left.name.split("-")[-2].removeprefix("run")  # mkdtemp's ending holds no dash
        if left.is_dir() and process.isdigit() and not run.is_alive(int(process)):
            shutil.rmtree(left, ignore_errors=True)
            print(f"removed what a killed run had left: {left.name}", file=sys.stderr)
