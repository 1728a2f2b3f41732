"""Features of texts and the pair evaluator: known directions, and one clear error for bad input."""
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.evolvr import pairs as evolvr
from helpers.extras import features


def test_repetition_and_reading_ease_point_the_right_way():
    assert features.repetition("a b c a b c a b c") > features.repetition("a b c d e f g h i") == 0
    assert features.reading_ease("The cat sat. It ran.") > features.reading_ease(
        "Incontrovertible institutional considerations necessitate deliberation.")


@given(st.text(min_size=1, max_size=200))
@settings(max_examples=100, deadline=None)
def test_any_text_gives_numbers_or_one_error(text):
    try:
        table = features.text_features({"s": text})
    except ValueError as fault:
        assert "has no text" in str(fault)
    else:
        assert np.isfinite(table.to_numpy(float)).all()


def world():
    rng = np.random.default_rng(0)
    stories = [f"s{i}" for i in range(60)]
    table = pd.DataFrame({"quality": rng.normal(size=60), "noise": rng.normal(size=60)}, index=stories)
    score = np.clip(np.rint(3 + table["quality"].to_numpy()), 1, 5).astype(int)
    scores = pd.DataFrame({"story": stories, "aspect": "style", "score": score})
    return table, evolvr.stratify_pairs(scores, 10, rng, skip_empty=True)


def test_evaluator_ranks_pairs_and_mirrors_their_order():
    table, pairs = world()
    judge = features.TextEvaluator(table).fit(pairs)
    best, worst = table["quality"].idxmax(), table["quality"].idxmin()
    (a, b), (d, c) = judge.score(best, worst, "style"), judge.score(worst, best, "style")
    assert a > b + 1 and (a, b) == pytest.approx((c, d), abs=1e-6)  # twins make the two orders agree


def test_bad_input_is_one_clear_error():
    table, pairs = world()
    with pytest.raises(ValueError, match="'noise' is missing"):
        features.TextEvaluator(table.assign(noise=np.nan))
    with pytest.raises(ValueError, match="'aspect' is missing"):
        features.TextEvaluator(table).fit(pairs.drop(columns="aspect"))
    judge = features.TextEvaluator(table).fit(pairs)
    with pytest.raises(ValueError, match="not trained"):
        judge.score("s1", "s2", "humour")
    with pytest.raises(ValueError, match="itself"):
        judge.score("s1", "s1", "style")
    with pytest.raises(ValueError, match="no text"):
        features.text_features({"empty": "  "})
