"""Servers as they are: each works, or ends with one sentence that says what to set."""

import asyncio
import json
import queue
import re
import ssl
import threading

import fault_server
import httpx2
import pytest
from goodjudge.ask.addresses import is_here, suggest_url
from goodjudge.ask.providers import make_http
from judges_kit import ANTHROPIC, KEY, LOCAL, OPENAI, ask, table, trusted

ANSWER = json.dumps({"analysis": "It holds together.", "verdict": "Yes"})


def says(**message):
    """Return `odd` of a server whose message holds this."""
    finish = message.pop("finish", "stop")

    def odd(n, reply, request):
        reply["choices"][0] = {"message": {"role": "assistant"} | message, "finish_reason": finish}

    return odd


def changes(**fields):
    """Return `odd` of a server whose reply has these fields."""
    return lambda n, reply, request: reply.update(fields)


def refuses(words, code=400):
    """Return `odd` of a server that answers everything with an error."""
    return lambda n, reply, request: httpx2.Response(code, json={"error": {"message": words}})


def without(name, words):
    """Return `odd` of a server that answers only requests which lack a parameter."""

    def odd(n, reply, request):
        refusal = httpx2.Response(400, json={"error": {"message": words, "param": name}})
        return refusal if name in json.loads(request.content) else None

    return odd


# ── What works ────────────────────────────────────────────────────────────────────────────────────

THINKING = {"type": "thinking", "thinking": [{"type": "text", "text": "Verdict: No"}]}
IN_TWO = [{"type": "text", "text": ANSWER[:9]}, {"type": "text", "text": ANSWER[9:]}]
WORKS = {
    "content in parts": says(content=[THINKING, {"type": "text", "text": ANSWER}]),
    "content in two parts": says(content=IN_TWO),
    "thoughts beside the answer": says(content=ANSWER, reasoning_content="Verdict: No"),
    "another finish": says(content=ANSWER, finish="eos_token"),
    "no schema": says(content="I weighed it.\nVerdict: Yes"),
    "usage null": changes(usage=None),
    "another name": changes(model="deployment 7 (eu)"),
    "a tier of its own": changes(service_tier="on_demand"),
}


@pytest.mark.parametrize("what", WORKS)
def test_a_local_server_that_answers_in_its_own_way_is_read(tmp_path, provide, what):
    provider = provide(WORKS[what])
    answers, why = ask(table(3), LOCAL, tmp_path / "t.sqlite")
    assert answers["verdict"].tolist() == ["Yes"] * 3
    assert not why and len(provider.asked) == 3


EMPTY = {
    "all thoughts": (says(content="", finish="length", reasoning_content="Hm"), "?max_tokens=2000"),
    "none": (says(content=None), "empty answer"),
    "in thoughts only": (says(content=None, reasoning_content=ANSWER), "switch its thinking off"),
}


@pytest.mark.parametrize("what", EMPTY)
def test_an_answer_without_a_text_is_no_answer_and_says_so(tmp_path, provide, what):
    odd, note = EMPTY[what]
    provide(odd)
    answers, _ = ask(table(1), LOCAL, tmp_path / "t.sqlite")
    assert answers["status"].tolist() == ["unparsed"] and note in answers["note"].iloc[0]


USE = "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
OTHER_LENGTH = [
    (LOCAL, "max_tokens", f"{USE} 'max_completion_tokens' instead."),
    (OPENAI, "max_completion_tokens", "max_completion_tokens: Extra inputs are not permitted"),
]


@pytest.mark.parametrize(("judge", "name", "words"), OTHER_LENGTH)
def test_a_server_is_told_the_longest_answer_by_the_name_it_takes(
    tmp_path, provide, judge, name, words
):
    provider = provide(without(name, words))
    answers, why = ask(table(9), judge, tmp_path / "t.sqlite", concurrency=4)
    assert answers["status"].eq("ok").all() and not why
    assert len(provider.asked) == 9 + 1 and name not in provider.last, "it is remembered"
    again, _ = ask(table(9), judge, tmp_path / "t.sqlite", offline=True)
    assert again["key"].tolist() == answers["key"].tolist(), "one setting, whatever it is called"


def busy(n, seconds):
    """Return `odd` of a provider that asks to wait at its n-th request."""
    told = httpx2.Response(429, headers=[(b"retry-after", seconds.encode("latin1"))])
    return lambda number, reply, request: told if number == n else None


