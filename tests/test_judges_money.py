"""Money: what is billed never exceeds the cap, whatever the provider answers, nothing paid is lost,
and nothing waits for ever."""

import gzip
import json

import httpx2
import pandas as pd
import pytest
from goodjudge.ask import bodies, faults, labels, prices, providers, run, running
from goodjudge.ask.bill import Bill
from goodjudge.ask.budget import tell_guess, tell_most, tell_usd, to_micro
from goodjudge.ask.calls import list_calls
from goodjudge.ask.charges import same_model
from goodjudge.ask.replies import Charge, Failed, read_reply
from goodjudge.ask.store import Store
from hypothesis import given
from hypothesis import strategies as st
from judges_kit import ANTHROPIC, KEY, LOCAL, OPENAI, Stream, ask, failures, make_requests, table

from helpers import judges, results
from tools import record_judge as one_judge

CAP = 0.11
VERDICT = "Weighed.\nVerdict: Yes"
ODD_USAGE = {
    "null": None,
    "negative": {"prompt_tokens": -5, "completion_tokens": -(10**6)},
    "text": {"prompt_tokens": "many", "completion_tokens": [1]},
    "missing": {},
    "huge": {"prompt_tokens": 10**12, "completion_tokens": 10**30},
    "list": [1, 2],
    "bool": {"prompt_tokens": True, "completion_tokens": True},
    "float": {"prompt_tokens": 1e3, "completion_tokens": float("nan")},
    "none went in": {"prompt_tokens": 0, "completion_tokens": 9},
    "more cached than sent": {
        "prompt_tokens": 9,
        "completion_tokens": 9,
        "prompt_tokens_details": {"cached_tokens": 10},
    },
}
BODIES = [b"<html>", b"[1]", b"null", b"[" * 100_000, b"\xff\xfe{", b"", b'{"usage":' + b"9" * 9999]


AT_ONCE = pytest.mark.parametrize("concurrency", [1, 8, 64])


def ask_for_too_much(tmp_path, concurrency):
    """Ask sixty requests on a budget that pays for fewer; return (answers, why it stopped, the
    budget)."""
    budget = judges.Budget(0.14)
    options = {"max_usd": budget, "max_output_tokens": 200, "concurrency": concurrency}
    answers, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", **options)
    return answers, why, budget


@AT_ONCE
def test_a_run_that_reaches_its_cap_says_so(tmp_path, provide, concurrency):
    provide(full=True)
    answers, why, _ = ask_for_too_much(tmp_path, concurrency)
    there = answers["status"].eq("ok").sum()
    assert why.startswith("stopped: the next call may cost $")
    assert "max_usd=0.14" in why
    assert "raise max_usd" in why
    assert f"{there} of 60 answered; all would cost about $0." in why


@AT_ONCE
def test_a_run_spends_nearly_its_cap_and_never_more(tmp_path, provide, concurrency):
    provider = provide(full=True)
    answers, _, budget = ask_for_too_much(tmp_path, concurrency)
    assert 0.9 * 0.14 < provider.billed <= 0.14
    assert answers.attrs["usd"] == pytest.approx(provider.billed, abs=1e-4)
    assert budget.spent == pytest.approx(answers.attrs["usd"], abs=1e-9)
    assert budget.held == 0


@AT_ONCE
def test_at_its_cap_a_run_keeps_what_was_answered(tmp_path, provide, concurrency):
    provider = provide(full=True)
    answers, _, _ = ask_for_too_much(tmp_path, concurrency)
    assert answers["status"].eq("ok").sum() == len(provider.answered) < 60
    assert answers["note"].eq("not asked").any()
    assert not answers.attrs["complete"]
    assert answers.attrs["calls"] == len(provider.asked)


@pytest.mark.parametrize("usage", ODD_USAGE)
def test_an_impossible_count_of_tokens_is_booked_at_the_worst(tmp_path, provide, usage):
    def odd(n, reply, request):
        reply["usage"] = ODD_USAGE[usage]

    provider, path = provide(odd, full=True), tmp_path / "t.sqlite"
    answers, _ = ask(table(40), OPENAI, path, max_usd=CAP, max_output_tokens=200)
    assert 0 < provider.billed <= answers.attrs["usd"] <= CAP + 1e-9
    assert answers["usd"].sum() == pytest.approx(answers.attrs["usd"], abs=1e-4)
    assert answers.loc[answers["status"] == "ok", "input_tokens"].isna().all()
    with Store(path) as kept:
        assert set(provider.answered) == set(kept.get(provider.answered))


@pytest.mark.parametrize(
    "fault", [500, 504, 408, httpx2.ReadError("cut"), httpx2.ReadTimeout("late"), *BODIES]
)
def test_work_without_an_answer_is_booked_and_its_retries_too(tmp_path, provide, fault):
    def odd(n, reply, request):
        return fault if n % 5 else None

    provider, path = provide(odd, full=True), tmp_path / "t.sqlite"
    answers, _ = ask(table(40), OPENAI, path, max_usd=CAP, max_output_tokens=200)
    assert 0 < provider.billed <= answers.attrs["usd"] <= CAP + 1e-9
    noted = answers["usd"].sum() + failures(path)["usd"].sum()
    assert noted == pytest.approx(answers.attrs["usd"], abs=1e-6 * len(provider.asked))
    with Store(path) as kept:
        assert set(provider.answered) == set(kept.get(provider.answered))


