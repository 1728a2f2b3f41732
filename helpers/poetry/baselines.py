"""Score poems without reading them for sense: length, rhyme, vocabulary, word frequency, chance."""

import itertools
import re
from collections import Counter

import numpy as np
import pandas as pd

from helpers.measures.words import tokenize


def line_ends(text):
    """Return the last word of every line that has one."""
    return [words[-1] for row in text.splitlines() if (words := tokenize(row))]


def rhyme_part(word):
    """Return what must agree for a rhyme on paper: the last vowel letters and what follows."""
    bare = re.sub(r"(?<=[^aeiouy])e$", "", word)  # a silent e aside
    match = re.search(r"[aeiouy]+[^aeiouy]*$", bare) or re.search(r"[aeiouy].*$", word)
    return match[0] if match else word


def rhyme_density(text, reach=3):
    """Return the share of lines whose last word rhymes with another within `reach` lines."""
    ends = line_ends(text)
    parts, rhymed = [rhyme_part(word) for word in ends], np.zeros(len(ends), bool)
    for i, j in itertools.combinations(range(len(ends)), 2):
        if j - i <= reach and parts[i] == parts[j] and ends[i] != ends[j]:
            rhymed[[i, j]] = True
    return float(rhymed.mean()) if ends else 0.0


def baselines(poems):
    """Return poems x counts, signs fixed beforehand; word frequency is of the other poems."""
    texts, tokens = poems["text"], poems["text"].map(tokenize)
    total = Counter(word for words in tokens for word in words)
    everything, length = sum(total.values()), tokens.map(len)

    def rarity(words):
        own, rest = Counter(words), everything - len(words)
        return np.mean([-np.log((total[word] - own[word] + 0.5) / rest) for word in words])

    columns = {
        "words": length,
        "lines": texts.map(line_ends).map(len),
        "letters a word": tokens.map(lambda words: np.mean([len(word) for word in words])),
        "distinct words": tokens.map(set).map(len) / length,
        "rarer words": tokens.map(rarity),
        "rhyme density": texts.map(rhyme_density),
        "commas and stops": texts.str.count("[,.;:]") / length,
    }
    return pd.DataFrame(columns)
