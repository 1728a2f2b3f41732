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
    words = max(len(tokens), 1)
    sentences = leave_empty_out(SENTENCE_END.split(text))
    paragraphs = leave_empty_out(text.split("\n"))
    lengths = [len(tokenize(sentence)) for sentence in sentences] or [0]
    letters = sum(len(token) for token in tokens)
    times = Counter(tokens)
    once = sum(count == 1 for count in times.values())
    first_person = sum(times[word] for word in FIRST_PERSON)
    quotation_marks = sum(text.count(mark) for mark in '“”"')
    loud = text.count("?") + text.count("!")
    return {
        "words": len(tokens),
        "words a sentence": float(np.mean(lengths)),
        "sentence length SD": float(np.std(lengths)),
        "letters a word": letters / words,
        "distinct words in 100": share_distinct(tokens),
        "words used once": once / words,
        "words a paragraph": words / max(len(paragraphs), 1),
        "quotation marks a word": quotation_marks / words,
        "commas a word": text.count(",") / words,
        "question and exclamation marks a sentence": loud / max(len(sentences), 1),
        "first person a word": first_person / words,
    }


def leave_empty_out(pieces):
    """Return the pieces of a text that hold more than blanks."""
    return [piece for piece in pieces if piece.strip()]


def share_distinct(tokens):
    """Return the share of different words in windows of 100 words, the mean over a window at every
    25th word; of a shorter text, in all its words."""
    size = min(max(len(tokens), 1), 100)
    shares = []
    for start in range(0, max(len(tokens) - 99, 1), 25):
        window = tokens[start : start + 100]
        shares.append(len(set(window)) / size)
    return float(np.mean(shares))
