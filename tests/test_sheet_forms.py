"""The forms of a reader's file: pairs, ranks, a column per rater, per item or per judge; and the
question where a file can be read in two ways."""

import re

import pytest
from goodjudge.data import orders

from helpers.measures import sheets
from helpers.sources.files import DataError


def list_ratings(data):
    """Return {(item, rater): score}; with aspects {(item, rater, aspect): score}."""
    case = [name for name in ("item", "rater", "aspect") if name in data.ratings]
    return data.ratings.set_index(case)["score"].to_dict()


def list_commands(told):
    """Return the columns of all lines COLUMNS='…' of a message, as they stand there."""
    return re.findall(r"COLUMNS='(.*?)'", told)


# one column per rater

PER_RATER = "story,R1,R2\nA,3,4\nB,2,\n"


def test_a_column_per_rater_named_so_is_read(read):
    assert list_ratings(read(PER_RATER)) == {("A", "R1"): 3, ("A", "R2"): 4, ("B", "R1"): 2}
    told = sheets.tell_columns_read(read(PER_RATER))
    assert "one row per item, with a column for each rater" in told
    assert "score: R1, R2" in told
    assert "1 of 4 ratings are missing." in told


def test_columns_that_may_be_raters_or_aspects_are_asked_about(refuse, read):
    text = "item,Anna,Bert\nA,3,4\nB,2,5\n"
    told = refuse(text)
    assert list_commands(told) == ['{"*": "rater"}', '{"*": "score"}']
    assert list_ratings(read(text, {"*": "rater"}))["A", "R2"] == 4
    assert list_ratings(read(text, {"Anna": "rater", "Bert": "rater"}))["B", "R2"] == 5
    assert list_ratings(read(text, {"*": "score"}))["B", "R1", "Bert"] == 5


def test_facts_of_items_stay_beside_a_column_per_rater(read):
    data = read("item,writer,plot,R1,R2\nA,me,p,3,4\nB,you,q,2,1\n")
    assert data.items["writer"].tolist() == ["me", "you"]
    assert data.items["group"].tolist() == ["p", "q"]


def test_a_bad_cell_of_a_rater_s_column_is_named(refuse):
    told = refuse("item,R1,R2\nA,3,4\nB,2,x\nC,4,4\n")
    assert "mine.csv, row 3: R2 is 'x'; expected a number" in told


def test_a_year_among_the_others_is_asked_about(refuse, read):
    text = "item,year,Anna,Bert\nA,1999,3,4\nB,2001,2,5\n"
    told = refuse(text, {"*": "rater"})
    assert "year is named like an id or a time" in told
    assert list_commands(told)[0] == '{"*": "rater", "year": ""}'
    assert len(read(text, {"*": "rater", "year": ""}).ratings) == 4


# a form's export: one row per rater, a column per item

PER_ITEM = "Timestamp,Participant,Story 1,Story 2,Age\n1.1.,Ann,3,5,\n2.1.,Bob,2,4,\n"


def test_a_form_with_a_column_per_item_is_read(read):
    data = read(PER_ITEM.replace(",Age", "").replace(",\n", "\n"))
    assert list_ratings(data)["Story 2", "R1"] == 5
    told = sheets.tell_columns_read(data)
    assert "one row per rater, with a column for each item" in told
    assert "Not read: Timestamp." in told


def test_titles_as_columns_are_asked_about_and_read(refuse, read):
    text = "Participant,The Shop,Plum,Age\nAnn,3,5,30\nBob,2,4,41\n"
    told = refuse(text)
    assert list_commands(told)[0] == '{"*": "item"}'
    assert "Age is named like an id or a time" in refuse(text, {"*": "item"})
    data = read(text, {"*": "item", "Age": ""})
    assert list_ratings(data)["Plum", "R2"] == 4


def test_an_anonymous_form_has_a_rater_in_each_row(read):
    data = read("Timestamp,Story 1,Story 2\n1.1.,3,5\n1.1.,2,4\n")
    assert data.ratings.attrs["raters"] == {"R1": "row 2", "R2": "row 3"}


