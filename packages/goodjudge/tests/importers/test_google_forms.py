"""Google Forms: a linear scale per text, and grids."""

from made_files import form, rows, sizes

BEFORE = {
    "Timestamp": lambda number, rater: f"2025/01/0{number + 1} 10:00:00",
    "Email Address": lambda number, rater: f"{rater}@example.org",
}


def test_grids_and_questions(read):
    for name, first in (("Creativity [Story {}]", "Story 1"), ("How good is text {}?", "text 1")):
        data = read(form(name, before=BEFORE))
        assert sizes(data) == (24, 4, 96) and data.items["item"][0] == first
        assert data.report.tool == "Google Forms" and data.raters["R1"] == "Ira@example.org"
        assert "example.org" not in str(data.report)


def test_one_response_per_text_and_rater(read):
    content = rows(
        "Timestamp,Which story did you read?,Your name,How creative is it?",
        name="2025/01/01 10:00,T{:02d}",
    )
    data = read(content, columns={"Which story did you read?": "item"})
    assert sizes(data) == (24, 4, 96)


def test_one_question_asked_of_each_text(read):
    content = form("How creative is it?#{}", before=BEFORE)
    for text in range(24, 0, -1):
        content = content.replace(f"it?#{text}", "it?")
    data = read(content)
    assert sizes(data) == (24, 4, 96) and data.items["item"].tolist()[:2] == ["1", "2"]


def test_an_age_is_no_text(read):
    after = {"Your age": lambda number, rater: 20 + 3 * number}
    assert sizes(read(form("Story {}", before=BEFORE, after=after))) == (24, 4, 96)
