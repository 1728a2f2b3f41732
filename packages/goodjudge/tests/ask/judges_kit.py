"""What the judge tests share: a provider without a network, a clock that does not wait, and
requests to send.

A test says how the provider misbehaves, asks, and looks at what is left:

    def test_a_timeout_is_asked_again(tmp_path, provide):
        provider = provide(lambda n, reply, request: 504 if n == 3 else None)
        answers, why = ask(table(6), OPENAI, tmp_path / "t.sqlite")
        assert len(provider.asked) == 7

The real SDKs run, down to the transport: only the sending of bytes is replaced (`provide`). An
hour of waiting takes no time, since the clock of the event loop jumps (`Loop`). For a test with
real connections there is `fault_server`, for notebooks that ask a server, `answering_server`.
"""

import asyncio
import functools
import heapq
import json
import sqlite3
import ssl

import httpx2
import pandas as pd
import pytest
from goodjudge import ask as asking
from goodjudge.ask import labels
from goodjudge.ask.answer import Answer
from goodjudge.ask.store import NAMES, Store

KEY = "sk-planted-0123456789abcdef"
OPENAI, ANTHROPIC, LOCAL = "openai/gpt-4o", "anthropic/claude-opus-5-5", "local/any"
VERDICT = "Weighed.\nVerdict: Yes"
# USD per token of input and output
BILL = {"openai": (2.5e-6, 10e-6), "anthropic": (4e-6, 20e-6), "local": (0, 0)}


# read once: no certificate is looked at where nothing is sent
trusted = functools.cache(ssl.create_default_context)


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer where a real one would wait for it.

    `_run_once`, `_scheduled` (a heap of timers) and `_ready` are asyncio's own; there is no public
    way to let time pass. A timer is due when `time()` has reached its `_when`.
    """

    ahead = 0.0  # seconds by which this clock is ahead of the real one

    def time(self):
        return super().time() + self.ahead

    def _run_once(self):
        self._drop_cancelled_timers()
        if self._scheduled and not self._ready:
            next_timer = self._scheduled[0]
            self.ahead += max(0.0, next_timer._when - self.time())
        super()._run_once()

    def _drop_cancelled_timers(self):
        """Take timers that were cancelled from the head of the heap: they are no reason to jump."""
        while self._scheduled and self._scheduled[0]._cancelled:
            self._timer_cancelled_count -= 1
            timer = heapq.heappop(self._scheduled)
            timer._scheduled = False


class Stream(httpx2.AsyncByteStream):
    """The body of a reply, in pieces that come after a pause each."""

    def __init__(self, pieces, pause=0.0):
        self.pieces = pieces
        self.pause = pause

    async def __aiter__(self):
        for piece in self.pieces:
            await asyncio.sleep(self.pause)
            yield piece


async def at_once(work, *words):
    """asyncio.to_thread without a thread, for which this clock would not wait."""
    return work(*words)


def as_it_stands(n, reply, request):
    """`odd` of a provider that behaves."""
    return None


class Provider:
    """A provider in this process, instead of the network: it counts what it could bill.

    `odd(n, reply, request)` is called for the n-th request (from 1) with a proper reply and returns
    what is sent instead: None (the reply as it stands, perhaps changed), bytes (a body), a status,
    an httpx2.Response, or an exception to raise after the work is done.

    latency: seconds until a reply. full: whether answers are as long as they may be (else 12
    tokens). `asked`: keys of all requests; `answered`: of those with a proper reply; `billed`: USD;
    `last`, `headers`: body and headers of the last request.
    """

    def __init__(self, odd=as_it_stands, latency=0.05, full=False):
        self.odd = odd
        self.latency = latency
        self.full = full
        self.asked = []
        self.answered = []
        self.billed = 0.0
        self.last = None
        self.headers = None

    @staticmethod
    def clock():
        """Return the time of the running loop, in seconds."""
        return asyncio.get_running_loop().time()

    async def __call__(self, request):
        """Return the httpx2.Response to a request, after `latency`."""
        body = json.loads(request.content)
        key = request.headers["idempotency-key"]
        kind = name_kind(request.url)
        self.asked.append(key)
        self.last = body
        self.headers = request.headers
        input_tokens = len(json.dumps(body["messages"])) // 4
        most = body.get("max_completion_tokens") or body.get("max_tokens")
        output_tokens = most if self.full else min(most, 12)
        reply = make_reply(kind, body, input_tokens, output_tokens)
        odd = self.odd(len(self.asked), reply, request)
        await asyncio.sleep(self.latency)
        status = odd if isinstance(odd, int) else getattr(odd, "status_code", 200)
        if is_billed(status):
            usd_in, usd_out = BILL[kind]
            self.billed += input_tokens * usd_in + output_tokens * usd_out
        if odd is None:
            self.answered.append(key)
        return respond(odd, status, reply)


def name_kind(url):
    """Return the provider that an address belongs to, a key of BILL."""
    if "127.0.0.1" in str(url):
        return "local"
    return "anthropic" if url.path.endswith("/messages") else "openai"


def is_billed(status):
    """Return whether a provider may have done the work behind a status."""
    return status < 400 or status in (408, 500, 502, 504)


def make_reply(kind, body, input_tokens, output_tokens):
    """Return a proper reply to a request's body, as JSON: VERDICT, or the form that it asks for."""
    text = VERDICT
    if "response_format" in body or "output_config" in body:
        text = json.dumps({"analysis": "Verdict: No, said the fox.", "verdict": "Yes"})
    if kind == "anthropic":
        usage = {"input_tokens": input_tokens, "output_tokens": output_tokens}
        content = [{"type": "text", "text": text}]
        usage |= {"service_tier": "standard", "inference_geo": "not_available"}
        reply = {"content": content, "stop_reason": "end_turn", "usage": usage}
    else:
        usage = {"prompt_tokens": input_tokens, "completion_tokens": output_tokens}
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        reply = {"choices": [choice], "usage": usage, "service_tier": "default"}
    return reply | {"model": body["model"]}


