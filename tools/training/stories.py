"""HANNA's stories for training: their openings, their whole scores, and the splits."""

import numpy as np
import pandas as pd

from helpers.evolvr.load import load, load_texts, rating_array
from helpers.evolvr.pairs import stratify_pairs
from helpers.evolvr.protocol import round_scores
from helpers.sources.words import SENTENCE_END

ASPECT = "overall quality"  # the mean of HANNA's six aspects
STRATA = tuple((low, high) for low in range(1, 5) for high in range(low, 5))  # 5 is too rare
PARTS = ("train", "choose", "test")
SPLITS = {"prompt": "group", "writer": "writer"}  # name: column of what is kept apart
SHARES = (0.6, 0.2, 0.2)  # of the prompts, or of the writers


def load_stories(words):
    """Return a row per story of HANNA: item, group (prompt), writer, text (its first `words`
    words), score (the mean of three raters on six aspects), whole (that score from 1 to 5)."""
    data = load()
    ratings, _ = rating_array(data)  # aspects x stories x raters
    table = data.items[["item", "group", "writer"]].copy()
    table["score"] = ratings.mean(axis=(0, 2))
    table["whole"] = round_scores(table["score"]).astype(int)
    texts = load_texts().set_index("item")["text"]
    table["text"] = table["item"].map(texts).map(lambda text: cut_text(text, words))
    return table


def split_stories(words, split):
    """Return the stories (`load_stories`) with their part ("train", "choose" or "test"), kept apart
    by prompt or by writer (`split`)."""
    table = load_stories(words)
    names = table[SPLITS[split]]
    part_of = split_by(names, np.random.default_rng(0))
    return table.assign(part=names.map(part_of))


def cut_text(text, words):
    """Return the first words of a text, in one line."""
    return " ".join(text.split()[:words])


def cut_sentences(text, words):
    """Return the whole sentences at a text's beginning that have so many words together, at most;
    where its first sentence is longer, its first words."""
    cut = cut_text(text, words)
    ends = list(SENTENCE_END.finditer(cut))
    return cut[: ends[-1].end()].strip() if ends else cut


def split_by(names, rng):
    """Return {name: "train", "choose" or "test"}, by SHARES, at random; names: of prompts or of
    writers, each once or more."""
    unique = pd.unique(pd.Series(names).sort_values(kind="stable"))
    shuffled = rng.permutation(unique)
    ends = np.round(np.cumsum(SHARES) * len(shuffled)).astype(int)
    parts = np.split(shuffled, ends[:-1])
    return {name: part for part, members in zip(PARTS, parts) for name in members}


def list_test_prompts(table, settings):
    """Return the prompts (group) that evaluators and writers are tested on: of those kept for it,
    the first `test_prompts`; table: of `split_stories`."""
    kept = np.sort(table.loc[table["part"] == "test", "group"].unique())
    return kept[: settings.test_prompts]


def draw_pairs(stories, per_stratum, rng):
    """Return training pairs of `stories` (a table of one part), balanced over pairs of scores, each
    with its twin in the other order (`pairs.stratify_pairs`)."""
    scores = dict(zip(stories["item"], stories["whole"]))
    return stratify_pairs(scores, ASPECT, per_stratum, rng, STRATA)


def load_tasks():
    """Return {group: the writing prompt that its stories are about}."""
    table = load_texts()
    return table.groupby("group")["task"].first().to_dict()
