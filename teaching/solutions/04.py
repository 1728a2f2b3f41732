"""Solutions of notebook 04, each a function of the notebook's namespace: (right answer, known mistakes)."""

import numpy as np

from helpers.poetry.analysis import single_icc


def exercise_1(ns):
    """Round the attainable values to two places and count the hundred that are not among them."""
    lattice = np.asarray(ns["lattice"], float)
    there = set(np.round(100 * lattice).astype(int)) & set(range(1, 101))
    whole = set(np.round(100 * lattice).astype(int)) & set(range(-100, 101))
    return 100 - len(there), [(len(there), "That is how many can come out."),
                              (201 - len(whole), "That counts the negative ones and zero too."),
                              (len(lattice), "That is the number of attainable values, negative ones included.")]


def exercise_2(ns):
    """Shrout and Fleiss: ICC1 = (F - 1) / (F + 9) for ten runs."""
    row = "CREATIVITY / Claude-3-Opus 15n"
    f = ns["printed"].number("Table 8", row, "ICC1k / F")
    return single_icc(f), [((f - 1) / f, "That is the reliability of the mean of ten runs, 1 - 1/F."),
                                           (f, "That is F itself: use single_icc."),
                                           ((f - 1) / (f + 10), "Nearly: the divisor is F plus the number of runs minus one.")]


def exercise_3(ns):
    """Subtract the mean correlation of positions with lists of 15 from that with lists of 90."""
    flat = ns["flat"]
    right = float(flat["90", "positions"] - flat["15", "positions"])
    mistakes = [(-right, "The other way round: 90 minus 15."),
                (float(flat["90", "scores 1-5"] - flat["15", "scores 1-5"]), "That is for the 1-5 scores.")]
    return right, [(wrong, why) for wrong, why in mistakes if abs(wrong - right) > 0.005]
