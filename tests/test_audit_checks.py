"""Checks of whole tables and of facts in running text: they hold for true numbers and fail for
false ones."""

import numpy as np
import pandas as pd
import pytest
from audit_kit import check_of, holds, one_row, paper_of
from hypothesis import given
from hypothesis import strategies as st

from helpers.audit import checks
from helpers.sources.files import DataError
from helpers.sources.published import Rounded


def check_gap_and_mean(paper):
    """Check `gap` and `mean` of a row that prints x and y; return whether they hold."""
    cells = paper.table("T")
    paper.check("T", (cells["x"] - cells["y"]).to_frame("gap"), "difference")
    paper.check("T", cells[["x", "y"]].mean(axis=1).to_frame("mean"), "mean")
    return holds(paper, "gap", "mean")


@given(st.floats(-50, 50), st.floats(-50, 50), st.integers(0, 3))
def test_differences_and_means_of_true_numbers_are_never_contradicted_by_rounding(x, y, places):
    numbers = {"x": x, "y": y, "gap": x - y, "mean": (x + y) / 2}
    texts = {name: f"{number:.{places}f}" for name, number in numbers.items()}
    assert check_gap_and_mean(one_row(**texts)) == [True, True]


@given(st.integers(-900, 900), st.integers(-900, 900), st.integers(4, 50), st.booleans())
def test_differences_and_means_that_no_rounding_explains_are_found(x, y, off, is_up):
    off = off if is_up else -off  # in units of the last place; rounding explains 1.5 at most
    numbers = {"x": x, "y": y, "gap": x - y + off, "mean": (x + y) / 2 + off}
    texts = {name: f"{number / 10:.1f}" for name, number in numbers.items()}
    assert check_gap_and_mean(one_row(**texts)) == [False, False]


COPIES = [  # a number, the number in another place, is it the same, are digits left open
    ("0.41", "0.4149", True, True),
    ("0.42", "0.4149", False, True),
    ("", "0.4149", False, False),
    ("0.64", "0.64", True, False),
    ("0.64", "0.65", False, False),
]


@pytest.mark.parametrize(("one", "two", "is_same", "is_coarser"), COPIES)
def test_one_quantity_in_two_places_agrees_up_to_the_coarser_rounding(
    one, two, is_same, is_coarser
):
    paper = one_row(one=one, two=two)
    paper.same(("T", "r", "one"), ("T", "r", "two"))
    assert holds(paper, "one", "two") == [is_same, is_same]
    assert check_of(paper, "two").bound is is_coarser


def test_a_check_of_a_cell_that_is_not_printed_is_an_error_that_names_it():
    computed = pd.DataFrame({"b": {"r": 1.0}})
    with pytest.raises(KeyError, match=r"made prints no T \| r \| b"):
        one_row(a="1").check("T", computed, "x")


def test_an_unknown_basis_is_an_error_that_names_the_cell():
    computed = pd.DataFrame({"a": {"r": 1.0}})
    with pytest.raises(DataError, match=r"made, T \| r \| a: basis 'guess'; expected one of"):
        one_row(a="1").check("T", computed, "x", "guess")


def test_the_first_check_of_the_strongest_basis_counts():
    paper = one_row(a="3")
    for basis in ("none", "printed", "code", "raw"):
        paper.note(("T", "r", "a"), 3, basis, f"first {basis}", True)
        paper.note(("T", "r", "a"), 4, basis, f"second {basis}", True)
    assert check_of(paper, "a").how == "first raw"


def test_of_two_bounds_the_one_that_fails_counts():
    paper = one_row(a="3")
    for how, right in (("holds", True), ("fails", False), ("holds too", True)):
        paper.note(("T", "r", "a"), 3, "raw", how, right, bound=True)
    assert check_of(paper, "a").how == "fails"


def test_a_check_that_fixes_a_number_counts_before_a_bound_of_a_stronger_basis():
    paper = one_row(a="3")
    paper.note(("T", "r", "a"), 3, "raw", "bounds it", True, bound=True)
    paper.note(("T", "r", "a"), 3, "printed", "fixes it", True)
    assert check_of(paper, "a").how == "fixes it"