@pytest.mark.parametrize("fault", [400, 409, 422, 429, 503, 529, httpx2.ConnectTimeout("no")])
def test_what_was_not_worked_on_costs_nothing(tmp_path, provide, fault):
    provider = provide(lambda n, reply, request: fault if n == 3 else None)
    answers, why = ask(table(6), OPENAI, tmp_path / "t.sqlite")
    assert not why
    assert answers["status"].eq("ok").sum() == (5 if fault in (400, 422) else 6)
    assert answers.attrs["usd"] == pytest.approx(answers["usd"].sum(), abs=1e-5)
    assert failures(tmp_path / "t.sqlite")["usd"].sum() == 0
    assert len(provider.asked) == (6 if fault in (400, 422) else 7)


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])
def test_a_fifth_of_requests_fail_and_none_is_lost_or_paid_twice(tmp_path, provide, judge):
    faults = [
        500,
        503,
        529,
        429,
        408,
        409,
        httpx2.ReadError("x"),
        b"<html>",
        httpx2.ReadTimeout(""),
    ]

    def odd(n, reply, request):
        return None if n % 5 else faults[n // 5 % len(faults)]

    provider = provide(odd)
    answers, why = ask(make_requests(10, 20), judge, tmp_path / "t.sqlite", concurrency=64)
    assert not why
    assert (answers["status"] == "ok").all()
    assert answers.attrs["complete"]
    assert sorted(provider.answered) == sorted(answers["key"])
    assert answers.attrs["calls"] == len(provider.asked) == 200 + 200 // 4 - 1


def test_a_call_is_asked_eight_times_at_most_and_each_request_is_booked(tmp_path, provide):
    provider = provide(lambda n, reply, request: 500)
    answers, _ = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert len(provider.asked) == 8
    assert "(request 8)" in answers["note"].iloc[0]
    assert failures(tmp_path / "t.sqlite")["usd"].gt(0).sum() == 8


def test_a_call_that_was_given_up_is_an_error_and_does_not_end_the_run(tmp_path, provide):
    provide(lambda n, reply, request: 500)
    answers, why = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert not why
    assert answers["status"].tolist() == ["error"]
    assert not answers.attrs["complete"]


def test_an_error_of_our_own_after_the_work_is_booked_at_the_worst(tmp_path, provide, monkeypatch):
    def fail(data, call):
        raise ZeroDivisionError("ours")

    provider = provide(full=True)
    monkeypatch.setattr(providers, "read_reply", fail)
    answers, _ = ask(table(3), OPENAI, tmp_path / "t.sqlite", max_output_tokens=200)
    assert answers["note"].str.startswith("ZeroDivisionError: ours").all()
    assert len(provider.asked) == 3
    assert 0 < provider.billed <= answers.attrs["usd"]


def test_a_paid_reply_of_no_use_is_asked_for_three_times(tmp_path, provide):
    def odd(n, reply, request):
        reply["choices"] = []

    provider = provide(odd)
    answers, _ = ask(table(2), OPENAI, tmp_path / "t.sqlite", concurrency=1)
    assert len(provider.asked) == 6
    assert "documented shape" in answers["note"].iloc[0]
    assert answers.attrs["usd"] == pytest.approx(provider.billed, abs=1e-5)


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])
def test_an_error_sent_as_a_success_is_booked_within_what_was_set_aside(tmp_path, provide, judge):
    words = {"error": {"message": "Insufficient\n credits"}}
    provide(lambda n, reply, request: json.dumps(words).encode())
    budget = judges.Budget(0.05)
    answers, _ = ask(table(4), judge, tmp_path / "t.sqlite", max_usd=budget)
    assert 0 < budget.spent <= 0.05
    assert set(answers["status"]) == {"error"}
    notes = failures(tmp_path / "t.sqlite")["note"]
    error = "the reply is an error, sent as a success: Insufficient credits"
    assert notes.str.startswith(error).all()


def test_a_run_of_failures_ends_the_run(tmp_path, provide):
    provider = provide(lambda n, reply, request: 400)
    answers, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", concurrency=1)
    assert "25 calls failed, the last with 400" in why
    assert len(provider.asked) == 25
    assert answers["note"].eq("not asked").sum() == 35


def test_a_redirect_and_a_lack_of_file_handles_are_said_as_such(tmp_path, provide):
    moved = httpx2.Response(308, headers={"location": "https://new.example/v1?key=pa55"})
    nowhere = httpx2.Response(304)
    few = httpx2.ConnectError("All connection attempts failed")
    few.__cause__ = OSError(24, "Too many open files")
    provider = provide()
    faults = (
        (moved, "redirects to new.example; set"),
        (nowhere, "304: no answer, and no other address; check the judge's BASE_URL"),
        (few, "lower concurrency"),
    )
    for fault, said in faults:
        provider.odd = lambda n, reply, request, fault=fault: fault
        _, why = ask(table(2), OPENAI, tmp_path / "t.sqlite")
        assert said in why
        assert "pa55" not in why


