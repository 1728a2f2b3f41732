"""A column of cells as numbers, as people and tools write them; and what is not clear.

    cells                        read as      expected
    4, 3.5, 3,5, ٤               4, 3.5, 3.5, 4
    Yes, No, Yes                 1, 0, 1
    7 - Strongly agree, 4        7, 4         (told in the report)
    disagree, strongly agree     2, 5         (told in the report)
    4, 5, Yes                    4, 5, nan    of Yes: a number, as elsewhere
    1,050                        nan          a number: 1050 and 1.05 may be meant

The column as a whole decides what a word means: Yes is no score among scores.
"""

import json
import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from goodjudge.data.names import fold_digits

FAILED = re.compile(  # a word for an answer that went wrong
    "err|fail|miss|none|null|skip|refus|time.?out|invalid|empty|pars|nan|sorry|cannot|can.t|unable|"
    "don.?t know|wei(ß|ss) nicht",
    re.IGNORECASE,
)
TRUE = "yes true pass passed ja oui sí si y correct".split()
FALSE = "no false fail failed nein non n incorrect".split()
VERDICTS = dict.fromkeys(TRUE, 1.0) | dict.fromkeys(FALSE, 0.0)
NO_NUMBER = "a number, or Yes or No; leave the cell empty if there is none"
MIXED = "a number, as elsewhere"
SIGNED = r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)"
NUMBER = re.compile(rf"{SIGNED}(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)  # 1,050: 1050 or 1.05?
BEFORE = re.compile(rf"({SIGNED})\s*(?:[-–—:=.)(]+\s*|\s)\D.*", re.ASCII)  # 7 - Strongly agree
AFTER = re.compile(rf"\D*[(:=]\s*({SIGNED})\)?", re.ASCII)  # Strongly agree (7), Rating: 7
RANGE = re.compile(r"\D*\d+ *(?:[-–—]|to|bis) *\d+\D*")  # 1 to 7: a scale, or undecided
DATE = re.compile(  # 3-Jul, 04. Mai: a spreadsheet makes it of 3/7
    r"\d{1,2}[-./ ]{1,2}(jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\w*\W?.*",
    re.IGNORECASE,
)
# how people and programs write that there is no score, in any case; the cell counts as empty
NO_SCORE = set("na n/a n.a. nan null none missing - – — . ? k.a. #n/a {} [] undefined".split())
NO_SCORE |= {"", "keine angabe", "no answer", "not applicable", "prefer not to say", "not answered"}
NO_SCORE |= {"prefer not to answer", "don't know", "don’t know", "i don't know", "weiß nicht"}
# words of a scale from its low end; | parts two words for one step
SCALES = (
    "strongly disagree, disagree, neither agree nor disagree|neutral|neither|undecided, agree, "
    "strongly agree",
    "strongly disagree, disagree, somewhat disagree|slightly disagree, neither agree nor disagree|"
    "neutral|neither, somewhat agree|slightly agree, agree, strongly agree",
    "never, rarely|seldom, sometimes, often, always",
    "not at all, slightly|a little, moderately|somewhat, very|quite a bit, extremely",
    "very poor, poor, fair|average|acceptable, good, very good",
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
    said = {text: text.casefold() in NO_SCORE for text in texts.unique()}
    return texts.map(said).astype(bool)


def read_numbers(texts: pd.Series, labels: dict[str, float] | None = None) -> Numbers:
    """Return the `Numbers` of a column of texts; labels: {a word in the cells: its number}.

    >>> read_numbers(pd.Series(["4", "3,5", "good"]), {"good": 5}).values.tolist()
    [4.0, 3.5, 5.0]
    """
    told = {word.casefold(): float(number) for word, number in (labels or {}).items()}
    codes, cells = pd.factorize(texts)
    kinds = {"number": {}, "verdict": {}, "label": {}, "word": {}}
    said = {}
    for cell in cells:
        kind, number = parse_cell(cell)
        if cell.casefold() in told:
            said[cell] = told[cell.casefold()]
        else:
            kinds[kind][cell] = number
    numbers, verdicts = kinds["number"], kinds["verdict"]
    if are_steps(kinds["label"]):
        said |= kinds["label"]
    if not numbers and not verdicts and not said:
        said = find_scale(list(cells))
    numbers = numbers | said
    expected = {}
    if verdicts and set(numbers.values()) - {0, 1}:
        expected = dict.fromkeys(verdicts, MIXED)
    else:
        numbers = numbers | verdicts
    expected |= {c: NO_NUMBER for c in cells if c not in numbers and c not in expected}
    known = [numbers.get(cell, np.nan) for cell in cells]
    values = np.asarray([*known, np.nan], float)[codes]
    return Numbers(pd.Series(values, texts.index), expected, said)


@lru_cache(maxsize=100_000)
def parse_cell(text: str) -> tuple[str, float]:
    """Return (number, verdict, label or word; the number) of one cell, by itself."""
    text = fold_digits(text)
    if any(pattern.fullmatch(text) for pattern in (DATE, THOUSANDS, RANGE)):
        return "word", np.nan
    if NUMBER.fullmatch(text):
        return "number", to_float(text)
    if text.casefold() in VERDICTS:
        return "verdict", VERDICTS[text.casefold()]
    if text[:1] in ("[", "{"):
        number = read_nested(text)
        return ("word", np.nan) if number is None else ("label", number)
    bare = text.strip("' %")  # '5 of a spreadsheet, 85 %
    if NUMBER.fullmatch(bare):
        return "label", to_float(bare)
    found = BEFORE.fullmatch(text) or AFTER.fullmatch(text)
    return ("label", to_float(found[1])) if found else ("word", np.nan)


def to_float(text: str) -> float:
    """Return a number that may have a decimal comma."""
    return float(text.replace(",", "."))


def read_nested(text: str) -> float | None:
    """Return the one number in a cell of JSON such as [{"rating": 4}], None where there is none or
    more than one."""
    try:
        found = [parse_cell(str(leaf)) for leaf in list_leaves(json.loads(text))]
    except (ValueError, RecursionError):
        return None
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
    """Return whether cells such as "7 - Strongly agree" are steps of one scale, each number with
    one word, and no titles such as "12 Monkeys"; shares in per cent do not count.

    >>> are_steps({"7 - agree": 7, "10%": 10, "10 %": 10}), are_steps({"1 red": 1, "1 blue": 1})
    (True, False)
    """
    words = {cell.casefold() for cell in worded if cell[:1] not in "[{'" and cell[-1:] != "%"}
    numbers = {number for cell, number in worded.items() if cell.casefold() in words}
    return len(words) <= CATEGORIES and len(numbers) == len(words)


def find_scale(words: list[str]) -> dict[str, float]:
    """Return {word: its step, 1 for the lowest} where all words are of one known scale, else {}.

    >>> find_scale(["Agree", "Strongly disagree"])
    {'Agree': 4.0, 'Strongly disagree': 1.0}
    """
    for scale in SCALES:
        step = {}
        for number, alike in enumerate(scale.split(", "), 1):
            step |= dict.fromkeys(alike.split("|"), float(number))
        found = {word: step.get(word.casefold()) for word in words}
        if len(words) > 1 and None not in found.values():
            return found
    return {}
