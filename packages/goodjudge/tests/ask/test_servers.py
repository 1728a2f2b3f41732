"""Servers as they are: each works, or ends with one sentence that says what to set."""

import asyncio
import json
import queue
import re
import shutil
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import fault_server
import httpx2
import pytest
from goodjudge.ask.addresses import is_here, suggest_url
from goodjudge.ask.providers import make_http
from judges_kit import ANTHROPIC, KEY, LOCAL, OPENAI, VERDICT, ask, table

ANSWER = json.dumps({"analysis": "It holds together.", "verdict": "Yes"})
PLAIN = {"structured": False}


def says(**message):
    """Return `odd` of a server whose message holds this."""

    def odd(n, reply, request):
        reply["choices"][0]["message"] = {"role": "assistant"} | message
        reply["choices"][0]["finish_reason"] = message.pop("finish", "stop")

    return odd


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
WORKS = {
    "content in parts": says(content=[THINKING, {"type": "text", "text": ANSWER}]),
    "content in two parts": says(
        content=[{"type": "text", "text": ANSWER[:9]}, {"type": "text", "text": ANSWER[9:]}]
    ),
    "parts of another name": says(content=[{"type": "output_text", "text": ANSWER}]),
    "thoughts beside the answer": says(content=ANSWER, reasoning_content="Verdict: No"),
    "another finish": says(content=ANSWER, finish="eos_token"),
    "no finish": says(content=ANSWER, finish=None),
    "usage null": lambda n, reply, request: reply.update(usage=None),
    "no usage": lambda n, reply, request: reply.pop("usage") and None,
    "another name": lambda n, reply, request: reply.update(model="deployment 7 (eu)"),
    "no name": lambda n, reply, request: reply.update(model=None),
    "a tier of its own": lambda n, reply, request: reply.update(service_tier="on_demand"),
}


@pytest.mark.parametrize("what", WORKS)
def test_a_local_server_that_answers_in_its_own_way_is_read(tmp_path, provide, what):
    provider = provide(WORKS[what])
    answers, why = ask(table(3), LOCAL, tmp_path / "t.sqlite")
    assert answers["verdict"].tolist() == ["Yes"] * 3
    assert not why
    assert len(provider.asked) == 3


EMPTY = {
    "all thoughts": (says(content="", finish="length", reasoning_content="Hm"), "?max_tokens=2000"),
    "none": (says(content=None), "empty answer"),
    "in thoughts only": (says(content=None, reasoning_content=ANSWER), "empty answer"),
    "only thoughts in parts": (says(content=[THINKING]), "empty answer"),
}


@pytest.mark.parametrize("what", EMPTY)
def test_an_answer_without_a_text_is_no_answer_and_says_so(tmp_path, provide, what):
    odd, note = EMPTY[what]
    provide(odd)
    answers, _ = ask(table(1), LOCAL, tmp_path / "t.sqlite")
    assert answers["status"].tolist() == ["unparsed"]
    assert note in answers["note"].iloc[0]


OTHER_LENGTH = [
    (
        LOCAL,
        "max_tokens",
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
        " 'max_completion_tokens' instead.",
    ),
    (LOCAL, "max_tokens", "Unknown field: max_tokens"),
    (
        OPENAI,
        "max_completion_tokens",
        "Unrecognized request argument supplied: max_completion_tokens",
    ),
    (OPENAI, "max_completion_tokens", "max_completion_tokens: Extra inputs are not permitted"),
]


@pytest.mark.parametrize(("judge", "name", "words"), OTHER_LENGTH)
def test_a_server_is_told_the_longest_answer_by_the_name_it_takes(
    tmp_path, provide, judge, name, words
):
    provider = provide(without(name, words))
    answers, why = ask(table(9), judge, tmp_path / "t.sqlite", concurrency=4)
    assert answers["status"].eq("ok").all()
    assert not why
    assert len(provider.asked) == 9 + 1, "it is remembered"
    assert name not in provider.last
    again, _ = ask(table(9), judge, tmp_path / "t.sqlite", offline=True)
    assert again["key"].tolist() == answers["key"].tolist(), "one setting, whatever it is called"


