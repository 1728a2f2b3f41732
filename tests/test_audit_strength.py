"""Planted typos: they change one digit, and the audit's share of catches is counted rightly."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.audit import strength
from helpers.audit.checks import Paper
from helpers.sources.public import ROOT
from helpers.sources.published import KEY, NUMBER

VALUES = st.from_regex(NUMBER, fullmatch=True).filter(lambda value: any(map(str.isdigit, value)))


@given(VALUES, st.booleans())
def test_a_typo_changes_one_digit_and_stays_a_number(value, last):
    every = strength.typos(value, last)
    assert len(set(every)) == len(every) and (last or len(every) >= 8)
    for wrong in every:
        changed = [k for k in range(len(value)) if value[k] != wrong[k]]
        assert len(wrong) == len(value) and len(changed) == 1 and wrong[changed[0]].isdigit()
        assert NUMBER.fullmatch(wrong)


def test_a_last_digit_is_the_last_place_and_not_an_exponent():
    assert {wrong[:3] for wrong in strength.typos("1.96e-12", last=True)} == {"1.9"}
    assert len(strength.typos("92.95%", last=True)) == 9
    assert strength.typos("1/3") == [f"{k}/3" for k in (0, 2, 3, 4, 5, 6, 7, 8, 9)] + [
        f"1/{k}" for k in (1, 2, 4, 5, 6, 7, 8, 9)
    ]


def tally(paper):
    """Audit three numbers of a made-up table: a + b = sum, and a bound on the spare one."""
    cells = paper.table("T")
    paper.check("T", (cells["a"] + cells["b"]).to_frame("sum"), "sum")
    paper.check(
        "T",
        cells["sum"].to_frame("spare"),
        "below",
        holds=(cells["spare"].mid < cells["sum"].mid).to_frame("spare"),
        bound=True,
    )
    return paper


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("sum", "8", (True, True)),
        ("a", "9", (True, False)),
        ("spare", "3", (False, False)),
        ("spare", "9", (True, True)),
    ],
)
def test_a_typo_is_caught_at_itself_or_by_a_partner(name, value, found):
    rows = [
        ("made", "T", "r", key, text)
        for key, text in dict(a="2", b="3", sum="5", spare="4").items()
    ]
    paper = tally(Paper("made", lines=pd.DataFrame(rows, columns=[*KEY, "value"])))
    assert strength.caught(tally, paper, ("T", "r", name), value) == found


def test_shares_in_all_are_weighted_by_the_size_of_each_kind():
    planted = pd.DataFrame(
        {
            "paper": "p",
            "kind": ["x"] * 4 + ["y"] * 4,
            "verdict": "consistent",
            "digit": "any",
            "caught": [True] * 4 + [False] * 4,
        }
    )
    sizes = pd.Series({("p", "x", "consistent"): 90, ("p", "y", "consistent"): 10})
    table = strength.summarise(planted, sizes.rename_axis(["paper", "kind", "verdict"]))
    whole = table[table["kind"] == "all"].iloc[0]
    assert whole["estimate"] == 0.9 and whole["numbers"] == 100 and whole["n"] == 8
    assert whole["low"] < 0.9 < whole["high"] and whole["verdict"] == "reproduced or consistent"


def test_the_committed_table_says_what_the_ledger_repeats():
    table = pd.read_csv(ROOT / "outputs" / "strength.csv")
    assert list(table) == strength.COLUMNS and not table.duplicated(strength.KINDS).any()
    whole = table[(table["kind"] == "all") & (table["verdict"] == "reproduced or consistent")]
    assert len(whole) == 10 and (whole["n"] >= 100).all()
    confirmed = table[(table["kind"] != "all") & (table["verdict"] != "not contradicted")]
    assert (confirmed["n"] >= 3).all(), "of a kind with one digit there are nine typos"
