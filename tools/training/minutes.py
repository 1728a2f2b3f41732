"""How long each part of a run took."""

import csv
import time
from contextlib import contextmanager

COLUMNS = ("stage", "run", "minutes")


@contextmanager
def noting_minutes(folder, stage, run=""):
    """Add a line to the folder's minutes.csv when what is done inside has ended well."""
    begun = time.monotonic()
    yield
    minutes = (time.monotonic() - begun) / 60
    path = folder / "minutes.csv"
    is_new = not path.is_file()
    with path.open("a", encoding="utf8", newline="") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(COLUMNS)
        writer.writerow([stage, run, f"{minutes:.1f}"])
