"""*EvolvR*, Table 8: agreement of raters about stories and about pairs."""

import pandas as pd

from helpers.evolvr.agreement import agreement_index, pair_up, same_rater_differences
from helpers.evolvr.load import ASPECTS, rating_array


def check(paper, data):
    """Check Table 8: agreement of raters, about stories and about pairs."""
    table8 = paper.table("Table 8")
    point, pair, gain = (table8[name] for name in ("Pointwise", "Pairwise", "Diff"))
    if data is not None:
        arrays, who = rating_array(data)
        pairs = same_rater_differences(arrays, who, *pair_up(data.items["group"]))
        two = "differences of two stories of a prompt, each by one rater"
        raw = {"Pointwise": (arrays, "a story's three ratings"), "Pairwise": (pairs, two)}
        for name, (x, what) in raw.items():
            found = pd.Series(agreement_index(x), list(ASPECTS)).to_frame(name)
            how = f"1 / (1 + the mean standard deviation of {what}), over n"
            paper.check("Table 8", found, how, "raw")
    how = "Pointwise plus Diff (input checked)"
    paper.check("Table 8", (point + gain).to_frame("Pairwise"), how)
    paper.check("Table 8", (pair - point).to_frame("Diff"), "difference of two printed numbers")
    how = "Diff divided by Pointwise"
    paper.check("Table 8", (100 * gain / point).to_frame("Improvement(%)"), how)
