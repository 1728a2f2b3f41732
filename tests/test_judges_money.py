"""Servers that mean harm: what is billed never exceeds the cap, nothing paid is lost, nothing
hangs, nothing is made up."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import tracemalloc

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty_server import BODIES, ODD_MESSAGE, ODD_REPLY, ODD_USAGE, NastyServer

from helpers import judges
from helpers.judges import attempts, labels, prices, prompts, providers
from helpers.judges.ask import read_form
from helpers.judges.calls import TRANSCRIPTS, find_store, list_calls
from helpers.judges.replies import Failed, read_reply, same_model
from helpers.judges.store import Answer, Store, StoreError
from helpers.sources.public import ROOT

OPENAI, ANTHROPIC, CAP = "openai/gpt-4o", "anthropic/claude-opus-5-5", 0.11


def table(count, word="word ", name=""):
    return pd.DataFrame(
        {
            "item": [f"{name}{i}" for i in range(count)],
            "shared": "",
            "prompt": [f"{word * 100}{name} {i}?" for i in range(count)],
        }
    )


@pytest.fixture
def nasty(monkeypatch):
    """A function that starts a nasty server and points both SDKs at it."""
    started = []

    def start(mode, share=1.0, **options):
        server = NastyServer(mode, share, **{"latency": 0.005} | options).__enter__()
        started.append(server)
        for name, value in {
            "OPENAI_BASE_URL": server.url,
            "ANTHROPIC_BASE_URL": server.url[:-3],
            "LOCAL_BASE_URL": server.url,
            "OPENAI_API_KEY": "none-00",
            "ANTHROPIC_API_KEY": "none-00",
        }.items():
            monkeypatch.setenv(name, value)
        return server

    monkeypatch.setattr(attempts, "PAUSE", 0.01)
    yield start
    for server in started:
        server.__exit__()


def ask(requests, judge, path, seconds=40, parse=labels.parse_yes_no, **options):
    """Return (answers, why it stopped or ''); fail if it takes longer than `seconds`."""
    found = []

    def work():
        try:
            found.append(
                (
                    judges.ask(requests, judge, parse, transcripts=path, progress=False, **options),
                    "",
                )
            )
        except judges.Incomplete as stop:
            found.append((stop.answers, str(stop)))
        except Exception as fault:
            found.append(fault)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    assert not thread.is_alive(), "it hangs"
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def failures(path):
    return pd.DataFrame(
        sqlite3.connect(path).execute("SELECT key, note, usd FROM failures").fetchall(),
        columns=["key", "note", "usd"],
    )


@pytest.mark.parametrize("concurrency", [1, 8, 64])
def test_a_run_that_reaches_its_cap_ends_and_says_so(tmp_path, nasty, concurrency):
    server = nasty("full")
    answers, why = ask(
        table(60),
        OPENAI,
        tmp_path / "t.sqlite",
        max_usd=0.14,
        max_output_tokens=200,
        concurrency=concurrency,
    )
    assert (
        why.startswith("stopped: the next call may cost $")
        and "max_usd=0.14" in why
        and "raise max_usd" in why
    )
    assert 0.9 * 0.14 < server.billed <= 0.14 and answers.attrs["usd"] == pytest.approx(
        server.billed, abs=1e-4
    )
    assert answers["status"].eq("ok").sum() == len(set(server.answered)) < 60


@pytest.mark.parametrize(
    "mode", ["lost", "reset", "choices-empty", "chinese", "gateway-504", *ODD_USAGE, *BODIES]
)
def test_what_is_billed_never_exceeds_the_cap(tmp_path, nasty, mode):
    server, path = nasty(mode, 0.8), tmp_path / "t.sqlite"
    word = "字词" if mode == "chinese" else "word "
    answers, _ = ask(table(40, word), OPENAI, path, max_usd=CAP, max_output_tokens=200)
    assert 0 < server.billed <= answers.attrs["usd"] + 1e-9 <= CAP + 1e-9
    assert answers["usd"].sum() + failures(path)["usd"].sum() == pytest.approx(
        answers.attrs["usd"], abs=1e-6 * server.requests
    )
    assert answers.loc[answers["status"] == "ok", "input_tokens"].isna().any() == (
        mode in ODD_USAGE
    )
    with Store(path) as kept:  # whole and proper replies are kept, all of them
        assert set(server.answered) == set(kept.get(server.answered))


@pytest.mark.parametrize(
    "judge, mode",
    [*((OPENAI, mode) for mode in ODD_REPLY), *((ANTHROPIC, mode) for mode in ODD_MESSAGE)],
)
def test_one_odd_reply_ends_nothing_but_its_own_call(tmp_path, nasty, judge, mode):
    nasty(mode, 0.2)
    answers, why = ask(
        table(40), judge, tmp_path / "t.sqlite", max_usd=5.0, max_output_tokens=50, concurrency=16
    )
    assert not why and answers["status"].eq("ok").sum() >= 38
    for note in answers.loc[answers["status"] == "error", "note"]:
        assert "documented shape" in note
    lost = failures(tmp_path / "t.sqlite")
    if mode not in (
        "surrogate",
        "finish-list",
        "finish-surrogate",
        "stop-number",
        "usage-none",
        "usage-floats",
    ):
        assert (
            lost["note"].str.contains("documented shape").all()
            and (lost.loc[lost["note"].str.len() > 0, "usd"] >= 0).all()
        )
        assert lost["usd"].gt(0).sum() >= 3  # paid, of no use, and on record
    if mode == "surrogate":
        assert answers["text"].str.contains("Half \ufffd a letter").sum() > 1


def test_asks_that_share_a_budget_spend_it_once(tmp_path, nasty):
    server, budget, ends = nasty("full"), judges.Budget(0.12), []
    for name in "abcde":
        ends.append(
            ask(
                table(20, name=name),
                OPENAI,
                tmp_path / "t.sqlite",
                max_usd=budget,
                max_output_tokens=200,
            )[1]
        )
    assert (
        0.08 < server.billed <= budget.spent + 1e-9 <= 0.12
        and ends[0] == ""
        and all(ends[3:])
        and budget.held == 0
    )
    assert "of which $0.0" in ends[-1]


@pytest.mark.parametrize("amount", [-1, float("nan"), float("inf"), "1", None, True])
def test_what_is_no_amount_is_no_cap(tmp_path, amount):
    with pytest.raises(judges.JudgeError, match="max_usd="):
        judges.ask(
            table(1), OPENAI, labels.parse_yes_no, max_usd=amount, transcripts=tmp_path / "t.sqlite"
        )


@pytest.mark.parametrize(
    "params, what",
    [
        ({"n": 8}, "'n'"),
        ({"service_tier": "priority"}, "service_tier"),
        ({"max_tokens": None}, "max_output_tokens=None"),
    ],
)
def test_parameters_that_would_change_the_price_are_refused(tmp_path, params, what):
    with pytest.raises(judges.JudgeError, match=what):
        judges.ask(
            table(1),
            OPENAI,
            labels.parse_yes_no,
            params=params,
            max_usd=1.0,
            transcripts=tmp_path / "t.sqlite",
        )


def test_a_batch_is_bounded_by_what_its_answers_can_cost_not_by_earlier_ones(tmp_path, nasty):
    server, path = nasty("batch-full", 0.0), tmp_path / "t.sqlite"
    ask(table(5), OPENAI, path, max_usd=1.0)
    before = server.billed
    # 55 answers of 12 tokens, or of 1,024
    answers, why = ask(table(60), OPENAI, path, max_usd=0.1, batch=True)
    assert (
        why.startswith("nothing was submitted") and server.billed == before and not server.batches
    )
    ask(table(60), OPENAI, path, max_usd=0.7, batch=True)
    answers, why = ask(table(60), OPENAI, path, max_usd=0.7, batch=True)
    assert not why and answers["status"].eq("ok").all() and 0.2 < server.billed - before <= 0.7


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])
@pytest.mark.parametrize("mode", ["create-lost", "create-500"])
def test_a_batch_whose_creation_was_not_heard_of_is_bought_once(tmp_path, nasty, judge, mode):
    server, path = nasty(mode), tmp_path / "t.sqlite"
    with pytest.raises(judges.JudgeError, match="looked up before anything is sent|run again"):
        ask(table(10), judge, path, max_usd=5.0, batch=True)
    for _ in range(3):
        answers, why = ask(table(10), judge, path, max_usd=5.0, batch=True)
    assert len(server.batches) == 1 and not why and answers["status"].eq("ok").all()


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])
def test_bad_lines_of_a_batch_are_noted_and_block_nothing(tmp_path, nasty, judge):
    nasty("bad-line")
    ask(table(10), judge, tmp_path / "t.sqlite", max_usd=5.0, batch=True)
    answers, why = ask(table(10), judge, tmp_path / "t.sqlite", max_usd=5.0, batch=True)
    # the tenth was sent again
    assert answers["status"].eq("ok").sum() == 9 and "1 answers are in a batch" in why
    notes = failures(tmp_path / "t.sqlite")["note"]
    assert (
        notes.str.contains("no line came back").sum() == 1
        and notes.str.contains("belongs to no call").sum() == 6
    )


def test_a_batch_that_the_provider_refuses_is_noted_costs_nothing_and_is_sent_again(
    tmp_path, nasty
):
    server, path = nasty("batch-failed"), tmp_path / "t.sqlite"
    for _ in range(3):
        answers, why = ask(table(3), OPENAI, path, max_usd=5.0, batch=True)
    assert not why and answers["status"].eq("ok").all() and len(server.batches) == 2
    assert (
        failures(path)["note"].str.contains("invalid file").sum() == 3
        and failures(path)["usd"].eq(0).all()
    )


def test_a_provider_that_asks_for_an_hour_stops_the_run_and_says_so(tmp_path, nasty):
    nasty("busy", 0.1)
    begin = time.monotonic()
    answers, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", max_usd=5.0)
    assert (
        "asks to wait 3600 s" in why and "run again later" in why and time.monotonic() - begin < 10
    )
    assert answers["note"].eq("not asked").any()


def test_a_reply_that_drips_ends_with_its_call_and_a_run_of_them_with_the_run(tmp_path, nasty):
    server = nasty("drip", drip=0.05)
    begin = time.monotonic()
    answers, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", max_usd=5.0, call_seconds=1.0)
    assert "no whole answer within 1 s" in why and time.monotonic() - begin < 10
    assert server.requests <= 16 and answers.attrs["usd"] >= server.billed
    _, why = ask(
        table(60), OPENAI, tmp_path / "t.sqlite", max_usd=5.0, call_seconds=3.0, run_seconds=0.5
    )
    assert "longer than 0.5 s (run_seconds)" in why


@pytest.mark.parametrize("mode", ["long", "bomb"])
def test_a_reply_is_read_up_to_a_limit_and_more_is_the_error_of_its_call(tmp_path, nasty, mode):
    server, path = nasty(mode, 0.5), tmp_path / "t.sqlite"
    tracemalloc.start()
    begin = time.monotonic()
    answers, _ = ask(table(12), OPENAI, path, max_usd=5.0, concurrency=8)
    seconds, peak = time.monotonic() - begin, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    lost = answers[answers["status"] != "ok"]
    assert 0 < len(lost) < 12 and lost["note"].str.contains("longer than 202,400 bytes").all()
    assert seconds < 2 and (mode == "long" or peak < 3e7)  # the server's own 2 MB are counted too
    # booked, and asked once
    assert failures(path)["usd"].gt(0).sum() == len(lost) and server.requests == 12


def test_a_packed_reply_is_unpacked(tmp_path, nasty):
    nasty("gzip")
    answers, _ = ask(table(2), OPENAI, tmp_path / "t.sqlite", max_usd=1.0)
    assert set(answers["verdict"]) == {"Yes"}


def test_items_and_texts_with_half_a_character(tmp_path, nasty):
    server = nasty("good")
    requests = table(3).assign(item=["half \ud83d", "b", "c"])
    requests.loc[2, "prompt"] = "half \udc00?"
    answers, why = ask(requests, OPENAI, tmp_path / "t.sqlite", max_usd=1.0)
    assert (
        answers["status"].tolist() == ["ok", "ok", "error"]
        and "save it as UTF-8" in answers["note"].iloc[2]
    )
    ask(requests.head(2), OPENAI, tmp_path / "t.sqlite", offline=True)
    assert answers["item"].tolist() == requests["item"].tolist() and server.requests == 2


def test_an_answer_that_cannot_be_stored_costs_no_other(tmp_path, nasty, monkeypatch):
    nasty("good")
    real = Store.put

    def put(self, answers):
        if any(answer.item == "3" for answer in answers):
            raise sqlite3.InterfaceError("bad parameter")
        return real(self, answers)

    monkeypatch.setattr(Store, "put", put)
    answers, _ = ask(table(20), OPENAI, tmp_path / "t.sqlite", max_usd=5.0, concurrency=16)
    assert answers["status"].eq("ok").all()  # also the one that only the table has
    with Store(tmp_path / "t.sqlite") as kept:
        assert len(kept.get(answers["key"])) == 19


def with_pragma(monkeypatch, pragma):
    """Let every store that is opened from now on have a limit of SQLite's own."""

    def start(self, path, _real=Store.__init__):
        _real(self, path)
        self.db.execute(f"PRAGMA {pragma}")

    monkeypatch.setattr(Store, "__init__", start)


