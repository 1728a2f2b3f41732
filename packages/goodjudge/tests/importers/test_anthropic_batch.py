"""Anthropic's message batches."""

import json

from made_files import TRUTH, rows


def test_answers(read):
    lines = []
    for text, quality in enumerate(TRUTH, 1):
        message = {"model": "claude-x", "content": [{"type": "text", "text": f"Score: {quality}"}]}
        result = {"type": "succeeded", "message": message}
        if text == 3:
            result = {"type": "errored", "error": {"type": "invalid_request"}}
        lines.append(json.dumps({"custom_id": f"T{text:02d}", "result": result}))
    _, scores = read(rows(), "\n".join(lines), judge_ending="jsonl")
    assert len(scores) == 23 and set(scores["judge"]) == {"claude-x"}
    assert scores.attrs["report"].tool == "Anthropic's batches"
