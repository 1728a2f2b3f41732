"""Send one request by a provider's SDK, bounded in time.

    client = Client("openai")
    answer, charge = await client.ask(call, seconds=300)

The SDKs know the headers and errors of their providers. What comes back is read by `replies`.

A call has up to three texts: system, shared (a long text with which many prompts begin) and prompt.
All providers are sent them in this order, so that what is shared comes out of a prompt cache. What
may change the price, such as a tier, is named in every body; else the account would decide.
"""

import asyncio
import json
import re
from importlib.metadata import version
from types import ModuleType
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies

import anthropic
import httpx2
import openai

from goodjudge.ask import addresses, prices
from goodjudge.ask.answer import answer_to, now
from goodjudge.ask.calls import digest
from goodjudge.ask.errors import JudgeError
from goodjudge.ask.replies import (
    LATER,
    NEVER,
    UNKNOWN_NAME,
    Failed,
    is_filtered,
    read_reply,
    sort_status,
)

# seconds without a byte after which a request is given up; a local server may think for longer
SILENCE = {"openai": 120.0, "anthropic": 120.0, "local": 1200.0}
UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
# models that refuse `inference_geo` (older than Claude Opus 4.6); they have no dearer region
NO_REGION = re.compile(r"claude-3.*|claude-\w+-4(-[0-5])?")
LENGTHS = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


class Sdk(NamedTuple):
    """A provider's library: its module, its client, and the path below the base URL."""

    module: ModuleType
    make_api: type
    path: str


CHAT = Sdk(openai, openai.AsyncOpenAI, "/chat/completions")
MESSAGES = Sdk(anthropic, anthropic.AsyncAnthropic, "/v1/messages")
SDKS = {"openai": CHAT, "local": CHAT, "anthropic": MESSAGES}


class Client:
    """A provider's SDK. It asks once: whoever counts the money decides on a second time.

    versions: JSON, kept beside every answer: of the SDK, and the name of a local server.
    """

    def __init__(self, provider):
        self.sdk = SDKS[provider]
        self.provider = provider
        self.url = addresses.base_url(provider)
        self.versions = name_versions(self.sdk, provider)
        self.reached = False  # whether the server has answered
        # what a server calls the longest answer; changed once if it asks for the other name
        self.length = "max_completion_tokens" if provider == "openai" else "max_tokens"
        self.asked_for = self.length
        http = make_http(provider, self.url)
        key = addresses.find_key(provider)
        self.api = self.sdk.make_api(
            api_key=key, base_url=self.url, max_retries=0, http_client=http
        )
        if provider == "local":  # which belongs to nobody's account
            self.api.organization = None
            self.api.project = None
            self.api._custom_headers = {}

    async def ask(self, call, seconds):
        """Return (Answer, Charge) of one call, usd not set; or raise Failed, NoForm, JudgeError."""
        body = make_body(call, self.length)
        try:
            async with asyncio.timeout(seconds):
                reply = await self._post(call, body)
            self.reached = True
            return read_reply(reply.content, call)
        except self.sdk.module.APIStatusError as fault:
            if is_filtered(fault.response):
                refused = answer_to(call, "", finish="content_filter", at=now())
                return refused, False
            refusal = fault.response
        except TimeoutError:
            raise Failed(f"no whole answer within {seconds:.0f} s", billed=True) from None
        except UnicodeEncodeError:
            note = "its text holds half a character (a lone surrogate); save it as UTF-8"
            raise Failed(note, NEVER) from None
        except (openai.OpenAIError, anthropic.AnthropicError) as fault:
            # raised out here, so that no traceback shows the SDK's own words
            raise self.sort_connection(fault.__cause__ or fault) from None
        if self.wants_other_length(refusal):
            raise Failed(f"the server takes {self.length}", LATER)
        raise sort_status(refusal, call)

    async def _post(self, call, body):
        """Return the reply to a call as it came; the key of the call says that a second request is
        the same one."""
        options = {"headers": {"idempotency-key": call.key}}
        return await self.api.post(
            self.sdk.path, cast_to=httpx2.Response, body=body, options=options
        )

    def wants_other_length(self, reply):
        """Return whether an HTTP error asks for max_tokens by its other name, and remember it; the
        request was refused, so nothing was paid."""
        has_changed = self.length != self.asked_for
        if has_changed or reply.status_code not in (400, 422):
            return False
        other = LENGTHS[self.length]
        names_own = self.length in reply.text and UNKNOWN_NAME.search(reply.text)
        if not names_own and other not in reply.text:
            return False
        self.length = other
        return True

    def sort_connection(self, reason):
        """Return the exception for a connection that failed, by its end (`replies`); reason: what
        the HTTP client raised."""
        if lacks_files(reason):
            return JudgeError(
                "too many open files: lower concurrency, or raise the limit (ulimit -n)"
            )
        host = urlsplit(self.url).netloc
        words = addresses.hide_keys(f"{type(reason).__name__}: {reason}")
        if "CERTIFICATE_VERIFY_FAILED" in words:
            return JudgeError(
                f"a server answers at {host}, but Python does not trust its certificate ({words});"
                " behind a company's proxy, set SSL_CERT_FILE to the file of the company's own"
                " certificate"
            )
        if isinstance(reason, httpx2.ConnectError) and not self.reached:
            variable = addresses.URLS[self.provider][0]
            return JudgeError(
                f"no server answers at {host} ({words}); start one there, or set {variable}"
            )
        if isinstance(reason, UNSENT):
            return Failed(words, LATER)
        return Failed(words, billed=True)


