"""A reader's CSV files: what is read, what is asked about, and all faults in one message."""

import re
import unicodedata

import numpy as np
import pandas as pd
import pytest
from goodjudge.card import notes, verdicts
from goodjudge.comparison import compare
from goodjudge.diagnostics import reliability as people

from helpers.measures import sheets
from helpers.sources.files import DataError


def test_a_form_s_export_is_read(read):
    text = (
        "Timestamp;Participant;Story;Creative?;Coherence\n1.1.;Ann;A;3,5;4\n1.1.;Bob;A;2;\n;;;;\n"
    )
    data = read(f"\N{ZERO WIDTH NO-BREAK SPACE}{text}")
    found = data.ratings.set_index(["aspect", "rater"])["score"].to_dict()
    assert found == {("Creative?", "R1"): 3.5, ("Creative?", "R2"): 2, ("Coherence", "R1"): 4}
    assert data.items["group"].tolist() == ["A"], "without a group an item stands for itself"
    assert "Ann" not in data.ratings.to_csv() + data.items.to_csv()


RATED_ESSAY = "essay,coder,verdict,prompt,text\na,x,Yes,p1,one two\na,y,no,p1,one two\n"


def test_facts_of_items_and_verdicts_in_words(read):
    data = read(RATED_ESSAY, {"essay": "item"})
    assert data.items.to_dict("records") == [{"item": "a", "group": "p1", "words": 2}]
    assert data.ratings["score"].tolist() == [1, 0]


def test_a_judge_s_runs_are_its_repeats(read):
    _, scores = read("item,rater,score\na,x,1\n", scores="item,score,run\na,1,1\na,0,2\n")
    assert scores.columns.tolist() == ["item", "judge", "score", "repeat"]
    assert scores["repeat"].tolist() == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("item,rater,score\nA,x,5\nA,x,4\n", "row 3.*one row per item and rater"),
        ("item,rater,score\nA,x,5\nA,y,five\n", "row 3: score is 'five'; expected a number"),
        ("item,score\nA,5\n", "no column rater; found item, score; expected one row per score"),
        ("item,rater,score\nA,,5\n", "row 2: rater is ''; expected a name"),
        ("item,rater,score\nA,x,\n", "no score in it"),
        ("item,rater,remark\nA,x,nice\n", "no column score, and no other column of numbers"),
        ('item,rater,score\nA,x,1\n"B,y,2\n', "cannot be read as a CSV"),
        ("item,rater,score,group\nA,x,1,p\nA,y,2,q\n", "the same group in every row"),
        ("", "cannot be read as a CSV"),
        ("item,rater,score\nA,x,3,5\nA,y,4,5\n", "more cells than the header"),
    ],
)
def test_one_sentence_for_what_is_wrong(refuse, text, said):
    assert re.search(f"(?s)mine.csv.*{said}", refuse(text))


def test_scores_of_no_item_that_was_rated_are_refused(refuse):
    told = refuse("item,rater,score\nA,x,1\nA,y,2\n", scores="item,score\nB,1\n")
    assert "row 2: item is 'B'; expected an item of the ratings" in told


TWO_ASPECTS = "item,rater,wit,depth\nA,x,1,2\nA,y,2,1\nB,x,3,1\n"


def test_a_judge_s_only_column_that_is_no_aspect_is_not_to_be_left_out(refuse):
    told = refuse(TWO_ASPECTS, scores="item,GPT\nA,1\n")
    assert re.search("GPT .1 to 1: no aspect of the ratings", told)
    assert "leave out" not in told, "it is the only column"


def test_a_judge_may_score_a_part_of_the_items(read):
    data = read(TWO_ASPECTS)
    _, scores = read(TWO_ASPECTS, scores="item,wit\nA,1\n")
    size = people.count(data, scores)
    assert size["items"] == 2
    assert size["items that every judge scored"] == 1
    of_another = scores.assign(item="B", judge="another")
    size = people.count(data, pd.concat([scores, of_another]))
    assert size["items that every judge scored"] == 0


