"""Ask a judge: requests in, a table of answers out; plan what it costs first, and pay for nothing twice."""

import json
import os
import re
from urllib.parse import urlsplit

import pandas as pd

from helpers import canned, prices
from helpers.data import ROOT
from helpers.prompts import without_echo
from helpers.store import COLUMNS, Store, digest

PROVIDERS = ("openai", "anthropic", "local", "likelihood", "recorded", "simulated")
LIVE = ("openai", "anthropic", "local", "likelihood")
TRANSCRIPTS = ROOT / "outputs" / "transcripts.sqlite"
REFUSED = ("refusal", "content_filter")
REFUSAL = re.compile(
    r"^\W{0,5}(?:i['’]?m (?:very )?sorry|i am sorry|sorry|i apologi[sz]e|unfortunately)?[,.;:!]?\W{0,3}(?:but )?"
    r"(?:as an ai[^.,]{0,40}, )?i\W{0,2}(?:can(?:no|['’])t|am unable to|['’]?m unable to|am not able to|"
    r"['’]?m not able to|won['’]t|will not|must decline|decline to)\b",
    re.IGNORECASE,
)
OUTPUT_TOKENS = 1024


class JudgeError(ValueError):
    """A judge cannot be asked in this way; the message says what to change."""


class MissingAnswer(JudgeError):
    """In offline mode an answer is not in the store; nothing was called."""


class Incomplete(JudgeError):
    """A run stopped before its end (money, or a batch that is not done); `.answers` holds what there is."""

    def __init__(self, message, answers=None):
        super().__init__(message)
        self.answers = answers


def split_judge(judge):
    """Return (provider, model) of a judge such as 'openai/gpt-4o' (the model may hold further slashes)."""
    provider, _, model = str(judge).partition("/")
    if provider not in PROVIDERS or not model:
        raise JudgeError(f"judge={judge!r}: expected provider/name with a provider of {', '.join(PROVIDERS)}")
    return provider, model


def endpoint(provider):
    """Return host:port of a base URL other than the provider's own ('' for its own, and for servers under local/)."""
    url = os.environ.get({"openai": "OPENAI_BASE_URL", "anthropic": "ANTHROPIC_BASE_URL"}.get(provider, ""), "")
    host = urlsplit(url).netloc.rpartition("@")[2]
    return "" if host in ("", "api.openai.com", "api.anthropic.com") else host


def list_calls(requests, judge, repeats=1, limit=0, params=None, max_output_tokens=OUTPUT_TOKENS, seed=0):
    """Return a list of calls (dicts): key, prompt_key, provider, model, params, repeat, item, system, shared, prompt.

    `key` is the SHA-256 of all that determines the answer: provider, model, parameters, endpoint, prompt and repeat.
    Raises JudgeError for missing columns, an item twice, or a cell that is not text.
    """
    provider, model = split_judge(judge)
    if missing := [column for column in ("item", "shared", "prompt") if column not in requests]:
        raise JudgeError(f"requests lack the column {missing[0]!r}; expected item, shared, prompt and perhaps system")
    if requests["item"].duplicated().any():
        raise JudgeError(f"requests: item {requests.loc[requests['item'].duplicated(), 'item'].iloc[0]!r} stands twice")
    if repeats < 1:
        raise JudgeError(f"repeats={repeats!r}: expected 1 or more")
    table = requests.head(limit) if limit else requests
    settings = dict(params or {})
    if provider in ("openai", "anthropic", "local"):
        settings = {"max_tokens": max_output_tokens} | settings
    if provider == "simulated":
        settings["seed"] = seed
    common = {"provider": provider, "model": model, "params": json.dumps(settings, sort_keys=True)}
    where, shared_keys, calls = endpoint(provider), {}, []
    systems = table["system"] if "system" in table else [""] * len(table)
    for item, system, shared, prompt in zip(table["item"], systems, table["shared"], table["prompt"]):
        if not all(isinstance(cell, str) for cell in (item, system, shared, prompt)):
            raise JudgeError(f"requests: item {item!r} has a cell that is not text; fill missing parts with ''")
        if shared not in shared_keys:
            shared_keys[shared] = digest(shared)
        prompt_key = digest([system, shared_keys[shared], prompt])
        for repeat in range(1, repeats + 1):
            key = digest([prompt_key, provider, model, common["params"], where, repeat])
            calls.append(
                {
                    "key": key,
                    "prompt_key": prompt_key,
                    **common,
                    "repeat": repeat,
                    "item": item,
                    "system": system,
                    "shared": shared,
                    "prompt": prompt,
                }
            )
    return calls