def test_a_length_that_is_too_long_is_no_other_name(tmp_path, provide):
    provider = provide(refuses("max_tokens is too large: 5000 > 4096"))
    _, why = ask(table(9), LOCAL, tmp_path / "t.sqlite", concurrency=1)
    assert "max_tokens is too large" in why
    assert len(provider.asked) == 5


def test_a_rate_limit_that_says_no_time_is_waited_for(tmp_path, provide):
    provider = provide(lambda n, reply, request: 429 if 2 <= n <= 6 else None)
    answers, why = ask(table(9), OPENAI, tmp_path / "t.sqlite", concurrency=1)
    assert answers["status"].eq("ok").all()
    assert not why
    assert len(provider.asked) == 14
    daily = refuses("You have reached your daily limit", 429)
    provider = provide(daily)
    _, why = ask(table(9, name="x"), OPENAI, tmp_path / "t.sqlite")
    assert "You have reached your daily limit" in why
    assert "run again later" in why


def test_every_call_waits_as_long_as_a_busy_provider_asks(tmp_path, provide):
    times = []

    def odd(n, reply, request):
        times.append(provider.clock())
        return httpx2.Response(429, headers={"retry-after": "30"}) if n == 2 else None

    provider = provide(odd)
    answers, why = ask(table(9), OPENAI, tmp_path / "t.sqlite", concurrency=3)
    assert answers["status"].eq("ok").all()
    assert not why
    assert times[4] - times[0] > 29


def test_a_provider_that_asks_for_an_hour_stops_the_run_and_says_so(tmp_path, provide):
    busy = httpx2.Response(429, headers={"retry-after": "3600"})
    provider = provide(lambda n, reply, request: busy if n == 9 else None)
    answers, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", concurrency=1)
    assert "asks to wait 3600 s" in why
    assert answers["status"].eq("ok").sum() == 8
    assert len(provider.asked) == 9


@pytest.mark.parametrize("value", ["\xb2", "soon", "-1", "", "Wed, 01 Jan 2100 00:00:00 GMT"])
def test_an_odd_wish_to_wait_is_none(tmp_path, provide, value):
    busy = httpx2.Response(429, headers=[(b"retry-after", value.encode("latin1"))])
    provide(lambda n, reply, request: busy if n == 1 else None)
    assert ask(table(1), OPENAI, tmp_path / "t.sqlite")[0]["status"].tolist() == ["ok"]


# ── What ends with one sentence, after one request ────────────────────────────────────────────────

NO_TEMPERATURE = "Unsupported value: 'temperature' does not support 0 with this model. Only the"
NO_TEMPERATURE += " default (1) value is supported."
SENTENCES = [
    (LOCAL, refuses(NO_TEMPERATURE), r"does not take temperature.*\?temperature=null"),
    (LOCAL, refuses("temperature is deprecated for this model"), r"\?temperature=null"),
    (LOCAL, refuses("`temperature` must be strictly positive"), r"\?temperature=null"),
    (
        LOCAL,
        refuses('{"loc": ["temperature"], "msg": "should be above 0"}', 422),
        r"\?temperature=",
    ),
    (LOCAL, refuses("json_schema response_format is not supported"), "structured=False"),
    (LOCAL, refuses("This response_format type is unavailable now"), "structured=False"),
    (ANTHROPIC, refuses("output_config: Extra inputs are not permitted"), "structured=False"),
    (LOCAL, refuses("The model `any` does not exist", 404), "refuses every call.*model's name"),
    (OPENAI, refuses("Incorrect API key", 401), "refuses every call.*check the key"),
    (OPENAI, refuses("You must add a card", 402), "refuses every call.*account"),
    (OPENAI, refuses("insufficient_quota", 429), "refuses every call.*account"),
    (ANTHROPIC, refuses("service_tier: not allowed for your workspace"), "refuses every call"),
    (LOCAL, lambda *_: httpx2.Response(308, headers={"location": "https://a.b/v1"}), "BASE_URL"),
]


