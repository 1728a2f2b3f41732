"""Read a reader's own download of StoryER or OpenMEVA, and score the text evaluator on it: out of
fold, by aspect."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.evolvr.compare import compare
from helpers.evolvr.train import folds, predict_out_of_fold
from helpers.extras.features import text_features
from helpers.sources.public import ROOT, DataError

# 1 to 10
STORYER = [
    "opening",
    "middle",
    "ending",
    "characters",
    "scenes",
    "heartwarming",
    "sad",
    "scary",
    "funny",
    "new ideas",
]
TRIPLES = (
    "a list of {story, prompt, score, comments}, comments being (aspect 1 to 10, rating 1 to 5,"
    " text), -1 where missing"
)
STORIES = "{id: {prompt, gen: {system: {text, score: [ratings from 1 to 5]}}}}"


def evaluate(table, count=5):
    """Return one row an aspect: r (estimate, low, high, n) of a ridge on text features with mean
    ratings, prompts left out.

    table: prompt, story (its text), aspect, rating, as from `load_storyer` and `load_openmeva`.
    ValueError for an aspect with fewer than 4 prompts a fold.
    """
    rows = []
    for aspect, part in table.groupby("aspect", sort=False):
        means = part.groupby(["prompt", "story"], sort=False)["rating"].mean()
        groups = means.index.get_level_values("prompt").to_numpy()
        if len(np.unique(groups)) < 4 * count:
            raise ValueError(
                f"{aspect}: {len(np.unique(groups))} different prompts; expected at least"
                f" {4 * count}"
            )
        texts = means.index.get_level_values("story")
        features = text_features({text: text for text in texts}).loc[texts].to_numpy(float)
        target = means.to_numpy()[None]
        predicted = predict_out_of_fold(
            features, target, folds(groups, groups, "prompt", count), groups
        )
        rows.append(compare({aspect: predicted}, target, groups))
    return pd.concat(rows).rename_axis("aspect")


def load_storyer(folder):
    """Return StoryER's ratings of aspects: prompt, story (text), aspect, rating (1-5); one row a
    comment with a rating.

    folder: with the release's .json files, relative to the project's folder. FileNotFoundError,
    DataError as `read_release`.
    """

    def rows(records):
        for number, record in enumerate(records):
            for aspect, rating, *_ in record["comments"]:
                if aspect not in (-1, None) and rating not in (-1, None):
                    yield (
                        f"record {number}",
                        record["prompt"],
                        record["story"],
                        STORYER[range(1, 11).index(aspect)],
                        rating,
                    )

    return read_release(folder, "*.json", rows, TRIPLES)


def load_openmeva(folder):
    """Return OpenMEVA's ratings: prompt, story (text), aspect ('Overall'), rating (1-5); stories
    without scores are left out.

    folder: with mans_*.json or mags_*.json, relative to the project's folder. Errors as
    `read_release`.
    """

    def rows(records):
        for key, record in records.items():
            for system, story in record["gen"].items():
                for rating in story.get("score") or ():
                    yield (
                        f"record {key!r}, {system}",
                        record["prompt"],
                        story["text"],
                        "Overall",
                        rating,
                    )

    return read_release(folder, "ma[ng]s_*.json", rows, STORIES)


def read_release(folder, pattern, rows, form):
    """Return prompt, story, aspect, rating from all files of a folder; `rows` makes them, with a
    place first, of one file.

    Raises FileNotFoundError where no file fits the pattern, DataError naming the file that has
    another form than `form`, or the record whose rating is not from 1 to 5 or whose story is no
    text.
    """
    found = []
    for path in sorted((ROOT / Path(folder).expanduser()).glob(pattern)):
        try:
            new = list(rows(json.loads(path.read_text(encoding="utf8"))))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise DataError(f"{path.name} has another form; expected {form}") from None
        for place, _, story, _, rating in new:
            if not on_scale(rating) or not isinstance(story, str):
                raise DataError(
                    f"{path.name}, {place}: rating {rating!r} of a {type(story).__name__}; expected"
                    " 1 to 5 of a text"
                )
        found += new
    if not found:
        raise FileNotFoundError(
            f"no ratings in {pattern} of {folder}: download the release there first"
        )
    table = pd.DataFrame(found, columns=["place", "prompt", "story", "aspect", "rating"]).drop(
        columns="place"
    )
    return table.assign(rating=table["rating"].astype(float))


def on_scale(rating):
    """Return whether something is a number from 1 to 5, written as a number or as text."""
    try:
        return 1 <= float(rating) <= 5
    except (TypeError, ValueError):
        return False