def test_a_full_disk_ends_the_run_and_what_was_paid_is_in_the_table(tmp_path, nasty, monkeypatch):
    server, path = nasty("good"), tmp_path / "t.sqlite"
    with monkeypatch.context() as patch:
        with_pragma(patch, "max_page_count=10")
        answers, why = ask(table(60), OPENAI, path, max_usd=5.0)
    assert (
        "the store cannot be written (database or disk is full)" in why
        and answers["note"].eq("not asked").any()
    )
    assert answers["status"].eq("ok").sum() == server.requests  # kept or not
    with Store(path) as store:
        kept = len(store.get(server.asked))
    answers, why = ask(table(60), OPENAI, path, max_usd=5.0)
    assert not why and answers["status"].eq("ok").all() and 0 < kept < 60
    assert len(set(server.asked)) == 60 == server.requests - (len(server.asked) - 60)
    assert server.requests <= 60 + 8  # asked again: those under way when the disk was full


@pytest.mark.parametrize("batch", [False, True])
def test_a_store_that_cannot_be_written_is_refused_before_anything_is_paid(
    tmp_path, nasty, monkeypatch, batch
):
    server, path = nasty("good"), tmp_path / "t.sqlite"
    with monkeypatch.context() as patch:
        with_pragma(patch, "query_only=1")
        with pytest.raises(StoreError, match="t.sqlite: .*readonly"):
            ask(table(3), OPENAI, path, max_usd=5.0, batch=batch)
    assert not server.requests and not server.batches


