"""Interpretable features of a story's text: lexical statistics, repetition, reading ease."""

import pandas as pd

from helpers.evolvr.texts import again
from helpers.measures.words import lexical_statistics, tokenize


def repetition(text, size=3):
    """Return the share of a text's word n-grams that stood before in it (0: no repetition)."""
    return again(tokenize(text), size)


def reading_ease(text):
    """Return Flesch's reading ease with syllables counted as groups of vowels (higher: easier)."""
    statistics, tokens = lexical_statistics(text), tokenize(text)
    syllables = sum(
        max(1, sum(a in "aeiouy" and b not in "aeiouy" for a, b in zip(word, word[1:] + " ")))
        for word in tokens
    )
    return 206.835 - 1.015 * statistics["words a sentence"] - 84.6 * syllables / max(len(tokens), 1)


def text_features(texts):
    """Return a DataFrame, one row a story: lexical statistics, repetition of word pairs and
    triples, reading ease.

    texts: {story: text}. ValueError names a story whose text is missing or empty.
    """
    rows = {}
    for story, text in texts.items():
        if not isinstance(text, str) or not tokenize(text):
            raise ValueError(f"story {story!r} has no text; expected words")
        rows[story] = lexical_statistics(text) | {
            "repeated pairs": repetition(text, 2),
            "repeated triples": repetition(text, 3),
            "reading ease": reading_ease(text),
        }
    return pd.DataFrame.from_dict(rows, orient="index")
