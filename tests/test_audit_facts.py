"""Facts of running text: a rule of facts.csv is read, and decides the numbers that it names."""

import pytest
from audit_kit import check_of, holds, with_rules

from helpers.audit import checks, facts
from helpers.sources.files import DataError
from helpers.sources.published import Rounded

RELATED = [  # printed, relation, fact, does the printed number stand so to the fact?
    ("3", "", 3.4, True),
    ("3", "", 3.6, False),
    ("3", "", Rounded(9, 3.4, 9), True),
    ("2,000+", "", 2016, True),
    ("3", "each", Rounded(3, 2.6, 3.4), True),
    ("3", "each", Rounded(3, 2.6, 3.6), False),
    ("10%", "<", 9.9, True),
    ("10%", "<", 10.0, False),
    ("10%", "<=", 10.0, True),
    ("0.2", "<=", 0.21, False),
    ("0.4", ">", 0.5, True),
    ("0.4", ">", 0.4, False),
    ("0.4", ">", Rounded(0.5, 0.3, 0.6), False),
    ("1400", "within 50", 1450, True),
    ("1400", "within 50", 1349, False),
    ("30", "within 5", Rounded(30, 24, 31), False),
    ("1/3", "1/n", 0.36, True),
    ("1/3", "1/n", 0.41, False),
    ("0", "1/n", 0.41, False),
    ("", "1/n", 0.36, False),
    ("", "", float("nan"), False),
]


@pytest.mark.parametrize(("value", "relation", "fact", "right"), RELATED)
def test_a_printed_number_stands_to_a_fact_as_the_relation_says(value, relation, fact, right):
    assert facts.relates(value, relation, Rounded(fact)) is right


BOUNDING = {"<": True, "<=": True, ">": True, "within 5": True, "": False, "each": False}


@pytest.mark.parametrize("relation", BOUNDING)
def test_a_relation_bounds_a_number_or_fixes_it(tmp_path, relation):
    paper = with_rules(tmp_path, f"T,*,a,size,{relation},printed,counted\n", a="3")
    paper.facts({"size": 3.0})
    assert check_of(paper, "a").bound is BOUNDING[relation]


def test_a_rule_decides_just_the_numbers_that_it_names(tmp_path):
    paper = with_rules(tmp_path, "T,*,a*,size,,printed,counted\n", a="3", ab="4", b="3")
    paper.facts({"size": 3.0})
    assert holds(paper, "a", "ab") == [True, False]
    assert ("T", "r", "b") not in paper.checked


READINGS = {"points": 4.0, "per cent": 5.2}


def test_of_several_readings_the_nearest_counts(tmp_path):
    paper = with_rules(tmp_path, "T,*,*,size,,printed,as {reading}\n", a="5", b="4", c="6")
    paper.facts({"size": READINGS})
    assert holds(paper, "a", "b", "c") == [True, True, False]
    assert check_of(paper, "a").how == "as per cent"
    assert check_of(paper, "b").how == "as points"


def test_a_rule_without_a_fact_leaves_the_number_open_and_says_why(tmp_path):
    paper = with_rules(tmp_path, "T,*,a,,,none,no data on {what}\n", a="3")
    paper.facts({"what": "prices"})
    assert check_of(paper, "a") == checks.Check(None, "none", "no data on prices", False, False)


COPY = "T,r,a,T | r | b,,printed,same\nT,r,b,size,,raw,counted\n"


def test_a_rule_that_names_a_printed_cell_fixes_both_ways(tmp_path):
    paper = with_rules(tmp_path, COPY, a="0.41", b="0.414")
    paper.facts({})  # without the raw fact
    assert holds(paper, "a", "b") == [True, True]
    assert check_of(paper, "a").how == "same"
    assert check_of(paper, "b").how == checks.SAME


SUMMARIES = [
    ("T | * | [bc]* | max", 7),
    ("T | * | * | min", 3),
    ("T | r | * | columns", 3),
    ("T | * | * | rows", 1),
]


@pytest.mark.parametrize(("summary", "computed"), SUMMARIES)
def test_a_rule_may_name_a_summary_of_printed_cells_and_blanks_do_not_count(
    tmp_path, summary, computed
):
    rule = f"T,r,a,{summary},,printed,counted\n"
    paper = with_rules(tmp_path, rule, a="3", b="5", cc="7", blank="")
    paper.facts()
    assert check_of(paper, "a").computed == computed
    assert holds(paper, "a") == [computed == 3]


BAD_RULES = [
    ("T,r,a,size,,guess,x\n", "line 2: basis is 'guess'"),
    ("T,r,a,,,printed,x\n", "line 2: fact is ''; expected a fact with basis raw, code"),
    ("T,r,a,size,about,printed,x\n", "line 2: is is 'about'; expected one of .*within N"),
    ("T,r,a,size,,none,x\n", "line 2: fact is 'size'"),
    ("T,r,a,size,,printed\n", "line 2: 6 cells, expected 7"),
    ("T,r,a,T | * | z | max,,printed,x\n", "line 2: 'T | .* | z | max' must be printed cells"),
    ("T,r,a,T | * | a | mean,,printed,x\n", "line 2: .* one of max, min, rows, columns"),
    ("T,r,a,height,,printed,x\n", "line 2: no fact 'height'; known: size"),
]


@pytest.mark.parametrize(("rule", "message"), BAD_RULES)
def test_a_bad_rule_stops_with_file_and_line(tmp_path, rule, message):
    with pytest.raises(DataError, match=f"made/facts.csv, {message}"):
        with_rules(tmp_path, rule, a="1").facts({"size": 1})
