"""What a server may bill and nobody asked for, met by a real server on this machine and the real
SDKs: another model, a tier or region of the account, reasoning beside the answer, replies that
cannot be read."""

import ast
import asyncio
import queue
import threading

import fault_server
import httpx2
import nbformat
import pytest
from goodjudge.ask import prices, running
from goodjudge.ask.store import Store
from judges_kit import ANTHROPIC, KEY, OPENAI, Provider, ask, table

from helpers.sources.public import ROOT

MINI = "openai/gpt-4o-mini"
COST = {  # USD per token of input and output
    "gpt-4o-mini": (0.15e-6, 0.6e-6),
    "gpt-4o": (2.5e-6, 10e-6),
    "claude-opus-5-5": (4e-6, 20e-6),
}


@pytest.fixture
def serve(monkeypatch):
    """A function that starts a real server, which answers as `odd` says, for both providers."""
    monkeypatch.setattr(running, "PAUSE", 0.01)
    threads = []

    def start(odd=lambda n, reply, request: None):
        provider, told = Provider(odd, latency=0.01), queue.Queue()
        loop = asyncio.new_event_loop()
        main = fault_server.main(told.put, provider)
        thread = threading.Thread(target=loop.run_until_complete, args=[main])
        thread.start()
        port, stop = told.get(timeout=10)
        threads.append((thread, loop, stop))
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{port}/v1")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{port}")
        monkeypatch.setenv("LOCAL_BASE_URL", f"http://127.0.0.1:{port}/v1")
        for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
            monkeypatch.setenv(name, KEY)
        return provider

    yield start
    for thread, loop, stop in threads:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)


def bill(model, tokens, output, times=1):
    """Return what a model's provider takes for one reply, in USD."""
    return times * (tokens * COST[model][0] + output * COST[model][1])


# another model


def test_the_first_reply_by_another_model_ends_the_run_at_its_own_price(tmp_path, serve):
    def odd(n, reply, request):
        reply["model"] = "gpt-4o"
        reply["usage"] = {"prompt_tokens": 500, "completion_tokens": 1000}

    provider = serve(odd)
    answers, why = ask(table(72), MINI, tmp_path / "t.sqlite", max_usd=0.05, concurrency=64)
    assert why.startswith("stopped: asked for gpt-4o-mini, answered by gpt-4o; no more was asked")
    assert len(provider.asked) == 1
    assert answers.attrs["usd"] == pytest.approx(bill("gpt-4o", 500, 1000), abs=1e-5)


@pytest.mark.parametrize(
    "odd_part",
    [{"choices": []}, {"choices": [{"message": {"content": [{"type": "text"}]}}]}, {"usage": None}],
)
def test_a_dearer_model_is_booked_at_its_price_when_its_reply_is_of_no_use(
    tmp_path, serve, odd_part
):
    def odd(n, reply, request):
        reply["model"] = "gpt-4o"
        reply["usage"] = {"prompt_tokens": 500, "completion_tokens": 1000}
        reply.update(odd_part)

    serve(odd)
    answers, _ = ask(table(5), MINI, tmp_path / "t.sqlite")
    assert answers.attrs["usd"] >= bill("gpt-4o", 500, 1000) - 1e-9


@pytest.mark.parametrize("choices", [[], None])
def test_a_dearer_snapshot_is_booked_at_its_price_when_its_reply_is_of_no_use(
    tmp_path, serve, choices
):
    def odd(n, reply, request):
        reply["model"], reply["choices"] = "gpt-4o-2024-05-13", choices
        reply["usage"] = {"prompt_tokens": 500, "completion_tokens": 1000}

    provider = serve(odd)
    answers, _ = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    each = 500 * 5e-6 + 1000 * 15e-6
    assert answers.attrs["usd"] == pytest.approx(len(provider.asked) * each, abs=1e-5)


