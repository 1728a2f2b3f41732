"""Qualtrics' three rows of headers."""

import json

from made_files import RATERS, RATINGS, sizes

TOOL = [
    "StartDate",
    "EndDate",
    "Status",
    "IPAddress",
    "Progress",
    "Duration (in seconds)",
    "Finished",
    "RecordedDate",
    "ResponseId",
    "DistributionChannel",
    "UserLanguage",
]


def export(status="IP Address", cell=lambda score: score, ids=True):
    questions = [f"How creative is it? - Story {text}" for text in range(1, 25)]
    codes = [f"Q2_{text}" for text in range(1, 25)]
    under = [
        "Start Date",
        "End Date",
        "Response Type",
        "IP Address",
        "Progress",
        "Duration (in seconds)",
        "Finished",
        "Recorded Date",
        "Response ID",
        "Distribution Channel",
        "User Language",
    ]
    lines = [",".join(TOOL + codes), ",".join(under + questions)]
    if ids:
        cells = [json.dumps({"ImportId": f"QID_{name}"}) for name in TOOL + codes]
        lines.append(",".join('"' + text.replace('"', '""') + '"' for text in cells))
    for number, rater in enumerate(RATERS):
        kind = status if number == 3 else "IP Address"
        tool = [
            "2025-01-01 10:00:00",
            "2025-01-01 10:20:00",
            kind,
            "203.0.113.1",
            "100",
            str(300 + number),
            "1",
            "2025-01-01 10:20:01",
            f"R_{rater}",
            "anonymous",
            "EN",
        ]
        scores = [str(cell(RATINGS[text, rater])) for text in range(1, 25)]
        lines.append(",".join(tool + scores))
    return "\n".join(lines)


def test_the_questions_name_the_texts(read):
    for ids in (True, False):
        data = read(export(ids=ids))
        assert sizes(data) == (24, 4, 96) and data.items["item"][0] == "Story 1"
        assert data.report.tool == "Qualtrics"
        assert {"Progress", "Finished"} <= set(data.report.not_read)
    for columns in ({"ResponseId": "rater", "*": "item"}, {"*": "item"}):
        assert sizes(read(export(), columns=columns)) == (24, 4, 96)


def test_loops(read):
    header = [*TOOL, *[f"{text}_{name}" for text in range(1, 25) for name in ("Q2", "Q3")]]
    lines = [",".join(header)]
    for rater in RATERS:
        tool = [
            "2025-01-01",
            "2025-01-01",
            "IP Address",
            "203.0.113.1",
            "100",
            "30",
            "1",
            "2025-01-01",
            f"R_{rater}",
            "anonymous",
            "EN",
        ]
        scores = [
            str(score)
            for text in range(1, 25)
            for score in (RATINGS[text, rater], 8 - RATINGS[text, rater])
        ]
        lines.append(",".join(tool + scores))
    data = read("\n".join(lines))
    assert sizes(data) == (24, 4, 192) and set(data.ratings["aspect"]) == {"Q2", "Q3"}


def test_a_preview_is_said_and_can_be_left_out(read):
    data = read(export(status="Survey Preview"))
    assert "1 response is a preview" in str(data.report) and "row 7" in str(data.report)
    assert sizes(read(export("Survey Preview"), only={"Status": "IP Address"})) == (24, 3, 72)


def test_labels_and_the_code_for_no_answer(read):
    data = read(export(cell=lambda score: -99 if score == 1 else score))
    assert data.report.codes == {-99: list(RATINGS.values()).count(1)}
    steps = "Very bad,Bad,Poor,Fair,Good,Fine,Great".split(",")
    data = read(export(cell=lambda score: f"{score} - {steps[score - 1]}"))
    assert sizes(data) == (24, 4, 96)