@pytest.mark.parametrize("fault", [401, 402, 403, 404, 429])
def test_what_would_fail_for_every_call_ends_the_run_at_once(tmp_path, provide, fault):
    body = {"error": {"code": "insufficient_quota" if fault == 429 else "no"}}
    provider = provide(lambda n, reply, request: httpx2.Response(fault, json=body))
    answers, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", concurrency=4)
    assert "refuses every call" in why
    assert len(provider.asked) == 1
    assert answers.attrs["usd"] == 0
    assert answers["note"].eq("not asked").all()


def test_asks_that_share_a_budget_spend_it_once(tmp_path, provide):
    provider, budget, ends = provide(full=True), judges.Budget(0.12), []
    options = {"max_usd": budget, "max_output_tokens": 200}
    for name in "abcde":
        _, why = ask(table(20, name=name), OPENAI, tmp_path / "t.sqlite", **options)
        ends.append(why)
    assert 0.08 < provider.billed <= budget.spent + 1e-9 <= 0.12
    assert budget.held == 0
    assert ends[0] == ""
    assert all(ends[3:])
    assert "of max_usd=0.12 are left" in ends[-1]


def test_an_amount_becomes_one_budget_and_a_budget_stays_itself():
    options = judges.Options(max_usd=0.5)
    assert options.max_usd.max_usd == 0.5
    assert judges.Options(options.max_usd).max_usd is options.max_usd


def test_a_budget_holds_no_more_than_it_has():
    budget = judges.Budget(0.000010)
    wishes = [11, 6, 5, 4, 0]  # micro-dollars; 6 and 4 are all there is
    assert [budget.hold(wish) for wish in wishes] == [False, True, False, True, True]
    assert budget.held == 10


def test_a_settled_call_gives_back_what_it_did_not_cost():
    budget = judges.Budget(0.000010)
    budget.hold(6)
    budget.hold(4)
    assert budget.settle(6, 0.0000021) == 3, "a part of a micro-dollar counts as a whole one"
    assert (budget.spent_micro, budget.held) == (3, 4)
    assert budget.left == pytest.approx(3e-6)
    assert budget.hold(3)
    assert not budget.hold(1)


def test_a_budget_of_nothing_pays_for_what_is_free():
    assert judges.Budget(0).hold(0)
    assert not judges.Budget(0).hold(1)


@pytest.fixture
def reserved():
    """(Bill of a run on a budget of $0.01, Reserve of a request of 1,000 tokens and an answer of up
    to 100, a Charge of 400 and 10 tokens, its call)."""
    bill = Bill("openai", "gpt-4o", judges.Budget(0.01))
    options = judges.Options(max_output_tokens=100)
    (call,) = list_calls(table(1), OPENAI, options, labels.FIRST_WORD)
    return bill, bill.reserve(call, 1000), Charge("gpt-4o", 400, 0, 0, 10), call


def test_a_reserve_is_the_worst_price_of_all_that_can_be_sent_and_answered(reserved):
    bill, reserve, _, _ = reserved
    assert reserve.usd == pytest.approx(1000 * 5e-6 + 100 * 15e-6), "of the dearest snapshot"
    assert bill.hold(reserve)
    assert not bill.hold(reserve), "two of them are more than there is"


def test_a_bill_books_what_a_reply_says_and_frees_the_rest(reserved):
    bill, reserve, charge, call = reserved
    bill.hold(reserve)
    usd = bill.price_charge(charge, call, reserve)
    bill.settle(reserve, usd)
    assert usd == pytest.approx(400 * 2.5e-6 + 10 * 10e-6)
    assert bill.usd == bill.budget.spent == pytest.approx(usd)
    assert bill.budget.held == 0


@pytest.mark.parametrize(("number", "longest"), [(1, 0.5), (2, 1.0), (5, 8.0), (8, 8.0)])
def test_pauses_double_up_to_eight_seconds(number, longest):
    assert 0.75 * longest <= running.draw_pause(number) <= longest


def test_what_a_run_would_cost_is_told_with_the_date_of_the_prices():
    budget = judges.Budget(0.000010)
    guess = {"usd_live": 0.01, "usd_most": 0.02}
    assert budget.refuse("x", 0.0, guess, {"date": ""}) is None
    said = budget.refuse("x", 0.005, guess, {"date": "2026"})
    assert "would cost about $0.01, at most $0.02 (prices of 2026), max_usd=1e-05" in said
    dear = {"usd_live": 4.4963, "usd_most": 8.6513}
    assert tell_guess(dear, {"date": "2026"}) == "about $4.50, at most $8.66 (prices of 2026)"


