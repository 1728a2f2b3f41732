"""Solutions of notebook 04, each a function of the notebook's names: (right answer, known mistakes,
what is learnt)."""

import numpy as np

from helpers.poetry.analysis import single_icc


def exercise_1(ns):
    """Round the attainable values to two places and count the hundred that are not among them."""
    values = np.asarray(ns["lattice"], float)
    rounded = set(np.round(100 * values).astype(int))
    there, whole = rounded & set(range(1, 101)), rounded & set(range(-100, 101))
    mistakes = [
        (len(there), "That is how many can come out."),
        (201 - len(whole), "That counts the negative ones and zero too."),
        (len(values), "That is the number of attainable values, negative ones included."),
        (
            0,
            (
                "Not every correlation can come out: the tiers come in thirties, so only whole"
                " swaps change the value."
            ),
        ),
    ]
    return (
        100 - len(there),
        mistakes,
        (
            "If such a number stood in the table, it would be a typo or another statistic. So the"
            " way in which a statistic is made lets a reader check a printed number without the"
            " data."
        ),
    )


def exercise_2(ns):
    """Shrout and Fleiss: ICC1 = (F - 1) / (F + 9) for ten runs."""
    f = ns["printed"].number("Table 8", "CREATIVITY / Claude-3-Opus 15n", "ICC1k / F")
    mistakes = [
        ((f - 1) / f, "That is the reliability of the mean of ten runs, 1 - 1/F."),
        (f, "That is F itself: use reliability_of_one."),
        ((f - 1) / f / 10, "Reliability is not shared out among the runs: use reliability_of_one."),
        ((f - 1) / (f + 10), "Nearly: the divisor is F plus the number of runs minus one."),
    ]
    return (
        single_icc(f),
        mistakes,
        (
            f"Ten runs averaged have {(f - 1) / f:.3f}, one has {single_icc(f):.2f}. Who uses one"
            " answer a poem gets the second, whatever the paper prints for the first."
        ),
    )


def exercise_3(ns):
    """Call correlate_as_printed with the column "commas and stops" of poem_counts, and tiers."""
    counts, tiers, correlate = ns["poem_counts"], ns["tiers"], ns["correlate_as_printed"]
    marks = counts["commas and stops"]
    right = correlate(marks, tiers)
    mistakes = [
        (
            ns["rho_of_marks"],
            "That is Spearman's correlation with the count; the paper makes tiers of the order.",
        ),
        (correlate(-marks, tiers), "That puts the fewest first; most marks come first."),
        (correlate(counts["words"], tiers), "That is for the number of words; count the marks."),
        (correlate(marks * counts["words"], tiers), "Marks per word, not marks in all."),
    ]
    learnt = (
        f"r = {right:.2f}, from a judge that always gives the same order and reads nothing. So a"
        " high r needs a second number beside it: what a count gets on the same poems."
    )
    return right, mistakes, learnt
