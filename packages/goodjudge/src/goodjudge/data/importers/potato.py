"""Potato: a line per annotated instance, with the answers of each scheme, or a CSV of all.

    {"id": "T01", "displayed_text": "…", "label_annotations": {"creativity": {"scale_5": "5"}}}
    user,instance_id,displayed_text,creativity:::5        (annotated_instances.csv)

Made up after potatoannotator.com/docs, Output formats. A file of one user does not say whose it is:
it holds one rater.
"""

import re

from goodjudge.data.importers.shapes import (
    Imported,
    has_fields,
    import_records,
    import_table,
    list_header,
)
from goodjudge.data.tables import Source

NAME, TITLE, PEOPLE, JUDGES = "potato", "Potato", True, False
SHAPE = "expected annotated_instances.jsonl, .json, .csv or .tsv"
USERS = ("user", "user_id", "annotator", "annotator_id", "username")


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    return has_fields(source, "label_annotations") or any(
        ":::" in name for name in list_header(source)
    )


def read(source: Source) -> Imported:
    """Return one row per instance, user and scheme."""
    if source.records is not None:
        return read_lines(source.records)
    found = import_table(source, TITLE)
    who = next((name for name in found.cells if name.casefold() in USERS), None)
    item = next(
        (name for name in found.cells if name.casefold() in ("instance_id", "id", "item_id")), None
    )
    schemes: dict[str, list[str]] = {}
    for name in found.cells:
        if ":::" in name:
            schemes.setdefault(name.split(":::")[0], []).append(name)
    rows = []
    for _, row in found.cells.iterrows():
        for scheme, columns in schemes.items():
            chosen = {name.split(":::")[1]: row[name] for name in columns if row[name]}
            rows.append(
                make_row(row.get(item, ""), row.get(who, "") if who else "", scheme, chosen)
            )
    return finish(rows)


def read_lines(records: list[dict]) -> Imported:
    """Return one row per instance and scheme of a file of lines."""
    rows = []
    for record in records:
        who = next((str(record[name]) for name in USERS if record.get(name)), "")
        item = record.get("id", record.get("instance_id", ""))
        for scheme, chosen in (record.get("label_annotations") or {}).items():
            if isinstance(chosen, dict):
                rows.append(make_row(item, who, scheme, chosen))
    return finish(rows)


def make_row(item, who: str, scheme: str, chosen: dict) -> dict:
    """Return a row; chosen: {a label of the scheme: what stands there}."""
    answers = [
        label
        for label, value in chosen.items()
        if str(value).casefold() not in ("", "false", "none", "0")
    ] or list(chosen)
    score = ""
    if len(answers) == 1:
        value = str(chosen[answers[0]])
        digits = re.search(r"(\d+)$", answers[0])
        is_number = re.fullmatch(r"-?\d+(\.\d+)?", value)
        score = (
            value
            if is_number and not (digits and value == "1")
            else (digits[1] if digits else answers[0])
        )
    return {"item": item, "rater": who, "aspect": scheme, "score": score}


def finish(rows: list[dict]) -> Imported:
    """Return the table of rows, without a column that says nothing."""
    found = import_records(rows, TITLE, form="rows")
    if (found.cells["rater"] == "").all():
        found.cells["rater"] = "the rater"
        found.notes.append("The file does not say who rated: it was read as one rater.")
    if found.cells["aspect"].nunique() == 1:
        del found.cells["aspect"]
    return found
