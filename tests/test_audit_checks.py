"""Checks of whole tables: they hold for true numbers and fail for false ones."""

import pandas as pd
import pytest
from audit_kit import cell, check_of, holds, one_row, paper_of
from hypothesis import given
from hypothesis import strategies as st

from helpers.audit import checks
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


@pytest.mark.parametrize(("width", "bound"), [(0.02, False), (0.0201, True)])
def test_a_window_of_more_than_two_last_places_bounds_a_number_and_does_not_fix_it(width, bound):
    paper = one_row(a="0.52")
    middle = cell("a", 0.52)
    paper.check("T", Rounded(middle, middle - width / 2, middle + width / 2), "a window")
    assert check_of(paper, "a").bound is bound


def test_what_is_required_decides_and_not_the_number_compared():
    paper = one_row(a="3", b="3")
    allowed = pd.DataFrame({"a": {"r": False}, "b": {"r": True}})
    compared = pd.DataFrame({"a": {"r": 3.0}, "b": {"r": 9.0}})
    paper.require("T", allowed, "a rule", compared)
    assert check_of(paper, "a") == checks.Check(3.0, "printed", "a rule", False, False)
    assert check_of(paper, "b") == checks.Check(9.0, "printed", "a rule", True, False)


def test_a_claim_says_that_it_is_one_and_only_bounds_a_number():
    paper = one_row(a="3")
    paper.claim("T", cell("a", True), "above 2", cell("a", 2.0))
    assert check_of(paper, "a") == checks.Check(2.0, "printed", "claim: above 2", True, True)


RANKED = {
    ("ours", "x"): "9",
    ("ours", "y"): "5",
    ("a", "x"): "7",
    ("a", "y"): "3",
    ("b", "x"): "8",
    ("b", "y"): "",
}


def test_who_leads_a_column_is_compared_with_the_next_best():
    paper = paper_of(RANKED)
    paper.leads("T", "ours", ["ours", "a", "b"], "highest")
    best = checks.Check(8, "printed", "claim: highest", holds=True, bound=True)
    assert paper.checked["T", "ours", "x"] == best
    assert paper.checked["T", "ours", "y"].computed == 3
    assert len(paper.checked) == 2, "the rivals are left"


def test_a_tie_is_no_lead_and_other_columns_are_left():
    tied = paper_of(RANKED | {("b", "x"): "9"})
    tied.leads("T", "ours", ["a", "b"], "highest", ["x"])
    tied.trails("T", "ours", ["a", "b"], "below ours", ["x"])
    held = {row: check.holds for (_, row, _), check in tied.checked.items()}
    assert held == {"ours": False, "a": True, "b": False}
    assert len(tied.checked) == 3
