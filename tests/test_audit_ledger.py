"""Verdicts, the joining of ledger parts, and the ledger that is committed."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from helpers.audit import ledger, overview
from helpers.audit.checks import Paper
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from helpers.sources.published import FOLDER, KEY, agrees, read_lines, read_published

WHOLE = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)


def made(*checks):
    """A paper of numbers 5, one for each check: (basis, holds, bound)."""
    lines = [("ttcw", "T", f"r{i}", "c", "5") for i in range(len(checks))]
    paper = Paper(
        "ttcw", lines=pd.DataFrame([*lines, ("ttcw", "T", "z", "c", "")], columns=[*KEY, "value"])
    )
    for i, (basis, holds, bound) in enumerate(checks):
        paper.note(("T", f"r{i}", "c"), 5, basis, "a test", holds, bound)
    paper.note(("T", "z", "c"), None, "printed", "a blank", True)
    return paper


def test_verdicts_follow_from_basis_agreement_and_bound():
    verdicts = {
        ("raw", True, False): "reproduced",
        ("raw", False, False): "differs",
        ("raw", True, True): "not contradicted",
        ("code", True, False): "consistent",
        ("code", False, True): "differs",
        ("printed", True, False): "consistent",
        ("printed", False, True): "inconsistent",
        ("none", False, False): "unverifiable",
    }
    lines = ledger.decide(made(*verdicts), "07")
    assert lines["verdict"].tolist() == [*verdicts.values(), "blank"]
    assert list(lines) == [*KEY, "value", "computed", "basis", "verdict", "how", "notebook"]
    assert set(lines["notebook"]) == {"07"} and lines["computed"].notna().sum() == len(verdicts)


def test_joining_keeps_the_stronger_basis_and_every_printed_number(tmp_path):
    first, second = list(Paper("ttcw").values)[:2]
    weak, strong = Paper("ttcw"), Paper("ttcw")
    weak.note(first, 1, "printed", "weak", True)
    strong.note(first, 2, "raw", "strong", True)
    strong.note(second, None, "none", "no data", False)
    for paper, notebook in ((weak, "01"), (strong, "02")):
        ledger.save([paper], notebook, tmp_path)
    whole = ledger.join(tmp_path)
    assert len(whole) == sum(len(read_published(paper)) for paper in ledger.PAPERS) >= 3000
    assert whole["how"].tolist()[:3] == ["strong", "no data", "no check was found"]
    assert whole["verdict"].tolist()[:3] == ["reproduced", "unverifiable", "unverifiable"]
    assert whole["verdict"].eq("blank").equals(whole["value"].eq("")), "also of papers not yet run"


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
    for one, said in ((1 / 3, "0.3333333333"), (None, ""), (np.nan, ""), (-0.0, "0"), (1e-17, "0")):
        assert ledger.ten_digits(one) == said
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
    assert agrees(edit, computed) and len(edit.partition(".")[2]) == places


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


def test_causes_join_the_lines_that_fall_together_and_every_rule_matches():
    bad = WHOLE["verdict"].isin(ledger.CONTRADICTED)
    assert (WHOLE.loc[bad, "cause"] != "").all() and WHOLE.loc[bad, "cause"].nunique() < bad.sum()
    assert WHOLE["cause"].tolist() == ledger.causes(WHOLE)
    assert WHOLE["strength"].tolist() == ledger.strengths(WHOLE)
    experts = WHOLE["cause"].str.endswith("ten experts where the data have eleven")
    assert experts.sum() == 7 and bad[experts].all()
    rules = read_lines(FOLDER / "causes.csv", ledger.CAUSE)
    assert set(rules["paper"] + ": " + rules["cause"]) <= set(WHOLE["cause"])


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
        "two ways of counting ties (another rule, or the list reversed)"
    }
    held = ties["verdict"] == "consistent"
    assert held.sum() == 2 and ties.loc[held, "column"].str.endswith("(change)").all()
    changes = ties.loc[held, "how"]
    assert changes.str.contains("the two numbers are not those of Figure 3").all()


def test_the_committed_ledger_has_a_line_for_every_printed_number():
    printed = pd.concat([read_published(paper) for paper in ledger.PAPERS], ignore_index=True)
    assert WHOLE[[*KEY, "value"]].equals(printed) and list(WHOLE) == ledger.COLUMNS
    assert (WHOLE["verdict"] == "blank").equals(WHOLE["value"] == "")
    closed = WHOLE[WHOLE["verdict"] == "unverifiable"]
    assert len(closed) < 0.1 * len(WHOLE) and closed["how"].ne("no check was found").all()
    leads = WHOLE["how"].str.startswith("claim: highest of its column")
    assert set(WHOLE.loc[leads, "verdict"]) <= {"not contradicted", "inconsistent"}


def test_a_clear_lead_is_one_over_a_control_after_all_leads_are_corrected_together():
    rows = {
        ("A: one", "the judge less length"): (0.2, 0.1, 0.3, 11),
        ("A: two", "the judge less length"): (0.1, 0.02, 0.18, 11),  # clear alone, not of three
        ("B (b): two", "the judge less length"): (-0.3, -0.4, -0.2, 11),
        ("C: one", "the judge less a person"): (0.3, 0.2, 0.4, 11),
    }
    best = pd.DataFrame(rows, ["estimate", "low", "high", "n"]).T.rename_axis(["task", "row"])
    leads = overview.widen_leads(best)
    wider = stats.t.ppf(1 - 0.025 / 3, 10) / stats.t.ppf(0.975, 10)
    assert leads["high"].tolist() == pytest.approx(
        [0.2 + 0.1 * wider, 0.1 + 0.08 * wider, -0.3 + 0.1 * wider]
    )
    assert leads["low"].iloc[1] < 0 and leads["visible"].iloc[0] > 0.1
    said, where = overview.tell_leads(leads)
    assert said.endswith("in 1 of 2 studies") and where == "A: one"
    said, where = overview.tell_leads(leads.iloc[1:])
    assert said.endswith("in none of 2 studies") and where == "none"


def test_each_interval_is_widened_on_its_own_scale():
    rows = pd.DataFrame(
        {"Reference-based: x": [0.81, 0.68, 0.94, 5], "Poetry: x": [0.6, 0.42, 0.7339, 30]},
        ["estimate", "low", "high", "n"],
    ).T
    wide = overview.widen_all(rows, 5)
    half = 0.13 * stats.t.ppf(0.995, 4) / stats.t.ppf(0.975, 4)
    assert wide.loc["Reference-based: x", ["low", "high"]].tolist() == pytest.approx(
        [0.81 - half, 1]
    )
    z = np.arctanh(0.6) - np.arctanh(wide.at["Poetry: x", "low"])
    assert z == pytest.approx(np.arctanh(wide.at["Poetry: x", "high"]) - np.arctanh(0.6))
    least = overview.find_least(wide)
    assert (least > 0).all() and least["Reference-based: x"] > least["Poetry: x"]
