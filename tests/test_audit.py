"""The audit: what numbers can be, checks, facts of running text, verdicts, the ledger, what is told
of a number, what all papers have in common."""

import json
import re
import sys

import numpy as np
import pandas as pd
import pytest
from audit_kit import cell, check_of, holds, one_row, paper_of, with_rules
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from helpers import results
from helpers.audit import attainable, checks, explain, facts, ledger, overview
from helpers.audit.checks import Check, Paper
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from helpers.sources.published import KEY, Rounded, agrees, read_published


@given(st.integers(1, 300), st.data())
def test_every_share_of_a_count_is_attainable(n, drawn):
    count = drawn.draw(st.integers(0, n))
    paper = one_row(a=f"{100 * count / n:.1f}")
    paper.check("T", attainable.shares(paper.grid("T"), n), "attainable")
    assert holds(paper, "a") == [True]


@given(st.permutations(range(12)))
def test_p_of_a_rank_correlation_equals_scipy(order):
    rho, p = stats.spearmanr(range(12), order)
    assert attainable.spearman_p(rho, 12) == pytest.approx(p, abs=1e-9)


def test_f_of_p_holds_for_tiny_tails_and_beyond_both_ends():
    tails = pd.Series([stats.f.sf(161.46, 14, 126), 0.0, 1.5])
    f = attainable.f_of_p(Rounded(tails), 14, 126).mid
    assert list(f) == [pytest.approx(161.46), np.inf, 0]


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


RANKED = {
    ("ours", "x"): "9",
    ("ours", "y"): "5",
    ("a", "x"): "7",
    ("a", "y"): "3",
    ("b", "x"): "8",
    ("b", "y"): "",
}


def test_a_tie_is_no_lead_and_other_columns_are_left():
    tied = paper_of(RANKED | {("b", "x"): "9"})
    tied.leads("T", "ours", ["a", "b"], "highest", ["x"])
    tied.trails("T", "ours", ["a", "b"], "below ours", ["x"])
    held = {row: check.holds for (_, row, _), check in tied.checked.items()}
    assert held == {"ours": False, "a": True, "b": False}
    assert len(tied.checked) == 3


RELATED = [  # printed, relation, fact, does the printed number stand so to the fact?
    ("3", "", 3.4, True),
    ("3", "", 3.6, False),
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
    ("", "1/n", 0.36, False),
]


@pytest.mark.parametrize(("value", "relation", "fact", "right"), RELATED)
def test_a_printed_number_stands_to_a_fact_as_the_relation_says(value, relation, fact, right):
    assert facts.relates(value, relation, Rounded(fact)) is right


READINGS = {"points": 4.0, "per cent": 5.2}


def test_of_several_readings_the_nearest_counts(tmp_path):
    paper = with_rules(tmp_path, "T,*,*,size,,printed,as {reading}\n", a="5", b="4", c="6")
    paper.facts({"size": READINGS})
    assert holds(paper, "a", "b", "c") == [True, True, False]
    assert check_of(paper, "a").how == "as per cent"
    assert check_of(paper, "b").how == "as points"


def test_a_rule_without_a_fact_leaves_the_number_open_and_says_why(tmp_path):
    paper = with_rules(tmp_path, "T,*,a,,,none,no data on {what}\n", a="3")
    paper.facts({"what": "prices"})
    assert check_of(paper, "a") == checks.Check(None, "none", "no data on prices", False, False)


COPY = "T,r,a,T | r | b,,printed,same\nT,r,b,size,,raw,counted\n"


def test_a_rule_that_names_a_printed_cell_fixes_both_ways(tmp_path):
    paper = with_rules(tmp_path, COPY, a="0.41", b="0.414")
    paper.facts({})  # without the raw fact
    assert holds(paper, "a", "b") == [True, True]
    assert check_of(paper, "a").how == "same"
    assert check_of(paper, "b").how == checks.SAME


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
    ("T,r,a,size,about,printed,x\n", "line 2: is is 'about'; expected one of .*within N"),
    ("T,r,a,T | * | z | max,,printed,x\n", "line 2: 'T | .* | z | max' must be printed cells"),
    ("T,r,a,height,,printed,x\n", "line 2: no fact 'height'; known: size"),
]


