"""The page of the reference-based papers: names and rules of Table 1, what rankings
of three stories allow, and what tau says of rho."""

import itertools

import numpy as np
import pytest
from audit_kit import one_row
from goodjudge.stats import rankings
from scipy import stats

from helpers.audit.checks import Paper
from helpers.papers.refbased import figures, table1, tables_2_3
from helpers.refbased import rebuild

ROWS_V2 = Paper("refbased_v2").grid("Table 1").index
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


def test_a_judge_whose_answers_are_released_has_exact_accuracies():
    humans = rebuild.expert_scores()
    recorded = table1.mean_accuracies(Paper("refbased_v1"), "Baseline / GPT-4", humans)
    other = table1.mean_accuracies(Paper("refbased_v1"), "Baseline / Claude 3.5", humans)
    assert all(low == high for low, high in recorded.values())
    assert all(low <= high for low, high in other.values())
    assert any(low < high for low, high in other.values())


def test_the_second_version_repeats_accuracies_and_the_first_has_none_before_it():
    repeated = [table1.repeats_v1(Paper("refbased_v2"), row) for row in ROWS_V2]
    assert any(repeated)
    assert not table1.repeats_v1(Paper("refbased_v1"), "Baseline / GPT-4")


def test_bounds_that_round_to_one_number_are_told_once():
    bounds = {rebuild.AT_LEAST: (0.661, 0.664), rebuild.ABOVE: (0.5, 0.6)}
    words = "at least (>=) gives 0.66, above (>) gives 0.50 to 0.60"
    assert table1.tell(bounds) == words


HUMAN = (5.0, 3.0, 1.0)  # the experts' scores of three stories


@pytest.mark.parametrize("order", rankings.weak_orders(3))
def test_the_three_numbers_of_any_ranking_hold_and_are_known_exactly(order):
    exact = rankings.cells(HUMAN, rebuild.AT_LEAST)[order]
    fits = figures.fit_three(HUMAN, tuple(round(number, 2) for number in exact))
    assert [fit.holds for fit in fits] == [True, True, True]
    assert [fit.exact for fit in fits] == pytest.approx(exact)
    assert [fit.nearest for fit in fits] == pytest.approx(exact)


def test_a_number_that_no_ranking_gives_beside_the_other_two_does_not_hold():
    fits = figures.fit_three(HUMAN, (1.0, 1.0, 0.67))
    assert [fit.holds for fit in fits] == [True, True, False]
    assert fits[2].nearest == 1, "the other two leave this one"


@pytest.mark.parametrize("stories", [4, 5])
def test_rho_keeps_the_limits_that_a_positive_tau_sets(stories):
    first = range(stories)
    for second in itertools.permutations(first):
        tau = stats.kendalltau(first, second).statistic
        if tau > 0:
            limits = tables_2_3.limits_of_rho(one_row(tau=f"{tau:.2f}").table("T")["tau"])
            rho = stats.spearmanr(first, second).statistic
            assert limits.low["r"] - 1e-9 <= rho <= limits.high["r"] + 1e-9


POSSIBLE = np.array([0.401, 0.412, 0.419, 0.9])  # 0.40, 0.41, 0.42 and one far off


@pytest.mark.parametrize(("number", "others"), [(0.41, 2), (0.4, 2), (0.9, 0)])
def test_other_last_digits_near_a_printed_number_are_counted(number, others):
    assert tables_2_3.count_other_digits(POSSIBLE, number) == others
