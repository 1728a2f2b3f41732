"""Send one request by a provider's SDK, bounded in time and size; say what to do at faults."""

import asyncio
import gzip
import io
import json
import re
import time
import zlib
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from urllib.parse import urlsplit
from urllib.request import getproxies

import anthropic
import httpx2
import openai

from helpers.judges.answers.answer import answer_to, now
from helpers.judges.answers.replies import Failed, read_reply
from helpers.judges.errors import JudgeError, NoForm
from helpers.judges.live import addresses
from helpers.judges.live.addresses import endpoint
from helpers.judges.live.redaction import redact_secrets
from helpers.judges.price import prices
from helpers.judges.requests.calls import digest
from helpers.judges.requests.prompts import closing

# seconds without a byte after which a request is given up; a local server may think for longer
SILENCE = 120.0
BUSY = (429, 503, 529)
# of a reply: its frame, a token, a token with log-probabilities
MOST_BYTES, TOKEN_BYTES, LOGPROBS_BYTES = 100_000, 100, 5_000
UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
# headers of the packed body
FRAMING = (b"content-encoding", b"content-length", b"transfer-encoding")
MOST = ContextVar("most bytes of a reply", default=10_000_000)
# models that refuse `inference_geo` (older than Claude Opus 4.6); they have no dearer region
NO_REGION = re.compile(r"claude-3.*|claude-\w+-4(-[0-5])?")
TIER = re.compile("service_tier|inference_geo")  # an account may forbid what is usual
FILTERED = re.compile("content_(filter|policy)")  # the provider's filter refuses a request
FORM = re.compile("response_format|output_(config|format)|structured|schema|grammar", re.IGNORECASE)


def openai_body(call):
    """Return the body of a Chat Completions request, shared text first."""
    settings = json.loads(call.params)
    if call.provider == "local":
        settings.pop("server", None)  # a name that keeps its answers apart
    if form := settings.pop("form", None):
        strict = form | {"strict": True}
        settings["response_format"] = {"type": "json_schema", "json_schema": strict}
    if call.provider == "openai":
        settings["max_completion_tokens"] = settings.pop("max_tokens")
        settings["service_tier"] = "default"  # else the account's project decides, and the price
        if call.shared and not endpoint("openai"):
            name = digest([call.model, call.system, call.shared])
            settings["prompt_cache_key"] = name[:32]
    model, _, ending = call.model.partition("+")
    # a small model that would never come to a label by itself
    if call.provider == "local" and ending:
        settings["grammar"] = closing(ending)
    text = "\n\n".join(part for part in (call.shared, call.prompt) if part)
    messages = [{"role": "user", "content": text}]
    if call.system:
        messages.insert(0, {"role": "system", "content": call.system})
    return {"model": model, "messages": messages} | settings


def anthropic_body(call):
    """Return the body of a Messages request: a cache breakpoint ends the shared text."""
    settings = json.loads(call.params)
    if form := settings.pop("form", None):
        settings["output_config"] = {"format": {"type": "json_schema", "schema": form["schema"]}}
    # else the workspace decides, and the price
    settings["service_tier"] = "standard_only"
    if not NO_REGION.fullmatch(prices.undated(call.model)):
        settings["inference_geo"] = "global"
    if call.system:
        settings["system"] = call.system
    content = [{"type": "text", "text": call.prompt}]
    if call.shared:
        kept = {"type": "ephemeral"}
        content.insert(0, {"type": "text", "text": call.shared, "cache_control": kept})
    messages = [{"role": "user", "content": content}]
    return {"model": call.model, "messages": messages} | settings


def make_body(call):
    """Return the body of the request for a call."""
    if call.provider == "anthropic":
        return anthropic_body(call)
    return openai_body(call)


def most_tokens(call):
    """Return more tokens than a provider can count in a request: its bytes and some more."""
    body = json.dumps(make_body(call), ensure_ascii=False)
    return len(body.encode("utf8", "replace")) + 1000


class Bounded(httpx2.AsyncClient):
    """The HTTP client under the SDKs: it reads no more of a reply than `MOST`, packed or not."""

    async def send(self, request, **options):
        """Return the whole reply; raise Failed for one beyond the limit."""
        most = MOST.get()
        options["stream"] = True
        reply = await super().send(request, **options)
        body = bytearray()
        try:
            async for chunk in reply.aiter_raw():
                body += chunk
                if len(body) > most:
                    break
        finally:
            await reply.aclose()
        # no further than that: it can hold gigabytes
        if reply.headers.get("content-encoding", "").lower() == "gzip":
            try:
                body = gzip.GzipFile(fileobj=io.BytesIO(body)).read(most + 1)
            except (OSError, EOFError, zlib.error) as fault:
                note = f"the reply cannot be unpacked ({fault})"
                raise Failed(note, billed=True, useless=True) from None
        if len(body) > most:
            note = f"the reply is longer than {most:,} bytes"
            raise Failed(note, again=False, billed=True, useless=True)
        # before anything is read or cut
        text = body.decode("utf8", "surrogateescape")
        if reply.is_success:  # a short part may be a word of the answer
            text = redact_secrets(text, shortest=16, run=8)
        else:
            text = redact_secrets(text)
        body = text.encode("utf8", "surrogateescape")
        headers = [pair for pair in reply.headers.raw if pair[0].lower() not in FRAMING]
        return httpx2.Response(reply.status_code, headers=headers, content=body, request=request)