@pytest.mark.parametrize(
    ("usd", "told", "most"),
    [
        (0, "$0.00", "$0.00"),
        (1234.5, "$1,234.50", "$1,234.50"),
        (0.104, "$0.10", "$0.11"),
        (0.0043219, "$0.00432", "$0.00433"),
        (0.000012, "$0.0000120", "$0.0000120"),
    ],
)
def test_amounts_have_two_decimals_and_three_digits_below_a_cent(usd, told, most):
    assert tell_usd(usd) == told
    assert tell_most(usd) == most


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://127.0.0.1:9/v1", "no price: runs on your machine"),
        ("http://localhost:9/v1", "no price: runs on your machine"),
        ("https://gateway.example/v1", "price not known, so nothing limits what it costs"),
    ],
)
def test_a_local_judge_is_told_to_have_no_price(url, told, monkeypatch):
    monkeypatch.setenv("LOCAL_BASE_URL", url)
    free = prices.find_price("local", "x")
    assert run.tell_price({}, free, judges.Budget(0)) == told
    plan = judges.plan_cost(table(3), "local/x")
    asked_for_free = told.startswith("no price")
    assert plan["usd_live"].fillna(-1).item() == (0 if asked_for_free else -1)
    unknown = results.tidy(plan[["usd_live", "usd_most"]]).eq("unknown").all(axis=None)
    assert unknown == (not asked_for_free)


def test_a_gateway_on_this_machine_that_takes_a_key_may_cost_something(monkeypatch):
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("LOCAL_API_KEY", KEY)
    assert judges.plan_cost(table(3), "local/x")["usd_most"].isna().all()


def test_what_is_stored_costs_nothing_at_a_gateway_either(tmp_path, provide, monkeypatch):
    provide()
    monkeypatch.setenv("LOCAL_BASE_URL", "https://gateway.example/v1")
    path = tmp_path / "t.sqlite"
    ask(table(2), LOCAL, path, max_usd=0)  # the price is not known, so max_usd does not limit it
    options = judges.Options(transcripts=path)
    assert judges.plan_cost(table(2), LOCAL, options)["usd_live"].tolist() == [0]
    assert judges.plan_cost(table(3), LOCAL, options)["usd_live"].isna().all()


def test_a_terminal_hears_the_price_before_anything_is_sent(tmp_path, provide, capfd, monkeypatch):
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    provider, heard = provide(), []
    monkeypatch.setattr(run, "tell", lambda said: heard.append((len(provider.asked), said)))
    path, shown = tmp_path / "t.sqlite", {"progress": True, "max_usd": 1.0}
    ask(table(5), OPENAI, path, **shown)
    guess = judges.plan_cost(table(5), OPENAI).iloc[0]
    (asked, said), amount = heard.pop(), f"about {tell_usd(guess['usd_live'])}"
    assert asked == 0
    assert not heard
    assert said.startswith(f"{OPENAI}: 0 answers from the store, 5 to ask, {amount}, at most $0.")
    capfd.readouterr()
    ask(table(5), OPENAI, path, **shown)
    assert f"{OPENAI}: 5 answers from the store, 0 asked" in capfd.readouterr().err
    monkeypatch.setenv("JPY_SESSION_NAME", "a notebook")
    ask(table(5), OPENAI, path, **shown)
    assert capfd.readouterr().err == "", "in JupyterLab the notebook shows it"


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])
def test_no_paid_call_without_money(tmp_path, provide, judge):
    provider = provide()
    options = judges.Options(transcripts=tmp_path / "t.sqlite")
    with pytest.raises(judges.Incomplete, match="nothing was asked: 4 calls .* max_usd=0.0") as end:
        judges.ask(table(4), judge, labels.YES_NO, options)
    assert not provider.asked
    assert end.value.answers["note"].tolist() == ["not asked"] * 4
    words = ["--judge", judge, "--study", "poem-tiers", "--limit", "2", "--outputs", str(tmp_path)]
    assert one_judge.main(words) == 1
    assert not provider.asked


def test_an_estimate_by_hand():
    plan = judges.plan_cost(table(20), OPENAI).iloc[0]
    sent = plan["input_tokens"] * 2.5  # USD for a million tokens
    assert plan["usd_live"] == pytest.approx((sent + 20 * 2000) / 1e6)
    assert plan["usd_most"] == pytest.approx((sent + 20 * 10240) / 1e6)


def test_a_cap_that_suffices_is_taken_whatever_the_estimate_says(tmp_path, provide):
    provider, path = provide(), tmp_path / "t.sqlite"
    plan = judges.plan_cost(table(20), OPENAI).iloc[0]
    _, why = ask(table(20), OPENAI, path, max_usd=plan["usd_live"] / 20 * 0.99)
    assert why.startswith("nothing was asked: 20 calls of openai/gpt-4o would cost about $")
    assert not provider.asked
    answers, why = ask(table(20), OPENAI, path, max_usd=plan["usd_live"], concurrency=2)
    assert not why
    assert answers.attrs["usd"] < plan["usd_live"] < plan["usd_most"]


