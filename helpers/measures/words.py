"""Count words: simple lexical statistics of a text."""

import re
from collections import Counter

import numpy as np

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
SENTENCE_END = re.compile(r"[.!?]+[\s”\"')]*")
FIRST_PERSON = ("i", "me", "my", "we", "our", "us")


def tokenize(text):
    """Return the lower-case words of a text in order: letters of any script, inner apostrophes."""
    return [word.lower() for word in WORD.findall(text)]


def lexical_statistics(text):
    """Return interpretable statistics of a text: {name: number}, eleven counts and shares."""
    tokens = tokenize(text)
    n = max(len(tokens), 1)
    sentences = [part for part in SENTENCE_END.split(text) if part.strip()]
    paragraphs = [part for part in text.split("\n") if part.strip()]
    lengths = [len(tokenize(sentence)) for sentence in sentences] or [0]
    starts = range(0, max(len(tokens) - 99, 1), 25)
    distinct = [len(set(tokens[start : start + 100])) / min(n, 100) for start in starts]
    counts = Counter(tokens)
    loud = text.count("?") + text.count("!")
    return {
        "words": len(tokens),
        "words a sentence": float(np.mean(lengths)),
        "sentence length SD": float(np.std(lengths)),
        "letters a word": sum(map(len, tokens)) / n,
        "distinct words in 100": float(np.mean(distinct)),
        "words used once": sum(count == 1 for count in counts.values()) / n,
        "words a paragraph": n / max(len(paragraphs), 1),
        "quotation marks a word": sum(text.count(q) for q in '“”"') / n,
        "commas a word": text.count(",") / n,
        "question and exclamation marks a sentence": loud / max(len(sentences), 1),
        "first person a word": sum(counts[word] for word in FIRST_PERSON) / n,
    }
