"""What becomes a rating must look like one, in both files."""

import statistics

import pandas as pd
import pytest
from goodjudge.data.suspicious import find_codes, find_computed, guess_scale, is_summary
from made_files import RATERS, RATINGS, TRUTH, form, judge, rows, sizes, wide

PLAIN = (24, 4, 96)
RATER_NAMES = ["rater 1", "rater 2", "rater 3", "rater 4"]
MEAN = lambda values: round(statistics.mean(values), 2)  # noqa: E731
SD = lambda values: round(statistics.stdev(values), 2)  # noqa: E731


@pytest.mark.parametrize("code", [-99, -9, -1, -8, -999, 9, 99, 98, 88, 999, 9999, 55, 17])
def test_a_code_outside_the_scale_is_asked_about_never_counted(refuse, read, code):
    content = rows(
        cell=lambda text, rater, score: code if text in (4, 9) and rater == "Kim" else score
    )
    fault = refuse(content)
    assert f"rows 16, 36: {code} stands 2 times" in str(fault)
    assert "all other scores run from 1 to 7" in str(fault)
    (missing,) = fault.answers
    assert missing.options == {"missing": [code]} and "94 scores" in missing.result
    data = read(content, missing=[code])
    assert len(data.ratings) == 94 and data.report.codes == {code: 2}
    assert data.ratings["score"].between(1, 7).all()


@pytest.mark.parametrize("make", [lambda: wide(names=RATER_NAMES), form])
def test_codes_in_wide_files_and_forms(refuse, make):
    content = make().replace(",7,", ",-9,", 2)
    fault = str(refuse(content))
    assert "-9 stands" in fault and "row" in fault


def test_several_codes_are_asked_about_together(refuse):
    codes = {3: -1, 8: -9}
    fault = refuse(rows(cell=lambda text, rater, score: codes.get(text, score)))
    assert "-9 stands 4 times and -1 stands 4 times" in str(fault)
    assert fault.answers[0].options == {"missing": [-9, -1]}
    codes = {3: 98, 8: 99}
    fault = refuse(rows(cell=lambda text, rater, score: codes.get(text, score)))
    assert "98 stands 4 times and 99 stands 4 times" in str(fault)


@pytest.mark.parametrize(
    "change",
    [
        lambda score: score - 4,
        lambda score: score * 14,
        lambda score: -score * 1.37,
        lambda score: int(score > 4),
        lambda score: score + 3,
        lambda score: score / 7,
        lambda score: 0 if score < 3 else score,
    ],
)
def test_other_scales_are_no_codes(read, change):
    assert len(read(rows(cell=lambda text, rater, score: change(score))).ratings) == 96


@pytest.mark.parametrize("code", [-1, 0, 99, -99])
def test_a_judge_s_codes_are_asked_about_too(refuse, read, code):
    scores = judge(lambda text, quality: code if text % 6 == 1 else quality)
    fault = refuse(rows(), scores)
    assert f"{code} stands 4 times" in str(fault)
    _, found = read(rows(), scores, judge_options={"missing": [code]})
    assert len(found) == 20 and found.attrs["report"].codes == {code: 4}


def test_a_scale_that_is_told_is_held(refuse, read):
    assert "7 stands 15 times, lies outside the scale that was told 1 to 6" in str(
        refuse(rows(), scale=(1, 6))
    )
    assert read(rows(), scale=(1, 9)).ratings.attrs["scale"] == (1, 9)
    for scale in ((7, 1), 3, ("a", "b")):
        assert "expected" in str(refuse(rows(), scale=scale))


BELOW = {
    "Average": MEAN,
    "n": len,
    "Summe": sum,
    "Mittelwert": MEAN,
    "SD": SD,
    "Total": sum,
    "Median": statistics.median,
    "Max": max,
    "count": len,
    "Mean (n=24)": MEAN,
    "": MEAN,
    "all texts": MEAN,
}


@pytest.mark.parametrize("name", BELOW)
def test_a_row_computed_from_others_is_no_text(read, name):
    data = read(wide(names=RATER_NAMES, below={name: BELOW[name]}))
    assert sizes(data) == PLAIN
    assert any("computed" in why for _, _, why in data.report.left_out)