def make_wide(**columns):
    """Return a wide file of 12 stories by 3 raters: creativity from 1 to 7 and what is given,
    {name: function of story, rater and row}."""
    rng, rows = np.random.default_rng(0), []
    for story in range(12):
        for rater in range(3):
            row = {"story": f"s{story}", "rater": f"p{rater}", "creativity": rng.integers(1, 8)}
            facts = {name: value(story, rater, len(rows)) for name, value in columns.items()}
            rows.append(row | facts)
    return pd.DataFrame(rows).to_csv(index=False)


NO_RATINGS = [
    ("year", lambda story, rater, row: 2000 + story, "named like an id, a year or a time"),
    ("seconds", lambda story, rater, row: 30 + 7 * row % 50, "named like an id, a year or a time"),
    ("experience", lambda story, rater, row: 1 + rater, "the same in all rows of a rater"),
    ("plot_of_it", lambda story, rater, row: story % 5, "the same in all rows of an item"),
    ("response", lambda story, rater, row: row + 1, "another whole number in every row"),
]


@pytest.mark.parametrize(("name", "value", "reason"), NO_RATINGS)
def test_a_column_of_numbers_that_is_no_aspect_is_asked_about(refuse, name, value, reason):
    told = refuse(make_wide(**{name: value}))
    assert f"{name} (" in told
    assert reason in told
    assert """COLUMNS='{"creativity": "score"}'""" in told
    assert f"""COLUMNS='{{"{name}": ""}}'""" in told


@pytest.mark.parametrize(("name", "value", "reason"), NO_RATINGS)
def test_to_name_the_scores_or_to_leave_the_rest_out_answers_the_question(
    read, name, value, reason
):
    text = make_wide(**{name: value})
    for answer in ({"creativity": "score"}, {name: ""}):
        data = read(text, answer)
        assert data.ratings["score"].max() == 7
        assert "aspect" not in data.ratings


def test_aspects_on_one_short_scale_are_clear_and_others_are_asked_about(read, refuse):
    alike = make_wide(coherence=lambda story, rater, row: 2 + row % 4)
    assert set(read(alike).ratings["aspect"]) == {"creativity", "coherence"}
    apart = make_wide(coherence=lambda story, rater, row: row * row % 90)
    both = """COLUMNS='{"creativity": "score", "coherence": "score"}'"""
    assert both in refuse(apart)
    named = read(apart, {"creativity": "score", "coherence": "score"})
    assert set(named.ratings["aspect"]) == {"creativity", "coherence"}
    verdicts = make_wide(native=lambda story, rater, row: "Yes" if row % 5 else "No")
    assert "it is not clear which columns are ratings" in refuse(verdicts)


def test_what_was_said_already_and_a_shell_s_quotes_stand_in_the_proposal(refuse):
    text = "text no,rater,wit,rater's age\nA,x,4,20\nB,x,5,30\n"
    told = refuse(text, {"text no": "item"})
    assert """COLUMNS='{"text no": "item", "wit": "score"}'""" in told
    assert """'{"text no": "item", "rater'"'"'s age": ""}'""" in told


def test_a_comma_before_three_digits_is_never_a_decimal_in_silence(refuse, read):
    told = refuse('item,rater,score\nA,x,"1,050"\nB,x,950\nC,x,"1,000"\n')
    assert "row 2: score is '1,050'; expected 1050 or 1.05, whichever is meant" in told
    assert "row 4" in told
    german = read("item;rater;score\nA;x;3,5\nB;x;3,125\n")
    assert german.ratings["score"].tolist() == [3.5, 3.125], "3,5 tells what 3,125 means"
    assert "row 2: score is '1.050'" in refuse("item;rater;score\nA;x;1.050\nB;x;950\n")
    plain = read("item,rater,score\nA,x,1.050\nB,x,2.125\n")
    assert plain.ratings["score"].tolist() == [1.05, 2.125]