def test_a_batch_on_a_full_disk_is_bought_once(tmp_path, nasty, monkeypatch):
    server, path = nasty("good"), tmp_path / "t.sqlite"
    with monkeypatch.context() as patch:
        with_pragma(patch, "max_page_count=8")
        with pytest.raises(judges.JudgeError, match="batch: database or disk is full"):
            ask(table(40), OPENAI, path, max_usd=5.0, batch=True)
    for _ in range(2):
        answers, why = ask(table(40), OPENAI, path, max_usd=5.0, batch=True)
    assert len(server.batches) == 1 and not why and answers["status"].eq("ok").all()


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_second_ctrl_c_drops_no_paid_reply(tmp_path, nasty):
    server, path = nasty("good", latency=0.6), tmp_path / "t.sqlite"
    code = (
        "import sys; import pandas as pd; from helpers import judges; from helpers.judges import"
        " labels\nitems = [str(i) for i in range(400)]\ntable = pd.DataFrame({'item': items,"
        f" 'shared': '', 'prompt': items}})\njudges.ask(table, {OPENAI!r}, labels.parse_yes_no,"
        " transcripts=sys.argv[1], max_usd=9, concurrency=64)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stderr=subprocess.PIPE, cwd=prompts.ROOT
    )
    until = time.monotonic() + 60
    while len(server.asked) < 100 and time.monotonic() < until:
        time.sleep(0.01)
    for _ in range(3):
        child.send_signal(signal.SIGINT)
        time.sleep(0.1)
    assert b"KeyboardInterrupt" in child.communicate(timeout=30)[1]
    with Store(path) as kept:
        assert set(server.asked) == set(kept.get(server.asked)) and 100 <= len(server.asked) < 400