@pytest.mark.parametrize(("rule", "message"), BAD_RULES)
def test_a_bad_rule_stops_with_file_and_line(tmp_path, rule, message):
    with pytest.raises(DataError, match=f"made/facts.csv, {message}"):
        with_rules(tmp_path, rule, a="1").facts({"size": 1})


WHOLE = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)


VERDICTS = [  # basis, does it hold, does it only bound the number, verdict
    ("raw", True, False, "reproduced"),
    ("raw", False, False, "differs"),
    ("raw", True, True, "not contradicted"),
    ("code", True, False, "consistent"),
    ("code", False, True, "differs"),
    ("printed", True, False, "consistent"),
    ("printed", False, True, "inconsistent"),
    ("none", False, False, "unverifiable"),
]


@pytest.mark.parametrize(("basis", "holds", "bound", "verdict"), VERDICTS)
def test_a_verdict_follows_from_basis_agreement_and_bound(basis, holds, bound, verdict):
    check = Check(5, basis, "a test", holds, bound)
    assert ledger.verdict_of(check, "5") == verdict
    assert ledger.verdict_of(check, "") == "blank"


@pytest.fixture
def joined(tmp_path):
    """The ledger of two parts: the first number of ttcw checked twice, the second once."""
    first, second = list(Paper("ttcw").values)[:2]
    weak, strong = Paper("ttcw"), Paper("ttcw")
    weak.note(first, 1, "printed", "weak", True)
    strong.note(first, 2, "raw", "strong", True)
    strong.note(second, None, "none", "no data", False)
    ledger.save([weak], "01", tmp_path)
    ledger.save([strong], "02", tmp_path)
    gone = Paper("ttcw")
    gone.note(second, 2, "raw", "by a notebook that is no longer there", True)
    ledger.save([gone], "99", tmp_path)
    return ledger.join(tmp_path)


def test_joining_keeps_the_stronger_basis(joined):
    assert joined["how"].tolist()[:3] == ["strong", "no data", "no check was found"]
    assert joined["verdict"].tolist()[:3] == ["reproduced", "unverifiable", "unverifiable"]


def test_joining_keeps_every_printed_number_also_of_papers_not_yet_run(joined):
    numbers = [len(read_published(paper)) for paper in ledger.PAPERS]
    assert len(joined) == sum(numbers)
    assert sum(numbers) >= 3000
    assert joined["verdict"].eq("blank").equals(joined["value"].eq(""))


TEXTS = [(1 / 3, "0.3333333333"), (None, ""), (np.nan, ""), (-0.0, "0"), (1e-17, "0")]


@pytest.mark.parametrize(("number", "text"), TEXTS)
def test_a_number_is_written_with_ten_digits_and_noise_as_nought(number, text):
    assert ledger.ten_digits(number) == text


EDITS = [
    ("0.27", "0.2813", "0.28"),
    ("27.9", 27.78, "27.8"),
    ("1.9e-04", 2.2e-4, "2.2e-04"),
    ("10", 11.0, "11"),
    ("", "", ""),
    ("1/3", 0.5, ""),
    ("+15%", 11, "+11%"),
    ("+15%", 0, "+0%"),
    ("-28%", -23, "-23%"),
    ("$70", 80, "$80"),
]


@pytest.mark.parametrize(("value", "computed", "edit"), EDITS)
def test_the_smallest_edit_has_the_printed_format(value, computed, edit):
    assert ledger.propose_edit(value, computed) == edit
    for how in ("claim: highest", "words of the stories, to the hundred"):
        assert ledger.propose_edit(value, computed, how) == ""


@given(st.floats(-1e4, 1e4), st.integers(0, 4), st.floats(-1e4, 1e4))
def test_the_proposed_edit_mends_what_is_printed(printed, places, computed):
    edit = ledger.propose_edit(f"{printed:.{places}f}", computed)
    assert agrees(edit, computed)
    assert len(edit.partition(".")[2]) == places


def test_the_committed_ledger_has_a_line_for_every_printed_number():
    printed = pd.concat([read_published(paper) for paper in ledger.PAPERS], ignore_index=True)
    assert list(WHOLE) == ledger.COLUMNS
    assert WHOLE[[*KEY, "value"]].equals(printed)
    assert (WHOLE["verdict"] == "blank").equals(WHOLE["value"] == "")


