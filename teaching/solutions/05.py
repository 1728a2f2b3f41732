"""Solutions of notebook 05, each a function of the notebook's names: (right answer, known mistakes,
what is learnt)."""

import numpy as np

from helpers.evolvr.raters import agreement_index


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


def exercise_3(ns):
    """Group `mean_ratings` by person or machine and by aspect; a story's guess is the mean of the
    others in its group; correlate guesses and ratings."""
    table = ns["mean_ratings"]
    is_person = table["writer"] == "Human"

    def guess_from(*alike):
        scores = table["score"].groupby(list(alike))
        others = scores.transform("sum") - table["score"]
        guess = others / (scores.transform("size") - 1)
        return guess.corr(table["score"])

    right = guess_from(is_person, table["aspect"])
    with_writer = guess_from(table["writer"], table["aspect"])
    mistakes = [
        (with_writer, "That is section 6's control, which knows the writer's name."),
        (guess_from(is_person), "That control does not know which aspect is asked."),
        (guess_from(table["aspect"]), "That control knows the aspect alone."),
        (right**2, "That is r squared, a share of variance; r is asked for."),
    ]
    return (
        right,
        mistakes,
        (
            f"To know person from machine, and the aspect, gives r = {right:.2f} of the"
            f" {with_writer:.2f} that the writer's name gives. Most of a good correlation can be"
            " had from one bit about the author."
        ),
    )