@pytest.mark.parametrize(
    "url",
    [
        "http://user:pa@ss-word@127.0.0.1:9/v1",
        "http://127.0.0.1:9/v1?api_key=pa55-word",
        "http://user:pa55-word@127.0.0.1:9/v1",
        "user:pa55-word@127.0.0.1:9/v1",
        "127.0.0.1:9",
        "http://127.0.0.1:99999/v1",
        "http://127.0.0.1:port/v1",
        "ftp://u:pa55-word@host",
        "http://[::1/v1",
    ],
)
@pytest.mark.parametrize(
    "judge, name", [(OPENAI, "OPENAI_BASE_URL"), ("local/any", "LOCAL_BASE_URL")]
)
def test_an_unusable_address_is_one_clear_error_that_repeats_none_of_it(
    tmp_path, monkeypatch, judge, name, url
):
    monkeypatch.setenv("OPENAI_API_KEY", "none-00")
    monkeypatch.setenv(name, url)
    with pytest.raises(judges.JudgeError, match=f"{name} is not a usable address") as fault:
        _, why = ask(table(1), judge, tmp_path / "t.sqlite", max_usd=1.0)
        raise judges.JudgeError(why)
    assert "ss-word" not in str(fault.value) and "pa55" not in str(fault.value)


@pytest.mark.parametrize("key", ["sk-pa55-word\nx-other: 1", "sk-pa55-wörd", "sk-pa55\x00word"])
def test_what_can_be_no_key_is_sent_nowhere_and_seen_nowhere(tmp_path, nasty, monkeypatch, key):
    server = nasty("good")
    # which no shell could hold
    monkeypatch.setattr(os, "environ", dict(os.environ) | {"OPENAI_API_KEY": key})
    with pytest.raises(
        judges.JudgeError, match="OPENAI_API_KEY holds characters that no key has"
    ) as fault:
        ask(table(1), OPENAI, tmp_path / "t.sqlite", max_usd=1.0)
    assert "pa55" not in str(fault.value) and not server.requests
    os.environ["OPENAI_API_KEY"] = "none-00 \n"  # as a file gives it
    assert ask(table(1), OPENAI, tmp_path / "t.sqlite", max_usd=1.0)[0]["status"].tolist() == ["ok"]
    assert server.headers["authorization"] == "Bearer none-00"