def test_all_faults_of_a_file_are_one_message(refuse):
    rows = ["A,x,5,p", "A,y,five,p", "B,,4,p", "A,x,4,p", "C,y", "B,z,4,q"]
    told = refuse("\n".join(["item,rater,score,group", *rows]))
    assert told.startswith("mine.csv: 5 faults:\n")
    assert "row 3: score is 'five'; expected a number, or Yes or No" in told
    assert "row 4: rater is ''; expected a name" in told
    assert "row 5: item is 'A', by the same rater as in row 2" in told
    assert "row 6: has fewer cells than the header (2, not 4)" in told
    assert "row 7: group is 'q', but 'p' in row 4" in told


def test_of_many_faults_ten_are_told_and_all_are_counted(refuse):
    rows = "".join(f"A{number},x,five\nA{number},y,5\n" for number in range(14))
    told = refuse(f"item,rater,score\n{rows}")
    assert told.startswith("mine.csv: 14 faults; the first 10:\n")
    assert len(told.splitlines()) == 11


def test_all_columns_that_are_missing_are_named_with_the_way_to_quote(refuse):
    told = refuse("Zeit;Text;Ihr Name\n1;2;3\n")
    assert "no column item and no column rater; found Zeit, Text, Ihr Name" in told
    assert """COLUMNS='{"its name 1": "item", "its name 2": "rater"}'""" in told


def test_one_word_in_a_column_of_numbers_is_named(refuse):
    told = refuse("item,rater,creativity\nA,x,3\nB,x,low\nC,x,4\n")
    assert told.startswith("mine.csv, row 3: creativity is 'low'; expected a number")


def test_what_says_that_there_is_no_score_is_counted_as_missing(read):
    data = read("item,rater,creativity\nA,x,3\nB,x,k. A.\nC,x,4\nD,x,n/a\nE,x,-\nF,x,\n")
    assert data.ratings["score"].tolist() == [3, 4]
    assert "4 of 6 ratings are missing." in sheets.tell_columns_read(data)
    assert "missing" not in sheets.tell_columns_read(read("item,rater,score\nA,x,3\n"))


def test_categories_and_preferences_are_told_what_to_do(refuse):
    rows = "".join(f"A{number},x,weak\nA{number},y,strong\n" for number in range(9))
    told = refuse(f"item,rater,score\n{rows}")
    assert told.count("\n") == 0
    assert "holds words ('weak', 'strong')" in told
    assert "write numbers in that order" in told
    assert "preferences between two texts" in told


def test_a_name_that_no_file_has_is_one_error_with_the_nearest(tmp_path):
    (tmp_path / "mine.csv").write_text("item,rater,score,Herkunft\nA,x,1,KI\nA,y,2,KI\n")
    (tmp_path / "judge.csv").write_text("Modell,item,score\ngpt,A,1\n")
    both = tmp_path / "mine.csv", tmp_path / "judge.csv"
    with pytest.raises(DataError) as fault:
        sheets.read_files(*both, {"Herkunf": "writer", "Modell": "judge"})
    assert "no file has a column 'Herkunf' (perhaps 'Herkunft'); found item" in str(fault.value)
    data, told = sheets.read_files(*both, {"Herkunft": "writer", "Modell": "judge"})
    assert data.items["writer"].tolist() == ["KI"]
    assert told["judge"].tolist() == ["gpt"]
    assert sheets.read_files(both[0])[1] is None


def test_two_columns_of_scores_are_asked_about(refuse, read):
    text = "item,rater,rating,points\nA,x,1,20\nB,x,4,50\n"
    assert "more than one column score: rating, points" in refuse(text)
    assert read(text, {"points": "score"}).ratings["score"].tolist() == [20, 50]