def test_cells_for_which_nothing_was_computed_are_left():
    paper = one_row(a="3")
    paper.check("T", pd.DataFrame({"a": {"r": np.nan}}), "nothing computed")
    assert paper.checked == {}


def test_holds_decides_where_it_is_given():
    paper = one_row(a="3")
    unknown, fails = pd.DataFrame({"a": {"r": np.nan}}), pd.DataFrame({"a": {"r": False}})
    paper.check("T", unknown, "a claim", holds=fails)
    assert holds(paper, "a") == [False]


def test_each_cell_may_have_its_own_words_bound_and_remark():
    paper = one_row(a="3")
    words, yes, remark = (
        pd.DataFrame({"a": {"r": value}}) for value in ("its own words", True, "; and a remark")
    )
    paper.check("T", pd.DataFrame({"a": {"r": 9.0}}), words, holds=yes, bound=yes, remark=remark)
    assert check_of(paper, "a").how == "its own words; and a remark"
    assert check_of(paper, "a").bound
    assert check_of(paper, "a").holds


RANKED = {
    ("ours", "x"): "9",
    ("ours", "y"): "5",
    ("a", "x"): "7",
    ("a", "y"): "3",
    ("b", "x"): "8",
    ("b", "y"): "",
}


def test_who_leads_a_column_is_checked_from_both_sides():
    paper = paper_of(RANKED)
    paper.leads("T", "ours", ["ours", "a", "b"], "highest", "below ours")
    best = checks.Check(8, "printed", "claim: highest", holds=True, bound=True)
    assert paper.checked["T", "ours", "x"] == best
    assert paper.checked["T", "b", "x"].computed == 9
    assert ("T", "b", "y") not in paper.checked, "a blank rival is left"


def test_a_tie_is_no_lead_and_other_columns_are_left():
    tied = paper_of(RANKED | {("b", "x"): "9"})
    tied.leads("T", "ours", ["a", "b"], "highest", "below ours", ["x"])
    held = {row: check.holds for (_, row, _), check in tied.checked.items()}
    assert held == {"ours": False, "a": True, "b": False}
    assert len(tied.checked) == 3


def with_rules(folder, rules, **values):
    """Return a paper of one row with the lines `rules` of a facts.csv in `folder`."""
    (folder / "made").mkdir(exist_ok=True)
    (folder / "made" / "facts.csv").write_text(f"{','.join(checks.RULE)}\n{rules}")
    paper = one_row(**values)
    paper.folder = folder
    return paper


STATED = [  # printed, relation, fact, does it hold
    ("3", "", 3.4, True),
    ("3", "", 3.6, False),
    ("3", "", Rounded(9, 3.4, 9), True),
    ("2,000+", "", 2016, True),
    ("3", "each", Rounded(3, 2.6, 3.4), True),
    ("3", "each", Rounded(3, 2.6, 3.6), False),
    ("10%", "<", 9.9, True),
    ("10%", "<", 10.0, False),
    ("10%", "<=", 10.0, True),
    ("0.2", "<=", 0.21, False),
    ("0.4", ">", 0.5, True),
    ("0.4", ">", 0.4, False),
    ("0.4", ">", Rounded(0.5, 0.3, 0.6), False),
    ("1400", "within 50", 1450, True),
    ("1400", "within 50", 1349, False),
    ("30", "within 5", Rounded(30, 24, 31), False),
    ("1/3", "1/n", 0.36, True),
    ("1/3", "1/n", 0.41, False),
    ("0", "1/n", 0.41, False),
    ("5", "", {"points": 4.0, "per cent": 5.2}, True),
    ("5", "", {"points": 4.0}, False),
]


@pytest.mark.parametrize(("value", "relation", "fact", "right"), STATED)
def test_a_fact_stands_to_the_printed_number_as_its_rule_says(
    tmp_path, value, relation, fact, right
):
    paper = with_rules(tmp_path, f"T,*,a,size,{relation},printed,counted\n", a=value)
    paper.facts({"size": fact})
    assert holds(paper, "a") == [right]


