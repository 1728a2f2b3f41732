"""Two stories, one test and one digit: a judge whose expected label is its grade, on groups with a
reference."""

import numpy as np
import pandas as pd

from helpers.judges import labels, prompts
from helpers.measures import intervals, validity
from helpers.refbased import confederacy, load, method

parse = labels.choice({"1": 2, "2": 1, "3": 0, "4": -1, "5": -2})  # how much A is preferred to B


def own_requests():
    """Return the comparisons of this project's own stories with the careful one, 14 stand-in tests,
    both orders."""
    return method.requests(*load.load_own_stories(), prompts.aspects("ttcw"), "graded")


def confederacy_requests():
    """Return the comparisons of the Confederacy stories with GPT-4's, ten rubric items in our
    words, both orders."""
    texts = confederacy.load_texts()
    reference = texts["writer"] == confederacy.REFERENCE
    tests = dict(enumerate(prompts.aspects("confederacy").values(), 1))
    return method.requests(
        texts[~reference], texts[reference].set_index("group")["text"].to_dict(), tests, "graded"
    )


def prefer(answers):
    """Return `method.labels` of the expected labels of answers read by `parse`, a row a comparison
    with both orders."""
    return (
        method.labels(answers.assign(verdict=answers["score"], status="ok"))
        .dropna()
        .reset_index(drop=True)
    )


def read_order(table):
    """Return how often the first story is preferred, how often the swap turns it, and how far it
    leans (estimate, low, high, n).

    Intervals and n are over groups, which share a reference; there are none below five groups. The
    lean is the mean distance of the expected digit from "equal", in steps of the scale.
    """
    shown = table[["plus", "minus"]].to_numpy()
    rows = pd.DataFrame(
        {
            "the first one is preferred": intervals.over_groups(
                table["group"], lambda at: (shown[at] > 0).mean()
            ),
            "the swap turns it": validity.flips(table["plus"], -table["minus"], table["group"]),
            "mean lean, in steps": intervals.over_groups(
                table["group"], lambda at: np.abs(shown[at]).mean()
            ),
        }
    ).T
    return rows.assign(**{end: rows[end].where(rows["n"] >= 5) for end in ("low", "high")})


def score(table):
    """Return group x writer: how much a candidate is preferred to the reference, over tests and
    both orders."""
    return table.assign(score=(table["plus"] - table["minus"]) / 2).pivot_table(
        index="group", columns="writer", values="score"
    )


def read_confederacy(table):
    """Return how far the grades follow the two raters within the groups: rows of judge and length,
    rho and accuracy."""
    scores = score(table.assign(group=table["group"].astype(int)))
    human = confederacy.totals(confederacy.load_ratings()).loc[scores.index, scores.columns]
    words = confederacy.load_words().loc[scores.index, scores.columns]
    rows = {"the judge": scores, "length alone": words}
    return pd.concat(
        {name: confederacy.agreement(human, values) for name, values in rows.items()},
        names=["row", "measure"],
    )
