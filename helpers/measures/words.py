"""Count words: simple lexical statistics of a text."""

import re

import numpy as np
import pandas as pd

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
SENTENCE_END = re.compile(r"[.!?]+[\s”\"')]*")


def tokenize(text):
    """Return the lower-case words of a text, in order (letters of any script; inner apostrophes
    kept)."""
    return [word.lower() for word in WORD.findall(text)]


def lexical_statistics(text):
    """Return interpretable statistics of a text: words, sentences, type-token ratio, and so on (all
    reference-free)."""
    tokens = tokenize(text)
    sentences = [part for part in SENTENCE_END.split(text) if part.strip()]
    paragraphs = [part for part in text.split("\n") if part.strip()]
    lengths = [len(tokenize(sentence)) for sentence in sentences] or [0]
    n = max(len(tokens), 1)
    window = (
        [len(set(tokens[i : i + 100])) / 100 for i in range(0, max(len(tokens) - 99, 1), 25)]
        if len(tokens) >= 100
        else [len(set(tokens)) / n]
    )
    return {
        "words": len(tokens),
        "words a sentence": float(np.mean(lengths)),
        "sentence length SD": float(np.std(lengths)),
        "letters a word": sum(map(len, tokens)) / n,
        "distinct words in 100": float(np.mean(window)),
        "words used once": (
            sum(1 for count in pd.Series(tokens, dtype=str).value_counts() if count == 1) / n
        ),
        "words a paragraph": n / max(len(paragraphs), 1),
        "quotation marks a word": sum(text.count(q) for q in '“”"') / n,
        "commas a word": text.count(",") / n,
        "question and exclamation marks a sentence": (
            (text.count("?") + text.count("!")) / max(len(sentences), 1)
        ),
        "first person a word": (
            sum(token in {"i", "me", "my", "we", "our", "us"} for token in tokens) / n
        ),
    }
