"""What comes back from a provider, checked before anything believes it: an answer with its
probabilities, or a failure."""

import json
import math

from helpers.judges import prices
from helpers.judges.store import answer_to, now, whole

MOST_TOKENS = 10**8  # more than this in one answer is no count of tokens
TOKENS = ("input_tokens", "cached_tokens", "written_tokens", "output_tokens")
FINISH = {
    name: name
    for name in ("", "stop", "length", "content_filter", "refusal", "tool_calls", "function_call")
} | {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
}  # anthropic's words in openai's; any other is "other"


class Failed(Exception):
    """A request without a usable answer: `again` if it is worth asking again; `billed`: an Answer
    with what is known of its tokens if the provider did the work, True if it may have, False if it
    surely did not; `wait`: seconds that a busy provider asks for; `stalled`: out of time."""

    def __init__(self, note, again=True, billed=False, wait=0.0, stalled=False):
        super().__init__(note)
        self.again, self.billed, self.wait, self.stalled = again, billed, wait, stalled


def count_tokens(body, provider):
    """Return the four counts of TOKENS in a reply as a dict; all None (not known) if one is
    impossible, or none went in."""
    try:
        usage = body["usage"]
        if provider == "anthropic":
            cached, written = (
                usage.get(f"cache_{name}_input_tokens") or 0 for name in ("read", "creation")
            )
            counts = [usage["input_tokens"], cached, written, usage["output_tokens"]]
        else:
            details = usage.get("prompt_tokens_details") or {}
            cached, written = (
                details.get("cached_tokens") or 0,
                details.get("cache_write_tokens") or 0,
            )
            counts = [usage["prompt_tokens"], cached, written, usage["completion_tokens"]]
        good = all(type(count) is int and 0 <= count < MOST_TOKENS for count in counts)
        # which counts them beside the rest
        counts[0] += cached + written if good and provider == "anthropic" else 0
    except (LookupError, TypeError, AttributeError):
        good = False
    return (
        dict(zip(TOKENS, counts))
        if good and 0 < counts[0] >= cached + written
        else dict.fromkeys(TOKENS)
    )


def read_logprobs(choice):
    """Return the likeliest first tokens as JSON [[token, log-probability], ...], the one taken
    first; None for another shape."""
    try:
        first = choice["logprobs"]["content"][0]
        found = [(entry["token"], entry["logprob"]) for entry in first["top_logprobs"]]
        found.sort(key=lambda entry: entry[0] != first.get("token"))
    except (KeyError, TypeError, IndexError):
        return None
    if not found or not all(
        isinstance(token, str) and type(value) in (int, float) for token, value in found
    ):
        return None
    kept = [[whole(token), round(max(value, -9999.0), 4)] for token, value in found]
    likely = (
        all(value <= 0.001 for _, value in kept)
        and sum(math.exp(value) for _, value in kept) < 1.01
    )
    return json.dumps(kept, separators=(",", ":"), ensure_ascii=False) if likely else None


def read_text(body, provider):
    """Return (text, finish, log-probabilities) of a reply; thinking blocks are no part of the
    answer."""
    if provider == "anthropic":
        blocks = body["content"]
        return (
            "".join(block["text"] for block in blocks if block["type"] == "text"),
            body.get("stop_reason"),
            None,
        )
    choice = body["choices"][0]
    refusal, content = choice["message"].get("refusal"), choice["message"].get("content")
    return (
        content or refusal or "",
        "refusal" if refusal else choice.get("finish_reason"),
        read_logprobs(choice),
    )


def read_reply(data, call):
    """Return the Answer, its usd None, in a reply (bytes or parsed JSON); raise Failed for another
    shape, or another model."""
    try:
        body = data if isinstance(data, dict) else json.loads(data)
        blank = answer_to(call, "", **count_tokens(body, call["provider"]), usd=None, at=now())
        served = body.get("model") or ""
    except (ValueError, TypeError, RecursionError, AttributeError) as fault:
        raise Failed(
            f"the reply is not the JSON that was expected ({fault})"[:300], billed=True
        ) from None
    try:
        text, finish, logprobs = read_text(body, call["provider"])
        text, served = whole(text), whole(served)
    except (LookupError, TypeError, AttributeError) as fault:
        raise Failed(
            f"the reply has not the documented shape ({type(fault).__name__}: {fault})"[:300],
            billed=blank,
        ) from None
    if text and not blank.output_tokens:  # a text of no tokens is no count
        blank = blank._replace(**dict.fromkeys(TOKENS))
    if call["provider"] != "local" and not same_model(call["model"], served):
        raise Failed(f"asked for {call['model']}, answered by {served[:100]}", billed=blank)
    finish = FINISH.get(finish, "other") if isinstance(finish, str) else ""
    return blank._replace(text=text, finish=finish, served_model=served, logprobs=logprobs)


def usd_of(billed, price, most):
    """Return the USD of an Answer, `most` if it has no possible count of tokens; of True `most`, of
    False nothing."""
    if isinstance(billed, bool):
        return billed * most
    if billed.usd is not None:
        return billed.usd
    if billed.output_tokens is None:
        return most
    return prices.cost(
        price,
        billed.input_tokens,
        billed.output_tokens,
        billed.cached_tokens,
        billed.written_tokens,
    )


def same_model(asked, served):
    """Return whether the model that answered is the one asked for: the same name, or one with a
    date for one without."""
    names = [name.rsplit("/", 1)[-1].lower() for name in (asked, served)]
    bare = [prices.DATED.sub("", name) for name in names]
    dated = [
        name != plain and any(c.isdigit() for c in name[len(plain) + 2 :])
        for name, plain in zip(names, bare)
    ]
    return not served or names[0] == names[1] or (bare[0] == bare[1] and not all(dated))


def sampled(logprobs, choices):
    """Return (label, value) of the first token that was taken; None if it is no
    label of `choices`."""
    first = json.loads(logprobs)[0][0].strip().casefold() if logprobs and choices else ""
    return next(
        (
            (label, value)
            for label, value in (choices or {}).items()
            if label.strip().casefold() == first
        ),
        None,
    )


def weigh(logprobs, choices):
    """Return (score, mass): the expected value of an answer, and the probability that its valid
    labels share.

    `logprobs`: what `read_logprobs` kept; `choices`: {label: value}, such as {"Yes": 1, "No": 0},
    which makes the score the probability of a Yes. Labels are matched whatever their case and the
    blanks around them; (nan, nan) without probabilities, score nan where no label is among the
    likeliest tokens. Source: Liu et al. 2023 (G-Eval).
    """
    if not logprobs or not choices:
        return math.nan, math.nan
    values = {label.strip().casefold(): value for label, value in choices.items()}
    shares = [
        (math.exp(value), values.get(token.strip().casefold()))
        for token, value in json.loads(logprobs)
    ]
    mass = sum(share for share, value in shares if value is not None)
    total = sum(share * value for share, value in shares if value is not None)
    return total / mass if mass else math.nan, mass
