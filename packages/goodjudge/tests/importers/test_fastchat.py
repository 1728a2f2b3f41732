"""FastChat's judgments: single, and of pairs by judges and by people."""

import json

from made_files import TRUTH, rows


def single(turns=1, models=("m",)):
    return "\n".join(
        json.dumps(
            {
                "question_id": f"T{text:02d}",
                "model": model,
                "judge": ["gpt-4", "single-v1"],
                "user_prompt": "…",
                "judgment": "Rating: [[5]]",
                "score": -1 if text % 6 == 1 else quality,
                "turn": turn,
                "tstamp": 1.5,
            }
        )
        for text, quality in enumerate(TRUTH, 1)
        for turn in range(1, turns + 1)
        for model in models
    )


def test_minus_one_is_no_score(read):
    for columns in (None, {"question_id": "item"}):
        _, scores = read(rows(), single(), judge_ending="jsonl", judge_options={"columns": columns})
        report = scores.attrs["report"]
        assert len(scores) == 20 and report.codes == {-1: 4} and set(scores["judge"]) == {"gpt-4"}


def test_turns_are_asked_about(refuse):
    fault = refuse(rows(), single(turns=2), judge_ending="jsonl")
    assert "their rows differ in turn" in str(fault)


def test_pairs_of_people(read, refuse):
    lines = [
        {
            "question_id": number,
            "model_a": one,
            "model_b": two,
            "winner": winner,
            "judge": judge,
            "turn": turn,
        }
        for number in range(80, 90)
        for one, two in (("m", "n"), ("n", "o"))
        for judge, winner in (("expert_1", "model_a"), ("expert_2", "tie"))
        for turn in (1, 2)
    ]
    content = "\n".join(map(json.dumps, lines))
    fault = refuse(content, ending="jsonl")
    assert fault.answers[0].options == {"columns": {"judge": "rater", "turn": "aspect"}}
    columns = {"judge": "rater", "question_id": "group", "turn": "aspect"}
    data = read(content, ending="jsonl", columns=columns)
    assert data.items["set"].nunique() == 20 and data.ratings["rater"].nunique() == 2


def test_pairs_of_a_judge_in_both_orders(read):
    people = [
        {"question_id": n, "model_a": "m", "model_b": "n", "winner": "model_a", "rater": who}
        for n in range(80, 90)
        for who in ("x", "y")
    ]
    judged = [
        {
            "question_id": n,
            "model_1": "m",
            "model_2": "n",
            "g1_winner": "model_1",
            "g2_winner": "model_1" if n % 2 else "tie",
            "judge": ["gpt-4", "pair-v2"],
            "turn": 1,
        }
        for n in range(80, 90)
    ]
    _, scores = read(
        "\n".join(map(json.dumps, people)),
        "\n".join(map(json.dumps, judged)),
        ending="jsonl",
        judge_ending="jsonl",
    )
    assert set(scores["score"]) <= {1, 1.5, 2} and len(scores) >= 20
