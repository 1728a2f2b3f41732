"""Described a story's text in numbers that a reader can check, for tools/evaluators.py: words,
style, repetition, form and nearness to the prompt.

Made the block "text" of data/recorded/evaluators.csv from HANNA's texts on 2026-11-22. No notebook
and no helper imports it.
"""

import re
import zlib
from collections import Counter

import numpy as np
import pandas as pd

from helpers.measures.words import SENTENCE_END, lexical_statistics, tokenize

LISTS = {
    name: set(words.split())
    for name, words in {
        "I and we": "i me my mine myself we us our ours",
        "you": "you your yours yourself",
        "he, she, they": "he him his she her hers they them their himself herself",
        "this and that": "it its this that these those",
        "articles": "a an the",
        "and": "and",
        "prepositions": "of in on at to from with by into over under through for about around",
        "contrast": "but however although though yet while still instead despite",
        "cause": "because so since therefore thus hence why if unless",
        "time": (
            "then when after before until now later once suddenly finally soon while as already"
            " again"
        ),
        "negation": (
            "not no never nothing nobody none cannot don't didn't can't couldn't wasn't won't isn't"
            " wouldn't"
        ),
        "thinking": (
            "thought think knew know felt feel feeling remember remembered wondered wanted want"
            " wish hoped hope realized believed believe understand understood seemed saw heard"
        ),
        "feeling": (
            "love loved hate hated fear afraid cry cried tears smile smiled laugh laughed happy sad"
            " angry pain hurt sorry alone heart death dead die died scared lonely joy hope"
        ),
        "speaking": "said asked replied whispered shouted answered told says yelled screamed",
        "past": "was were had did said went came could would",
        "present": "is are am has do does can will",
        "body": "eyes hand hands face head heart mouth arm arms body hair voice",
        "vague": "thing things something someone somebody anything stuff very really just",
        "family": (
            "mother father son daughter brother sister wife husband child children family friend"
            " friends"
        ),
    }.items()
}
GRAMMAR = [
    "I and we",
    "you",
    "he, she, they",
    "this and that",
    "articles",
    "and",
    "prepositions",
    "contrast",
    "cause",
    "time",
    "negation",
    "past",
    "present",
]
FUNCTION = {"or", "be", "been", "will"}.union(*(LISTS[name] for name in GRAMMAR))
MARKS = {
    "full stops": ".",
    "commas": ",",
    "colons and dashes": ";:—–",
    "quotation marks": '“”"',
    "apostrophes": "'’",
    "question marks": "?",
    "exclamation marks": "!",
}


def sentences(text):
    """Return the sentences of a text: what stands between full stops, question and exclamation
    marks."""
    return [part.strip() for part in SENTENCE_END.split(text) if tokenize(part)]


def grams(tokens, size):
    """Return the runs of `size` words."""
    return list(zip(*(tokens[start:] for start in range(size))))


def share(hits, n):
    """Return hits a thing, 0 where there is nothing."""
    return hits / n if n else 0.0


def share_of(tokens, fits):
    """Return the share of the words for which `fits` holds."""
    return share(sum(map(fits, tokens)), len(tokens))


def style(text, tokens):
    """Return length, variety of words and sentences, and the share of words from each list."""
    n, parts, different = len(tokens), sentences(text), len(set(tokens))
    lengths = np.array([len(tokenize(part)) for part in parts], float)
    found = {
        f"words of {name}": share_of(tokens, words.__contains__) for name, words in LISTS.items()
    }
    found |= {
        "words, log": np.log(n),
        "sentences, log": np.log(len(parts)),
        "different words, log": np.log(different),
        "different words by root of words": different / np.sqrt(n),
        "longest sentence, log": np.log(lengths.max()),
        "median sentence": np.median(lengths),
        "sentence length SD by mean": lengths.std() / lengths.mean(),
        "different first words": len({tokenize(part)[0] for part in parts}) / len(parts),
    }
    for low in (4, 7, 10):
        found[f"words of {low}+ letters"] = share_of(tokens, lambda w, low=low: len(w) >= low)
    for end in ("ed", "ing", "ly"):
        found[f"words in -{end}"] = share_of(tokens, lambda w, end=end: w.endswith(end))
    return found


