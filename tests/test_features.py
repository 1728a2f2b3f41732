"""Features of texts: known directions, and one clear error for bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.extras import features


def test_repetition_and_reading_ease_point_the_right_way():
    assert features.repetition("a b c a b c a b c") > features.repetition("a b c d e f g h i") == 0
    assert features.reading_ease("The cat sat. It ran.") > features.reading_ease(
        "Incontrovertible institutional considerations necessitate deliberation."
    )


@given(st.text(min_size=1, max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_text_gives_numbers_or_one_error(text):
    try:
        table = features.text_features({"s": text})
    except ValueError as fault:
        assert "has no text" in str(fault)
    else:
        assert np.isfinite(table.to_numpy(float)).all()


def test_a_story_without_words_is_named():
    with pytest.raises(ValueError, match="'empty' has no text"):
        features.text_features({"empty": "  "})
