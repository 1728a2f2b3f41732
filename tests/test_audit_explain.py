"""What the command tells of printed numbers, from the committed ledger."""

import re
import sys

import pandas as pd
import pytest

from helpers.audit import explain
from helpers.audit.ledger import CONTRADICTED
from helpers.sources.public import ROOT

WHOLE = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
THEMIS = "NLG Evaluation Open-Source Models / Themis-8B"
COKE = "Story Evaluation Finetune Open-source Models / Coke"


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


# key, what must stand in its story, what must not: the quotes of a reader who did not understand
QUOTED = [
    (  # a rival's number is not ours
        ("evolvr", "Table 2", THEMIS, "Pearson"),
        "lower than EvolvR's, as the paper says\ncompared with:  0.2092\nverdict:        not cont",
        "We have",
    ),
    (
        ("refbased_v2", "Table 3", "Keys", "New Yorker"),
        "no shorter than the shortest New Yorker story, for which ttcw prints 1000 words",
        "We have",
    ),
    (
        ("evolvr", "Table 11", "(B, A)", "Pearson"),
        "between 0.612 and 0.6123\nhow:            what averages with the row (A, B)",
        "0.6035",
    ),
    (  # one end of an interval, not said which
        ("refbased_v2", "Table 2", "AVG Spearman", "Baseline"),
        "between 0.1375 and 0.8447\nhow:            between the limits that the printed tau sets",
        "0.491",
    ),
    (
        ("poetry", "Table 2", "GPT-4o-2024-05-13", "Good"),
        "30 poems of each tier can be given these counts in",
        "ways to cross",
    ),
    (  # a single line claimed company
        ("refbased_v2", "text", "3.2", "in words: average of two assessments"),
        "cause:          a cutoff on sums described as one on averages",
        "same cause",
    ),
    (  # good news or bad?
        ("ttcw", "Table 5", "Fluency / Narrative Ending", "Expert Agreement"),
        "of 44 stories, without group 2, it is 0.481\nverdict:        differs: contradicted by",
        "reproduced",
    ),
    (
        ("evolvr", "Table 15", "A", "B"),
        "averages of five models or more, for the four of Table 5 alone would leave",
        "cannot have",
    ),
    (  # an inference told as a fact
        ("evolvr", "Table 4", "EvolvR GRPO", "Relevance"),
        "that there were 80 (say, 20 stories and 4 experts) we infer",
        "a mean of 80 whole ratings (20",
    ),
    (
        ("evolvr", "Table 1", COKE, "StoryER / MSE"),
        "needs the models' scores on a data set that is not open here",
        "or blank",
    ),
    (("evolvr", "Table 1", COKE, "HANNA / MSE"), "the paper leaves this cell blank", "check"),
    (
        ("evolvr", "Table 9", "3 / Self-Refinement-Rule", "Remaining"),
        "stands with:    the numbers of its check",
        "(input checked)",
    ),
]


@pytest.mark.parametrize(("key", "stands", "gone"), QUOTED)
def test_what_a_reader_did_not_understand_is_said_otherwise(monkeypatch, capsys, key, stands, gone):
    text = explained(monkeypatch, capsys, *key)
    assert stands in text
    assert gone not in text


def test_nothing_that_is_told_has_the_ledgers_own_marks(told):
    marks = r"claim:|\(input checked\)|We have|\bnan\b|\{|or blank|\.\.|: :|  "
    assert not told.apply(lambda column: column.str.contains(marks)).to_numpy().any()


def test_company_is_claimed_just_where_a_cause_has_several_lines(told):
    bad = WHOLE[WHOLE["cause"] != ""]
    numbers = bad["cause"].map(bad["cause"].value_counts())
    said = told.loc[bad.index, "same cause"]
    assert said.equals(numbers.map("{} numbers".format).where(numbers > 1, ""))
    assert (told.drop(bad.index)["same cause"] == "").all()


def test_the_verdict_stands_in_all_that_is_told_and_only_bad_ones_are_contradicted(told):
    assert told["verdict"].str.partition(": ")[0].equals(WHOLE["verdict"])
    bad = WHOLE["verdict"].isin(CONTRADICTED)
    assert told["verdict"].str.contains(": contradicted").equals(bad)
    assert ((told["cause"] != "") & ~bad).sum() == 0 and (told.loc[bad, "cause"] != "").all()
    bounded = WHOLE["verdict"] == "not contradicted"
    assert told["verdict"].str.contains("only bound it").equals(bounded)


def test_a_strength_is_told_with_how_many_were_planted(told):
    is_measured = (WHOLE["strength"] != "") & ~WHOLE["verdict"].isin(CONTRADICTED)
    measured = told[is_measured & (WHOLE["verdict"] != "blank")]
    assert len(measured) > 2500
    strengths = WHOLE.loc[measured.index, "strength"]
    for strength, said in zip(strengths, measured["planted typos"]):
        assert said == f"{strength} noticed by checks of this kind"


def test_row_and_column_may_be_left_out(monkeypatch, capsys):
    whole = explained(monkeypatch, capsys, "ttcw", "Table 5")
    row = explained(monkeypatch, capsys, "ttcw", "Table 5", "Average")
    one = explained(monkeypatch, capsys, "ttcw", "Table 5", "Average", "GPT4")
    assert [text.count("\n\n") + 1 for text in (whole, row, one)] == [75, 5, 1]
    assert one in row
    assert row in whole


def test_part_of_a_phrase_finds_a_number_of_the_text(monkeypatch, capsys):
    text = explained(monkeypatch, capsys, "ttcw", "text", "1", "words per story")
    assert text.startswith("Art or Artifice?, section 1, mean words per")
    assert "\nprinted:        1400\n" in text
    assert "\n\n" not in text


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
