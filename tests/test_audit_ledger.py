"""Verdicts, the joining of ledger parts, and the ledger that is committed."""

import numpy as np
import pandas as pd
import pytest
from audit_kit import one_row
from hypothesis import given
from hypothesis import strategies as st

from helpers.audit import ledger
from helpers.audit.checks import Check, Paper
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from helpers.sources.published import FOLDER, KEY, agrees, read_lines, read_published

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


def test_lines_are_decided_for_checked_numbers_in_printed_order():
    paper = one_row(a="1", b="2", c="3")
    for column in ("c", "a"):
        paper.note(("T", "r", column), 3, "raw", "a test", column == "c")
    lines = ledger.decide(paper, "07")
    assert list(lines) == ledger.DECIDED
    assert lines["column"].tolist() == ["a", "c"]
    assert lines["verdict"].tolist() == ["differs", "reproduced"]
    assert set(lines["notebook"]) == {"07"}


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


def test_a_folder_without_a_part_is_one_clear_error(tmp_path):
    with pytest.raises(DataError, match=f"{tmp_path}: no part of the ledger .*; run notebooks 01"):
        ledger.join(tmp_path)


@given(st.floats(-1e12, 1e12), st.integers(-9, 9))
def test_ten_digits_are_close_the_same_again_and_blind_to_the_last_bits(number, steps):
    text = ledger.ten_digits(number)
    assert float(text) == pytest.approx(number, rel=5.1e-10, abs=5.1e-13)
    assert ledger.ten_digits(float(text)) == text, "read and written again, nothing changes"
    other = number
    for _ in range(abs(steps)):  # another machine's arithmetic
        other = float(np.nextafter(other, np.inf * steps))
    assert float(ledger.ten_digits(other)) == pytest.approx(float(text), rel=1.1e-9, abs=1.1e-12)


TEXTS = [(1 / 3, "0.3333333333"), (None, ""), (np.nan, ""), (-0.0, "0"), (1e-17, "0")]


@pytest.mark.parametrize(("number", "text"), TEXTS)
def test_a_number_is_written_with_ten_digits_and_noise_as_nought(number, text):
    assert ledger.ten_digits(number) == text


def test_a_number_as_small_as_the_printed_one_is_no_noise():
    assert ledger.ten_digits(1.5e-40, "1.5e-40") == "1.5e-40"


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


@pytest.mark.parametrize(
    ("value", "computed", "severity"),
    [
        ("92.95%", "92.958875", "last digit"),
        ("1.32e-03", "0.001325436569", "last digit"),
        ("0.41", "0.4010643174", "last digit"),
        ("0.50", "0.64", "larger"),
        ("0.44", "0.3613445378", "larger"),
        ("10", "11", "larger"),
        ("53.7", "", "larger"),
    ],
)
def test_a_last_digit_cut_off_is_told_from_another_number(value, computed, severity):
    assert ledger.severity("differs", "c", value, computed) == severity
    assert ledger.severity("differs", "in words: cases", value, computed) == "in words"


def test_just_the_contradicted_lines_have_a_severity_and_both_kinds_occur():
    bad = WHOLE["verdict"].isin(ledger.CONTRADICTED)
    assert (WHOLE["severity"] != "").equals(bad)
    assert WHOLE["severity"].tolist() == ledger.severities(WHOLE)
    assert set(WHOLE.loc[bad, "severity"]) == set(ledger.SEVERITIES)


def test_the_committed_causes_and_strengths_are_what_the_code_gives():
    assert WHOLE["cause"].tolist() == ledger.causes(WHOLE)
    assert WHOLE["strength"].tolist() == ledger.strengths(WHOLE)


def test_every_contradicted_line_has_a_cause_and_some_share_it():
    bad = WHOLE[WHOLE["verdict"].isin(ledger.CONTRADICTED)]
    assert (bad["cause"] != "").all()
    assert bad["cause"].nunique() < len(bad)


def test_one_cause_joins_the_lines_that_fall_together():
    experts = WHOLE[WHOLE["cause"].str.endswith("ten experts where the data have eleven")]
    assert len(experts) == 7
    assert experts["verdict"].isin(ledger.CONTRADICTED).all()


def test_every_cause_is_named_and_none_is_the_place_of_a_number():
    rules = read_lines(FOLDER / "causes.csv", ledger.CAUSE)
    named = set(rules["paper"] + ": " + rules["cause"])
    assert set(WHOLE["cause"]) - {""} == named
    new = WHOLE.assign(verdict="differs", table="Table 0", how="")
    assert ledger.causes(new.head(1)) == [
        "ttcw: Table 0, Step 3: assessors, Creative writing experts"
    ]


def test_kappas_are_judged_by_the_48_stories_that_their_caption_names():
    kappas = WHOLE[(WHOLE["table"] == "Table 5") & (WHOLE["column"] == "Expert Agreement")]
    assert kappas["verdict"].value_counts().to_dict() == {"differs": 12, "reproduced": 3}
    cause = "ttcw: kappas of 44 stories where the caption says 48"
    assert (WHOLE["cause"] == cause).sum() == 16


def test_one_rule_for_ties_down_the_reversed_list_is_the_other_rule():
    ties = WHOLE[WHOLE["cause"].str.contains("ways of counting ties")]
    assert set(ties["cause"].str.partition(": ")[2]) == {
        "two quantities under one name, by two ways of counting ties (another rule, or the list"
        " reversed)"
    }
    held = ties[ties["verdict"] == "consistent"]
    assert len(held) == 2
    assert held["column"].str.endswith("(change)").all()
    assert held["how"].str.contains("the two numbers are not those of Figure 3").all()


def test_the_committed_ledger_has_a_line_for_every_printed_number():
    printed = pd.concat([read_published(paper) for paper in ledger.PAPERS], ignore_index=True)
    assert list(WHOLE) == ledger.COLUMNS
    assert WHOLE[[*KEY, "value"]].equals(printed)
    assert (WHOLE["verdict"] == "blank").equals(WHOLE["value"] == "")


def test_few_numbers_are_unverifiable_and_each_says_why():
    closed = WHOLE[WHOLE["verdict"] == "unverifiable"]
    assert len(closed) < 0.1 * len(WHOLE)
    assert closed["how"].ne("no check was found").all()


def test_a_claim_to_lead_a_column_never_fixes_a_number():
    leads = WHOLE["how"].str.startswith("claim: highest of its column")
    assert set(WHOLE.loc[leads, "verdict"]) <= {"not contradicted", "inconsistent"}
