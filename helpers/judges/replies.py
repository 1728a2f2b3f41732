"""What a provider sent, checked before anything believes it: an Answer, or a failure."""

import json
import math

from helpers.judges import prices
from helpers.judges.store import answer_to, now, whole

MOST_TOKENS = 10**8  # more than this in one answer is no count of tokens
TOKENS = ("input_tokens", "cached_tokens", "written_tokens", "output_tokens")
UNKNOWN = dict.fromkeys(TOKENS)
# anthropic's words in openai's; any other is "other"
FINISH = {name: name for name in ("", "stop", "length", "content_filter", "refusal")}
FINISH |= {"end_turn": "stop", "stop_sequence": "stop"}
FINISH |= {"max_tokens": "length", "model_context_window_exceeded": "length"}


class Failed(Exception):
    """A request without a usable answer: `again` if it is worth asking again; `billed`: an Answer
    with what is known of its tokens if the provider did the work, True if it may have, False if it
    surely did not; `wait`: seconds that a busy provider asks for; `stalled`: out of time."""

    def __init__(self, note, again=True, billed=False, wait=0.0, stalled=False):
        super().__init__(note)
        self.again, self.billed, self.wait, self.stalled = again, billed, wait, stalled


def count_tokens(body, provider):
    """Return the four counts of TOKENS in a reply; all None if one is impossible."""
    try:
        usage = body["usage"]
        if provider == "anthropic":
            cached = usage.get("cache_read_input_tokens") or 0
            written = usage.get("cache_creation_input_tokens") or 0
            total, output = usage["input_tokens"], usage["output_tokens"]
        else:
            details = usage.get("prompt_tokens_details") or {}
            cached = details.get("cached_tokens") or 0
            written = details.get("cache_write_tokens") or 0
            total, output = usage["prompt_tokens"], usage["completion_tokens"]
    except (LookupError, TypeError, AttributeError):
        return UNKNOWN
    counts = [total, cached, written, output]
    if not all(type(count) is int and 0 <= count < MOST_TOKENS for count in counts):
        return UNKNOWN
    if provider == "anthropic":  # which counts cached and written tokens beside the rest
        counts[0] += cached + written
    return dict(zip(TOKENS, counts)) if 0 < counts[0] >= cached + written else UNKNOWN


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
    """Return the Answer (usd None) in a reply; Failed for another shape or another model."""
    try:
        body = json.loads(data)
        blank = answer_to(call, "", **count_tokens(body, call.provider), usd=None, at=now())
        served = body.get("model") or ""
    except (ValueError, RecursionError, AttributeError) as fault:
        note = f"the reply is not the JSON that was expected ({fault})"
        raise Failed(note[:300], billed=True) from None
    try:
        text, finish, logprobs = read_text(body, call.provider)
        text, served = whole(text), whole(served)
    except (LookupError, TypeError, AttributeError) as fault:
        note = f"the reply has not the documented shape ({type(fault).__name__}: {fault})"
        raise Failed(note[:300], billed=blank) from None
    if text and not blank.output_tokens:  # a text of no tokens is no count
        blank = blank._replace(**UNKNOWN)
    if call.provider != "local" and not same_model(call.model, served):
        raise Failed(f"asked for {call.model}, answered by {served[:100]}", billed=blank)
    finish = FINISH.get(finish, "other") if isinstance(finish, str) else ""
    return blank._replace(text=text, finish=finish, served_model=served, logprobs=logprobs)


def usd_of(billed, known, most):
    """Return an Answer's USD by its model's price; `most` without counts or for True."""
    if isinstance(billed, bool):
        return billed * most
    if billed.output_tokens is None:
        return most
    counts = billed.input_tokens, billed.output_tokens, billed.cached_tokens, billed.written_tokens
    served = (billed.served_model or "").rsplit("/", 1)[-1].lower()
    return max(prices.cost(known[name], *counts) for name in {served, billed.model} & set(known))


def same_model(asked, served):
    """Return whether the model asked for answered: by its name, or with a date."""
    names = [name.rsplit("/", 1)[-1].lower() for name in (asked, served)]
    bare = [prices.DATED.sub("", name) for name in names]
    dates = [name.removeprefix(stem)[2:] for name, stem in zip(names, bare)]
    dated = [any(c.isdigit() for c in date) for date in dates]
    return not served or names[0] == names[1] or (bare[0] == bare[1] and not all(dated))


def find_snapshots(provider, model):
    """Return ({name: price} of models that may answer for one, the dearest of them)."""
    found = {model: prices.find_price(provider, model)}
    if provider != "local":
        lines = prices.read_prices(provider).items()
        found |= {name: line for name, line in lines if same_model(model, name)}
    dear = {name: max(price[name] for price in found.values()) for name in prices.NUMBERS}
    starts = [price["long_from"] for price in found.values() if price["long_from"]]
    return found, found[model] | dear | {"long_from": min(starts, default=0)}


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
