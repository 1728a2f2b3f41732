"""*EvolvR*, Table 8: agreement of raters about stories and about pairs."""

import pandas as pd

from helpers.evolvr.agreement import agreement_index, pair_up, same_rater_differences
from helpers.evolvr.load import ASPECTS, rating_array


def check_ratings(paper, data):
    """Check Table 8 by HANNA's open ratings; data: `Ratings`."""
    scores, who = rating_array(data)
    first, second = pair_up(data.items["group"])
    differences = same_rater_differences(scores, who, first, second)
    of_pairs = "differences of two stories of a prompt, each by one rater"
    check_index(paper, "Pointwise", scores, "a story's three ratings")
    check_index(paper, "Pairwise", differences, of_pairs)


def check_index(paper, column, ratings, of_what):
    """Check a column of Table 8 by ratings, aspects x cases x raters; of_what: in words."""
    index = pd.Series(agreement_index(ratings), list(ASPECTS))
    how = f"1 / (1 + the mean standard deviation of {of_what}), over n"
    paper.check("Table 8", index.to_frame(column), how, "raw")


def check(paper):
    """Check Table 8 by its own columns."""
    table = paper.table("Table 8")
    pointwise, pairwise, gain = table["Pointwise"], table["Pairwise"], table["Diff"]
    how = "Pointwise plus Diff (input checked)"
    paper.check("Table 8", (pointwise + gain).to_frame("Pairwise"), how)
    how = "difference of two printed numbers"
    paper.check("Table 8", (pairwise - pointwise).to_frame("Diff"), how)
    improvement = 100 * gain / pointwise
    paper.check("Table 8", improvement.to_frame("Improvement(%)"), "Diff divided by Pointwise")
