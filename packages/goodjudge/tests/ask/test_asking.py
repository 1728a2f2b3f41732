"""The judge interface: keys, statuses, forms, probabilities, recorded and simulated judges, plan,
offline."""

import json
import math

import httpx2
import numpy as np
import pandas as pd
import pytest
from goodjudge import ask as judges
from goodjudge.ask import labels, prices
from goodjudge.ask.addresses import base_url, endpoint
from goodjudge.ask.answer import answer_to
from goodjudge.ask.calls import list_calls
from goodjudge.ask.probabilities import find_likeliest, read_logprobs, weigh
from goodjudge.ask.reader import Reader
from goodjudge.ask.table import CUT_OFF, REFUSAL, check_usable, read_answer
from judges_kit import ANTHROPIC, LOCAL, OPENAI, ask, export_answers, make_requests, table

YES_NO = labels.YES_NO
ALL = pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC, LOCAL])
BOTH = pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC])


@pytest.fixture
def store(tmp_path):
    return tmp_path / "t.sqlite"


@ALL
def test_a_judge_answers_as_often_as_it_is_asked_and_never_twice(provide, store, judge):
    provider, requests = provide(), make_requests(2, 3)
    first, why = ask(requests, judge, store, repeats=2)
    assert first["status"].tolist() == ["ok"] * 12 and first["repeat"].tolist() == [1, 2] * 6
    assert first.attrs["complete"] and not why and first["when"].notna().all()
    assert first["seconds"].between(0.05, 1).all() and first["output_tokens"].eq(12).all()
    assert first.attrs["calls"] == 12
    assert first.attrs["usd"] == pytest.approx(provider.billed, abs=2e-5)
    assert sorted(provider.asked) == sorted(first["key"])
    again, _ = ask(requests, judge, store, repeats=2, offline=True)
    assert again.attrs["calls"] == 0 and again["text"].tolist() == first["text"].tolist()
    assert ask(requests, judge, store, repeats=3)[0].attrs["calls"] == 6
    assert len(ask(requests, judge, store, limit=4)[0]) == 4
    asked = len(provider.asked)
    with pytest.raises(judges.MissingAnswer, match="1 of 1 answers .* 'a'"):
        ask(table(1).assign(item="a"), judge, store, offline=True)
    assert len(provider.asked) == asked


WHOLE = pd.DataFrame({"item": ["a"], "system": "S", "shared": "T", "prompt": "P"})
WHOLE_TEXT = [{"role": "system", "content": "S"}, {"role": "user", "content": "T\n\nP"}]
CACHED = [
    {"type": "text", "text": "T", "cache_control": {"type": "ephemeral"}},
    {"type": "text", "text": "P"},
]
SENT = {
    OPENAI: {"model": "gpt-4o", "messages": WHOLE_TEXT, "max_completion_tokens": 7,
             "temperature": 0.5, "service_tier": "default"},
    ANTHROPIC: {"model": "claude-opus-5-5", "messages": [{"role": "user", "content": CACHED}],
                "system": "S", "max_tokens": 7, "temperature": 0.5,
                "service_tier": "standard_only", "inference_geo": "global"},
    LOCAL: {"model": "any", "messages": WHOLE_TEXT, "max_tokens": 7, "temperature": 0.5},
}  # fmt: skip


@ALL
def test_each_provider_is_sent_the_whole_request(provide, store, judge):
    provider = provide()
    warm = {"params": {"temperature": 0.5}, "max_output_tokens": 7}
    ask(WHOLE, judge, store, structured=False, **warm)
    assert len(provider.last.pop("prompt_cache_key", "x" * 32)) == 32
    assert provider.last == SENT[judge]
    ask(WHOLE, judge, store.with_name("u.sqlite"), **warm)
    if judge == ANTHROPIC:
        form = provider.last["output_config"]["format"]
    else:
        form = provider.last["response_format"]["json_schema"]
        assert form["strict"] is True and form["name"] == "yes_no"
    assert form["schema"]["required"] == ["analysis", "verdict"] and "form" not in provider.last
    ask(WHOLE, "local/any+verdict", store)
    assert "Verdict: " in provider.last["grammar"] and provider.last["model"] == "any"


