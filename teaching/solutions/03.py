"""Solutions of notebook 03, each a function of the notebook's names: (right answer, known mistakes,
what is learnt)."""

import numpy as np
from goodjudge.stats import rankings

from helpers.refbased import method
from helpers.sources.names import display_name

AT_LEAST = "at least (>=)"


def exercise_1(ns):
    """Score a judge that says 11, 10, 12 in both orders of listing under >= and subtract."""

    def accuracies(judge):
        judge = np.array(judge)
        return (
            rankings.pair_accuracy(ns["experts"], judge, AT_LEAST),
            rankings.pair_accuracy(ns["experts"][::-1], judge[::-1], AT_LEAST),
        )

    first, turned = accuracies([11, 10, 12])
    alone = rankings.pair_accuracy(ns["experts"], np.array([12, 10, 11]), AT_LEAST)
    mistakes = [
        (first - turned, "The other way round: the accuracy in reverse minus that as listed."),
        (first, "That is its accuracy as listed; subtract it from the one in reverse."),
        (
            turned,
            (
                "That is its accuracy in reverse, or the silent judge's rise; subtract the one as"
                " listed."
            ),
        ),
        (0, "It does change. Turn the experts' scores and the judge's round together."),
        (alone - turned, "Turn the experts' scores round together with the judge's."),
    ]
    return (
        turned - first,
        mistakes,
        (
            f"One listing makes the judge perfect ({first:.2f}), the other does not ({turned:.2f}),"
            " and no story has changed. A paper has to state its order, or use one of the last"
            " four rules, which do not depend on it."
        ),
    )


def exercise_2(ns):
    """Ask position_bias for the share of tests that the swap contradicts."""
    found, asked = method.position_bias(ns["leaning"]), "contradicted by the swap"
    mistakes = [(1 - found[asked], "That is the share of tests where the swap agrees.")]
    mistakes += [
        (value, f"That is its row '{name}'; take '{asked}'.")
        for name, value in found.items()
        if name != asked
    ]
    return (
        found[asked],
        mistakes,
        (
            "Nearly always this judge leans to the same place, whichever story stands there. Asked"
            " once it would have looked sure; asking in both orders shows it."
        ),
    )


def exercise_3(ns):
    """Score each story by its number of words, with a minus; rate its pairs like the notebook."""
    items = ns["study"].items
    words = items.pivot(index="group", columns="writer", values="words")
    words.index = words.index.astype(int)
    majority = ns["majority"]
    words = words.rename(columns=display_name).loc[majority.index, majority.columns]

    def mean_accuracy(scores, rule="human ties dropped"):
        by_plot = rankings.pair_accuracy(majority.to_numpy(), scores.to_numpy(), rule)
        return by_plot.mean()

    right = mean_accuracy(-words)
    longer = mean_accuracy(words)
    mistakes = [
        (longer, "That is for the longer story: a minus makes the shorter one the better."),
        (mean_accuracy(-words, AT_LEAST), "That is the paper's rule for ties, not `rate_pairs`."),
        (mean_accuracy(-words, "any tie wrong"), "Pairs that the experts tie are left out."),
        (mean_accuracy(-words, "ties half"), "Pairs that the experts tie are left out."),
    ]
    return (
        right,
        mistakes,
        (
            f"A ruler is right in {right:.2f} of the pairs, about as often as the best judge with a"
            f" reference; that it prefers the shorter story ({longer:.2f} for the longer) was seen"
            " on these stories. With three writers, length tells who wrote a story."
        ),
    )
