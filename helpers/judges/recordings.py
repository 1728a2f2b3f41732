"""Recordings: the answers of a transcript store as a JSONL file, written and read."""

import json
from pathlib import Path

from helpers.judges.store import COLUMNS, Answer, StoreError
from helpers.sources.files import replace_file

LATER = "logprobs"  # a field that only lines with probabilities have


def export_answers(store, path, where="1"):
    """Write a store's answers as JSONL, sorted by item and repeat: keys and our answers, never a prompt. Return the count.

    `where`: an SQL condition over the columns (a store may hold several judges).
    """
    rows = store.rows(f"SELECT {','.join(COLUMNS)} FROM answers WHERE {where} ORDER BY item, repeat, key")
    named = [{name: value for name, value in zip(COLUMNS, row) if name != LATER or value is not None} for row in rows]
    lines = [json.dumps(line, ensure_ascii=False, sort_keys=True) for line in named]
    replace_file(path, "".join(line + "\n" for line in lines))
    return len(lines)


def read_export(path):
    """Return the lines of a JSONL export as Answers; raise StoreError naming file and line for anything else."""
    found = []
    for number, text in enumerate(Path(path).read_text(encoding="utf8").rstrip("\n").split("\n"), 1):
        where = f"{Path(path).name}, line {number}"
        try:
            line = json.loads(text)
            missing = [column for column in COLUMNS if column not in line and column != LATER]
        except (json.JSONDecodeError, TypeError) as fault:
            raise StoreError(f"{where}: not a JSON object ({fault})") from None
        if missing:
            raise StoreError(f"{where}: field {missing[0]!r} is missing; expected a line written by export_answers")
        found.append(Answer(**{column: line.get(column) for column in COLUMNS}))
    return found