def repetition(text, tokens):
    """Return how much of a text stood in it before: runs of words, sentences, bytes."""
    parts = [part.lower() for part in sentences(text)]
    shares = np.array(sorted(Counter(tokens).values(), reverse=True)) / len(tokens)
    size = len(text.encode("utf8", "replace"))
    packed = len(zlib.compress(text.encode("utf8", "replace"), 9))
    twice = sum(a == b for a, b in zip(tokens, tokens[1:]))
    found = {
        "most frequent word": shares[0],
        "ten most frequent words": shares[:10].sum(),
        "entropy of words": -(shares * np.log(shares)).sum(),
        "sentences again": 1 - len(set(parts)) / len(parts),
        "word twice running": share(twice, len(tokens) - 1),
        "packed size, log": np.log(packed),
        "packed share": packed / size,
    }
    for length in (1, 2, 3, 4, 6):
        runs = grams(tokens, length)
        found[f"runs of {length} again"] = share(len(runs) - len(set(runs)), len(runs))
    half = len(tokens) // 2
    for length in (2, 4):
        first, second = set(grams(tokens[:half], length)), grams(tokens[half:], length)
        name = f"second half's runs of {length} in the first"
        found[name] = share(sum(run in first for run in second), len(second))
    return found


def form(text):
    """Return punctuation, capitals and traces of how a text was stored (blanks before marks, odd
    signs)."""
    words, letters = text.split(), [sign for sign in text if sign.isalpha()]
    n = len(words)
    found = {name: sum(text.count(mark) for mark in marks) / n for name, marks in MARKS.items()}
    return found | {
        "dots": (text.count("...") + text.count("…")) / n,
        "capital letters": sum(sign.isupper() for sign in letters) / len(letters),
        "words with a capital": sum(word[0].isupper() for word in words) / n,
        "digits": sum(sign.isdigit() for sign in text) / len(text),
        "signs beyond ASCII": sum(ord(sign) > 127 for sign in text) / len(text),
        "odd signs": len(re.findall(r"[^\w\s.,!?'\"’“”;:—–()…-]", text)) / n,
        "blank before a mark": len(re.findall(r"\s[.,!?;]", text)) / n,
        "small i": len(re.findall(r"\bi\b", text)) / n,
        "small letter after a stop": len(re.findall(r"[.!?]\s+[a-z]", text)) / n,
        "begins with a capital": float(text.strip()[0].isupper()),
        "ends with a mark": float(text.strip()[-1] in ".!?\"”'’"),
    }


def to_prompt(tokens, prompt):
    """Return how much of a prompt's words (by their first five letters) the story takes up, at its
    start and at its end."""
    asked = tokenize(prompt)
    stems = {token[:5] for token in asked if token not in FUNCTION}
    told = [token[:5] for token in tokens if token not in FUNCTION] or [""]
    hits, third = [stem in stems for stem in told], max(len(told) // 3, 1)
    pairs = set(grams(asked, 2))
    return {
        "prompt's words taken up": share(len(stems & set(told)), len(stems)),
        "words from the prompt": np.mean(hits),
        "words from the prompt, first third": np.mean(hits[:third]),
        "words from the prompt, last third": np.mean(hits[-third:]),
        "prompt's word pairs": share(len(pairs & set(grams(tokens, 2))), len(pairs)),
        "prompt's words, log": np.log(len(asked) + 1),
    }


def describe(texts, prompts):
    """Return one row per text, columns (block, feature): words, style, repetition, form, prompt.

    Reads nothing but the text and its prompt, line breaks as blanks.
    """
    rows = []
    for text, prompt in zip(texts, prompts):
        text, tokens = " ".join(text.split()), tokenize(text)
        blocks = {
            "words": lexical_statistics(text),
            "style": style(text, tokens),
            "repetition": repetition(text, tokens),
            "form": form(text),
            "prompt": to_prompt(tokens, prompt),
        }
        named = {(block, name): x for block, found in blocks.items() for name, x in found.items()}
        rows.append(pd.Series(named, dtype=float))
    return pd.DataFrame(rows, columns=rows[0].index)