def test_yes_among_numbers_is_no_number(refuse, read):
    told = refuse("item,rater,score\nA,x,Yes\nB,x,4\n")
    assert "row 2: score is 'Yes'; expected a number, as elsewhere (say 4)" in told
    assert read("item,rater,score\nA,x,Yes\nB,x,0\n").ratings["score"].tolist() == [1, 0]


def test_a_code_among_yes_and_no_is_what_is_wrong(refuse):
    verdicts = "".join(f"{item},x,{'Yes' if item % 2 else 'No'}\n" for item in range(9))
    told = refuse(f"item,rater,score\n{verdicts}A,x,99\nB,x,99\n")
    assert "2 faults" in told and "Yes'" not in told
    assert "row 11: score is '99'; expected Yes or No, as elsewhere; leave the cell empty" in told


def test_scores_of_texts_that_nobody_rated_are_left_out_and_told(tmp_path):
    (tmp_path / "r.csv").write_text("item,rater,score\nA,x,1\nB,x,4\nC,x,4\n")
    (tmp_path / "s.csv").write_text("item,score\nA,1\nZ1,2\nB,3\nZ2,2\nZ3,2\nZ4,2\n")
    data, told = sheets.read_files(tmp_path / "r.csv", tmp_path / "s.csv")
    assert told["item"].tolist() == ["A", "B"] and told["score"].tolist() == [1, 3]
    (note,) = (said for said in notes.tell_scores(data, told) if "rated by nobody" in said)
    assert note.startswith("**4 of 6 items in the judge's file are rated by nobody** and left out")
    assert "Z1, Z2, Z3, …" in note
    assert "Rated items without a score: 1, such as C." in note


def test_a_number_that_no_rating_is_so_large_is_refused(refuse):
    told = refuse("item,rater,score\nA,x,1e308\nB,x,4\n")
    assert "row 2: score is '1e308'; expected a number below a billion" in told


def test_excel_s_first_line_and_comments_are_understood(read, refuse):
    data = read("sep=;\nitem;rater;score\nA;x;3,5\nB;x;4\n")
    assert data.ratings["score"].tolist() == [3.5, 4]
    assert "row 4: score is 'y'" in refuse("# my survey\nitem,rater,score\nA,x,3\nB,x,y\n")
    told = refuse("My survey\nitem,rater,score\nA,x,3\n")
    assert "row 1 has 1, row 2 has 3 cells; the first row must hold the names" in told


@pytest.mark.parametrize("title", ["My survey", "My survey, November", "My survey, spring, 2026"])
def test_a_title_above_cells_parted_by_semicolons_is_told_as_a_title(refuse, title):
    told = refuse(f"{title}\nitem;rater;score;note\nA;x;3;good\n")
    assert "the first row must hold the names of the columns: remove what stands above" in told


def test_commas_in_texts_do_not_part_cells_of_a_file_with_semicolons(read):
    told = read("item,rater,score\na, b, c and d,x,3\n".replace(",", ";").replace("; ", ", "))
    assert told.items["item"].tolist() == ["a, b, c and d"]


def test_a_first_row_of_blanks_alone_is_said(refuse):
    assert "its first row is empty" in refuse(" , , \nitem,rater,score\nA,x,3\n")


def test_one_item_in_two_spellings_of_an_accent_is_one(read):
    other = unicodedata.normalize("NFD", "é")
    data = read(f"item,rater,score\n{other},x,3\né,y,4\n", scores=None)
    assert data.items["item"].tolist() == ["é"]
    _, told = read("item,rater,score\né,x,3\né,y,4\n", scores=f"item,score\n{other},3\n")
    assert told["item"].tolist() == ["é"]


BAD_COLUMNS = [
    ([1], r"columns is [1]; expected {"),
    ({"a": 1}, 'columns is {"a": 1}; expected {'),
    ({"a": "b"}, "'a' is called 'b'; expected one of item, rater,"),
]


@pytest.mark.parametrize(("columns", "said"), BAD_COLUMNS)
def test_columns_that_are_none_are_one_clear_error(refuse, columns, said):
    assert said in refuse("item,rater,score\nA,x,1\n", columns)