def respond(odd, status, reply):
    """Return the httpx2.Response that `odd` stands for, or raise it; its body is a stream, as from
    a network."""
    if isinstance(odd, Exception):
        raise odd
    if isinstance(odd, httpx2.Response):
        if odd.is_stream_consumed:  # its body was given whole
            return httpx2.Response(status, headers=odd.headers, stream=Stream([odd.content]))
        return odd
    said = reply if status < 400 else {"error": {"message": "no"}}
    body = odd if isinstance(odd, bytes) else json.dumps(said).encode()
    return httpx2.Response(status, stream=Stream([body]))


def put_provider(patch, odd=as_it_stands, clock=True, **options):
    """Put a Provider in place of the network and return it. clock: whether the clock jumps
    (`Loop`); False for tests that need threads, signals or a second process. The rest is of
    `Provider`."""
    provider = Provider(odd, **options)

    async def handle(transport, request):
        return await provider(request)

    patch.setattr(httpx2.AsyncHTTPTransport, "handle_async_request", handle)
    patch.setattr(ssl, "create_default_context", trusted)
    if clock:
        patch.setattr(asyncio.events, "new_event_loop", Loop)
        patch.setattr(asyncio, "to_thread", at_once)  # the SDKs ask a thread for the platform
    return provider


def set_keys(patch):
    """Let the environment hold the keys of both providers and no address."""
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "LOCAL_BASE_URL"):
        patch.delenv(name, raising=False)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        patch.setenv(name, KEY)


@pytest.fixture
def provide(monkeypatch):
    """`put_provider` for one test."""
    set_keys(monkeypatch)
    return functools.partial(put_provider, monkeypatch)


def misbehave(rng):
    """Return `odd` of a server that does something else each time, by chance."""
    usage = {"prompt_tokens": 1, "completion_tokens": 1}
    kinds = [None, None, None, 500, 503, 400, 429, httpx2.ReadError("cut"), b"<html>", b"{}"]
    kinds += [{"usage": None}, {"usage": usage | {"total_tokens": 300}}, {"model": None}]
    kinds += [{"choices": []}, {"service_tier": "priority"}, {"model": "gpt-4o-mini"}]

    def odd(n, reply, request):
        kind = rng.choice(kinds)
        if isinstance(kind, dict):
            reply.update(kind)
            return None
        return kind

    return odd


def attack(rng, provide, path):
    """Ask two judges of a random server on a random budget; return (USD billed, the Budget)."""
    budget = asking.Budget(rng.uniform(0, 0.2))
    provider = provide(misbehave(rng), full=rng.random() < 0.5)
    options = {"max_output_tokens": rng.choice([10, 200]), "concurrency": rng.choice([1, 8, 64])}
    for judge in (OPENAI, ANTHROPIC):
        ask(table(30), judge, path, max_usd=budget, **options)
    return provider.billed, budget


def table(count, word="word ", name=""):
    """Return `count` requests without a shared text, of a hundred words each; another `name` makes
    them other requests."""
    items = [f"{name}{i}" for i in range(count)]
    prompts_of_items = [f"{word * 100}{item}?" for item in items]
    return pd.DataFrame({"item": items, "shared": "", "prompt": prompts_of_items})


def ask(requests, judge, path, reader=labels.YES_NO, **options):
    """Return (answers, why the run stopped or ''); path: of the store, options: of `Options`, with
    five dollars and an hour where not given."""
    usual = {"max_usd": 5.0, "run_seconds": 3600.0, "progress": False}
    if judge.startswith("local/") and options.get("repeats", 1) > 1:
        usual["params"] = {"temperature": 1}  # several answers at 0 are refused
    settings = asking.Options(transcripts=path, **usual | options)
    try:
        return asking.ask(requests, judge, reader, settings), ""
    except asking.Incomplete as stop:
        return stop.answers, str(stop)


def failures(path):
    """Return the failures that a store has noted: key, note, usd."""
    sql = "SELECT key, note, usd FROM failures"
    rows = sqlite3.connect(path).execute(sql).fetchall()
    return pd.DataFrame(rows, columns=["key", "note", "usd"])


def make_requests(stories, tests, word="", size=50):
    """Return stories x tests requests: the tests of one story share its text of `size` words. word:
    what every prompt begins with."""
    rows = []
    for story in range(stories):
        text = "<story>" + "word " * size + f"{story}</story>"
        for test in range(tests):
            prompt = f"{word} test {test}? End with Verdict: Yes or Verdict: No."
            parts = {"system": "You judge stories.", "shared": text, "prompt": prompt}
            rows.append({"item": f"{story}/{test}", **parts})
    return pd.DataFrame(rows)


def export_answers(path, out):
    """Write the answers of a store as an export of recorded answers: a line of JSON each."""
    with Store(path) as store:
        rows = store.rows(f"SELECT {NAMES} FROM answers ORDER BY item, repeat, key")
    lines = [json.dumps(Answer._make(row)._asdict(), sort_keys=True) for row in rows]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("\n".join(lines) + "\n", encoding="utf8")
