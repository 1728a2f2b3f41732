"""Words: tokens, and lexical statistics that survive any text."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.measures import words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("It's the cat’s 2nd life!", ["it's", "the", "cat’s", "nd", "life"]),
        ("snake_case and 'quoted'", ["snake", "case", "and", "quoted"]),
        ("Ça va, ДОМ?", ["ça", "va", "дом"]),
        ("", []),
        ("3.14 -- !!", []),
    ],
)
def test_tokens(text, tokens):
    assert words.tokenize(text) == tokens


def test_statistics_by_hand():
    found = words.lexical_statistics('I ran. "Stop!" she said, and I ran on?\n\nThe end')
    assert found["words"] == 11 and found["words used once"] == pytest.approx(7 / 11)
    assert (
        found["words a sentence"] == pytest.approx(11 / 4) and found["words a paragraph"] == 11 / 2
    )
    assert found["quotation marks a word"] == pytest.approx(2 / 11) and found[
        "commas a word"
    ] == pytest.approx(1 / 11)
    assert found["question and exclamation marks a sentence"] == pytest.approx(2 / 4)
    assert found["first person a word"] == pytest.approx(2 / 11) and found[
        "distinct words in 100"
    ] == pytest.approx(9 / 11)


def test_distinct_words_are_counted_in_windows_so_that_length_does_not_matter():
    text = " ".join(f"w{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}" for i in range(50))
    short, long = (
        words.lexical_statistics(" ".join([text] * times))["distinct words in 100"]
        for times in (4, 20)
    )
    assert short == long == 0.5


@given(st.text(max_size=300))
def test_any_text_has_finite_statistics(text):
    found = words.lexical_statistics(text)
    assert all(math.isfinite(value) and value >= 0 for value in found.values())
    assert set(found) == set(words.lexical_statistics("One plain text."))
