"""What the judge tests share: a provider without a network, a clock that does not wait, and
requests to send."""

import asyncio
import heapq
import json
import sqlite3

import httpx2
import pandas as pd
import pytest

from helpers import judges
from helpers.judges.answers import labels
from helpers.judges.requests import prompts

KEY = "sk-planted-0123456789abcdef"
OPENAI, ANTHROPIC, LOCAL = "openai/gpt-4o", "anthropic/claude-opus-5-5", "local/any"
VERDICT = "Weighed.\nVerdict: Yes"
# USD per token of input and output
BILL = {"openai": (2.5e-6, 10e-6), "anthropic": (4e-6, 20e-6), "local": (0, 0)}


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer where a real one would wait for it."""

    ahead = 0.0

    def time(self):
        return super().time() + self.ahead

    def _run_once(self):
        while self._scheduled and self._scheduled[0]._cancelled:
            self._timer_cancelled_count -= 1
            heapq.heappop(self._scheduled)._scheduled = False
        if self._scheduled and not self._ready:
            self.ahead += max(0.0, self._scheduled[0]._when - self.time())
        super()._run_once()


class Stream(httpx2.AsyncByteStream):
    """The body of a reply, in pieces that come after a pause each."""

    def __init__(self, pieces, pause=0.0):
        self.pieces, self.pause = pieces, pause

    async def __aiter__(self):
        for piece in self.pieces:
            await asyncio.sleep(self.pause)
            yield piece


async def at_once(work, *words):
    """asyncio.to_thread without a thread."""
    return work(*words)


class Provider:
    """A provider in this process, instead of the network: it counts what it could bill.

    `odd(n, reply, request)`, for the n-th request (from 1), returns None (the reply as it stands,
    perhaps changed), bytes (a body), a status, an httpx2.Response, or an exception to raise after
    the work is done. `asked`, `answered`: keys; `billed`: USD; `last`: the last body; `headers`.
    """

    def __init__(self, odd=lambda n, reply, request: None, latency=0.05, full=False):
        self.odd, self.latency, self.full = odd, latency, full
        self.asked, self.answered, self.billed = [], [], 0.0
        self.last = self.headers = None

    @staticmethod
    def clock():
        """Return the time of the running loop, in seconds."""
        return asyncio.get_running_loop().time()

    async def __call__(self, request):
        kind = "anthropic" if request.url.path.endswith("/messages") else "openai"
        kind = kind if "127.0.0.1" not in str(request.url) else "local"
        body, key = json.loads(request.content), request.headers["idempotency-key"]
        self.asked.append(key)
        self.last, self.headers, n = body, request.headers, len(self.asked)
        asked = body.get("max_completion_tokens") or body.get("max_tokens")
        tokens = len(json.dumps(body["messages"])) // 4
        output = asked if self.full else min(asked, 12)
        reply = self.reply(kind, body, tokens, output)
        odd = self.odd(n, reply, request)
        await asyncio.sleep(self.latency)
        status = odd if isinstance(odd, int) else getattr(odd, "status_code", 200)
        if status < 400 or status in (408, 500, 502, 504):
            self.billed += tokens * BILL[kind][0] + output * BILL[kind][1]
        if isinstance(odd, Exception):
            raise odd
        if isinstance(odd, httpx2.Response):
            if odd.is_stream_consumed:
                return httpx2.Response(status, headers=odd.headers, stream=Stream([odd.content]))
            return odd
        if odd is None:
            self.answered.append(key)
        said = odd if isinstance(odd, bytes) else json.dumps(reply).encode()
        return httpx2.Response(status, stream=Stream([said]))

    def reply(self, kind, body, tokens, output):
        """Return a proper reply, as JSON."""
        text = VERDICT
        if "response_format" in body or "output_config" in body:
            text = json.dumps({"analysis": "Verdict: No, said the fox.", "verdict": "Yes"})
        if kind == "anthropic":
            usage = {"input_tokens": tokens, "output_tokens": output}
            content = [{"type": "text", "text": text}]
            found = {"content": content, "stop_reason": "end_turn", "usage": usage}
        else:
            usage = {"prompt_tokens": tokens, "completion_tokens": output}
            message = {"role": "assistant", "content": text, "refusal": None}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            found = {"choices": [choice], "usage": usage}
        return found | {"model": body["model"]}


@pytest.fixture
def provide(monkeypatch):
    """A function that puts a Provider in place of the network, and lets the clock jump."""
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "LOCAL_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)

    def start(odd=lambda n, reply, request: None, clock=True, **options):
        provider = Provider(odd, **options)

        async def handle(transport, request):
            return await provider(request)

        monkeypatch.setattr(httpx2.AsyncHTTPTransport, "handle_async_request", handle)
        if clock:
            monkeypatch.setattr(asyncio.events, "new_event_loop", Loop)
            monkeypatch.setattr(asyncio, "to_thread", at_once)
        return provider

    return start


def table(count, word="word ", name=""):
    """Return `count` requests without a shared text."""
    names = [f"{name}{i}" for i in range(count)]
    asked = [f"{word * 100}{each}?" for each in names]
    return pd.DataFrame({"item": names, "shared": "", "prompt": asked})


def ask(requests, judge, path, reader=labels.YES_NO, **options):
    """Return (answers, why the run stopped or '')."""
    usual = {"max_usd": 5.0, "run_seconds": 3600.0, "progress": False}
    given = judges.Options(transcripts=path, **usual | options)
    try:
        return judges.ask(requests, judge, reader, given), ""
    except judges.Incomplete as stop:
        return stop.answers, str(stop)


def failures(path):
    """Return the failures that a store has noted: key, note, usd."""
    sql = "SELECT key, note, usd FROM failures"
    rows = sqlite3.connect(path).execute(sql).fetchall()
    return pd.DataFrame(rows, columns=["key", "note", "usd"])


def make_requests(stories, tests, word="", size=50):
    """Return stories x tests requests in the form of the TTCW study."""
    prompt = prompts.load("ttcw-yes-no")
    rows = []
    for s in range(stories):
        for t in range(tests):
            filled = prompt.fill(story="word " * size + str(s), test=f"{word} test {t}?")
            rows.append({"item": f"{s}/{t}", **filled})
    return pd.DataFrame(rows)
