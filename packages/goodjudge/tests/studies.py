"""Made-up studies, where the truth is known: ratings of an array, and a judge's scores."""

import numpy as np
import pandas as pd
from goodjudge.data.ratings import Ratings


def make(scores, groups=None, **facts):
    """Return `Ratings` of an array, items x raters (nan: not rated); each item is a group of its
    own, unless `groups` says so; facts: more columns of the items."""
    scores = np.asarray(scores, float)
    item, rater = np.indices(scores.shape).reshape(2, -1)
    table = pd.DataFrame({"item": item, "rater": rater, "score": scores.ravel()})
    groups = np.arange(len(scores)) if groups is None else groups
    items = pd.DataFrame({"item": range(len(scores)), "group": groups, **facts})
    return Ratings(items, table.dropna().reset_index(drop=True), "simulated")


def judge_of(score):
    """Return scores of a judge named j."""
    return pd.DataFrame({"item": np.arange(len(score)), "judge": "j", "score": score})
