"""Keys are written nowhere: not by a reply, an error, a judge's name, an address; and an honest
answer is never changed."""

import json
import os
import sqlite3

import httpx2
import pytest
from goodjudge.ask import JudgeError
from goodjudge.ask.addresses import hide_keys, refuse_key
from judges_kit import KEY, LOCAL, OPENAI, ask, table

HALVES = [KEY, KEY[: len(KEY) // 2], KEY[len(KEY) // 2 :]]
HIDDEN = "[OPENAI_API_KEY]"


def everything(path, answers, why=""):
    """Return all that a run leaves: its table, its last words, its store."""
    return answers.to_json() + why + "".join(sqlite3.connect(path).iterdump())


def put_key(where):
    """Return `odd` that says the key back in one part of a reply."""

    def odd(n, reply, request):
        choice = reply["choices"][0]
        if where == "model":
            reply["model"] = f"gpt-4o-{KEY}"
        if where == "finish":
            choice["finish_reason"] = KEY
        if where == "tier":
            reply["service_tier"] = KEY
        if where == "token":
            top = [{"token": KEY, "logprob": -0.1}]
            choice["logprobs"] = {"content": [{"token": KEY, "top_logprobs": top}]}
        if where == "text":
            choice["message"]["content"] = f"{KEY}\nVerdict: Yes"
        if where == "escapes of JSON":
            choice["message"]["content"] = "@\nVerdict: Yes"
            escaped = "".join(f"\\u{ord(character):04x}" for character in KEY)
            return json.dumps(reply).replace("@", escaped).encode()
        if where == "a broken connection":
            raise httpx2.ReadError(f"Bearer {KEY}")
        return f"<{KEY}>".encode() if where == "not JSON" else None

    return odd


PARTS = ["model", "finish", "tier", "token", "text", "escapes of JSON", "not JSON"]


@pytest.mark.parametrize("where", [*PARTS, "a broken connection"])
def test_a_key_in_any_part_of_a_reply_is_kept_nowhere(tmp_path, provide, where):
    provide(put_key(where))
    answers, why = ask(table(2), OPENAI, tmp_path / "t.sqlite")
    said = everything(tmp_path / "t.sqlite", answers, why)
    assert "planted" not in said and (HIDDEN in said or where in ("finish", "tier"))


@pytest.mark.parametrize("part", HALVES)
@pytest.mark.parametrize("code", [307, 401, 429])
def test_a_key_or_half_of_it_in_an_error_is_hidden(tmp_path, provide, code, part):
    headers = {"location": f"https://{part}.example/v1"}
    for before in (0, 985):  # an error is cut at 1,000 characters
        told = httpx2.Response(
            code, content=b"a" * before + f"Incorrect key {part}.".encode(), headers=headers
        )
        provide(lambda n, reply, request, told=told: told)
        answers, why = ask(table(1), OPENAI, tmp_path / "t.sqlite")
        said = everything(tmp_path / "t.sqlite", answers, why)
        assert part not in said and str(code) in said
        assert HIDDEN in said or before or code == 307


# names of variables, their values, an answer's text, what is kept of it
GATEWAY_KEYS = ["a1B2c3D4e5F6g7H8i9J0k1L2", "0123456789abcdef0123456789abcdef"]
TEXTS = [
    *(("LOCAL_API_KEY", key, f"{key} stands here.", None) for key in GATEWAY_KEYS),
    ("PGPASSWORD", "correct horse battery staple", "The correct horse battery staple holds.", 1),
    ("DATABASE_URL", "postgres://me:open-sesame@db/x", "Open! open-sesame, he said.", 1),
    ("OPENAI_API_KEY", KEY, f"It plants sk-p… and {HALVES[1]} decoded ***cdef.", 1),
]


@pytest.mark.parametrize(("name", "value", "text", "whole"), TEXTS)
def test_a_gateways_key_is_kept_nowhere_and_an_honest_answer_is_never_changed(
    tmp_path, provide, monkeypatch, name, value, text, whole
):
    monkeypatch.setenv(name, value)

    def odd(n, reply, request):
        reply["choices"][0]["message"]["content"] = f"{text}\nVerdict: Yes"

    provide(odd)
    answers, why = ask(table(1), f"{LOCAL}?price=free", tmp_path / "t.sqlite")
    assert answers["status"].tolist() == ["ok"]
    if whole:
        assert answers["text"].tolist() == [f"{text}\nVerdict: Yes"]
    else:
        assert value not in everything(tmp_path / "t.sqlite", answers, why)


LONG = "sk-proj-typed-by-mistake-0123"
TYPED = [
    (judge, {}) for judge in (LONG, f"openai/{LONG}", KEY, f"local/{KEY}", f"local/x?a={LONG}")
]
TYPED += [(LOCAL, {"params": {"headers": {"x": f"Bearer {KEY}"}}})]


@pytest.mark.parametrize(("judge", "options"), TYPED)
def test_a_key_typed_elsewhere_is_refused_and_not_repeated(tmp_path, provide, judge, options):
    provider = provide()
    with pytest.raises(JudgeError, match="what looks like a key") as fault:
        ask(table(1), judge, tmp_path / "t.sqlite", **options)
    assert "mistake" not in str(fault.value) and "planted" not in str(fault.value)
    assert not provider.asked


def test_names_that_only_begin_as_keys_do_pass(monkeypatch):
    monkeypatch.setenv("LOCAL_API_KEY", "ollama")
    for name in ("local/sk-writer-7b", "rk-novelist", "sk-poviedky", "hf_roberta", "ollama-7b"):
        refuse_key(name, "the name")
        assert hide_keys(f"no model {name}") == f"no model {name}"


@pytest.mark.parametrize("key", ["sk-pa55-word\nx-other: 1", "sk-pa55-wörd", "sk-pa55\x00word", ""])
def test_what_can_be_no_key_is_sent_nowhere_and_seen_nowhere(tmp_path, provide, monkeypatch, key):
    provider = provide()
    # which no shell could hold
    monkeypatch.setattr(os, "environ", dict(os.environ) | {"OPENAI_API_KEY": key})
    with pytest.raises(JudgeError, match="environment variable OPENAI_API_KEY") as fault:
        ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert "pa55" not in str(fault.value) and not provider.asked
    os.environ["OPENAI_API_KEY"] = "none-00 \n"  # as a file gives it
    ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert provider.headers["authorization"] == "Bearer none-00"


def test_a_local_server_hears_nothing_of_an_account_but_its_own_key(tmp_path, provide, monkeypatch):
    provider = provide()
    words = {"ORG_ID": "org", "PROJECT_ID": "pro", "CUSTOM_HEADERS": "x-my: cus"}
    for name, value in words.items():
        monkeypatch.setenv(f"OPENAI_{name}", f"{value}-secret")
    ask(table(1), LOCAL, tmp_path / "t.sqlite")
    assert "secret" not in str(provider.headers) and KEY not in str(provider.headers)
    ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert provider.headers["openai-organization"] == "org-secret"
    monkeypatch.setenv("LOCAL_API_KEY", "gateway-0123456789")
    ask(table(2), f"{LOCAL}?price=free", tmp_path / "t.sqlite")
    assert provider.headers["authorization"] == "Bearer gateway-0123456789"


URLS = [
    "http://user:pa55-word@127.0.0.1:9/v1",
    "http://127.0.0.1:9/v1?api_key=pa55-word",
    "http://127.0.0.1:port/v1",
    "ftp://u:pa55-word@host",
    "http://127.0.0.1:9/v1\x01",
]
ADDRESSES = [
    (judge, f"{judge.split('/')[0].upper()}_BASE_URL", url, "is not a usable address")
    for url in URLS
    for judge in (OPENAI, LOCAL)
]
PROXIES = [f"http://u:pa55-word@127.0.0.1:{port}" for port in ("port", "99999")]
ADDRESSES += [(LOCAL, "HTTP_PROXY", url, "ALL_PROXY is not a usable proxy") for url in PROXIES]


@pytest.mark.parametrize(("judge", "name", "url", "said"), ADDRESSES)
def test_an_unusable_address_is_one_clear_error_that_repeats_none_of_it(
    tmp_path, monkeypatch, judge, name, url, said
):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv(name, url)
    with pytest.raises(JudgeError, match=said) as fault:
        ask(table(1), judge, tmp_path / "t.sqlite")
    assert "pa55" not in str(fault.value)
    assert "PROXY" in name or str(fault.value).startswith(f"the environment variable {name} is")


@pytest.mark.parametrize(("key", "said"), [("a1b2c3d", "a1b2c3d"), ("a1b2c3d4", "[SOME_KEY]")])
def test_eight_characters_are_a_key_and_seven_a_word(monkeypatch, key, said):
    monkeypatch.setenv("SOME_KEY", key)
    assert hide_keys(f"no answer for {key}") == f"no answer for {said}"
