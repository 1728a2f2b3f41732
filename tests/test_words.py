"""Words: tokens, and lexical statistics that survive any text."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.sources import words


def test_statistics_by_hand():
    found = words.lexical_statistics('I ran. "Stop!" she said, and I ran on?\n\nThe end')
    assert found == {
        "words": 11,
        "words a sentence": 11 / 4,
        "sentence length SD": pytest.approx(math.sqrt((4 + 1 + 36 + 4) / 4 - 2.75**2)),
        "letters a word": 30 / 11,
        "distinct words in 100": pytest.approx(9 / 11),
        "words used once": pytest.approx(7 / 11),
        "words a paragraph": 11 / 2,
        "quotation marks a word": pytest.approx(2 / 11),
        "commas a word": pytest.approx(1 / 11),
        "question and exclamation marks a sentence": 2 / 4,
        "first person a word": pytest.approx(2 / 11),
    }


@settings(max_examples=50)
@given(st.text(max_size=300))
def test_any_text_has_finite_statistics(text):
    found = words.lexical_statistics(text)
    assert all(math.isfinite(value) and value >= 0 for value in found.values())
