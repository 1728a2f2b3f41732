"""What the papers print: the transcription is pinned, bad files are refused, numbers know their
rounding."""

import hashlib
import json
import operator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from audit_kit import printed_row
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers.audit.ledger import PAPERS
from helpers.sources import published
from helpers.sources.files import DataError

PINNED = Path(__file__).with_name("published_checksums.json")
HEAD = "paper,table,row,column,value\n"


def checksums(paper):
    """Return {table: SHA-256 of its rows, columns and values} of a paper, in printed order."""
    by_table = {}
    for table, lines in published.read_published(paper).groupby("table", sort=False):
        text = lines[["row", "column", "value"]].to_csv(index=False, lineterminator="\n")
        by_table[table] = hashlib.sha256(text.encode()).hexdigest()
    return by_table


@pytest.mark.parametrize("paper", PAPERS)
def test_no_printed_number_has_changed_since_the_two_transcriptions_agreed(paper):
    assert checksums(paper) == json.loads(PINNED.read_text())["tables"][paper]


ROW = "ttcw,T,r,c,1\n"
BAD_TABLES = [
    ("paper,table,row,value\nttcw,T,r,1\n", "line 1: columns paper, table, row, value; expected"),
    (f"{HEAD}{ROW}poetry,T,r,d,1\n", "line 3: paper is 'poetry'; expected 'ttcw'"),
    (f"{HEAD}ttcw,T, ,c,1\n", "line 2: row is ' '; expected a key that is not empty"),
    (f"{HEAD}{ROW}ttcw,T,r,d,2\n{ROW}", "line 4: column is 'c'; expected a key that stands on no"),
    (f"{HEAD}ttcw,T,r,c,about 3\n", "line 2: value is 'about 3'; expected a printed number"),
    (f"{HEAD}{ROW}ttcw,T,r\n", "line 3: 3 cells, expected 5"),
    (f'{HEAD}"ttcw",T,"r\ns",c,1\nttcw,T,r,d,?\n', "line 4: value is"),
]


@pytest.mark.parametrize(("body", "message"), BAD_TABLES)
def test_a_bad_published_table_stops_with_file_and_line(tmp_path, body, message):
    (tmp_path / "ttcw").mkdir()
    (tmp_path / "ttcw" / "printed.csv").write_text(body)
    with pytest.raises(DataError, match=f"ttcw/printed.csv, {message}"):
        published.read_published("ttcw", tmp_path)


READ = {  # printed: the number, half a unit of its last place
    "0.27": (0.27, 0.005),
    "-0.045": (-0.045, 0.0005),
    "52.2%": (52.2, 0.05),
    "1.92e-04": (1.92e-4, 5e-7),
    "2,016": (2016, 0.5),
    "$70": (70, 0.5),
    "10X": (10, 0.5),
    "+17%": (17, 0.5),
    "1/3": (1 / 3, 1 / 60),
    ".5": (0.5, 0.05),
}


@pytest.mark.parametrize("value", READ)
def test_reading_a_printed_number(value):
    number, half = READ[value]
    assert published.NUMBER.fullmatch(value)
    assert published.to_number(value) == pytest.approx(number)
    assert published.tolerance(value) == pytest.approx(half)


@given(st.from_regex(published.NUMBER, fullmatch=True))
def test_every_value_that_is_let_in_has_a_number_and_a_tolerance(value):
    number = published.to_number(value)
    assert np.isnan(number) == (value == "")
    assert published.tolerance(value) >= 0
    assert published.agrees(value, number)


@given(st.floats(0.001, 1000), st.integers(0, 3), st.sampled_from([0.3, 0.7]), st.booleans())
def test_the_verdict_turns_at_half_a_unit_in_the_last_place(number, places, off, up):
    printed = f"{number:.{places}f}"
    computed = float(printed) + (off if up else -off) * 10.0**-places
    assert published.agrees(printed, computed) == (off < 0.5)


OPERATIONS = [operator.add, operator.sub, operator.mul, operator.truediv]


@given(st.floats(-50, 50), st.floats(-50, 50), st.integers(0, 3), st.sampled_from(OPERATIONS))
def test_arithmetic_never_loses_the_true_number(x, y, places, do):
    assume(y != 0)
    cells = printed_row(x=f"{x:.{places}f}", y=f"{y:.{places}f}").table("T")
    exact_column = pd.Series({"r": x})
    pairs = [(cells["x"], cells["y"]), (x, cells["y"]), (cells["x"], y), (exact_column, cells["y"])]
    true = do(x, y)
    for first, second in pairs:
        computed = do(first, second)
        low, high = float(computed.low.iloc[0]), float(computed.high.iloc[0])
        inside = low - 1e-9 * abs(low) <= true <= high + 1e-9 * abs(high)
        assert inside or np.isclose(true, [low, high]).any()
