"""EvolvR's reward for stories, by numbers worked by hand."""

import numpy as np
import pytest

from helpers.evolvr import reward

LEVEL = [3, 4, 2, 3, 5, 1]  # weighted by 5, 3, 1, 3, 1, 1: (15+12+2+9+5+1) / 14 = 44 / 14
OTHER = [2, 4, 2, 3, 5, 1]  # a point less on relevance: 39 / 14


def test_the_paper_s_reward_is_linear_in_points():
    (row,) = reward.reward([LEVEL], [OTHER], [1000]).to_dict("records")
    assert row["relative"] == pytest.approx(0.8 * 5 / 14)
    assert row["absolute"] == pytest.approx(0.1 * 44 / 14)
    assert row["length"] == pytest.approx(0.1)
    assert row["reward"] == pytest.approx(0.8 * 5 / 14 + 0.1 * 44 / 14 + 0.1)


def test_the_code_s_reward_pays_between_nothing_and_one():
    (row,) = reward.reward([LEVEL], [OTHER], [400], "code").to_dict("records")
    assert row["relative"] == pytest.approx(0.8 * (1 - np.exp(-5 / 14)))
    assert row["absolute"] == pytest.approx(0.1 * (44 / 14 - 1) / 4)
    assert row["length"] == pytest.approx(0.1 * 0.5)
    most = reward.reward([[5] * 6], [[1] * 6], [1000], "code")["reward"]
    assert most.item() == pytest.approx(0.8 * (1 - np.exp(-4)) + 0.1 + 0.1)


@pytest.mark.parametrize(
    ("lead", "paid"),
    [
        (-4, 0.0),
        (-0.1, 0.2 / 2),
        (0, 0.2 / (1 + np.exp(-1))),
        (0.1, 1 - np.exp(-0.1)),
        (1, 1 - np.exp(-1)),
    ],
)
def test_the_code_s_relative_part(lead, paid):
    assert reward.pay_lead(lead) == pytest.approx(paid, abs=1e-9)


@pytest.mark.parametrize(
    ("characters", "paid"),
    [(0, 0), (200, 0.25), (800, 1), (1200, 1), (1700, 0.7 + 0.3 / np.e), (10**6, 0.7)],
)
def test_the_length_part(characters, paid):
    assert reward.pay_length(characters) == pytest.approx(paid)


def test_equation_11_takes_a_common_reference_away():
    """Whoever stands on the other side: what a story earns above its group stays the same."""
    scores = np.array([LEVEL, OTHER, [5] * 6])
    earned = []
    for reference in ([1] * 6, OTHER):
        total = reward.reward(scores, [reference] * 3, [900, 900, 500])["reward"]
        earned.append(total - total.mean())
    assert earned[0].to_numpy() == pytest.approx(earned[1].to_numpy())
