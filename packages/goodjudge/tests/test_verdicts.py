"""Two differences are alike only where a larger one is excluded."""

import numpy as np
import pytest
from goodjudge.card import verdicts
from goodjudge.stats import intervals


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
