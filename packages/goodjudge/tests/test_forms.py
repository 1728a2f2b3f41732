"""Which column is what, and in which form a file is; proposals are tried before they are shown."""

import re

import pytest
from made_files import RATINGS, form, judge, rows, sizes, wide

PLAIN = (24, 4, 96)
NAMED = {"participant": lambda number, rater: rater}


def long(header, *cells):
    """Return a file of rows; cells: functions of (text, rater, score) for each column."""
    lines = [header]
    for (text, rater), score in RATINGS.items():
        lines.append(",".join(str(cell(text, rater, score)) for cell in cells))
    return "\n".join(lines) + "\n"


def item(text, rater, score):
    return f"T{text:02d}"


def who(text, rater, score):
    return rater


def rate(text, rater, score):
    return score


def other(text, rater, score):
    return 8 - score


@pytest.mark.parametrize(
    "header",
    [
        "story,participant,creativity",
        "Text ID,Your name:,Rating",
        "ITEM,Annotator,Score",
        "poem,WorkerId,score",
        "essay_id,prolific_pid,points",
        "title,reviewer,grade",
    ],
)
def test_names_that_are_known(read, header):
    assert sizes(read(rows(header))) == PLAIN


def test_columns_as_a_mapping_and_as_a_command_line_gives_them(read):
    content = rows("Which one?,By?,How good?")
    said = {"Which one?": "item", "By?": "rater"}
    assert sizes(read(content, columns=said)) == PLAIN
    data = read(content, columns=["Which one?=item", "By?=rater"])
    assert sizes(data) == PLAIN and data.report.columns["item"] == "Which one?"


@pytest.mark.parametrize(
    "columns, said",
    [
        ({"Which ones?": "item"}, "no column 'Which ones\\?' \\(perhaps 'Which one\\?'\\)"),
        ({"Which one?": "itm"}, "did you mean 'item'"),
        (["Which one?"], "expected columns="),
        ({"Which one?": 3}, "expected columns="),
    ],
)
def test_columns_that_are_none(refuse, columns, said):
    fault = str(refuse(rows("Which one?,By?,How good?"), columns=columns))
    assert re.search(said, fault), fault


def test_unknown_columns_are_asked_about_with_proposals_that_were_tried(refuse):
    fault = refuse(rows("Was?,Wer?,Kreativität"))
    best = fault.answers[0]
    assert best.options == {"columns": {"Was?": "item", "Wer?": "rater"}}
    assert best.result == "24 texts, 4 raters, 96 scores"
    assert '--column "Was?=item" --column "Wer?=rater"' in str(fault)


def test_what_was_said_already_stands_in_the_proposal(refuse):
    fault = str(refuse(rows("Was?,Wer?,Kreativität"), columns={"Was?": "item"}))
    assert '--column "Was?=item" --column "Wer?=rater"' in fault


def test_a_column_judge_in_people_s_file_may_be_the_rater(refuse):
    fault = refuse(rows("item,judge,score"))
    assert fault.answers[0].options == {"columns": {"judge": "rater"}}


def test_columns_per_rater_are_read_by_their_names_or_asked_about(read, refuse):
    assert sizes(read(wide(names=["rater 1", "rater 2", "rater 3", "rater 4"]))) == PLAIN
    fault = refuse(wide())
    assert [answer.options for answer in fault.answers] == [{"form": "wide"}]
    for options in (
        {"form": "wide"},
        {"columns": {"*": "rater"}},
        {"columns": {"Ira": "rater", "Jon": "rater", "Kim": "rater", "Lea": "rater"}},
    ):
        data = read(wide(), **options)
        assert sizes(data) == PLAIN and data.raters == dict(
            zip(["R1", "R2", "R3", "R4"], ["Ira", "Jon", "Kim", "Lea"])
        )


def test_the_points_of_a_quiz_are_no_scores_of_texts(read):
    after = {"score": lambda number, rater: 0, "Submit Date (UTC)": lambda number, rater: "1/1"}
    data = read(
        form("*Rate story {}*", before={"#": lambda number, rater: f"k{number}"}, after=after)
    )
    assert sizes(data) == PLAIN and "score" in data.report.not_read


def test_a_fault_behind_a_question_is_told_with_it(refuse):
    fault = refuse(wide().replace("T03,", "T03,x", 1))
    assert not fault.answers and "leads to another fault: mine.csv, row 4" in str(fault)


def test_one_score_per_text_and_nobody_who_gave_it(refuse, read):
    assert refuse(judge()).answers[-1].options == {"form": "rows"}
    assert sizes(read(judge(), form="rows")) == (24, 1, 24)


def test_columns_that_one_rater_rated(read):
    data = read(wide(), form="rows")
    assert sizes(data) == (24, 1, 96) and data.ratings["aspect"].nunique() == 4


