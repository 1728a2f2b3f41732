"""One answer of a judge, as it is kept: what was asked, what came back, what it cost."""

import time
from typing import NamedTuple


class Answer(NamedTuple):
    """One answer, from the provider's reply to the table; a row of the store.

    key, prompt_key, provider, model, params, repeat: of its `Call`. item: what the first request
    with this key was about. text: None where there is no answer. input_tokens include those read
    from (cached) and written to the provider's prompt cache; tokens are None where nobody knows
    them. usd: what it was booked at. at: UTC. versions: JSON, of the SDK, and for local/ the server
    (`addresses.name_server`). logprobs: JSON, the likeliest first tokens (`probabilities`), None
    where the provider gave none.
    """

    key: str
    prompt_key: str
    provider: str
    model: str
    params: str
    repeat: int
    item: str
    text: str | None = ""
    finish: str = "stop"
    served_model: str | None = None
    input_tokens: int | None = 0
    cached_tokens: int | None = 0
    written_tokens: int | None = 0
    output_tokens: int | None = 0
    usd: float | None = 0.0
    seconds: float | None = 0.0
    at: str | None = None
    versions: str | None = None
    logprobs: str | None = None


COLUMNS = list(Answer._fields)
LATER = "logprobs"  # a column that older stores lack, and a field that only some exports have


def answer_to(call, text, **facts):
    """Return the Answer to a Call."""
    return Answer(
        key=call.key,
        prompt_key=call.prompt_key,
        provider=call.provider,
        model=call.model,
        params=call.params,
        repeat=call.repeat,
        item=whole(call.about),
        text=text,
        **facts,
    )


def whole(text):
    """Return text that every store can hold: halves of characters become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def now():
    """Return the time in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
