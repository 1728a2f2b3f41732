"""What a provider sent, checked before anything believes it: an Answer and its Charge, or a
failure."""

import json
import math
from typing import NamedTuple

from helpers.judges import prices
from helpers.judges.store import answer_to, now, whole

MOST_TOKENS = 10**8  # more than this in one answer is no count of tokens
TOKENS = ("input_tokens", "cached_tokens", "written_tokens", "output_tokens")
UNKNOWN = dict.fromkeys(TOKENS)
PRICED = ("input_tokens", "output_tokens", "cached_tokens", "written_tokens")
# what a reply may name beside its price, and the values that cost no more than the price file says
USUAL = {
    "service_tier": ("default", "standard"),
    "inference_geo": ("global", "not_available"),  # the second: of models without regions
    "speed": ("standard",),
}
UNUSUAL = 2  # times its price, the most that a provider takes for another tier, region or speed
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
    """Return the four counts of TOKENS and `hour_tokens`; all None but these if one is impossible.

    Some servers count reasoning in total_tokens alone: what is not input is output.
    """
    hour = 0
    try:
        usage = body["usage"]
        if provider == "anthropic":
            cached = usage.get("cache_read_input_tokens") or 0
            hour = (usage.get("cache_creation") or {}).get("ephemeral_1h_input_tokens") or 0
            written = max(usage.get("cache_creation_input_tokens") or 0, hour)
            total, output = usage["input_tokens"], usage["output_tokens"]
        else:
            details = usage.get("prompt_tokens_details") or {}
            cached = details.get("cached_tokens") or 0
            written = details.get("cache_write_tokens") or 0
            total, output = usage["prompt_tokens"], usage["completion_tokens"]
            output = max(output, (usage.get("total_tokens") or 0) - total)
    except (LookupError, TypeError, AttributeError):
        return UNKNOWN
    counts = [total, cached, written, output]
    if not all(type(count) is int and 0 <= count < MOST_TOKENS for count in (*counts, hour)):
        return UNKNOWN
    if provider == "anthropic":  # which counts cached and written tokens beside the rest
        counts[0] += cached + written
    if not 0 < counts[0] >= cached + written:
        return UNKNOWN
    return dict(zip(TOKENS, counts)) | {"hour_tokens": hour}


def read_charge(body, provider):
    """Return the Charge of a reply (a dict of JSON)."""
    served, usage = body.get("model"), body.get("usage")
    served = whole(served)[:100] if isinstance(served, str) else ""
    named = [place for place in (body, usage) if isinstance(place, dict)]
    unasked = [
        f"{name}={str(place[name])[:40]!r}"
        for place in named
        for name, usual in USUAL.items()
        if place.get(name) and place[name] not in usual
    ]
    return Charge(served, **count_tokens(body, provider), unasked=", ".join(unasked))


def read_logprobs(choice):
    """Return the likeliest first tokens as JSON, the one taken first; None if malformed."""
    try:
        first = choice["logprobs"]["content"][0]
        found = [(entry["token"], entry["logprob"]) for entry in first["top_logprobs"]]
        found.sort(key=lambda entry: entry[0] != first.get("token"))
        kept = [[whole(token), round(max(value, -9999.0), 4)] for token, value in found]
        known = likely(kept)
    except (LookupError, TypeError, AttributeError, OverflowError):
        return None
    return json.dumps(kept, separators=(",", ":"), ensure_ascii=False) if known else None


def likely(kept):
    """Return whether [[token, log-probability], ...] can be the likeliest tokens."""
    shares = [math.exp(min(value, 1)) for token, value in kept if isinstance(token, str)]
    return 0 < len(shares) == len(kept) and max(shares) <= 1.001 and sum(shares) < 1.01


def read_text(body, provider):
    """Return (text, finish, log-probabilities) of a reply, without thinking blocks."""
    if provider == "anthropic":
        texts = [block["text"] for block in body["content"] if block["type"] == "text"]
        return "".join(texts), body.get("stop_reason"), None
    choice = body["choices"][0]
    message = choice["message"]
    if refusal := message.get("refusal"):
        return message.get("content") or refusal, "refusal", read_logprobs(choice)
    return message.get("content") or "", choice.get("finish_reason"), read_logprobs(choice)


def read_reply(data, call):
    """Return (Answer with usd None, Charge) of a reply; Failed for another shape or model."""
    try:
        body = json.loads(data)
        charge = read_charge(body, call.provider)
    except (ValueError, RecursionError, AttributeError):
        start = data[:60].decode("utf8", "replace") if isinstance(data, bytes) else data[:60]
        note = f"the reply is not the JSON that was expected; it begins with {start!r}"
        raise Failed(note, billed=True, useless=True) from None
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


def usd_of(billed, call, known, most, size):
    """Return the USD of a Charge, or of True (`most`) or False (0).

    known: {model: price}; size: tokens that the request can have at most. A model that was not
    asked for is billed at the dearer of both prices, an unknown one at the dearest known and at
    `most` at least; so is a reply that names a tier, region or speed that nobody asked for.
    """
    if isinstance(billed, bool):
        return billed * most
    served, same = billed.served.rsplit("/", 1)[-1].lower(), same_model(call.model, billed.served)
    names = {served, prices.DATED.sub("", served), call.model} & set(known)
    strange = not same and names == {call.model}
    lines = [known[name] for name in (known if strange else names)]
    if billed.output_tokens is None:
        usd = max(prices.most(line, size, call.max_tokens) for line in lines)
    else:
        counts = [getattr(billed, name) for name in PRICED]
        usd = max(prices.cost(line, *counts, hour_tokens=billed.hour_tokens) for line in lines)
    if billed.unasked:
        usd *= UNUSUAL
    worst = strange or billed.unasked or billed.output_tokens is None
    return max(usd, most) if worst else usd


def same_model(asked, served):
    """Return whether the model asked for answered: by its name, or with a date."""
    names = [name.rsplit("/", 1)[-1].lower() for name in (asked, served)]
    bare = [prices.DATED.sub("", name) for name in names]
    dates = [name.removeprefix(stem)[2:] for name, stem in zip(names, bare)]
    dated = [any(c.isdigit() for c in date) for date in dates]
    return names[0] == names[1] or (bare[0] == bare[1] and not all(dated))


def find_known(provider, model):
    """Return ({name: price} of all models of a provider, the dearest of those that may answer for
    one: its dated names)."""
    asked = prices.find_price(provider, model)
    known = {model: asked}
    if provider != "local":
        known |= prices.read_prices(provider)
    found = [price for name, price in known.items() if name == model or same_model(model, name)]
    dear = {name: max(price[name] for price in found) for name in prices.NUMBERS}
    starts = [price["long_from"] for price in found if price["long_from"]]
    return known, asked | dear | {"long_from": min(starts, default=0)}


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
