"""Label Studio: JSON, JSON_MIN, CSV; predictions are a judge's."""

import json

from made_files import RATERS, RATINGS, TRUTH, rows, sizes


def tasks():
    found = []
    for text in range(1, 25):
        done = [
            {
                "completed_by": number,
                "was_cancelled": False,
                "result": [
                    {
                        "from_name": "creativity",
                        "type": "rating",
                        "value": {"rating": RATINGS[text, rater]},
                    }
                ],
            }
            for number, rater in enumerate(RATERS, 1)
        ]
        if text == 1:
            done.append(done[0] | {"was_cancelled": True, "completed_by": 9})
        judged = [
            {
                "model_version": "gpt",
                "result": [{"from_name": "creativity", "value": {"rating": TRUTH[text - 1]}}],
            }
        ]
        found.append(
            {
                "id": 100 + text,
                "data": {"text": "…", "story_id": f"T{text:02d}"},
                "annotations": done,
                "predictions": judged,
            }
        )
    return found


def test_tasks(read):
    data = read(json.dumps(tasks()), ending="json")
    assert sizes(data) == (24, 4, 96) and data.items["item"][0] == "T01"
    assert "1 annotations were cancelled" in str(data.report)
    only = [task | {"annotations": []} for task in tasks()]
    _, scores = read(rows(), json.dumps(only), judge_ending="json")
    assert set(scores["judge"]) == {"gpt"} and scores["score"].tolist() == [*map(float, TRUTH)]


def test_choices_and_several_questions(read):
    content = tasks()
    for task in content:
        for annotation in task["annotations"]:
            score = annotation["result"][0]["value"]["rating"]
            annotation["result"].append(
                {"from_name": "clarity", "type": "choices", "value": {"choices": [str(8 - score)]}}
            )
    data = read(json.dumps(content), ending="json")
    assert set(data.ratings["aspect"]) == {"creativity", "clarity"} and len(data.ratings) == 192


def flat(cell):
    return [
        {
            "text": f"Text {text}.",
            "id": 100 + text,
            "rating": cell(score),
            "annotator": rater,
            "annotation_id": number,
            "created_at": "2025-01-01",
            "lead_time": 6.5 + number,
        }
        for number, ((text, rater), score) in enumerate(RATINGS.items())
    ]


def test_json_min_and_csv(read):
    data = read(json.dumps(flat(int)), ending="json")
    assert sizes(data) == (24, 4, 96) and data.report.tool == "Label Studio"
    records = flat(lambda score: json.dumps([{"rating": score}]).replace('"', '""'))
    lines = [",".join(records[0])]
    lines += [",".join(f'"{value}"' for value in record.values()) for record in records]
    data = read("\n".join(lines))
    assert sizes(data) == (24, 4, 96) and "lead_time" in data.report.not_read
    assert data.ratings["score"].tolist() == [*map(float, RATINGS.values())]