@pytest.mark.parametrize(("judge", "odd", "said"), SENTENCES)
def test_what_would_fail_for_every_call_ends_the_run_after_one(tmp_path, provide, judge, odd, said):
    provider = provide(odd)
    answers, why = ask(table(60), judge, tmp_path / "t.sqlite", concurrency=8)
    assert re.search(said, why), why
    assert len(provider.asked) == 1
    assert answers.attrs["usd"] == 0
    assert answers["note"].eq("not asked").all()


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])
@pytest.mark.parametrize("code", [400, 422])
def test_a_gateway_that_takes_no_tier_is_to_be_asked_as_local(
    tmp_path, provide, monkeypatch, judge, code
):
    provider = provide(refuses("service_tier, inference_geo: Extra inputs are not permitted", code))
    monkeypatch.setenv("OPENAI_BASE_URL", "https://gate.example/v1")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://gate.example")
    _, why = ask(table(9), judge, tmp_path / "t.sqlite")
    assert "ask it as local/, with LOCAL_BASE_URL and ?price=provider/model" in why
    assert len(provider.asked) == 1


def test_an_error_sent_as_a_success_tells_of_the_address(tmp_path, provide, monkeypatch):
    odd = json.dumps({"error": "Unexpected endpoint or method. (POST /chat/completions)"}).encode()
    provide(lambda n, reply, request: odd)
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9")
    _, why = ask(table(9), LOCAL, tmp_path / "t.sqlite")
    assert "Unexpected endpoint" in why
    assert "LOCAL_BASE_URL ends without /v1: try http://127.0.0.1:9/v1" in why


def test_what_the_sentence_on_temperature_advises_works_and_has_a_key_of_its_own(tmp_path, provide):
    provider = provide(without("temperature", NO_TEMPERATURE))
    path = tmp_path / "t.sqlite"
    answers, why = ask(table(3), f"{LOCAL}?temperature=null", path)
    assert answers["status"].eq("ok").all()
    assert not why
    provider.odd = lambda n, reply, request: None
    others, _ = ask(table(3), LOCAL, path)
    assert not set(others["key"]) & set(answers["key"])


ADDRESSES = [
    ("local", "http://127.0.0.1:9", "LOCAL_BASE_URL ends without /v1: try http://127.0.0.1:9/v1"),
    ("local", "http://127.0.0.1:9/", "LOCAL_BASE_URL ends without /v1: try http://127.0.0.1:9/v1"),
    (
        "local",
        "http://127.0.0.1:9/v1/chat/completions",
        "LOCAL_BASE_URL ends with /chat/completions: try http://127.0.0.1:9/v1",
    ),
    (
        "openai",
        "https://gate.example",
        "OPENAI_BASE_URL ends without /v1: try https://gate.example/v1",
    ),
    (
        "anthropic",
        "https://a.example/v1",
        "ANTHROPIC_BASE_URL ends with /v1: try https://a.example",
    ),
    ("anthropic", "https://a.example", ""),
    ("local", "http://127.0.0.1:9/v1", ""),
    ("local", "https://gate.example/v1beta/openai/", ""),
]


@pytest.mark.parametrize(("provider", "url", "said"), ADDRESSES)
def test_a_base_url_of_another_path_is_told(tmp_path, provide, monkeypatch, provider, url, said):
    monkeypatch.setenv(f"{provider.upper()}_BASE_URL", url)
    assert suggest_url(provider) == said
    judge = {"local": f"{LOCAL}?price=free", "openai": OPENAI, "anthropic": ANTHROPIC}[provider]
    nothing = httpx2.Response(404, content=b"404 page not found")
    asked = provide(lambda n, reply, request: nothing)
    monkeypatch.setenv(f"{provider.upper()}_BASE_URL", url)
    _, why = ask(table(9), judge, tmp_path / "t.sqlite")
    assert said in why
    assert len(asked.asked) == 1
    if said:
        assert "the key" not in why
        asked.odd = lambda n, reply, request: b"<!doctype html><title>A page</title>"
        _, why = ask(table(9), judge, tmp_path / "t.sqlite")
        assert said in why