def test_every_call_waits_as_long_as_a_busy_provider_asks(tmp_path, provide):
    times, told = [], busy(2, "30")

    def odd(n, reply, request):
        times.append(provider.clock())
        return told(n, reply, request)

    provider = provide(odd)
    answers, why = ask(table(9), OPENAI, tmp_path / "t.sqlite", concurrency=3)
    assert answers["status"].eq("ok").all() and not why
    assert times[4] - times[0] > 29
    provider.odd = lambda n, reply, request: 429 if n < len(times) + 6 else None  # says no time
    answers, why = ask(table(9, name="x"), OPENAI, tmp_path / "t.sqlite", concurrency=1)
    assert answers["status"].eq("ok").all() and not why


@pytest.mark.parametrize("value", ["\xb2", "-1", "Wed, 01 Jan 2100 00:00:00 GMT"])
def test_an_odd_wish_to_wait_is_none(tmp_path, provide, value):
    provide(busy(1, value))
    assert ask(table(1), OPENAI, tmp_path / "t.sqlite")[0]["status"].tolist() == ["ok"]


# ── What ends with one sentence ───────────────────────────────────────────────────────────────────

NO_TEMPERATURE = "Unsupported value: 'temperature' does not support 0 with this model. Only the"
NO_TEMPERATURE += " default (1) value is supported."
UNTRUSTED = httpx2.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed")
MOVED = httpx2.Response(308, headers={"location": "https://new.example/v1?key=pa55"})
NO_TIER = "service_tier, inference_geo: Extra inputs are not permitted"
AS_LOCAL = "ask it as local/, with LOCAL_BASE_URL and .price=provider/model"
# judge, server, what is said, how often it was asked
SENTENCES = [
    (LOCAL, refuses(NO_TEMPERATURE), r"does not take temperature.*\?temperature=null", 1),
    (LOCAL, refuses("temperature is deprecated for this model"), r"\?temperature=null", 1),
    (
        LOCAL,
        refuses('{"loc": ["temperature"], "msg": "should be above 0"}', 422),
        r"\?temperature=",
        1,
    ),
    (LOCAL, refuses("json_schema response_format is not supported"), "structured=False", 1),
    (ANTHROPIC, refuses("output_config: Extra inputs are not permitted"), "structured=False", 1),
    (LOCAL, refuses("The model `any` does not exist", 404), "refuses every call.*model's name", 1),
    (OPENAI, refuses("Incorrect API key", 401), "refuses every call.*check the key", 1),
    (OPENAI, refuses("You must add a card", 402), "refuses every call.*account", 1),
    (OPENAI, refuses("insufficient_quota", 429), "refuses every call.*account", 1),
    (LOCAL, lambda *_: MOVED, "another address, which is not followed", 1),
    (ANTHROPIC, lambda *_: MOVED, "another address, which is not followed", 1),
    (LOCAL, lambda *_: httpx2.ConnectError("refused"), "no server answers at 127", 4),
    (LOCAL, lambda *_: UNTRUSTED, "a server answers at 127.0.0.1.*set SSL_CERT_FILE", 4),
    ("gate openai", refuses(NO_TIER), AS_LOCAL, 1),
    ("gate anthropic", refuses(NO_TIER, 422), AS_LOCAL, 1),
]


@pytest.mark.parametrize(("judge", "odd", "said", "times"), SENTENCES)
def test_what_would_fail_for_every_call_ends_the_run_at_once(
    tmp_path, provide, monkeypatch, judge, odd, said, times
):
    provider = provide(odd)
    if judge.startswith("gate"):
        judge = OPENAI if "openai" in judge else ANTHROPIC
        monkeypatch.setenv("OPENAI_BASE_URL", "https://gate.example/v1")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://gate.example")
    answers, why = ask(table(60), judge, tmp_path / "t.sqlite", concurrency=8)
    assert re.search(said, why), why
    assert "pa55" not in why and 1 <= len(provider.asked) <= times
    assert answers.attrs["usd"] == 0 and answers["note"].eq("not asked").all()


def test_what_fails_for_some_calls_is_said_and_loses_none_of_the_others(tmp_path, provide):
    path = tmp_path / "t.sqlite"
    provider = provide(busy(9, "3600"))
    answers, why = ask(table(60), OPENAI, path, concurrency=1)
    assert "asks to wait 3600 s" in why and len(provider.asked) == 9
    assert answers["status"].eq("ok").sum() == 8
    provide(refuses("You have reached your daily limit", 429))
    _, why = ask(table(9, name="x"), OPENAI, path)
    assert "You have reached your daily limit" in why and "run again later" in why
    provide(lambda n, reply, request: httpx2.ConnectError("refused") if n == 9 else None)
    assert not ask(table(20), LOCAL, path)[1], "it was there before"


