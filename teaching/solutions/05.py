"""Solutions of notebook 05, each a function of the notebook's namespace: (right answer, known mistakes)."""

import numpy as np

from helpers.evolvr import compare, raters


def exercise_1(ns):
    """Clip Relevance's ratings to 2-4 and compute the index: it rises, though nobody changed an order of stories."""
    ratings = ns["arrays"][0]
    right = raters.agreement_index(np.clip(ratings, 2, 4))
    return right, [(raters.agreement_index(ratings), "That is the index of the ratings as they are."),
                   (1.0, "That is the index if all raters gave the same score throughout."),
                   (raters.agreement_index(np.clip(ns["arrays"], 2, 4).reshape(-1, 3)),
                    "That is all six aspects; take Relevance alone.")]


def exercise_2(ns):
    """Correlate over the stories of machines only: much of r was telling the human from the machines."""
    systems = ns["systems"]
    human = "Human" if "Human" in systems else systems[0]
    r = compare.correlate(ns["known"][ns["WRITER"]], ns["means"])
    right, everybody, alone = (float(r(np.flatnonzero(keep))) for keep in
                               (systems != human, systems == systems, systems == human))
    mistakes = [(everybody, "That is all writers."), (alone, "That is the left-out writer alone.")]
    return right, [(wrong, why) for wrong, why in mistakes if abs(wrong - right) > 0.01]