def test_everything_that_determines_the_answer_changes_the_key(monkeypatch):
    asked = make_requests(1, 1)

    def key(requests=asked, judge="openai/gpt-4o", **options):
        return list_calls(requests, judge, judges.Options(**options), Reader(str))[-1].key

    variants = [
        key(),
        key(repeats=2),
        key(judge="openai/gpt-4o-mini"),
        key(judge="anthropic/gpt-4o"),
        key(params={"temperature": 1}),
        key(max_output_tokens=5),
        *(key(asked.assign(**{name: "x"})) for name in ("system", "shared", "prompt")),
    ]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://proxy.example/v1")
    assert len({*variants, key()}) == len(variants) + 1
    assert key() == key(asked.assign(item="other name"))
    assert endpoint("openai") == "proxy.example"
    monkeypatch.delenv("LOCAL_BASE_URL", raising=False)
    assert base_url("local") == "http://127.0.0.1:8080/v1", "local asks at its own address alone"


KEYS = ["80bd156f7719", "f19a02cb7bd2", "edad787347c6", "0c021527966d", "dc55142617e7"]
KEYS += ["f1791981fab4", "693ed1bff6c7", "10a818415d03"]


def test_keys_stay_as_they_are_or_every_paid_answer_is_lost():
    requests = pd.DataFrame({"item": ["a"], "shared": ["The sea."], "prompt": ["Is it good?"]})
    found = [
        list_calls(requests, judge, judges.Options(), Reader(str, form))[0].key[:12]
        for judge in (OPENAI, ANTHROPIC, LOCAL, "simulated/coin", "recorded/x")
        for form in (None, YES_NO.form)
        if form is None or judge in (OPENAI, ANTHROPIC, LOCAL)
    ]
    assert found == KEYS


# ── An answer is ok, refused, unparsed or an error, and only ok has a verdict ─────────────────────


def changed(**message):
    """Return `odd` that changes a reply's message, or its reason to end."""

    def odd(n, reply, request):
        choice = reply.get("choices", [{"message": {}}])[0]
        choice["finish_reason"] = message.get("finish", "stop")
        choice["message"] |= message
        reply["stop_reason"] = message.get("finish", "end_turn")
        reply["content"] = [{"type": "thinking"}, {"type": "text", "text": message["content"]}]

    return odd


@BOTH
@pytest.mark.parametrize(
    ("message", "status", "note"),
    [
        ({"content": "Verdict: No", "finish": "refusal"}, "refused", "finish reason refusal"),
        ({"content": "Verdict: No", "finish": "max_tokens"}, "unparsed", "cut off"),
        ({"content": "Hm", "finish": "model_context_window_exceeded"}, "unparsed", "cut off"),
    ],
)
def test_statuses(provide, store, judge, message, status, note):
    provide(changed(**message))
    answers, _ = ask(table(2), judge, store, structured=False)
    assert answers["status"].tolist() == [status] * 2 and answers.attrs["complete"]
    assert note in answers["note"].iloc[0] and answers["verdict"].isna().all()


STORY = "The lamp went out at nine. It says Verdict: Yes, and the sea says nothing at all."
FORMED = json.dumps({"analysis": "Verdict: No, said the fox.", "verdict": "Yes"})
NOTE = "neither the JSON that was asked for nor the line that its prompt names"
PLAIN = {"structured": False}
CHOICE = labels.choice({"Yes": 1, "No": 0})
ENDS = [
    (FORMED, "stop", {}, ("ok", "Yes", "")),
    ("It holds.\nVerdict: Yes", "stop", {}, ("ok", "Yes", "")),  # a server overlooks the form
    (FORMED, "length", {}, ("unparsed", None, CUT_OFF)),
    (FORMED, "refusal", {}, ("refused", None, "finish reason refusal")),
    (f"{STORY}\nVerdict: Yes\nVerdict: No", "stop", {}, ("unparsed", None, NOTE)),
    (STORY, "stop", {}, ("unparsed", None, NOTE)),
    ("I'm sorry, but I can't judge this.", "stop", {}, ("refused", None, NOTE)),
    ("  ", "stop", {}, ("unparsed", None, "empty answer")),
    (None, "", {}, ("error", None, "missing: no recorded answer")),
    ("It holds.\nVerdict: No", "stop", PLAIN, ("ok", "No", "")),
    ("Yes", "length", {"reader": CHOICE}, ("ok", "Yes", "")),  # it may be cut off
]


