"""Files as tables: encodings, separators, headers, JSON. The first error is the cause."""

import json
import re

import pytest
from made_files import RATINGS, form, judge, rows, sizes, wide

PLAIN = (24, 4, 96)
SEMICOLONS = rows("item;rater;score", mark=";")


@pytest.mark.parametrize(
    "content",
    [
        rows(),
        rows().encode("utf-8-sig"),
        rows().encode("utf-16"),
        rows().replace("\n", "\r\n"),
        SEMICOLONS,
        "sep=;\n" + SEMICOLONS,
        rows("item\trater\tscore", mark="\t"),
        rows("item|rater|score", mark="|"),
        "# exported in November, by hand\n#\n" + rows(),
        "# a, b, c\n" + rows(),
        rows("# item,rater,score"),
        rows("#item,rater,score"),
        "My study of stories\n\n" + rows(),
        "My study of stories,,\n" + rows(),
        rows() + ",,\n,,\n",
        rows("item,rater,score,,").replace("\n", ",,\n").replace(",,,,", ",,"),
    ],
)
def test_what_exports_look_like_is_read(read, content):
    assert sizes(read(content)) == PLAIN


def test_decimal_commas_are_read(read):
    cell = lambda text, rater, score: str(score + 0.5).replace(".", ",")  # noqa: E731
    data = read(rows("item;rater;score", mark=";", cell=cell))
    assert data.ratings["score"].iloc[0] == RATINGS[1, "Ira"] + 0.5


def test_an_encoding_that_nothing_marks_is_asked_about(refuse, read):
    name = "cp1252"
    content = rows(name="Erzählung {}").encode(name)
    fault = refuse(content)
    assert "mine.csv, row 2: is not UTF-8" in str(fault)
    assert read(content, encoding=name).items["item"][0] == "Erzählung 1"


@pytest.mark.parametrize(
    "content, said",
    [
        (b"PK\x03\x04rest", "Excel or LibreOffice file.*save it as CSV"),
        (b"\xd0\xcf\x11\xe0rest", "old Excel"),
        (b"$FL2@(#) SPSS", "SPSS"),
        (b"", "is empty"),
        (b"item,rater,score\n", "no row below it"),
        (rows().replace("T03,Ira", "T03").replace("T04,Jon", "T04"), "rows 10, 15: fewer cells"),
        (rows().replace("T03,Ira,", "T03,Ira,x,"), "row 10: more cells .*quotation marks"),
        (rows().replace("T03,Ira", '"T03,Ira'), "row 10: a quotation mark"),
        (rows("item,rater,rater"), "two columns are called 'rater'"),
        (rows().replace("T05,Kim,", "T05,,"), "row 20: rater is empty"),
    ],
)
def test_the_cause_is_told_in_one_sentence(refuse, content, said):
    fault = str(refuse(content))
    assert re.search(said, fault), fault
    assert "\n" not in fault


def test_a_file_that_is_not_there(refuse, tmp_path):
    from goodjudge.data.reading import read_ratings
    from goodjudge.errors import DataError

    with pytest.raises(DataError, match="no such file"):
        read_ratings(tmp_path / "nothing.csv")
    with pytest.raises(DataError, match="cannot be read"):
        read_ratings(tmp_path)


@pytest.mark.parametrize("start", [0, 1])
def test_a_first_column_that_counts_rows_is_not_read(read, start):
    lines = rows().splitlines()
    numbered = [f"{number},{line}" for number, line in enumerate(lines[1:], start)]
    assert sizes(read("\n".join(["," + lines[0], *numbered]))) == PLAIN
    data = read("\n".join([lines[0], *numbered]))  # R's write.table: the header is one cell short
    assert sizes(data) == PLAIN and "row names" in str(data.report)


def test_an_empty_corner_above_the_texts(read):
    assert sizes(read(wide(corner=""), form="wide")) == PLAIN


def test_a_second_row_of_headers_names_the_columns(read):
    below = ["Who?", *[f"How good is story {text}?" for text in range(1, 25)]]
    lines = form("Q1_{}", before={"participant": lambda number, rater: rater}).splitlines()
    data = read("\n".join([lines[0], ",".join(below), *lines[1:]]))
    assert sizes(data) == PLAIN and data.items["item"][0] == "story 1"
    assert "Row 2 belongs to the header" in str(data.report)


def test_filled_columns_without_a_name_are_never_dropped_silently(read):
    lines = rows().splitlines()
    content = "\n".join([lines[0] + ",,x", *[line + ",9,1" for line in lines[1:]]])
    data = read(content)
    assert sizes(data) == PLAIN and "without a name hold values: column 4" in str(data.report)


def as_records():
    return [{"item": f"T{t:02d}", "rater": r, "score": s} for (t, r), s in RATINGS.items()]


def test_json_lines_an_array_and_a_nested_list_are_read(read):
    records = as_records()
    lines = "\n".join(map(json.dumps, records))
    assert sizes(read(lines, ending="jsonl")) == PLAIN
    assert sizes(read(json.dumps(records), ending="json")) == PLAIN
    assert sizes(read(json.dumps({"results": records}, indent=1), ending="json")) == PLAIN
    assert sizes(read(lines, ending="txt")) == PLAIN


def test_a_nested_field_that_nobody_needs_is_not_read(read):
    records = [record | {"meta": {"tags": ["a", {"b": 1}]}} for record in as_records()]
    data = read("\n".join(map(json.dumps, records)), ending="jsonl")
    assert sizes(data) == PLAIN and "meta.tags" in data.report.not_read


def test_lines_that_are_no_objects_are_named_together(refuse):
    lines = [json.dumps(record) for record in as_records()]
    lines[3] = "{oops"
    lines[9] = "7"
    fault = str(refuse("\n".join(lines), ending="jsonl"))
    assert "rows 4, 10: no JSON object" in fault
    assert "no objects" in str(refuse("[1, 2]", ending="json"))
    assert "no whole JSON" in str(refuse('[{"item": "a"', ending="json"))


def test_half_a_surrogate_and_nul_in_json(read):
    records = as_records()
    records[0]["rater"] = records[1]["rater"] = "x"
    text = json.dumps(records).replace('"x"', '"\\ud800\\u0000"', 1).replace('"x"', '"y"')
    read(text, ending="json").ratings.to_csv()


def test_rows_are_counted_as_a_spreadsheet_does(refuse):
    content = 'item,rater,text,score\na,x,"two\nlines",4\n\nb,x,t,oops\na,y,t,3\n'
    assert "row 4: score is 'oops'" in str(refuse(content))


def test_judge_and_people_are_read_alike(read):
    data, scores = read(rows(), judge(header="item;score").replace(",", ";").encode("utf-16"))
    assert len(scores) == 24