GRID = """Name,Wit [Story 1],Wit [Story 2],Depth [Story 1],Depth [Story 2]
Ann,1,2,3,4
Bo,1,1,2,2
"""
TURNED = """Name,Story 1 [Wit],Story 1 [Depth],Story 2 [Wit],Story 2 [Depth]
Ann,1,3,2,4
Bo,1,2,1,2
"""


def test_a_grid_s_brackets_hold_the_item_or_the_aspect(read, refuse):
    assert list_ratings(read(GRID))["Story 2", "R1", "Depth"] == 4
    assert list_ratings(read(TURNED))["Story 2", "R1", "Depth"] == 4
    vague = TURNED.replace("Story 1", "Plum").replace("Story 2", "Shop")
    assert list_commands(refuse(vague)) == ['{"[]": "item"}', '{"[]": "aspect"}']
    assert list_ratings(read(vague, {"[]": "aspect"}))["Shop", "R1", "Depth"] == 4


def test_one_question_about_every_story_has_no_aspect(read):
    grid = "Name,How good? [Plum],How good? [Shop]\nAnn,1,2\nBo,1,1\n"
    assert list_ratings(read(grid)) == {
        ("Plum", "R1"): 1,
        ("Shop", "R1"): 2,
        ("Plum", "R2"): 1,
        ("Shop", "R2"): 1,
    }


# several judges

PLAIN = "item,rater,score\nA,x,1\nA,y,2\nB,x,3\nB,y,3\n"


def test_several_judges_in_rows_or_in_columns(read, refuse):
    _, in_rows = read(PLAIN, scores="item,judge,score\nA,p,1\nB,p,2\nA,q,3\nB,q,1\n")
    in_columns = "item,p,q\nA,1,3\nB,2,1\n"
    assert list_commands(refuse(PLAIN, scores=in_columns))[-1] == '{"*": "judge"}'
    _, wide = read(PLAIN, {"*": "judge"}, in_columns)
    case = ["judge", "item", "score"]
    assert in_rows[case].to_numpy().tolist() == wide[case].to_numpy().tolist()
    assert "a column for each judge" in sheets.tell_scores_read(wide)


# ranks

RANKS = "item,rater,rank,group\na,x,1,p\nb,x,2,p\nc,x,3,p\nd,x,2,q\ne,x,1,q\n"


def test_ranks_become_places_from_below_within_the_group(read):
    data = read(RANKS)
    places = {item: place for (item, _), place in list_ratings(data).items()}
    assert places == {"a": 3, "b": 2, "c": 1, "d": 1, "e": 2}
    assert data.items["set"].tolist() == ["p", "p", "p", "q", "q"]
    assert orders.choose_within(data) == ("group", "rater")
    told = sheets.tell_columns_read(data)
    assert "its rank, 1 for the best" in told
    assert "rank: rank" in told


def test_a_rank_below_1_is_refused(refuse):
    assert "row 2: rank is 0; expected 1 for the best" in refuse(RANKS.replace("x,1,p", "x,0,p"))


def test_ranks_without_a_group_are_one_ranking_of_all(read):
    data = read("item,rater,rank\na,x,1\nb,x,2\nc,x,3\n")
    assert data.items["set"].unique().tolist() == [orders.ALL_ITEMS]
    assert data.items["group"].nunique() == 3


def test_a_judge_s_scores_and_ranks_become_places_too(read):
    scores = "item,score\na,9\nb,7\nc,8\nd,0\ne,5\n"
    _, judged = read(RANKS, scores=scores)
    assert judged.set_index("item")["score"].to_dict() == {"a": 3, "b": 1, "c": 2, "d": 1, "e": 2}
    ranks = "item,rank\na,1\nb,3\nc,2\nd,2\ne,1\n"
    _, ranked = read(RANKS, scores=ranks)
    assert ranked["score"].tolist() == judged["score"].tolist()


# pairs

