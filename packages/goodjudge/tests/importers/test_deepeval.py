"""DeepEval's test runs."""

import json

from made_files import TRUTH, rows


def test_test_cases(read):
    cases = [
        {
            "name": f"T{text:02d}",
            "input": "…",
            "metricsData": [
                {
                    "name": "Creativity [GEval]",
                    "score": quality / 10,
                    "success": True,
                    "evaluationModel": "gpt-4o",
                    "error": None if text > 2 else "timeout",
                }
            ],
        }
        for text, quality in enumerate(TRUTH, 1)
    ]
    content = json.dumps({"testCases": cases, "metricsScores": []})
    _, scores = read(rows(), content, judge_ending="json")
    assert len(scores) == 22 and set(scores["judge"]) == {"gpt-4o"}
    report = scores.attrs["report"]
    assert report.tool == "DeepEval" and report.scale.relation == "other"
    assert "2 metrics ended with an error" in str(report)
    snake = [
        {
            "name": case["name"],
            "metrics_data": [{"name": "Wit", "score": 0.5 + number / 100, "evaluation_model": "m"}],
        }
        for number, case in enumerate(cases)
    ]
    _, scores = read(rows(), json.dumps({"test_results": snake}), judge_ending="json")
    assert len(scores) == 24