@pytest.mark.parametrize("judge", ["openai/gpt-4o", "openai/gpt-4o-latest"])
def test_a_dearer_snapshot_that_answers_is_set_aside_and_booked(tmp_path, provide, judge):
    def odd(n, reply, request):
        reply["model"] = "openai/gpt-4o-2024-05-13"

    provider, path = provide(odd, full=True), tmp_path / "t.sqlite"
    answers, why = ask(table(60), judge, path, max_usd=0.15, max_output_tokens=200)
    tokens = answers[["input_tokens", "output_tokens"]].sum()
    assert why
    assert answers.attrs["usd"] == pytest.approx((tokens * [5, 15]).sum() / 1e6, abs=1e-4)
    assert 0.12 < answers.attrs["usd"] <= 0.15
    assert len(provider.answered) > 20


def test_a_bill_above_the_worst_case_ends_the_run(tmp_path, provide):
    def odd(n, reply, request):
        reply["usage"]["prompt_tokens"] = 90_000

    provider = provide(odd)
    _, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", concurrency=1)
    assert "more than such a call can cost" in why
    assert len(provider.asked) == 1


@pytest.mark.parametrize("amount", [-1, float("nan"), float("inf"), "1", None, True])
def test_what_is_no_amount_is_no_cap(amount):
    with pytest.raises(judges.JudgeError, match="max_usd="):
        judges.Options(max_usd=amount)


@pytest.mark.parametrize(
    ("params", "what"),
    [
        ({"n": 8}, "'n'"),
        ({"service_tier": "priority"}, "service_tier"),
        ({"tools": []}, "tools"),
        ({"max_completion_tokens": 9}, "max_completion_tokens"),
        ({"web_search_options": {}}, "web_search_options"),
        ({"cache_control": {"type": "ephemeral", "ttl": "1h"}}, "cache_control"),
        ({"extra_body": {}}, "extra_body"),
        ({"temperature": float("nan")}, "params"),
        ({"max_tokens": None}, "max_tokens=None"),
        ({"max_tokens": 0}, "max_tokens=0"),
    ],
)
def test_parameters_that_would_change_the_price_are_refused(tmp_path, params, what):
    with pytest.raises(judges.JudgeError, match=what):
        ask(table(1), OPENAI, tmp_path / "t.sqlite", params=params)


@pytest.fixture
def one_prompt_of_three_items():
    return table(4).assign(prompt=["the same?"] * 3 + ["another?"])


def test_one_prompt_of_several_items_is_asked_once(tmp_path, provide, one_prompt_of_three_items):
    provider, requests = provide(), one_prompt_of_three_items
    assert judges.plan_cost(requests, OPENAI)["calls"].tolist() == [2]
    answers, _ = ask(requests, OPENAI, tmp_path / "t.sqlite")
    assert len(provider.asked) == answers.attrs["calls"] == 2
    assert answers["item"].tolist() == requests["item"].tolist()
    assert answers["status"].eq("ok").all()


def test_one_prompt_of_several_items_is_paid_once(tmp_path, provide, one_prompt_of_three_items):
    provide()
    answers, _ = ask(one_prompt_of_three_items, OPENAI, tmp_path / "t.sqlite")
    assert answers["usd"].gt(0).tolist() == [True, False, False, True]
    assert answers.attrs["usd"] == pytest.approx(answers["usd"].sum(), abs=2e-6)


# time


def test_a_provider_that_asks_for_an_hour_stops_the_run_and_says_so(tmp_path, provide):
    busy = httpx2.Response(429, headers={"retry-after": "3600"})
    provider = provide(lambda n, reply, request: busy if n == 9 else None)
    answers, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", concurrency=1)
    assert "asks to wait 3600 s" in why
    assert "run again later" in why
    assert answers["status"].eq("ok").sum() == 8
    assert len(provider.asked) == 9


def test_every_call_waits_as_long_as_a_busy_provider_asks(tmp_path, provide):
    times = []

    def odd(n, reply, request):
        times.append(provider.clock())
        return httpx2.Response(429, headers={"retry-after": "30"}) if n == 2 else None

    provider = provide(odd)
    answers, why = ask(table(9), OPENAI, tmp_path / "t.sqlite", concurrency=3)
    assert not why
    assert answers["status"].eq("ok").all()
    assert answers.attrs["usd"] > 0
    assert times[3] - times[0] < 1
    assert times[4] - times[0] > 29


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ({"retry-after": "Wed, 01 Jan 2100 00:00:00 GMT"}, 4102444800),
        ({"retry-after": "Wed, 01 Jan 2020 00:00:00 GMT"}, 0),
        ({"retry-after": "12345678901"}, 12345678901),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after": "Wed, 99 Jan"}, 0),
    ],
)
def test_a_wish_to_wait_is_read_in_every_form(monkeypatch, said, wait):
    monkeypatch.setattr(faults.time, "time", lambda: 0.0 if wait else 2e9)
    assert faults.read_wait(said) == wait


@pytest.mark.parametrize("value", ["\xb2", "soon", "-1", ""])
def test_an_odd_wish_to_wait_is_none(tmp_path, provide, value):
    busy = httpx2.Response(429, headers=[(b"retry-after", value.encode("latin1"))])
    provide(lambda n, reply, request: busy if n == 1 else None)
    assert ask(table(1), OPENAI, tmp_path / "t.sqlite")[0]["status"].tolist() == ["ok"]


