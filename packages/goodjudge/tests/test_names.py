"""Names in two spellings, doubles, and names that do not match, in both files."""

import pytest
from goodjudge.data.names import count_words, match_names
from made_files import RATINGS, TRUTH, judge, rows, sizes, wide

PLAIN = (24, 4, 96)


def spell(content, *pairs):
    for old, new, count in pairs:
        content = content.replace(old, new, count)
    return content


@pytest.mark.parametrize(
    "pairs",
    [
        [(",Kim,", ",KIM,", 5), (",Ira,", ",ira,", 3)],
        [(",Kim,", ", Kim ,", 5)],
        [(",Kim,", ",Kim\u200b,", 5)],
        [("T01", "t01", 2)],
        [("T01", "T\uff101", 2)],
    ],
)
def test_one_name_in_two_spellings_is_one(read, pairs):
    assert sizes(read(spell(rows(), *pairs))) == PLAIN


def test_accents_and_leading_zeros(read):
    content = spell(rows(name="{}"), ("\n7,Ira", "\n007,Ira", 1), ("\n8,Jon", "\n8.0,Jon", 1))
    data = read(content)
    assert sizes(data) == PLAIN and "007" in str(data.report)
    content = rows().replace("Kim", "Zo\u00eb", 4).replace("Kim", "Zoe\u0308")
    assert sizes(read(content)) == PLAIN


def test_a_rater_s_name_stands_in_no_report(read):
    data = read(spell(rows(), (",Kim,", ",KIM,", 5)))
    told = str(data.report) + str(data.report.to_dict())
    assert not [name for name in ("Kim", "KIM", "kim", "Ira", "Lea", "Jon") if name in told]
    assert "spelling" in told and set(data.ratings["rater"]) == {"R1", "R2", "R3", "R4"}


def test_nor_where_the_columns_are_raters(read):
    lines = wide(names=["Ann Lee", "Bob Roy", "Max", "Dana Fox"]).splitlines()
    lines = [lines[0] + ",Ann Lee: remarks", *[line + ",fine" for line in lines[1:]]]
    data = read("\n".join(lines), form="wide", leave_out=["Max"])
    told = str(data.report) + str(data.report.to_dict())
    assert not [name for name in ("Ann", "Bob", "Max", "Dana") if name in told]
    assert data.raters["R1"] == "Ann Lee" and "4 columns, one for each rater" in told


def test_two_texts_that_differ_in_capitals_and_were_both_rated_are_doubles(refuse):
    fault = str(refuse(rows() + "t01,Ira,5\n"))
    assert "rows 2, 98: 'T01' has 2 scores by one rater" in fault


def test_a_row_that_stands_twice_word_for_word_is_one(read):
    data = read(rows() + f"T01,Ira,{RATINGS[1, 'Ira']}\n")
    assert sizes(data) == PLAIN and "row 98" in str(data.report)


def test_two_answers_are_asked_about(refuse, read):
    content = rows() + "T01,Ira,1\nT02,Ira,7\n"
    fault = refuse(content)
    assert "rows 2, 98: 'T01' has 2 scores by one rater (2 such cases" in str(fault)
    data = read(content, doubles="last")
    assert sizes(data) == PLAIN and data.ratings["score"].iloc[-1] == 7
    assert "rows 2, 6" in str(data.report)
    assert read(content, doubles="first").ratings["score"].iloc[0] == RATINGS[1, "Ira"]


@pytest.mark.parametrize("name", ["turn", "round", "wave", "condition of reading", "session"])
def test_rows_that_differ_in_a_column_that_is_not_read(refuse, name):
    content = f"item,rater,{name},score\n" + "".join(
        f"T{text:02d},{rater},{time},{max(1, score - time + 1)}\n"
        for (text, rater), score in RATINGS.items()
        for time in (1, 2)
    )
    fault = refuse(content)
    assert f"their rows differ in {name}: what is it?" in str(fault)
    assert fault.answers[0].options == {"columns": {name: "aspect"}}
    assert f"only {name}=1" in str(fault)