BESIDE = {
    "Mean": MEAN,
    "Sum": sum,
    "avg.": MEAN,
    "Total score": sum,
    "SD": SD,
    "Gesamt": sum,
    "panel": MEAN,
    "X": sum,
}


@pytest.mark.parametrize("name", BESIDE)
@pytest.mark.parametrize("options", [{"form": "wide"}, {"columns": {"*": "rater"}}])
def test_a_column_computed_from_others_is_no_rater(read, name, options):
    data = read(wide(beside={name: BESIDE[name]}), **options)
    assert sizes(data) == PLAIN and "computed" in data.report.not_read[name]


def test_several_summaries_below_each_other(read):
    below = {"Count": len, "Max": max, "Average": MEAN}
    data = read(wide(names=RATER_NAMES, below=below))
    assert sizes(data) == PLAIN and len(data.report.left_out) == 3


def test_a_rater_called_max_stays(read):
    data = read(wide(names=["Max", "Jon", "Kim", "Lea"]), form="wide")
    assert sizes(data) == PLAIN and data.raters["R1"] == "Max"


@pytest.mark.parametrize("name", ["Average", "mean", "panel"])
def test_a_rater_who_is_the_mean_of_the_others_is_left_out(read, name):
    more = "".join(
        f"T{text:02d},{name},{MEAN([RATINGS[text, rater] for rater in RATERS])}\n"
        for text in range(1, 25)
    )
    data = read(rows() + more)
    assert sizes(data) == PLAIN and data.report.left_out
    assert "panel" not in str(data.report)


def test_totals_in_rows_and_forms(read):
    totals = "".join(f"Total,{rater},{sum(TRUTH)}\n" for rater in RATERS)
    assert sizes(read(rows() + totals)) == PLAIN
    means = ",".join(str(MEAN([RATINGS[text, r] for r in RATERS])) for text in range(1, 25))
    data = read(form(before={"participant": lambda number, rater: rater}) + f"Average,{means}\n")
    assert sizes(data) == PLAIN
    total = {"Sum": lambda n, rater: sum(RATINGS[text, rater] for text in range(1, 25))}
    assert sizes(read(form(before={"participant": lambda n, r: r}, after=total))) == PLAIN


def test_one_rater_on_another_scale_is_asked_about(refuse):
    fault = refuse(rows(cell=lambda text, rater, score: score * 10 if rater == "Lea" else score))
    assert "one rater's scores reach 70, all others' 7" in str(fault)


def test_a_column_of_scores_that_numbers_the_rows_is_asked_about(refuse, read):
    content = rows("item,rater,wit,value", cell=lambda t, r, s: f"{s},{t * 4 + RATERS.index(r)}")
    fault = refuse(content)
    assert "'value' is another whole number in every row (4 to 99)" in str(fault)
    assert fault.answers[0].options == {"columns": {"value": ""}}
    assert read(content, columns={"value": ""}).ratings["score"].max() == 7
    scores = judge(lambda text, quality: 100 + text * 3)
    assert "another whole number" in str(refuse(rows(), scores))


def test_ordinary_ratings_raise_no_question(read):
    for low, step in ((1, 4 / 6), (0, 10 / 6), (1, 99 / 6)):
        change = lambda t, r, s, low=low, step=step: round(low + (s - 1) * step)  # noqa: E731
        data = read(rows(cell=change))
        assert sizes(data) == PLAIN and not data.report.left_out and not data.report.codes


def test_parts():
    assert find_codes(pd.Series([1.0, 2, 3])) == {}
    assert find_codes(pd.Series([4.0] * 9 + [-1])) == {-1.0: 1}
    assert find_codes(pd.Series([1.0, 0, 1, 0, 1, 0, 1, 1, -1] * 5)) == {}
    assert is_summary("Average rating") and not is_summary("Meaning") and not is_summary("Summer")
    assert guess_scale(2, 6) == (1, 7) and guess_scale(3, 88) == (1, 100)
    table = pd.DataFrame({"A": [1, 2, 5, 4], "B": [2, 2, 2, 3], "C": [1, 2, 2, 1]})
    assert find_computed(table, list(table)) == {}