def test_a_reply_that_drips_ends_with_its_call_and_a_run_of_them_with_the_run(tmp_path, provide):
    def odd(n, reply, request):
        return httpx2.Response(200, stream=Stream([b" "] * 10_000, pause=0.5))

    provider = provide(odd)
    answers, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", call_seconds=60)
    assert "no whole answer within" in why
    assert len(provider.asked) <= 16
    assert answers.attrs["usd"] >= provider.billed > 0
    options = {"call_seconds": 300, "run_seconds": 90}
    _, why = ask(table(60), OPENAI, tmp_path / "t.sqlite", **options)
    assert "longer than 90 s (run_seconds)" in why


def test_a_server_that_never_answers_is_given_up(tmp_path, provide):
    provider = provide(latency=10**7)
    answers, why = ask(table(8), LOCAL, tmp_path / "t.sqlite", concurrency=1, run_seconds=1e6)
    assert len(provider.asked) == 8
    assert not why
    assert answers["note"].str.contains("no whole answer within 1800 s").all()


def test_a_request_that_waited_has_its_own_time(tmp_path, provide):
    def odd(n, reply, request):
        return httpx2.Response(429, headers={"retry-after": "50"}) if n < 3 else None

    provider = provide(odd, latency=20)
    answers, _ = ask(table(2), OPENAI, tmp_path / "t.sqlite", call_seconds=60 * 3)
    assert answers["status"].tolist() == ["ok", "ok"]
    assert len(provider.asked) == 4


# what comes back


def packed(body):
    """Return a reply that says that its body is gzip."""
    headers = {"content-encoding": "gzip"}
    return httpx2.Response(200, headers=headers, stream=Stream([body]))


def ask_three(tmp_path, provide, odd_reply):
    """Ask three requests, of which the second is answered by `odd_reply`; return (provider,
    answers, failures)."""
    provider = provide(lambda n, reply, request: odd_reply if n == 2 else None)
    answers, _ = ask(table(3), OPENAI, tmp_path / "t.sqlite", concurrency=1)
    return provider, answers, failures(tmp_path / "t.sqlite")


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_reply_that_is_too_long_is_the_error_of_its_call(tmp_path, provide, is_packed):
    if is_packed:
        long = packed(gzip.compress(b"W" * 10**7, 1))
    else:
        long = httpx2.Response(200, stream=Stream([b"W" * 10**7]))
    provider, answers, noted = ask_three(tmp_path, provide, long)
    assert answers["status"].tolist() == ["ok", "error", "ok"]
    assert "longer than 202,400 bytes" in answers["note"].iloc[1]
    assert noted["usd"].gt(0).sum() == 1
    assert len(provider.asked) == 3


def test_no_more_of_a_reply_is_read_than_its_limit(tmp_path, provide):
    pieces = iter([b"W" * 10_000] * 1000)
    ask_three(tmp_path, provide, httpx2.Response(200, stream=Stream(pieces)))
    assert len([*pieces]) > 970, "never read"


def test_a_reply_that_cannot_be_unpacked_is_booked_and_asked_for_again(tmp_path, provide):
    provider, answers, noted = ask_three(tmp_path, provide, packed(b"no gzip"))
    assert answers["status"].tolist() == ["ok", "ok", "ok"]
    assert noted["note"].str.contains("cannot be unpacked").tolist() == [True]
    assert noted["usd"].gt(0).sum() == 1
    assert len(provider.asked) == 4


@pytest.mark.parametrize("name", ["gzip", "GZIP"])
def test_a_packed_reply_is_unpacked(tmp_path, provide, name):
    def odd(n, reply, request):
        data = json.dumps(reply).encode()
        packed = gzip.compress(data[:50]) + gzip.compress(data[50:])
        headers = {"content-encoding": name}
        return httpx2.Response(200, headers=headers, stream=Stream([packed]))

    provide(odd)
    assert ask(table(1), OPENAI, tmp_path / "t.sqlite")[0]["status"].tolist() == ["ok"]


ODD_REPLY = {  # what is put into a reply: the status and the text that come of it
    "content-list": {"choices": [{"message": {"content": [{"type": "text"}]}}]},
    "choices-dict": {"choices": {"0": 1}},
    "choices-empty": {"choices": []},
    "choice-null": {"choices": [None]},
    "message-text": {"choices": [{"message": VERDICT}]},
    "text-null": {"content": [{"type": "text", "text": None}]},
    "blocks-text": {"content": VERDICT},
    "block-null": {"content": [None]},
}


@pytest.mark.parametrize("what", ODD_REPLY)
def test_one_odd_reply_ends_nothing_but_its_own_request(tmp_path, provide, what):
    judge = ANTHROPIC if "content" in ODD_REPLY[what] else OPENAI

    def odd(n, reply, request):
        if n in (3, 7):
            reply.update(ODD_REPLY[what])

    provider, path = provide(odd), tmp_path / "t.sqlite"
    answers, why = ask(table(20), judge, path, max_output_tokens=50)
    assert not why
    assert answers["status"].eq("ok").all()
    assert len(provider.asked) == 22
    lost = failures(path)
    assert lost["note"].str.contains("documented shape").all()
    assert lost["usd"].gt(0).sum() == 2


