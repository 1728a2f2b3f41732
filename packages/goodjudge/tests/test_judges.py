"""A judge's scores: names that are taken, scales, criteria, what nobody rated, the report."""

import json

import pytest
from goodjudge.data.reading import read_files, read_ratings, read_scores, read_unrated
from goodjudge.errors import DataError
from made_files import RATERS, RATINGS, TRUTH, judge, rows, sizes


def test_the_shape_of_scores(read):
    _, scores = read(rows(), judge())
    assert list(scores) == ["item", "judge", "score"] and set(scores["judge"]) == {"the judge"}
    assert scores["score"].dtype == float
    _, scores = read(
        rows(), judge(lambda text, quality: f"{quality},ok,1", header="item,score,status,epoch")
    )
    assert list(scores) == ["item", "judge", "score", "repeat", "status"]


@pytest.mark.parametrize(
    "name",
    [
        "length",
        "Length",
        "a person",
        "always the same",
        "authorship",
        "a perfect judge",
        "the best without the writer",
        "A  Perfect judge",
    ],
)
def test_a_judge_called_like_a_control_is_renamed_with_a_sentence(read, name):
    content = judge(lambda text, quality: f"{name},{quality}", header="item,judge,score")
    _, scores = read(rows(), content)
    assert scores["judge"].nunique() == 1 and "(the judge)" in scores["judge"][0]
    assert scores.attrs["report"].lines()[0].startswith("The judge")


def test_a_constant_judge_is_said_first(read):
    _, scores = read(rows(), judge(lambda text, quality: 4))
    first = scores.attrs["report"].lines()[0]
    assert "says the same (4) about every text: it cannot tell them apart" in first
    assert len(scores) == 24


@pytest.mark.parametrize(
    "change, relation",
    [
        (lambda quality: round(1 + (quality - 1) * 1.5), "other"),
        (lambda quality: quality, "same"),
        (lambda quality: quality / 7, "other"),
        (lambda quality: quality * 14, "other"),
        (lambda quality: min(quality, 6), "same"),
        (lambda quality: min(quality, 5), "same"),
    ],
)
def test_a_judge_on_another_scale_is_said_first_and_left_as_it_is(read, change, relation):
    _, scores = read(rows(), judge(lambda text, quality: change(quality)))
    report = scores.attrs["report"]
    assert report.scale.relation == relation and report.scale.people == (1, 7)
    assert scores["score"].tolist() == pytest.approx([change(quality) for quality in TRUTH])
    assert ("scales" in report.lines()[0]) == (relation != "same")


def test_it_is_rescaled_where_told(read):
    content = judge(lambda text, quality: round(1 + (quality - 1) * 1.5))
    for options in ({"rescale": True}, {"rescale": True, "scale": (1, 10)}):
        _, scores = read(rows(), content, judge_options=options)
        assert scores["score"].between(1, 7).all()
        assert scores["score"].max() == 7 and scores["score"].min() == 1
        assert "Rescaled as told" in scores.attrs["report"].lines()[0]
    _, scores = read(rows(), judge(), judge_options={"rescale": True})
    assert scores["score"].tolist() == [*map(float, TRUTH)]


def test_a_judge_s_criteria(read, refuse):
    people = "participant,story,How original is it? (1-7),How clear is it? (1-7)\n" + "".join(
        f"{rater},T{text:02d},{score},{8 - score}\n" for (text, rater), score in RATINGS.items()
    )
    theirs = judge(
        lambda text, quality: f"{quality},{8 - quality}", header="item,originality,clarity"
    )
    fault = refuse(people, theirs)
    assert "people rated How original is it?" in str(fault)
    assert not fault.answers
    named = {"How original is it? (1-7)": "Originality", "How clear is it? (1-7)": "Clarity"}
    data, scores = read(people, theirs, columns=named)
    assert set(scores["aspect"]) == {"Originality", "Clarity"} and len(scores) == 48
    data, scores = read(people, theirs, aspects={"How clear is it? (1-7)": "clarity"})
    assert set(scores["aspect"]) == {"clarity"} and len(data.ratings) == 96
    data, scores = read(people, judge(), columns=named)
    assert "aspect" not in scores
    long = "item,aspect,score\n" + "".join(
        f"T{text:02d},{name},{quality}\n"
        for text, quality in enumerate(TRUTH, 1)
        for name in ("originality", "CLARITY", "pace")
    )
    data, scores = read(people, long, columns=named)
    assert set(scores["aspect"]) == {"Originality", "Clarity"}
    assert "nobody rated are left out: pace" in str(scores.attrs["report"])


def test_columns_of_judges_and_of_facts(read, refuse):
    two = judge(lambda text, quality: f"{quality},{8 - quality}", header="item,gpt,claude")
    assert {"form": "wide"} in [answer.options for answer in refuse(rows(), two).answers]
    _, scores = read(rows(), two, judge_options={"form": "wide"})
    assert set(scores["judge"]) == {"gpt", "claude"}
    facts = judge(
        lambda text, quality: f"{quality},0.{text % 9 + 1},{300 + text}",
        header="item,creativity,confidence,tokens",
    )
    fault = refuse(rows(), facts)
    assert "'confidence' asks how sure" in str(fault)
    assert fault.answers[0].result.startswith("1 judge, 24 scores")


def test_status_says_which_answers_count(read):
    content = judge(
        lambda text, quality: f"{quality},{'error' if text < 4 else 'success'}",
        header="item,score,status",
    )
    _, scores = read(rows(), content)
    assert scores["status"].tolist().count("ok") == 21
    assert "3 answers have another status" in str(scores.attrs["report"])


