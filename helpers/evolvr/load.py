"""Load HANNA: its numbers, kept here, and its texts, which are fetched."""

import numpy as np
import pandas as pd
from goodjudge.data.ratings import Ratings

from helpers.sources.files import DataError
from helpers.sources.kept import read_kept
from helpers.sources.public import locate

SHEETS = "hanna/hanna_stories_annotations.csv"
ASPECTS = {"Relevance": "RE", "Coherence": "CH", "Empathy": "EM"}  # and the public file's codes
ASPECTS |= {"Surprise": "SU", "Engagement": "EG", "Complexity": "CX"}
PROMPTS, RATERS = 96, 3
LLMS = ["Beluga-13B", "OrcaPlatypus", "Mistral-7B", "Llama-13B", "ChatGPT"]
WAYS = (1, 2, 3, 4)  # of asking them
ANSWERS = 3  # of a model, one way of asking: its rating is their mean


def load():
    """Return the ratings as `Ratings`.

    items: item ("0000" to "1055"), group (prompt, 0-95), writer, words and ten more counts of
    `words.lexical_statistics`. ratings: item, rater (r01, r02, …), slot (1-3), seconds (of the
    sheet of six), aspect, score (1-5).
    """
    return to_ratings(read_named("hanna-items"), read_named("hanna-ratings"))


def read_named(name):
    """Return a kept table of HANNA (`kept.read_kept`) with its stories by name."""
    table = read_kept(name)
    return table.assign(item=name_stories(table["item"]))


def name_stories(numbers):
    """Return the names of stories, by which they sort as by their numbers: "0000" for 0."""
    return numbers.map("{:04d}".format)


def to_ratings(items, sheets):
    """Return items and rating sheets (item, rater, slot, seconds, the six aspects) as `Ratings`."""
    sheets = sheets.sort_values(["item", "slot"], kind="stable")
    facts = ["item", "rater", "slot", "seconds"]
    return Ratings(items, sheets.melt(facts, list(ASPECTS), "aspect", "score"), "open")


def load_characters():
    """Return how many characters each story has, in the order of `load`'s items."""
    return read_named("hanna-characters").sort_values("item", kind="stable")["characters"]


def load_models():
    """Return what five language models rated, asked in four ways: item, judge, aspect, repeat (the
    way of asking), score."""
    sums = read_named("hanna-judges").melt(["item", "judge"], value_name="score")
    aspect_and_way = sums["variable"].str.rsplit(" ", n=1)
    table = sums.assign(aspect=aspect_and_way.str[0], repeat=aspect_and_way.str[1].astype(int))
    table["score"] /= ANSWERS
    return table[["item", "judge", "aspect", "repeat", "score"]]


def load_features(models):
    """Return {name: stories x numbers}: the 18 metrics that need no reference, and these with the
    ratings of models (of `load_models`). The other 54 metrics compare with the human story, so mark
    it perfect."""
    metrics = read_kept("hanna-metrics").drop(columns="item")
    columns = pd.MultiIndex.from_product([LLMS, WAYS, list(ASPECTS)])
    rated = models.pivot(index="item", columns=["judge", "repeat", "aspect"], values="score")
    both = np.hstack([metrics, rated[columns]])
    return {"18 reference-free": metrics.to_numpy(float), "reference-free and LLM": both}


def load_texts():
    """Return one row per story: item, group, writer (as `load` has them), task (the prompt), text,
    human (the story by a person on that prompt). Fetched, and verified; FileNotFoundError where
    they cannot be had."""
    raw = pd.read_csv(locate(SHEETS)[0], encoding="utf8")
    names = {"Story ID": "item", "Model": "writer", "Prompt": "task"}
    names |= {"Story": "text", "Human": "human"}
    table = raw[[*names]].rename(columns=names).drop_duplicates("item")
    table = table.sort_values("item", kind="stable", ignore_index=True)
    table.insert(1, "group", table["item"] % PROMPTS)
    return table.assign(item=name_stories(table["item"]))


def rating_array(data):
    """Return (arrays, who) of `Ratings` with three slots: the scores, aspects x stories x 3; who
    gave them, stories x 3. DataError for other aspects than HANNA's six."""
    check_aspects(data)
    table = data.ratings.sort_values(["item", "slot"], kind="stable")
    scores = []
    for aspect in ASPECTS:
        of_aspect = table[table["aspect"] == aspect]
        scores.append(of_aspect["score"].to_numpy(float).reshape(-1, RATERS))
    raters = of_aspect["rater"].to_numpy(str)  # of the last aspect, as of all
    return np.array(scores), raters.reshape(-1, RATERS)


def check_aspects(data):
    """Raise DataError unless ratings have HANNA's six aspects.

    Agreement, controls, models' ratings and ceilings are all computed on these six; one more would
    count in some of them only.
    """
    aspects = list(data.ratings["aspect"].unique())
    strange = [name for name in aspects if name not in ASPECTS]
    missing = [name for name in ASPECTS if name not in aspects]
    faults = []
    if strange:
        faults.append(f"not among them: {', '.join(map(repr, strange))}")
    if missing:
        faults.append(f"missing: {', '.join(map(repr, missing))}")
    if faults:
        expected = f"aspects of HANNA: expected {', '.join(ASPECTS)}"
        advice = "rate an aspect of your own with notebook 07, which takes any"
        raise DataError(f"{expected}; {'; '.join(faults)}; {advice}")


def name_predictions(predictions, stories):
    """Return predictions, {judge: stories x aspects}, as scores: judge, item, aspect, score.

    stories: the names of the rows, such as `Ratings.items["item"]`.
    """
    names = pd.Index(stories, name="item")
    tables = {}
    for judge, predicted in predictions.items():
        tables[judge] = pd.DataFrame(predicted, names, list(ASPECTS))
    table = pd.concat(tables, names=["judge"]).rename_axis("aspect", axis=1)
    return table.stack().rename("score").reset_index()