def plan(
    requests,
    judge,
    repeats=1,
    transcripts=None,
    max_output_tokens=OUTPUT_TOKENS,
    limit=0,
    params=None,
    output_tokens=None,
):
    """Return a one-line table of what `ask` would do: calls, answered (free), tokens to pay for, and USD in four ways.

    Tokens are estimates (four characters each); `output_tokens` is the expected length of an answer (default: the mean of
    this judge's answers in the store, else `max_output_tokens`). usd_cached counts the shared text at the price of a cache
    write once and of a cache read afterwards, where it is long enough; usd_batch is the provider's batch price.
    Raises prices.PriceError for a paid model without a price.
    """
    provider, model = split_judge(judge)
    price = prices.find_price(provider, model)
    calls = list_calls(requests, judge, repeats, limit, params, max_output_tokens)
    path, answered, seen = transcripts or TRANSCRIPTS, {}, None
    if provider in LIVE and os.path.exists(path):
        with Store(path) as store:
            answered = store.get(call["key"] for call in calls)
            seen = store.rows("SELECT avg(output_tokens) FROM answers WHERE provider=? AND model=?", provider, model)[
                0
            ][0]
    todo = [call for call in calls if call["key"] not in answered] if provider in LIVE else []
    count, cached, written, groups = 0, 0, 0, {}
    for call in todo:
        count += prices.count_tokens(call["system"] + call["shared"] + call["prompt"])
        groups.setdefault((call["system"], call["shared"]), []).append(call)
    for (system, shared), members in groups.items():
        size = prices.count_tokens(system + shared)
        if shared and len(members) > 1 and size >= price["min_cached_tokens"]:
            written, cached = written + size, cached + size * (len(members) - 1)
    expected = output_tokens or seen or max_output_tokens
    output = round(len(todo) * expected)
    usd = {
        f"usd_{name}": prices.cost(price, count, output, *tokens, batch=batch)
        for name, tokens, batch in (
            ("live", (0, 0), False),
            ("batch", (0, 0), True),
            ("cached", (cached, written), False),
            ("cached_batch", (cached, written), True),
        )
    }
    return pd.DataFrame(
        [
            {
                "judge": judge,
                "calls": len(todo),
                "answered": len(calls) - len(todo) if provider in LIVE else len(calls),
                "input_tokens": count,
                "cached_tokens": cached,
                "output_tokens": output,
                **usd,
                "price_date": price["date"],
            }
        ]
    )


