"""Langfuse's scores: people's and a judge's in one table."""

import json

from made_files import RATERS, RATINGS, TRUTH, rows, sizes


def records():
    found = [
        {
            "id": f"s{text}{rater}",
            "trace_id": f"T{text:02d}",
            "name": "creativity",
            "value": score,
            "source": "ANNOTATION",
            "data_type": "NUMERIC",
            "author_user_id": rater,
            "comment": None,
        }
        for (text, rater), score in RATINGS.items()
    ]
    found += [
        {
            "id": f"j{text}",
            "trace_id": f"T{text:02d}",
            "name": "creativity",
            "value": quality,
            "source": "EVAL",
            "data_type": "NUMERIC",
            "author_user_id": None,
            "comment": "…",
        }
        for text, quality in enumerate(TRUTH, 1)
    ]
    return found


def test_one_file_holds_both(read):
    content = "\n".join(map(json.dumps, records()))
    data, scores = read(content, content, ending="jsonl", judge_ending="jsonl")
    assert sizes(data) == (24, len(RATERS), 96)
    assert scores["score"].tolist() == [*map(float, TRUTH)]
    assert "scores of judges" in str(data.report)


def test_a_csv_of_the_table(read, refuse):
    header = "id,timestamp,traceId,observationId,name,value,source,dataType,authorUserId"
    lines = [header] + [
        f"{record['id']},2025-01-01,{record['trace_id']},,creativity,{record['value']},"
        f"{record['source']},NUMERIC,{record['author_user_id'] or ''}"
        for record in records()
    ]
    data = read("\n".join(lines))
    assert sizes(data) == (24, 4, 96) and data.report.tool == "Langfuse"
    assert "holds no score of a judge" in str(refuse(rows(), "\n".join(lines[:97])))
