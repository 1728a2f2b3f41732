"""A file that cannot be read as it stands is refused in one sentence that names file, row and what
to do; what is not clear is asked about, and each answer offered reads the file (`refuse` tries it).
"""

import json
import re

import pytest
from goodjudge.data.reading import read_ratings
from goodjudge.errors import DataError
from made_files import RATERS, RATINGS, TRUTH, form, judge, long, rows, wide

NAMED = {"participant": lambda number, rater: rater}
RATER_NAMES = ["rater 1", "rater 2", "rater 3", "rater 4"]


def put(of, rater=None):
    """Return the cell of a score: what `of` says of a text (None: its score), for one rater."""

    def cell(text, who, score):
        return score if of.get(text) is None or rater not in (None, who) else of[text]

    return cell


def every(step, value):
    """Return a judge's cell: the value at every so-manieth text from the first."""
    return lambda text, quality: value if text % step == 1 else quality


def twice(name, header="item,rater,{},score"):
    """Return a file in which each score stands twice, told apart by a column."""
    lines = [header.format(name)]
    pairs = RATINGS.items() if "rater" in header else enumerate(TRUTH, 1)
    for case, score in pairs:
        who = f"T{case[0]:02d},{case[1]}" if isinstance(case, tuple) else f"T{case:02d}"
        lines += [f"{who},{time},{max(1, score - time + 1)}" for time in (1, 2)]
    return "\n".join(lines) + "\n"


def below_header(content, row):
    """Return a file with a second row below its header."""
    header, rest = content.split("\n", 1)
    return f"{header}\n{row}\n{rest}"


def told_apart(one, two):
    """Return a file of two criteria in columns, and a third of other numbers."""
    return long(f"item,rater,wit,{one},depth", lambda t, r, s: s, two, lambda t, r, s: 8 - s)


def records(*broken):
    """Return lines of JSON; broken: (line from 1, what stands there)."""
    found = [{"item": f"T{t:02d}", "rater": r, "score": s} for (t, r), s in RATINGS.items()]
    lines = [json.dumps(one) for one in found]
    for number, content in broken:
        lines[number - 1] = content
    return "\n".join(lines)


TWO_NAMES = "prompt,model,rater,score\n" + "".join(
    f"p{t // 3:02d},m{t % 3},{rater},{score}\n" for (t, rater), score in RATINGS.items()
)
CODES = [-99, -1, 9, 99, 17]
UNKNOWN = rows("Was?,Wer?,Kreativität")
WORDS = {score: "ja, sehr" if score > 4 else "nein, gar nicht" for score in range(1, 8)}
THREE = rows("Which one?,By?,How good?")
FACTS = judge(lambda t, q: f"{q},0.{t % 9 + 1},{300 + t}", header="item,wit,confidence,tokens")
GROUPS = rows("item,rater,group,score", cell=lambda t, r, s: f"P{t % 3},{s}")
SHEET = rows("item,rater,wit,value", cell=lambda t, r, s: f"{s},{t * 4 + RATERS.index(r)}")
PLOT = rows("item,rater,wit,style,plot", cell=lambda t, r, s: f"{s},{8 - s},{s}")
BOTH = {"columns": {"Was?": "item", "Wer?": "rater"}}
OPTIONS = '--column "Was?=item" --column "Wer?=rater"'
CRITERIA = "participant,story,How original is it? (1-7),How clear is it? (1-7)\n" + "".join(
    f"{rater},T{text:02d},{score},{8 - score}\n" for (text, rater), score in RATINGS.items()
)

