"""LimeSurvey's responses, by codes and by questions."""

from made_files import RATERS, RATINGS, sizes


def export(header, name, cell=str, extra=""):
    lines = [",".join([*header, *[name.format(text) for text in range(1, 25)]])]
    for number, rater in enumerate(RATERS, 11):
        tool = [str(number), "2025-01-01", "3", "en", "1934872"]
        lines.append(",".join(tool + [cell(RATINGS[text, rater]) for text in range(1, 25)]))
    return "\n".join(lines) + "\n" + extra


LONG = ["Response ID", "Date submitted", "Last page", "Start language", "Seed"]
SHORT = ["id", "submitdate", "lastpage", "startlanguage", "seed"]


def test_codes_and_questions(read):
    for header, name in (
        (LONG, '"Creativity [Story {}]"'),
        (SHORT, "Q1[SQ{:03d}]"),
        (SHORT, "Q1_SQ{:03d}"),
    ):
        data = read(export(header, name))
        assert sizes(data) == (24, 4, 96) and data.report.tool == "LimeSurvey"
        assert "seed" in {name.casefold() for name in data.report.not_read}


def test_answer_codes_are_numbers(read):
    data = read(export(SHORT, "Q1[SQ{:03d}]", cell=lambda score: f"A{score}"))
    assert data.ratings["score"].between(1, 7).all() and "A5" in str(data.report)


def test_empty_responses_are_left_out_and_said(read):
    empty = "15,,1,en,77" + "," * 24 + "\n"
    data = read(export(SHORT, "Q1[SQ{:03d}]", extra=empty))
    assert sizes(data) == (24, 4, 96) and "without an answer (row 6)" in str(data.report)