def test_a_rule_may_name_facts_and_the_reading_that_is_nearest(tmp_path):
    paper = with_rules(tmp_path, "T,*,a,size,,printed,as {reading} in {unit}\n", a="5")
    paper.facts({"size": {"points": 4.0, "per cent": 5.2}, "unit": "all"})
    assert check_of(paper, "a").how == "as per cent in all"


def test_a_fact_that_leaves_a_window_open_says_its_ends(tmp_path):
    paper = with_rules(tmp_path, "T,*,a,size,,printed,counted\n", a="3")
    paper.facts({"size": Rounded(4, 0.5, 9)})
    assert check_of(paper, "a").how == "counted; so between 0.5 and 9"
    assert check_of(paper, "a").bound


def test_a_relation_that_only_bounds_says_no_window(tmp_path):
    paper = with_rules(tmp_path, "T,*,a,size,<,printed,counted\n", a="10")
    paper.facts({"size": Rounded(4, 0.5, 9)})
    assert check_of(paper, "a").how == "counted"
    assert check_of(paper, "a").bound


RULES = "T,r,a,T | r | b,,printed,same\nT,r,*,size,,raw,counted\nT,*,*,,,none,no data\n"


def test_a_rule_may_name_a_printed_cell_and_fixes_both_ways(tmp_path):
    paper = with_rules(tmp_path, RULES, a="0.41", b="0.414")
    paper.facts({})  # without the raw fact
    assert holds(paper, "a") == [True]
    assert check_of(paper, "b").how == checks.SAME


def test_a_raw_fact_counts_before_a_printed_one(tmp_path):
    paper = with_rules(tmp_path, RULES, a="0.41", b="0.414")
    paper.facts({"size": 1.0})
    assert check_of(paper, "b").basis == "raw"
    assert holds(paper, "b") == [False]


SUMMARIES = [
    ("T | * | [bc]* | max", 7),
    ("T | * | * | min", 3),
    ("T | r | * | columns", 3),
    ("T | * | * | rows", 1),
]


@pytest.mark.parametrize(("summary", "computed"), SUMMARIES)
def test_a_rule_may_name_a_summary_of_printed_cells_and_blanks_do_not_count(
    tmp_path, summary, computed
):
    rule = f"T,r,a,{summary},,printed,counted\n"
    paper = with_rules(tmp_path, rule, a="3", b="5", cc="7", blank="")
    paper.facts()
    assert check_of(paper, "a").computed == computed
    assert holds(paper, "a") == [computed == 3]


BAD_RULES = [
    ("T,r,a,size,,guess,x\n", "line 2: basis is 'guess'"),
    ("T,r,a,,,printed,x\n", "line 2: fact is ''; expected a fact with basis raw, code"),
    ("T,r,a,size,about,printed,x\n", "line 2: is is 'about'; expected one of .*within N"),
    ("T,r,a,size,,none,x\n", "line 2: fact is 'size'"),
    ("T,r,a,size,,printed\n", "line 2: 6 cells, expected 7"),
    ("T,r,a,T | * | z | max,,printed,x\n", "line 2: 'T | .* | z | max' must be printed cells"),
    ("T,r,a,T | * | a | mean,,printed,x\n", "line 2: .* one of max, min, rows, columns"),
    ("T,r,a,height,,printed,x\n", "line 2: no fact 'height'; known: size"),
]


@pytest.mark.parametrize(("rule", "message"), BAD_RULES)
def test_a_bad_rule_stops_with_file_and_line(tmp_path, rule, message):
    with pytest.raises(DataError, match=f"made/facts.csv, {message}"):
        with_rules(tmp_path, rule, a="1").facts({"size": 1})


@pytest.mark.parametrize(("width", "bound"), [(0.02, False), (0.0201, True)])
def test_a_window_of_more_than_two_last_places_bounds_a_number_and_does_not_fix_it(width, bound):
    paper = one_row(a="0.52")
    cell = pd.DataFrame({"a": {"r": 0.52}})
    paper.check("T", Rounded(cell, cell - width / 2, cell + width / 2), "a window")
    assert check_of(paper, "a").bound is bound