class Client:
    """A provider's SDK. It asks once: whoever counts the money decides on a second time."""

    def __init__(self, provider):
        self.url = addresses.base_url(provider)
        self.variable = addresses.URLS[provider][0]  # of the environment, that names the address
        self.reached = False
        if provider == "anthropic":
            self.sdk = anthropic
            make_api = anthropic.AsyncAnthropic
            self.path = "/v1/messages"
        else:
            self.sdk = openai
            make_api = openai.AsyncOpenAI
            self.path = "/chat/completions"
        versions = {self.sdk.__name__: version(self.sdk.__name__)}
        if provider == "local":
            versions["server"] = addresses.name_server()
        self.versions = json.dumps(versions)
        timeout = httpx2.Timeout(10 * SILENCE if provider == "local" else SILENCE, connect=15)
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
        try:
            for proxy in getproxies().values():
                urlsplit(proxy).port  # noqa: B018 (ValueError if it is none)
            http = Bounded(timeout=timeout, limits=limits, headers={"accept-encoding": "gzip"})
        except (ValueError, ImportError, httpx2.InvalidURL):  # its words hold the address
            raise JudgeError("HTTP_PROXY, HTTPS_PROXY or ALL_PROXY is not a usable proxy") from None
        key = addresses.find_key(provider)
        self.api = make_api(api_key=key, base_url=self.url, max_retries=0, http_client=http)
        if provider == "local":  # which belongs to nobody's account
            self.api.organization = None
            self.api.project = None
            self.api._custom_headers = {}

    async def ask(self, call, seconds):
        """Return (Answer, Charge) of one call, usd not set; or raise Failed, NoForm, JudgeError."""
        each = LOGPROBS_BYTES if "logprobs" in json.loads(call.params) else TOKEN_BYTES
        MOST.set(MOST_BYTES + call.max_tokens * each)
        options = {"headers": {"idempotency-key": call.key}}
        try:
            async with asyncio.timeout(seconds):
                reply = await self.api.post(
                    self.path, cast_to=httpx2.Response, body=make_body(call), options=options
                )
            self.reached = True
            return read_reply(reply.content, call)
        except self.sdk.APIStatusError as fault:
            if fault.status_code == 400 and FILTERED.search(fault.response.text):
                return answer_to(call, "", finish="content_filter", at=now()), False
            raise sort_status(fault.response, call.form) from None
        except TimeoutError:
            note = f"no whole answer within {seconds:.0f} s"
            raise Failed(note, billed=True, stalled=True) from None
        except UnicodeEncodeError:
            note = "its text holds half a character (a lone surrogate); save it as UTF-8"
            raise Failed(note, again=False) from None
        except (openai.OpenAIError, anthropic.AnthropicError) as fault:
            reason = fault.__cause__ or fault
        if isinstance(reason, Failed):
            raise reason
        if lacks_files(reason):
            raise JudgeError(
                "too many open files: lower concurrency, or raise the limit (ulimit -n)"
            )
        if isinstance(reason, httpx2.ConnectError) and not self.reached:
            host = urlsplit(self.url).netloc
            why = redact_secrets(str(reason))
            raise JudgeError(
                f"no server answers at {host} ({why}); start one there, or set {self.variable}"
            )
        note = redact_secrets(f"{type(reason).__name__}: {reason}")
        raise Failed(note, billed=not isinstance(reason, UNSENT))


def lacks_files(fault):
    """Return whether an exception, or one behind it, says that no more files can be opened."""
    if fault is None:
        return False
    behind = [fault.__cause__ or fault.__context__, *getattr(fault, "exceptions", ())]
    return "open files" in str(fault) or any(lacks_files(each) for each in behind)


def sort_status(reply, form=None):
    """Return the exception that tells what an HTTP error asks for: again, give up, or stop.

    Refused requests (4xx) and those that a busy provider sends away are not billed; others may be.
    """
    code = reply.status_code
    body = reply.content[:2000].decode("utf8", "replace")
    words = " ".join(body.split())
    text = f"{code}: {words[:1000]}"
    if form and code in (400, 404, 422, 501) and FORM.search(body):
        return NoForm(
            f"the model takes no JSON schema ({text}); ask it in plain text: structured=False in"
            " judges.Options, or ?structured=false behind the judge's name"
        )
    tier = code == 400 and TIER.search(body)
    if code in (401, 402, 403, 404) or "insufficient_quota" in body or tier:
        return JudgeError(
            f"the provider refuses every call ({text}); check the key, the model's name and the"
            " account"
        )
    if 300 <= code < 400:
        location = reply.headers.get("location", "")
        holds_secret = redact_secrets(location) != location
        host = "" if holds_secret else urlsplit(location).hostname
        if not host:
            return JudgeError(
                f"{code}: no answer, and no other address; check the judge's BASE_URL"
            )
        return JudgeError(f"{code}: the server redirects to {host}; set the judge's BASE_URL to it")
    busy = code in BUSY
    billed = code == 408 or (code >= 500 and not busy)
    again = billed or busy or code in (409, 425)
    return Failed(text, again, billed, wait=read_wait(reply.headers) if busy else 0.0)


def read_wait(headers):
    """Return the seconds that a busy provider asks to wait, in any of three forms; else 0."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        value = headers.get(name, "")
        if re.fullmatch(r"[0-9]{1,99}(\.[0-9]{1,9})?", value):
            return float(value) / unit
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, date.timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return 0.0