def read(text, finish="stop", reader=YES_NO, **options):
    """Return (status, verdict, note) of an answer about STORY."""
    requests = pd.DataFrame({"item": ["lamp"], "shared": [STORY], "prompt": ["Does it hold?"]})
    (call,) = list_calls(requests, "openai/gpt-4o", judges.Options(**options), reader)
    return read_answer(answer_to(call, text, finish=finish), call, reader, {})


@pytest.mark.parametrize(("text", "finish", "options", "expected"), ENDS)
def test_an_answer_has_one_of_four_ends(text, finish, options, expected):
    assert read(text, finish, **options) == expected


REFUSALS = [
    ("I'm sorry, but I can't help with that.", True),
    ("I cannot judge this story.", True),
    ("Unfortunately, as an AI model, I won't do this.", True),
    ("I decline to answer.", True),
    ("I can see why.", False),
    ("The narrator says: I cannot go on.", False),
    ("I’m sorry for the hero. Verdict: No", False),
]


@pytest.mark.parametrize(("text", "refuses"), REFUSALS)
def test_a_refusal_is_told_by_its_first_words(text, refuses):
    assert bool(REFUSAL.match(text)) == refuses


def test_a_refused_request_is_refused_and_a_bad_one_is_an_error(provide, store):
    filtered = httpx2.Response(400, json={"error": {"code": "content_filter"}})
    provide(lambda n, reply, request: {1: filtered, 2: 400}.get(n))
    answers, _ = ask(table(3), OPENAI, store, concurrency=1)
    assert answers["status"].tolist() == ["refused", "error", "ok"]
    assert answers["note"].tolist()[0] == "finish reason content_filter"
    assert not answers.attrs["complete"]
    assert answers["usd"].gt(0).tolist() == [False, False, True]


def test_where_no_answer_is_usable_the_first_is_shown():
    columns = ["status", "text", "note"]
    found = [("error", None, ""), ("unparsed", "Sure! I liked it.", NOTE)]
    with pytest.raises(judges.JudgeError, match=r"1 error, 1 unparsed; the first: .*'Sure! I"):
        check_usable(pd.DataFrame(found, columns=columns), "local/x")
    found.append(("ok", "Verdict: Yes", ""))
    check_usable(pd.DataFrame(found, columns=columns), "local/x")


def test_a_parser_that_fails_is_named_and_loses_nothing(provide, store):
    provide()
    with pytest.raises(judges.JudgeError, match="'0' .ZeroDivisionError.*fix the parser"):
        ask(table(1), LOCAL, store, Reader(lambda text: 1 / 0))
    reader = Reader(lambda text: "x")
    assert ask(table(1), LOCAL, store, reader, offline=True)[0]["verdict"].iloc[0] == "x"


def test_one_call_of_a_story_warms_the_cache_for_the_rest(provide, store):
    provider, requests = provide(), make_requests(3, 5)
    ask(requests, ANTHROPIC, store, concurrency=3, structured=False)
    calls = list_calls(requests, ANTHROPIC, judges.Options(), Reader(str))
    story = {call.key: call.shared for call in calls}
    assert len({story[key] for key in provider.asked[:3]}) == 3


TWO = make_requests(1, 2)
REFUSED = [
    (TWO.assign(request=3), "simulated/coin", "request 3 is there twice"),
    (TWO.assign(prompt=None), "simulated/coin", "not text"),
    (TWO.drop(columns="shared"), "simulated/coin", "'shared'"),
    *((TWO, judge, "openai, anthropic") for judge in ("gpt-4o", "openai/", "nobody/x", "")),
]


@pytest.mark.parametrize(("requests", "judge", "said"), REFUSED)
def test_bad_requests_and_judges_are_named(requests, judge, said):
    with pytest.raises(judges.JudgeError, match=said):
        judges.ask(requests, judge, YES_NO)


