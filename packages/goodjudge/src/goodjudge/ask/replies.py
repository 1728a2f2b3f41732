"""What a provider sent, checked before anything believes it: an Answer and its Charge, or a
failure.

A request that fails has one of four ends:

| end     | raised                | what the run does                                             |
|---------|-----------------------|---------------------------------------------------------------|
| again   | `Failed(AGAIN)`       | asks again, a few times: it was or may be billed               |
| later   | `Failed(LATER)`       | asks again, after a pause: a busy provider sent it away unpaid |
| never   | `Failed(NEVER)`       | gives this call up                                             |
| stop    | `JudgeError`          | ends: every other call would fail like this one                |
"""

import json
import re
from typing import NamedTuple

from goodjudge.ask.addresses import endpoint, hide_keys, hide_whole_keys, suggest_url
from goodjudge.ask.answer import answer_to, now, whole
from goodjudge.ask.errors import JudgeError, NoForm
from goodjudge.ask.probabilities import read_logprobs

AGAIN, LATER, NEVER = "again", "later", "never"
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
BUSY = (429, 503, 529)
NO_ACCESS = (401, 402, 403, 404, 405)
BAD_REQUEST = (400, 404, 422, 501)
TIER = re.compile("service_tier|inference_geo")  # an account may forbid what is usual
FILTERED = re.compile("content_(filter|policy)")  # the provider's filter refuses a request
FORM = re.compile("response_format|output_(config|format)|structured|schema|grammar", re.IGNORECASE)
UNKNOWN_NAME = re.compile(
    r"un(supported|recogni[sz]ed|known|expected)|does not support|deprecated|only the default"
    r"|(not|n't) (be )?(support|permit|allow)|extra (inputs|fields)",
    re.IGNORECASE,
)
BAD_VALUE = re.compile("(must|should) be|too (large|small|high|low)", re.IGNORECASE)


class Charge(NamedTuple):
    """What a reply says of its price: the model that served it ('' if it names none), its tokens
    (None if a count is impossible), and what it names that nobody asked for, as words ('' for
    nothing)."""

    served: str
    input_tokens: int | None
    cached_tokens: int | None
    written_tokens: int | None
    output_tokens: int | None
    unasked: str = ""


class Failed(Exception):
    """A request without a usable answer. end: AGAIN, LATER or NEVER; billed: the Charge if the
    provider did the work, True if it may have, False if it surely did not; wait: seconds that a
    busy provider asks for."""

    def __init__(self, note, end=AGAIN, billed=False, wait=0.0):
        super().__init__(note)
        self.end, self.billed, self.wait = end, billed, wait


# ── A reply ───────────────────────────────────────────────────────────────────────────────────────


def read_reply(data, call):
    """Return (Answer with usd None, Charge) of a reply; Failed for another shape."""
    data = data.decode("utf8", "surrogateescape") if isinstance(data, bytes) else data
    data = hide_whole_keys(data)
    try:
        body = json.loads(data)
        charge = read_charge(body, call.provider)
    except (ValueError, RecursionError, AttributeError):
        start = whole(hide_keys(data)[:60])
        note = f"the reply is not the JSON that was expected; it begins with {start!r}"
        advice = suggest_url(call.provider)
        raise Failed(f"{note}; {advice}" if advice else note, billed=True) from None
    if body.get("error") and not charge.served and "usage" not in body:  # nobody answered
        note = f"the reply is an error, sent as a success: {tell_error(body['error'])}"
        advice = suggest_url(call.provider)
        raise Failed(f"{note}; {advice}" if advice else note, billed=True)
    try:
        text, finish, logprobs = read_text(body, call.provider)
        text = hide_whole_keys(whole(text))  # in JSON it may have been written \u0073k-…
    except (LookupError, TypeError, AttributeError) as fault:
        note = f"the reply has not the documented shape ({type(fault).__name__}: {fault})"
        raise Failed(note[:300], billed=charge) from None
    if text and not charge.output_tokens:  # a text of no tokens is no count
        charge = charge._replace(**UNKNOWN)
    finish = FINISH.get(finish, "other") if isinstance(finish, str) else ""
    counts = {name: getattr(charge, name) for name in TOKENS}
    facts = {"finish": finish, "served_model": charge.served, "logprobs": logprobs}
    return answer_to(call, text, **counts, **facts, usd=None, at=now()), charge


def read_text(body, provider):
    """Return (text, finish, log-probabilities) of a reply, without its thoughts."""
    if provider == "anthropic":
        return join_parts(body["content"]), body.get("stop_reason"), None
    choice = body["choices"][0]
    message = choice["message"]
    content = message.get("content") or ""
    text = join_parts(content) if isinstance(content, list) else content
    logprobs = read_logprobs(choice)
    refusal = message.get("refusal")
    if refusal:
        return text or refusal, "refusal", logprobs
    return text, choice.get("finish_reason"), logprobs