def test_a_key_that_a_server_says_back_in_its_answer_is_not_kept(tmp_path, nasty, monkeypatch):
    nasty("echo")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
    answers, _ = ask(table(1), OPENAI, tmp_path / "t.sqlite", max_usd=1.0)
    assert (
        answers["text"].iloc[0] == "Bearer [OPENAI_API_KEY]"
        and b"planted" not in (tmp_path / "t.sqlite").read_bytes()
    )


@pytest.mark.parametrize(
    "asked, served, same",
    [
        ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-08-06", False),
        ("gpt-4o-2024-05-13", "gpt-4o", True),
        ("claude-opus-4-0", "claude-opus-4-20250514", True),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku-20241022", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gpt-4-0613", "gpt-4-0314", False),
        ("gpt-4o", "", True),
    ],
)
def test_two_dated_names_are_two_models(asked, served, same):
    assert same_model(asked, served) == same


def test_snapshots_and_long_requests_have_their_own_price():
    old, new = (
        prices.find_price("openai", f"gpt-4o-{date}")["input"]
        for date in ("2024-05-13", "2024-08-06")
    )
    assert old == 2 * new
    haiku = prices.find_price("anthropic", "claude-haiku-5-5")
    assert prices.cost(haiku, 100_000, 0) == pytest.approx(0.05) and prices.cost(
        haiku, 99_999, 0
    ) == pytest.approx(0.0099999)
    assert prices.cost(haiku, 200_000, 0, longest=50_000) == pytest.approx(0.02)


