"""Score poems without reading them for sense: length, rhyme, vocabulary, word frequency, chance."""

import re
from collections import Counter

import numpy as np
import pandas as pd

from helpers.measures.words import tokenize


def line_ends(text):
    """Return the last word of every line that has one."""
    return [words[-1] for row in text.splitlines() if (words := tokenize(row))]


def rhyme_part(word):
    """Return what must agree for two words to rhyme on paper: the last vowel letters and what
    follows (silent e aside)."""
    match = re.search(r"[aeiouy]+[^aeiouy]*$", re.sub(r"(?<=[^aeiouy])e$", "", word)) or re.search(
        r"[aeiouy].*$", word
    )
    return match[0] if match else word


def rhyme_density(text, reach=3):
    """Return the share of lines whose last word rhymes on paper with another within `reach` lines
    (not the same word)."""
    ends = line_ends(text)
    parts = [rhyme_part(word) for word in ends]
    near = [
        any(
            parts[i] == parts[j] and ends[i] != ends[j]
            for j in range(max(0, i - reach), min(len(ends), i + reach + 1))
            if j != i
        )
        for i in range(len(ends))
    ]
    return float(np.mean(near)) if near else 0.0


def baselines(poems):
    """Return one row a poem, one column a baseline (higher would be better): words, lines, distinct
    words, rarer words, …

    Word frequency is counted in the other poems of the set. Signs are fixed beforehand, not fitted
    to the tiers.
    """
    texts, tokens = poems["text"], poems["text"].map(tokenize)
    total = Counter(word for words in tokens for word in words)
    everything, length = sum(total.values()), tokens.map(len)

    def rarity(words):
        own = Counter(words)
        return np.mean(
            [-np.log((total[w] - own[w] + 0.5) / (everything - len(words))) for w in words]
        )

    return pd.DataFrame(
        {
            "words": length,
            "lines": texts.map(line_ends).map(len),
            "letters a word": tokens.map(lambda words: np.mean([len(w) for w in words])),
            "distinct words": tokens.map(set).map(len) / length,
            "rarer words": tokens.map(rarity),
            "rhyme density": texts.map(rhyme_density),
            "commas and stops": texts.str.count("[,.;:]") / length,
        }
    )
