"""The judge interface without faults: keys, statuses, recorded and simulated judges, plan, prices,
money, offline."""

import asyncio

import numpy as np
import pandas as pd
import pytest
from judges_kit import MODELS, fault_server, make_requests

from helpers import judges
from helpers.judges import labels, offline, prices
from helpers.judges import requests as requests_
from helpers.judges.addresses import base_url, endpoint
from helpers.judges.ask import REFUSAL
from helpers.judges.replay import export_answers
from helpers.judges.store import Store

YES_NO = labels.parse_yes_no


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with (
        pytest.MonkeyPatch.context() as patch,
        fault_server(tmp_path_factory.mktemp("server"), patch) as log,
    ):
        yield log


@pytest.fixture
def store(tmp_path):
    return tmp_path / "t.sqlite"


def ask(requests, judge, parse=YES_NO, **options):
    return judges.ask(requests, judge, parse, **{"max_usd": 1.0, **options})


@pytest.mark.parametrize("judge", [*MODELS.values(), "local/any"])
def test_a_live_judge_answers_once_and_then_for_free(server, store, judge):
    requests, before = make_requests(2, 3), len(server.lines)
    first = ask(requests, judge, transcripts=store, repeats=2)
    assert (
        (first["status"] == "ok").all()
        and len(first) == 12
        and first.attrs["calls"] == 12
        and first.attrs["complete"]
    )
    again = ask(requests, judge, transcripts=store, repeats=2, offline=True)
    assert again.attrs["calls"] == 0 and again["text"].tolist() == first["text"].tolist()
    assert (
        len(server.keys("asked")) == len(set(server.keys("asked")))
        and len(server.lines) == before + 24
    )
    assert ask(requests, judge, transcripts=store, repeats=3).attrs["calls"] == 6


def test_everything_that_determines_the_answer_changes_the_key(monkeypatch):
    table = make_requests(1, 1)

    def key(requests=table, judge="openai/gpt-4o", **options):
        return requests_.list_calls(requests, judge, **options)[-1]["key"]

    variants = [
        key(),
        key(repeats=2),
        key(judge="openai/gpt-4o-mini"),
        key(judge="anthropic/gpt-4o"),
        key(params={"temperature": 1}),
        key(max_output_tokens=5),
        *(key(table.assign(**{name: "x"})) for name in ("system", "shared", "prompt")),
    ]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://proxy.example/v1")
    assert len({*variants, key()}) == len(variants) + 1
    assert key() == key(table.assign(item="other name")) and endpoint("openai") == "proxy.example"


@pytest.mark.parametrize("judge", MODELS.values())
@pytest.mark.parametrize(
    "word, status, note",
    [
        ("REFUSE", "refused", "refusal"),
        ("FILTER", "refused", ""),
        ("EMPTY", "unparsed", "empty"),
        ("LONG", "unparsed", "cut off"),
        ("BAD-REQUEST", "error", "too long"),
    ],
)
def test_statuses(server, store, judge, word, status, note):
    answers = ask(make_requests(1, 2, word), judge, transcripts=store)
    assert (
        answers["status"].tolist() == [status] * 2
        and answers["verdict"].isna().all()
        and note in answers["note"].iloc[0]
    )
    assert answers.attrs["complete"] == (status != "error")


def test_the_shared_text_is_written_to_the_cache_once_and_read_afterwards(server, store):
    answers = ask(make_requests(3, 5, size=2000), MODELS["anthropic"], transcripts=store)
    read = answers["cached_tokens"].to_numpy().reshape(3, 5)
    assert (read[:, 0] == 0).all() and (read[:, 1:] > 1000).all()
    assert (
        answers["usd"].to_numpy().reshape(3, 5)[:, 1:].max()
        < answers["usd"].to_numpy().reshape(3, 5)[:, 0].min()
    )


@pytest.mark.parametrize("judge", MODELS.values())
def test_no_paid_call_without_money(server, store, judge):
    before = len(server.lines)
    with pytest.raises(
        judges.Incomplete, match=r"nothing was asked: 4 calls .* max_usd=0.0"
    ) as stop:
        judges.ask(make_requests(2, 2), judge, YES_NO, transcripts=store)
    assert len(server.lines) == before and stop.value.answers["note"].tolist() == ["not asked"] * 4


