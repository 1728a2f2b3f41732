"""Verdicts, the joining of ledger parts, and the ledger that is committed."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.audit import ledger, mosaic
from helpers.audit.checks import Paper
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from helpers.sources.published import KEY, agrees, read_lines, read_published


def first_checked(*checks):
    """ttcw with (computed, basis, how) noted for its first number."""
    paper = Paper("ttcw")
    key = next(iter(paper.values))
    for computed, basis, how in checks:
        paper.note(
            key, computed, basis, how, basis != "none" and agrees(paper.text(*key), computed)
        )
    return paper


@pytest.mark.parametrize(
    ("basis", "off", "verdict"),
    [
        ("raw", 0, "reproduced"),
        ("raw", 5, "differs"),
        ("printed", 0, "consistent"),
        ("printed", 5, "inconsistent"),
        ("none", 0, "unverifiable"),
    ],
)
def test_verdicts_follow_from_basis_and_agreement(basis, off, verdict):
    value = Paper("ttcw").number(*next(iter(Paper("ttcw").values)))
    assert (
        ledger.decide(first_checked((value + off, basis, "a test")), "01")["verdict"].item()
        == verdict
    )


def test_unknown_keys_and_bases_are_errors():
    with pytest.raises(KeyError, match="ttcw prints no Table 99"):
        Paper("ttcw").note(("Table 99", "r", "c"), 1, "raw", "", True)
    with pytest.raises(DataError, match="expected one of"):
        first_checked((1, "guess", ""))


def test_joining_keeps_the_stronger_basis_and_every_printed_number(tmp_path):
    ledger.save([first_checked((1, "printed", "weak"))], "01", tmp_path)
    strong = first_checked((2, "raw", "strong"))
    for key in list(strong.values)[1:]:
        strong.note(key, None, "none", "no data", False)
    ledger.save([strong], "02", tmp_path)
    whole = ledger.join(tmp_path)
    assert len(whole) == sum(len(read_published(paper)) for paper in ledger.PAPERS) >= 3000
    assert whole.iloc[0]["how"] == "strong" and whole.iloc[1]["how"] == "no data"
    assert (
        whole.iloc[-1]["how"] == "no check was found"
        and whole.iloc[-1]["verdict"] == "unverifiable"
    )
    before = (tmp_path / "ledger-02.csv").read_bytes()
    ledger.save([strong], "02", tmp_path)
    assert (tmp_path / "ledger-02.csv").read_bytes() == before and not list(tmp_path.glob(".*"))


def test_numbers_are_written_with_ten_digits():
    assert [ledger.ten_digits(x) for x in (1 / 3, 2, None, float("nan"), -0.0, 1e-17)] == [
        "0.3333333333",
        "2",
        "",
        "",
        "0",
        "0",
    ]
    assert ledger.ten_digits(1.5e-40, "1.5e-40") == "1.5e-40"


@pytest.mark.parametrize(
    ("value", "computed", "edit"),
    [
        ("0.27", "0.2813", "0.28"),
        ("27.9", 27.78, "27.8"),
        ("1.9e-04", 2.2e-4, "2.2e-04"),
        ("10", 11.0, "11"),
        ("", "", ""),
        ("+15%", 11, "+11%"),
        ("-28%", -23, "-23%"),
        ("$70", 80, "$80"),
    ],
)
def test_the_smallest_edit_has_the_printed_format(value, computed, edit):
    assert ledger.propose_edit(value, computed) == edit


def test_causes_join_the_lines_that_fall_together_and_every_rule_matches():
    whole = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
    bad = whole["verdict"].isin(ledger.CONTRADICTED)
    assert (whole.loc[bad, "cause"] != "").all() and whole.loc[bad, "cause"].nunique() < bad.sum()
    assert whole["cause"].tolist() == ledger.causes(whole)
    experts = whole["cause"].str.endswith("ten experts where the data have eleven")
    assert experts.sum() == 7 and bad[experts].all()
    rules = read_lines(ROOT / "data" / "checks" / "causes.csv", ledger.CAUSE)
    assert set(rules["paper"] + ": " + rules["cause"]) <= set(whole["cause"])


def test_a_blank_is_no_number_and_a_bound_confirms_nothing():
    whole = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
    assert (whole["verdict"] == "blank").equals(whole["value"] == "")
    assert set(whole["verdict"]) <= set(ledger.VERDICTS)
    leads = whole["how"].str.startswith("claim: highest of its column")
    assert set(whole.loc[leads, "verdict"]) <= {"not contradicted", "inconsistent"} and leads.any()


def test_kinds_of_check_forget_numbers_and_remarks():
    assert (
        ledger.kind("Table 3", "p at the attainable correlation 0.63, not at the rounded")
        == "Table 3: p"
    )
    assert (
        ledger.kind("Table 1", "sum of 3 cells; computed: 4 (input checked)")
        == "Table 1: sum of # cells"
    )
    assert ledger.kind("text", "anything") == "running text"


def test_the_committed_ledger_has_a_line_for_every_printed_number():
    whole = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
    printed = pd.concat([read_published(paper) for paper in ledger.PAPERS], ignore_index=True)
    assert whole[[*KEY, "value"]].equals(printed) and list(whole) == ledger.COLUMNS
    assert (whole["verdict"] == "unverifiable").mean() < 0.1
    assert whole.loc[whole["verdict"] == "unverifiable", "how"].ne("no check was found").all()
    table5 = whole[
        (whole["paper"] == "ttcw") & (whole["table"] == "Table 5") & (whole["row"] != "Average")
    ]
    assert len(table5) == 70 and (table5["verdict"] == "reproduced").all()


@given(st.floats(-1e12, 1e12), st.integers(-9, 9))
def test_ten_digits_are_close_the_same_again_and_blind_to_the_last_bits(number, steps):
    text = ledger.ten_digits(number)
    assert float(text) == pytest.approx(number, rel=5.1e-10, abs=5.1e-13)
    assert ledger.ten_digits(float(text)) == text, "read and written again, nothing changes"
    neighbour = number
    for _ in range(abs(steps)):  # another machine's arithmetic
        neighbour = float(np.nextafter(neighbour, np.inf * steps))
    assert float(ledger.ten_digits(neighbour)) == pytest.approx(
        float(text), rel=1.1e-9, abs=1.1e-12
    )


@given(st.floats(-1e4, 1e4), st.integers(0, 4), st.floats(-1e4, 1e4))
def test_the_proposed_edit_mends_what_is_printed(printed, places, computed):
    edit = ledger.propose_edit(f"{printed:.{places}f}", computed)
    assert agrees(edit, computed) and len(edit.partition(".")[2]) == places


@pytest.mark.parametrize("paper", ledger.PAPERS)
def test_a_mosaic_has_every_printed_number_once_and_no_table_upon_another(paper):
    whole = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
    part = whole[whole["paper"] == paper]
    grids = {table: mosaic.lay_out(lines) for table, lines in part.groupby("table", sort=False)}
    assert sum((grid >= 0).sum() for grid in grids.values()) == part["verdict"].ne("blank").sum()
    places, height = mosaic.place(grids, {table: table for table in grids})
    boxes = [
        (
            left,
            top,
            left + grids[table].shape[1] * mosaic.SIDE,
            top + mosaic.TITLE + grids[table].shape[0] * mosaic.SIDE,
        )
        for table, (left, top) in places.items()
    ]
    assert max(box[2] for box in boxes) <= mosaic.WIDTH and max(
        box[3] for box in boxes
    ) == pytest.approx(height)
    assert not [
        1
        for a, b in combinations(boxes, 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


def test_conclusions_are_of_known_papers_and_notebooks():
    table = pd.read_csv(ROOT / "data" / "checks" / "conclusions.csv", dtype=str)
    assert set(table["paper"]) < set(ledger.PAPERS) and not table.isna().any(axis=None)
    verdicts = {"yes", "in part", "not shown", "cannot be checked"}
    assert set(table["stands"]) == verdicts and set(table["second"]) <= verdicts
    assert not [
        number
        for number in table["notebook"]
        if not list((ROOT / "notebooks").glob(f"{number}-*.ipynb"))
    ]