PAIRS = """item_a,item_b,rater,preferred,writer_a,writer_b,words_a,words_b
Plum,Quince,Ann,a,me,you,10,20
Plum,Quince,Bob,tie,me,you,10,20
Rose,Plum,Ann,Rose,you,me,30,10
"""


def test_a_pair_is_a_ranking_of_two(read):
    data = read(PAIRS)
    assert list_ratings(data) == {
        ("Plum (with Quince)", "R1"): 2,
        ("Quince (with Plum)", "R1"): 1,
        ("Plum (with Quince)", "R2"): 1.5,
        ("Quince (with Plum)", "R2"): 1.5,
        ("Rose (with Plum)", "R1"): 2,
        ("Plum (with Rose)", "R1"): 1,
    }
    assert data.items["writer"].tolist() == ["me", "you", "you", "me"]
    assert data.items["words"].tolist() == [10, 20, 30, 10]
    assert orders.are_pairs(data)


def test_the_page_says_that_pairs_were_read_and_what_the_groups_are(read):
    told = sheets.tell_columns_read(read(PAIRS))
    assert "one row per pair of items: which of two was preferred" in told
    assert "item_a: item_a; item_b: item_b" in told
    assert "each pair counts as independent" in told


@pytest.mark.parametrize("cell", ["b", "B", "item_b", "second", "2", "Quince", "quince"])
def test_the_second_is_preferred_in_many_words(read, cell):
    data = read(f"item_a,item_b,rater,preferred\nPlum,Quince,Ann,{cell}\n")
    assert list_ratings(data)["Quince (with Plum)", "R1"] == 2


def test_a_cell_that_names_neither_is_one_sentence(refuse):
    told = refuse("item_a,item_b,rater,preferred\nPlum,Quince,Ann,Pear\n")
    assert told.startswith("mine.csv, row 2: preferred is 'Pear'; expected a, b or tie")
    told = refuse("item_a,item_b,rater,preferred\nPlum,Plum,Ann,a\n")
    assert "both items are 'Plum'; expected two items" in told
    assert "no column preferred" in refuse("item_a,item_b,rater\nA,B,x\n")


def test_a_letter_that_is_also_a_name_is_asked_about(refuse, read):
    text = "item_a,item_b,rater,preferred\nb,a,Ann,a\n"
    told = refuse(text)
    assert list_commands(told) == ['{"preferred": "preferred"}', '{"preferred": "preferred_item"}']
    by_side = read(text, {"preferred": "preferred"})
    assert list_ratings(by_side)["b (with a)", "R1"] == 2
    by_name = read(text, {"preferred": "preferred_item"})
    assert list_ratings(by_name)["a (with b)", "R1"] == 2


def test_both_orders_are_averaged_and_the_same_order_twice_is_refused(read, refuse):
    both = "item_a,item_b,rater,preferred\nPlum,Quince,Ann,a\nQuince,Plum,Ann,a\n"
    assert list_ratings(read(both))["Plum (with Quince)", "R1"] == 1.5
    twice = "item_a,item_b,rater,preferred\nPlum,Quince,Ann,a\nPlum,Quince,Ann,a\n"
    assert "by the same rater as in row 2" in refuse(twice)


def test_texts_are_counted_and_systems_are_writers(read):
    data = read("prompt,model_a,model_b,text_a,text_b,rater,winner\nq,m,n,one two,one,x,model_b\n")
    assert data.items["words"].tolist() == [2, 1]
    assert data.items["writer"].tolist() == ["m", "n"]
    assert data.items["group"].tolist() == ["q", "q"]
    by_system = read("prompt,model_a,model_b,rater,winner\nq,m,n,x,model_b\n")
    assert list_ratings(by_system)["n on q (with m on q)", "R1"] == 2


def test_pairs_that_share_items_make_groups_where_there_are_five(read):
    rows = "".join(f"a{k},b{k},x,a\nb{k},c{k},x,b\n" for k in range(5))
    data = read(f"item_a,item_b,rater,preferred\n{rows}")
    assert data.items["group"].nunique() == 5
    assert "pairs that share items make 5 groups" in sheets.tell_columns_read(data)
    assert orders.choose_within(data) == ("set", "rater")


