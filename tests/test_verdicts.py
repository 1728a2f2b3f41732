"""What is said of a lead, and yes, no or undecided: by the interval and the smallest difference."""

import re

import numpy as np
import pandas as pd
import pytest
from goodjudge.card import verdicts
from goodjudge.stats import intervals


@pytest.mark.parametrize(
    ("lead", "said"),
    [
        ((0.2, 0.12, 0.28), "yes"),
        ((0.2, 0.02, 0.38), "yes, but perhaps by less than 0.1"),
        ((0.02, 0.01, 0.03), "no"),
        ((0.05, -0.02, 0.099), "no"),
        ((0.05, -0.05, 0.15), "these data cannot tell"),
    ],
)
def test_better_is_answered_by_the_interval_and_the_smallest_difference(lead, said):
    told = verdicts.decide_whether_better(lead, 40, 0.1)
    assert told.startswith(said)
    assert told == said or "cannot tell" in said


@pytest.mark.parametrize(
    ("lead", "said"),
    [
        ((-0.03, -0.09, 0.03), "yes, within 0.1"),
        ((-0.05, -0.09, -0.01), "nearly: less good, by less than 0.1"),
        ((-0.3, -0.4, -0.2), "no"),
        ((-0.1, -0.15, -0.05), "less good, but perhaps by less than 0.1"),
        ((-0.05, -0.15, 0.05), "these data cannot tell"),
    ],
)
def test_as_good_is_answered_by_the_interval_and_the_smallest_difference(lead, said):
    told = verdicts.decide_whether_as_good(lead, 40, 0.1)
    assert told.startswith(said)
    assert told == said or "cannot tell" in said


def test_where_data_cannot_tell_they_say_how_many_groups_would_tell():
    unsure = verdicts.decide_whether_better([0.05, -0.15, 0.25], 12, 0.1)
    assert unsure.startswith("these data cannot tell: 12 groups, about ")
    needed = int(re.search(r"about (\d+) would show", unsure).group(1))
    half = 0.2 * np.sqrt(12 / needed)  # half the interval that so many groups would have
    assert half * (1 + 0.84 / 2.2) == pytest.approx(0.1, rel=0.02)


@pytest.mark.parametrize(
    "decide", [verdicts.decide_whether_better, verdicts.decide_whether_as_good]
)
def test_a_lead_of_few_groups_has_no_interval_and_decides_nothing(decide):
    told = decide([0.2, np.nan, np.nan], 3, 0.1)
    assert told == "these data cannot tell: fewer than 5 groups"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ((0.01, -0.05, 0.07), "alike"),
        ((0.01, 0.002, 0.018), "alike"),
        ((0.12, 0.05, 0.19), "different"),
        ((0.05, -0.08, 0.18), "these data cannot tell"),
        ((0.05, np.nan, np.nan), "these data cannot tell"),
    ],
)
def test_alike_is_said_only_where_a_difference_of_the_margin_is_excluded(row, said):
    assert verdicts.are_alike(intervals.row(*row, 40), 0.1) == said


def test_labels_saved_leave_an_interval_as_wide():
    found = pd.DataFrame({"kind": ["judge"], "estimate": 0.6, "low": -0.2, "high": 0.8, "n": 9})
    saved = verdicts.count_saved(found, 100, 1000)
    spared = saved["estimate"].item()

    def variance(n, explained):  # of a mean of n labels among 1,000 cases, the rest predicted
        return (1 - n / 1000) * (1 - explained) / n

    # fewer labels with the judge's help against all 100 without
    with_help = (1 - 0.36) / (100 - spared) + 0.36 / 1000 - 1 / 1000
    assert with_help == pytest.approx(variance(100, 0), rel=1e-9)
    assert saved["low"].item() == 0, "an r below 0 saves nothing"