def test_a_word_for_a_failed_answer_is_asked_about(read, refuse):
    content = judge(lambda text, quality: "ERROR" if text % 8 == 1 else quality)
    fault = refuse(rows(), content)
    assert fault.answers[0].options == {"missing": ["ERROR"]} and "rows 2, 10, 18" in str(fault)
    _, scores = read(rows(), content, judge_options={"missing": "error"})
    assert len(scores) == 21


def test_ratings_that_are_all_the_same_are_said_first(read):
    data = read(rows(cell=lambda text, rater, score: 4))
    assert data.report.lines()[0].startswith("All 96 scores are the same (4)")


def test_numbers_that_a_spreadsheet_shortened(refuse):
    content = rows(name="1.23E+17").replace("{}", "")
    assert "a spreadsheet has shortened" in str(refuse(content))


def test_pairs_beside_scores_are_refused(refuse):
    assert "has pairs, but the ratings have scores" in str(
        refuse(rows(), "item_a,item_b,preferred\nT01,T02,a\n")
    )


def test_unrated_texts(tmp_path):
    (tmp_path / "r.csv").write_text(rows())
    (tmp_path / "s.csv").write_text(judge() + "U1,3\nU2,4\n")
    data = read_ratings(tmp_path / "r.csv")
    unrated = read_unrated(tmp_path / "s.csv", data)
    assert unrated["item"].tolist() == ["U1", "U2"] and unrated["score"].tolist() == [3, 4]


def test_two_files_and_one_list_of_columns(tmp_path):
    (tmp_path / "r.csv").write_text(rows("Which?,By?,score"))
    (tmp_path / "s.csv").write_text(judge(header="Text no?,score"))
    columns = ["Which?=item", "By?=rater", "Text no?=item"]
    data, scores = read_files(tmp_path / "r.csv", tmp_path / "s.csv", columns=columns)
    assert sizes(data) == (24, 4, 96) and len(scores) == 24
    with pytest.raises(DataError, match="no column 'Witch\\?' \\(perhaps 'Which\\?'\\)"):
        read_files(tmp_path / "r.csv", tmp_path / "s.csv", columns=[*columns, "Witch?=group"])
    data, scores = read_files(tmp_path / "r.csv", columns=columns[:2])
    assert scores is None
    (tmp_path / "s.csv").write_text(judge(lambda t, q: -1 if t < 4 else q, header="Text no?,score"))
    with pytest.raises(DataError, match="--judge-missing=-1"):
        read_files(tmp_path / "r.csv", tmp_path / "s.csv", columns=columns)
    _, scores = read_files(
        tmp_path / "r.csv", tmp_path / "s.csv", columns=columns, judge={"missing": [-1]}
    )
    assert len(scores) == 21


def test_rows_can_be_chosen(read, refuse):
    content = rows(
        "item,rater,status,score",
        cell=lambda t, r, s: f"{'Rejected' if r == 'Lea' else 'Approved'},{s}",
    )
    data = read(content, only={"status": "Approved"})
    assert sizes(data) == (24, 3, 72) and "24 in all" in str(data.report)
    assert "no row has 'x' in 'status'" in str(refuse(content, only={"status": "x"}))
    data = read(content, leave_out=["Lea", "T01"])
    assert sizes(data) == (23, 3, 69)
    assert "leave_out names no" in str(refuse(content, leave_out=["nobody"]))


def test_the_report_comes_as_sentences_and_as_json(read):
    cell = lambda t, r, s: -99 if t == 3 else "" if t == 4 else "6 (very)" if s == 6 else s  # noqa: E731
    data = read(
        rows("item,rater,score,comment", cell=lambda t, r, s: f"{cell(t, r, s)},x"), missing=[-99]
    )
    told = data.report.to_dict()
    assert json.loads(json.dumps(told)) == told
    assert told["rows"] == 96 and told["scores"] == 88 and told["missing"] == 4
    assert told["codes"] == {"-99": 4} and told["labels"] == {"6 (very)": 6}
    assert told["not_read"] == {"comment": ""} and told["sizes"]["texts"] == 22
    assert data.report.lines()[0].startswith("mine.csv: 96 rows, one row per score; read: 22 texts")


def test_the_shape_of_ratings(read):
    data = read(
        rows(
            "story,reader,group,writer,words,score",
            cell=lambda t, r, s: f"P{t % 6},W{t % 3},{100 + t},{s}",
        ),
        columns={"reader": "rater"},
    )
    assert list(data.items) == ["item", "group", "writer", "words"]
    assert list(data.ratings) == ["item", "rater", "score"] and data.source == "own"
    assert data.raters == {f"R{number}": name for number, name in enumerate(RATERS, 1)}
    assert data.items["words"].dtype == float
    data.ratings.merge(data.items).groupby("item").mean(numeric_only=True)


def test_a_hundred_thousand_rows(tmp_path):
    import time

    lines = ["item,group,rater,score"]
    lines += [f"T{n // 3},P{n // 15},W{(n * 7) % 200},{(n * 31) % 5 + 1}" for n in range(100_002)]
    (tmp_path / "r.csv").write_text("\n".join(lines))
    scores = ["item,score"] + [f"T{n},{n % 5 + 1}" for n in range(33_334)]
    (tmp_path / "s.csv").write_text("\n".join(scores))
    start = time.process_time()
    data = read_ratings(tmp_path / "r.csv")
    assert len(read_scores(tmp_path / "s.csv", data)) == 33_334
    assert time.process_time() - start < 20  # seconds; about 5 on a quiet core
