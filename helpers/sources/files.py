"""Write files and numbers so that every machine writes the same: in one step, with ten digits."""

import os
from pathlib import Path


def round_number(number):
    """Return a float with ten significant digits, noise below 1e-12 as 0: what all processors agree
    on."""
    return float(f"{round(float(number), 12) + 0.0:.10g}")


def replace_file(path, text):
    """Write a file in one step (temporary name, then rename), so that a reader at the same time
    never sees half of it."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_text(text, encoding="utf8", newline="\n")
    os.replace(part, path)
