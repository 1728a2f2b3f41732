"""Checks of whole tables and of facts in running text: they hold for true numbers and fail for
false ones."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from helpers.audit import attainable, checks
from helpers.audit.checks import Paper
from helpers.sources.files import DataError
from helpers.sources.published import KEY, Rounded


def printed(**values):
    """A paper whose table T prints `values` in one row r."""
    rows = [("made", "T", "r", name, value) for name, value in values.items()]
    return Paper("made", lines=pd.DataFrame(rows, columns=[*KEY, "value"]))


def line(paper, name):
    return paper.checked["T", "r", name]


def held(paper, *names):
    return [line(paper, name).holds for name in names]


def with_rules(tmp_path, lines, **values):
    (tmp_path / "made").mkdir(exist_ok=True)
    (tmp_path / "made" / "facts.csv").write_text(f"{','.join(checks.RULE)}\n{lines}")
    paper = printed(**values)
    paper.folder = tmp_path
    return paper


def gap_and_mean(paper):
    cells = paper.table("T")
    paper.check("T", (cells["x"] - cells["y"]).to_frame("gap"), "difference")
    paper.check("T", cells[["x", "y"]].mean(axis=1).to_frame("mean"), "mean")
    return held(paper, "gap", "mean")


@given(st.floats(-50, 50), st.floats(-50, 50), st.integers(0, 3))
def test_differences_and_means_of_true_numbers_are_never_contradicted_by_rounding(x, y, places):
    numbers = {"x": x, "y": y, "gap": x - y, "mean": (x + y) / 2}
    texts = {name: f"{number:.{places}f}" for name, number in numbers.items()}
    assert gap_and_mean(printed(**texts)) == [True, True]


@given(st.integers(-900, 900), st.integers(-900, 900), st.integers(4, 50), st.booleans())
def test_differences_and_means_that_no_rounding_explains_are_found(x, y, off, up):
    off = off if up else -off  # in units of the last place; rounding explains 1.5 at most
    numbers = {"x": x, "y": y, "gap": x - y + off, "mean": (x + y) / 2 + off}
    texts = {name: f"{number / 10:.1f}" for name, number in numbers.items()}
    assert gap_and_mean(printed(**texts)) == [False, False]


def test_one_quantity_in_two_places_agrees_up_to_the_coarser_rounding_from_both_sides():
    pairs = [("0.41", "0.4149", True), ("0.42", "0.4149", False), ("", "0.4149", False)]
    for one, two, right in [*pairs, ("0.64", "0.64", True), ("0.64", "0.65", False)]:
        paper = printed(one=one, two=two)
        paper.same(("T", "r", "one"), ("T", "r", "two"))
        assert held(paper, "one", "two") == [right, right]
        coarse = one in ("0.41", "0.42")
        assert line(paper, "two").bound is coarse, "a coarser copy leaves digits open"


def test_a_check_of_a_cell_that_is_not_printed_is_an_error_that_names_it():
    with pytest.raises(KeyError, match=r"made prints no T \| r \| b"):
        printed(a="1").check("T", pd.DataFrame({"b": {"r": 1.0}}), "x")
    with pytest.raises(DataError, match=r"made, T \| r \| a: basis 'guess'; expected one of"):
        printed(a="1").check("T", pd.DataFrame({"a": {"r": 1.0}}), "x", "guess")


def test_the_first_check_of_the_strongest_basis_counts_and_of_two_bounds_the_one_that_fails():
    paper = printed(a="3", b="3")
    bases = [
        (None, "none"),
        (2, "printed"),
        (3, "printed"),
        (3.1, "code"),
        (3.2, "raw"),
        (4, "raw"),
    ]
    for value, basis in bases:
        paper.note(("T", "r", "a"), value, basis, f"{basis} {value}", True)
    assert line(paper, "a").how == "raw 3.2"
    for how, right in (("holds", True), ("fails", False), ("holds too", True)):
        paper.note(("T", "r", "b"), 3, "raw", how, right, bound=True)
    assert line(paper, "b").how == "fails"
    paper.note(("T", "r", "b"), 3, "printed", "fixes it", True)
    assert line(paper, "b").how == "fixes it"


def test_cells_that_are_not_a_number_are_left_and_holds_decides_where_given():
    paper, nothing = printed(a="3", b="4"), pd.DataFrame({"a": {"r": np.nan}})
    paper.check("T", nothing, "nothing found")
    assert paper.checked == {}
    paper.check("T", nothing, "a claim", holds=pd.DataFrame({"a": {"r": False}}))
    words, right = (pd.DataFrame({"b": {"r": value}}) for value in ("its own words", True))
    paper.check("T", pd.DataFrame({"b": {"r": 9.0}}), words, holds=right, bound=right)
    assert held(paper, "a", "b") == [False, True]
    assert line(paper, "b").how == "its own words" and line(paper, "b").bound


def test_who_leads_a_column_is_checked_from_both_sides():
    rows = [("ours", "x", "9"), ("ours", "y", "5"), ("a", "x", "7"), ("a", "y", "3")]
    rows += [("b", "x", "8"), ("b", "y", "")]
    lines = pd.DataFrame([("made", "T", *row) for row in rows], columns=[*KEY, "value"])
    paper = Paper("made", lines=lines)
    paper.leads("T", "ours", ["ours", "a", "b"], "highest", "below ours")
    best = checks.Check(8, "printed", "claim: highest", holds=True, bound=True)
    assert paper.checked["T", "ours", "x"] == best
    assert paper.checked["T", "b", "x"].computed == 9
    assert ("T", "b", "y") not in paper.checked, "a blank rival is left"
    worse = paper.changed(("T", "b", "x"), "9")
    worse.leads("T", "ours", ["a", "b"], "highest", "below ours", ["x"])
    found = [worse.checked["T", row, "x"].holds for row in ("ours", "a", "b")]
    assert found == [False, True, False] and len(worse.checked) == 3, "a tie is no lead"


STATED = [
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


@pytest.mark.parametrize(("value", "relation", "fact", "holds"), STATED)
def test_a_fact_stands_to_the_printed_number_as_its_rule_says(
    tmp_path, value, relation, fact, holds
):
    paper = with_rules(tmp_path, f"T,*,a,size,{relation},printed,as {{reading}}{{unit}}\n", a=value)
    paper.facts({"size": fact, "unit": "s"})
    assert held(paper, "a") == [holds]
    reading = list(fact)[-1] if isinstance(fact, dict) else ""
    words, _, between = line(paper, "a").how.partition("; so between ")
    assert words == f"as {reading}s"
    assert bool(between) is (isinstance(fact, Rounded) and relation == ""), "a window has its ends"


def test_a_rule_may_name_a_printed_cell_and_the_first_rule_counts(tmp_path):
    rules = "T,r,a,T | r | b,,printed,same\nT,r,*,size,,raw,counted\nT,*,*,,,none,no data\n"
    paper = with_rules(tmp_path, rules, a="0.41", b="0.414")
    paper.facts({})  # without the raw fact
    assert held(paper, "a") == [True] and line(paper, "b").how == checks.SAME, "both ways"
    paper.facts({"size": 1.0})
    assert line(paper, "b").basis == "raw" and held(paper, "b") == [False]


SUMMARIES = [
    ("T | * | [bc]* | max", 7),
    ("T | * | * | min", 3),
    ("T | r | * | columns", 3),
    ("T | * | * | rows", 1),
]


@pytest.mark.parametrize(("summary", "found"), SUMMARIES)
def test_a_rule_may_name_a_summary_of_printed_cells_and_blanks_do_not_count(
    tmp_path, summary, found
):
    rule = f"T,r,a,{summary},,printed,counted\n"
    paper = with_rules(tmp_path, rule, a="3", b="5", cc="7", blank="")
    paper.facts()
    assert line(paper, "a").computed == found and held(paper, "a") == [found == 3]


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
    paper = printed(a="0.52")
    cell = pd.DataFrame({"a": {"r": 0.52}})
    paper.check("T", Rounded(cell, cell - width / 2, cell + width / 2), "a window")
    assert line(paper, "a").bound is bound


@given(st.integers(1, 300), st.data())
def test_every_share_of_a_count_is_attainable(n, drawn):
    paper = printed(a=f"{100 * drawn.draw(st.integers(0, n)) / n:.1f}")
    paper.check("T", attainable.shares(paper.grid("T"), n), "attainable")
    assert held(paper, "a") == [True]


@given(st.permutations(range(12)))
def test_p_of_a_rank_correlation_equals_scipy(order):
    rho, p = stats.spearmanr(range(12), order)
    assert attainable.spearman_p(rho, 12) == pytest.approx(p, abs=1e-9)
    assert list(attainable.spearman_p(np.array([1.0, -1.0, 0.0]), 10)) == [0, 0, 1]


def test_p_of_f_and_f_of_p_invert_each_other_and_keep_their_bounds():
    paper = printed(F="4.26", p="0.017", wrong="0.027")
    p = attainable.p_of_f(paper.table("T")["F"], 2, 87)
    for name in ("p", "wrong"):
        paper.check("T", p.to_frame(name), "upper tail")
    assert held(paper, "p", "wrong") == [True, False] and p.low["r"] < p.mid["r"] < p.high["r"]
    back = attainable.f_of_p(p, 2, 87)
    assert (back.low["r"], back.mid["r"], back.high["r"]) == pytest.approx((4.255, 4.26, 4.265))
    tiny = pd.Series([stats.f.sf(161.46, 14, 126), 0.0, 1.5])
    assert list(attainable.f_of_p(Rounded(tiny), 14, 126).mid) == [pytest.approx(161.46), np.inf, 0]
