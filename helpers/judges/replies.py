"""What comes back from a provider, in one form for all: a reply read from the SDK's object, or a fault; its row in the store."""

import re
from typing import NamedTuple

from helpers.judges import prices
from helpers.judges.store import COLUMNS, now

ALIAS = re.compile(r"(-latest|-preview|-0|[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-\d{4})$")


class Reply(NamedTuple):
    """What came back: input_tokens include those read from (cached) and written to the provider's prompt cache."""

    text: str
    finish: str
    served_model: str
    input_tokens: int
    cached_tokens: int
    written_tokens: int
    output_tokens: int


class Transient(Exception):
    """Worth asking again; `.paid` is a reply that was paid for and is of no use (a Reply or None)."""

    def __init__(self, note, paid=None):
        super().__init__(note)
        self.paid = paid


class Rejected(Exception):
    """The provider will not answer this one request, however often it is asked."""


def openai_reply(answer):
    """Return the Reply in a chat completion (an SDK object); raise Transient for one without a choice."""
    if not getattr(answer, "choices", None) or answer.choices[0].message is None:
        raise Transient("the response holds no choice")
    choice, usage = answer.choices[0], answer.usage
    refusal = getattr(choice.message, "refusal", None)
    return Reply(
        text=choice.message.content or refusal or "",
        finish="refusal" if refusal else choice.finish_reason or "",
        served_model=answer.model or "",
        input_tokens=getattr(usage, "prompt_tokens", 0) or 0,
        cached_tokens=getattr(getattr(usage, "prompt_tokens_details", None), "cached_tokens", 0) or 0,
        written_tokens=0,
        output_tokens=getattr(usage, "completion_tokens", 0) or 0,
    )


def anthropic_reply(answer):
    """Return the Reply in a message (an SDK object); thinking blocks are no part of the answer."""
    if getattr(answer, "content", None) is None or answer.usage is None:
        raise Transient("the response holds no content")
    finish = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length"}.get(answer.stop_reason, answer.stop_reason)
    read, written = answer.usage.cache_read_input_tokens or 0, answer.usage.cache_creation_input_tokens or 0
    return Reply(
        text="".join(block.text for block in answer.content if block.type == "text"),
        finish=finish or "",
        served_model=answer.model or "",
        input_tokens=(answer.usage.input_tokens or 0) + read + written,
        cached_tokens=read,
        written_tokens=written,
        output_tokens=answer.usage.output_tokens or 0,
    )


def same_model(asked, served):
    """Return whether the model that answered is the one asked for, up to dates and aliases in its name."""
    names = [name.rsplit("/", 1)[-1].lower() for name in (asked, served)]
    return not served or names[0] == names[1] or ALIAS.sub("", names[0]) == ALIAS.sub("", names[1])


def usd_of(reply, price, batch=False):
    """Return what a reply cost in USD."""
    return prices.cost(price, reply.input_tokens, reply.output_tokens, reply.cached_tokens, reply.written_tokens, batch=batch)


def answer_row(call, reply, **facts):
    """Return the row for the store of a reply that came now; `facts`: usd, seconds and versions."""
    values = call | reply._asdict() | facts | {"at": now()}
    return tuple(values[column] for column in COLUMNS)
