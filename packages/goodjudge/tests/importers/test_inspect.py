"""Inspect's logs."""

import json

from made_files import TRUTH, rows


def export(value=lambda quality: quality, epochs=1):
    samples = [
        {
            "id": f"T{text:02d}",
            "epoch": epoch,
            "input": "…",
            "scores": {"creativity": {"value": value(quality), "explanation": "…"}},
        }
        for text, quality in enumerate(TRUTH, 1)
        for epoch in range(1, epochs + 1)
    ]
    return json.dumps(
        {"version": 2, "status": "success", "eval": {"model": "openai/gpt-4o"}, "samples": samples}
    )


def test_samples_and_epochs(read):
    _, scores = read(rows(), export(), judge_ending="json")
    assert scores["score"].tolist() == [*map(float, TRUTH)]
    assert set(scores["judge"]) == {"openai/gpt-4o"} and "repeat" not in scores
    _, scores = read(rows(), export(epochs=3), judge_ending="json")
    assert len(scores) == 72 and scores["repeat"].nunique() == 3


def test_letters_and_criteria(read):
    yes = rows(cell=lambda text, rater, score: int(score > 4))
    _, scores = read(yes, export(lambda quality: "C" if quality > 4 else "I"), judge_ending="json")
    assert set(scores["score"]) == {0, 1}
    _, scores = read(rows(), export(lambda q: {"wit": q, "depth": 8 - q}), judge_ending="json")
    assert set(scores["aspect"]) == {"wit", "depth"}
