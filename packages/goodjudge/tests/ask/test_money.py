"""Money: what is billed never exceeds the cap, whatever the provider answers; the price is shown
first; one budget holds for all that is asked with it."""

import json
import math
import random

import httpx2
import pandas as pd
import pytest
from goodjudge.ask import Budget, Incomplete, JudgeError, Options, labels, plan_cost, prices, run
from goodjudge.ask import ask as ask_judge
from goodjudge.ask.budget import Bill, find_price, tell_most, tell_usd, to_micro
from goodjudge.ask.calls import list_calls
from goodjudge.ask.prices import same_model
from goodjudge.ask.providers import most_tokens
from goodjudge.ask.reader import Reader
from goodjudge.ask.replies import Charge, read_reply
from goodjudge.ask.store import Store
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from judges_kit import ANTHROPIC, KEY, LOCAL, OPENAI, VERDICT, ask, attack, failures, table

CAP = 0.11
MINI = "openai/gpt-4o-mini"
FLASH = "local/gemini?price=google/gemini-2.5-flash"
GATEWAY = "local/my-own-name?price=openai/gpt-4o-mini"
WHOLE = {"max_output_tokens": 200}


@pytest.fixture
def gateway(monkeypatch):
    """local/ is a server elsewhere, of which nobody knows whether it costs anything."""
    monkeypatch.setenv("LOCAL_BASE_URL", "https://gateway.example/v1")


def says(usage=None, **fields):
    """Return `odd` that changes fields of a reply, and of its usage."""

    def odd(n, reply, request):
        reply.update(fields)
        reply["usage"].update(usage or {})

    return odd


# ── Reserved before, settled after ────────────────────────────────────────────────────────────────


class Money(RuleBasedStateMachine):
    """Requests of several runs on one budget: some are under way, some are settled at anything up
    to their worst. The cap holds at every moment."""

    def __init__(self):
        super().__init__()
        self.budget = Budget(0.000100)
        self.under_way = []
        self.billed = 0

    @rule(micro=st.integers(0, 60))
    def reserve(self, micro):
        fits = self.billed + sum(self.under_way) + micro <= 100
        held = self.budget.hold(micro)
        assert held == (fits or micro == 0), "no less is allowed than there is, and no more"
        if held:
            self.under_way.append(micro)

    @rule(share=st.floats(0, 1), place=st.integers(0, 10))
    def settle(self, share, place):
        if self.under_way:
            micro = self.under_way.pop(place % len(self.under_way))
            self.billed += self.budget.settle(micro, micro * share / 1e6)

    @rule()
    def stop(self):
        for micro in self.under_way:  # a run that is aborted books the worst
            self.billed += self.budget.settle(micro, micro / 1e6)
        self.under_way = []

    @invariant()
    def holds(self):
        assert self.budget.spent_micro == self.billed
        assert self.budget.held == sum(self.under_way)
        assert self.budget.spent_micro + self.budget.held <= 100


TestMoney = Money.TestCase
TestMoney.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)


@pytest.mark.parametrize("concurrency", [1, 64])
def test_a_run_spends_nearly_its_cap_never_more_and_says_so(tmp_path, provide, concurrency):
    provider, budget = provide(full=True), Budget(0.14)
    options = {"max_usd": budget, "concurrency": concurrency}
    answers, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", **options, **WHOLE)
    there = answers["status"].eq("ok").sum()
    assert 0.9 * 0.14 < provider.billed <= 0.14 and budget.held == 0
    assert answers.attrs["usd"] == pytest.approx(provider.billed, abs=1e-4)
    assert budget.spent == pytest.approx(answers.attrs["usd"], abs=1e-9)
    assert there == len(provider.answered) < 60 and answers.attrs["calls"] == len(provider.asked)
    assert why.startswith("stopped: the next call may cost $")
    assert f"max_usd=0.14 are left; {there} of 60 answered; all would cost about $0." in why
    assert not answers.attrs["complete"]