# people's file, options, what is said (a pattern), the options of the first answer (None: any)
PEOPLE = [
    # a file that is no table
    (b"PK\x03\x04rest", {}, "Excel or LibreOffice file.*save it as CSV", None),
    (b"$FL2@(#) SPSS", {}, "SPSS", None),
    (b"", {}, "is empty", None),
    (rows().replace("T03,Ira", "T03").replace("T04,Jon", "T04"), {}, "rows 10, 15: fewer", 0),
    (rows().replace("T03,Ira,", "T03,Ira,x,"), {}, "row 10: more cells .*quotation marks", None),
    (rows().replace("T03,Ira", '"T03,Ira'), {}, "row 10: a quotation mark", None),
    (rows("item,rater,rater"), {}, "two columns are called 'rater'", None),
    (rows().replace("T05,Kim,", "T05,,"), {}, "row 20: rater is empty", None),
    ('item,rater,text,score\na,x,"two\nlines",4\n\nb,x,t,oops\n', {}, "row 4: score", None),
    (rows(name="1.23E+17"), {}, "a spreadsheet has shortened", None),
    (records((4, "{oops"), (10, "7")), {"ending": "jsonl"}, "rows 4, 10: no JSON object", None),
    ('[{"item": "a"', {"ending": "json"}, "no whole JSON", None),
    # columns
    (THREE, {"columns": {"Which ones?": "item"}}, r"no column 'Which ones\?' \(perhaps 'W", None),
    (THREE, {"columns": {"Which one?": "itm"}}, "did you mean 'item'", None),
    (THREE, {"columns": ["Which one?"]}, "expected columns=", None),
    (UNKNOWN, {}, re.escape(OPTIONS), BOTH),
    (rows("item,judge,score"), {}, "", {"columns": {"judge": "rater"}}),
    (TWO_NAMES, {"columns": {"prompt": "item"}}, "differ in model: .*such as 'p00_m1'", 0),
    (wide(), {}, "", {"form": "wide"}),
    (form(before=NAMED).replace("Story 1,", "The Storm,", 1), {}, "each column of a text", None),
    (told_apart("How sure are you?", lambda t, r, s: 1 + (t + s) % 5), {}, "how sure", None),
    (told_apart("feel", lambda t, r, s: (s * 13 + t) % 101), {}, "'feel'.*another scale", None),
    (PLOT, {}, "another one above", {"columns": {name: name for name in ("wit", "style", "plot")}}),
    (SHEET, {}, "'value' is another whole number in every row", {"columns": {"value": ""}}),
    (rows(), {"aspects": ["depth"]}, "no criterion 'depth'|expected", None),
    (rows(), {"only": {"rater": "x"}}, "no row has 'x' in 'rater'", None),
    (rows(), {"leave_out": ["nobody"]}, "leave_out names no", None),
    # pairs
    (
        "item_a,item_b,rater,winner\nA1,B1,x,left\nA1,B1,y,hm\nA2,B2,x,hm\n", {},
        "rows 3, 4: winner is 'hm'; expected a, b or tie", None,
    ),
    ("item_a,item_b,rater,winner\nb,a,x,a\nb,a,y,b\n", {}, "rows 2, 3: winner is 'a', 'b'", None),
    # numbers
    *(
        (below_header(rows(), f"a text,a name,{unit}"), {},
         "row 2: .*Row 2 may belong to the header: then remove it", {"missing": [unit]})
        for unit in ("How creative?", "1 to 7", "points")
    ),
    (
        rows("item;rater;score", mark=";", cell=lambda t, r, s: WORDS[s]), {},
        "score is 'ja, sehr', 'nein, gar nicht'.*--label", None,
    ),
    (rows(cell=put({1: "good", 2: "bad"})), {}, "rows 2, 3, 4.*'good', 'bad'", None),
    (rows(cell=put(dict.fromkeys(range(25), "Yes"), "Kim")), {}, "a number, as elsewhere", None),
    # codes, scales
    *(
        (
            rows(cell=put({4: code, 9: code}, "Kim")), {},
            f"rows 16, 36: {code} stands 2 times.*all other scores run from 1 to 7",
            {"missing": [code]},
        )
        for code in CODES
    ),
    (wide(names=RATER_NAMES).replace(",7,", ",-9,", 2), {}, "row.*-9 stands", None),
    (
        rows(cell=put({3: -1, 8: -9})), {}, "-9 stands 4 times and -1 stands 4 times",
        {"missing": [-9, -1]},
    ),
    (
        rows(cell=put({2: 8}, "Kim")), {},
        r"row 8: 8 stands 1 time, .* 1 to 7: .*in score\? .*--scale=1,10", {"missing": [8]},
    ),
    (rows(cell=put({2: 8, 3: -9, 9: 8, 17: 8}, "Kim")), {}, "-9 stands 1", {"missing": [-9]}),
    (rows(cell=put({2: 8, 9: 9}, "Kim")), {}, "8 stands 1 time and 9", {"missing": [8, 9]}),
    *(
        (rows(cell=lambda t, r, s, code=code: code if t == 2 else min(s, 5)), {},
         f"{code} stands 4 times", {"missing": [code]})
        for code in (7, 8)
    ),
    (rows(), {"scale": (1, 6)}, "7 stands 15 times, lies outside the scale that was told", None),
    *((rows(), {"scale": scale}, "expected", None) for scale in ((7, 1), 3)),
    (
        rows(cell=lambda t, r, s: s * 10 if r == "Lea" else s), {},
        "one rater's scores reach 70, all others' 7", None,
    ),
    # names
    (rows() + "T01,Ira,1\nT02,Ira,7\n", {}, "rows 2, 98: 'T01' has 2 scores.*2 such cases", None),
    *(
        (twice(name), {}, f"their rows differ in {name}: what is it.*only {name}=1",
         {"columns": {name: "aspect"}})
        for name in ("turn", "condition of reading")
    ),
    (GROUPS.replace("T01,Jon,P1", "T01,Jon,P9"), {}, "row 3.*expected", None),
]  # fmt: skip


