"""Checks of printed numbers: rounding intervals, attainable values, p from statistic, and what a paper does not print."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from helpers import audit, ledger


def printed(**values):
    """A paper whose table T prints `values` in one row r."""
    made = audit.Printed.__new__(audit.Printed)
    rows = [("ttcw", "T", "r", name, value) for name, value in values.items()]
    made.paper, made.lines = "ttcw", pd.DataFrame(rows, columns=[*ledger.KEY, "value"])
    made._values = made.lines.set_index(["table", "row", "column"])["value"].to_dict()
    return made


def key(name):
    return "T", "r", name


def test_a_number_that_a_paper_does_not_print_is_an_error_that_names_it():
    with pytest.raises(KeyError, match="ttcw prints no Table 5 | nowhere | x"):
        audit.Printed("ttcw").text("Table 5", "nowhere", "x")


def test_the_grid_of_a_table_keeps_the_printed_order():
    paper = audit.Printed("ttcw")
    grid, keys = paper.grid("Table 5"), paper.keys("Table 5")
    assert grid.shape == (15, 5) and list(dict.fromkeys(row for _, row, _ in keys)) == list(grid.index)
    assert all(grid.loc[row, column] == paper.number(table, row, column) for table, row, column in keys)


def test_bounds_hold_what_the_unrounded_number_can_have_been():
    assert printed(a="0.27").bounds(*key("a")) == pytest.approx((0.265, 0.275))


@given(st.floats(-50, 50), st.floats(-50, 50), st.integers(0, 3))
def test_differences_and_means_of_true_numbers_are_never_contradicted_by_rounding(x, y, places):
    paper = printed(x=f"{x:.{places}f}", y=f"{y:.{places}f}", gap=f"{x - y:.{places}f}", mean=f"{(x + y) / 2:.{places}f}")
    assert audit.check_difference(paper, key("gap"), key("x"), key("y"))["holds"]
    assert audit.check_mean(paper, key("mean"), [key("x"), key("y")])["holds"]


@given(st.integers(-900, 900), st.integers(-900, 900), st.integers(4, 50), st.booleans())
def test_differences_and_means_that_no_rounding_explains_are_found(x, y, off, up):
    off = off if up else -off  # in units of the last place; rounding explains 1.5 at most
    paper = printed(x=f"{x / 10:.1f}", y=f"{y / 10:.1f}", gap=f"{(x - y + off) / 10:.1f}", mean=f"{(x + y) / 20 + off / 10:.1f}")
    assert not audit.check_difference(paper, key("gap"), key("x"), key("y"))["holds"]
    assert not audit.check_mean(paper, key("mean"), [key("x"), key("y")])["holds"]


def test_one_quantity_in_two_places_agrees_up_to_the_coarser_rounding():
    paper = printed(fine="0.4149", coarse="0.41", other="0.42", blank="")
    assert audit.check_same(paper, key("coarse"), key("fine"))["holds"]
    assert audit.check_same(paper, key("fine"), key("coarse"))["holds"]
    assert not audit.check_same(paper, key("other"), key("fine"))["holds"]
    assert not audit.check_same(paper, key("blank"), key("fine"))["holds"]


@given(st.integers(1, 300), st.data())
def test_every_share_of_a_count_is_attainable(n, drawn):
    k = drawn.draw(st.integers(0, n))
    paper = printed(a=f"{100 * k / n:.1f}")
    line = audit.check_share(paper, key("a"), n)
    assert ledger.agrees(paper.text(*key("a")), line["computed"]) and line["basis"] == "printed"


def test_a_share_that_no_count_gives_is_found():
    line = audit.check_share(printed(a="27.9"), key("a"), 36)  # 10 of 36 is 27.8
    assert line["computed"] == pytest.approx(100 * 10 / 36) and not ledger.agrees("27.9", line["computed"])


def test_the_nearest_attainable_value():
    assert audit.nearest("0.52", [0, 1 / 3, 2 / 3, 1]) == 2 / 3
    assert audit.check_lattice(printed(a="0.67"), key("a"), [0, 1 / 3, 2 / 3, 1], "")["computed"] == 2 / 3


@given(st.permutations(range(12)))
def test_p_of_a_rank_correlation_equals_scipy(order):
    rho, p = stats.spearmanr(range(12), order)
    assert audit.spearman_p(rho, 12) == pytest.approx(p, abs=1e-9)


def test_p_of_a_perfect_correlation_is_zero_and_of_none_is_one():
    assert audit.spearman_p(1.0, 10) == audit.spearman_p(-1.0, 10) == 0 and audit.spearman_p(0.0, 10) == 1


def test_a_printed_p_of_f():
    paper = printed(F="4.26", p="0.017", wrong="0.027")
    assert stats.f.sf(4.26, 2, 87) == pytest.approx(0.0172, abs=2e-4)
    assert audit.check_f_p(paper, key("p"), key("F"), 2, 87)["holds"]
    assert not audit.check_f_p(paper, key("wrong"), key("F"), 2, 87)["holds"]


@pytest.mark.parametrize("size", [1, 2])
def test_every_correlation_of_tiers_and_no_other_is_attainable(size):
    truth = np.repeat([0, 1, 2], size)
    brute = {round(float(np.corrcoef(truth, order)[0, 1]), 9) for order in itertools.permutations(truth)}
    assert {round(float(value), 9) for value in audit.tier_correlations((size,) * 3)} == brute


def test_the_lattice_of_ninety_poems_holds_random_rankings_and_not_everything():
    lattice, rng = audit.tier_correlations(), np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 30)
    for _ in range(50):
        rho = stats.spearmanr(truth, rng.permutation(truth))[0]
        assert np.abs(lattice - rho).min() < 1e-9
    assert lattice.min() == pytest.approx(-1) and lattice.max() == pytest.approx(1) and (np.diff(lattice) > 0.01).all()
    with pytest.raises(ValueError, match="only equal sizes"):
        audit.tier_correlations((1, 2, 3))


def test_lines_carry_basis_and_verdict_rule():
    paper = printed(a="3")
    raw = audit.check_raw(paper, key("a"), 3.2, "x")
    assert raw["basis"] == "raw" and raw["holds"] is None
    claim = audit.check_claim(paper, key("a"), np.bool_(False), 2, "rule")
    assert claim["holds"] is False and claim["basis"] == "printed" and claim["computed"] == 2
    assert audit.check_count(paper, key("a"), 4, "sum")["computed"] == 4
