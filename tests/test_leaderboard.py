"""The leaderboard of 2026: its standard scores are sums of whole numbers, or the decoding fails."""

import numpy as np
import pandas as pd
import pytest

from helpers.sources.files import DataError
from helpers.ttcw import leaderboard


@pytest.fixture(scope="module")
def board():
    return leaderboard.decode(leaderboard.load_scores())


def test_every_score_is_a_sum_of_whole_numbers(board):
    assert len(board) == 83
    assert board["residual"].abs().max() < 1e-14
    assert board["right"].between(0, 50).all()


def test_the_counts_give_the_printed_mean_and_standard_deviation(board):
    share = board["right"] / 50
    assert share.mean() == pytest.approx(leaderboard.PRINTED_MEAN, abs=1e-12)
    assert share.std() == pytest.approx(leaderboard.PRINTED_SD, abs=1e-12)


def test_a_right_answer_agrees_with_two_votes_or_three(board):
    spare = board["votes"] - 2 * board["right"]
    assert np.ptp(spare) <= 50


@pytest.mark.parametrize("row", [0, 41, 82])
def test_a_score_that_is_wrong_in_its_eighth_digit_is_refused(row):
    scores = leaderboard.load_scores()
    scores.loc[row, "z"] += 1e-8
    with pytest.raises(DataError, match=scores.loc[row, "model"]):
        leaderboard.decode(scores)


def test_scores_drawn_at_random_are_refused(rng):
    scores = pd.DataFrame({"model": [f"m{row}" for row in range(83)], "z": rng.normal(size=83)})
    with pytest.raises(DataError, match="whole numbers"):
        leaderboard.decode(scores)


def test_known_counts_come_back(rng):
    """Made-up models: their counts, put into scores by other weights in the last digits."""
    right = rng.integers(3, 43, 60)
    votes = 2 * right - 12 + rng.integers(-8, 8, 60)
    weights = leaderboard.WEIGHTS + [3e-7, -2e-8, 1e-8, 0]
    z = weights[0] + weights[1] * right + weights[2] * votes
    scores = pd.DataFrame({"model": [f"m{row}" for row in range(60)], "z": z})
    found = leaderboard.decode(scores)
    assert found["right"].tolist() == right.tolist()
    assert found["votes"].tolist() == votes.tolist()
    assert (found["unreadable"] == 0).all()
