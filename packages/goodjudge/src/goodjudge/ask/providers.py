"""Send one request by a provider's SDK, bounded in time and size.

    client = Client("openai")
    answer, charge = await client.ask(call, seconds=300)

The SDKs know the addresses, headers and errors of their providers. What is sent is made in
`bodies`, what comes back is read by `answers.replies`, what goes wrong is sorted by `faults`.
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

from goodjudge.ask import addresses
from goodjudge.ask.answer import answer_to, now
from goodjudge.ask.bodies import make_body
from goodjudge.ask.bounded import LIMIT, Bounded, most_bytes
from goodjudge.ask.errors import JudgeError
from goodjudge.ask.faults import is_filtered, sort_connection, sort_status
from goodjudge.ask.replies import Failed, read_reply

# seconds without a byte after which a request is given up; a local server may think for longer
SILENCE = {"openai": 120.0, "anthropic": 120.0, "local": 1200.0}


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
        self.url = addresses.base_url(provider)
        self.variable = addresses.URLS[provider][0]  # of the environment, that names the address
        self.versions = name_versions(self.sdk, provider)
        self.reached = False  # whether the server has answered
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
        LIMIT.set(most_bytes(call))
        try:
            async with asyncio.timeout(seconds):
                reply = await self._post(call)
            self.reached = True
            return read_reply(reply.content, call)
        except self.sdk.module.APIStatusError as fault:
            if is_filtered(fault.response):
                refused = answer_to(call, "", finish="content_filter", at=now())
                return refused, False
            raise sort_status(fault.response, call.form) from None
        except TimeoutError:
            note = f"no whole answer within {seconds:.0f} s"
            raise Failed(note, billed=True, stalled=True) from None
        except UnicodeEncodeError:
            note = "its text holds half a character (a lone surrogate); save it as UTF-8"
            raise Failed(note, again=False) from None
        except (openai.OpenAIError, anthropic.AnthropicError) as fault:
            reason = fault.__cause__ or fault
        # raised out here, so that no traceback shows the SDK's own words
        raise sort_connection(reason, self.reached, self.url, self.variable)

    async def _post(self, call):
        """Return the reply to a call as it came; the key of the call says that a second request is
        the same one."""
        options = {"headers": {"idempotency-key": call.key}}
        return await self.api.post(
            self.sdk.path, cast_to=httpx2.Response, body=make_body(call), options=options
        )


def name_versions(sdk, provider):
    """Return what is kept beside every answer, as JSON."""
    name = sdk.module.__name__
    versions = {name: version(name)}
    if provider == "local":
        versions["server"] = addresses.name_server()
    return json.dumps(versions)


def make_http(provider, url):
    """Return the HTTP client for a provider at an address; JudgeError for a proxy that can be none.
    To this machine no proxy of the environment is used: a text for it never leaves it."""
    timeout = httpx2.Timeout(SILENCE[provider], connect=15)
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
    settings = {"timeout": timeout, "limits": limits, "headers": {"accept-encoding": "gzip"}}
    if addresses.is_here(url):
        host = re.sub(r":\d+$", "", urlsplit(url).netloc)
        settings["mounts"] = {f"all://{host}": None}  # comes before what the environment says
    try:
        for proxy in getproxies().values():
            urlsplit(proxy).port  # noqa: B018 (ValueError if it is none)
        return Bounded(**settings)
    except (ValueError, ImportError, httpx2.InvalidURL):  # its words hold the address
        raise JudgeError("HTTP_PROXY, HTTPS_PROXY or ALL_PROXY is not a usable proxy") from None
