"""OpenAI's batches: the score is read where one alone can be meant."""

import json

import pytest
from goodjudge.data.importers.shapes import read_answer
from made_files import TRUTH, rows


def export(say):
    return "\n".join(
        json.dumps(
            {
                "id": f"batch_req_{text}",
                "custom_id": f"T{text:02d}",
                "error": None,
                "response": {
                    "status_code": 200,
                    "body": {
                        "model": "gpt-4o",
                        "choices": [
                            {"message": {"role": "assistant", "content": say(text, quality)}}
                        ],
                    },
                },
            }
        )
        for text, quality in enumerate(TRUTH, 1)
    )


def test_answers(read):
    say = lambda text, quality: f"It is fine.\nScore: {quality}" if text > 2 else "Hard to say."  # noqa: E731
    _, scores = read(rows(), export(say), judge_ending="jsonl")
    assert len(scores) == 22 and set(scores["judge"]) == {"gpt-4o"}
    assert "could be read from 2 of 24 answers" in str(scores.attrs["report"])


def test_criteria_in_json(read):
    say = lambda text, quality: json.dumps({"wit": quality, "depth": 8 - quality, "why": "…"})  # noqa: E731
    _, scores = read(rows(), export(say), judge_ending="jsonl")
    assert set(scores["aspect"]) == {"wit", "depth"} and len(scores) == 48


@pytest.mark.parametrize(
    "text, scores",
    [
        ("5", {"": "5"}),
        ("Score: 5", {"": "5"}),
        ("**Rating:** 4/7", {"": "4"}),
        ("Rating: [[6]]", {"": "6"}),
        ('```json\n{"score": 3}\n```', {"": "3"}),
        ('Sure! {"score": 3, "reason": "2 of 4"}', {"": "3"}),
        ("Yes", {"": "Yes"}),
        ("Verdict: no", {"": "no"}),
        ('{"scores": {"a": 1, "b": 2}}', {"a": "1", "b": "2"}),
        ("[[3]] or [[4]]", {}),
        ("I would give it a 3 or a 4.", {}),
        ("", {}),
        ("Of 10 stories it is the best.", {}),
    ],
)
def test_what_can_be_read_from_an_answer(text, scores):
    assert read_answer(text) == scores
