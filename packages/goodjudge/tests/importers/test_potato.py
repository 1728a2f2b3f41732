"""Potato's lines and its table."""

import json

from made_files import RATERS, RATINGS, sizes


def test_lines_of_all_users(read):
    lines = [
        json.dumps(
            {
                "user_id": rater,
                "id": f"T{text:02d}",
                "displayed_text": "…",
                "label_annotations": {
                    "creativity": {f"scale_{score}": str(score)},
                    "clarity": {f"{8 - score}": "true"},
                },
            }
        )
        for (text, rater), score in RATINGS.items()
    ]
    data = read("\n".join(lines), ending="jsonl")
    assert sizes(data) == (24, 4, 192)
    assert set(data.ratings["aspect"]) == {"creativity", "clarity"}
    assert data.ratings["score"].between(1, 7).all()


def test_a_file_of_one_user(read):
    lines = [
        json.dumps(
            {
                "id": f"T{text:02d}",
                "displayed_text": "…",
                "label_annotations": {"creativity": {"label": RATINGS[text, "Ira"]}},
            }
        )
        for text in range(1, 25)
    ]
    data = read("\n".join(lines), ending="jsonl")
    assert sizes(data) == (24, 1, 24) and "does not say who rated" in str(data.report)


def test_a_table(read):
    header = "user,instance_id,displayed_text," + ",".join(
        f"creativity:::{step}" for step in range(1, 8)
    )
    lines = [header]
    for (text, rater), score in RATINGS.items():
        cells = [str(step) if step == score else "" for step in range(1, 8)]
        lines.append(",".join([rater, f"T{text:02d}", "…", *cells]))
    data = read("\n".join(lines))
    assert sizes(data) == (24, len(RATERS), 96)
    assert data.ratings["score"].tolist() == [*map(float, RATINGS.values())]
