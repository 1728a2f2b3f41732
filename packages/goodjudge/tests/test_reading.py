"""What files of ratings and scores look like, and what is read of them: the same 24 texts, 4 raters
and 96 scores in every form, spelling and script. (What is refused: `test_refusals`; exports of
tools: `test_importers`.)"""

import json
import statistics
import time

import numpy as np
import pandas as pd
import pytest
from goodjudge.data.names import count_words, match_names
from goodjudge.data.numbers import read_numbers
from goodjudge.data.reading import read_files, read_ratings, read_scores, read_unrated
from goodjudge.data.suspicious import find_codes, find_computed, find_rare, guess_scale, is_summary
from goodjudge.errors import DataError
from made_files import RATERS, RATINGS, TRUTH, form, judge, long, rows, sizes, wide

PLAIN = (24, 4, 96)
OWN = [*map(float, RATINGS.values())]
NAMED = {"participant": lambda number, rater: rater}
RATER_NAMES = ["rater 1", "rater 2", "rater 3", "rater 4"]
SEMICOLONS = rows("item;rater;score", mark=";")
MEAN = lambda values: round(statistics.mean(values), 2)  # noqa: E731
SD = lambda values: round(statistics.stdev(values), 2)  # noqa: E731


def rate(text, rater, score):
    return score


def other(text, rater, score):
    return 8 - score


def spell(*pairs, content=None):
    """Return a file in which some names are spelt in another way, so many times each."""
    content = content or rows()
    for old, new, count in pairs:
        content = content.replace(old, new, count)
    return content


def beside(one, two):
    """Return two files of columns, beside each other."""
    return "\n".join(f"{a},{b}" for a, b in zip(one.splitlines(), two.splitlines()))


def after(name, values):
    """Return a form with a column of the response behind its texts."""
    return form(before=NAMED, after={name: lambda number, rater: values[number]})


def as_records(**more):
    return [{"item": f"T{t:02d}", "rater": r, "score": s} | more for (t, r), s in RATINGS.items()]


def to_lines(records):
    return "\n".join(map(json.dumps, records))


LINES = rows().splitlines()
COUNTED = [f"{number},{line}" for number, line in enumerate(LINES[1:])]
BELOW = ["Who?", *[f"How good is story {text}?" for text in range(1, 25)]]
CODED = form("Q1_{}", before=NAMED).splitlines()
QUIZ = {"score": lambda number, rater: 0, "Submit Date (UTC)": lambda number, rater: "1/1"}
QUIZ = form("*Rate story {}*", before={"#": lambda number, rater: f"k{number}"}, after=QUIZ)
MEANS = [str(MEAN([RATINGS[text, rater] for rater in RATERS])) for text in range(1, 25)]
STEPS = "item,rater," + ",".join(f"creative.{step}" for step in range(1, 8))
STEP = [lambda t, r, s, step=step: "x" if s == step else "" for step in range(1, 8)]
BOTH = [{}, {"columns": {"*": "item"}}]
AS_RATERS = [{"form": "wide"}, {"columns": {"*": "rater"}}]
AS_RATERS += [{"columns": {"Ira": "rater", "Jon": "rater", "Kim": "rater", "Lea": "rater"}}]
WRAPPED = json.dumps({"results": as_records()}, indent=1)
NESTED = to_lines(as_records(meta={"tags": ["a", {"b": 1}]}))