PRICED = (OPENAI, ANTHROPIC, "openai/gpt-6-sol", "anthropic/claude-haiku-5-5")
PRICES = {judge: prices.find_price(*judge.split("/")) for judge in PRICED}


@given(
    text=st.text(max_size=60),
    read=st.floats(0, 1),
    written=st.floats(0, 1),
    output=st.integers(0, 100),
    judge=st.sampled_from([*PRICES]),
)
def test_no_answer_costs_more_than_was_set_aside(text, read, written, output, judge):
    call = list_calls(
        pd.DataFrame({"item": ["a"], "shared": [text], "prompt": [text]}),
        judge,
        max_output_tokens=100,
    )[0]
    price, size = PRICES[judge], len(text.encode("utf8", "replace")) * 2
    cached = int(size * read)
    cost = prices.cost(price, size, output, cached, int((size - cached) * written))
    assert cost <= prices.most(price, providers.most_tokens(call), 100)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "content",
                    "usage",
                    "model",
                    "text",
                    "type",
                    "prompt_tokens",
                    "refusal",
                    "completion_tokens",
                    "input_tokens",
                    "output_tokens",
                    "finish_reason",
                    "stop_reason",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(
    body=st.dictionaries(
        st.sampled_from(["choices", "content", "usage", "model", "stop_reason"]), anything
    ),
    judge=st.sampled_from([OPENAI, ANTHROPIC, "local/any"]),
)
def test_a_reply_is_an_answer_or_a_failure_and_nothing_else(body, judge):
    call = list_calls(table(1), judge)[0]
    try:
        answer = read_reply(body, call)
    except Failed as fault:
        answer = fault.billed
    if isinstance(answer, Answer):
        counts = answer[10:14]
        assert counts == (None,) * 4 or all(
            type(count) is int and 0 <= count < 10**8 for count in counts
        )
        assert (
            isinstance(answer.text, str)
            and isinstance(answer.finish, str)
            and answer.text.encode() is not None
        )


@pytest.mark.parametrize("tokens, written", [(0, 5), (0, 0), (9, 0)])
def test_a_text_for_no_tokens_is_booked_at_the_worst(tokens, written):
    call = list_calls(table(1), OPENAI)[0]
    body = {
        "choices": [{"message": {"content": "Verdict: Yes"}, "finish_reason": "stop"}],
        "model": "gpt-4o",
        "usage": {"prompt_tokens": tokens, "completion_tokens": written},
    }
    assert read_reply(body, call).output_tokens is None


