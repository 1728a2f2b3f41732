"""Solutions of notebook 02, each a function of the notebook's namespace: (right answer, known mistakes)."""

from helpers.measures import agreement


def exercise_1(ns):
    """A judge that says Yes to 90 % of questions without reading: its expected balanced accuracy is one half."""
    return 0.5, [(0.9, "That is its hit rate on passed tests; on failed tests it is right in 10 % only."),
                 (float(0.9 * ns["truth"]["truth"].mean() + 0.1 * (1 - ns["truth"]["truth"].mean())),
                  "That is plain accuracy, which depends on how many tests are passed.")]


def exercise_2(ns):
    """Let the jury say Yes only if every judge that answered does, and compute its balanced accuracy."""
    jury = ns["jury"]
    right = agreement.balanced_accuracy(jury["mean"] == 1, jury["truth"])
    majority = agreement.balanced_accuracy(jury["mean"] > 0.5, jury["truth"])
    return right, [(majority, "That is the majority jury of the section above.")] if abs(majority - right) > 0.01 else []


def exercise_3(ns):
    """Count the answers that carry no verdict, over all judges."""
    return int(ns["lost"].sum()), []
