"""Order effects, and how often judges differ, are counted by hand."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.diagnostics import consistency as steadiness

from helpers.refbased import method as refbased


def test_a_judge_that_always_prefers_the_first_is_turned_by_every_swap():
    table = pd.DataFrame({"group": "g", "writer": ["a", "b"], "test": 1, "plus": [1.0, 2.0]})
    table["minus"] = table["plus"]
    rows = refbased.read_order(table)
    assert rows["estimate"].tolist() == [1.0, 1.0, 1.5]
    assert rows["low"].isna().all(), "one group has no interval"
    assert (refbased.mean_preference(table) == 0).all(axis=None)


def test_judges_agree_beyond_chance_as_counted_by_hand():
    rows = pd.MultiIndex.from_product([range(3), range(2)], names=["group", "item"])
    given = pd.DataFrame({"a": [1, 1, 0, 0, 1, 0], "b": [1, 0, 0, 1, 1, np.nan]}, rows)
    given["c"] = 1 - given["a"]
    pairs = {"one": [("a", "b")], "two": [("a", "b"), ("a", "c")]}
    found = steadiness.find_kappas(given, pairs, "one")
    # of five questions three have the same answer; both say Yes to three of five
    chance = 0.6**2 + 0.4**2
    kappa = (0.6 - chance) / (1 - chance)
    assert found["estimate"].tolist() == pytest.approx([kappa, (kappa - 1) / 2])
    assert found["n"].tolist() == [3, 3]
    assert found.loc["two", "less"] == pytest.approx((kappa - 1) / 2 - kappa)
    assert np.isnan(found.loc["one", "less"]), "not beside itself"
    assert np.isnan(steadiness.find_kappa(np.ones(4), np.ones(4)))
