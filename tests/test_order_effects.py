"""Order effects, and how often judges differ, are counted by hand."""

import numpy as np
import pandas as pd
import pytest

from helpers.measures import steadiness
from helpers.refbased import method as refbased
from helpers.sources.public import available
from helpers.ttcw import ask


def test_a_judge_that_always_prefers_the_first_is_turned_by_every_swap():
    table = pd.DataFrame({"group": "g", "writer": ["a", "b"], "test": 1, "plus": [1.0, 2.0]})
    table["minus"] = table["plus"]
    rows = refbased.read_order(table)
    # one group has no interval
    assert rows["estimate"].tolist() == [1.0, 1.0, 1.5] and rows["low"].isna().all()
    assert (refbased.mean_preference(table, "it")["score"] == 0).all()


def test_answers_of_judges_differ_as_often_as_counted_by_hand():
    rows = pd.MultiIndex.from_product([range(3), range(2)], names=["group", "item"])
    given = pd.DataFrame({"a": [1, 1, 0, 0, 1, 0], "b": [1, 0, 0, 1, 1, np.nan]}, rows)
    given["c"] = 1 - given["a"]
    pairs = {"one": [("a", "b")], "two": [("a", "b"), ("a", "c")]}
    found = steadiness.count_differences(given, pairs)
    assert found["estimate"].tolist() == pytest.approx([2 / 5, (2 / 5 + 1) / 2])
    assert found["n"].tolist() == [3, 3]


@pytest.mark.skipif(not available("ttcw"), reason="needs the open data")
def test_a_grade_is_asked_of_every_public_story_and_test():
    assert len(ask.graded_requests()) == 36 * 14
