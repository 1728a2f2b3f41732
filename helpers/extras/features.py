"""Interpretable features of a story's text, and an evaluator of story pairs on them with the interface fit and score."""
import numpy as np
import pandas as pd
from sklearn.linear_model import Ridge

from helpers.evolvr.train import NormalScores
from helpers.extras import embeddings
from helpers.measures.words import lexical_statistics, tokenize

PAIR = ["story_a", "story_b", "aspect", "score_a", "score_b"]


def repetition(text, size=3):
    """Return the share of a text's word n-grams that stood before in it (0: no repetition)."""
    tokens = tokenize(text)
    grams = list(zip(*(tokens[i:] for i in range(size))))
    return 1 - len(set(grams)) / len(grams) if grams else 0.0


def reading_ease(text):
    """Return Flesch's reading ease with syllables counted as groups of vowels (higher: easier)."""
    statistics, tokens = lexical_statistics(text), tokenize(text)
    syllables = sum(max(1, sum(a in "aeiouy" and b not in "aeiouy" for a, b in zip(word, word[1:] + " "))) for word in tokens)
    return 206.835 - 1.015 * statistics["words a sentence"] - 84.6 * syllables / max(len(tokens), 1)


def text_features(texts):
    """Return a DataFrame, one row a story: lexical statistics, repetition of word pairs and triples, reading ease.

    texts: {story: text}. ValueError names a story whose text is missing or empty.
    """
    rows = {}
    for story, text in texts.items():
        if not isinstance(text, str) or not tokenize(text):
            raise ValueError(f"story {story!r} has no text; expected words")
        rows[story] = lexical_statistics(text) | {"repeated pairs": repetition(text, 2), "repeated triples": repetition(text, 3),
                                                  "reading ease": reading_ease(text)}
    return pd.DataFrame.from_dict(rows, orient="index")


def with_embeddings(texts):
    """Return the table of `text_features` and, where the optional package is installed, 384 columns of sentence embedding."""
    table = text_features(texts)
    if not embeddings.installed():
        return table
    found = embeddings.embed(texts.values())
    return table.join(pd.DataFrame(found, index=list(texts)).add_prefix("embedding "))


class TextEvaluator:
    """An evaluator of story pairs on features: `fit(pairs)`, then `score(story_a, story_b, aspect)` -> two scores from 1 to 5."""

    def __init__(self, features, alpha=10.0):
        """features: DataFrame, one row a story (from `with_embeddings` or any other), or {story: text}; no missing values."""
        if isinstance(features, dict):
            features = with_embeddings(features)
        if features.isna().to_numpy().any():
            column = features.columns[features.isna().any()][0]
            raise ValueError(f"features: {column!r} is missing for a story; fill or drop it first")
        self.features, self.alpha, self.models = features.astype(float), alpha, {}

    def fit(self, pairs):
        """Fit one ridge an aspect on both stories' features side by side; pairs as from `evolvr.stratify_pairs`."""
        missing = [column for column in PAIR if column not in pairs]
        if missing:
            raise ValueError(f"pairs: column {missing[0]!r} is missing; expected {', '.join(PAIR)}")
        self.scale = NormalScores().fit(self.features.loc[pd.unique(pairs[["story_a", "story_b"]].to_numpy().ravel())])
        for aspect, part in pairs.groupby("aspect"):
            both = np.hstack([self._view(part["story_a"]), self._view(part["story_b"])])
            self.models[aspect] = Ridge(self.alpha).fit(both, part[["score_a", "score_b"]])
        return self

    def score(self, story_a, story_b, aspect):
        """Return (score of a, score of b), clipped to 1-5; ValueError for an unknown aspect or a story with itself."""
        if aspect not in self.models:
            raise ValueError(f"aspect {aspect!r} was not trained; there are {', '.join(sorted(self.models)) or 'none'}")
        if story_a == story_b:
            raise ValueError(f"story {story_a!r} is paired with itself")
        both = np.hstack([self._view([story_a]), self._view([story_b])])
        a, b = np.clip(self.models[aspect].predict(both)[0], 1, 5)
        return float(a), float(b)

    def _view(self, stories):
        return self.scale.transform(self.features.loc[list(stories)])