def test_asks_that_share_a_budget_spend_it_once(tmp_path, provide):
    provider, budget, ends = provide(full=True), Budget(0.12), []
    for number, name in enumerate("abcde"):
        judge = (OPENAI, ANTHROPIC)[number % 2]
        asked = table(20, name=name)
        ends.append(ask(asked, judge, tmp_path / "t.sqlite", max_usd=budget, **WHOLE)[1])
    assert 0.08 < provider.billed <= budget.spent + 1e-9 <= 0.12 and budget.held == 0
    assert ends[0] == "" and all(ends[3:])


@pytest.mark.parametrize("seed", range(12))
def test_a_random_server_never_bills_more_than_a_random_cap(tmp_path, provide, seed):
    billed, budget = attack(random.Random(seed), provide, tmp_path / "t.sqlite")
    assert billed <= min(budget.spent, budget.max_usd) + 1e-9 and budget.held == 0


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])
def test_no_paid_call_without_money(tmp_path, provide, judge):
    provider = provide()
    options = Options(transcripts=tmp_path / "t.sqlite")
    with pytest.raises(Incomplete, match="nothing was asked: 4 calls .* max_usd=0.0") as end:
        ask_judge(table(4), judge, labels.YES_NO, options)
    assert end.value.answers["note"].tolist() == ["not asked"] * 4 and not provider.asked


# judge, options, what is said: nothing is asked
REFUSED = [
    *((OPENAI, {"max_usd": no}, "max_usd=") for no in (-1, math.nan, math.inf, "1", None, True)),
    *(
        (OPENAI, {"params": {name: value}}, name)
        for name, value in {
            "n": 8, "service_tier": "priority", "tools": [], "max_completion_tokens": 9,
            "cache_control": {"type": "ephemeral", "ttl": "1h"}, "price": "free", "max_tokens": 0,
        }.items()
    ),
    (LOCAL, {"params": {"best_of": 5}}, "best_of"),
    ("local/x", {}, r"nobody knows what local/x costs there.*\?price="),
    *((f"{OPENAI}?price={no}", {}, r"\?price=") for no in ("free", "nobody/x", "google/gemini-99")),
    ("openai/gpt-4o-mini-next", {}, "openai/gpt-4o-mini-next.*GOODJUDGE_PRICES"),
]  # fmt: skip


@pytest.mark.parametrize(("judge", "options", "said"), REFUSED)
def test_what_has_no_price_or_would_change_it_is_refused_and_nothing_is_asked(
    tmp_path, provide, gateway, judge, options, said
):
    provider = provide()
    with pytest.raises((JudgeError, prices.PriceError), match=said):
        ask(table(1), judge, tmp_path / "t.sqlite", **options)
    assert not provider.asked


# ── Whatever the server answers ───────────────────────────────────────────────────────────────────

BODIES = [b"<html>", b"[1]", b"[" * 100_000, b"\xff\xfe{", b"", b'{"usage":' + b"9" * 9999]
BODIES += [{"choices": []}, {"choices": [{"message": VERDICT}]}, {"error": {"message": "Broke"}}]
FAULTS = [500, 408, httpx2.ReadError("cut"), httpx2.ReadTimeout("late"), *BODIES]


@pytest.mark.parametrize("fault", FAULTS)
def test_work_without_an_answer_is_booked_and_its_retries_too(tmp_path, provide, fault):
    sent = json.dumps(fault).encode() if isinstance(fault, dict) else fault
    provider = provide(lambda n, reply, request: sent if n % 4 else None, full=True)
    path = tmp_path / "t.sqlite"
    answers, _ = ask(table(40), OPENAI, path, max_usd=CAP, **WHOLE)
    assert 0 < provider.billed <= answers.attrs["usd"] <= CAP + 1e-9
    noted = answers["usd"].sum() + failures(path)["usd"].sum()
    assert noted == pytest.approx(answers.attrs["usd"], abs=1e-6 * len(provider.asked))
    with Store(path) as kept:
        assert set(provider.answered) == set(kept.get(provider.answered))


