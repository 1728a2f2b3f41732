"""Solutions of notebook 05, each a function of the notebook's namespace: (right answer, known mistakes)."""

import numpy as np

from helpers.evolvr.agreement import agreement_index


def exercise_1(ns):
    """Clip Relevance's ratings to 2-4 and compute the index: it rises, though nobody changed an order of stories."""
    ratings = ns["arrays"][0]
    right = agreement_index(np.clip(ratings, 2, 4))
    return right, [(agreement_index(ratings), "That is the index of the ratings as they are."),
                   (1.0, "That is the index if all raters gave the same score throughout."),
                   (agreement_index(np.clip(ns["arrays"], 2, 4).reshape(-1, 3)),
                    "That is all six aspects; take Relevance alone.")]


def exercise_2(ns):
    """Solve the ceiling for the number of raters: variance shares are squares of correlations, so 0.9 is a share of 0.81."""
    surprise = ns["variances"].loc["Surprise"]
    noise = surprise["rest"] / surprise["stories"]
    right, unsquared, severe = (int(np.ceil(value)) for value in (
        0.81 / 0.19 * noise, 0.9 / 0.1 * noise, 0.81 / 0.19 * (noise + surprise["severity"] / surprise["stories"])))
    mistakes = [(unsquared, "A ceiling is the square root of a share of variance: square 0.9 first."),
                (severe, "Severity is subtracted here; only the rest is noise.")]
    return right, [(wrong, why) for wrong, why in mistakes if wrong != right]
