"""Write a file in one step, so that no reader and no crash ever leaves half of one."""

import os
from pathlib import Path


def replace_file(path, text):
    """Write a file in one step (temporary name, then rename), so that a reader at the same time never sees half of it."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_text(text, encoding="utf8", newline="\n")
    os.replace(part, path)