@pytest.mark.parametrize("name", [None, "", 7, "some-model-of-tomorrow"])
def test_a_model_without_a_known_price_is_booked_at_the_dearest_and_ends_the_run(
    tmp_path, serve, name
):
    def odd(n, reply, request):
        reply["model"] = name
        reply["usage"] = {"prompt_tokens": 500, "completion_tokens": 1000}

    provider = serve(odd)
    answers, why = ask(table(20), MINI, tmp_path / "t.sqlite", concurrency=8)
    known = prices.read_prices("openai").values()
    dearest = max(prices.cost(line, 500, 1000) for line in known)
    assert len(provider.asked) == 1
    assert "asked for gpt-4o-mini, answered by " in why
    assert answers.attrs["usd"] >= dearest - 1e-9


def test_a_dated_name_of_the_model_asked_for_is_no_other_model(tmp_path, serve):
    def odd(n, reply, request):
        reply["model"] = "openai/gpt-4o-mini-2024-07-18"

    serve(odd)
    answers, why = ask(table(9), MINI, tmp_path / "t.sqlite")
    assert not why
    assert answers["status"].eq("ok").all()


# what an account could add


def test_the_tier_and_the_region_are_named_in_the_request(tmp_path, serve):
    provider = serve()
    ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert provider.last["service_tier"] == "default"
    ask(table(1), ANTHROPIC, tmp_path / "t.sqlite")
    assert provider.last["service_tier"] == "standard_only"
    assert provider.last["inference_geo"] == "global"


@pytest.mark.parametrize("model", ["claude-3-opus", "claude-haiku-4-5", "claude-sonnet-4-20250514"])
def test_no_region_is_sent_to_a_model_that_knows_none(tmp_path, serve, model):
    provider = serve()
    ask(table(1), f"anthropic/{model}", tmp_path / "t.sqlite")
    assert "inference_geo" not in provider.last


@pytest.mark.parametrize(
    ("judge", "place", "named", "times"),
    [
        (OPENAI, "reply", {"service_tier": "priority"}, 2),
        (ANTHROPIC, "usage", {"service_tier": "priority"}, 2),
        (ANTHROPIC, "usage", {"inference_geo": "us"}, 1.1),
        (ANTHROPIC, "usage", {"speed": "fast"}, 2),
    ],
)
def test_a_reply_of_another_tier_or_region_is_booked_kept_and_the_last(
    tmp_path, serve, judge, place, named, times
):
    model = judge.split("/")[1]

    def odd(n, reply, request):
        counts = {"prompt_tokens": 500, "completion_tokens": 900}
        if judge == ANTHROPIC:
            counts = {"input_tokens": 500, "output_tokens": 900}
        reply["usage"] = counts
        (reply if place == "reply" else reply["usage"]).update(named)

    provider = serve(odd)
    answers, why = ask(table(30), judge, tmp_path / "t.sqlite", concurrency=8)
    (name, value), *_ = named.items()
    assert f"a reply names {name}='{value}', which was not asked for" in why
    assert len(provider.asked) == 1
    assert answers["status"].eq("ok").sum() == 1
    assert answers.attrs["usd"] >= bill(model, 500, 900, times) - 1e-9


@pytest.mark.parametrize(
    ("judge", "named"),
    [
        (OPENAI, {"service_tier": "default"}),
        (OPENAI, {"service_tier": None}),
        (ANTHROPIC, {"service_tier": "standard", "inference_geo": "global"}),
        (ANTHROPIC, {"service_tier": "standard", "inference_geo": "not_available"}),
    ],
)
def test_the_usual_tier_and_region_end_nothing(tmp_path, serve, judge, named):
    def odd(n, reply, request):
        (reply if judge == OPENAI else reply["usage"]).update(named)

    serve(odd)
    answers, why = ask(table(9), judge, tmp_path / "t.sqlite")
    assert not why
    assert answers["status"].eq("ok").all()


