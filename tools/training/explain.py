"""The open judge writes explanations of training pairs, and filters them by Algorithm 1.

One persona in turn writes about each pair and order, so that a short run sees many pairs. Two pairs
in both orders make a batch; when the time is up the batch is finished and the rest is left. What
was asked stays in a store, so a run that was stopped goes on. Explanations are about a data set's
texts: they stay in outputs/local/, and only their counts and scores are kept.
"""

import time

import httpx2
import numpy as np
import pandas as pd

from helpers import judges
from helpers.evolvr.pairs import SCORES, fill_requests, load_personas
from helpers.evolvr.rationales import run_algorithm_1
from helpers.judges.answers.labels import YES_NO

SENTENCE = r"""root ::= [A-Z] [^\x00-\x1f\[\]]{30,170} "\n[[A: " [1-5] ", B: " [1-5] "]]" """
VERDICT = """root ::= "Verdict: " ("Yes" | "No")"""
PARAMS = {"temperature": 0.6}  # greedy decoding makes a small model repeat itself
LONGEST = 80  # tokens of an explanation with its scores
TOP = 50  # tokens whose probabilities are read


def request_explanations(pairs, texts):
    """Return one request per pair and order, by five personas in turn; item: '<pair>/<twin>/
    <persona>'."""
    personas = load_personas()
    turn = np.arange(len(pairs)) % len(personas)
    table = pairs.reset_index(drop=True).join(personas.iloc[turn].reset_index(drop=True))
    pair = table["pair"].astype(str)
    twin = table["twin"].astype(str)
    table.insert(0, "item", pair + "/" + twin + "/" + table["persona"])
    return fill_requests(table, "evolvr-short-synthesis", texts)


def ask_of(judge, transcripts, concurrency):
    """Return ask(requests, reader) of a judge on this machine, held to its form by a grammar."""

    def ask(requests, reader):
        grammar = VERDICT if reader is YES_NO else SENTENCE
        options = judges.Options(
            transcripts=transcripts,
            concurrency=concurrency,
            max_output_tokens=LONGEST,
            params=PARAMS | {"grammar": grammar},
            structured=False,
            progress=False,
        )
        return judges.ask(requests, judge, reader, options)

    return ask


def read_probabilities(base_url, frame):
    """Return the probabilities (of the scores 1 to 5, sum 1) of what a server would write next
    (evolvr, Equation 13); even, where no score is among the likeliest tokens."""
    head = [frame[part] for part in ("system", "shared", "prompt") if frame[part]]
    prompt = "\n\n".join([*head, frame["begun"]]).rstrip()
    body = {"prompt": prompt, "max_tokens": 1, "temperature": 0, "logprobs": TOP}
    reply = httpx2.post(f"{base_url}/completions", json=body, timeout=600).raise_for_status()
    likeliest = reply.json()["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    logs = {entry["token"].strip(): entry["logprob"] for entry in likeliest}
    of_scores = np.array([logs.get(str(score), -np.inf) for score in SCORES])
    if np.isinf(of_scores).all():
        return np.full(len(SCORES), 1 / len(SCORES))
    weights = np.exp(of_scores - of_scores.max())
    return weights / weights.sum()


def write_explanations(pairs, texts, ask, base_url, seconds, save, batch=4):
    """Write and filter explanations until the time is up.

    pairs: of `stories.draw_pairs`; texts: {story: text}; ask: of `ask_of`; base_url: the server's,
    for its probabilities; save: called with (pool, final, attrition) of each batch.
    """

    def probabilities(frames):
        return np.array([read_probabilities(base_url, frame) for frame in frames])

    requests = request_explanations(pairs, texts)
    end = time.monotonic() + seconds
    for start in range(0, len(requests), batch):
        if time.monotonic() > end:
            break
        of_batch = requests.iloc[start : start + batch]
        save(*run_algorithm_1(of_batch, ask, probabilities, texts))
    return pd.DataFrame()
