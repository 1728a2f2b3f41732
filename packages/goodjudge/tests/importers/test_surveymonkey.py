"""SurveyMonkey's header over two rows."""

from made_files import RATERS, RATINGS, sizes


def export(first="How creative is each story?"):
    tool = [
        "Respondent ID",
        "Collector ID",
        "Start Date",
        "End Date",
        "IP Address",
        "Email Address",
        "First Name",
        "Last Name",
        "Custom Data 1",
    ]
    top = [*tool, first, *[""] * 23, "Anything else?"]
    under = [""] * 9 + [f"Story {text}" for text in range(1, 25)] + ["Open-Ended Response"]
    lines = [",".join(top), ",".join(under)]
    for number, rater in enumerate(RATERS):
        scores = [str(RATINGS[text, rater]) for text in range(1, 25)]
        lines.append(
            ",".join(
                [
                    str(11400000 + number),
                    "4000001",
                    "1/1/2025",
                    "1/1/2025",
                    "203.0.113.0",
                    "",
                    "",
                    "",
                    "",
                    *scores,
                    "fun",
                ]
            )
        )
    return "\n".join(lines)


def test_a_matrix_is_read_with_the_names_of_its_second_row(read):
    data = read(export())
    assert sizes(data) == (24, 4, 96) and data.items["item"][0] == "Story 1"
    assert data.report.tool == "SurveyMonkey" and "Collector ID" in data.report.not_read
    assert "Anything else?" in data.report.not_read


def test_without_the_tool_s_own_columns_the_second_row_is_seen_too(read):
    content = export().replace("Respondent ID", "Person").replace("Collector ID", "Batch")
    assert sizes(read(content, columns={"Person": "rater"})) == (24, 4, 96)