def test_half_a_character_in_an_answer_is_kept_harmless(tmp_path, provide):
    def odd(n, reply, request):
        reply["choices"][0]["message"]["content"] = "Half \ud83d a letter.\nVerdict: Yes"

    provide(odd)
    answers, _ = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    again, _ = ask(table(1), OPENAI, tmp_path / "t.sqlite", offline=True)
    assert answers["status"].tolist() == ["ok"]
    assert "Half \ufffd a letter" in answers["text"].iloc[0]
    assert again["text"].tolist() == answers["text"].tolist()


@pytest.mark.parametrize("reason", ["\udc00", ["stop"]])
def test_an_odd_reason_to_finish_ends_nothing(tmp_path, provide, reason):
    def odd(n, reply, request):
        reply["choices"][0]["finish_reason"] = reason

    provide(odd)
    answers, why = ask(table(2), OPENAI, tmp_path / "t.sqlite")
    assert answers["status"].tolist() == ["ok", "ok"]
    assert not why


def test_half_a_character_in_a_prompt_is_told_and_not_sent(tmp_path, provide):
    provider = provide()
    requests = table(2)
    requests.loc[1, "prompt"] = "half \udc00?"
    answers, why = ask(requests, OPENAI, tmp_path / "t.sqlite", concurrency=1)
    assert answers["status"].tolist() == ["ok", "error"]
    assert "save it as UTF-8" in answers["note"].iloc[1]
    assert len(provider.asked) == 1
    assert not why


def test_half_a_character_in_an_item_stays_as_it_is(tmp_path, provide):
    provide()
    requests = table(2).assign(item=["half \ud83d", "b"])
    answers, _ = ask(requests, OPENAI, tmp_path / "t.sqlite")
    assert answers["status"].tolist() == ["ok", "ok"]
    assert answers["item"].tolist() == requests["item"].tolist()


@pytest.mark.parametrize(
    ("asked", "served", "same"),
    [
        ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-08-06", False),
        ("gpt-4o-2024-05-13", "gpt-4o", True),
        ("claude-opus-4-0", "claude-opus-4-20250514", True),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku-20241022", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gpt-4-0613", "gpt-4-0314", False),
        ("gpt-4o", "", False),
    ],
)
def test_two_dated_names_are_two_models(asked, served, same):
    assert same_model(asked, served) == same


@pytest.mark.parametrize("tokens, written", [(0, 5), (0, 0), (9, 0)])
def test_a_text_for_no_tokens_is_booked_at_the_worst(tokens, written):
    call = list_calls(table(1), OPENAI, judges.Options(), labels.FIRST_WORD)[0]
    usage = {"prompt_tokens": tokens, "completion_tokens": written}
    body = {"choices": [{"message": {"content": VERDICT}}], "model": "gpt-4o", "usage": usage}
    answer, charge = read_reply(json.dumps(body), call)
    assert answer.output_tokens is None
    assert charge.output_tokens is None