HERE_V1 = "LOCAL_BASE_URL ends without /v1: try http://127.0.0.1:9/v1"
CHAT = "LOCAL_BASE_URL ends with /chat/completions: try http://127.0.0.1:9/v1"
GATE_V1 = "OPENAI_BASE_URL ends without /v1: try https://gate.example/v1"
NO_V1 = "ANTHROPIC_BASE_URL ends with /v1: try https://a.example"
ADDRESSES = [
    ("local", "http://127.0.0.1:9", HERE_V1),
    ("local", "http://127.0.0.1:9/v1/chat/completions", CHAT),
    ("openai", "https://gate.example", GATE_V1),
    ("anthropic", "https://a.example/v1", NO_V1),
    ("local", "http://127.0.0.1:9/v1", ""),
    ("local", "https://gate.example/v1beta/openai/", ""),
]


@pytest.mark.parametrize(("provider", "url", "said"), ADDRESSES)
def test_a_base_url_of_another_path_is_told(tmp_path, provide, monkeypatch, provider, url, said):
    asked = provide(lambda *_: httpx2.Response(404, content=b"404 page not found"))
    monkeypatch.setenv(f"{provider.upper()}_BASE_URL", url)
    assert suggest_url(provider) == said
    judge = {"local": f"{LOCAL}?price=free", "openai": OPENAI, "anthropic": ANTHROPIC}[provider]
    _, why = ask(table(9), judge, tmp_path / "t.sqlite")
    assert said in why and len(asked.asked) == 1
    assert not said or "the key" not in why


def test_half_a_character_is_told_or_kept_harmless(tmp_path, provide):
    provider = provide(says(content="Half \ud83d a letter.\nVerdict: Yes"))
    requests = table(2).assign(item=["half \ud83d", "b"])
    requests.loc[1, "prompt"] = "half \udc00?"
    options = {"concurrency": 1, "structured": False}
    answers, _ = ask(requests, LOCAL, tmp_path / "t.sqlite", **options)
    assert answers["status"].tolist() == ["ok", "error"] and len(provider.asked) == 1
    assert "save it as UTF-8" in answers["note"].iloc[1]
    assert "Half \ufffd a letter" in answers["text"].iloc[0]
    assert answers["item"].tolist() == requests["item"].tolist()


# ── Real connections ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def port():
    """The port of a real server in a thread of its own."""
    loop, ports = asyncio.new_event_loop(), queue.Queue()
    thread = threading.Thread(target=loop.run_until_complete, args=[fault_server.main(ports.put)])
    thread.start()
    number, stop = ports.get(timeout=10)
    yield number
    loop.call_soon_threadsafe(stop.set)
    thread.join(10)


def test_both_sdks_speak_to_a_real_server(tmp_path, monkeypatch, port):
    for judge, end in ((OPENAI, "/v1"), (ANTHROPIC, "")):
        name = judge.split("/")[0].upper()
        monkeypatch.setenv(f"{name}_BASE_URL", f"http://127.0.0.1:{port}{end}")
        monkeypatch.setenv(f"{name}_API_KEY", KEY)
        answers, why = ask(table(12), judge, tmp_path / "t.sqlite")
        assert answers["status"].eq("ok").all() and not why and answers.attrs["calls"] == 12


HERE = [
    ("http://127.0.0.1:80/v1", True),
    ("http://0.0.0.0:8080/v1", True),
    ("http://[::1]:8080/v1", True),
    ("http://judge.localhost/v1", True),
    ("http://127.0.0.1.example/v1", False),
    ("http://localhost.example/v1", False),
]


@pytest.mark.parametrize(("url", "here"), HERE)
def test_a_text_for_this_machine_never_goes_through_a_proxy(monkeypatch, url, here):
    for name in ("HTTP_PROXY", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
        monkeypatch.setenv(name.lower(), "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(ssl, "create_default_context", trusted)
    assert is_here(url) == here
    for provider in ("local", "openai"):
        http = make_http(provider, url)
        is_direct = http._transport_for_url(httpx2.URL(url)) is http._transport
        assert is_direct == here