@pytest.mark.parametrize("name", ["turn", "seed", "temperature"])
def test_a_judge_s_rows_are_held_to_the_same(refuse, read, name):
    scores = f"item,{name},score\n" + "".join(
        f"T{text:02d},{time},{max(1, quality - time + 1)}\n"
        for text, quality in enumerate(TRUTH, 1)
        for time in (1, 2)
    )
    fault = refuse(rows(), scores)
    assert f"their rows differ in {name}: what is it?" in str(fault)
    assert fault.answers[0].options == {"columns": {name: "repeat"}}
    _, found = read(rows(), scores, judge_options={"columns": {name: "repeat"}})
    assert len(found) == 48 and found["repeat"].nunique() == 2


def test_a_judge_that_was_asked_twice_without_a_column_that_says_so(refuse, read):
    scores = judge() + "T01,3\n"
    fault = refuse(rows(), scores)
    assert "'T01' has 2 scores" in str(fault)
    _, found = read(rows(), scores, judge_options={"doubles": "repeat"})
    assert found["repeat"].tolist()[-1] == "2"


@pytest.mark.parametrize(
    "people, theirs",
    [
        ("{:04d}", "{}"),
        ("{}", "{:03d}"),
        ("{}", "{}.0"),
        ("T{:02d}", "t{:02d}"),
        ("T{:02d}", "T{}"),
        ("T{:02d}", "T{:02d}.txt"),
        ("Story {}", "story_{:02d}"),
        ("Story {}", "story-{}"),
        ("story{}", "Story {}"),
    ],
)
def test_names_of_two_files_are_matched(read, people, theirs):
    data, scores = read(rows(name=people), judge(name=theirs))
    assert set(scores["item"]) == set(data.items["item"])
    if people.casefold() != theirs.casefold() or "T" in people:
        assert "differ in spelling" in str(scores.attrs["report"])


def test_names_that_match_in_part_are_refused_above_a_share_that_is_said(refuse, read):
    scores = judge().replace("T1", "Z1")
    fault = refuse(rows(), scores)
    assert "10 of 24 rated texts have no score here, such as 'T10'" in str(fault)
    assert "'Z10'" in str(fault) and "at most 20%" in str(fault)
    _, found = read(rows(), scores, judge_options={"unmatched": 0.5})
    assert len(found) == 14 and found.attrs["not rated"][0] == "Z10"
    assert not refuse(rows(), judge(name="Z{:02d}")).answers


def test_a_judge_may_score_more_or_fewer_texts(read):
    more = judge() + "".join(f"U{number},3\n" for number in range(40))
    _, scores = read(rows(), more)
    assert len(scores) == 24 and len(scores.attrs["not rated"]) == 40
    _, scores = read(rows(), "\n".join(judge().splitlines()[:9]))
    assert "16 of 24 rated texts have no score" in str(scores.attrs["report"])


def test_match_names_only_where_one_can_be_meant():
    assert match_names(["t1"], ["T01", "T1"]) == {"t1": "T1"}
    assert match_names(["t_1"], ["T01", "T1"]) == {}
    assert match_names(["a"], ["A", "b"]) == {"a": "A"}


def test_words_are_counted_in_scripts_without_blanks():
    assert count_words("A short tale.") == 3 and count_words("春眠不覚暁") == 5
    assert 50 < count_words("กาลครั้งหนึ่งนานมาแล้วมีชายชรา" * 12) < 80


def test_what_changes_within_a_text_is_refused(refuse):
    content = rows("item,rater,group,score", cell=lambda t, r, s: f"P{t % 3},{s}")
    assert "expected" in str(
        refuse(content.replace("T01,Jon,P1", "T01,Jon,P9"))
    ) and "row 3" in str(refuse(content.replace("T01,Jon,P1", "T01,Jon,P9")))
