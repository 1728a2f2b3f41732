"""What a judge's probabilities say: its expected score, read from the likeliest first tokens of its answer."""

import json
import math

from helpers.judges.store import whole

SETTINGS = {"logprobs": True, "top_logprobs": 20}  # what an OpenAI-compatible server is asked for


def read_logprobs(choice):
    """Return the likeliest first tokens in a choice of a chat completion as JSON [[token, log-probability], ...], or None.

    None: the server gives none, or not in the documented shape; the answer itself is none the worse.
    """
    try:
        first = choice["logprobs"]["content"][0]
        found = [(entry["token"], entry["logprob"]) for entry in first["top_logprobs"]]
    except (KeyError, TypeError, IndexError):
        return None
    if not found or not all(isinstance(token, str) and type(value) in (int, float) for token, value in found):
        return None
    kept = [[whole(token), round(max(value, -9999.0), 4)] for token, value in found]
    likely = all(value <= 0.001 for _, value in kept) and sum(math.exp(value) for _, value in kept) < 1.01
    return json.dumps(kept, separators=(",", ":"), ensure_ascii=False) if likely else None


def weigh(logprobs, choices):
    """Return (score, mass): the expected value of an answer, and the probability that its valid labels share.

    `logprobs`: what `read_logprobs` kept; `choices`: {label: value}, such as {"Yes": 1, "No": 0}, which makes the score
    the probability of a Yes. Labels are matched whatever their case and the blanks around them; (nan, nan) without
    probabilities, score nan where no label is among the likeliest tokens. Source: Liu et al. 2023 (G-Eval).
    """
    if not logprobs or not choices:
        return math.nan, math.nan
    values = {label.strip().casefold(): value for label, value in choices.items()}
    shares = [(math.exp(value), values.get(token.strip().casefold())) for token, value in json.loads(logprobs)]
    mass = sum(share for share, value in shares if value is not None)
    total = sum(share * value for share, value in shares if value is not None)
    return total / mass if mass else math.nan, mass