def test_a_judge_s_columns_are_those_that_people_rated(refuse, read):
    told = refuse(TWO_ASPECTS, scores="item,wit,seconds\nA,1,30\n")
    assert "seconds (30 to 30: no aspect of the ratings)" in told
    _, left = read(TWO_ASPECTS, {"seconds": ""}, scores="item,wit,seconds\nA,1,30\n")
    assert left[["aspect", "score"]].to_numpy().tolist() == [["wit", 1]]
    plain = "item,rater,score\nA,x,1\nA,y,2\nB,x,3\n"
    _, told = read(plain, scores="item,GPT\nA,1\n")
    assert told["score"].tolist() == [1]
    assert "not clear which columns are ratings" in refuse(plain, scores="item,a,b\nA,1,3\n")


def make_long(items, raters, group=None):
    """Return a long file of ratings; group: function of an item's number."""
    rng = np.random.default_rng(1)
    rows = [
        {"item": f"t{item}", "rater": rater, "score": rng.integers(1, 8)}
        | ({"Herkunft": group(item)} if group else {})
        for item in range(items)
        for rater in range(raters)
    ]
    return pd.DataFrame(rows).to_csv(index=False)


def test_a_condition_taken_for_a_group_is_asked_about(read):
    columns = {"Herkunft": "group"}
    data = read(make_long(60, 3, lambda item: "KI" if item % 2 else "Mensch"), columns)
    told = sheets.ask_about_groups(data, columns)
    assert "The column 'Herkunft' was read as *group*, and makes 2 groups of 60 items" in told
    assert """COLUMNS='{"Herkunft": "writer"}'""" in told
    assert not sheets.ask_about_groups(read(make_long(60, 3, lambda item: item % 12), columns))
    assert not sheets.ask_about_groups(read(make_long(60, 3)))


def test_a_number_per_response_is_seen(read):
    data = read(make_long(10, 3))
    assert not sheets.has_response_ids(data)
    numbered = data.ratings.assign(rater=range(len(data.ratings)))
    assert sheets.has_response_ids(data._replace(ratings=numbered))
    one = read(make_long(1, 5))
    assert not sheets.has_response_ids(one), "five raters of one item are five raters"


def test_the_page_says_which_columns_were_read(read):
    data = read("Text;rater;score;Notiz\nA;x;1;hm\n", {"Text": "item"})
    told = sheets.tell_columns_read(data)
    assert "item: Text; rater: rater; score: score" in told
    assert "Not read: Notiz." in told


def test_a_column_name_that_resembles_none_is_said(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("item,rater,score\na,A,2\nb,B,3\n")
    with pytest.raises(DataError, match="no file has a column 'Wer?'".replace("?", "[?]")):
        sheets.read_files(path, columns={"Wer?": "rater"})


def test_few_groups_have_no_interval_not_even_of_a_perfect_judge(read):
    data = read(make_long(24, 3, lambda item: item % 2), {"Herkunft": "group"})
    scores = data.items[["item"]].assign(judge="a", score=range(24))
    found = compare.compare(data, scores, compare.statistics.pearson)
    assert found.filter(regex="low|high").isna().all(axis=None)
    answers = verdicts.answer(found, 0.1).to_numpy().ravel().tolist()
    assert set(answers) <= {"", "these data cannot tell: fewer than 5 groups"}


def test_a_number_is_spelt_in_one_way(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("item,rater,score\n1,A,2\n01,B,3\n1.1,A,2\n1.10,A,4\n2,007,5\n2,7,4\n")
    with pytest.raises(DataError) as fault:
        sheets.read_ratings(path)
    said = str(fault.value)
    assert "row 3: item is '01', and '1' in row 2; expected one spelling of one item" in said
    assert "row 7: rater is '7', and '007' in row 6" in said
    assert said.count("expected one spelling") == 2, "1.1 and 1.10 are two sections"