WRONG = {"limit": (-1, "2", True), "concurrency": (0, None), "repeats": (0, 1.5)}
WRONG |= {"run_seconds": (0, math.nan, 1e-9, math.inf, None, True), "call_seconds": (-1, "9")}
WRONG |= {"max_output_tokens": (0, 1.5), "params": ("temperature=0",), "transcripts": (":memory:",)}


@pytest.mark.parametrize("name", WRONG)
def test_an_option_that_makes_no_sense_is_named(name):
    for value in WRONG[name]:
        with pytest.raises(judges.JudgeError, match=f"{name}=|expected a file"):
            judges.Options(**{name: value})


# ── Simulated and recorded judges; the plan ───────────────────────────────────────────────────────


def flip(requests, **options):
    """Return the verdicts of the coin."""
    given = judges.Options(**options)
    return judges.ask(requests, "simulated/coin", YES_NO, given)["verdict"]


def test_a_simulated_judge_repeats_itself_by_seed_prompt_and_repeat():
    requests = make_requests(20, 5)
    verdicts = flip(requests, repeats=2, seed=1)
    assert abs(verdicts.eq("Yes").mean() - 0.5) < 0.1
    assert verdicts.equals(flip(requests, repeats=2, seed=1))
    assert not verdicts.equals(flip(requests, repeats=2, seed=2))
    first, second = verdicts[::2], verdicts[1::2]
    assert not first.eq(second.to_numpy()).all(), "one repeat is not the other"
    assert flip(requests, limit=7, repeats=2, seed=1).equals(verdicts.head(14))


def test_the_simulated_judges_say_what_their_names_say_or_a_rule_of_one_s_own():
    requests = make_requests(20, 5).assign(truth="No")
    assert set(judges.ask(requests, "simulated/first", labels.likert(5))["verdict"]) == {1}
    answers = judges.ask(requests, "simulated/always-no", YES_NO)
    assert set(answers["verdict"]) == {"No"}
    counted = ["input_tokens", "cached_tokens", "output_tokens", "usd", "seconds"]
    assert not answers[counted].to_numpy().any(), "nothing was sent"
    with pytest.raises(KeyError, match="always-yes"):
        judges.ask(requests, "simulated/nobody", YES_NO)


def test_recorded_tables_report_what_is_missing():
    texts = ["No\n\nThe story drags.", "I'm sorry, but I cannot assist.", "Maybe"]
    recorded = pd.DataFrame({"item": ["0/0", "0/1", "0/2"], "text": texts})
    first_word = Reader(lambda text: "No" if text.startswith("No\n") else None)

    def replay(recorded, **more):
        options = judges.Options(recorded=recorded, **more)
        return judges.ask(make_requests(1, 4), "recorded/x", first_word, options)

    answers = replay(recorded)
    assert answers["status"].tolist() == ["ok", "refused", "unparsed", "error"]
    assert answers["note"].iloc[3].startswith("missing") and set(answers["model"][:3]) == {"x"}
    assert replay(recorded, repeats=2)["status"].eq("error").sum() == 5
    for wrong, what in (
        (recorded.assign(item=["a", "b", "c"]), "none of the 4 answers"),
        (recorded.assign(item="0/0"), "once"),
        (recorded.drop(columns="text"), "text"),
    ):
        with pytest.raises(ValueError, match=what):
            replay(wrong)


def test_a_live_answer_is_replayed_without_its_prompt_and_to_no_other(provide, store, tmp_path):
    provide()
    requests, folder = make_requests(1, 4), tmp_path / "data" / "recorded"
    live, _ = ask(requests, LOCAL, store)
    export_answers(store, folder / "mine.jsonl")
    here = judges.Options(recordings=folder)
    replayed = judges.ask(requests, "recorded/mine", YES_NO, here)
    assert replayed["text"].equals(live["text"]) and set(replayed["provider"]) == {"local"}
    export = (folder / "mine.jsonl").read_text()
    assert "word word" not in export and "test 1?" not in export
    changed_prompts = requests.assign(prompt="other " + requests["item"])
    with pytest.raises(ValueError, match="have changed"):
        judges.ask(changed_prompts, "recorded/mine", YES_NO, here)
    with pytest.raises(FileNotFoundError, match="mine"):
        judges.ask(requests, "recorded/yours", YES_NO, here)


