"""Mean token log-likelihood of a text under SmolLM2-135M: a baseline that reads word order and
nothing else.

The forward pass of the Llama architecture in NumPy, because the local server returns no
probabilities for its prompt; tests compare it with the probabilities that the server gives for the
next token.
"""

import asyncio
import json
import re
from functools import cache
from importlib.metadata import version

import httpx2
import numpy as np

from helpers.judges.local import LocalError, find_model, start_server
from helpers.judges.store import answer_to, now

TOKENS = 512  # of each text, so that long and short texts are compared on equal context
MIDDLE = 15  # of the layers 0 to 29


@cache
def load_model():
    """Return (settings, {name: float32 array}) of the GGUF file, dequantised (about 540 MB)."""
    try:
        import gguf
    except ImportError:
        raise LocalError(
            "the likelihood baseline needs the package gguf: pip install gguf"
        ) from None
    reader = gguf.GGUFReader(find_model())
    fields = {
        name: field.parts[field.data[0]][0]
        for name, field in reader.fields.items()
        if name.startswith("llama.") and len(field.data) == 1
    }
    names = {
        "heads": "llama.attention.head_count",
        "kv": "llama.attention.head_count_kv",
        "layers": "llama.block_count",
        "eps": "llama.attention.layer_norm_rms_epsilon",
        "base": "llama.rope.freq_base",
    }
    weights = {
        tensor.name: gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        for tensor in reader.tensors
    }
    return {short: fields[name] for short, name in names.items()}, weights


def log_probabilities(ids):
    """Return (n - 1,) natural-log probabilities of tokens 1..n-1 of `ids`, each given those before
    it."""
    return forward(ids)[0]


def forward(ids):
    """Return (log probabilities as above, n x 576 states after layer MIDDLE: what the model made of
    the text so far)."""
    at, w = load_model()
    heads, kv, n = int(at["heads"]), int(at["kv"]), len(ids)
    x = w["token_embd.weight"][np.asarray(ids)]
    size = x.shape[1] // heads
    angle = np.arange(n)[:, None] / float(at["base"]) ** (np.arange(0, size, 2) / size)
    cos, sin = np.cos(angle)[:, None].astype(np.float32), np.sin(angle)[:, None].astype(np.float32)
    mask = np.triu(np.full((n, n), -np.inf, np.float32), 1)

    def norm(value, weight):
        return value / np.sqrt((value**2).mean(-1, keepdims=True) + float(at["eps"])) * weight

    def rotate(value):  # GGUF keeps the two halves of a rotated pair next to each other
        a, b = value[..., ::2], value[..., 1::2]
        return np.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(value.shape)

    for layer in range(int(at["layers"])):

        def part(name, layer=layer):
            return w[f"blk.{layer}.{name}.weight"]

        h = norm(x, part("attn_norm"))
        q = rotate((h @ part("attn_q").T).reshape(n, heads, size))
        k = rotate((h @ part("attn_k").T).reshape(n, kv, size)).repeat(heads // kv, 1)
        v = (h @ part("attn_v").T).reshape(n, kv, size).repeat(heads // kv, 1)
        score = (
            np.einsum("ihd,jhd->hij", q, k, optimize=True) / np.sqrt(size).astype(np.float32) + mask
        )
        score = np.exp(score - score.max(-1, keepdims=True))
        score /= score.sum(-1, keepdims=True)
        x = (
            x
            + np.einsum("hij,jhd->ihd", score, v, optimize=True).reshape(n, -1)
            @ part("attn_output").T
        )
        h = norm(x, part("ffn_norm"))
        gate = h @ part("ffn_gate").T
        x = x + (gate / (1 + np.exp(-gate)) * (h @ part("ffn_up").T)) @ part("ffn_down").T
        if layer == MIDDLE:
            states = x
    logits = (
        norm(x, w["output_norm.weight"])[:-1] @ w.get("output.weight", w["token_embd.weight"]).T
    )
    top = logits.max(-1, keepdims=True)
    total = np.log(np.exp(logits - top).sum(-1)) + top[:, 0]
    return logits[np.arange(n - 1), np.asarray(ids)[1:]] - total, states


@cache
def _server():
    return start_server(context=64)


def tokenize(text):
    """Return the token ids of a text, as the model's own tokenizer gives them."""
    return httpx2.post(f"{_server()[1]}/tokenize", json={"content": text}, timeout=600).json()[
        "tokens"
    ]


def mean_log_likelihood(text, tokens=TOKENS):
    """Return the mean log-likelihood (nats a token) of the first `tokens` tokens of a text; nan for
    fewer than two."""
    ids = tokenize(text)[:tokens]
    return float(log_probabilities(ids).mean()) if len(ids) > 1 else float("nan")


def parse_number(text):
    """Return the number that a likelihood/ judge answers with, or None."""
    return float(text) if re.fullmatch(r"-?\d+\.\d+", text or "") else None


class Likelihood:
    """The judge likelihood/smollm2: scores the shared text of a request (its prompt where there is
    none)."""

    def __init__(self):
        self.versions, self.lock = (
            json.dumps({"xllamacpp": version("xllamacpp"), "numpy": np.__version__}),
            asyncio.Lock(),
        )

    async def ask(self, call, seconds):
        """Return an Answer whose text is the mean log-likelihood with six decimals."""
        async with self.lock, asyncio.timeout(seconds):
            text = call["shared"] or call["prompt"]
            value = await asyncio.to_thread(
                mean_log_likelihood, text, json.loads(call["params"]).get("tokens", TOKENS)
            )
        return answer_to(call, f"{value:.6f}", served_model="smollm2", at=now())

    async def close(self):
        """Nothing to close: the tokenizer's server ends with this process."""
