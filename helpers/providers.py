"""Call the providers through their own SDKs: one request in, one reply out, faults sorted by what to do about them."""

import json
import os
import re
from contextvars import ContextVar
from importlib.metadata import version
from typing import NamedTuple
from urllib.parse import urlsplit

import anthropic
import httpx2
import openai

from helpers.calls import JudgeError, endpoint, shared_key
from helpers.prompts import closing

TIMEOUT = 120.0  # seconds for one HTTP request
LOCAL_TIMEOUT = 1800.0  # the same for local/, whose server may serve one request after another
RETRIES = 2  # by the SDK itself, with its back-off and Retry-After; the run asks again after that
LOCAL_URL = "http://127.0.0.1:8080/v1"
BUSY = (429, 503, 529)
SECRET = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")
ALIAS = re.compile(r"(-latest|-preview|-0|[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-\d{4})$")
lost = ContextVar("lost", default=None)  # [requests sent, responses seen] of the call in this task


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
    """Worth asking again; `.usd_tokens` marks a reply that was paid for and is of no use (a Reply or None)."""

    def __init__(self, note, paid=None):
        super().__init__(note)
        self.paid = paid


class Rejected(Exception):
    """The provider will not answer this one request, however often it is asked."""


def scrub(text):
    """Return text without any secret of the environment and without the user part of a URL."""
    for name, value in os.environ.items():
        if SECRET.search(name.upper()) and len(value) >= 6:
            text = text.replace(value, f"[{name}]")
    return re.sub(r"(https?://)[^/@\s]+@", r"\1", text)


def local_url():
    """Return the base URL for local/ judges: LOCAL_BASE_URL, else a loopback OPENAI_BASE_URL, else llama.cpp's default.

    Raises JudgeError for an OPENAI_BASE_URL elsewhere, which may cost money.
    """
    named = os.environ.get("OPENAI_BASE_URL", "")
    if own := os.environ.get("LOCAL_BASE_URL"):
        return own
    if named and urlsplit(named).hostname not in ("127.0.0.1", "localhost", "::1"):
        raise JudgeError(
            "judge local/…: OPENAI_BASE_URL is not on this machine, so its calls may cost money; set LOCAL_BASE_URL "
            "if it is a free server of yours, or use openai/…"
        )
    return named or LOCAL_URL


