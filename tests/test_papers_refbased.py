"""The page of the reference-based papers: names and rules of Table 1."""

import pytest

from helpers.audit.checks import Paper
from helpers.papers.refbased import table1
from helpers.refbased import rebuild

CODES = [
    ("Baseline / Claude 3.5", "claude35"),
    ("Ours / Claude 3.5", "claude35_ours"),
    ("Baseline / GPT-4", "gpt4"),
    ("Baseline / ChatGPT", "cgpt"),
]


@pytest.mark.parametrize(("row", "code"), CODES)
def test_a_row_of_table_1_has_the_figures_name(row, code):
    assert table1.code_of(row) == code


@pytest.mark.parametrize("name", rebuild.FIGURES)
def test_every_row_of_table_1_is_a_row_of_the_figures(name):
    paper = Paper(name)
    codes = {table1.code_of(row) for row in paper.grid("Table 1").index}
    for figure in rebuild.FIGURES[name].values():
        assert codes - set(paper.grid(figure).index) == set()


def test_the_baseline_of_a_judge_with_a_reference_is_the_judge():
    assert table1.base_of("claude35_ours") == "claude35"
    assert table1.base_of("qwen2-72b-chat_v3_ours") == "qwen2-72b-chat"


def test_bounds_that_round_to_one_number_are_told_once():
    bounds = {rebuild.AT_LEAST: (0.661, 0.664), rebuild.ABOVE: (0.5, 0.6)}
    words = "at least (>=) gives 0.66, above (>) gives 0.50 to 0.60"
    assert table1.tell(bounds) == words