def test_a_relative_transcript_store_is_below_the_project_wherever_python_runs(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    assert (
        find_store("outputs/mine.sqlite") == ROOT / "outputs" / "mine.sqlite"
        and find_store() == TRANSCRIPTS
    )
    assert find_store(tmp_path / "t.sqlite") == tmp_path / "t.sqlite"


def test_what_a_provider_writes_to_its_cache_is_recorded():
    usage = {
        "prompt_tokens": 90,
        "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 30, "cache_write_tokens": 40},
    }
    reply = {
        "model": "gpt-4o",
        "choices": [{"message": {"content": "x"}, "finish_reason": "stop"}],
        "usage": usage,
    }
    answer = read_reply(reply, list_calls(table(1), OPENAI)[0])
    assert (
        answer.input_tokens,
        answer.cached_tokens,
        answer.written_tokens,
        answer.output_tokens,
    ) == (90, 30, 40, 5)


def free_text(text):
    """Return what a guesser would read: the structured answer below would mislead it."""
    return "No" if "Verdict: No" in text else None


free_text.form = "yes_no"


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC, "local/any"])
def test_a_structured_answer_is_read_from_its_label_alone(tmp_path, nasty, judge):
    server, path = nasty("good"), tmp_path / "t.sqlite"
    answers, why = ask(table(3), judge, path, parse=free_text, max_usd=1.0)
    assert set(answers["verdict"]) == {"Yes"} and set(answers["note"]) == {""} and not why
    sent = (
        server.last["output_config"]["format"]
        if judge == ANTHROPIC
        else server.last["response_format"]["json_schema"]
    )
    assert sent["schema"]["required"] == ["analysis", "verdict"] and "form" not in server.last
    assert judges.plan(table(3), judge, transcripts=path)["answered"].iloc[0] == 3
    again, _ = ask(table(3), judge, path, parse=free_text, offline=True)
    assert again["key"].tolist() == answers["key"].tolist()
    plain, _ = ask(table(3), judge, path, parse=free_text, max_usd=1.0, structured=False)
    assert set(plain["verdict"]) == {None} and not set(plain["key"]) & set(answers["key"])
    assert "response_format" not in server.last and "output_config" not in server.last


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC, "local/any"])
def test_a_model_that_takes_no_schema_is_asked_in_plain_text_and_every_note_says_so(
    tmp_path, nasty, judge
):
    server, path = nasty("no-form"), tmp_path / "t.sqlite"
    yes_no = labels.parse_yes_no
    parse = lambda text: yes_no(text)  # noqa: E731
    parse.form = "yes_no"
    answers, why = ask(table(6), judge, path, parse=parse, max_usd=1.0)
    assert (
        not why
        and set(answers["verdict"]) == {"Yes"}
        and answers["note"].str.contains("no JSON schema").all()
    )
    before = len(server.answered)
    again, _ = ask(table(6), judge, path, parse=parse, offline=True)
    assert again["key"].tolist() == answers["key"].tolist() and len(server.answered) == before == 6


@pytest.mark.parametrize(
    "text, verdict",
    [
        ('{"analysis": "Verdict: No", "verdict": "Yes"}', "Yes"),
        (' {"verdict": "No", "analysis": ""}\n', "No"),
        ('{"analysis": "", "verdict": "yes"}', None),
        ('{"verdict": "Yes"}', None),
        ('{"analysis": "", "verdict": "Yes"} Yes', None),
        ('{"analysis": "", "verdict": "No", "verdict": "Yes"}', None),
        ('{"analysis": 1, "verdict": "Yes"}', None),
        ("Verdict: Yes", None),
        ('[{"analysis": "", "verdict": "Yes"}]', None),
        ("[" * 100_000, None),
        ("", None),
        ('"Yes"', None),
        ("NaN", None),
    ],
)
def test_the_label_of_a_form_is_all_or_nothing(text, verdict):
    assert read_form(text, "yes_no") == verdict


def test_json_of_another_shape_is_unparsed_and_says_what_to_do(tmp_path, nasty):
    nasty("surrogate")  # answers in plain text
    answers, _ = ask(table(2), OPENAI, tmp_path / "t.sqlite", parse=free_text, max_usd=1.0)
    assert (
        set(answers["status"]) == {"unparsed"}
        and answers["note"].str.contains("structured=False").all()
    )


def test_a_batch_without_schemas_goes_on_in_plain_text(tmp_path, nasty):
    server, path = nasty("batch-no-form"), tmp_path / "t.sqlite"
    for _ in range(2):
        answers, why = ask(table(4), OPENAI, path, parse=free_text, max_usd=5.0, batch=True)
    answers, why = ask(table(4), OPENAI, path, parse=free_text, max_usd=5.0, batch=True)
    assert (
        not why
        and answers["note"].str.contains("no JSON schema").all()
        and answers["text"].str.contains("Weighed").all()
    )
    assert len(server.batches) == 2
