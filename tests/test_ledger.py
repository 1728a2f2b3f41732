"""Printed numbers, rounding, verdicts and the joining of ledger parts."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import ledger

HEAD = "paper,table,row,column,value\n"


@pytest.mark.parametrize(("body", "message"), [
    ("paper,table,row,value\nttcw,T,r,1\n", "ttcw.csv, line 1: columns"),
    (HEAD + "ttcw,T,r,c,1\npoetry,T,r,d,1\n", "line 3: paper is not 'ttcw'"),
    (HEAD + "ttcw,T,,c,1\n", "line 2: an empty key"),
    (HEAD + "ttcw,T,r,c,1\nttcw,T,r,d,2\nttcw,T,r,c,3\n", "line 4: a key that stands on an earlier line too"),
    (HEAD + "ttcw,T,r,c,about 3\n", "line 2: a value that is not a printed number"),
    (HEAD + "ttcw,T,r,c,1\nttcw,T,r\n", "line 3: 3 cells, expected 5"),
    (HEAD + "ttcw,T,r,c,1,2\n", "line 2: 6 cells, expected 5"),
    (HEAD + "\nttcw,T,r,c,1\n", "line 2: 0 cells"), (HEAD + "ttcw,T, ,c,1\n", "line 2: an empty key"), ("", "line 1: columns"),
    (HEAD + '"ttcw",T,"r\ns",c,1\nttcw,T,r,d,?\n', "line 4: a value that is not")])
def test_a_bad_published_table_stops_with_file_and_line(tmp_path, body, message):
    (tmp_path / "ttcw.csv").write_text(body)
    with pytest.raises(ledger.LedgerError, match=message):
        ledger.read_published("ttcw", tmp_path)


@pytest.mark.parametrize(("value", "number", "half"), [
    ("0.27", 0.27, 0.005), ("-0.045", -0.045, 0.0005), ("52.2%", 52.2, 0.05), ("1.92e-04", 1.92e-4, 5e-7), ("2,016", 2016, 0.5),
    ("$70", 70, 0.5), ("10X", 10, 0.5), ("+17%", 17, 0.5), ("1/3", 1 / 3, 1 / 60), (".5", 0.5, 0.05)])
def test_reading_a_printed_number(value, number, half):
    assert ledger.NUMBER.match(value)
    assert ledger.to_number(value) == pytest.approx(number) and ledger.tolerance(value) == pytest.approx(half)


@given(st.floats(-1e4, 1e4), st.integers(0, 4))
def test_a_number_agrees_with_its_own_rounding_and_not_with_the_next(number, places):
    printed = f"{number:.{places}f}"
    assert ledger.agrees(printed, number)
    assert not ledger.agrees(printed, float(printed) + 1.01 * 10.0**-places)


def test_blank_and_open_ended_values():
    assert ledger.agrees("", float("nan")) and not ledger.agrees("", 0.0) and not ledger.agrees("0", float("nan"))
    assert ledger.agrees("2,000+", 2016) and not ledger.agrees("2,000+", 1900)
    assert not ledger.agrees("1.5e-40", 2.5e-40), "tiny numbers are compared at their own scale"


def first_key():
    return tuple(ledger.read_published("ttcw").iloc[0][ledger.KEY])


@pytest.mark.parametrize(("basis", "off", "verdict"), [
    ("raw", 0, "reproduced"), ("raw", 5, "differs"), ("printed", 0, "consistent"), ("printed", 5, "inconsistent"),
    ("none", 0, "unverifiable")])
def test_verdicts_follow_from_basis_and_agreement(basis, off, verdict):
    value = ledger.to_number(ledger.read_published("ttcw").iloc[0]["value"])
    line = ledger.line(*first_key(), value + off, basis, "a test")
    assert ledger.decide([line], "01")["verdict"].item() == verdict


def test_unknown_keys_double_keys_and_bases_are_errors():
    with pytest.raises(ledger.LedgerError, match="no printed number has the key"):
        ledger.decide([ledger.line("ttcw", "Table 99", "r", "c", 1, "raw", "")], "01")
    line = ledger.line(*first_key(), 1, "raw", "")
    with pytest.raises(ledger.LedgerError, match="two ledger lines"):
        ledger.decide([line, line], "01")
    with pytest.raises(ledger.LedgerError, match="expected raw, printed or none"):
        ledger.decide([line | {"basis": "guess"}], "01")


def test_joining_keeps_the_stronger_basis_and_every_printed_number(tmp_path):
    ledger.save([ledger.line(*first_key(), 1, "printed", "weak")], "01", tmp_path)
    ledger.save([ledger.line(*first_key(), 2, "raw", "strong")], "02", tmp_path, fill={"ttcw": "no data"})
    whole = ledger.join(tmp_path)
    assert len(whole) == sum(len(ledger.read_published(paper)) for paper in ledger.PAPERS) >= 3000
    assert whole.iloc[0]["how"] == "strong" and whole.iloc[1]["how"] == "no data"
    before = (tmp_path / "ledger-02.csv").read_bytes()
    ledger.save([ledger.line(*first_key(), 2, "raw", "strong")], "02", tmp_path, fill={"ttcw": "no data"})
    assert (tmp_path / "ledger-02.csv").read_bytes() == before and not list(tmp_path.glob(".*"))


def test_numbers_are_written_with_ten_digits():
    assert [ledger.ten_digits(x) for x in (1 / 3, 2, None, float("nan"), -0.0, 1e-17)] == [
        "0.3333333333", "2", "", "", "0", "0"]
    assert ledger.ten_digits(1.5e-40, "1.5e-40") == "1.5e-40"


@pytest.mark.parametrize(("value", "computed", "edit"), [("0.27", "0.2813", "0.28"), ("27.9", 27.78, "27.8"),
                                                         ("1.9e-04", 2.2e-4, "2.2e-04"),
                                                         ("10", 11.0, "11"), ("", "", ""),
                                                         ("+15%", 11, "+11%"), ("-28%", -23, "-23%"), ("$70", 80, "$80")])
def test_the_smallest_edit_has_the_printed_format(value, computed, edit):
    assert ledger.propose_edit(value, computed) == edit


def test_first_of_prefers_the_earlier_list():
    raw, printed = ledger.line("a", "t", "r", "c", 1, "raw", ""), ledger.line("a", "t", "r", "c", 2, "printed", "")
    assert ledger.first_of([raw], [printed]) == [raw]


def test_the_committed_ledger_has_a_line_for_every_printed_number():
    whole = pd.read_csv(ledger.ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
    printed = pd.concat([ledger.read_published(paper) for paper in ledger.PAPERS], ignore_index=True)
    assert whole[[*ledger.KEY, "value"]].equals(printed) and list(whole) == ledger.COLUMNS
    assert (whole["verdict"] == "unverifiable").mean() < 0.1
    assert whole.loc[whole["verdict"] == "unverifiable", "how"].ne("no check was found").all()
    table5 = whole[(whole["paper"] == "ttcw") & (whole["table"] == "Table 5") & (whole["row"] != "Average")]
    assert len(table5) == 70 and (table5["verdict"] == "reproduced").all()


BAD = ["-", "x", "%", "+", "$", "1/0", ".", "e5", "1,2", "--1", "1.2.3", "٣", "1 ", "5m", "1e400", "n/a", "nan", "inf"]


@pytest.mark.parametrize("value", BAD)
def test_what_no_one_can_compute_with_is_not_taken_for_a_printed_number(tmp_path, value):
    (tmp_path / "ttcw.csv").write_text(f"{HEAD}ttcw,T,r,c,1\nttcw,T,r,d,\"{value}\"\n", encoding="utf8")
    with pytest.raises(ledger.LedgerError, match="ttcw.csv, line 3: a value that is not a printed number"):
        ledger.read_published("ttcw", tmp_path)


@given(st.from_regex(ledger.NUMBER, fullmatch=True))
def test_every_value_that_is_let_in_has_a_number_and_a_tolerance(value):
    number, half = ledger.to_number(value), ledger.tolerance(value)
    assert (value == "") == (number != number) and half >= 0
    assert value == "" or ledger.agrees(value, number)


@given(st.floats(-1e12, 1e12), st.integers(-9, 9))
def test_ten_digits_are_close_the_same_again_and_blind_to_the_last_bits(number, steps):
    text = ledger.ten_digits(number)
    assert float(text) == pytest.approx(number, rel=5.1e-10, abs=5.1e-13)
    assert ledger.ten_digits(float(text)) == text, "read and written again, nothing changes"
    neighbour = number
    for _ in range(abs(steps)):  # another machine's arithmetic
        neighbour = float(np.nextafter(neighbour, np.inf * steps))
    assert float(ledger.ten_digits(neighbour)) == pytest.approx(float(text), rel=1.1e-9, abs=1.1e-12)


@given(st.floats(-1e4, 1e4), st.integers(0, 4), st.floats(-1e4, 1e4))
def test_the_proposed_edit_mends_what_is_printed(printed, places, computed):
    edit = ledger.propose_edit(f"{printed:.{places}f}", computed)
    assert ledger.agrees(edit, computed) and len(edit.partition(".")[2]) == places


@given(st.floats(0.001, 1000), st.integers(0, 3), st.sampled_from([0.3, 0.7]), st.booleans())
def test_the_verdict_turns_at_half_a_unit_in_the_last_place(number, places, off, up):
    printed = f"{number:.{places}f}"
    computed = float(printed) + (off if up else -off) * 10.0**-places
    assert ledger.agrees(printed, computed) == (off < 0.5)
