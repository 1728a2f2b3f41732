"""Send requests to the providers through their own SDKs, one attempt each, and sort faults by what to do about them."""

import asyncio
import json
import re
import time
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from urllib.parse import parse_qsl, urlunsplit
from urllib.request import getproxies

import anthropic
import httpx2
import openai

from helpers.judges.addresses import URLS, JudgeError, NoForm, base_url, clean_url, endpoint, hide, require_key, scrub
from helpers.judges.prompts import closing
from helpers.judges.replies import Failed, read_reply
from helpers.judges.requests import shared_key
from helpers.judges.store import answer_to, now

SILENCE = 120.0  # seconds without a byte after which a request is given up; a local server may think for longer
BUSY = (429, 503, 529)
SDKS = {"anthropic": anthropic, "openai": openai, "local": openai}
PATHS = {"anthropic": "/v1/messages"}
UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)
FORM = re.compile(r"response_format|json_schema|output_config|output_format|structured|schema|grammar", re.IGNORECASE)


def make_api(provider, **options):
    """Return the provider's SDK client, which asks once: whoever counts the money decides on a second time."""
    require_key(provider)
    url, sdk = base_url(provider), SDKS[provider]
    if url:
        options |= {"base_url": urlunsplit((*url[:3], "", "")), "default_query": dict(parse_qsl(url.query))}
    if provider == "local":
        options["api_key"] = "local"
    kind = sdk.__name__.replace("openai", "OpenAI").replace("anthropic", "Anthropic")
    return getattr(sdk, ("Async" if "http_client" in options else "") + kind)(max_retries=0, **options)


def openai_body(call):
    """Return the body of a Chat Completions request, shared text first."""
    settings = json.loads(call["params"])
    if form := settings.pop("form", None):
        schema = {"name": form["name"], "schema": form["schema"], "strict": True}
        settings["response_format"] = {"type": "json_schema", "json_schema": schema}
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
    settings = json.loads(call["params"])
    if form := settings.pop("form", None):
        settings["output_config"] = {"format": {"type": "json_schema", "schema": form["schema"]}}
    shared = {"type": "text", "text": call["shared"], "cache_control": {"type": "ephemeral"}}
    content = [*([shared] if call["shared"] else []), {"type": "text", "text": call["prompt"]}]
    system = {"system": call["system"]} if call["system"] else {}
    return {"model": call["model"], "messages": [{"role": "user", "content": content}], **system, **settings}


def make_body(call):
    """Return the body of the request for a call."""
    return (anthropic_body if call["provider"] == "anthropic" else openai_body)(call)


def most_tokens(call):
    """Return more tokens than a provider can count in a request: its bytes, and what is put around them."""
    return len(json.dumps(make_body(call), ensure_ascii=False).encode("utf8", "replace")) + 1000


class Client:
    """One provider: `await ask(call, seconds)` returns an Answer whose usd is not set yet."""

    size = staticmethod(most_tokens)

    def __init__(self, provider):
        self.provider, self.sdk = provider, SDKS[provider]
        self.versions = json.dumps({self.sdk.__name__: version(self.sdk.__name__)})
        timeout = httpx2.Timeout(10 * SILENCE if provider == "local" else SILENCE, connect=15)
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
        self.url = base_url(provider)
        self.api = make_api(provider, http_client=httpx2.AsyncClient(timeout=timeout, limits=limits), timeout=timeout)

    async def probe(self):
        """Raise JudgeError at once if nothing listens at an address of the environment."""
        if not self.url or (self.provider != "local" and getproxies()):
            return
        port = self.url.port or {"https": 443}.get(self.url.scheme, 80)
        try:
            async with asyncio.timeout(5):
                (await asyncio.open_connection(self.url.hostname, port))[1].close()
        except (OSError, TimeoutError) as fault:
            raise JudgeError(f"no server answers at {clean_url(self.url.geturl())} ({type(fault).__name__}); start one "
                             f"there, or set {URLS[self.provider]}") from None

    async def close(self):
        """Close the connections."""
        await self.api.close()

    async def ask(self, call, seconds):
        """Return the Answer to one request. Raises Failed, or JudgeError for what will fail for every call."""
        options = {"headers": {"Idempotency-Key": call["key"]}}
        path, body = PATHS.get(self.provider, "/chat/completions"), make_body(call)
        try:
            async with asyncio.timeout(seconds):
                response = await self.api.post(path, cast_to=httpx2.Response, body=body, options=options)
        except self.sdk.APIStatusError as fault:
            if fault.status_code == 400 and re.search("content_(filter|policy)", f"{fault.body} {fault.__dict__.get('code')}"):
                return answer_to(call, "", finish="content_filter", at=now())
            raise sort_status(fault, call) from None
        except TimeoutError:
            raise Failed(f"no whole answer within {seconds:.0f} s", billed=True, stalled=True) from None
        except UnicodeEncodeError:
            raise Failed("its text holds half a character (a lone surrogate); save it as UTF-8", again=False) from None
        except (self.sdk.APIError, httpx2.HTTPError) as fault:
            reason = fault.__cause__ or fault
            raise Failed(scrub(f"{type(fault).__name__}: {reason}"), billed=not isinstance(reason, UNSENT)) from None
        answer = read_reply(response.content, call)
        return answer._replace(text=hide(answer.text, 16), served_model=hide(answer.served_model, 16))


def retry_after(response):
    """Return the seconds of a Retry-After header (a number, or a date), 0.0 without one."""
    value = response.headers.get("retry-after", "0")
    try:
        seconds = float(value) if value.replace(".", "").isdigit() else parsedate_to_datetime(value).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return max(0.0, seconds)


def sort_status(fault, call):
    """Return the exception that says what to do about an HTTP error: ask again, give up this request, or stop the run.

    Refused requests (4xx) and those that a busy provider sends away are not billed; other faults of a server may be.
    """
    code, text = fault.status_code, scrub(f"{fault.status_code}: {fault.message}"[:1000])
    kind = f"{getattr(fault, 'code', '')} {json.dumps(fault.body, default=str)[:2000]}"
    if call.get("form") and code in (400, 422, 501) and FORM.search(kind):
        return NoForm(f"the model takes no JSON schema ({text})")
    if code in (401, 402, 403, 404) or "insufficient_quota" in kind:
        return JudgeError(f"the provider refuses every call ({text}); check the key, the model's name and the account")
    billed, busy = code == 408 or (code >= 500 and code not in BUSY), code in BUSY
    return Failed(text, billed or busy or code in (409, 425), billed, wait=retry_after(fault.response) if busy else 0.0)
