"""Solutions of notebook S3, each a function of the notebook's names: (right answer, known
mistakes, what is learnt)."""

import numpy as np

from helpers.evolvr import rationales


def exercise_1(ns):
    """Divide the rise from N = 1 to N = 4 by that from N = 1 to N = 16."""
    averaged, listed = (ns["curves"][way] for way in ("averaged", "one list"))

    def share(curve, n=4):
        return (curve[n] - curve[1]) / (curve[16] - curve[1])

    mistakes = [
        (share(listed), "That is 'one list'; take 'averaged'."),
        (averaged[4] - averaged[1], "That is the rise up to 4; divide it by the rise up to 16."),
        (averaged[16] - averaged[1], "That is the whole rise; divide the rise up to 4 by it."),
        (averaged[4] / averaged[16], "Those are correlations; divide the rises above N = 1."),
        (
            0.25,
            (
                "Four partners are a quarter of sixteen, but they bring more than a quarter of the"
                " rise."
            ),
        ),
    ]
    return (
        share(averaged),
        mistakes,
        (
            f"Four partners of sixteen bring {share(averaged):.0%} of the rise, eight"
            f" {share(averaged, 8):.0%}. Averaging removes random error, soon little is left, and"
            " each further partner costs as much as the first."
        ),
    )


def exercise_2(ns):
    """Run the list of operators without the attack and divide what is left by the pool."""
    pool, faulty = ns["pool"], ns["faulty"]
    operators = rationales.algorithm_1(faulty.ask, faulty.probabilities, ns["texts"])

    def share(left_out):
        # the judge's confidence is drawn anew, as in the notebook
        faulty.rng = np.random.default_rng(ns["seed"])
        kept, _ = rationales.run_pipeline(
            pool, [(name, step) for name, step in operators if name != left_out]
        )
        return len(kept) / len(pool)

    right, whole = share("attack"), share(None)
    mistakes = [
        (whole, "That is the whole pipeline."),
        (1 - right, "That is the share that is thrown away."),
        (round(right * len(pool)), "That is a number of explanations; divide it by the pool."),
        (
            right - whole,
            "That is what the attack costs; the share that survives without it is asked for.",
        ),
        (share("confidence"), "That is without the confidence check."),
    ]
    return (
        right,
        mistakes,
        (
            f"The attack throws away {right - whole:.2f} of the pool on top of the other checks. A"
            " check is worth that only if what it removes is worse than what stays, so count both."
        ),
    )
