"""The old make targets about judges: each is the command that replaces it."""

import pytest

from tools import as_goodjudge as old

CASES = [
    ("judge-card", {}, "demo"),
    (
        "judge-card",
        {"RATINGS": "a $b.csv", "SCORES": "s.csv", "COLUMNS": '{"Which?": "item"}'},
        "card|a $b.csv|--scores|s.csv|--column|Which?=item",
    ),
    ("judge-plan", {"ITEMS": "60", "RATERS": "3", "LIKE": ""}, "plan --items 60 --raters 3"),
    (
        "judge-drift",
        {"RATINGS": "r", "BEFORE": "a", "NOW": "b", "JUDGE": "j"},
        "drift r --before a --now b --judge j",
    ),
    ("rating-form", {"TEXTS": "t", "RATINGS": "saved"}, "form join saved --texts t"),
    (
        "judge",
        {"TEXTS": "my t", "JUDGE": "openai/x", "MAX_USD": "1"},
        "ask|my t|--rubric|ttcw|--judge|openai/x|--max-usd|1|--out|outputs/local/judge-my t.csv",
    ),
    (
        "judge-probe",
        {"TEXTS": "t", "JUDGE": "practice", "RUBRIC": "r.yaml", "LIMIT": "6"},
        "probe t --rubric r.yaml --judge smollm2 --limit 6 --out outputs/local/judge-probe-t.csv",
    ),
]


def test_without_texts_no_judge_is_asked():
    with pytest.raises(SystemExit, match="say where the texts are: make judge TEXTS=my-folder"):
        old.translate("judge", {"JUDGE": "openai/x"})


@pytest.mark.parametrize(("target", "given", "expected"), CASES)
def test_a_target_is_one_command(target, given, expected):
    arguments = expected.split("|" if "|" in expected else " ")
    assert old.translate(target, given) == arguments


def test_a_misspelt_variable_makes_no_sample(monkeypatch, capsys):
    monkeypatch.setenv("MAKEFLAGS", "s -- RATING=x CORES=2")
    assert old.main("judge-card") == 3
    assert "make judge-card has no RATING; it has RATINGS" in capsys.readouterr().err
    assert old.list_unknown("judge-plan", "w") == []
    spaced = r""" -- COLUMNS={"a\ b=c":\ "item"} RATINGS=x"""
    assert old.list_unknown("judge-card", spaced) == []
