"""What comes back from a provider, checked before anything believes it: an answer, or a failure that says what to do."""

import json
import re

from helpers.judges import prices
from helpers.judges.store import answer_to, now

ALIAS = re.compile(r"(-latest|-preview|-0|[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-\d{4})$")
MOST_TOKENS = 10**8  # more than this in one answer is no count of tokens
TOKENS = ("input_tokens", "cached_tokens", "written_tokens", "output_tokens")


class Failed(Exception):
    """A request without a usable answer: `again` if it is worth asking again; `billed`: an Answer with what is known of
    its tokens if the provider did the work, True if it may have, False if it surely did not; `wait`: seconds that a busy
    provider asks for; `stalled`: out of time."""

    def __init__(self, note, again=True, billed=False, wait=0.0, stalled=False):
        super().__init__(note)
        self.again, self.billed, self.wait, self.stalled = again, billed, wait, stalled


def whole(text):
    """Return text that every file and store can hold: halves of characters (lone surrogates) become U+FFFD."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def expect(value, kind, what):
    """Return the value if it is of that kind, else raise ValueError naming it."""
    if not isinstance(value, kind):
        raise ValueError(f"{what} is {type(value).__name__}, not {kind.__name__}")
    return value


def count_tokens(total, cached, written, output):
    """Return the four counts of TOKENS as a dict; all None (not known) if one is impossible or `total` is missing or 0."""
    counts = dict(zip(TOKENS, (total, cached or 0, written or 0, output)))
    good = all(type(count) is int and 0 <= count < MOST_TOKENS for count in counts.values())
    good = good and 0 < counts["input_tokens"] >= counts["cached_tokens"] + counts["written_tokens"]
    return counts if good else dict.fromkeys(TOKENS)


def openai_tokens(body):
    """Return the token counts of a chat completion."""
    usage = body.get("usage") if isinstance(body.get("usage"), dict) else {}
    details = usage.get("prompt_tokens_details") if isinstance(usage.get("prompt_tokens_details"), dict) else {}
    return count_tokens(usage.get("prompt_tokens"), details.get("cached_tokens"), details.get("cache_write_tokens"),
                        usage.get("completion_tokens"))


def openai_text(body):
    """Return (text, finish) of a chat completion."""
    choice = expect((expect(body.get("choices"), list, "choices") or [None])[0], dict, "the first choice")
    message = expect(choice.get("message"), dict, "message")
    refusal = message.get("refusal")
    text = expect(message.get("content") or refusal or "", str, "content")
    return text, "refusal" if refusal else choice.get("finish_reason")


def anthropic_tokens(body):
    """Return the token counts of a message."""
    usage = body.get("usage") if isinstance(body.get("usage"), dict) else {}
    read, written = usage.get("cache_read_input_tokens") or 0, usage.get("cache_creation_input_tokens") or 0
    plain = usage.get("input_tokens")
    total = plain + read + written if {type(plain), type(read), type(written)} == {int} and plain >= 0 else None
    return count_tokens(total, read, written, usage.get("output_tokens"))


def anthropic_text(body):
    """Return (text, finish) of a message; thinking blocks are no part of the answer."""
    blocks = [expect(block, dict, "a block") for block in expect(body.get("content"), list, "content")]
    texts = [expect(block.get("text"), str, "text") for block in blocks if block.get("type") == "text"]
    finish = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length"}
    reason = body.get("stop_reason")
    return "".join(texts), finish.get(reason, reason) if isinstance(reason, str) else reason


def read_reply(data, call):
    """Return the Answer in the JSON (text, bytes or parsed) with which a provider answered a call; usd is None.

    Raises Failed for a reply that is not JSON, has not the documented shape, or comes from another model.
    """
    try:
        body = expect(data if isinstance(data, dict) else json.loads(data), dict, "the reply")
    except (ValueError, RecursionError) as fault:
        raise Failed(f"the reply is not the JSON that was expected ({fault})"[:300], billed=True) from None
    kind = (anthropic_tokens, anthropic_text) if call["provider"] == "anthropic" else (openai_tokens, openai_text)
    blank = answer_to(call, "", **kind[0](body), usd=None, at=now())
    try:
        served = whole(expect(body.get("model") or "", str, "model"))
        text, finish = kind[1](body)
    except ValueError as fault:
        raise Failed(f"the reply has not the documented shape: {fault}", billed=blank) from None
    if text and not blank.output_tokens:  # a text of no tokens is no count
        blank = blank._replace(**dict.fromkeys(TOKENS))
    if call["provider"] != "local" and not same_model(call["model"], served):
        raise Failed(f"asked for {call['model']}, answered by {served[:100]}", billed=blank)
    return blank._replace(text=whole(text), finish=whole(finish) if isinstance(finish, str) else "", served_model=served)


def usd_of(billed, price, most, batch=False):
    """Return the USD of an Answer, `most` if it has no possible count of tokens; of True `most`, of False nothing."""
    if isinstance(billed, bool):
        return billed * most
    if billed.usd is not None or billed.output_tokens is None:
        return most if billed.usd is None else billed.usd
    return prices.cost(price, billed.input_tokens, billed.output_tokens, billed.cached_tokens, billed.written_tokens, batch)


def same_model(asked, served):
    """Return whether the model that answered is the one asked for: the same name, or one with a date for one without."""
    names = [name.rsplit("/", 1)[-1].lower() for name in (asked, served)]
    bare = [ALIAS.sub("", name) for name in names]
    dated = [name != plain and any(c.isdigit() for c in name[len(plain) + 2 :]) for name, plain in zip(names, bare)]
    return not served or names[0] == names[1] or (bare[0] == bare[1] and not all(dated))