def require_key(provider):
    """Raise JudgeError unless the environment holds a key for the provider (local/ needs none)."""
    names = {"openai": ["OPENAI_API_KEY"], "anthropic": ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"]}.get(provider, [])
    if names and not any(os.environ.get(name) for name in names):
        raise JudgeError(
            f"judge {provider}/…: set the environment variable {names[0]} (never write a key into a notebook), or use a "
            "recorded/, local/ or simulated/ judge"
        )


def openai_body(call):
    """Return the body of a Chat Completions request, shared text first."""
    settings = json.loads(call["params"])
    if call["provider"] == "openai" and "max_tokens" in settings:
        settings["max_completion_tokens"] = settings.pop("max_tokens")
    if call["provider"] == "openai" and call["shared"] and not endpoint("openai"):
        settings["prompt_cache_key"] = shared_key(call)[:32]
    model, _, ending = call["model"].partition("+")
    if call["provider"] == "local" and ending:  # a small model that would never come to a label by itself
        settings["grammar"] = closing(ending)
    text = "\n\n".join(part for part in (call["shared"], call["prompt"]) if part)
    system = [{"role": "system", "content": call["system"]}] if call["system"] else []
    return {"model": model, "messages": [*system, {"role": "user", "content": text}], **settings}


def anthropic_body(call):
    """Return the body of a Messages request: a cache breakpoint ends the shared text."""
    shared = {"type": "text", "text": call["shared"], "cache_control": {"type": "ephemeral"}}
    content = [*([shared] if call["shared"] else []), {"type": "text", "text": call["prompt"]}]
    system = {"system": call["system"]} if call["system"] else {}
    return {"model": call["model"], "messages": [{"role": "user", "content": content}], **system, **json.loads(call["params"])}


def openai_reply(answer):
    """Return the Reply in a chat completion (an SDK object); raise Transient for one without a choice."""
    if not getattr(answer, "choices", None) or answer.choices[0].message is None:
        raise Transient("the response holds no choice")
    choice, usage = answer.choices[0], answer.usage
    refusal = getattr(choice.message, "refusal", None)
    details = getattr(usage, "prompt_tokens_details", None)
    return Reply(
        choice.message.content or refusal or "",
        "refusal" if refusal else choice.finish_reason or "",
        answer.model or "",
        getattr(usage, "prompt_tokens", 0) or 0,
        getattr(details, "cached_tokens", 0) or 0,
        0,
        getattr(usage, "completion_tokens", 0) or 0,
    )


def anthropic_reply(answer):
    """Return the Reply in a message (an SDK object); thinking blocks are no part of the answer."""
    if getattr(answer, "content", None) is None or answer.usage is None:
        raise Transient("the response holds no content")
    text = "".join(block.text for block in answer.content if block.type == "text")
    finish = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length"}.get(answer.stop_reason, answer.stop_reason)
    read, written = answer.usage.cache_read_input_tokens or 0, answer.usage.cache_creation_input_tokens or 0
    return Reply(
        text,
        finish or "",
        answer.model or "",
        (answer.usage.input_tokens or 0) + read + written,
        read,
        written,
        answer.usage.output_tokens or 0,
    )


def same_model(asked, served):
    """Return whether the model that answered is the one asked for, up to dates and aliases in its name."""
    names = [name.rsplit("/", 1)[-1].lower() for name in (asked, served)]
    return not served or names[0] == names[1] or ALIAS.sub("", names[0]) == ALIAS.sub("", names[1])


class Client:
    """One provider: `await ask(call)` returns (Reply, HTTP requests without a response, which may have been billed)."""

    def __init__(self, provider, busy=lambda seconds: None):
        self.provider, self.sdk = provider, anthropic if provider == "anthropic" else openai
        self.versions = json.dumps({name: version(name) for name in (self.sdk.__name__,)})

        async def sent(request):
            if lost.get():
                lost.get()[0] += 1

        async def seen(response):
            if lost.get():
                lost.get()[1] += 1
            if response.status_code in BUSY:
                busy(retry_after(response))

        timeout = httpx2.Timeout(LOCAL_TIMEOUT if provider == "local" else TIMEOUT, connect=15)
        http = httpx2.AsyncClient(
            event_hooks={"request": [sent], "response": [seen]},
            timeout=timeout,
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=100),
        )
        options = {"max_retries": RETRIES, "http_client": http, "timeout": timeout}
        require_key(provider)
        if provider == "anthropic":
            self.api = anthropic.AsyncAnthropic(**options)
        elif provider == "local":
            self.api = openai.AsyncOpenAI(base_url=local_url(), api_key="local", **options)
        else:
            self.api = openai.AsyncOpenAI(**options)

    async def close(self):
        """Close the connections."""
        await self.api.close()

    async def ask(self, call):
        """Return (Reply, lost requests). Raises Transient, Rejected, or JudgeError for what will fail for every call."""
        tally = [0, 0]
        lost.set(tally)
        try:
            reply = await self._send(call)
        except self.sdk.APIStatusError as fault:
            raise sort_status(fault) from None
        except (
            self.sdk.APIConnectionError,
            self.sdk.APIResponseValidationError,
            json.JSONDecodeError,
            httpx2.HTTPError,
            UnicodeDecodeError,
        ) as fault:
            tally[0] += not isinstance(fault, self.sdk.APIConnectionError)
            raise Transient(scrub(f"{type(fault).__name__}: {fault}")) from None
        except self.sdk.APIError as fault:
            raise Transient(scrub(f"{type(fault).__name__}: {fault}")) from None
        finally:
            call["lost"] = call.get("lost", 0) + max(0, tally[0] - tally[1])
        if self.provider != "local" and not same_model(call["model"], reply.served_model):
            raise Transient(f"asked for {call['model']}, answered by {reply.served_model}", paid=reply)
        return reply

    async def _send(self, call):
        head = {"Idempotency-Key": call["key"]}
        if self.provider == "anthropic":
            body = anthropic_body(call)
            fixed = {name: body.pop(name) for name in ("model", "messages", "max_tokens", "system") if name in body}
            return anthropic_reply(await self.api.messages.create(**fixed, extra_body=body, extra_headers=head))
        body = openai_body(call)
        fixed = {name: body.pop(name) for name in ("model", "messages")}
        return openai_reply(await self.api.chat.completions.create(**fixed, extra_body=body, extra_headers=head))


def retry_after(response):
    """Return the seconds of a Retry-After header, 0.0 without one."""
    try:
        return max(0.0, float(response.headers.get("retry-after", 0)))
    except ValueError:
        return 0.0


def sort_status(fault):
    """Return the exception that says what to do about an HTTP error: ask again, give up this request, or stop the run."""
    code, text = fault.status_code, scrub(f"{fault.status_code}: {fault.message}")
    kind = f"{getattr(fault, 'code', '')} {json.dumps(fault.body, default=str)[:2000]}"
    if code in (401, 402, 403, 404) or "insufficient_quota" in kind:
        return JudgeError(f"the provider refuses every call ({text}); check the key, the model's name and the account")
    if code in (408, 409, 425, 429) or code >= 500:
        return Transient(text)
    if "content_filter" in kind or "content_policy" in kind:
        return Rejected("content_filter")
    return Rejected(text)
