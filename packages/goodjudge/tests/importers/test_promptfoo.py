"""promptfoo's results."""

import json

from made_files import TRUTH, rows


def export(named=True, error=None):
    results = []
    for text, quality in enumerate(TRUTH, 1):
        results.append(
            {
                "vars": {"id": f"T{text:02d}", "story": "Once upon a time there was one more."},
                "provider": {"id": "openai:gpt-4o", "label": ""},
                "score": quality,
                "success": True,
                "namedScores": {"wit": quality, "depth": 8 - quality} if named else {},
                "prompt": {"label": "judge", "raw": "…"},
                "testIdx": text,
            }
        )
    if error:
        results[0] |= {"error": error, "namedScores": {}, "score": 0}
    return json.dumps({"evalId": "e", "config": {}, "results": {"version": 3, "results": results}})


def test_scores_and_metrics(read):
    _, scores = read(rows(), export(named=False), judge_ending="json")
    assert scores["score"].tolist() == [*map(float, TRUTH)]
    assert set(scores["judge"]) == {"openai:gpt-4o"}
    assert scores.attrs["report"].tool == "promptfoo"
    _, scores = read(rows(), export(), judge_ending="json")
    assert set(scores["aspect"]) == {"wit", "depth"} and len(scores) == 48


def test_an_error_is_no_score(read):
    _, scores = read(rows(), export(named=False, error="timeout"), judge_ending="json")
    assert len(scores) == 23 and "1 tests ended with an error" in str(scores.attrs["report"])