def test_the_money_limit_stops_a_run_that_costs_more_than_planned(server, store):
    # the server bills 5,000 tokens, 1,024 were asked for
    requests = make_requests(30, 1, "COSTLY", size=1)
    planned = judges.plan(requests, MODELS["openai"], transcripts=store)["usd_live"].iloc[0]
    with pytest.raises(judges.Incomplete, match="stopped: .* max_usd") as stop:
        ask(requests, MODELS["openai"], transcripts=store, max_usd=planned * 1.01, concurrency=2)
    answers = stop.value.answers
    assert not answers.attrs["complete"] and 0 < answers["status"].eq("ok").sum() < 30
    assert answers.attrs["usd"] < planned * 1.5
    assert (
        judges.plan(requests, MODELS["openai"], transcripts=store)["answered"].iloc[0]
        == answers["status"].eq("ok").sum()
    )


def test_offline_never_calls(server, store):
    before = len(server.lines)
    with pytest.raises(judges.MissingAnswer, match="'0/0'"):
        ask(make_requests(1, 1), MODELS["openai"], transcripts=store, offline=True)
    assert len(server.lines) == before


def test_ask_works_inside_a_running_event_loop(server, store):
    async def cell():
        return ask(make_requests(1, 2), "local/any", transcripts=store)

    assert asyncio.run(cell())["status"].eq("ok").all()


def test_a_parser_that_fails_is_named_and_loses_nothing(server, store):
    with pytest.raises(judges.JudgeError, match="'0/0'.*mend the parser"):
        ask(make_requests(1, 1), "local/any", lambda text: 1 / 0, transcripts=store)
    assert (
        ask(make_requests(1, 1), "local/any", transcripts=store, offline=True)["status"]
        .eq("ok")
        .all()
    )