@pytest.mark.parametrize("word", ["service_tier", "inference_geo"])
def test_an_account_that_forbids_the_usual_tier_is_told_at_once(tmp_path, serve, word):
    refusal = {"error": {"message": f"{word}: this value is not allowed for your workspace"}}
    provider = serve(lambda n, reply, request: httpx2.Response(400, json=refusal))
    _, why = ask(table(30), ANTHROPIC, tmp_path / "t.sqlite", concurrency=8)
    assert "refuses every call (400: " in why
    assert word in why
    assert len(provider.asked) == 1


def test_tokens_written_for_an_hour_are_booked_at_twice_the_input(tmp_path, serve):
    def odd(n, reply, request):
        made = {"ephemeral_1h_input_tokens": 800, "ephemeral_5m_input_tokens": 100}
        usage = {"input_tokens": 10, "output_tokens": 20, "cache_creation": made}
        reply["usage"] = usage | {"cache_creation_input_tokens": 900}

    serve(odd)
    answers, _ = ask(table(1), ANTHROPIC, tmp_path / "t.sqlite")
    usd = (10 * 4 + 100 * 5 + 800 * 8 + 20 * 20) / 1e6
    assert answers.attrs["usd"] == pytest.approx(usd, abs=1e-6)


def test_reasoning_that_stands_in_the_total_alone_is_booked_as_output(tmp_path, serve):
    def odd(n, reply, request):
        reply["usage"] = {"prompt_tokens": 500, "completion_tokens": 9, "total_tokens": 909}

    serve(odd)
    answers, _ = ask(table(1), OPENAI, tmp_path / "t.sqlite")
    assert answers["output_tokens"].tolist() == [409]
    assert answers.attrs["usd"] == pytest.approx(bill("gpt-4o", 500, 409), abs=1e-6)


# replies that are of no use


def as_events(n, reply, request):
    """Return a good answer as a stream of events, which nobody asked for."""
    return b'data: {"choices":[{"delta":{"content":"Verdict: Yes"}}]}\n\ndata: [DONE]\n\n'


def test_three_calls_in_a_row_without_any_use_end_the_run(tmp_path, serve):
    provider = serve(as_events)
    answers, why = ask(table(40), OPENAI, tmp_path / "t.sqlite", concurrency=8)
    assert why.startswith("stopped: the server's replies are of no use: ")
    assert "begins with 'data: {" in why
    assert "look at what answers there" in why
    assert len(provider.asked) == 9
    assert answers["note"].eq("not asked").sum() == 37


def test_a_few_such_replies_among_good_ones_end_nothing(tmp_path, serve):
    provider = serve(lambda n, *words: as_events(n, *words) if n % 3 else None)
    answers, why = ask(table(12), OPENAI, tmp_path / "t.sqlite", concurrency=1)
    assert not why
    assert answers["status"].eq("ok").all()
    assert len(provider.asked) == 36


def test_calls_go_one_by_one_until_an_answer_was_read(tmp_path, serve):
    times = []

    def odd(n, reply, request):
        times.append(request.headers["idempotency-key"])
        return httpx2.Response(400, json={"error": "no"}) if n == 1 else None

    serve(odd)
    path = tmp_path / "t.sqlite"
    answers, why = ask(table(20), OPENAI, path, concurrency=8)
    assert not why
    assert answers["status"].eq("ok").sum() == 19
    with Store(path) as kept:
        assert len(kept.get(times)) == 19


# one budget


def loads(tree, name):
    """Return how often a name is read in a module's tree."""
    return sum(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        for node in ast.walk(tree)
    )


NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb"))
BUDGETS = {"judges.Options", "judges.Budget", "ask.options"}  # what makes a budget of an amount


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_makes_one_budget_of_its_max_usd(path):
    cells = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    code = [cell.source for cell in cells if "parameters" not in cell.metadata.get("tags", [])]
    given = [cell.source for cell in cells if "parameters" in cell.metadata.get("tags", [])]
    trees = [ast.parse(source) for source in code]
    uses = sum(loads(tree, "max_usd") for tree in trees)
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    makers = [node for node in calls if ast.unparse(node.func) in BUDGETS]
    makers = [node for node in makers if loads(node, "max_usd")]
    assert uses == len(makers) == ("max_usd" in "".join(given))
