"""Controls and definitions of the reference-based study: known answers, one target for all, the
curve's marks."""

import itertools
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from helpers.measures import rankings
from helpers.refbased import controls, definitions, figures, load, rebuild
from helpers.sources.public import available

needs_data = pytest.mark.skipif(not available("ttcw"), reason="needs the open data")
PASSED = pd.DataFrame(
    [[9, 5, 1], [8, 6, 0], [7, 7, 2], [0, 9, 4], [3, 9, 0], [2, 8, 1]],
    columns=rebuild.LISTED,
    index=pd.MultiIndex.from_product([[0, 1], list("abc")], names=["group", "expert"]),
    dtype=float,
)


def test_a_judge_that_is_right_about_every_two_experts_scores_one_and_its_opposite_zero():
    right = {0: np.array([[2, 1, 0]]), 1: np.array([[1, 2, 0]])}
    found = controls.agreement_with_two_experts(PASSED, right)
    # two of group 1's targets put GPT-3.5 before Claude
    assert found.tolist() == [1, pytest.approx(7 / 9)]
    assert controls.agreement_with_two_experts(
        PASSED, {group: -order for group, order in right.items()}
    ).tolist() == [0, pytest.approx(2 / 9)]


def test_open_rankings_count_as_their_middle_and_a_silent_judge_as_half():
    both = {group: np.array([[2, 1, 0], [0, 1, 2]]) for group in (0, 1)}
    silent = {group: np.zeros((1, 3)) for group in (0, 1)}
    for judge in (both, silent):
        assert controls.agreement_with_two_experts(PASSED, judge).tolist() == pytest.approx(
            [0.5, 0.5]
        )


def test_the_third_expert_is_scored_against_the_other_two_by_hand():
    by_hand = [
        rankings.pair_accuracy(
            PASSED.loc[0].drop(index=one).mean(), PASSED.loc[(0, one)], controls.FAIR
        )
        for one in "abc"
    ]
    assert controls.agreement_with_two_experts(PASSED)[0] == pytest.approx(np.mean(by_hand))


def test_a_column_is_chosen_on_a_half_that_is_not_scored():
    table = pd.DataFrame({"always": [1.0, 1, 1, 1], "never": [0.0, 0, 0, 0]})
    assert controls.chosen_on_half(table).tolist() == [1, 1, 1, 1]
    # what one half shows the other lacks
    split = pd.DataFrame({"first": [1.0, 1, 0, 0], "last": [0.0, 0, 1, 1]})
    assert controls.chosen_on_half(split).tolist() == [pytest.approx(1 / 3)] * 4


@given(st.lists(st.lists(st.integers(-3, 3), min_size=5, max_size=5), min_size=1, max_size=4))
def test_all_flips_give_the_exact_p_of_each_definition_and_of_one_alone(rows):
    gains = np.array(rows, float)
    means, p, median = rankings.flip_all(gains)
    for values, mean, one in zip(gains, means, p):
        assert (mean, one) == pytest.approx(rankings.sign_flip(values))
    flipped = [
        abs(np.median((gains * signs).mean(axis=1)))
        for signs in itertools.product([1, -1], repeat=5)
    ]
    assert median == pytest.approx(np.mean(np.array(flipped) >= flipped[0] - 1e-9))


def test_as_many_groups_as_are_needed_find_a_gain_in_four_studies_of_five():
    gains = np.array([0.4, -0.1, 0.2, 0.1, 0.3, -0.2])
    groups = int(controls.groups_needed(gains, sizes=(0.15,))["estimate"].item())
    sample = 0.15 + gains.std(ddof=1) * np.random.default_rng(1).standard_normal((20000, groups))
    assert np.mean(stats.ttest_1samp(sample, 0, axis=1).pvalue < 0.05) == pytest.approx(
        0.8, abs=0.02
    )
    needed = controls.groups_needed(gains)
    assert (needed["low"] < needed["estimate"]).all() and (
        needed["estimate"] < needed["high"]
    ).all()
    assert needed["estimate"].is_monotonic_decreasing


def test_what_was_chosen_on_half_the_groups_is_chosen_anew_without_each_group(rng):
    candidates = pd.DataFrame(rng.random((8, 3)))
    table = pd.DataFrame({"chosen": controls.chosen_on_half(candidates), "half": 0.5})
    kept, anew = controls.summarise(table), controls.summarise(table, {"chosen": candidates})
    left_out = [controls.chosen_on_half(candidates.drop(index=group)).mean() for group in range(8)]
    width = stats.t.ppf(0.975, 7) * np.std(left_out) * np.sqrt(7)
    assert anew.at["chosen", "high"] - anew.at["chosen", "estimate"] == pytest.approx(width)
    assert kept.at["chosen", "estimate"] == pytest.approx(anew.at["chosen", "estimate"])
    lead = controls.summarise(table, {"chosen": candidates}, "chosen").loc["half"]
    assert lead.to_numpy() == pytest.approx((anew.loc["chosen"] - [0.5, 0.5, 0.5, 0]).to_numpy())


