"""Score the text evaluator on a reader's own download of StoryER or OpenMEVA: out of fold, by aspect, with intervals."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.evolvr.compare import compare
from helpers.evolvr.train import folds, predict_out_of_fold
from helpers.extras.features import text_features
from helpers.sources.public import DataError


def evaluate(table, count=5):
    """Return one row an aspect: r (estimate, low, high, n) of a ridge on text features with mean ratings, out of fold.

    table: story (its text), aspect, rating and perhaps prompt, as from `load_storyer` and `load_openmeva`; stories, or
    prompts where there are any, are left out. ValueError for an aspect with fewer than 4 stories (or prompts) a fold.
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
        predicted = predict_out_of_fold(features, target, folds(groups, groups, "prompt", count), groups)
        rows.append(compare({aspect: predicted}, target, groups))
    return pd.concat(rows).rename_axis("aspect")


def load_storyer(folder):
    """Return StoryER-Scale ratings from a reader's download: story (text), aspect, rating (1-5); one row a rating.

    Expects the public release's JSON lines (fields story, aspect, rating) in `folder`/storyer_scale.jsonl.
    """
    return load_json_lines(Path(folder) / "storyer_scale.jsonl", ["story", "aspect", "rating"])


def load_openmeva(folder):
    """Return OpenMEVA's holistic ratings from a reader's download: story (text), system, aspect ('Overall'), rating.

    Expects the release's mans_<set>.json: {prompt id: {"gen": {system: {"text", "score": [...]}}}}.
    """
    rows = []
    for path in sorted(Path(folder).glob("mans_*.json")):
        for prompt, entry in json.loads(path.read_text(encoding="utf8")).items():
            for system, story in entry["gen"].items():
                rows += [
                    {"prompt": prompt, "story": story["text"], "system": system, "aspect": "Overall", "rating": score}
                    for score in story["score"]
                ]
    if not rows:
        raise FileNotFoundError(f"no mans_*.json in {folder}: download the OpenMEVA release there first")
    return check_scale(pd.DataFrame(rows), "OpenMEVA")


def load_json_lines(path, columns):
    """Return a JSON-lines file as a table with these columns and ratings from 1 to 5; DataError names file and line."""
    if not path.is_file():
        raise FileNotFoundError(f"{path.name} is not in {path.parent}: download the release there first")
    rows = [json.loads(text) for text in path.read_text(encoding="utf8").splitlines() if text.strip()]
    for number, row in enumerate(rows, 1):
        absent = [column for column in columns if column not in row]
        if absent:
            raise DataError(f"{path.name}, line {number}: field {absent[0]!r} is missing; expected {', '.join(columns)}")
    return check_scale(pd.DataFrame(rows), path.name)


def check_scale(table, name):
    """Return a table whose ratings lie within 1 to 5; raise DataError naming the first that does not."""
    rating = pd.to_numeric(table["rating"], errors="coerce")
    odd = table.index[~rating.between(1, 5)]
    if len(odd):
        raise DataError(f"{name}, record {odd[0] + 1}: rating {table.at[odd[0], 'rating']!r}; expected 1 to 5")
    return table.assign(rating=rating)