@pytest.mark.parametrize("fault", [400, 429, 503, httpx2.ConnectTimeout("no")])
def test_what_was_not_worked_on_costs_nothing(tmp_path, provide, fault):
    provide(lambda n, reply, request: fault if n == 3 else None)
    answers, why = ask(table(6), OPENAI, tmp_path / "t.sqlite")
    assert not why and answers["status"].eq("ok").sum() == (5 if fault == 400 else 6)
    assert answers.attrs["usd"] == pytest.approx(answers["usd"].sum(), abs=1e-5)
    assert failures(tmp_path / "t.sqlite")["usd"].sum() == 0


DEAREST = max(prices.cost(line, 500, 1000) for line in prices.read_prices("openai").values())
LONG = {"prompt_tokens": 500, "completion_tokens": 1000}
GPT4O = 500 * 2.5e-6 + 1000 * 10e-6
TWICE = 0.0  # twice what was billed, at least
# judge, what a reply says, USD booked at least, why the run ends
ENDS = [
    *(
        (MINI, says(LONG, model=name), DEAREST, f"asked for gpt-4o-mini, answered by {name}; no")
        for name in ("gpt-4o", "gpt-4o-mini-tts", "some-model-of-tomorrow")
    ),
    (MINI, says(LONG, model="gpt-4o", choices=[]), GPT4O, "answered by gpt-4o"),
    (GATEWAY, says(model="openai/gpt-4o"), 0.0, "answered by openai/gpt-4o; no more was asked"),
    (OPENAI, says(service_tier="priority"), TWICE, "names service_tier='priority', which was not"),
    (ANTHROPIC, says({"inference_geo": "us"}), TWICE, "names inference_geo='us'"),
    (ANTHROPIC, says({"speed": "fast"}), TWICE, "names speed='fast'"),
    (
        ANTHROPIC,
        says({"cache_creation": {"ephemeral_1h_input_tokens": 800}}),
        TWICE,
        "names a cache for an hour",
    ),
    (OPENAI, says({"prompt_tokens": 90_000}), 0.0, "more than such a call can cost"),
]


@pytest.mark.parametrize(("judge", "odd", "least", "said"), ENDS)
def test_a_reply_that_may_be_dearer_is_booked_dearer_and_is_the_last(
    tmp_path, provide, gateway, judge, odd, least, said
):
    provider = provide(odd)
    answers, why = ask(table(30), judge, tmp_path / "t.sqlite", concurrency=8)
    assert said in why and len(provider.asked) == 1
    booked = answers.attrs["usd"]
    assert booked >= max(least - 1e-5, provider.billed)
    if "names" in said:  # it was paid for: it is kept, and booked at the worst
        assert answers["status"].eq("ok").sum() == 1 and booked >= 2 * provider.billed
    elif "gpt-4o-mini" in said:
        assert set(answers["status"]) == {"error"}


# judge, model that the reply names: it is the one that was asked, under another name or none
SAME_MODEL = [
    *((MINI, no) for no in (None, 7, "", ["gpt-4o"], "the best model")),
    *((GATEWAY, name) for name in ("my-deployment", "gpt-4.1-nano")),
    ("openai/my-own?price=openai/gpt-4o", "gpt-4o-2024-08-06"),
]


@pytest.mark.parametrize(("judge", "served"), SAME_MODEL)
def test_a_reply_that_names_no_other_model_is_the_asked_models(
    tmp_path, provide, gateway, judge, served
):
    provide(says(model=served))
    answers, why = ask(table(9), judge, tmp_path / "t.sqlite")
    assert not why and answers["status"].eq("ok").all()
    usual = prices.cost(prices.find_price("openai", "gpt-4o-mini"), 135, 12)
    usual *= 1 if "mini" in judge else 2.5 / 0.15
    assert answers["usd"].between(usual / 2, usual * 2).all()


