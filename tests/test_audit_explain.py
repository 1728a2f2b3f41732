"""What the command tells of printed numbers, from the committed ledger."""

import re
import sys

import pandas as pd
import pytest

from helpers.audit import explain
from helpers.audit.ledger import CONTRADICTED
from helpers.sources.public import ROOT

WHOLE = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)


def explained(monkeypatch, capsys, *place):
    """Return what the command prints for a place in the ledger."""
    monkeypatch.setattr(sys, "argv", ["explain", *place])
    explain.main()
    return capsys.readouterr().out.strip()


@pytest.fixture(scope="module")
def told():
    """What is told of every line of the ledger: a row per line, a column per label."""
    shared = WHOLE["cause"].value_counts()
    lines = WHOLE.to_dict("records")
    described = [explain.describe(line, int(shared[line["cause"]])) for line in lines]
    return pd.DataFrame(described, WHOLE.index).fillna("")


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


def test_nothing_that_is_told_has_the_ledgers_own_marks(told):
    marks = r"claim:|\(input checked\)|We have|\bnan\b|\{|or blank|\.\.|: :|  "
    assert not told.apply(lambda column: column.str.contains(marks)).to_numpy().any()


def test_the_verdict_stands_in_all_that_is_told_and_only_bad_ones_are_contradicted(told):
    assert told["verdict"].str.partition(": ")[0].equals(WHOLE["verdict"])
    bad = WHOLE["verdict"].isin(CONTRADICTED)
    assert told["verdict"].str.contains(": contradicted").equals(bad)
    assert ((told["cause"] != "") & ~bad).sum() == 0 and (told.loc[bad, "cause"] != "").all()
    bounded = WHOLE["verdict"] == "not contradicted"
    assert told["verdict"].str.contains("only bound it").equals(bounded)


@pytest.mark.parametrize(
    ("place", "near"),
    [
        (("tcw",), "^No paper 'tcw' in the ledger; try: ttcw.$"),
        (
            ("ttcw", "Table 5", "Averag"),
            "^No row 'Averag' in Table 5 of ttcw of the ledger; try: Av",
        ),
        (("ttcw", "Table 5", "Average", "GTP4"), "^No column 'GTP4' in .* try: GPT4"),
        (("ttcw", "Table 1", "Average"), "in Table 1 of ttcw of the ledger; try: "),
    ],
)
def test_an_unknown_name_is_one_sentence_with_near_ones(monkeypatch, capsys, place, near):
    with pytest.raises(SystemExit, match=near):
        explained(monkeypatch, capsys, *place)
