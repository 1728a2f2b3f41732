"""What a provider sent, checked before anything believes it: an Answer and its Charge, or a
failure."""

import json
from typing import NamedTuple

from goodjudge.ask.answer import answer_to, now, whole
from goodjudge.ask.charges import same_model
from goodjudge.ask.probabilities import read_logprobs

MOST_TOKENS = 10**8  # more than this in one answer is no count of tokens
TOKENS = ("input_tokens", "cached_tokens", "written_tokens", "output_tokens")
UNKNOWN = dict.fromkeys(TOKENS)
# what a reply may name beside its price, and the values that cost no more than the price file says
USUAL = {
    "service_tier": ("default", "standard"),
    "inference_geo": ("global", "not_available"),  # the second: of models without regions
    "speed": ("standard",),
}
# anthropic's words in openai's; any other is "other"
FINISH = {name: name for name in ("", "stop", "length", "content_filter", "refusal")}
FINISH |= {"end_turn": "stop", "stop_sequence": "stop"}
FINISH |= {"max_tokens": "length", "model_context_window_exceeded": "length"}


class Charge(NamedTuple):
    """What a reply says of its price: the model that served it ('' if it names none), its tokens
    (None if a count is impossible), those of them that are written to the cache for an hour, and
    what it names that nobody asked for, as words ('' for nothing)."""

    served: str
    input_tokens: int | None
    cached_tokens: int | None
    written_tokens: int | None
    output_tokens: int | None
    hour_tokens: int = 0
    unasked: str = ""


class Failed(Exception):
    """A request without a usable answer: `again` if it is worth asking again; `billed`: the Charge
    if the provider did the work, True if it may have, False if it surely did not; `wait`: seconds
    that a busy provider asks for; `stalled`: out of time; `useless`: a reply that is complete and
    cannot be read."""

    def __init__(self, note, again=True, billed=False, wait=0.0, stalled=False, useless=False):
        super().__init__(note)
        self.again, self.billed, self.wait = again, billed, wait
        self.stalled, self.useless = stalled, useless


class OtherModel(Failed):
    """Another model answered than was asked for."""


def count_tokens(body, provider):
    """Return the four counts of TOKENS, and `hour_tokens`. If one of them is impossible, the four
    are None and `hour_tokens` is left out.

    Some servers count reasoning in total_tokens alone: what is not input is output.
    """
    try:
        counts = read_usage(body["usage"], provider)
    except (LookupError, TypeError, AttributeError):
        return UNKNOWN
    if not all(type(count) is int and 0 <= count < MOST_TOKENS for count in counts.values()):
        return UNKNOWN
    from_cache = counts["cached_tokens"] + counts["written_tokens"]
    if provider == "anthropic":  # which counts these beside the rest
        counts["input_tokens"] += from_cache
    if counts["input_tokens"] < 1 or counts["input_tokens"] < from_cache:
        return UNKNOWN
    return counts


def read_usage(usage, provider):
    """Return the counts of a reply's usage as they stand there; LookupError, TypeError or
    AttributeError for another shape."""
    if provider == "anthropic":
        creation = usage.get("cache_creation") or {}
        hour = creation.get("ephemeral_1h_input_tokens") or 0
        return {
            "input_tokens": usage["input_tokens"],
            "cached_tokens": usage.get("cache_read_input_tokens") or 0,
            "written_tokens": max(usage.get("cache_creation_input_tokens") or 0, hour),
            "output_tokens": usage["output_tokens"],
            "hour_tokens": hour,
        }
    details = usage.get("prompt_tokens_details") or {}
    input_tokens = usage["prompt_tokens"]
    besides_input = (usage.get("total_tokens") or 0) - input_tokens
    return {
        "input_tokens": input_tokens,
        "cached_tokens": details.get("cached_tokens") or 0,
        "written_tokens": details.get("cache_write_tokens") or 0,
        "output_tokens": max(usage["completion_tokens"], besides_input),
        "hour_tokens": 0,
    }


def read_charge(body, provider):
    """Return the Charge of a reply (a dict of JSON)."""
    served = body.get("model")
    served = whole(served)[:100] if isinstance(served, str) else ""
    unasked = []
    for place in (body, body.get("usage")):
        if isinstance(place, dict):
            unasked += find_unasked(place)
    return Charge(served, **count_tokens(body, provider), unasked=", ".join(unasked))


def find_unasked(place):
    """Return what a part of a reply names that was not asked for and may cost more, as words."""
    unasked = []
    for name, usual in USUAL.items():
        value = place.get(name)
        if value and value not in usual:
            unasked.append(f"{name}={str(value)[:40]!r}")
    return unasked


def read_text(body, provider):
    """Return (text, finish, log-probabilities) of a reply, without thinking blocks."""
    if provider == "anthropic":
        texts = [block["text"] for block in body["content"] if block["type"] == "text"]
        return "".join(texts), body.get("stop_reason"), None
    choice = body["choices"][0]
    message = choice["message"]
    logprobs = read_logprobs(choice)
    refusal = message.get("refusal")
    if refusal:
        return message.get("content") or refusal, "refusal", logprobs
    return message.get("content") or "", choice.get("finish_reason"), logprobs


def tell_error(error):
    """Return what an error object of a reply says, cut to 200 characters."""
    message = error.get("message") if isinstance(error, dict) else error
    return " ".join(str(message or error).split())[:200]


def read_reply(data, call):
    """Return (Answer with usd None, Charge) of a reply; Failed for another shape or model."""
    try:
        body = json.loads(data)
        charge = read_charge(body, call.provider)
    except (ValueError, RecursionError, AttributeError):
        start = data[:60].decode("utf8", "replace") if isinstance(data, bytes) else data[:60]
        note = f"the reply is not the JSON that was expected; it begins with {start!r}"
        raise Failed(note, billed=True, useless=True) from None
    if body.get("error") and not charge.served and "usage" not in body:  # nobody answered
        note = f"the reply is an error, sent as a success: {tell_error(body['error'])}"
        raise Failed(note, billed=True, useless=True)
    if call.provider != "local" and not same_model(call.model, charge.served):
        served = charge.served or "a model that the reply does not name"
        note = f"asked for {call.model}, answered by {served}"
        raise OtherModel(note, again=False, billed=charge, useless=True)
    try:
        text, finish, logprobs = read_text(body, call.provider)
        text = whole(text)
    except (LookupError, TypeError, AttributeError) as fault:
        note = f"the reply has not the documented shape ({type(fault).__name__}: {fault})"
        raise Failed(note[:300], billed=charge, useless=True) from None
    if text and not charge.output_tokens:  # a text of no tokens is no count
        charge = charge._replace(**UNKNOWN)
    finish = FINISH.get(finish, "other") if isinstance(finish, str) else ""
    counts = {name: getattr(charge, name) for name in TOKENS}
    facts = {"finish": finish, "served_model": charge.served, "logprobs": logprobs}
    return answer_to(call, text, **counts, **facts, usd=None, at=now()), charge