def explained(monkeypatch, capsys, *place):
    """Return what the command prints for a place in the ledger."""
    monkeypatch.setattr(sys, "argv", ["explain", *place])
    explain.main()
    return capsys.readouterr().out.strip()


def test_a_contradicted_number_has_what_it_should_be_the_reason_and_the_edit(monkeypatch, capsys):
    text = explained(monkeypatch, capsys, "ttcw", "Table 5", "Average", "GPT4")
    lines = dict(re.findall(r"^([a-z ]+): +(.+)$", text, re.MULTILINE))
    assert text.startswith("Art or Artifice?, Table 5, row Average, column GPT4\n")
    assert [lines["printed"], lines["computed"]] == ["27.9", "27.778"]
    assert lines["how"] == "mean of the 14 pass rates"
    assert lines["rests on"] == "public raw data"
    assert lines["verdict"].startswith("differs: contradicted")
    assert lines["size"] == "only the last digit is off"
    assert [lines["would agree if"], lines["notebook"]] == ["27.8", "01"]


@pytest.mark.parametrize(
    ("place", "near"),
    [
        (("tcw",), "^No paper 'tcw' in the ledger; try: ttcw.$"),
        (("ttcw", "Table 5", "Average", "GTP4"), "^No column 'GTP4' in .* try: GPT4"),
    ],
)
def test_an_unknown_name_is_one_sentence_with_near_ones(monkeypatch, capsys, place, near):
    with pytest.raises(SystemExit, match=near):
        explained(monkeypatch, capsys, *place)


ESTIMATES = ["estimate", "low", "high", "n"]


def test_only_studies_whose_notebooks_are_there_are_added_up(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "ROOT", tmp_path)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "out").mkdir()
    sources = {"01-a": "open", "S2-b": "published", "07-card": "open", "09-coin": "simulated"}
    for name in sources:
        (tmp_path / "notebooks" / f"{name}.ipynb").touch()
    with pytest.raises(DataError, match="no study has left a number of 'one judge'; run notebooks"):
        overview.read_rows("out", "one judge")
    for name, source in (sources | {"10-gone": "open"}).items():
        values = {f"one judge / {name} / the judge / {column}": 0.5 for column in ESTIMATES}
        record = {"notebook": name, "source": source, "values": values}
        (tmp_path / "out" / f"{name}.json").write_text(json.dumps(record))
    (tmp_path / "out" / "01-a.run.json").write_text("{}")
    found = overview.read_rows("out", "one judge")
    assert list(found.index) == [("01-a", "the judge"), ("S2-b", "the judge")]
    assert list(found) == ESTIMATES


@pytest.fixture
def widened():
    """A mean of ρ and a correlation, each widened as one of five."""
    rows = {"Reference-based: x": (0.81, 0.68, 0.94, 5), "Poetry: x": (0.6, 0.42, 0.7339, 30)}
    return overview.widen_all(pd.DataFrame(rows, ESTIMATES).T, 5)


def test_a_mean_of_rho_is_widened_as_a_mean_and_stays_below_one(widened):
    half = 0.13 * stats.t.ppf(0.995, 4) / stats.t.ppf(0.975, 4)
    ends = widened.loc["Reference-based: x", ["low", "high"]].tolist()
    assert ends == pytest.approx([0.81 - half, 1])


def test_a_correlation_is_widened_on_fishers_z(widened):
    low, high = np.arctanh(widened.loc["Poetry: x", ["low", "high"]].astype(float))
    middle = np.arctanh(0.6)
    assert middle - low == pytest.approx(high - middle)


def test_only_ready_made_judges_of_texts_that_people_rated_count():
    tasks = {
        "Art or Artifice?: 48 stories": ["Art or Artifice?", True],
        "EvolvR: one writer's stories, the best language model": ["HANNA", True],
        "EvolvR: one writer's stories, a regression with language models": ["HANNA", False],
        "Poetry: kind of venue": ["our poems", False],
        "A study of yours: tides": ["A study of yours", True],
    }
    assert overview.describe_rows(tasks)[["texts", "counts"]].T.to_dict("list") == tasks
