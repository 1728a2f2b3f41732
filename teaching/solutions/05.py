"""Solutions of notebook 05, each a function of the notebook's namespace: (right answer, known mistakes)."""

import numpy as np

from helpers.evolvr import filter as evolvr_filter
from helpers.evolvr import raters as evolvr_agreement


def exercise_1(ns):
    """Clip Relevance's ratings to 2-4 and compute the index: it rises, though nobody changed an order of stories."""
    ratings = ns["arrays"][0]
    right = evolvr_agreement.agreement_index(np.clip(ratings, 2, 4))
    return right, [(evolvr_agreement.agreement_index(ratings), "That is the index of the ratings as they are."),
                   (1.0, "That is the index if all raters gave the same score throughout."),
                   (evolvr_agreement.agreement_index(np.clip(ns["arrays"], 2, 4).reshape(-1, 3)),
                    "That is all six aspects; take Relevance alone.")]


def exercise_2(ns):
    """Compare the column `averaged` of the protocol's table with its last row."""
    table = ns["protocol"].set_index("N")
    right, flat = (int((table[way] >= table[way].iloc[-1] - 0.01).idxmax()) for way in ("averaged", "one list"))
    mistakes = {16: "That is the largest N; look for the first that comes close.", flat: "That is the column 'one list'."}
    return right, [(wrong, why) for wrong, why in mistakes.items() if wrong != right]


def exercise_3(ns):
    """Run the list of operators without the attack and divide what is left by the pool."""
    pool, faulty = ns["pool"], ns["faulty"]
    operators = evolvr_filter.algorithm_1(faulty.ask, faulty.probabilities, ns["texts"])

    def share(left_out):
        faulty.rng = np.random.default_rng(ns["seed"])  # the judge's confidence is drawn anew, as in the notebook
        kept, _ = evolvr_filter.run_pipeline(pool, [(name, step) for name, step in operators if name != left_out])
        return len(kept) / len(pool)

    return share("attack"), [(share(None), "That is the whole pipeline."),
                             (share("confidence"), "That is without the confidence check.")]
