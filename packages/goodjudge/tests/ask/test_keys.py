"""Keys are written nowhere: not by a reply, an error, a judge's name, an address; and an honest
answer is never changed."""

import json
import os
import sqlite3

import httpx2
import pytest
from goodjudge.ask import JudgeError
from goodjudge.ask.addresses import hide_keys, refuse_key
from judges_kit import ANTHROPIC, KEY, LOCAL, OPENAI, ask, table

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
        if where == "not JSON":
            return f"<{KEY}>".encode()
        return None

    return odd


@pytest.mark.parametrize("where", ["model", "finish", "tier", "token", "text", "not JSON"])
def test_a_key_in_any_part_of_a_reply_is_kept_nowhere(tmp_path, provide, where):
    provide(put_key(where))
    answers, why = ask(table(2), OPENAI, tmp_path / "t.sqlite")
    assert "planted" not in everything(tmp_path / "t.sqlite", answers, why)


def test_a_key_that_json_disguises_is_kept_nowhere(tmp_path, provide):
    disguised = "".join(f"\\u{ord(character):04x}" for character in KEY)

    def odd(n, reply, request):
        reply["choices"][0]["message"]["content"] = "@\nVerdict: Yes"
        return json.dumps(reply).replace("@", disguised).encode()

    provide(odd)
    answers, why = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert answers["text"].tolist() == [f"{HIDDEN}\nVerdict: Yes"]
    assert "planted" not in everything(tmp_path / "t.sqlite", answers, why)


@pytest.mark.parametrize("key", ["a1B2c3D4e5F6g7H8i9J0k1L2", "0123456789abcdef0123456789abcdef"])
def test_a_gateways_key_without_a_providers_form_is_kept_nowhere(
    tmp_path, provide, monkeypatch, key
):
    def odd(n, reply, request):
        reply["choices"][0]["message"]["content"] = f"{key}\nVerdict: Yes"

    monkeypatch.setenv("LOCAL_API_KEY", key)
    provide(odd)
    answers, why = ask(table(1), f"{LOCAL}?price=free", tmp_path / "t.sqlite")
    assert answers["status"].tolist() == ["ok"]
    assert key not in everything(tmp_path / "t.sqlite", answers, why)


def test_a_key_among_the_parameters_is_refused(tmp_path, provide):
    provider = provide()
    with pytest.raises(JudgeError, match="params holds what looks like a key"):
        ask(table(1), LOCAL, tmp_path / "t.sqlite", params={"headers": {"x": f"Bearer {KEY}"}})
    assert not provider.asked


@pytest.mark.parametrize("part", HALVES)
@pytest.mark.parametrize("code", [307, 400, 401, 404, 422, 429, 500])
def test_a_key_or_half_of_it_in_an_error_is_hidden(tmp_path, provide, code, part):
    for before in (0, 985):  # an error is cut at 1,000 characters
        body = b"a" * before + f"Incorrect key {part}.".encode()
        headers = {"location": f"https://{part}.example/v1"}
        provide(
            lambda n, reply, request, body=body, headers=headers: httpx2.Response(
                code, content=body, headers=headers
            )
        )
        answers, why = ask(table(1), OPENAI, tmp_path / "t.sqlite")
        said = everything(tmp_path / "t.sqlite", answers, why)
        assert part not in said
        assert HIDDEN in said or before or code == 307
        assert str(code) in said


def test_a_key_in_the_words_of_a_broken_connection_is_hidden(tmp_path, provide):
    provide(lambda n, reply, request: httpx2.ReadError(f"Bearer {KEY}"))
    answers, why = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    said = everything(tmp_path / "t.sqlite", answers, why)
    assert "planted" not in said
    assert HIDDEN in said


HONEST = [
    ("PGPASSWORD", "correct horse battery staple", "The correct horse battery staple holds."),
    ("LOCAL_API_KEY", "gateway-0123456789", "A gateway-0123456789 stands in the story."),
    ("MY_TOKEN", "abcdefgh", "abcdefgh, the child sings."),
    ("DATABASE_URL", "postgres://me:open-sesame@db/x", "Open! open-sesame, he said."),
    ("OPENAI_API_KEY", KEY, f"It plants sk-p… and {KEY[: len(KEY) // 2]} decoded ***cdef."),
]


@pytest.mark.parametrize(("name", "value", "text"), HONEST)
def test_an_honest_answer_is_never_changed(tmp_path, provide, monkeypatch, name, value, text):
    monkeypatch.setenv(name, value)

    def odd(n, reply, request):
        reply["choices"][0]["message"]["content"] = f"{text}\nVerdict: Yes"

    provide(odd)
    answers, _ = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert answers["text"].tolist() == [f"{text}\nVerdict: Yes"]