@pytest.mark.parametrize(
    ("judge", "usage", "counts"),
    [
        (
            OPENAI,
            {
                "prompt_tokens": 90,
                "completion_tokens": 5,
                "prompt_tokens_details": {"cached_tokens": 30, "cache_write_tokens": 40},
            },
            (90, 30, 40, 5),
        ),
        (
            ANTHROPIC,
            {
                "input_tokens": 20,
                "output_tokens": 5,
                "cache_read_input_tokens": 30,
                "cache_creation_input_tokens": 40,
            },
            (90, 30, 40, 5),
        ),
        (ANTHROPIC, {"input_tokens": True, "output_tokens": 5}, (None,) * 4),
        (OPENAI, {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 40}, (9, 0, 0, 31)),
        (OPENAI, {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 9}, (9, 0, 0, 5)),
        (OPENAI, {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": "x"}, (None,) * 4),
    ],
)
def test_tokens_read_from_and_written_to_the_cache_are_counted(judge, usage, counts):
    message = {"message": {"content": "x"}, "finish_reason": "stop"}
    body = {"choices": [message], "content": [{"type": "text", "text": "x"}], "usage": usage}
    body["model"] = judge.split("/")[1]
    call = list_calls(table(1), judge, judges.Options(), labels.FIRST_WORD)[0]
    answer, charge = read_reply(json.dumps(body), call)
    assert answer[10:14] == counts == charge[1:5]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["message", "content", "usage", "text", "type", "prompt_tokens", "refusal"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
FIELDS = st.sampled_from(["choices", "content", "usage", "model", "stop_reason"])


@given(body=st.dictionaries(FIELDS, anything), judge=st.sampled_from([OPENAI, ANTHROPIC, LOCAL]))
def test_a_reply_is_an_answer_or_a_failure_and_nothing_else(body, judge):
    call = list_calls(table(1), judge, judges.Options(), labels.FIRST_WORD)[0]
    try:
        answer, charge = read_reply(json.dumps(body), call)
    except Failed as fault:
        answer, charge = None, fault.billed
    if isinstance(charge, Charge):
        counts = charge[1:5]
        known = all(type(count) is int and 0 <= count < 10**8 for count in counts)
        assert known or counts == (None,) * 4
    if answer:
        assert answer[10:14] == counts
        assert isinstance(answer.finish, str)
        assert answer.text.encode() is not None


# prices


PRICE = dict.fromkeys(prices.NUMBERS, 0) | {
    "input": 2.0,
    "cached_input": 0.5,
    "cache_write": 3.0,
    "output": 10.0,
    "long_from": 1000,
    "long_factor": 2,
}  # USD for a million tokens


def test_a_call_costs_what_went_in_what_was_cached_and_what_came_out():
    cost = prices.cost(PRICE, 900, 10, 100, 200)
    assert cost == pytest.approx((600 * 2 + 100 * 0.5 + 200 * 3 + 10 * 10) / 1e6)


def test_a_long_request_costs_more_from_its_first_token():
    assert prices.cost(PRICE, 999, 0) == pytest.approx(999 * 2e-6)
    assert prices.cost(PRICE, 1000, 0) == pytest.approx(1000 * 4e-6)
    several = prices.cost(PRICE, 5000, 0, longest=999)
    assert several == pytest.approx(5000 * 2e-6), "several requests, none of them long"


def test_the_most_that_a_call_can_cost_takes_the_dearest_way_in():
    assert prices.most(PRICE, 100, 7) == pytest.approx(100 * 3e-6 + 7 * 10e-6)
    assert prices.most(PRICE | {"cached_input": 4.0}, 100, 0) == pytest.approx(100 * 4e-6)


def test_parts_of_a_micro_dollar_and_of_a_token_are_rounded_up():
    assert to_micro(0.0000011) == 2
    assert to_micro(0.000001) == 1
    assert prices.count_tokens("12345") == 2


def test_snapshots_and_long_requests_have_their_own_price():
    dates = ("2024-05-13", "2024-08-06")
    old, new = (prices.find_price("openai", f"gpt-4o-{date}")["input"] for date in dates)
    assert (old, new) == (5, 2.5)
    haiku = prices.find_price("anthropic", "claude-haiku-5-5")
    assert prices.cost(haiku, 100_000, 0) == pytest.approx(0.05)
    assert prices.cost(haiku, 99_999, 0) == pytest.approx(0.0099999)


def test_a_dated_model_without_a_price_has_that_of_its_name_and_a_local_one_is_free():
    assert prices.find_price("openai", "gpt-4o-2024-08-06")["model"] == "gpt-4o"
    assert prices.find_price("local", "any")["input"] == 0


@pytest.mark.parametrize("model", ["gpt-99", "gpt-4o-mini-next"])
def test_an_unknown_price_is_named(model):
    with pytest.raises(prices.PriceError, match=f"openai/{model}.*GOODJUDGE_PRICES"):
        prices.find_price("openai", model)


HEAD = ",".join(prices.COLUMNS) + "\n"
GOOD_LINE = "openai,gpt-99,1,1,1,1,1024,0,1,2026-01-01,mine\n"
OTHER_LINE = GOOD_LINE.replace("gpt-99", "b")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (HEAD + GOOD_LINE * 2, "line 3"),  # a model twice
        (HEAD + GOOD_LINE + OTHER_LINE.replace("b,1", "b,x"), "line 3"),
        (HEAD + GOOD_LINE + OTHER_LINE.replace("b,1", "b,-1"), "line 3"),
        (HEAD + GOOD_LINE + OTHER_LINE.replace("b,1", "b,0"), "line 3"),
        (HEAD + GOOD_LINE + OTHER_LINE.replace(",0,1,", ",0,0,"), "line 3"),
        (HEAD + GOOD_LINE + OTHER_LINE.replace("2026", "n"), "line 3"),
        (GOOD_LINE, "line 1: expected the columns"),
        (HEAD + "more," + GOOD_LINE, "line 1: expected the columns"),
        ("", "no table of prices can be read"),
    ],
)
def test_a_wrong_price_file_is_named_with_its_line(tmp_path, monkeypatch, text, error):
    own = tmp_path / "own.csv"
    own.write_text(text)
    monkeypatch.setenv("GOODJUDGE_PRICES", str(own))
    with pytest.raises(prices.PriceError, match=f"own.csv[,:] {error}"):
        prices.find_price("openai", "gpt-99")


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
    requests = pd.DataFrame({"item": ["a"], "shared": [text], "prompt": [text]})
    call = list_calls(requests, judge, judges.Options(max_output_tokens=100), labels.FIRST_WORD)[0]
    price, size = PRICES[judge], len(text.encode("utf8", "replace")) * 2
    cached = int(size * read)
    cost = prices.cost(price, size, output, cached, int((size - cached) * written))
    assert cost <= prices.most(price, bodies.most_tokens(call), 100)