@pytest.mark.parametrize(
    "name, first",
    [
        ("Story {}", "Story 1"),
        ("Text_{}", "Text_1"),
        ("A101_{:02d}", "A101_01"),
        ("How creative is text {}?", "text 1"),
        ("Creativity [Storm {}]", "Storm 1"),
        ("How good is each? - Poem {}", "Poem 1"),
    ],
)
def test_a_column_per_text(read, name, first):
    data = read(form(name, before=NAMED))
    assert sizes(data) == PLAIN and data.items["item"][0] == first
    assert sizes(read(form(name))) == PLAIN  # nobody gave a name: each row is a rater


def test_texts_and_criteria_in_one_form(read):
    lines = form("How creative is text {}?", before=NAMED).splitlines()
    more = form("How clear is text {}?").splitlines()
    data = read("\n".join(f"{one},{two}" for one, two in zip(lines, more)))
    assert sizes(data) == (24, 4, 192)
    assert set(data.ratings["aspect"]) == {"How creative is …?", "How clear is …?"}
    lines = form("Wit [Story {}]").splitlines()
    more = form("Depth [Story {}]").splitlines()
    data = read("\n".join(f"{one},{two}" for one, two in zip(lines, more)))
    assert set(data.ratings["aspect"]) == {"Wit", "Depth"} and data.items["item"][0] == "Story 1"


def test_a_number_of_the_response_is_no_text(read):
    before = {"ID": lambda number, rater: number + 1, "Name": lambda number, rater: rater}
    for options in ({}, {"columns": {"*": "item"}}, {"form": "form"}):
        data = read(form("How creative is text {}?", before=before), **options)
        assert sizes(data) == PLAIN and data.report.not_read["ID"] == "numbers the rows"


@pytest.mark.parametrize(
    "name, values",
    [
        ("Age", [23, 34, 45, 31]),
        ("LASTPAGE", [3, 3, 3, 3]),
        ("FINISHED", [1, 1, 1, 1]),
        ("Duration (in seconds)", [300, 512, 417, 399]),
        ("No", [1, 2, 3, 4]),
        ("CASE", [101, 102, 103, 104]),
        ("Progress", [100, 100, 100, 100]),
        ("time_sum", [3, 5, 4, 3]),
    ],
)
@pytest.mark.parametrize("options", [{}, {"columns": {"*": "item"}}])
def test_what_says_something_of_the_response_is_no_text(read, name, values, options):
    after = {name: lambda number, rater: values[number]}
    data = read(form(before=NAMED, after=after), **options)
    assert sizes(data) == PLAIN and data.report.not_read[name]


def test_a_column_that_may_be_a_text_is_asked_about(refuse):
    content = form(before=NAMED).replace("Story 1,", "The Storm,", 1)
    fault = refuse(content)
    assert "The Storm" in str(fault) and "call each column of a text item" in str(fault)
    assert [answer.result.split(",")[0] for answer in fault.answers] == ["23 texts"]


def test_titles_as_columns_are_asked_about(refuse, read):
    content = form(before=NAMED)
    for text in range(24, 0, -1):
        content = content.replace(f"Story {text}", f"The {'abcdefghijklmnopqrstuvwx'[text - 1]}")
    assert refuse(content).answers[0].options == {"form": "form"}
    assert sizes(read(content, form="form")) == PLAIN


def test_criteria_in_columns_are_read_and_can_be_chosen_and_named(read, refuse):
    content = long("item,rater,originality,clarity", item, who, rate, other)
    data = read(content)
    assert set(data.ratings["aspect"]) == {"originality", "clarity"}
    data = read(content, aspects=["clarity"])
    assert set(data.ratings["aspect"]) == {"clarity"} and len(data.ratings) == 96
    data = read(content, aspects={"originality": "wit"})
    assert set(data.ratings["aspect"]) == {"wit"}
    data = read(content, columns={"originality": "wit", "clarity": "order of thought"})
    assert set(data.ratings["aspect"]) == {"wit", "order of thought"}
    assert "no criterion 'depth'" in str(refuse(content, aspects=["depth"]))


def test_how_sure_a_rater_is_is_asked_about(refuse):
    sure = lambda text, rater, score: 1 + (text + score) % 5  # noqa: E731
    content = long("item,rater,wit,How sure are you?,depth", item, who, rate, sure, other)
    fault = refuse(content)
    assert "asks how sure a rater is" in str(fault)
    assert fault.answers[0].result == "24 texts, 4 raters, 2 criteria, 192 scores"