@pytest.mark.parametrize(
    ("asked", "served", "usd"),  # USD for a million tokens of input and output
    [(OPENAI, "openai/gpt-4o-2024-05-13", [5, 15]), (FLASH, "deployment-7", [0.3, 2.5])],
)
def test_a_dearer_date_is_booked_dearer_and_the_cap_holds(
    tmp_path, provide, gateway, asked, served, usd
):
    provider = provide(says(model=served), full=True)
    cap = 0.01 * sum(usd) / 2
    answers, why = ask(table(80), asked, tmp_path / "t.sqlite", max_usd=cap, **WHOLE)
    tokens = answers[["input_tokens", "output_tokens"]].sum()
    assert "are left" in why and "price" not in provider.last
    assert answers.attrs["usd"] == pytest.approx((tokens * usd).sum() / 1e6, abs=1e-4)
    assert 0.75 * cap < answers.attrs["usd"] <= cap


SAME = [
    ("gpt-4o", "gpt-4o-2024-08-06", True),
    ("gpt-4o-2024-05-13", "gpt-4o-2024-08-06", False),
    ("gpt-4o-2024-05-13", "gpt-4o", True),
    ("claude-opus-4-0", "claude-opus-4-20250514", True),
    ("claude-3-5-haiku-latest", "claude-3-5-haiku-20241022", True),
    ("gpt-4o", "openai/GPT-4o", True),
    ("gpt-4o", "gpt-4o-mini", False),
    ("gpt-4-0613", "gpt-4-0314", False),
]


@pytest.mark.parametrize(("asked", "served", "same"), SAME)
def test_two_dated_names_are_two_models(asked, served, same):
    assert same_model(asked, served) == same


def openai_usage(read, said, **more):
    return {"prompt_tokens": read, "completion_tokens": said, **more}


CACHED = {"cached_tokens": 30, "cache_write_tokens": 40}
CACHE = {"cache_read_input_tokens": 30, "cache_creation_input_tokens": 40}
NOBODY_KNOWS = (None,) * 4  # so the worst is booked
COUNTED = [
    (OPENAI, openai_usage(90, 5, prompt_tokens_details=CACHED), (90, 30, 40, 5)),
    (ANTHROPIC, {"input_tokens": 20, "output_tokens": 5, **CACHE}, (90, 30, 40, 5)),
    (ANTHROPIC, {"input_tokens": True, "output_tokens": 5}, NOBODY_KNOWS),
    # reasoning that stands in the total alone is output
    (OPENAI, openai_usage(900, 5, total_tokens=931), (900, 0, 0, 31)),
    (OPENAI, openai_usage(900, 5, total_tokens=900), (900, 0, 0, 5)),
    *(
        (OPENAI, openai_usage(*counts), NOBODY_KNOWS)
        for counts in [
            (-5, 5), ("many", [1]), (10**12, 10**30), (True, True), (1e3, math.nan), (9, 0),
            (1, 300),  # fewer than the texts can have
        ]
    ),
    (OPENAI, openai_usage(9, 5, total_tokens="x"), NOBODY_KNOWS),
    (OPENAI, openai_usage(9, 9, prompt_tokens_details={"cached_tokens": 10}), NOBODY_KNOWS),
]  # fmt: skip


@pytest.mark.parametrize(("judge", "usage", "counts"), COUNTED)
def test_tokens_are_counted_as_the_provider_does_or_not_at_all(judge, usage, counts):
    message = {"message": {"content": "x"}, "finish_reason": "stop"}
    body = {"choices": [message], "content": [{"type": "text", "text": "x"}], "usage": usage}
    call = list_calls(table(1), judge, Options(), Reader(str))[0]
    answer, charge = read_reply(json.dumps(body), call)
    assert answer[10:14] == counts == charge[1:5]


# ── The price, shown first ────────────────────────────────────────────────────────────────────────


def test_an_estimate_by_hand_and_a_cap_of_that_size(tmp_path, provide):
    provider, path = provide(), tmp_path / "t.sqlite"
    plan = plan_cost(table(20), OPENAI).iloc[0]
    sent = plan["input_tokens"] * 2.5  # USD for a million tokens
    assert plan["usd_live"] == pytest.approx((sent + 20 * 2000) / 1e6)
    assert plan["usd_most"] == pytest.approx((sent + 20 * 10240) / 1e6)
    assert plan["price_date"] == "2026-03-21"
    _, why = ask(table(20), OPENAI, path, max_usd=plan["usd_live"] / 20 * 0.99)
    assert why.startswith("nothing was asked: 20 calls of openai/gpt-4o would cost about $")
    assert not provider.asked
    answers, why = ask(table(20), OPENAI, path, max_usd=plan["usd_live"], concurrency=2)
    assert not why and answers.attrs["usd"] < plan["usd_live"] < plan["usd_most"]


