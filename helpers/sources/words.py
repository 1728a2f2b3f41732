"""Count words: simple lexical statistics of a text."""

import re
from collections import Counter

import numpy as np

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
SENTENCE_END = re.compile(r"[.!?]+[\s”\"')]*")
QUOTATION_MARKS = '“”"'
WINDOW, WINDOW_STEP = 100, 25  # words: of `share_distinct`
FIRST_PERSON = ("i", "me", "my", "we", "our", "us")


def tokenize(text):
    """Return the lower-case words of a text in order: letters of any script, inner apostrophes."""
    return [word.lower() for word in WORD.findall(text)]


def lexical_statistics(text):
    """Return interpretable statistics of a text: {name: number}, eleven counts and shares.

    "I ran. You ran on!" has 5 words, 2.5 a sentence, of which 4 are distinct and 3 are used once; a
    text without words has 0 of everything.
    """
    tokens = tokenize(text)
    sentences = leave_empty_out(SENTENCE_END.split(text))
    paragraphs = leave_empty_out(text.split("\n"))
    lengths = [len(tokenize(sentence)) for sentence in sentences] or [0]
    times = Counter(tokens)
    quotation_marks = sum(text.count(mark) for mark in QUOTATION_MARKS)
    loud_marks = text.count("?") + text.count("!")
    # divisors: where there is none, 1, so that the share is 0
    words = max(len(tokens), 1)
    number_of_sentences = max(len(sentences), 1)
    number_of_paragraphs = max(len(paragraphs), 1)
    return {
        "words": len(tokens),
        "words a sentence": float(np.mean(lengths)),
        "sentence length SD": float(np.std(lengths)),
        "letters a word": sum(map(len, tokens)) / words,
        "distinct words in 100": share_distinct(tokens),
        "words used once": list(times.values()).count(1) / words,
        "words a paragraph": words / number_of_paragraphs,
        "quotation marks a word": quotation_marks / words,
        "commas a word": text.count(",") / words,
        "question and exclamation marks a sentence": loud_marks / number_of_sentences,
        "first person a word": sum(times[word] for word in FIRST_PERSON) / words,
    }


def leave_empty_out(pieces):
    """Return the pieces of a text that hold more than blanks."""
    return [piece for piece in pieces if piece.strip()]


def share_distinct(tokens):
    """Return the share of different words in windows of 100 words, the mean over a window at every
    25th word; of a shorter text, in all its words."""
    size = min(max(len(tokens), 1), WINDOW)
    last_start = max(len(tokens) - WINDOW, 0)
    shares = []
    for start in range(0, last_start + 1, WINDOW_STEP):
        window = tokens[start : start + WINDOW]
        shares.append(len(set(window)) / size)
    return float(np.mean(shares))
