"""Label Studio: JSON (tasks with annotations), JSON_MIN or CSV (a row per annotation).

    {"id": 1, "data": {"text": "…"}, "annotations": [{"completed_by": 4, "result": [
        {"from_name": "creativity", "type": "rating", "value": {"rating": 5}}]}]}

Made up after labelstud.io/guide, Export annotated data and Label Studio JSON format of annotated
tasks. Cancelled and ground-truth annotations are left out; predictions are a judge's scores.
"""

from goodjudge.data.importers.shapes import (
    Imported,
    has_columns,
    has_fields,
    import_records,
    import_table,
    leave_out_named,
)
from goodjudge.data.tables import Source, flatten

NAME, TITLE, PEOPLE, JUDGES = "label_studio", "Label Studio", True, True
SHAPE = "expected its JSON, JSON_MIN or CSV, with annotations or annotator and lead_time"
KNOWN = {"annotation_id", "created_at", "updated_at", "lead_time", "sentiment_id", "agreement"}
NAMED = ("item", "item_id", "text_id", "story_id", "title")  # fields that name a text
IDS = (*NAMED, "name", "id", "uid")


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    if has_fields(source, "annotations", "data") or has_fields(source, "predictions", "data"):
        return True
    return has_columns(source, "annotator", "lead_time") or has_fields(
        source, "annotator", "lead_time"
    )


def read(source: Source) -> Imported:
    """Return one row per annotation and question."""
    if source.records is not None and "data" in source.records[0]:
        return read_tasks(source.records)
    if source.records is not None:
        table = flatten(source)
        found = Imported(table.cells, notes=table.notes, tool=TITLE)
    else:
        found = import_table(source, TITLE)
    leave_out_named(found, KNOWN)
    for name in found.cells:
        if name.casefold() == "annotator":
            found.meaning[name] = "rater"
        if name.casefold() == "id":
            named = [one for one in found.cells if one.casefold() in NAMED]
            found.meaning[name] = "" if named else "item"
    return found


def read_tasks(tasks: list[dict]) -> Imported:
    """Return one row per answered question of each annotation, or prediction."""
    rows, cancelled = [], 0
    are_people = any(task.get("annotations") for task in tasks)
    for number, task in enumerate(tasks, 1):
        data = task.get("data") or {}
        item = next(
            (data[name] for name in IDS if data.get(name) not in (None, "")), task.get("id", number)
        )
        done = task.get("annotations") if are_people else task.get("predictions")
        for annotation in done or []:
            if annotation.get("was_cancelled") or annotation.get("ground_truth"):
                cancelled += 1
                continue
            who = annotation.get("completed_by") or annotation.get("model_version") or "?"
            if isinstance(who, dict):
                who = who.get("email") or who.get("id")
            for result in annotation.get("result") or []:
                value = read_value(result)
                if value is not None:
                    rows.append(
                        {
                            "item": item,
                            "rater" if are_people else "judge": who,
                            "aspect": result.get("from_name", "rating"),
                            "score": value,
                            "group": data.get("group") or data.get("prompt_id") or "",
                            "writer": data.get("writer") or data.get("author") or "",
                        }
                    )
    notes = [f"{cancelled} annotations were cancelled or are ground truth: left out."] * (
        cancelled > 0
    )
    found = import_records(rows, TITLE, form="rows", notes=notes)
    for name in ("group", "writer"):
        if name in found.cells and (found.cells[name] == "").all():
            del found.cells[name]
    if "aspect" in found.cells and found.cells["aspect"].nunique() == 1:
        del found.cells["aspect"]
    return found


def read_value(result: dict):
    """Return the score of one answer: a rating, a number or one choice; None for another kind."""
    value = result.get("value") or {}
    for name in ("rating", "number", "choices", "value"):
        if name in value:
            answer = value[name]
            if isinstance(answer, list):
                answer = answer[0] if len(answer) == 1 else None
            return answer
    return None