def test_a_terminal_hears_the_price_before_anything_is_sent(tmp_path, provide, monkeypatch):
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    provider, heard = provide(), []
    monkeypatch.setattr(run, "tell", lambda said: heard.append((len(provider.asked), said)))
    path, shown = tmp_path / "t.sqlite", {"progress": True, "max_usd": 1.0}
    ask(table(5), OPENAI, path, **shown)
    ((asked, said),) = heard
    amount = f"about {tell_usd(plan_cost(table(5), OPENAI)['usd_live'].item())}"
    assert said.startswith(f"{OPENAI}: 0 answers from the store, 5 to ask, {amount}, at most $0.")
    assert asked == 0


AMOUNTS = [
    (0, "$0.00", "$0.00"),
    (1234.5, "$1,234.50", "$1,234.50"),
    (0.104, "$0.10", "$0.11"),
    (0.0043219, "$0.00432", "$0.00433"),
    (0.000012, "$0.0000120", "$0.0000120"),
]


@pytest.mark.parametrize(("usd", "told", "most"), AMOUNTS)
def test_amounts_have_two_decimals_and_three_digits_below_a_cent(usd, told, most):
    assert (tell_usd(usd), tell_most(usd)) == (told, most)
    assert (to_micro(0.0000011), to_micro(0.000001)) == (2, 1)


def test_one_prompt_of_several_items_is_asked_and_paid_once(tmp_path, provide):
    provider, requests = provide(), table(4).assign(prompt=["the same?"] * 3 + ["another?"])
    assert plan_cost(requests, OPENAI)["calls"].tolist() == [2]
    answers, _ = ask(requests, OPENAI, tmp_path / "t.sqlite")
    assert len(provider.asked) == answers.attrs["calls"] == 2
    assert answers["item"].tolist() == requests["item"].tolist()
    assert answers["usd"].gt(0).tolist() == [True, False, False, True]


# ── Prices ────────────────────────────────────────────────────────────────────────────────────────


def test_a_price_is_no_part_of_an_answers_key(tmp_path, provide, monkeypatch):
    provider = provide()
    first, _ = ask(table(2), LOCAL, tmp_path / "t.sqlite")
    again, _ = ask(table(2), f"{LOCAL}?price=google/gemini-2.5-flash", tmp_path / "t.sqlite")
    assert first["key"].tolist() == again["key"].tolist()
    monkeypatch.setenv("LOCAL_BASE_URL", "https://gateway.example/v1")
    monkeypatch.setenv("LOCAL_SERVER", "127.0.0.1:8080")
    ask(table(2), LOCAL, tmp_path / "t.sqlite")
    assert len(provider.asked) == 2, "what is stored costs nothing at a gateway either"
    options = Options(transcripts=tmp_path / "t.sqlite")
    assert plan_cost(table(2), LOCAL, options)["usd_live"].tolist() == [0]


def test_a_server_that_bills_nobody_is_said_to(tmp_path, provide, gateway, monkeypatch):
    provide()
    answers, why = ask(table(3), "local/x?price=free", tmp_path / "t.sqlite", max_usd=0)
    assert not why and answers.attrs["usd"] == 0
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("LOCAL_API_KEY", KEY)
    assert math.isnan(find_price("local/x")["output"]), "a gateway on this machine takes a key"


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_both_sources_of_prices_agree(provider):
    others = prices.read_others(provider)
    for model, own in prices.read_prices(provider).items():
        other = prices.make_line(others[model])
        for name in ("input", "cached_input", "output", "long_from", "long_factor"):
            assert own[name] == pytest.approx(other[name]), (model, name)
        assert own["cache_write"] == pytest.approx(other["cache_write"], rel=0.05), model


