"""Anthropic's message batches: a line per request, with the model's answer.

    {"custom_id": "T01", "result": {"type": "succeeded", "message": {"model": "claude-…",
        "content": [{"type": "text", "text": "Score: 5"}]}}}

Made up after docs.anthropic.com, Batch processing. The score is read from the answer where one
alone can be meant; custom_id is the item.
"""

from goodjudge.data.importers.openai_batch import import_answers
from goodjudge.data.importers.shapes import Imported, has_fields
from goodjudge.data.tables import Source

NAME, TITLE, PEOPLE, JUDGES = "anthropic_batch", "Anthropic's batches", False, True
SHAPE = "expected a line per request, with custom_id and result"


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    return has_fields(source, "custom_id", "result")


def read(source: Source) -> Imported:
    """Return one row per answer and criterion."""
    answers = []
    for record in source.records:
        message = (record.get("result") or {}).get("message") or {}
        parts = [
            part.get("text", "")
            for part in message.get("content") or []
            if part.get("type") == "text"
        ]
        answers.append((record["custom_id"], message.get("model") or "the judge", "".join(parts)))
    return import_answers(answers, TITLE)
