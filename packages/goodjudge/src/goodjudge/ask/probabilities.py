"""The probabilities of an answer's first token: read from a reply, weighed to a score."""

import json
import math

from goodjudge.ask.answer import whole


def read_logprobs(choice):
    """Return the likeliest first tokens as JSON, the one taken first; None if malformed."""
    try:
        first = choice["logprobs"]["content"][0]
        pairs = [(entry["token"], entry["logprob"]) for entry in first["top_logprobs"]]
        pairs.sort(key=lambda entry: entry[0] != first.get("token"))
        kept = [[whole(token), round(max(value, -9999.0), 4)] for token, value in pairs]
        are_known = are_probabilities(kept)
    except (LookupError, TypeError, AttributeError, OverflowError):
        return None
    return json.dumps(kept, separators=(",", ":"), ensure_ascii=False) if are_known else None


def are_probabilities(kept):
    """Return whether [[token, log-probability], ...] can be the likeliest tokens: there are some,
    their names are texts, and their probabilities are at most 1, one by one and together."""
    logprobs = [value for token, value in kept if isinstance(token, str)]
    probabilities = [math.exp(min(value, 1)) for value in logprobs]  # min: exp cannot overflow
    all_are_texts = len(logprobs) == len(kept)
    if not probabilities or not all_are_texts:
        return False
    # a little more than 1: log-probabilities are rounded
    none_above_one = max(probabilities) <= 1.001
    one_together = sum(probabilities) < 1.01
    return none_above_one and one_together


def sampled(logprobs, choices):
    """Return (label, value) of the first token that was taken; None if it is no label."""
    first = json.loads(logprobs)[0][0].strip().casefold() if logprobs else None
    for label, value in (choices or {}).items():
        if label.strip().casefold() == first:
            return label, value
    return None


def weigh(logprobs, choices):
    """Return (score, mass): an answer's expected value, the probability of its valid labels.

    logprobs: of `read_logprobs`; choices: {label: value}, {"Yes": 1, "No": 0} for the probability
    of a Yes; matched in any case. nan where there are none. Source: Liu et al. 2023 (G-Eval).
    """
    if not logprobs or not choices:
        return math.nan, math.nan
    values = {label.strip().casefold(): value for label, value in choices.items()}
    mass = total = 0.0
    for token, logprob in json.loads(logprobs):
        value = values.get(token.strip().casefold())
        if value is not None:
            mass += math.exp(logprob)
            total += math.exp(logprob) * value
    return total / mass if mass else math.nan, mass


def find_likeliest(logprobs, choices):
    """Return the label with the highest probability among an answer's valid labels, the first of
    equal ones; None where there are none. It need not be the one that was taken."""
    given = {}
    for token, logprob in json.loads(logprobs) if logprobs else []:
        name = token.strip().casefold()
        given[name] = given.get(name, 0.0) + math.exp(logprob)
    known = [label for label in choices or {} if label.strip().casefold() in given]
    return max(known, key=lambda label: given[label.strip().casefold()], default=None)
