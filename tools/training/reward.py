"""What an answer earns in GRPO: EvolvR's Equation 14, and terms for form and order."""

import numpy as np

from helpers.evolvr.pairs import PAIR_OF_SCORES
from helpers.evolvr.reward import exponential_reward

FORM, ORDER = 0.1, 0.2  # what the two terms add at most


def reward(text, truth):
    """Return (total, form, scores) of one answer: the sum of its rewards; whether it has two
    scores; these, or None. truth: the whole scores of A and B."""
    scores = PAIR_OF_SCORES.parse(text)
    if scores is None:
        return 0.0, False, None
    near = float(exponential_reward(scores, truth))
    same_order = np.sign(scores[0] - scores[1]) == np.sign(truth[0] - truth[1])
    return near + FORM + ORDER * bool(same_order), True, scores


def constant_reward(score, truths):
    """Return the mean total reward of always giving both stories this score; truths: pairs x 2."""
    answer = f"[[A: {score}, B: {score}]]"
    return float(np.mean([reward(answer, truth)[0] for truth in truths]))


def advantages(rewards):
    """Return rewards less their mean (GRPO without division by the group's spread)."""
    rewards = np.asarray(rewards, float)
    return rewards - rewards.mean()
