"""OpenAI's batches: a line per request, with the model's answer.

    {"custom_id": "T01", "response": {"status_code": 200, "body": {"model": "gpt-4o", "choices":
        [{"message": {"content": "Score: 5"}}]}}, "error": null}

Made up after platform.openai.com/docs, Batch API. The score is read from the answer where one alone
can be meant; custom_id is the item.
"""

from goodjudge.data.importers.shapes import Imported, has_fields, import_records, read_answer
from goodjudge.data.tables import Source

NAME, TITLE, PEOPLE, JUDGES = "openai_batch", "OpenAI's batches", False, True
SHAPE = "expected a line per request, with custom_id and response"


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    return has_fields(source, "custom_id", "response")


def read(source: Source) -> Imported:
    """Return one row per answer and criterion."""
    answers = []
    for record in source.records:
        response = record.get("response") or {}
        body = response.get("body") or {}
        text = find_text(body) if response.get("status_code", 200) == 200 else ""
        answers.append((record["custom_id"], body.get("model") or "the judge", text))
    return import_answers(answers, TITLE)


def find_text(body: dict) -> str:
    """Return the text of an answer: of chat completions, or of responses."""
    for choice in body.get("choices") or []:
        content = (choice.get("message") or {}).get("content")
        if isinstance(content, list):
            content = "".join(part.get("text", "") for part in content)
        return content or ""
    parts = [
        part.get("text", "")
        for output in body.get("output") or []
        if output.get("type") == "message"
        for part in output.get("content") or []
    ]
    return "".join(parts)


def import_answers(answers: list[tuple], tool: str) -> Imported:
    """Return the scores in models' answers, (item, model, text) each; no score where none or more
    than one can be meant, which is counted."""
    rows, unread = [], 0
    for item, judge, text in answers:
        scores = read_answer(text)
        unread += not scores
        for aspect, score in (scores or {"": ""}).items():
            rows.append({"item": item, "judge": judge, "aspect": aspect, "score": score})
    found = import_records(rows, tool, form="rows")
    named = found.cells["aspect"] != ""
    if not named.any():
        del found.cells["aspect"]
    elif not named.all():  # an answer without a score says nothing on any criterion
        found.cells = found.cells[named | (found.cells["score"] != "")]
    if unread:
        found.notes.append(
            f"No score, or more than one, could be read from {unread:,} of {len(answers):,} "
            "answers: they count as missing."
        )
    return found
