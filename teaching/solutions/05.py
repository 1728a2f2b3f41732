"""Solutions of notebook 05, each a function of the notebook's names: (right answer, known mistakes,
what is learnt)."""

import numpy as np

from helpers.evolvr.agreement import agreement_index


def exercise_1(ns):
    """Clip Relevance's ratings to 2-4 and compute the index: it rises, though nobody changed an
    order of stories."""
    ratings = ns["arrays"][0]
    timid, before = agreement_index(np.clip(ratings, 2, 4)), agreement_index(ratings)
    mistakes = [
        (before, "That is the index of the ratings as they are."),
        (1, "That is the index if all raters gave the same score throughout."),
        (timid - before, "That is the rise; the index itself is asked for."),
        (agreement_index(np.clip(ratings, 2, 5)), "You changed the 1s only; 5 becomes 4 as well."),
        (agreement_index(np.clip(ratings, 1, 4)), "You changed the 5s only; 1 becomes 2 as well."),
        (
            agreement_index(np.clip(ns["arrays"], 2, 4).reshape(-1, 3)),
            "That is all six aspects; take Relevance alone.",
        ),
    ]
    return (
        timid,
        mistakes,
        (
            f"The index rises from {before:.2f} to {timid:.2f}, and nobody has changed an opinion."
            " An index without chance correction rewards raters who avoid the ends of the scale."
        ),
    )


def exercise_2(ns):
    """Solve the ceiling for the number of raters: variance shares are squares of correlations, so
    0.9 is a share of 0.81."""
    surprise = ns["variances"].loc["Surprise"]
    noise, severity = (
        surprise["rest"] / surprise["stories"],
        surprise["severity"] / surprise["stories"],
    )
    needed = 0.81 / 0.19 * noise
    mistakes = [
        (
            np.ceil(0.9 / 0.1 * noise),
            "A ceiling is the square root of a share of variance: square 0.9 first.",
        ),
        (
            np.ceil(0.81 / 0.19 * (noise + severity)),
            "Severity is subtracted here; only the rest is noise.",
        ),
        (needed, "Raters come whole: round up."),
        (np.floor(needed), "Rounded down the ceiling stays below 0.9: round up."),
        (3, "That is how many rated each story; with three the ceiling is lower."),
    ]
    return (
        int(np.ceil(needed)),
        mistakes,
        (
            f"With three raters Surprise has a ceiling of {np.sqrt(1 / (1 + noise / 3)):.2f}, so no"
            " evaluator could reach 0.9 there, however good. Look at the ceiling before you call a"
            " correlation low."
        ),
    )
