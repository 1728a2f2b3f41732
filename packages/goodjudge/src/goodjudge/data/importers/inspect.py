"""Inspect: the JSON of a log (`inspect log dump`, or INSPECT_LOG_FORMAT=json): samples with scores.

    {"version": 2, "eval": {"model": "openai/gpt-4o"}, "samples": [{"id": "T01", "epoch": 1,
        "scores": {"creativity": {"value": 4, "explanation": "…"}}}]}

Made up after inspect.aisi.org.uk, Log files and Scorers. "C", "P" and "I" are 1, 0.5 and 0; a value
may be an object with a score per criterion. Epochs are the judge's repeats.
"""

from goodjudge.data.importers.shapes import Imported, has_fields, import_records
from goodjudge.data.tables import Source

NAME, TITLE, PEOPLE, JUDGES = "inspect", "Inspect", False, True
SHAPE = "expected the JSON of a log, with eval and samples"
LETTERS = {"C": 1, "P": 0.5, "I": 0, "N": ""}


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    return has_fields(source, "eval", "samples")


def read(source: Source) -> Imported:
    """Return one row per sample, epoch and score."""
    log = source.records[0]
    judge = (log.get("eval") or {}).get("model") or "the judge"
    rows, errors = [], 0
    for sample in log.get("samples") or []:
        scores = sample.get("scores") or {}
        errors += bool(sample.get("error"))
        grader = judge
        for scorer, score in scores.items():
            value = score.get("value") if isinstance(score, dict) else score
            values = value if isinstance(value, dict) else {scorer: value}
            for aspect, one in values.items():
                one = LETTERS.get(one, one) if isinstance(one, str) else one
                rows.append(
                    {
                        "item": sample.get("id"),
                        "judge": grader,
                        "aspect": aspect,
                        "repeat": sample.get("epoch", 1),
                        "score": one,
                    }
                )
    found = import_records(rows, TITLE, form="rows")
    if "repeat" in found.cells and found.cells["repeat"].nunique() == 1:
        del found.cells["repeat"]
    if "aspect" in found.cells and found.cells["aspect"].nunique() == 1:
        del found.cells["aspect"]
    if errors:
        found.notes.append(f"{errors} samples ended with an error.")
    return found