def test_a_judge_of_pairs_has_preferences_or_scores_of_items(read):
    preferred = "item_a,item_b,preferred\nQuince,Plum,a\nPlum,Quince,a\nPlum,Rose,b\n"
    _, judged = read(PAIRS, scores=preferred)
    place = judged.groupby("item")["score"].mean().to_dict()
    assert place["Plum (with Quince)"] == 1.5, "it takes whichever stands first"
    assert place["Rose (with Plum)"] == 2
    _, judged = read(PAIRS, scores="item,score\nPlum,3\nQuince,9\nRose,3\n")
    place = judged.set_index("item")["score"].to_dict()
    assert place["Quince (with Plum)"] == 2
    assert place["Rose (with Plum)"] == 1.5


def test_a_judge_s_pairs_beside_scores_are_refused(refuse):
    told = refuse(PLAIN, scores="item_a,item_b,preferred\nA,B,a\n")
    assert told.startswith("judge.csv: has pairs, but the ratings have scores")


# JSON lines, as programs write them


def write_lines(tmp_path, *lines):
    """Write lines as a .jsonl file; return its path."""
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf8")
    return path


def test_json_lines_are_read_as_a_csv_is(tmp_path):
    one = '{"item": "A", "rater": "x", "score": 4, "note": null}'
    two = '{"item": "B", "rater": "x", "score": 2.5, "passed": true}'
    data = sheets.read_ratings(write_lines(tmp_path, one, "", two))
    assert list_ratings(data) == {("A", "R1"): 4, ("B", "R1"): 2.5}
    verdicts = sheets.read_ratings(write_lines(tmp_path, two), {"passed": "score"})
    assert list_ratings(verdicts) == {("B", "R1"): 1}


@pytest.mark.parametrize("line", ["{item: A}", '["A", 4]', '{"item": {"id": 1}}', "A,x,4"])
def test_a_line_that_is_no_flat_object_is_named(tmp_path, line):
    whole = '{"item": "A", "rater": "x", "score": 4}'
    with pytest.raises(DataError, match="mine.jsonl, row 2: .*expected a flat object in one line"):
        sheets.read_ratings(write_lines(tmp_path, whole, line))


# what forms really export

EXPORT = (
    "Timestamp;Your name;Age;How good? [Text 01];How good? [Text 02];Comments\n"
    "1.1.;Ann;31;3,5;prefer not to say;\n2.1.;Bob;27;2;4;nice\n3.1.;Cy;40;2;5;\n"
)


def test_a_form_s_grid_with_an_age_and_cells_that_decline_is_read(read):
    data = read(EXPORT)
    ratings = list_ratings(data)
    assert ratings["Text 01", "R1"] == 3.5
    assert ("Text 02", "R1") not in ratings and ratings["Text 02", "R2"] == 4
    told = sheets.tell_columns_read(data)
    assert "1 of 6 ratings are missing." in told
    assert "Not read: Timestamp, Age, Comments." in told


def test_a_header_of_many_columns_is_shortened_in_a_question(refuse):
    names = ",".join(f"question {number}" for number in range(40))
    told = refuse(f"who,{names}\nAnn{',1' * 40}\n")
    assert "question 8, … (41 in all)" in told
    assert "question 9" not in told


def test_pairs_as_forms_name_and_answer_them(read):
    text = (
        "Timestamp,Rater,Left text,Right text,Which is better?\n"
        "1,Ann,A,B,Left\n2,Bob,A,B,Both equally good\n3,Cy,A,B,prefer not to say\n4,Di,A,B,Right\n"
    )
    data = read(text)
    first = data.items.loc[data.items["name"] == "A", "item"].item()
    of_first = data.ratings[data.ratings["item"] == first].set_index("rater")["score"]
    assert of_first.to_dict() == {"R1": 2, "R2": 1.5, "R3": 1}


def test_without_known_columns_the_columns_of_pairs_are_named_too(refuse):
    assert "of pairs item_a, item_b, preferred" in refuse("left,right,better\nA,B,left\n")
