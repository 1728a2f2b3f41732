"""Score the text evaluator on a reader's own download of StoryER or OpenMEVA: out of fold, by aspect, with intervals."""
import numpy as np
import pandas as pd

from helpers.evolvr.train import compare, folds, predict_out_of_fold, rank_ridge
from helpers.extras.features import text_features


def evaluate(table, seed=0, replicates=1000, count=5, alpha=100.0):
    """Return one row an aspect: measures of a ridge on text features against mean ratings, stories (or prompts) left out.

    table: story (its text), aspect, rating and perhaps prompt, as from `hanna.load_storyer` and `hanna.load_openmeva`.
    ValueError for an aspect with fewer than 4 stories (or prompts) a fold.
    """
    keys = ["prompt", "story"] if "prompt" in table else ["story"]
    rows = []
    for aspect, part in table.groupby("aspect", sort=False):
        means = part.groupby(keys, sort=False)["rating"].mean()
        groups = means.index.get_level_values(0).to_numpy()
        if len(np.unique(groups)) < 4 * count:
            raise ValueError(f"{aspect}: {len(np.unique(groups))} different {keys[0]}s; expected at least {4 * count}")
        texts = means.index.get_level_values("story")
        features = text_features({text: text for text in texts}).loc[texts].to_numpy(float)
        target = means.to_numpy()[None]
        predicted = predict_out_of_fold(features, target, folds(groups, groups, "prompt", count), lambda: rank_ridge(alpha))
        rows.append(compare({"ridge on text features": predicted}, target, groups, seed, replicates).assign(aspect=aspect))
    return pd.concat(rows, ignore_index=True)[["aspect", "n", "pearson", "pearson low", "pearson high", "spearman", "mse"]]