def test_a_missing_key_is_one_clear_error(store, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(judges.JudgeError, match="OPENAI_API_KEY"):
        ask(make_requests(1, 1), MODELS["openai"], transcripts=store)


def test_local_asks_at_no_address_but_its_own(monkeypatch):
    monkeypatch.delenv("LOCAL_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_BASE_URL", "https://paid.example/v1")
    assert base_url("local") == "http://127.0.0.1:8080/v1"


@pytest.mark.parametrize(
    "change, what",
    [(dict(item="same"), "stands twice"), (dict(prompt=None), "not text"), (None, "'shared'")],
)
def test_bad_requests_are_named(change, what):
    table = make_requests(1, 2)
    table = table.drop(columns="shared") if change is None else table.assign(**change)
    with pytest.raises(judges.JudgeError, match=what):
        judges.ask(table, "simulated/coin", YES_NO)


@pytest.mark.parametrize("judge", ["gpt-4o", "openai/", "nobody/x", ""])
def test_an_unknown_judge_names_the_providers(judge):
    with pytest.raises(judges.JudgeError, match="openai, anthropic"):
        judges.ask(make_requests(1, 1), judge, YES_NO)


def test_simulated_judges_repeat_themselves_by_seed_prompt_and_repeat():
    table = make_requests(20, 5)
    one = judges.ask(table, "simulated/coin", YES_NO, repeats=2, seed=1)
    assert one["verdict"].equals(
        judges.ask(table, "simulated/coin", YES_NO, repeats=2, seed=1)["verdict"]
    )
    assert not one["verdict"].equals(
        judges.ask(table, "simulated/coin", YES_NO, repeats=2, seed=2)["verdict"]
    )
    assert abs(one["verdict"].eq("Yes").mean() - 0.5) < 0.2
    assert judges.ask(table, "simulated/coin", YES_NO, limit=7, repeats=2, seed=1)[
        "verdict"
    ].equals(one["verdict"].head(14))
    assert set(judges.ask(table, "simulated/first", labels.parse_likert)["verdict"]) == {1}
    own = judges.ask(
        table.assign(truth="No"),
        "simulated/own",
        YES_NO,
        simulators={"own": lambda row, rng: row.truth},
    )
    assert set(own["verdict"]) == {"No"}
    with pytest.raises(KeyError, match="always-yes"):
        judges.ask(table, "simulated/nobody", YES_NO)


def test_recorded_judges_report_what_is_missing(server, store, tmp_path, monkeypatch):
    table = make_requests(1, 4)
    recorded = pd.DataFrame(
        {
            "item": ["0/0", "0/1", "0/2"],
            "text": ["No\n\nThe story drags.", "I'm sorry, but I cannot assist.", "Maybe"],
        }
    )
    answers = judges.ask(table, "recorded/x", labels.parse_first_word, recorded=recorded)
    assert answers["status"].tolist() == ["ok", "refused", "unparsed", "error"] and answers[
        "note"
    ].iloc[3].startswith("missing")
    with pytest.raises(ValueError, match="none of the 4 items"):
        judges.ask(table, "recorded/x", YES_NO, recorded=recorded.assign(item=["a", "b", "c"]))
    live = ask(table, "local/any", transcripts=store)
    (tmp_path / "data" / "recorded").mkdir(parents=True)
    with Store(store) as kept:
        export_answers(kept, tmp_path / "data" / "recorded" / "mine.jsonl")
    monkeypatch.setattr(offline, "ROOT", tmp_path)
    replay = judges.ask(table, "recorded/mine", YES_NO)
    assert (
        replay["text"].equals(live["text"])
        and set(replay["provider"]) == {"local"}
        and replay.attrs["calls"] == 0
    )
    text = (tmp_path / "data" / "recorded" / "mine.jsonl").read_text()
    assert "word word" not in text and "test 1?" not in text
    with pytest.raises(ValueError, match="have changed"):
        judges.ask(table.assign(prompt="other " + table["item"]), "recorded/mine", YES_NO)
    with pytest.raises(FileNotFoundError, match="mine"):
        judges.ask(table, "recorded/yours", YES_NO)


def test_a_refusal_is_recognised_by_its_opening_only():
    for text in (
        "I'm sorry, but I can't help with that.",
        "I cannot judge this story.",
        "Sorry, I am unable to do so.",
    ):
        assert REFUSAL.match(text)
    for text in (
        "I can see why.",
        "The narrator says: I cannot go on.",
        "I’m sorry for the hero. Verdict: No",
    ):
        assert not REFUSAL.match(text)


def test_plan_counts_what_is_left_and_prices_it_by_hand(tmp_path, store):
    table = make_requests(2, 10, size=4000)  # 20,000 characters a story
    plan = judges.plan(table, MODELS["anthropic"], transcripts=store, output_tokens=100).iloc[0]
    shared = sum(
        prices.count_tokens(x + y)
        for x, y in table.drop_duplicates("shared")[["system", "shared"]].to_numpy()
    )
    total = sum(
        prices.count_tokens(a + b + c)
        for a, b, c in table[["system", "shared", "prompt"]].to_numpy()
    )
    assert (plan["calls"], plan["input_tokens"], plan["output_tokens"], plan["cached_tokens"]) == (
        20,
        total,
        2000,
        9 * shared,
    )
    live = (total * 4 + 2000 * 20) / 1e6
    cached = ((total - 10 * shared) * 4 + shared * 5 + 9 * shared * 0.2 + 2000 * 20) / 1e6
    assert np.allclose(
        plan[["usd_live", "usd_batch", "usd_cached", "usd_cached_batch"]].astype(float),
        [live, live / 2, cached, cached / 2],
    )


def test_prices(tmp_path, monkeypatch):
    assert prices.find_price("openai", "gpt-4o-2024-08-06")["model"] == "gpt-4o"
    assert prices.find_price("local", "any")["input"] == 0
    for model in ("gpt-99", "gpt-4o-mini-next"):
        with pytest.raises(
            prices.PriceError, match=f"no price for openai/{model}.*JUDGING_CREATIVITY_PRICES"
        ):
            prices.find_price("openai", model)
    own = tmp_path / "own.csv"
    own.write_text(
        ",".join(prices.COLUMNS)
        + "\nopenai,gpt-99,1,1,1,1,0.5,1024,0,1,2026-01-01,mine"
        + "\nopenai,bad,x,1,1,1,1,1,0,1,2026-01-01,m\n"
    )
    monkeypatch.setenv("JUDGING_CREATIVITY_PRICES", str(own))
    with pytest.raises(prices.PriceError, match="own.csv, line 3"):
        prices.find_price("openai", "gpt-99")