BLANK = dict.fromkeys(prices.NUMBERS, 0)
PRICE = {"input": 2.0, "cached_input": 0.5, "cache_write": 3.0, "output": 10.0}
PRICE = BLANK | PRICE | {"long_from": 1000, "long_factor": 2}  # USD for a million tokens


def test_costs_by_hand():
    cost = prices.cost(PRICE, 900, 10, 100, 200)
    assert cost == pytest.approx((600 * 2 + 100 * 0.5 + 200 * 3 + 10 * 10) / 1e6)
    assert prices.cost(PRICE, 999, 0) == pytest.approx(999 * 2e-6)
    assert prices.cost(PRICE, 1000, 0) == pytest.approx(1000 * 4e-6)
    several = prices.cost(PRICE, 5000, 0, longest=999)
    assert several == pytest.approx(5000 * 2e-6), "several requests, none of them long"
    assert prices.most(PRICE, 100, 7) == pytest.approx(100 * 3e-6 + 7 * 10e-6)
    assert prices.most(PRICE | {"cached_input": 4.0}, 100, 0) == pytest.approx(100 * 4e-6)
    assert prices.count_tokens("12345") == 2
    assert prices.count_tokens("12345老人坐在") == 6, "a Chinese letter is a token, not a quarter"
    day, night = BLANK | {"input": 2, "output": 4}, BLANK | {"input": 1, "output": 5}
    dearest = prices.take_dearest([day, night])
    assert (dearest["input"], dearest["output"]) == (2, 5), "of the hours of a day"
    assert prices.find_price("openai", "gpt-4o-2024-08-06")["model"] == "gpt-4o"


PRICED = (OPENAI, ANTHROPIC, "openai/gpt-6-sol", "anthropic/claude-haiku-5-5", FLASH)


@settings(max_examples=30)  # each of five prices, and what is read and written between the ends
@given(
    text=st.text(max_size=60),
    read=st.floats(0, 1),
    written=st.floats(0, 1),
    output=st.integers(0, 100),
    judge=st.sampled_from(PRICED),
)
def test_no_answer_costs_more_than_was_set_aside(text, read, written, output, judge):
    requests = pd.DataFrame({"item": ["a"], "shared": [text], "prompt": [text]})
    call = list_calls(requests, judge, Options(max_output_tokens=100), Reader(str))[0]
    bill, size = Bill(judge, Budget(1)), len(text.encode("utf8", "replace")) * 2
    cached = int(size * read)
    charge = Charge("", size, cached, int((size - cached) * written), output)
    reserve = bill.reserve(call, most_tokens(call))
    assert bill.price_charge(charge, reserve) <= reserve.usd
    assert bill.price_charge(True, reserve) == reserve.usd
    assert bill.price_charge(False, reserve) == 0


HEAD = ",".join(prices.COLUMNS) + "\n"
GOOD_LINE = "openai,gpt-99,1,1,1,1,1024,0,1,2026-01-01,mine\n"
OTHER_LINE = GOOD_LINE.replace("gpt-99", "b")
WRONG = [
    (HEAD + GOOD_LINE * 2, "line 3"),  # a model twice
    (HEAD + GOOD_LINE + OTHER_LINE.replace("b,1", "b,x"), "line 3"),
    (HEAD + GOOD_LINE + OTHER_LINE.replace(",0,1,", ",0,0,"), "line 3"),
    (HEAD + GOOD_LINE + OTHER_LINE.replace("2026", "n"), "line 3"),
    (GOOD_LINE, "line 1: expected the columns"),
]


@pytest.mark.parametrize(("text", "error"), WRONG)
def test_a_wrong_price_file_is_named_with_its_line(tmp_path, monkeypatch, text, error):
    (tmp_path / "own.csv").write_text(text)
    monkeypatch.setenv("GOODJUDGE_PRICES", str(tmp_path / "own.csv"))
    with pytest.raises(prices.PriceError, match=f"own.csv[,:] {error}"):
        prices.find_price("openai", "gpt-99")