# file, options, what is said of it in the report
READ = [
    # what exports look like
    (rows(), {}, ""),
    (rows().encode("utf-8-sig"), {}, ""),
    (rows().encode("utf-16"), {}, ""),
    (rows().replace("\n", "\r\n"), {}, ""),
    (SEMICOLONS, {}, ""),
    ("sep=;\n" + SEMICOLONS, {}, ""),
    (rows("item\trater\tscore", mark="\t"), {}, ""),
    ("# a, b, c\n" + rows(), {}, ""),
    (rows("#item,rater,score"), {}, ""),
    ("My study of stories,,\n" + rows(), {}, ""),
    (rows() + ",,\n,,\n", {}, ""),
    (rows("item,rater,score,,").replace("\n", ",,\n").replace(",,,,", ",,"), {}, ""),
    ("\n".join(["," + LINES[0], *COUNTED]), {}, ""),
    ("\n".join([LINES[0], *COUNTED]), {}, "row names"),  # R's write.table: one cell short
    (
        "\n".join([LINES[0] + ",,x", *[line + ",9,1" for line in LINES[1:]]]), {},
        "without a name hold values: column 4",
    ),
    ("\n".join([CODED[0], ",".join(BELOW), *CODED[1:]]), {}, "Row 2 belongs to the header"),
    ("\n".join([CODED[0], "," + ",".join(["s"] * 24), *CODED[1:]]), {}, "Row 2 belongs"),
    (to_lines(as_records()), {"ending": "jsonl"}, ""),
    (json.dumps(as_records()), {"ending": "json"}, ""),
    (WRAPPED, {"ending": "json"}, ""),
    (NESTED, {"ending": "jsonl"}, "meta.tags"),
    # columns by their names
    *(
        (rows(header), {}, "")
        for header in (
            "story,participant,creativity", "Text ID,Your name:,Rating", "essay_id,WorkerId,points",
        )
    ),
    (rows("Which one?,By?,score"), {"columns": ["Which one?=item", "By?=rater"]}, ""),
    (wide(names=RATER_NAMES), {}, "4 columns, one for each rater"),
    *((wide(), options, "") for options in AS_RATERS),
    (wide(corner=""), {"form": "wide"}, ""),
    *(
        (form(name, before=before), {}, "")
        for before in (NAMED, {})  # nobody gave a name: each row is a rater
        for name in (
            "Text_{}", "A101_{:02d}", "How creative is text {}?", "Creativity [Storm {}]",
        )
    ),
    (QUIZ, {}, "score"),
    *(
        (after(name, values), options, name)
        for options in BOTH
        for name, values in {
            "Age": [23, 34, 45, 31], "FINISHED": [1, 1, 1, 1], "No": [1, 2, 3, 4],
            "Duration (in seconds)": [300, 512, 417, 399],
            "Please select 3": [3, 3, 3, 4],
        }.items()
    ),
    *(
        (long(f"item,rater,wit,{name}", rate, cell), {}, name)
        for name, cell in {
            "seconds": lambda t, r, s: 20 + (t * 37 + len(r) * s) % 71,
            "age": lambda t, r, s: 20 + len(r) + RATERS.index(r),
            "response": lambda t, r, s: 4 * t + RATERS.index(r),
            "attention_check": lambda t, r, s: 3 + (s == 2),
        }.items()
    ),
    (long(STEPS, *STEP), {}, "they are one question, creative"),
    # what is computed of other scores is none
    *(
        (wide(names=RATER_NAMES, below={name: of}), {}, "computed")
        for name, of in {
            "n": len, "Summe": sum, "SD": SD, "Median": statistics.median, "Mean (n=24)": MEAN,
            "": MEAN, "all texts": MEAN,
        }.items()
    ),
    (wide(names=RATER_NAMES, below={"Count": len, "Max": max, "Average": MEAN}), {}, "computed"),
    *(
        (wide(beside={name: of}), options, "computed")
        for options in AS_RATERS[:2]
        for name, of in {
            "avg.": MEAN, "Gesamt": sum, "SD": SD, "panel": MEAN, "X": sum,
            "z": lambda scores: round((sum(scores) - 16) / 6, 3),
        }.items()
    ),
    *(
        (rows() + "".join(f"T{t:02d},{who},{MEANS[t - 1]}\n" for t in range(1, 25)), {}, "Left out")
        for who in ("Average", "panel")
    ),
    (rows() + "Attention check,Ira,3\nAttention check,Jon,1\n", {}, "an attention check"),
    (after("Sum", [sum(RATINGS[t, r] for t in range(1, 25)) for r in RATERS]), {}, "Sum"),
    # one name in several spellings
    (spell((",Kim,", ",KIM,", 5), (",Ira,", ",ira,", 3)), {}, "spelling"),
    (spell((",Kim,", ",Kim\u200b,", 5)), {}, ""),
    (spell(("T01", "T\uff101", 2)), {}, ""),
    (spell(("Kim", "Zo\u00eb", 4), ("Kim", "Zoe\u0308", -1)), {}, ""),
    (spell(("\n7,I", "\n007,I", 1), ("\n8,J", "\n8.0,J", 1), content=rows(name="{}")), {}, "007"),
    (rows() + f"T01,Ira,{RATINGS[1, 'Ira']}\n", {}, "row 98"),  # twice word for word
    (rows() + "T01,Ira,1\nT02,Ira,7\n", {"doubles": "first"}, ""),
    # scores in another script
    (rows(cell=lambda text, rater, score: chr(0x660 + score)), {}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("content", "options", "said"), READ)
def test_the_same_ratings_are_read_from_every_file(read, content, options, said):
    data = read(content, **options)
    assert sizes(data) == PLAIN and "aspect" not in data.ratings
    assert said in f"{data.report} {data.report.not_read}"
    by_rater = data.ratings.groupby("rater", sort=False)["score"].apply(sorted).tolist()
    expected = [sorted(RATINGS[text, rater] for text in range(1, 25)) for rater in RATERS]
    assert sorted(by_rater) == sorted(expected)


def test_the_shape_of_ratings(read):
    facts = rows("story,reader,group,writer,words,score",
                 cell=lambda t, r, s: f"P{t % 6},W{t % 3},{100 + t},{s}")  # fmt: skip
    data = read(facts, columns={"reader": "rater"})
    assert list(data.items) == ["item", "group", "writer", "words"]
    assert list(data.ratings) == ["item", "rater", "score"] and data.source == "own"
    assert data.raters == {f"R{number}": name for number, name in enumerate(RATERS, 1)}
    assert data.items["words"].dtype == float and data.ratings["score"].tolist() == OWN
    assert [data.items["item"][0], data.report.columns["item"]] == ["T01", "story"]
    names = {"Story {}": "Story 1", "How creative is text {}?": "text 1"}
    names |= {"Creativity [Storm {}]": "Storm 1", "A101_{:02d}": "A101_01"}
    for name, first in names.items():
        assert read(form(name, before=NAMED)).items["item"][0] == first
    assert sizes(read(judge(), form="rows")) == (24, 1, 24)


def test_criteria_in_columns_are_read_and_can_be_chosen_and_named(read):
    content = long("item,rater,originality,clarity", rate, other)
    chosen = {
        "originality clarity": {},
        "clarity": {"aspects": ["clarity"]},
        "wit": {"aspects": {"originality": "wit"}},
        "wit plot": {"columns": {"originality": "wit", "clarity": "plot"}},
    }
    for names, options in chosen.items():
        data = read(content, **options)
        assert set(data.ratings["aspect"]) == {*names.split()}
        assert len(data.ratings) == 96 * len(names.split())
    data = read(wide(), form="rows")
    assert sizes(data) == (24, 1, 96) and data.ratings["aspect"].nunique() == 4
    asked = "How creative is text {}?", "How clear is text {}?"
    for first, second in (asked, ("Wit [Story {}]", "Depth [Story {}]")):
        data = read(beside(form(first, before=NAMED), form(second)))
        assert sizes(data) == (24, 4, 192) and data.ratings["aspect"].nunique() == 2


def test_a_number_of_the_response_is_no_text(read):
    before = {"ID": lambda number, rater: number + 1, "Name": lambda number, rater: rater}
    for options in (*BOTH, {"form": "form"}):
        data = read(form("How creative is text {}?", before=before), **options)
        assert sizes(data) == PLAIN and data.report.not_read["ID"] == "numbers the rows"


RANKED = "item,group,rater,rank,order"
PLACE = [
    lambda t, r, s: f"P{(t - 1) // 4}",
    lambda t, r, s: r,
    *[lambda t, r, s: (t - 1) % 4 + 1] * 2,
]
IN_SETS = "\n".join(
    [RANKED, *(",".join([f"T{t:02d}", *(str(one(t, r, s)) for one in PLACE)])
               for (t, r), s in RATINGS.items())]
)  # fmt: skip


def test_ranks_and_pairs_are_orders_within_sets(read):
    data, scores = read(IN_SETS, judge(lambda t, q: (t - 1) % 4 + 1, header="item,rank"))
    assert data.ratings["score"][:4].tolist() == [4] * 4 and "set" in data.items
    assert data.items["position"].tolist()[:4] == [1, 2, 3, 4], "the place in which it was shown"
    assert scores["score"][:4].tolist() == [4, 3, 2, 1]
    content = "item_a,item_b,rater,preferred\n" + "".join(
        f"T{text:02d},T{text % 24 + 1:02d},{rater},{'ab'[score % 2]}\n"
        for (text, rater), score in RATINGS.items()
    )
    data, scores = read(content, judge())
    assert data.items["set"].nunique() == 24 and "name" in data.items
    assert len(data.ratings) == 192 and data.report.sizes["scores"] == 96
    assert set(scores["score"]) <= {1.0, 1.5, 2.0}


SAID = {"b": 1, "second": 1, "Right": 1, "Quince": 1, "tie": 1.5, "a": 2, "model_a": 2, "=": 1.5}


@pytest.mark.parametrize("cell", [*SAID, "Both are equally good"])
def test_how_a_preference_is_said(read, cell):
    data = read(f"item_a,item_b,rater,preferred\nPlum,Quince,Ann,{cell}\nPlum,Quince,Bob,a\n")
    assert data.ratings["score"][0] == SAID.get(cell, 1.5)
    assert data.items["position"].tolist() == [1, 2]


# ── Numbers ───────────────────────────────────────────────────────────────────────────────────────

# cells, the number of the first, whether it is told as a label
CELLS = [
    *((cells.split(), number, False) for cells, number in [
        ("3,5 .5 1e1", 3.5), ("Yes No yes", 1), ("N y", 0), ("true false", 1), ("nein ja", 0),
        ("٤ ٣ ٧", 4), ("４ ３ ７", 4), ("४ ३ ७", 4), ("1.050 2.5 3", 1.05),
    ]),
    *((cells, 7, True) for cells in [
        ["7 - Strongly agree", "4"], ["7 (very)", "4"], ["7: very", "1: not"],
        ["7 Strongly agree", "4"], ["Strongly agree (7)", "4"], ["Rating: 7", "4"], ["'7", "4"],
        ["7%", "40 %", "85%"], ['[{"rating": 7}]', "4"], ['{"choices": ["7"]}', "4"],
        ["strongly agree", "somewhat agree", "Neutral"],
    ]),
    (["Strongly Agree", "disagree", "Neutral"], 5, True),
]  # fmt: skip


@pytest.mark.parametrize(("cells", "number", "told"), CELLS)
def test_what_is_clear_is_read_and_labels_are_told(cells, number, told):
    read = read_numbers(pd.Series(cells))
    assert read.values[0] == number and not read.expected
    assert not told or read.labels[cells[0]] == number


def test_words_are_numbers_as_told_and_what_says_nothing_is_missing(read):
    words = {score: "ja, sehr" if score > 4 else "nein" for score in range(1, 8)}
    content = rows("item;rater;score", mark=";", cell=lambda t, r, s: words[s])
    data = read(content, labels={"nein": 1, "ja, sehr": 7})
    assert sizes(data) == PLAIN and data.report.labels["ja, sehr"] == 7
    assert "Read as numbers" in str(data.report)
    half = rows("item;rater;score", mark=";", cell=lambda t, r, s: f"{s},5")
    assert read(half).ratings["score"].iloc[0] == RATINGS[1, "Ira"] + 0.5
    said = {1: "n/a", 2: "-", 3: "Prefer not to say", 4: "", 5: "NaN"}
    data = read(rows(cell=lambda text, rater, score: said.get(text, score)))
    assert data.report.missing == 20 and len(data.ratings) == 76
    assert "Missing: 20 of 96" in str(data.report)
    data = read(rows(cell=lambda text, rater, score: 4))
    assert data.report.lines()[0].startswith("All 96 scores are the same (4)")


@pytest.mark.parametrize("code", [-99, 9])
def test_a_code_that_is_told_is_counted_and_is_no_score(read, code):
    coded = rows(cell=lambda t, r, s: code if t in (4, 9) and r == "Kim" else s)
    data = read(coded, missing=[code])
    assert len(data.ratings) == 94 and data.report.codes == {code: 2}
    assert data.ratings["score"].between(1, 7).all()
    _, found = read(rows(), judge(lambda t, q: code if t % 6 == 1 else q),
                    judge_options={"missing": [code]})  # fmt: skip
    assert len(found) == 20 and found.attrs["report"].codes == {code: 4}


SCALES = [
    lambda score: score - 4,
    lambda score: int(score > 4),
    lambda score: score / 7,
    lambda score: 0 if score < 3 else score,
    lambda score: round(1 + (score - 1) * 99 / 6),
]


@pytest.mark.parametrize("change", SCALES)
def test_other_scales_are_no_codes(read, change):
    data = read(rows(cell=lambda text, rater, score: change(score)))
    assert sizes(data) == PLAIN and not data.report.left_out and not data.report.codes
    assert read(rows(), scale=(1, 9)).ratings.attrs["scale"] == (1, 9)


def test_codes_summaries_and_scales_by_hand():
    assert find_codes(pd.Series([1.0, 2, 3])) == {}
    assert find_codes(pd.Series([4.0] * 9 + [-1])) == {-1.0: 1}
    assert find_codes(pd.Series([1.0, 0, 1, 0, 1, 0, 1, 1, -1] * 5)) == {}
    assert is_summary("Average rating") and not is_summary("Meaning") and not is_summary("Summer")
    assert guess_scale(2, 6) == (1, 7) and guess_scale(3, 88) == (1, 100)
    table = pd.DataFrame({"A": [1, 2, 5, 4], "B": [2, 2, 2, 3], "C": [1, 2, 2, 1]})
    assert find_computed(table, list(table)) == {}


def test_a_rare_number_at_the_end_is_asked_about_or_said_first(read, rng):
    data = read(rows(cell=lambda t, r, s: 8 if t in (2, 9, 17) and r == "Kim" else s))
    said = "8 stands 3 times, all other scores run from 1 to 7. They count as scores."
    assert data.report.lines()[0].startswith(said)
    assert "--missing=8" in data.report.lines()[0] and "--scale=1,10" in data.report.lines()[0]
    honest = np.clip(rng.normal(4.4, 1.6, (200, 300)).round(), 1, 9)
    found = [find_rare(pd.Series(scores)) for scores in honest]
    assert sum(is_clear for _, is_clear in found) < 15 < sum(bool(rare) for rare, _ in found)
    assert find_rare(pd.Series(honest[0]), (1, 9)) == ({}, False)


def test_a_judge_s_column_called_like_a_rated_criterion_is_that_criterion(read):
    header, both = "item,rater,wit,Plot", lambda t, r, s: f"{s},{8 - s}"
    scores = judge(lambda t, quality: f"{quality},{8 - quality}", header="item,wit,plot")
    aspects = {"wit": "wit", "Plot": "plot"}
    _, told = read(rows(header.replace("Plot", "Is the plot good?"), cell=both), scores,
                   aspects={"wit": "wit", "Is the plot good?": "plot"})  # fmt: skip
    assert set(told["aspect"]) == set(aspects.values()) and len(told) == 48


# ── Names ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_rater_s_name_stands_in_no_report(read):
    data = read(spell((",Kim,", ",KIM,", 5)))
    told = str(data.report) + str(data.report.to_dict())
    assert not [name for name in ("Kim", "KIM", "kim", "Ira", "Lea", "Jon") if name in told]
    assert set(data.ratings["rater"]) == {"R1", "R2", "R3", "R4"}
    lines = wide(names=["Ann Lee", "Bob Roy", "Max", "Dana Fox"]).splitlines()
    lines = [lines[0] + ",Ann Lee: remarks", *[line + ",fine" for line in lines[1:]]]
    data = read("\n".join(lines), form="wide", leave_out=["Max"])
    told = str(data.report) + str(data.report.to_dict())
    assert not [name for name in ("Ann", "Bob", "Max", "Dana") if name in told]
    assert data.raters["R1"] == "Ann Lee"


def test_of_two_answers_the_one_that_is_told_counts(read):
    content = rows() + "T01,Ira,1\nT02,Ira,7\n"
    data = read(content, doubles="last")
    assert data.ratings["score"].iloc[-1] == 7 and "rows 2, 6" in str(data.report)
    assert read(content, doubles="first").ratings["score"].iloc[0] == RATINGS[1, "Ira"]
    _, found = read(rows(), judge() + "T01,3\n", judge_options={"doubles": "repeat"})
    assert found["repeat"].tolist()[-1] == "2"


MATCHED = [("{:04d}", "{}"), ("{}", "{:03d}"), ("{}", "{}.0"), ("T{:02d}", "t{:02d}")]
MATCHED += [("T{:02d}", "T{}"), ("T{:02d}", "T{:02d}.txt"), ("Story {}", "story_{:02d}")]


@pytest.mark.parametrize(("people", "theirs"), MATCHED)
def test_names_of_two_files_are_matched(read, people, theirs):
    data, scores = read(rows(name=people), judge(name=theirs))
    assert set(scores["item"]) == set(data.items["item"])
    if people.casefold() != theirs.casefold() or "T" in people:
        assert "differ in spelling" in str(scores.attrs["report"])


def test_names_are_matched_where_one_alone_can_be_meant():
    assert match_names(["t1"], ["T01", "T1"]) == {"t1": "T1"}
    assert match_names(["t_1"], ["T01", "T1"]) == {}
    assert match_names(["a"], ["A", "b"]) == {"a": "A"}
    assert count_words("A short tale.") == 3 and count_words("春眠不覚暁") == 5
    assert 50 < count_words("กาลครั้งหนึ่งนานมาแล้วมีชายชรา" * 12) < 80


def test_a_judge_may_score_more_or_fewer_texts(read, tmp_path):
    more = judge() + "".join(f"U{number},3\n" for number in range(40))
    _, scores = read(rows(), more)
    assert len(scores) == 24 and len(scores.attrs["not rated"]) == 40
    unrated = read_unrated(tmp_path / "judge.csv", read_ratings(tmp_path / "mine.csv"))
    assert unrated["item"].tolist()[:2] == ["U0", "U1"] and unrated["score"].eq(3).all()
    _, scores = read(rows(), "\n".join(judge().splitlines()[:9]))
    assert "16 of 24 rated texts have no score" in str(scores.attrs["report"])
    half = judge().replace("T1", "Z1")
    _, scores = read(rows(), half, judge_options={"unmatched": 0.5})
    assert len(scores) == 14 and scores.attrs["not rated"][0] == "Z10"


# ── A judge's scores ──────────────────────────────────────────────────────────────────────────────


def test_the_shape_of_scores(read):
    _, scores = read(rows(), judge(header="item;score").replace(",", ";").encode("utf-16"))
    assert list(scores) == ["item", "judge", "score"] and set(scores["judge"]) == {"the judge"}
    assert scores["score"].dtype == float and scores["score"].tolist() == [*map(float, TRUTH)]
    content = judge(lambda text, q: f"{q},{'error' if text < 4 else 'success'},1",
                    header="item,score,status,epoch")  # fmt: skip
    _, scores = read(rows(), content)
    assert list(scores) == ["item", "judge", "score", "repeat", "status"]
    assert scores["status"].tolist().count("ok") == 21
    assert "3 answers have another status" in str(scores.attrs["report"])
    two = judge(lambda text, quality: f"{quality},{8 - quality}", header="item,gpt,claude")
    _, scores = read(rows(), two, judge_options={"form": "wide"})
    assert set(scores["judge"]) == {"gpt", "claude"}
    failed = judge(lambda text, quality: "ERROR" if text % 8 == 1 else quality)
    assert len(read(rows(), failed, judge_options={"missing": "error"})[1]) == 21


TAKEN = ["length", "a person", "authorship"]


@pytest.mark.parametrize("name", [*TAKEN, "A  Perfect judge"])
def test_a_judge_called_like_a_control_is_renamed_with_a_sentence(read, name):
    content = judge(lambda text, quality: f"{name},{quality}", header="item,judge,score")
    _, scores = read(rows(), content)
    assert scores["judge"].nunique() == 1 and "(the judge)" in scores["judge"][0]
    assert scores.attrs["report"].lines()[0].startswith("The judge")


RELATED = [
    (lambda quality: round(1 + (quality - 1) * 1.5), "other"),
    (lambda quality: quality, "same"),
    (lambda quality: min(quality, 6), "same"),
]


@pytest.mark.parametrize(("change", "relation"), RELATED)
def test_a_judge_on_another_scale_is_said_first_and_left_as_it_is(read, change, relation):
    _, scores = read(rows(), judge(lambda text, quality: change(quality)))
    report = scores.attrs["report"]
    assert report.scale.relation == relation and report.scale.people == (1, 7)
    assert scores["score"].tolist() == pytest.approx([change(quality) for quality in TRUTH])
    assert ("scales" in report.lines()[0]) == (relation != "same")
    _, scores = read(rows(), judge(lambda text, quality: 4))
    assert "says the same (4) about every text" in scores.attrs["report"].lines()[0]


def test_it_is_rescaled_where_told(read):
    content = judge(lambda text, quality: round(1 + (quality - 1) * 1.5))
    for options in ({"rescale": True}, {"rescale": True, "scale": (1, 10)}):
        _, scores = read(rows(), content, judge_options=options)
        assert scores["score"].max() == 7 and scores["score"].min() == 1
        assert "Rescaled as told" in scores.attrs["report"].lines()[0]
    _, scores = read(rows(), judge(), judge_options={"rescale": True})
    assert scores["score"].tolist() == [*map(float, TRUTH)]


def test_a_judge_s_criteria_are_those_of_people(read):
    people = long("story,participant,How original is it? (1-7),How clear is it? (1-7)", rate, other)
    theirs = judge(lambda t, q: f"{q},{8 - q}", header="item,originality,clarity")
    named = {"How original is it? (1-7)": "Originality", "How clear is it? (1-7)": "Clarity"}
    _, scores = read(people, theirs, columns=named)
    assert set(scores["aspect"]) == {"Originality", "Clarity"} and len(scores) == 48
    data, scores = read(people, theirs, aspects={"How clear is it? (1-7)": "clarity"})
    assert set(scores["aspect"]) == {"clarity"} and len(data.ratings) == 96
    assert "aspect" not in read(people, judge(), columns=named)[1]
    in_rows = "item,aspect,score\n" + "".join(
        f"T{text:02d},{name},{quality}\n"
        for text, quality in enumerate(TRUTH, 1)
        for name in ("originality", "CLARITY", "pace")
    )
    _, scores = read(people, in_rows, columns=named)
    assert set(scores["aspect"]) == {"Originality", "Clarity"}
    assert "nobody rated are left out: pace" in str(scores.attrs["report"])


def test_two_files_and_one_list_of_columns(tmp_path):
    (tmp_path / "r.csv").write_text(rows("Which?,By?,score"))
    (tmp_path / "s.csv").write_text(judge(header="Text no?,score"))
    columns = ["Which?=item", "By?=rater", "Text no?=item"]
    data, scores = read_files(tmp_path / "r.csv", tmp_path / "s.csv", columns=columns)
    assert sizes(data) == PLAIN and len(scores) == 24
    with pytest.raises(DataError, match="no column 'Witch\\?' \\(perhaps 'Which\\?'\\)"):
        read_files(tmp_path / "r.csv", tmp_path / "s.csv", columns=[*columns, "Witch?=group"])
    assert read_files(tmp_path / "r.csv", columns=columns[:2])[1] is None
    (tmp_path / "s.csv").write_text(judge(lambda t, q: -1 if t < 4 else q, header="Text no?,score"))
    files = tmp_path / "r.csv", tmp_path / "s.csv"
    with pytest.raises(DataError, match="--judge-missing=-1"):
        read_files(*files, columns=columns)
    _, scores = read_files(*files, columns=columns, judge={"missing": [-1]})
    assert len(scores) == 21


def test_rows_can_be_chosen_and_all_is_in_the_report(read):
    status = {"Lea": "Rejected"}
    content = rows(
        "item,rater,status,score", cell=lambda t, r, s: f"{status.get(r, 'Approved')},{s}"
    )
    data = read(content, only={"status": "Approved"})
    assert sizes(data) == (24, 3, 72) and "24 in all" in str(data.report)
    assert sizes(read(content, leave_out=["Lea", "T01"])) == (23, 3, 69)
    cell = lambda t, r, s: -99 if t == 3 else "" if t == 4 else "6 (very)" if s == 6 else s  # noqa: E731
    content = rows("item,rater,score,comment", cell=lambda t, r, s: f"{cell(t, r, s)},x")
    report = read(content, missing=[-99]).report
    told = report.to_dict()
    assert json.loads(json.dumps(told)) == told
    assert (told["rows"], told["scores"], told["missing"]) == (96, 88, 4)
    assert told["codes"] == {"-99": 4} and told["labels"] == {"6 (very)": 6}
    assert told["not_read"] == {"comment": ""} and told["sizes"]["texts"] == 22
    assert report.lines()[0].startswith("mine.csv: 96 rows, one row per score; read: 22 texts")


def test_thirty_thousand_rows(tmp_path):
    lines = ["item,group,rater,score"]
    lines += [f"T{n // 3},P{n // 15},W{(n * 7) % 200},{(n * 31) % 5 + 1}" for n in range(30_000)]
    (tmp_path / "r.csv").write_text("\n".join(lines))
    scores = ["item,score"] + [f"T{n},{n % 5 + 1}" for n in range(10_000)]
    (tmp_path / "s.csv").write_text("\n".join(scores))
    start = time.process_time()
    data = read_ratings(tmp_path / "r.csv")
    assert len(read_scores(tmp_path / "s.csv", data)) == 10_000
    assert time.process_time() - start < 10  # seconds; about 1 on a quiet core