def test_an_interval_needs_five_groups():
    rows = controls.summarise(
        pd.DataFrame({"four": [1, 0, 1, np.nan, 0], "five": [1, 0, 1, 1, 0]}, dtype=float)
    )
    assert (
        np.isnan(rows.at["four", "low"])
        and rows.at["five", "low"] < rows.at["five", "estimate"] == 0.6
    )


@needs_data
def test_the_joint_gain_is_the_mean_of_the_three_printed_gains():
    found = definitions.joint_gains()["estimate"]
    printed = definitions.printed_gains()["by its own figure"].groupby(level="paper").mean()
    for paper, mean in printed.items():
        assert found[paper, rebuild.AT_LEAST] == pytest.approx(mean, abs=0.005)


@needs_data
def test_the_curve_holds_each_definition_once_with_the_papers_and_ours():
    table, gains = definitions.curve("refbased_v2")
    choices = table.columns.drop(["estimate", "p"]).tolist()
    combinations = np.prod([table[name].nunique() for name in choices])
    assert not table.duplicated(choices).any() and len(table) == combinations == len(gains)
    papers = definitions.where(table, definitions.PAPER | {"unanswered": "passed"})
    assert table[papers]["estimate"].item() == pytest.approx(1 / 9)
    joint = definitions.joint_gains().loc[("refbased_v2", definitions.FAIR)]
    ours = table[definitions.where(table, definitions.OURS | {"unanswered": "passed"})].iloc[0]
    assert tuple(ours[["estimate", "p"]]) == pytest.approx((joint["estimate"], joint["p"]))
    assert len(figures.draw_curve({"refbased_v2": (table, gains)}).axes) == 1
    choices = figures.summarise_choices(table)
    assert choices.index.is_unique and choices.index[choices["low"] < 0].tolist() == [
        "target: all experts"
    ]


@needs_data
def test_on_one_target_every_row_is_there_and_the_order_falls():
    study = load.load_study("open", np.random.default_rng(0))
    (one, learnt), (majority, _) = (
        controls.one_target(study.verdicts, study.stories, human) for human in (None, study.human)
    )
    assert (
        set(one) - set(majority) == {"a third expert"}
        and one.mean().round(10).is_monotonic_decreasing
    )
    best = rebuild.bounds_of(
        rebuild.rankings_that_fit_print("refbased_v2", "claude35_ours"), controls.FAIR, study.human
    )
    assert majority["Claude 3.5, with a reference"].tolist() == pytest.approx(
        ((best[0] + best[1]) / 2).tolist()
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([[4, 4], [4, 4]], "GPT-4 gives every story the same score, so it ranks none"),
        ([[2, 1], [1, 1]], "GPT-4 puts a first on average, and at the top of 2 of 2 groups"),
        ([[2, 1], [1, 2]], "GPT-4 ranks a and b alike on average"),
        (
            [[np.nan, 1], [np.nan, 2]],
            "GPT-4 puts b first on average, and at the top of 2 of 2 groups",
        ),
        ([[np.nan] * 2] * 2, "GPT-4 gives no story a score"),
        ([[2], [1]], "GPT-4 gives a 1.5 on average"),
    ],
)
def test_the_headline_of_a_readers_stories_is_what_the_scores_say(rows, said):
    scores = pd.DataFrame(rows, index=["g", "h"], columns=["a", "b"][: len(rows[0])], dtype=float)
    assert figures.headline(scores, "recorded/gpt4") == said
    ax = figures.draw_stories(scores, "recorded/gpt4", "tests passed of 4", (0, 4)).axes[0]
    assert len(ax.get_yticks()) == scores.size


def test_writers_whose_lines_are_the_same_share_a_label():
    rows = [
        ("g", writer, test, plus, 0.0)
        for writer, plus in {"a": 1, "b": 1, "c": -1}.items()
        for test in (1, 2)
    ]
    labels = pd.DataFrame(rows, columns=["group", "writer", "test", "plus", "minus"])
    ax = figures.draw_cutoffs({"judge": labels}).axes[0]
    assert [text.get_text() for text in ax.texts] == ["c", "a, b"]


def test_the_colour_of_a_row_follows_its_name():
    names = [
        "a third expert",
        "Claude 3.5, without a reference",
        "the paper's judge, with references",
        "the second rater (one rater)",
        "longer story wins (both raters)",
    ]
    assert list(figures.colours(names).values()) == [
        "human",
        "judge",
        "published",
        "human",
        "baseline",
    ]


def test_a_judge_is_compared_with_readers_copies_of_the_studys_groups():
    target = pd.DataFrame([[3.0, 1.0]], index=[7], columns=["a", "b"])
    chosen = SimpleNamespace(
        target=target, words=pd.DataFrame([[10, 20]], index=[7], columns=["a", "b"])
    )
    # items name the groups as text
    scores = pd.DataFrame([[2.0, 1.0]], index=["7"], columns=["a", "b"])
    assert controls.accuracy_beside_words(chosen, scores, "judge").loc[7].tolist() == [0, 1, 1]