@pytest.mark.parametrize(
    "name, cell",
    [
        ("seconds", lambda text, rater, score: 20 + (text * 37 + len(rater) * score) % 71),
        ("age", lambda text, rater, score: 20 + len(rater) + "IJKL".index(rater[0])),
        ("response", lambda text, rater, score: 4 * text + "IJKL".index(rater[0])),
        ("words", lambda text, rater, score: 300 + text),
    ],
)
def test_a_column_of_numbers_that_is_no_rating_is_left_out_and_said(read, name, cell):
    data = read(long(f"item,rater,wit,{name}", item, who, rate, cell))
    assert sizes(data) == PLAIN and "aspect" not in data.ratings
    assert name in data.report.not_read or name == "words"


def test_a_question_on_another_scale_is_asked_about(refuse):
    percent = lambda text, rater, score: (score * 13 + text) % 101  # noqa: E731
    fault = str(refuse(long("item,rater,wit,depth,feel", item, who, rate, other, percent)))
    assert "'feel'" in fault and "another scale" in fault


def test_several_columns_of_scores_are_asked_about(refuse):
    fault = refuse(long("item,rater,score,rating", item, who, rate, other))
    assert "more than one column of scores" in str(fault) and len(fault.answers) == 1


def test_radio_buttons_are_one_question(read):
    header = "item,rater," + ",".join(f"creative.{step}" for step in range(1, 8))
    for chosen, empty in (("true", "false"), ("1", "0"), ("x", "")):
        steps = [
            lambda t, r, score, step=step, on=chosen, off=empty: on if score == step else off
            for step in range(1, 8)
        ]
        data = read(long(header, item, who, *steps))
        assert sizes(data) == PLAIN
        assert data.ratings["score"].tolist() == [*map(float, RATINGS.values())]
        assert "they are one question, creative" in str(data.report)


def test_ranks_and_pairs(read):
    content = long(
        "item,group,rater,rank",
        item,
        lambda t, r, s: f"P{(t - 1) // 4}",
        who,
        lambda t, r, s: (t - 1) % 4 + 1,
    )
    data, scores = read(
        content, judge(lambda text, quality: (text - 1) % 4 + 1, header="item,rank")
    )
    assert data.ratings["score"][:4].tolist() == [4] * 4 and "set" in data.items
    assert scores["score"][:4].tolist() == [4, 3, 2, 1]
    content = "item_a,item_b,rater,preferred\n" + "".join(
        f"T{text:02d},T{text % 24 + 1:02d},{rater},{'ab'[score % 2]}\n"
        for (text, rater), score in RATINGS.items()
    )
    data, scores = read(content, judge())
    assert data.items["set"].nunique() == 24 and "name" in data.items
    assert len(data.ratings) == 192 and data.report.sizes["scores"] == 96
    assert set(scores["score"]) <= {1.0, 1.5, 2.0}


@pytest.mark.parametrize(
    "cell, place",
    [
        ("b", 1),
        ("second", 1),
        ("Right", 1),
        ("Quince", 1),
        ("tie", 1.5),
        ("a", 2),
        ("model_a", 2),
        ("Both are equally good", 1.5),
        ("=", 1.5),
    ],
)
def test_how_a_preference_is_said(read, cell, place):
    data = read(f"item_a,item_b,rater,preferred\nPlum,Quince,Ann,{cell}\nPlum,Quince,Bob,a\n")
    assert data.ratings["score"][0] == place


def test_pairs_that_say_neither_are_one_sentence(refuse):
    fault = str(refuse("item_a,item_b,rater,winner\nA1,B1,x,left\nA1,B1,y,hm\nA2,B2,x,hm\n"))
    assert "rows 3, 4: winner is 'hm'; expected a, b or tie" in fault
    assert "both texts are the same" in str(refuse("item_a,item_b,rater,winner\nA,A,x,a\n"))
    fault = refuse("item_a,item_b,rater,winner\nb,a,x,a\nb,a,y,b\n")
    assert "rows 2, 3: winner is 'a', 'b'" in str(fault)


def test_a_long_list_of_columns_is_shortened(refuse):
    header = "Who?,What?," + ",".join(f"remark {number}" for number in range(40))
    fault = str(refuse(header + "\nx,y," + ",".join("z" * 40) + "\n"))
    assert len(fault) < 1500


def test_the_place_in_which_a_text_was_shown_is_kept(read):
    place = lambda t, r, s: (t - 1) % 4 + 1  # noqa: E731
    data = read(
        long(
            "item,group,rater,rank,order",
            item,
            lambda t, r, s: f"P{(t - 1) // 4}",
            who,
            place,
            place,
        )
    )
    assert data.items["position"].tolist()[:4] == [1, 2, 3, 4]
    data = read("item_a,item_b,rater,preferred\nPlum,Quince,Ann,a\nPlum,Quince,Bob,b\n")
    assert data.items["position"].tolist() == [1, 2]