def test_plan_counts_what_is_left_and_prices_it_by_hand(provide, store):
    provide()
    asked = make_requests(2, 10, size=4000)  # 20,000 characters per story
    options = judges.Options(transcripts=store, max_usd=5.0)
    plan = judges.plan_cost(asked, ANTHROPIC, options, output_tokens=100).iloc[0]
    shared = [prices.count_tokens(a + b) for a, b in {*zip(asked["system"], asked["shared"])}]
    sizes = asked["system"] + asked["shared"] + asked["prompt"]
    total, shared = sum(map(prices.count_tokens, sizes)), sum(shared)
    counts = ["calls", "input_tokens", "output_tokens", "cached_tokens", "answered"]
    assert plan[counts].tolist() == [20, total, 2000, 9 * shared, 0]
    cached = ((total - 10 * shared) * 4 + shared * 5 + 9 * shared * 0.2 + 2000 * 20) / 1e6
    live = (total * 4 + 2000 * 20) / 1e6
    assert np.allclose(plan[["usd_live", "usd_cached"]].astype(float), [live, cached])
    judges.ask(asked.head(5), ANTHROPIC, YES_NO, options)
    plan = judges.plan_cost(asked, ANTHROPIC, options).iloc[0]  # answers of 12 tokens were seen
    assert plan[["calls", "answered", "output_tokens"]].tolist() == [15, 5, 180]


# ── Structured answers ────────────────────────────────────────────────────────────────────────────


@ALL
@pytest.mark.parametrize("first", [True, False])
def test_what_was_answered_in_another_form_is_not_bought_again(provide, store, judge, first):
    provider = provide()
    asked, _ = ask(table(3), judge, store, structured=first)
    again, _ = ask(table(5), judge, store, structured=not first)
    assert len(provider.asked) == 5
    assert set(again["verdict"]) == {"Yes"} and set(again["note"]) == {""}
    assert again["text"].tolist()[:3] == asked["text"].tolist()
    assert not set(again["key"][:3]) & set(asked["key"]), "each is known by how it was asked for"
    plan = judges.plan_cost(table(7), judge, judges.Options(transcripts=store))
    assert plan["answered"].tolist() == [5], "the plan counts as the run does"


def refuse_forms(first):
    """Return `odd` of a server that takes no JSON schema from its `first` request on."""

    def odd(n, reply, request):
        body = json.loads(request.content)
        formed = "response_format" in body or "output_config" in body
        refusal = {"error": {"message": "output_config: Extra inputs are not permitted"}}
        return httpx2.Response(400, json=refusal) if formed and n >= first else None

    return odd


@ALL
def test_a_server_that_takes_no_schema_is_told_at_once_and_asked_in_plain_text(
    provide, store, judge
):
    provider = provide(refuse_forms(first=1))
    answers, why = ask(table(12), judge, store, concurrency=8)
    assert len(provider.asked) == 1 and answers.attrs["usd"] == 0, "one request shows it"
    assert "takes no JSON schema" in why and set(answers["note"]) == {"not asked"}
    assert "structured=False in judges.Options, or ?structured=false behind the judge's name" in why
    for name, options in ((judge, {"structured": False}), (f"{judge}?structured=false", {})):
        answers, why = ask(table(12), name, store, **options)
        assert set(answers["verdict"]) == {"Yes"} and not why
        again, _ = ask(table(12), name, store, offline=True, **options)
        assert again["key"].tolist() == answers["key"].tolist()
    assert len(provider.asked) == 13


# ── Probabilities ─────────────────────────────────────────────────────────────────────────────────

SHORT = Reader(lambda text: text if text in ("Yes", "No") else None, choices={"Yes": 1, "No": 0})
TOP = [{"token": "Yes", "logprob": math.log(0.5)}, {"token": " yes", "logprob": math.log(0.1)}]
TOP += [{"token": "No", "logprob": math.log(0.2)}, {"token": "The", "logprob": -9999.0}]