LONG = "sk-proj-typed-by-mistake-0123"


@pytest.mark.parametrize(
    "judge", [LONG, f"openai/{LONG}", KEY, f"local/{KEY}", f"local/x?a={LONG}"]
)
def test_a_key_typed_as_a_judge_is_refused_and_not_repeated(tmp_path, provide, judge):
    provider = provide()
    with pytest.raises(JudgeError, match="what looks like a key") as fault:
        ask(table(1), judge, tmp_path / "t.sqlite")
    assert "mistake" not in str(fault.value)
    assert "planted" not in str(fault.value)
    assert not provider.asked


@pytest.mark.parametrize("name", ["local/sk-writer-7b", "rk-novelist", "sk-poviedky", "hf_roberta"])
def test_names_that_only_begin_as_keys_do_pass(name):
    refuse_key(name, "the name")


def test_a_short_key_is_part_of_other_words(monkeypatch):
    monkeypatch.setenv("LOCAL_API_KEY", "ollama")
    refuse_key("local/ollama-7b", "the name")
    assert hide_keys("no model ollama-7b") == "no model ollama-7b"


@pytest.mark.parametrize("key", ["sk-pa55-word\nx-other: 1", "sk-pa55-wörd", "sk-pa55\x00word", ""])
def test_what_can_be_no_key_is_sent_nowhere_and_seen_nowhere(tmp_path, provide, monkeypatch, key):
    provider = provide()
    # which no shell could hold
    monkeypatch.setattr(os, "environ", dict(os.environ) | {"OPENAI_API_KEY": key})
    with pytest.raises(JudgeError, match="environment variable OPENAI_API_KEY") as fault:
        ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert "pa55" not in str(fault.value)
    assert not provider.asked
    os.environ["OPENAI_API_KEY"] = "none-00 \n"  # as a file gives it
    ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert provider.headers["authorization"] == "Bearer none-00"


def test_a_local_server_hears_nothing_of_an_account_but_its_own_key(tmp_path, provide, monkeypatch):
    provider = provide()
    words = {"ORG_ID": "org", "PROJECT_ID": "pro", "CUSTOM_HEADERS": "x-my: cus"}
    for name, value in words.items():
        monkeypatch.setenv(f"OPENAI_{name}", f"{value}-secret")
    ask(table(1), LOCAL, tmp_path / "t.sqlite")
    assert "secret" not in str(provider.headers)
    assert KEY not in str(provider.headers)
    ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert provider.headers["openai-organization"] == "org-secret"
    monkeypatch.setenv("LOCAL_API_KEY", "gateway-0123456789")
    ask(table(2), f"{LOCAL}?price=free", tmp_path / "t.sqlite")
    assert provider.headers["authorization"] == "Bearer gateway-0123456789"


URLS = [
    "http://user:pa55-word@127.0.0.1:9/v1",
    "http://127.0.0.1:9/v1?api_key=pa55-word",
    "user:pa55-word@127.0.0.1:9/v1",
    "127.0.0.1:9",
    "http://127.0.0.1:99999/v1",
    "http://127.0.0.1:port/v1",
    "ftp://u:pa55-word@host",
    "http://[::1/v1",
    "http://\x01pa55-word/v1",
    "http://127.0.0.1:9/v1\x01",
]


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("judge", [OPENAI, LOCAL])
def test_an_unusable_address_is_one_clear_error_that_repeats_none_of_it(
    tmp_path, provide, monkeypatch, judge, url
):
    provide()
    name = f"{judge.split('/')[0].upper()}_BASE_URL"
    monkeypatch.setenv(name, url)
    said = f"^the environment variable {name} is not a usable address"
    with pytest.raises(JudgeError, match=said) as fault:
        ask(table(1), judge, tmp_path / "t.sqlite")
    assert "pa55" not in str(fault.value)


@pytest.mark.parametrize("port", ["port", "99999"])
def test_a_proxy_that_can_be_none_is_one_clear_error(tmp_path, monkeypatch, port):
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HTTP_PROXY", f"http://u:pa55-word@127.0.0.1:{port}")
    with pytest.raises(JudgeError, match="ALL_PROXY is not a usable proxy") as fault:
        ask(table(1), LOCAL, tmp_path / "t.sqlite")
    assert "pa55" not in str(fault.value)


def test_a_redirect_is_not_followed_so_that_no_key_travels(tmp_path, provide):
    moved = httpx2.Response(308, headers={"location": "https://new.example/v1?key=pa55"})
    for judge in (OPENAI, ANTHROPIC):
        provider = provide(lambda n, reply, request: moved)
        _, why = ask(table(2), judge, tmp_path / "t.sqlite")
        assert "another address, which is not followed" in why
        assert "pa55" not in why
        assert len(provider.asked) == 1
