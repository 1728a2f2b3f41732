"""The Confederacy of Models stories: their ratings, kept here, and their texts, which are
fetched."""

from pathlib import PurePosixPath

import numpy as np
import pandas as pd
from goodjudge.data.ratings import Ratings

from helpers.sources.kept import read_kept
from helpers.sources.public import locate, registry

REFERENCE = "chatgpt-gpt4"  # the system whose stories refbased_v2 takes as references


def load():
    """Return the `Ratings` of the 65 stories: item '<group>/<writer>', group (1-5), writer, words;
    1,300 scores from 0 to 10, rater '<group>/1' or '<group>/2', ten aspects."""
    ratings = read_kept("confederacy-ratings").astype({"score": float})
    return Ratings(read_kept("confederacy-items"), ratings, "open")


def load_texts():
    """Return the texts of the stories, a Series by item: fetched, and verified. FileNotFoundError
    where they cannot be had."""
    return read_texts(read_kept("confederacy-items"))


def read_texts(items):
    """Return the texts of some stories (item, writer), a Series by item."""
    texts = {}
    for name in registry()["confederacy"]["files"]:
        if name.endswith(".txt"):
            stem = PurePosixPath(name).stem  # the writer's name first, the group last
            group = stem[-1]
            writer = next(known for known in items["writer"] if stem.casefold().startswith(known))
            path, _ = locate(name)
            texts[f"{group}/{writer}"] = path.read_text("utf8", errors="replace")
    return pd.Series(texts)[items["item"]]


def draw(rounds=12, seed=20261128):
    """Return items drawn by lot in rounds, one of each group per round and none of the references:
    what can be asked first where all sixty stories (12 rounds) take too long."""
    items = load().items
    candidates = items[items["writer"] != REFERENCE]
    rng = np.random.default_rng(seed)
    by_group = [rng.permutation(sorted(names)) for _, names in candidates.groupby("group")["item"]]
    return np.array(by_group).T[:rounds].ravel().tolist()