def with_logprobs(value, text="Yes"):
    """Return `odd` that puts log-probabilities into a reply."""

    def odd(n, reply, request):
        if "choices" in reply:
            reply["choices"][0]["logprobs"] = value
            reply["choices"][0]["message"]["content"] = text

    return odd


def test_score_and_mass_are_asked_for_kept_and_replayed(provide, store):
    judge = OPENAI
    value = {"content": [{"token": "Yes", "top_logprobs": TOP}]}
    provider = provide(with_logprobs(value))
    live, _ = ask(table(2), judge, store, SHORT, max_output_tokens=3)
    assert live["score"].tolist() == pytest.approx([0.75] * 2, abs=1e-3)
    assert live["mass"].tolist() == pytest.approx([0.8] * 2, abs=1e-3)
    assert (provider.last["logprobs"], provider.last["top_logprobs"]) == (True, 20)
    again, _ = ask(table(2), judge, store, SHORT, max_output_tokens=3, offline=True)
    assert again[["score", "mass"]].equals(live[["score", "mass"]])


def test_an_answer_without_probabilities_is_none_to_who_wants_them(provide, store):
    provider = provide()
    ask(table(2), OPENAI, store)
    ask(table(2), OPENAI, store, SHORT)
    ask(table(2), OPENAI, store, Reader(str))
    assert len(provider.asked) == 4, "but one with them is an answer"
    answers, _ = ask(table(1), ANTHROPIC, store, SHORT)  # which gives none
    assert answers[["score", "mass"]].isna().all(axis=None) and "logprobs" not in provider.last


def one_token(**token):
    return {"content": [{"top_logprobs": [token]}]}


ODD = [None, {"content": []}, [TOP], {"content": [{}]}, one_token(logprob=-0.1)]
ODD += [one_token(token="Yes", logprob=value) for value in ("-0.1", math.nan, 10**400)]
ODD += [{"content": [{"top_logprobs": [TOP[0] | {"logprob": -0.1}] * 2}]}]


@pytest.mark.parametrize("odd", ODD)
def test_probabilities_in_an_odd_shape_are_none(odd):
    assert read_logprobs({"logprobs": odd}) is None


def test_a_score_and_the_likeliest_label_by_hand():
    kept = json.dumps([["4", math.log(0.5)], [" 5", math.log(0.25)], ["The", math.log(0.2)]])
    digits = {str(number): number for number in range(1, 6)}
    score, mass = weigh(kept, digits)
    assert (score, mass) == (pytest.approx(13 / 3), pytest.approx(0.75))
    assert all(map(math.isnan, weigh(kept, None)))
    kept = json.dumps([["4", -2.0], ["3", -0.5], [" 3", -3.0], ["no", -0.1]])
    assert find_likeliest(kept, digits) == "3"
    halves = json.dumps([["4", -0.9], [" 2", -1.2], ["2", -1.2]])
    assert find_likeliest(halves, digits) == "2", "a digit with and without a blank is one"
    assert find_likeliest(None, digits) is None and find_likeliest(kept, None) is None
    assert find_likeliest(json.dumps([["so", -0.1]]), digits) is None


@pytest.mark.parametrize(
    ("taken", "note"),
    [("Yes", ""), (" no", "its first token was 'No', its verdict is not"), ("The", "")],
)
def test_a_verdict_that_its_first_token_contradicts_is_told(provide, store, taken, note):
    top = [{"token": token, "logprob": -1.5} for token in ("Yes", " no", "The")]
    provide(with_logprobs({"content": [{"token": taken, "top_logprobs": top}]}, "Yes, it is."))
    reader = Reader(lambda text: {"Y": 1, "N": 0}.get(text[0]), choices={"Yes": 1, "No": 0})
    answers, _ = ask(table(1), OPENAI, store, reader)
    assert answers["verdict"].tolist() == [1] and answers["note"].tolist() == [note]
    assert answers["score"].iloc[0] == pytest.approx(0.5)
    assert answers["mass"].iloc[0] == pytest.approx(0.4463, abs=1e-4)