def ask(
    requests,
    judge,
    parse,
    *,
    transcripts=None,
    repeats=1,
    concurrency=8,
    max_usd=0.0,
    limit=0,
    offline=False,
    params=None,
    seed=0,
    simulators=None,
    recorded=None,
    progress=False,
    batch=False,
    max_output_tokens=OUTPUT_TOKENS,
):
    """Return one row an (item, repeat): the answer of `judge`, its verdict and its status, what it cost and when.

    `requests`: item (unique), shared (long text that many prompts begin with, may be ''), prompt, perhaps system.
    `parse(text)` returns a verdict or None. `max_usd=0.0` allows no paid call. `offline` forbids every call.
    `recorded`: a table item, text for judge='recorded/<name>'; without it data/recorded/<name>.jsonl is read.
    Columns: item, repeat, text, verdict, status (ok, refused, unparsed, error), provider, model, input_tokens, cached_tokens,
    output_tokens, usd, seconds, when, key, served, note. `.attrs`: calls and usd of this run, complete.
    Raises JudgeError, MissingAnswer (offline), Incomplete (money or batch; `.answers` holds the answers), PriceError.
    """
    provider, model = split_judge(judge)
    calls = list_calls(requests, judge, repeats, limit, params, max_output_tokens, seed)
    facts = {"calls": 0, "usd": 0.0, "complete": True}
    notes, stop = {}, None
    if provider == "simulated":
        replies = canned.simulate(calls, requests, model, seed, simulators)
    elif provider == "recorded":
        replies = canned.from_table(calls, recorded, model) if recorded is not None else canned.from_file(calls, model)
    else:
        with Store(transcripts or TRANSCRIPTS) as store:
            replies = store.get(call["key"] for call in calls)
            todo = [call for call in calls if call["key"] not in replies]
            if todo and offline:
                raise MissingAnswer(
                    f"offline: {len(todo)} of {len(calls)} answers of {judge} are not in {store.path.name}, the "
                    f"first for item {todo[0]['item']!r}, prompt {todo[0]['prompt_key'][:12]}…; nothing was asked"
                )
            if todo:
                from helpers import live  # the SDKs load only when a call is made

                notes, stop, facts = live.run(
                    todo, store, concurrency=concurrency, max_usd=max_usd, progress=progress, batch=batch
                )
                replies |= store.get(call["key"] for call in todo)
        replies = {key: dict(zip(COLUMNS, row)) for key, row in replies.items()}
    answers = tabulate(calls, replies, notes, parse, provider)
    answers.attrs = facts | {"complete": facts["complete"] and stop is None}
    if stop:
        raise Incomplete(stop, answers)
    return answers


def tabulate(calls, replies, notes, parse, provider="simulated"):
    """Return the table of answers for calls, replies by key and notes by key (why there is no reply)."""
    rows = []
    for call in calls:
        reply = replies.get(call["key"])
        if reply is None:
            note = notes.get(call["key"], "missing: no recorded answer")
            rows.append(
                (
                    call["item"],
                    call["repeat"],
                    None,
                    None,
                    "error",
                    call["provider"],
                    call["model"],
                    0,
                    0,
                    0,
                    0.0,
                    0.0,
                    None,
                    call["key"],
                    None,
                    note,
                )
            )
            continue
        status, verdict, note = read(reply, call, parse)
        rows.append(
            (
                call["item"],
                call["repeat"],
                reply["text"],
                verdict,
                status,
                reply["provider"] or provider,
                reply["model"],
                reply["input_tokens"],
                reply["cached_tokens"],
                reply["output_tokens"],
                reply["usd"],
                reply["seconds"],
                reply["at"],
                call["key"],
                reply["served_model"],
                note,
            )
        )
    names = [
        "item",
        "repeat",
        "text",
        "verdict",
        "status",
        "provider",
        "model",
        "input_tokens",
        "cached_tokens",
        "output_tokens",
        "usd",
        "seconds",
        "when",
        "key",
        "served",
        "note",
    ]
    table = pd.DataFrame(rows, columns=names)
    table["verdict"] = pd.Series([row[3] for row in rows], dtype=object)  # None, not nan, where there is no verdict
    return table


def read(reply, call, parse):
    """Return (status, verdict, note) of a reply: what it repeats of its prompt never reaches the parser.

    An answer cut off at its length limit has no final label, unless the parser says `parse.cut_ok = True`.
    """
    text, finish = reply["text"] or "", reply["finish"]
    if finish in REFUSED:
        return "refused", None, f"finish reason {finish}"
    if finish == "length" and not getattr(parse, "cut_ok", False):
        return "unparsed", None, "cut off at max_output_tokens"
    try:
        verdict = parse(without_echo(text, call["shared"], call["prompt"]))
    except Exception as fault:
        raise JudgeError(
            f"the parser failed on the answer to item {call['item']!r} ({type(fault).__name__}: {fault}); the answer "
            "is kept, mend the parser and run again"
        ) from fault
    if verdict is not None:
        return "ok", verdict, ""
    return ("refused" if REFUSAL.match(text) else "unparsed"), None, "" if text.strip() else "empty answer"
