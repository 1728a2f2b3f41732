"""SoSci Survey's own columns and its codes."""

from made_files import RATERS, RATINGS, sizes


def export(cell=lambda text, score: score):
    tool = ["CASE", "SERIAL", "REF", "QUESTNNR", "MODE", "STARTED"]
    after = ["TIME001", "TIME_SUM", "LASTPAGE", "FINISHED", "MISSING", "MISSREL"]
    lines = [",".join([*tool, *[f"A101_{text:02d}" for text in range(1, 25)], *after])]
    for number, rater in enumerate(RATERS, 101):
        scores = [str(cell(text, RATINGS[text, rater])) for text in range(1, 25)]
        done = "0" if number == 104 else "1"
        lines.append(
            ",".join(
                [
                    str(number),
                    "",
                    "",
                    "base",
                    "interview",
                    "2025-05-01 08:00:00",
                    *scores,
                    str(number % 7 + 30),
                    "700",
                    "3",
                    done,
                    "0",
                    "0",
                ]
            )
        )
    return "\n".join(lines)


def test_only_the_items_are_texts(read):
    for columns in (
        None,
        {"CASE": "rater", "*": "item", "TIME001": "", "TIME_SUM": ""},
        {"*": "item"},
    ):
        data = read(export(), columns=columns)
        assert sizes(data) == (24, 4, 96)
        assert {"LASTPAGE", "FINISHED", "MISSING", "MISSREL"} <= set(data.report.not_read)
    assert "not finished were read: row 5" in str(data.report)


def test_two_blocks_of_items_are_asked_about(read, refuse):
    one = export().splitlines()
    two = [line.split(",")[6:30] for line in export().replace("A101_", "A102_").splitlines()]
    content = "\n".join(
        ",".join([*first.split(",")[:30], *more, *first.split(",")[30:]])
        for first, more in zip(one, two)
    )
    fault = refuse(content)
    assert "A101, A102 have columns of the same numbers" in str(fault)
    assert [answer.result for answer in fault.answers][:1] == [
        "24 texts, 4 raters, 2 criteria, 192 scores"
    ]
    data = read(content, columns={"[]": "item"})
    assert set(data.ratings["aspect"]) == {"A101", "A102"}
    assert sizes(read(content, columns={"[]": ""})) == (48, 4, 192)


def test_a_row_of_questions_below_the_names(read):
    first, *rest = export().splitlines()
    names = [f"Rating: Story {text}" for text in range(1, 25)]
    below = [
        "Interview",
        "Serial",
        "Reference",
        "Questionnaire",
        "Mode",
        "Started",
        *names,
        "Time p1",
        "Time",
        "Last page",
        "Finished",
        "Missing",
        "Missing rel",
    ]
    data = read("\n".join([first, ",".join(below), *rest]))
    assert sizes(data) == (24, 4, 96) and data.items["item"][0] == "Story 1"


def test_not_answered_is_said_and_other_codes_are_asked_about(read, refuse):
    data = read(export(lambda text, score: -9 if text < 3 else score))
    assert sizes(data) == (22, 4, 88) and data.report.codes == {-9: 8}
    assert "-9 stands 8 times for no answer" in str(data.report)
    fault = refuse(export(lambda text, score: -1 if text < 3 else score))
    assert "-1 stands 8 times" in str(fault)