def join_parts(parts):
    """Return the text of an answer that comes in parts, some of which may be thoughts."""
    return "".join(part["text"] for part in parts if part["type"] in ("text", "output_text"))


def read_charge(body, provider):
    """Return the Charge of a reply (a dict of JSON)."""
    served = body.get("model")
    served = hide_keys(whole(served))[:100] if isinstance(served, str) else ""
    unasked = [] if provider == "local" else find_unasked(body) + find_unasked(body.get("usage"))
    return Charge(served, **count_tokens(body, provider), unasked=", ".join(unasked))


def find_unasked(place):
    """Return what a part of a reply names that was not asked for and may cost more, as words: a
    tier, a region, a speed, or tokens that stay in the cache for an hour."""
    if not isinstance(place, dict):
        return []
    unasked = []
    for name, usual in USUAL.items():
        value = place.get(name)
        if value and value not in usual:
            unasked.append(f"{name}={hide_keys(str(value))[:40]!r}")
    creation = place.get("cache_creation")
    if isinstance(creation, dict) and creation.get("ephemeral_1h_input_tokens"):
        unasked.append("a cache for an hour")
    return unasked


def count_tokens(body, provider):
    """Return the four counts of TOKENS, all None if one of them is impossible.

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
        return {
            "input_tokens": usage["input_tokens"],
            "cached_tokens": usage.get("cache_read_input_tokens") or 0,
            "written_tokens": usage.get("cache_creation_input_tokens") or 0,
            "output_tokens": usage["output_tokens"],
        }
    details = usage.get("prompt_tokens_details") or {}
    input_tokens = usage["prompt_tokens"]
    besides_input = (usage.get("total_tokens") or 0) - input_tokens
    return {
        "input_tokens": input_tokens,
        "cached_tokens": details.get("cached_tokens") or 0,
        "written_tokens": details.get("cache_write_tokens") or 0,
        "output_tokens": max(usage["completion_tokens"], besides_input),
    }


def tell_error(error):
    """Return what an error object of a reply says, cut to 200 characters, without keys."""
    message = error.get("message") if isinstance(error, dict) else error
    return hide_keys(" ".join(str(message or error).split()))[:200]


# ── An HTTP error ─────────────────────────────────────────────────────────────────────────────────


def is_filtered(reply):
    """Return whether an HTTP error says that the provider's filter refuses the text."""
    return reply.status_code == 400 and bool(FILTERED.search(reply.text))


def sort_status(reply, call):
    """Return the exception of an HTTP error, by its end. Refused requests (4xx) and those that a
    busy provider sends away are not billed; others may be."""
    code = reply.status_code
    words = hide_keys(" ".join(reply.text.split()))[:1000]
    told = f"{code}: {words}"
    if call.form and code in BAD_REQUEST and FORM.search(words):
        return NoForm(
            f"the model takes no JSON schema ({told}); ask it in plain text: structured=False in"
            " judges.Options, or ?structured=false behind the judge's name"
        )
    name = find_refused(words, call) if code in (400, 422) else None
    if name:
        return JudgeError(
            f"the model does not take {name} as it was sent ({told}); give it another value behind"
            f" the judge's name, ?{name}=…, or send none, ?{name}=null"
        )
    if code in (400, 422) and TIER.search(words) and endpoint(call.provider):
        return JudgeError(
            f"this server does not take what keeps the provider's price ({told}); ask it as local/,"
            " with LOCAL_BASE_URL and ?price=provider/model"
        )
    advice = suggest_url(call.provider)
    if code in (404, 405) and advice and "model" not in words:
        return JudgeError(f"the server has nothing at this address ({told}); {advice}")
    if code in NO_ACCESS or "insufficient_quota" in words or code == 400 and TIER.search(words):
        return JudgeError(
            f"the provider refuses every call ({told}); check the key, the model's name and the"
            " account"
        )
    if 300 <= code < 400:
        return JudgeError(
            f"{code}: no answer, but another address, which is not followed; check the judge's"
            " BASE_URL (https:// or http://, and its path)"
        )
    if code in BUSY:
        return Failed(told, LATER, wait=read_wait(reply.headers))
    if code in (409, 425):
        return Failed(told, LATER)
    if code == 408 or code >= 500:  # the provider may have done the work
        return Failed(told, AGAIN, billed=True)
    return Failed(told, NEVER)


def find_refused(words, call):
    """Return the parameter of a call that an error says the model does not take, or None."""
    names = json.loads(call.params)
    if not UNKNOWN_NAME.search(words):
        # a length may be too large for one long text alone
        names = [name for name in names if name != "max_tokens" and BAD_VALUE.search(words)]
    return next((name for name in names if re.search(rf"\b{name}\b", words)), None)


def read_wait(headers):
    """Return the seconds that a busy provider asks to wait (retry-after: 2), 0 if it says none."""
    value = headers.get("retry-after", "")
    return float(value) if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value) else 0.0
