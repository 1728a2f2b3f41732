"""MTurk's batches: radio buttons, JSON of crowd forms; Prolific's list is no ratings."""

import json

from made_files import RATINGS, sizes

TOOL = [
    "HITId",
    "HITTypeId",
    "Title",
    "Reward",
    "AssignmentId",
    "WorkerId",
    "AssignmentStatus",
    "WorkTimeInSeconds",
    "Input.story_id",
    "Input.story",
]


def export(answers, cells):
    lines = [",".join([*TOOL, *answers, "Approve", "Reject"])]
    for number, ((text, rater), score) in enumerate(RATINGS.items()):
        status = "Rejected" if number % 16 == 3 else "Approved"
        tool = [
            f"3HT{text:02d}",
            "3T",
            "Rate a short story",
            "$0.50",
            f"3A{number:03d}",
            f"W{rater}",
            status,
            str(60 + number),
            f"T{text:02d}",
            f'"A tale, number {text}, in brief."',
        ]
        lines.append(",".join([*tool, *cells(score), "", ""]))
    return "\n".join(lines)


RADIO = export(
    [f"Answer.creative.{step}" for step in range(1, 8)],
    lambda score: ["true" if step == score else "false" for step in range(1, 8)],
)


def test_radio_buttons_are_one_question(read):
    for columns in (
        None,
        {"WorkerId": "rater"},
        {"WorkerId": "rater", "Input.story_id": "item", "WorkTimeInSeconds": ""},
    ):
        data = read(RADIO, columns=columns)
        assert sizes(data) == (24, 4, 96) and "aspect" not in data.ratings
        assert data.ratings["score"].tolist() == [*map(float, RATINGS.values())]
        assert data.items["item"][0] == "T01" and "6 rejected" in str(data.report)
    assert len(read(RADIO, only={"AssignmentStatus": "Approved"}).ratings) == 90


def test_a_crowd_form_s_json(read):
    def cells(score):
        text = json.dumps(
            [
                {
                    "creative": {str(step): step == score for step in range(1, 8)},
                    "clear": str(8 - score),
                }
            ]
        )
        return ['"' + text.replace('"', '""') + '"']

    data = read(export(["Answer.taskAnswers"], cells))
    assert sizes(data) == (24, 4, 192) and set(data.ratings["aspect"]) == {"creative", "clear"}


def test_plain_answers(read):
    data = read(export(["Answer.creativity"], lambda score: [str(score)]))
    assert sizes(data) == (24, 4, 96) and data.report.columns["score"] == "creativity"


def test_prolific_s_list_of_participants(refuse):
    content = "Submission id,Participant id,Status,Completion code,Age\n1,a,APPROVED,X,33\n"
    assert "holds no ratings" in str(refuse(content))