def lacks_files(fault):
    """Return whether an exception, or one behind it, says that no more files can be opened."""
    if fault is None:
        return False
    if "open files" in str(fault):
        return True
    behind = [fault.__cause__ or fault.__context__, *getattr(fault, "exceptions", ())]
    return any(lacks_files(each) for each in behind)


def name_versions(sdk, provider):
    """Return what is kept beside every answer, as JSON."""
    name = sdk.module.__name__
    versions = {name: version(name)}
    if provider == "local":
        versions["server"] = addresses.name_server()
    return json.dumps(versions)


def make_http(provider, url):
    """Return the HTTP client for a provider at an address; JudgeError for a proxy that can be none.
    To this machine no proxy of the environment is used: a text for it never leaves it. No redirect
    is followed, since the key would travel along."""
    timeout = httpx2.Timeout(SILENCE[provider], connect=15)
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
    settings = {"timeout": timeout, "limits": limits, "follow_redirects": False}
    if addresses.is_here(url):
        host = re.sub(r":\d+$", "", urlsplit(url).netloc)
        settings["mounts"] = {f"all://{host}": None}  # comes before what the environment says
    try:
        for proxy in getproxies().values():
            urlsplit(proxy).port  # noqa: B018 (ValueError if it is none)
        return httpx2.AsyncClient(**settings)
    except (ValueError, ImportError, httpx2.InvalidURL):  # its words hold the address
        raise JudgeError("HTTP_PROXY, HTTPS_PROXY or ALL_PROXY is not a usable proxy") from None


# ── The body of a request ─────────────────────────────────────────────────────────────────────────


def make_body(call, length="max_tokens"):
    """Return the body of the request for a call, a dict of JSON; length: what its provider calls
    the longest answer. A parameter of null is left out."""
    makers = {"openai": openai_body, "anthropic": anthropic_body, "local": local_body}
    body = makers[call.provider](call)
    body[length] = body.pop("max_tokens")
    return {name: value for name, value in body.items() if value is not None}


def openai_body(call):
    """Return the body of a Chat Completions request to OpenAI."""
    body = chat_body(call)
    body["service_tier"] = "default"
    if call.shared and not addresses.endpoint("openai"):
        body["prompt_cache_key"] = digest([call.model, call.system, call.shared])[:32]
    return body


def local_body(call):
    """Return the body of a Chat Completions request to a server of the reader's.

    A model's name may end with a closing, local/x+verdict: then it is held to a grammar. JudgeError
    for one that the study's `Reader` does not have.
    """
    body = chat_body(call)
    body.pop("server", None)  # a name that keeps its answers apart, and says nothing to it
    _, _, name = call.model.partition("+")
    if name and not call.grammar:
        raise JudgeError(f"local/<model>+{name}: these answers have no such closing; leave it out")
    if name:
        body["grammar"] = call.grammar
    return body


def chat_body(call):
    """Return what the bodies of Chat Completions have in common: model, messages, form of the
    answer, and the call's other parameters."""
    settings = json.loads(call.params)
    if form := settings.pop("form", None):
        strict = form | {"strict": True}
        settings["response_format"] = {"type": "json_schema", "json_schema": strict}
    text = "\n\n".join(part for part in (call.shared, call.prompt) if part)
    messages = [{"role": "user", "content": text}]
    if call.system:
        messages.insert(0, {"role": "system", "content": call.system})
    model = call.model.partition("+")[0]
    return {"model": model, "messages": messages} | settings


def anthropic_body(call):
    """Return the body of a Messages request: a cache breakpoint ends the shared text."""
    settings = json.loads(call.params)
    if form := settings.pop("form", None):
        settings["output_config"] = {"format": {"type": "json_schema", "schema": form["schema"]}}
    settings["service_tier"] = "standard_only"
    if not NO_REGION.fullmatch(prices.undated(call.model)):
        settings["inference_geo"] = "global"
    if call.system:
        settings["system"] = call.system
    content = [{"type": "text", "text": call.prompt}]
    if call.shared:
        breakpoint_here = {"cache_control": {"type": "ephemeral"}}
        content.insert(0, {"type": "text", "text": call.shared} | breakpoint_here)
    messages = [{"role": "user", "content": content}]
    return {"model": call.model, "messages": messages} | settings


def most_tokens(call):
    """Return more tokens than a provider can count in a request: its bytes and some more."""
    body = json.dumps(make_body(call), ensure_ascii=False)
    return len(body.encode("utf8", "replace")) + 1000