@pytest.mark.parametrize(("content", "options", "said", "answer"), PEOPLE)
def test_people_s_file_is_refused_in_one_sentence(refuse, content, options, said, answer):
    fault = refuse(content, **options)
    assert re.search(said, str(fault)), fault
    assert str(fault).startswith(("mine.", "columns", "aspects", "only", "leave_out", "scale"))
    assert fault.answers or "\n" not in str(fault) or "may be" in str(fault), "one line"
    if answer:
        assert fault.answers[0].options == answer
    elif answer == 0:
        assert not fault.answers


# a judge's file beside people's, its options, what is said, the options of the first answer
JUDGES = [
    *(
        (judge(every(6, code)), {}, f"{code} stands 4 times", {"missing": [code]})
        for code in (0, 99)
    ),
    (judge(every(8, "ERROR")), {}, "rows 2, 10, 18", {"missing": ["ERROR"]}),
    (judge(lambda text, quality: 100 + text * 3), {}, "another whole number", None),
    *(
        (twice(name, "item,{},score"), {}, f"their rows differ in {name}: what is it",
         {"columns": {name: "repeat"}})
        for name in ("turn", "seed")
    ),
    (judge() + "T01,3\n", {}, "'T01' has 2 scores", None),
    (
        judge().replace("T1", "Z1"), {},
        "10 of 24 rated texts have no score here, such as 'T10'.*'Z10'.*at most 20%", None,
    ),
    (judge(name="T{:02d}_gpt"), {}, r"where two columns name a text \(T01, and more\)", 0),
    (FACTS, {}, "'confidence' asks how sure", None),
    ("item_a,item_b,preferred\nT01,T02,a\n", {}, "has pairs, but the ratings have scores", None),
]  # fmt: skip


@pytest.mark.parametrize(("content", "options", "said", "answer"), JUDGES)
def test_a_judge_s_file_is_refused_in_one_sentence(refuse, content, options, said, answer):
    fault = refuse(rows(), content, judge_options=options)
    assert re.search(said, str(fault), re.DOTALL), fault
    if answer:
        assert fault.answers[0].options == answer
    elif answer == 0:
        assert not fault.answers


def test_what_is_asked_is_told_with_what_the_answer_gives(refuse):
    assert refuse(UNKNOWN).answers[0].result == "24 texts, 4 raters, 96 scores"
    assert "94 scores" in refuse(rows(cell=put({4: -9, 9: -9}, "Kim"))).answers[0].result
    renamed = form(before=NAMED).replace("Story 1,", "The Storm,", 1)
    assert [one.result.split(",")[0] for one in refuse(renamed).answers] == ["23 texts"]
    sure = told_apart("How sure are you?", lambda t, r, s: 1 + (t + s) % 5)
    assert refuse(sure).answers[0].result == "24 texts, 4 raters, 2 criteria, 192 scores"
    assert refuse(rows(), FACTS).answers[0].result.startswith("1 judge, 24 scores")
    theirs = judge(lambda t, q: f"{q},{8 - q}", header="item,originality,clarity")
    fault = refuse(CRITERIA, theirs)
    assert "people rated How original is it?" in str(fault) and not fault.answers
    remarks = "Who?,What?," + ",".join(f"remark {number}" for number in range(40))
    assert len(str(refuse(remarks + "\nx,y," + ",".join("z" * 40) + "\n"))) < 1500


def test_an_encoding_that_nothing_marks_is_asked_about(refuse, read):
    content = rows(name="Erzählung {}").encode("cp1252")
    assert "mine.csv, row 2: is not UTF-8" in str(refuse(content))
    assert read(content, encoding="cp1252").items["item"][0] == "Erzählung 1"


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_ratings(tmp_path / "nothing.csv")
    with pytest.raises(DataError, match="cannot be read"):
        read_ratings(tmp_path)
