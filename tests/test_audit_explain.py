"""One number's story from the committed ledger, in sentences."""

import sys

import pytest

from helpers.audit import explain


def told(monkeypatch, capsys, *asked):
    monkeypatch.setattr(sys, "argv", ["explain", *asked])
    explain.main()
    return capsys.readouterr().out


def test_a_story_tells_what_is_printed_computed_and_decided(monkeypatch, capsys):
    text = told(monkeypatch, capsys, "ttcw", "Table 5", "Average")
    assert "GPT4: the paper prints 27.9. We have 27.77777778 beside it." in text
    assert "Verdict: differs." in text and "notebook 01" in text
    blank = told(monkeypatch, capsys, "evolvr", "Table 5", "Qwen2.5-7B-Instruct")
    assert "Win Base: the paper leaves this cell blank." in blank


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        (("tcw", "Table 5", "x"), "^No paper 'tcw' in the ledger; try: ttcw.$"),
        (
            ("ttcw", "Table 5", "Averag"),
            "^No row 'Averag' in Table 5 of ttcw of the ledger; try: Av",
        ),
        (("ttcw", "Table 1", "Average"), "in Table 1 of ttcw of the ledger; try: "),
    ],
)
def test_an_unknown_name_is_one_sentence_with_near_ones(monkeypatch, capsys, asked, near):
    with pytest.raises(SystemExit, match=near):
        told(monkeypatch, capsys, *asked)
