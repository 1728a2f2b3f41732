"""Call the providers through their own SDKs: one request in, one reply out, faults sorted by what to do about them."""

import json
import os
import re
from contextvars import ContextVar
from importlib.metadata import version
from urllib.parse import urlsplit

import anthropic
import httpx2
import openai

from helpers.judges.replies import Rejected, Transient, anthropic_reply, openai_reply, same_model
from helpers.judges.requests import JudgeError, endpoint, shared_key
from helpers.prompts import closing

TIMEOUT = 120.0  # seconds for one HTTP request
LOCAL_TIMEOUT = 1800.0  # the same for local/, whose server may serve one request after another
RETRIES = 2  # by the SDK itself, with its back-off and Retry-After; the run asks again after that
LOCAL_URL = "http://127.0.0.1:8080/v1"
BUSY = (429, 503, 529)
SECRET = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")
lost = ContextVar("lost", default=None)  # [requests sent, responses seen] of the call in this task


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


class Client:
    """One provider: `await ask(call)` returns a Reply; call["lost"] counts requests without a response (perhaps billed)."""

    def __init__(self, provider, busy=lambda seconds: None):
        self.provider, self.sdk = provider, anthropic if provider == "anthropic" else openai
        self.versions = json.dumps({self.sdk.__name__: version(self.sdk.__name__)})

        async def sent(request):
            if lost.get():
                lost.get()[0] += 1

        async def seen(response):
            if lost.get():
                lost.get()[1] += 1
            if response.status_code in BUSY:
                busy(retry_after(response))

        timeout = httpx2.Timeout(LOCAL_TIMEOUT if provider == "local" else TIMEOUT, connect=15)
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
        http = httpx2.AsyncClient(event_hooks={"request": [sent], "response": [seen]}, timeout=timeout, limits=limits)
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
        """Return the Reply. Raises Transient, Rejected, or JudgeError for what will fail for every call."""
        tally = [0, 0]
        lost.set(tally)
        unread = (self.sdk.APIResponseValidationError, json.JSONDecodeError, httpx2.HTTPError, UnicodeDecodeError)
        try:
            reply = await self._send(call)
        except self.sdk.APIStatusError as fault:
            raise sort_status(fault) from None
        except (self.sdk.APIError, *unread) as fault:
            tally[0] += isinstance(fault, unread)  # a response came, but not whole
            where = f" at {local_url()}; start a server there or set LOCAL_BASE_URL" if self.provider == "local" else ""
            raise Transient(scrub(f"{type(fault).__name__}: {fault}{where}")) from None
        finally:
            call["lost"] = call.get("lost", 0) + max(0, tally[0] - tally[1])
        if self.provider != "local" and not same_model(call["model"], reply.served_model):
            raise Transient(f"asked for {call['model']}, answered by {reply.served_model}", paid=reply)
        return reply

    async def _send(self, call):
        if self.provider == "anthropic":
            create, body, read = self.api.messages.create, anthropic_body(call), anthropic_reply
            named = ("model", "messages", "max_tokens", "system")
        else:
            create, body, read = self.api.chat.completions.create, openai_body(call), openai_reply
            named = ("model", "messages")
        fixed = {name: body.pop(name) for name in named if name in body}
        return read(await create(**fixed, extra_body=body, extra_headers={"Idempotency-Key": call["key"]}))


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