def test_a_server_that_is_down_stops_the_run_and_says_so(tmp_path, provide):
    provide(lambda n, reply, request: httpx2.ConnectError("refused"))
    answers, why = ask(table(20), LOCAL, tmp_path / "t.sqlite")
    assert "no server answers at 127.0.0.1:8080 (ConnectError: refused)" in why
    assert "LOCAL_BASE_URL" in why
    assert set(answers["note"]) == {"not asked"}
    provide(lambda n, reply, request: httpx2.ConnectError("refused") if n == 9 else None)
    assert not ask(table(20), LOCAL, tmp_path / "t.sqlite")[1]  # it was there before
    few = httpx2.ConnectError("All connection attempts failed")
    few.__cause__ = OSError(24, "Too many open files")
    provide(lambda n, reply, request: few)
    assert "lower concurrency" in ask(table(2, name="x"), LOCAL, tmp_path / "t.sqlite")[1]


def test_half_a_character_is_told_or_kept_harmless(tmp_path, provide):
    provider = provide(says(content="Half \ud83d a letter.\nVerdict: Yes"))
    requests = table(2).assign(item=["half \ud83d", "b"])
    requests.loc[1, "prompt"] = "half \udc00?"
    answers, _ = ask(requests, LOCAL, tmp_path / "t.sqlite", concurrency=1, **PLAIN)
    assert answers["status"].tolist() == ["ok", "error"]
    assert "save it as UTF-8" in answers["note"].iloc[1]
    assert "Half \ufffd a letter" in answers["text"].iloc[0]
    assert answers["item"].tolist() == requests["item"].tolist()
    assert len(provider.asked) == 1


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
        assert answers["status"].eq("ok").all()
        assert not why
        assert answers.attrs["calls"] == 12


@pytest.fixture
def company(tmp_path):
    """(address, certificate) of a server whose certificate a company signed itself."""
    if not shutil.which("openssl"):
        pytest.skip("no openssl to make a certificate")
    made = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=corp".split()
    made += ["-keyout", "key.pem", "-out", "cert.pem", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            choice = {"message": {"content": VERDICT}, "finish_reason": "stop"}
            reply = json.dumps({"choices": [choice], "model": body["model"]}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_):
            pass

    class Quiet(HTTPServer):
        def handle_error(self, *_):  # a client that does not trust it
            pass

    server = Quiet(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://127.0.0.1:{server.server_port}/v1", tmp_path / "cert.pem"
    server.shutdown()
    server.server_close()


def test_a_companys_certificate_is_told_and_the_way_out_works(tmp_path, monkeypatch, company):
    address, certificate = company
    monkeypatch.setenv("LOCAL_BASE_URL", address)
    _, why = ask(table(2), LOCAL, tmp_path / "t.sqlite", concurrency=1, **PLAIN)
    assert "a server answers at 127.0.0.1" in why
    assert "set SSL_CERT_FILE" in why
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    answers, why = ask(table(2), LOCAL, tmp_path / "t.sqlite", concurrency=1, **PLAIN)
    assert answers["status"].tolist() == ["ok", "ok"]
    assert not why


HERE = [
    ("http://127.0.0.1:80/v1", True),
    ("http://127.9.9.9/v1", True),
    ("http://0.0.0.0:8080/v1", True),
    ("http://[::1]:8080/v1", True),
    ("https://LocalHost/v1", True),
    ("http://judge.localhost/v1", True),
    ("http://127.0.0.1.example/v1", False),
    ("http://localhost.example/v1", False),
    ("http://10.0.0.7:8080/v1", False),
]


@pytest.mark.parametrize(("url", "here"), HERE)
def test_a_text_for_this_machine_never_goes_through_a_proxy(monkeypatch, url, here):
    for name in (
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
        "all_proxy",
        "HTTPS_PROXY",
        "https_proxy",
    ):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert is_here(url) == here
    for provider in ("local", "openai"):
        http = make_http(provider, url)
        is_direct = http._transport_for_url(httpx2.URL(url)) is http._transport
        assert is_direct == here
