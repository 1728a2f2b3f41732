"""Recorded EvolvR's filter on our own stories (S3): data/recorded/<model>-evolvr.jsonl and
<model>-evolvr-confidence.json.

Made from data/stories/ with a local model that gives token probabilities: SmolLM2-135M on
2026-11-21, Qwen2.5-Coder 1.5B, held to its form by a grammar, on 2026-11-22. Run it by
`python -m tools.recording [MODEL [PAIRS]]` with a model that `goodjudge.ask.local` serves and
PAIRS pairs of stories per stratum (1). Nothing imports it.
"""

import json
import sys

import httpx2
import numpy as np
from goodjudge.ask.addresses import is_here
from goodjudge.ask.labels import YES_NO
from goodjudge.ask.local import SMALLEST, name_of, serving
from goodjudge.ask.store import Store

from helpers import judges
from helpers.evolvr.openings import draw_requests, frame_key, load_openings
from helpers.evolvr.pairs import PAIR_OF_SCORES, SCORES
from helpers.evolvr.rationales import run_algorithm_1
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT
from tools.record_judge import export_answers

PARAMS = {"temperature": 0.6}  # greedy decoding makes so small a model repeat itself


def read_probabilities(base_url, frame):
    """Return five probabilities (softmax over the score tokens, evolvr Equation 13) after a frame,
    from an OpenAI-compatible completions endpoint."""
    head = [frame[part] for part in ("system", "shared", "prompt") if frame[part]]
    prompt = "\n\n".join([*head, frame["begun"]]).rstrip()
    body = {"prompt": prompt, "max_tokens": 1, "temperature": 0, "logprobs": 50}
    url, with_proxy = f"{base_url}/completions", not is_here(base_url)
    reply = httpx2.post(url, json=body, timeout=600, trust_env=with_proxy).raise_for_status()
    first = reply.json()["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    top = {entry["token"].strip(): entry["logprob"] for entry in first}
    logs = np.array([top.get(str(score), -np.inf) for score in SCORES])
    if np.isinf(logs).all():
        return np.full(5, 0.2)
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def record(base_url, model, per_stratum):
    """Filter rationales about the openings; write what the model says, return the attrition."""
    kept, name = {}, f"{name_of(model)}-evolvr"
    transcripts = ROOT / "outputs" / "local" / f"{name}.sqlite"

    def probabilities(frames):
        found = np.array([read_probabilities(base_url, frame) for frame in frames])
        for frame, row in zip(frames, found):
            kept[frame_key(frame)] = [round(float(value), 6) for value in row]
        return found

    def ask(requests, reader):
        # a model that would never come to its label by itself is made to
        held = reader if reader is YES_NO else reader._replace(form=PAIR_OF_SCORES.form)
        ending = held.form.closing
        options = judges.Options(
            transcripts=transcripts, concurrency=1, max_output_tokens=300, params=PARAMS
        )
        return judges.ask(requests, f"local/{name_of(model)}+{ending}", held, options)

    texts = load_openings()
    requests = draw_requests(texts, per_stratum=per_stratum)
    attrition = run_algorithm_1(requests, ask, probabilities, texts)[-1]
    folder = ROOT / "data" / "recorded"
    with Store(transcripts) as store:
        export_answers(store, folder / f"{name}.jsonl")
    text = json.dumps(kept, indent=0, sort_keys=True) + "\n"
    replace_file(folder / f"{name}-confidence.json", text)
    return attrition


if __name__ == "__main__":
    model, pairs = [*sys.argv[1:], *(SMALLEST, 1)[len(sys.argv[1:]) :]]
    with serving(model) as base_url:
        print(record(base_url, model, int(pairs)).to_string(index=False))
