"""Solutions of notebook 05b, each a function of the notebook's namespace: (right answer, known mistakes)."""

import numpy as np

from helpers.evolvr import filter as filters


def exercise_1(ns):
    """Compare the averaged curve with its last value."""
    right, flat = (int((curve >= curve.iloc[-1] - 0.03).idxmax())
                   for curve in (ns["curves"][way, 0.8] for way in ("averaged", "one list")))
    mistakes = {16: "That is the largest N; look for the first that comes close.", flat: "That is 'one list'."}
    return right, [(wrong, why) for wrong, why in mistakes.items() if wrong != right]


def exercise_2(ns):
    """Run the list of operators without the attack and divide what is left by the pool."""
    pool, faulty = ns["pool"], ns["faulty"]
    operators = filters.algorithm_1(faulty.ask, faulty.probabilities, ns["texts"])

    def share(left_out):
        faulty.rng = np.random.default_rng(ns["seed"])  # the judge's confidence is drawn anew, as in the notebook
        kept, _ = filters.run_pipeline(pool, [(name, step) for name, step in operators if name != left_out])
        return len(kept) / len(pool)

    return share("attack"), [(share(None), "That is the whole pipeline."),
                             (share("confidence"), "That is without the confidence check.")]
