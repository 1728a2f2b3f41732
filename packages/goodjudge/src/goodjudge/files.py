"""Files, written whole or not at all."""

import os
from pathlib import Path

UNFINISHED: set[Path] = set()  # begun, not yet in place


def replace_file(path, content):
    """Write text or bytes to a file, whole or not at all, and return its path; its folder is made.

    Raises OSError or ValueError where the disk refuses, and leaves nothing behind.
    """
    path = Path(path)
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    part = path.with_name(f".goodjudge-{os.getpid()}.part")
    UNFINISHED.add(part)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        os.replace(part, path)
    finally:
        remove(part)
        UNFINISHED.discard(part)
    return path


def remove(part):
    """Remove a file that was begun, if it is there and can be removed."""
    try:
        part.unlink(missing_ok=True)
    except (OSError, ValueError):
        pass
