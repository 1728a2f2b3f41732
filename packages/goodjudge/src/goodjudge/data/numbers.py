"""A column of cells as numbers, as people and tools write them; and what is not clear.

    cells                        read as      expected
    4, 3.5, 3,5, ٤               4, 3.5, 3.5, 4
    Yes, No, Yes                 1, 0, 1
    7 - Strongly agree, 4        7, 4         (told in the report)
    disagree, strongly agree     2, 5         (told in the report)
    4, 5, Yes                    4, 5, nan    of Yes: a number, as elsewhere
    1,050 and 2,075              nan, nan     1050 or 1.05, whichever is meant

The column as a whole decides what a cell means: a comma is decimal for sure where another number
has one before two digits, and Yes is no score among scores.
"""

import json
import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from goodjudge.data.names import fold_digits

HUGE = 1e9
TRUE = "yes true pass passed ja wahr oui vrai sí si sì y t correct"
FALSE = "no false fail failed nein falsch non faux n f incorrect"
VERDICTS = dict.fromkeys(TRUE.split(), 1.0) | dict.fromkeys(FALSE.split(), 0.0)
COUNTED = "zero one two three four five six seven eight nine ten".split()
NO_NUMBER = "a number, or Yes or No; leave the cell empty if there is none"
VERDICT = "Yes or No, as elsewhere; leave the cell empty if there is none"
TOO_LARGE = "a number below a billion"
SIGNED = r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)"
NUMBER = re.compile(rf"{SIGNED}(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)  # 1,050: 1050 or 1.05?
BEFORE = re.compile(rf"({SIGNED})\s*(?:[-–—:=.)]+\s*|\s)\D.*|({SIGNED})\s*\(\D.*\)", re.ASCII)
AFTER = re.compile(rf"\D*\(({SIGNED})\)|[^\W\d][^\d]*[:=]\s*({SIGNED})", re.ASCII)
OUT_OF = re.compile(r"(\d+(?:[.,]\d+)?)\s*(?:/|of|out of|von|sur|de)\s*(\d+)", re.ASCII)
DATE = re.compile(  # 3-Jul, 04. Mai, 2025-07-03
    r"\d{1,2}[-./ ]{1,2}(jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\w*\W?"
    r"|[a-z]{3}-\d{1,2}|\d{4}-\d{2}-\d{2}.*",
    re.IGNORECASE,
)
STARS = re.compile(r"([★⭐*]+)[️☆]*")
# how people and programs write that there is no score, in any case; the cell counts as empty
NO_SCORE = set("na n/a n.a. nan null none missing - – — . ? k.a. k.a #n/a #na".split())
NO_SCORE |= {"k. a.", "k. a", "keine angabe", "no answer", "not applicable", "prefer not to say"}
NO_SCORE |= {"prefer not to answer", "don't know", "don’t know", "i don't know", "i don’t know"}
NO_SCORE |= {"no opinion", "skipped", "weiß nicht", "weiss nicht", "not answered", "{}", "[]"}
NO_SCORE |= {"nicht beantwortet", "#value!", "#div/0!", "#ref!", "#null!", "undefined"}
# words of a scale from its low end; | parts two words for one step
SCALES = (
    "strongly disagree, disagree, neither agree nor disagree|neutral|neither|undecided, agree, "
    "strongly agree",
    "strongly disagree, disagree, somewhat disagree|slightly disagree, neither agree nor disagree|"
    "neutral|neither, somewhat agree|slightly agree, agree, strongly agree",
    "strongly disagree, somewhat disagree, neither agree nor disagree|neutral, somewhat agree, "
    "strongly agree",
    "never, rarely|seldom, sometimes, often, always",
    "not at all, slightly|a little, moderately|somewhat, very|quite a bit, extremely",
    "very poor, poor, fair|average|acceptable, good, very good",
    "poor, fair, good, very good, excellent",
    "very bad, bad, neutral|okay|ok, good, very good",
    "very low, low, medium|moderate, high, very high",
)
CATEGORIES = 12  # more words with a number before them are titles, no steps of a scale


class Numbers(NamedTuple):
    """A column as numbers.

    values: floats, nan where a cell is none; expected: {cell: what was expected} of those cells;
    labels: {cell: number} of cells that are no plain number and were read as one.
    """

    values: pd.Series
    expected: dict[str, str]
    labels: dict[str, float]


def is_no_score(texts: pd.Series) -> pd.Series:
    """Return which cells are empty or say that there is no score."""
    said = {text: not text or text.casefold() in NO_SCORE for text in texts.unique()}
    return texts.map(said).astype(bool)


def read_numbers(texts: pd.Series, labels: dict[str, float] | None = None) -> Numbers:
    """Return the `Numbers` of a column of texts; labels: {a word in the cells: its number}.

    >>> read_numbers(pd.Series(["4", "3,5", "good"]), {"good": 5}).values.tolist()
    [4.0, 3.5, 5.0]
    """
    labels = {word.casefold(): float(number) for word, number in (labels or {}).items()}
    codes, cells = pd.factorize(texts)
    rows = np.bincount(codes, minlength=len(cells)) if len(cells) else np.zeros(0, int)
    parsed = {cell: parse_cell(cell) for cell in cells}
    read = {cell: labels[cell.casefold()] for cell in cells if cell.casefold() in labels}
    said = dict(read)
    plain = {cell: number for cell, (kind, number) in parsed.items() if kind == "number"}
    words = {cell: number for cell, (kind, number) in parsed.items() if kind == "verdict"}
    worded = {cell: number for cell, (kind, number) in parsed.items() if kind == "label"}
    if are_steps(worded):
        read = worded | read
        said |= worded
    rest = [cell for cell in cells if cell not in plain and cell not in words and cell not in read]
    steps = find_scale(rest) if rest and not plain and not words and not worded else {}
    read |= steps
    said |= steps
    expected = {cell: NO_NUMBER for cell in rest if cell not in steps}
    expected |= {cell: TOO_LARGE for cell, number in plain.items() if abs(number) > HUGE}
    for mark in ",.":
        for cell in find_thousands(plain, mark):
            decimal = float(cell.replace(",", "."))
            expected[cell] = f"{cell.replace(mark, '')} or {decimal:g}, whichever is meant"
    count = dict(zip(cells, rows.tolist()))
    expected |= find_mixture(plain | read, words, count)
    numbers = words | plain | read
    known = [np.nan if cell in expected else numbers.get(cell, np.nan) for cell in cells]
    values = np.asarray([*known, np.nan], float)[codes]
    return Numbers(pd.Series(values, texts.index), expected, said)


@lru_cache(maxsize=100_000)
def parse_cell(text: str) -> tuple[str, float]:
    """Return (number, verdict, label or word; the number) of one cell, by itself."""
    folded = fold_digits(text)
    if NUMBER.fullmatch(folded):
        return "number", float(folded.replace(",", "."))
    word = folded.casefold()
    if NUMBER.fullmatch(folded.strip("' %")):  # '5 of a spreadsheet, 85 %
        return "label", float(folded.strip("' %").replace(",", "."))
    if word in COUNTED:
        return "label", float(COUNTED.index(word))
    if DATE.fullmatch(folded):
        return "word", np.nan
    if word in VERDICTS:
        return "verdict", VERDICTS[word]
    if folded[:1] in "[{" and folded:
        number = read_nested(folded)
        return ("word", np.nan) if number is None else ("label", number)
    for pattern in (OUT_OF, BEFORE, AFTER):
        found = pattern.fullmatch(folded)
        if found:
            number = next(part for part in found.groups() if part)
            return "label", float(number.replace(",", "."))
    stars = STARS.fullmatch(folded)
    if stars:
        return "label", float(len(stars[1]))
    return "word", np.nan


def read_nested(text: str) -> float | None:
    """Return the one number in a cell of JSON such as [{"rating": 4}], None where there is none or
    more than one."""
    try:
        leaves = list_leaves(json.loads(text))
    except (ValueError, RecursionError):
        return None
    found = [parse_cell(str(leaf)) for leaf in leaves]
    numbers = [number for kind, number in found if kind != "word"]
    return numbers[0] if len(numbers) == 1 else None


def list_leaves(value) -> list:
    """Return all values inside lists and objects."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [leaf for part in value for leaf in list_leaves(part)]
    return [] if value is None else [value]


def are_steps(worded: dict[str, float]) -> bool:
    """Return whether cells such as "7 - Strongly agree" are steps of one scale: few, each number
    with one word, or nested cells."""
    if all(cell[:1] in "[{★⭐*'" or cell[-1:] == "%" for cell in worded):
        return True
    outs = {OUT_OF.fullmatch(fold_digits(cell)) for cell in worded}
    if None not in outs:  # 4/7, 5/7: all out of the same
        return len({found[2] for found in outs}) == 1
    return len(worded) <= CATEGORIES and len(set(worded.values())) == len(
        {cell.casefold() for cell in worded}
    )


def find_scale(words: list[str]) -> dict[str, float]:
    """Return {word: its step, 1 for the lowest} where all words are of one known scale, else {}.

    >>> find_scale(["Agree", "Strongly disagree"])
    {'Agree': 4.0, 'Strongly disagree': 1.0}
    """
    if len(words) < 2 or len(words) > CATEGORIES:
        return {}
    for scale in SCALES:
        step = {}
        for number, alike in enumerate(scale.split(", "), 1):
            step |= dict.fromkeys(alike.split("|"), float(number))
        simple = {word: " ".join(word.casefold().split()) for word in words}
        if all(word in step for word in simple.values()):
            return {word: step[key] for word, key in simple.items()}
    return {}


def find_thousands(plain: dict[str, float], mark: str) -> list[str]:
    """Return the cells in which a comma or a point may part thousands, or decimals.

    A mark is decimal for sure where a number has it before another count of digits than three. A
    point is decimal as well, unless whole numbers of 100 and more stand beside.
    """
    marked = [cell for cell in plain if mark in cell]
    if not all(THOUSANDS.fullmatch(cell) for cell in marked):
        return []
    has_large_whole = any(abs(plain[cell]) >= 100 for cell in plain if mark not in cell)
    if mark == "." and not has_large_whole:
        return []
    return marked


def find_mixture(plain, words, count) -> dict[str, str]:
    """Return {cell: what was expected} where scores and words such as Yes stand in one column: all
    cells of the rarer kind; 0 and 1 are no scores here, as they may be No and Yes.

    plain, words: {cell: number}; count: {cell: how many there are}.
    """
    scores = [cell for cell, number in plain.items() if number not in (0, 1)]
    if not scores or not words:
        return {}
    if sum(count[cell] for cell in words) > sum(count[cell] for cell in scores):
        return dict.fromkeys(scores, VERDICT)
    return dict.fromkeys(words, f"a number, as elsewhere (say {scores[0]})")
