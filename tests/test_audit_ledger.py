"""Verdicts, the joining of ledger parts, and the ledger that is committed."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.audit import ledger
from helpers.audit.checks import Check, Paper
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from helpers.sources.published import KEY, agrees, read_published

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


def test_the_committed_causes_and_strengths_are_what_the_code_gives():
    assert WHOLE["cause"].tolist() == ledger.causes(WHOLE)
    assert WHOLE["strength"].tolist() == ledger.strengths(WHOLE)


def test_the_committed_ledger_has_a_line_for_every_printed_number():
    printed = pd.concat([read_published(paper) for paper in ledger.PAPERS], ignore_index=True)
    assert list(WHOLE) == ledger.COLUMNS
    assert WHOLE[[*KEY, "value"]].equals(printed)
    assert (WHOLE["verdict"] == "blank").equals(WHOLE["value"] == "")
