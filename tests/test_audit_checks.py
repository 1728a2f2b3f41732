"""Checks of whole tables and of facts in running text: they hold for true numbers and fail for
false ones."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from helpers.audit import attainable, checks, evolvr, poetry, refbased, ttcw
from helpers.audit.checks import Paper
from helpers.audit.ledger import PAPERS
from helpers.evolvr.load import load_annotations
from helpers.sources.files import DataError
from helpers.sources.public import available
from helpers.sources.published import KEY, Rounded
from helpers.ttcw.load import load_verdicts

OPEN = pytest.mark.skipif(
    not (available("ttcw") and available("hanna")), reason="needs the open data"
)
RULES = "table,row,column,fact,is,basis,how\n"


def printed(**values):
    """A paper whose table T prints `values` in one row r."""
    rows = [("made", "T", "r", name, value) for name, value in values.items()]
    return Paper("made", lines=pd.DataFrame(rows, columns=[*KEY, "value"]))


def held(paper, name):
    return paper.found["T", "r", name]["holds"]


def with_rules(tmp_path, lines, **values):
    (tmp_path / "checks").mkdir(exist_ok=True)
    (tmp_path / "checks" / "made.csv").write_text(RULES + lines)
    paper = printed(**values)
    paper.data = tmp_path
    return paper


@given(st.floats(-50, 50), st.floats(-50, 50), st.integers(0, 3))
def test_differences_and_means_of_true_numbers_are_never_contradicted_by_rounding(x, y, places):
    paper = printed(
        x=f"{x:.{places}f}",
        y=f"{y:.{places}f}",
        gap=f"{x - y:.{places}f}",
        mean=f"{(x + y) / 2:.{places}f}",
    )
    cells = paper.table("T")
    paper.check("T", (cells["x"] - cells["y"]).to_frame("gap"), "difference")
    paper.check("T", cells[["x", "y"]].mean(axis=1).to_frame("mean"), "mean")
    assert held(paper, "gap") and held(paper, "mean")


@given(st.integers(-900, 900), st.integers(-900, 900), st.integers(4, 50), st.booleans())
def test_differences_and_means_that_no_rounding_explains_are_found(x, y, off, up):
    off = off if up else -off  # in units of the last place; rounding explains 1.5 at most
    paper = printed(
        x=f"{x / 10:.1f}",
        y=f"{y / 10:.1f}",
        gap=f"{(x - y + off) / 10:.1f}",
        mean=f"{(x + y) / 20 + off / 10:.1f}",
    )
    cells = paper.table("T")
    paper.check("T", (cells["x"] - cells["y"]).to_frame("gap"), "difference")
    paper.check("T", cells[["x", "y"]].mean(axis=1).to_frame("mean"), "mean")
    assert not held(paper, "gap") and not held(paper, "mean")


def test_one_quantity_in_two_places_agrees_up_to_the_coarser_rounding():
    paper = printed(
        fine="0.4149", coarse="0.41", other="0.42", second="0.4149", blank="", third="0.4149"
    )
    for one, two in (("coarse", "fine"), ("other", "second"), ("blank", "third")):
        paper.same(("T", "r", one), ("T", "r", two))
    assert held(paper, "coarse") and held(paper, "fine")
    assert not any(held(paper, name) for name in ("other", "second", "blank", "third")), (
        "from both sides"
    )


def test_a_check_of_a_cell_that_is_not_printed_is_an_error_that_names_it():
    with pytest.raises(KeyError, match=r"made prints no T \| r \| b"):
        printed(a="1").check("T", pd.DataFrame({"b": {"r": 1.0}}), "x")
    with pytest.raises(DataError, match=r"made, T \| r \| a: basis 'guess'"):
        printed(a="1").check("T", pd.DataFrame({"a": {"r": 1.0}}), "x", "guess")


def test_the_first_check_of_the_strongest_basis_counts():
    paper = printed(a="3")
    for value, basis in (
        (None, "none"),
        (2.0, "printed"),
        (3.0, "printed"),
        (3.2, "raw"),
        (4.0, "raw"),
    ):
        paper.note(("T", "r", "a"), value, basis, f"{basis} {value}", True)
    assert paper.found["T", "r", "a"]["how"] == "raw 3.2"


def test_cells_that_are_not_a_number_are_left_and_holds_decides_where_given():
    paper = printed(a="3", b="4")
    paper.check("T", pd.DataFrame({"a": {"r": np.nan}}), "nothing found")
    assert paper.found == {}
    paper.check(
        "T", pd.DataFrame({"a": {"r": np.nan}}), "a claim", holds=pd.DataFrame({"a": {"r": False}})
    )
    words, right = (pd.DataFrame({"b": {"r": value}}) for value in ("its own words", True))
    paper.check("T", pd.DataFrame({"b": {"r": 9.0}}), words, holds=right)
    assert (
        not held(paper, "a")
        and held(paper, "b")
        and paper.found["T", "r", "b"]["how"] == "its own words"
    )


def test_who_leads_a_column_is_checked_from_both_sides():
    cells = {
        ("ours", "x"): "9",
        ("ours", "y"): "5",
        ("a", "x"): "7",
        ("a", "y"): "3",
        ("b", "x"): "8",
        ("b", "y"): "",
    }
    rows = [("made", "T", row, column, value) for (row, column), value in cells.items()]
    paper = Paper("made", lines=pd.DataFrame(rows, columns=[*KEY, "value"]))
    paper.leads("T", "ours", ["a", "b"], "highest", "below ours")
    line = {
        "computed": 8,
        "basis": "printed",
        "how": "claim: highest",
        "holds": True,
        "bound": True,
    }
    assert paper.found["T", "ours", "x"] == line
    assert paper.found["T", "b", "x"]["computed"] == 9 and ("T", "b", "y") not in paper.found, (
        "a blank rival is left"
    )
    worse = paper.changed(("T", "b", "x"), "9")
    worse.leads("T", "ours", ["a", "b"], "highest", "below ours")
    assert not worse.found["T", "ours", "x"]["holds"] and not worse.found["T", "b", "x"]["holds"], (
        "a tie is no lead"
    )


@pytest.mark.parametrize(
    ("value", "relation", "fact", "holds"),
    [
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
        ("0.4", ">", Rounded(0.5, 0.3, 0.6), False),
        ("1400", "within 50", 1449, True),
        ("1400", "within 50", 1349, False),
        ("30", "within 5", Rounded(30, 24, 31), False),
        ("1/3", "1/n", 0.36, True),
        ("1/3", "1/n", 0.41, False),
        ("0", "1/n", 0.41, False),
        ("5", "", {"points": 4.0, "per cent": 5.2}, True),
        ("5", "", {"points": 4.0}, False),
    ],
)
def test_a_fact_stands_to_the_printed_number_as_its_rule_says(
    tmp_path, value, relation, fact, holds
):
    paper = with_rules(tmp_path, f"T,*,a,size,{relation},printed,as {{reading}}{{unit}}\n", a=value)
    paper.facts({"size": fact, "unit": "s"})
    assert held(paper, "a") is holds
    assert paper.found["T", "r", "a"]["how"].endswith("s")


def test_a_rule_may_name_a_printed_cell_and_the_first_rule_counts(tmp_path):
    rules = "T,r,a,T | r | b,,printed,same\nT,r,*,size,,raw,counted\nT,*,*,,,none,no data\n"
    paper = with_rules(tmp_path, rules, a="0.41", b="0.414")
    paper.facts({})  # without the raw fact
    assert held(paper, "a") and paper.found["T", "r", "b"]["how"] == checks.SAME, "both ways"
    paper.facts({"size": 1.0})
    assert paper.found["T", "r", "b"]["basis"] == "raw" and not held(paper, "b")


@pytest.mark.parametrize(
    ("summary", "found"),
    [
        ("T | * | [bc]* | max", 7),
        ("T | * | * | min", 3),
        ("T | r | * | columns", 3),
        ("T | * | * | rows", 1),
    ],
)
def test_a_rule_may_name_a_summary_of_printed_cells_and_blanks_do_not_count(
    tmp_path, summary, found
):
    paper = with_rules(
        tmp_path, f"T,r,a,{summary},,printed,counted\n", a="3", b="5", cc="7", blank=""
    )
    paper.facts()
    line = paper.found["T", "r", "a"]
    assert line["computed"] == found and line["holds"] is (found == 3)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T,r,a,size,,guess,x\n", "line 2: basis is 'guess'"),
        ("T,r,a,,,printed,x\n", "line 2: fact is .*; expected a fact with basis raw"),
        ("T,r,a,size,about,printed,x\n", "line 2: is is 'about'"),
        ("T,r,a,size,,none,x\n", "line 2: fact is .*; expected a fact with basis raw"),
        ("T,r,a,size,,printed\n", "line 2: 6 cells, expected 7"),
        ("T,r,a,T | * | z | max,,printed,x\n", "line 2: 'T | .* | z | max' must be printed cells"),
        ("T,r,a,T | * | a | mean,,printed,x\n", "line 2: .* one of max, min, rows, columns"),
        ("T,r,a,height,,printed,x\n", "line 2: no fact 'height'; known: size"),
    ],
)
def test_a_bad_rule_stops_with_file_and_line(tmp_path, line, message):
    with pytest.raises(DataError, match=f"made.csv, {message}"):
        with_rules(tmp_path, line, a="1").facts({"size": 1})


class Heard(Paper):
    """A paper that remembers the facts it was told."""

    def facts(self, known):
        self.known = known
        super().facts(known)


def audited(name):
    paper = Heard(name)
    if name == "evolvr":
        return evolvr.audit(paper, load_annotations())
    if name == "ttcw":
        verdicts = load_verdicts()
        return ttcw.audit(
            paper, verdicts, verdicts.groupby("test")["passed"].mean(), 0.5, "a definition"
        )
    return poetry.audit(paper) if name == "poetry" else refbased.audit(paper)


@OPEN
@pytest.mark.parametrize("name", PAPERS)
def test_every_rule_matches_a_number_and_every_fact_is_stated_somewhere(name):
    paper = audited(name)
    rules = checks.read_rules(name, paper.data / "checks")
    assert [rule["line"] for rule in rules if not paper.matching(*list(rule.values())[:3])] == []
    named = {rule["fact"] for rule in rules} | {
        word for rule in rules for word in re.findall(r"{([^}:.]+)", rule["how"])
    }
    assert set(paper.known) <= named
    assert {rule["fact"] for rule in rules if rule["fact"] and " | " not in rule["fact"]} <= set(
        paper.known
    )


@OPEN
@pytest.mark.parametrize("name", PAPERS)
def test_a_typo_gets_a_verdict_and_never_a_traceback(name):
    rng, whole = np.random.default_rng(0), audited(name)
    keys = [
        key for key, line in whole.found.items() if line["basis"] != "none" and whole.text(*key)
    ]
    for i in rng.choice(len(keys), 8, replace=False):
        text = whole.text(*keys[i])
        at = rng.choice([k for k, sign in enumerate(text) if sign.isdigit()])
        typo = text[:at] + str((int(text[at]) + rng.integers(1, 10)) % 10) + text[at + 1 :]
        again = {"evolvr": evolvr, "ttcw": ttcw, "poetry": poetry}.get(name, refbased).audit(
            whole.changed(keys[i], typo)
        )
        assert len(again.found) > 0.8 * len(whole.found)


def test_a_number_that_a_check_only_bounds_is_not_fixed():
    paper = printed(x="0.52", y="0.31", gap="0.21", sum="0.8", rest="1.52")
    cells = paper.table("T")
    paper.check(
        "T", (cells["x"] - cells["y"]).to_frame("gap"), "difference: one unit to either side"
    )
    paper.check("T", (10 * cells["sum"] - 6.48).to_frame("rest"), "from one digit: fifty units")
    assert not paper.found["T", "r", "gap"]["bound"] and paper.found["T", "r", "rest"]["bound"]
    paper.same(("T", "r", "x"), ("T", "r", "sum"))
    assert paper.found["T", "r", "x"]["bound"], "a coarser copy leaves the last place open"
    paper.check("T", pd.DataFrame({"x": {"r": 0.52}}), "the number itself")
    assert not paper.found["T", "r", "x"]["bound"], "a check that fixes it is stronger"


def test_two_numbers_of_one_precision_are_one_number_only_if_they_are_equal():
    paper = printed(a="0.64", b="0.65", c="0.64")
    paper.same(("T", "r", "c"), ("T", "r", "a"))
    assert held(paper, "c") and held(paper, "a")
    paper.same(("T", "r", "b"), ("T", "r", "c"))
    assert not held(paper, "b")


def test_of_two_bounds_the_one_that_fails_counts():
    paper = printed(a="3")
    for how, right in (("holds", True), ("fails", False), ("holds too", True)):
        paper.note(("T", "r", "a"), 3, "printed", how, right, bound=True)
    assert paper.found["T", "r", "a"]["how"] == "fails"


@given(st.integers(1, 300), st.data())
def test_every_share_of_a_count_is_attainable(n, drawn):
    k = drawn.draw(st.integers(0, n))
    paper = printed(a=f"{100 * k / n:.1f}")
    paper.check("T", attainable.shares(paper.grid("T"), n), "attainable")
    assert held(paper, "a")


def test_a_share_that_no_count_gives_is_found():
    paper = printed(a="27.9")  # 10 of 36 is 27.8
    paper.check("T", attainable.shares(paper.grid("T"), 36), "attainable")
    assert not held(paper, "a") and paper.found["T", "r", "a"]["computed"] == pytest.approx(
        100 * 10 / 36
    )


def test_the_nearest_attainable_value():
    thirds = [0, 1 / 3, 2 / 3, 1]
    assert attainable.nearest(0.52, thirds) == 2 / 3
    found = attainable.nearest(pd.DataFrame({"a": [0.67, np.nan]}), thirds)["a"]
    assert found[0] == 2 / 3 and np.isnan(found[1])


@given(st.permutations(range(12)))
def test_p_of_a_rank_correlation_equals_scipy(order):
    rho, p = stats.spearmanr(range(12), order)
    assert attainable.spearman_p(rho, 12) == pytest.approx(p, abs=1e-9)


def test_p_of_a_perfect_correlation_is_zero_and_of_none_is_one():
    assert (
        attainable.spearman_p(1.0, 10) == attainable.spearman_p(-1.0, 10) == 0
        and attainable.spearman_p(0.0, 10) == 1
    )


def test_a_printed_p_of_f():
    for p, holds in (("0.017", True), ("0.027", False)):
        paper = printed(F="4.26", p=p)
        paper.check(
            "T", attainable.p_of_f(paper.table("T")["F"], 2, 87).to_frame("p"), "upper tail"
        )
        assert held(paper, "p") is holds


def test_f_of_p_inverts_tiny_tails_and_impossible_ones():
    for f in (3.0, 85.15, 161.46):
        assert np.isclose(
            attainable.f_of_p(Rounded(pd.Series(stats.f.sf(f, 14, 126))), 14, 126).mid, f
        ).all()
    assert list(attainable.f_of_p(Rounded(pd.Series([0.0, 1.5])), 14, 126).mid) == [np.inf, 0]
