"""From requests to calls: which judge, which key decides that two requests are the same, and what a
run will cost."""

import json
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from helpers.judges import prices
from helpers.judges.addresses import JudgeError, endpoint
from helpers.judges.prompts import form as read_form
from helpers.judges.store import Store, digest
from helpers.sources.public import ROOT

LIVE = ("openai", "anthropic", "local")
PROVIDERS = (*LIVE, "recorded", "simulated")
TRANSCRIPTS = ROOT / "outputs" / "transcripts.sqlite"
# where not given: 150 words and a label for a small model, room to think for others
OUTPUT_TOKENS = {"local": 400}
LOGPROBS = {"logprobs": True, "top_logprobs": 20}  # what an OpenAI-compatible server is asked for
OURS = (
    "model",
    "messages",
    "system",
    "n",
    "stream",
    "tools",
    "service_tier",
    "speed",
    "inference_geo",
    "max_completion_tokens",
)


@dataclass(frozen=True)
class Options:
    """How judges are asked; notebooks fill it from their parameters.

    max_usd: USD that nothing exceeds (0: no paid call), one `Budget` for all that is asked with
    these options. repeats: answers to each request. limit: the first so many requests (0: all).
    concurrency: live requests at a time. transcripts: path of the store ('' or None:
    outputs/transcripts.sqlite). offline: True forbids every call. params: further parameters of the
    model. max_output_tokens: longest answer. structured: False asks in plain text where a form is
    known. seed, simulators ({name: f(row, rng) -> text}): of simulated/ judges. recorded: a table
    item, text for recorded/<name>; without it data/recorded/<name>.jsonl is read. call_seconds,
    run_seconds: for one call with its retries (300, local/ 1800), for the run (a day).
    """

    max_usd: float | prices.Budget = 0.0
    repeats: int = 1
    limit: int = 0
    concurrency: int = 8
    transcripts: str | Path | None = None
    offline: bool = False
    params: dict | None = None
    max_output_tokens: int | None = None
    structured: bool = True
    seed: int = 0
    simulators: dict | None = None
    recorded: Any = None
    progress: bool = True
    call_seconds: float | None = None
    run_seconds: float = 86_400.0

    def __post_init__(self):
        if not isinstance(self.max_usd, prices.Budget):
            object.__setattr__(self, "max_usd", prices.Budget(self.max_usd))


def split_judge(judge):
    """Return (provider, model) of a judge such as 'openai/gpt-4o' (the model may hold further
    slashes)."""
    provider, _, model = str(judge).partition("/")
    if provider not in PROVIDERS or not model:
        raise JudgeError(
            f"judge={judge!r}: expected provider/name with a provider of {', '.join(PROVIDERS)}"
        )
    return provider, model


def find_store(transcripts=None):
    """Return the path of a transcript store; one that is not absolute is below the project's
    folder."""
    return ROOT / (transcripts or TRANSCRIPTS)


def settings_of(provider, model, options, form, choices):
    """Return the parameters of a call, part of its key; raise JudgeError for those that would
    change what it costs."""
    settings = {"seed": options.seed} if provider == "simulated" else {}
    if provider in LIVE:
        settings = {"max_tokens": options.max_output_tokens or OUTPUT_TOKENS.get(provider, 1024)}
        settings |= {"temperature": 0} if provider == "local" else {}
        settings |= LOGPROBS if choices and provider != "anthropic" else {}
        if form and not (provider == "local" and "+" in model):
            settings["form"] = {"name": form, "schema": read_form(form)["schema"]}
        if wrong := sorted(set(options.params or {}) & {*OURS}):
            raise JudgeError(
                f"params: {wrong[0]!r} would change what a call costs or returns; leave it out (the"
                " length of an answer is max_output_tokens)"
            )
    settings |= options.params or {}
    if provider in ("openai", "anthropic") and not (
        type(settings["max_tokens"]) is int and settings["max_tokens"] > 0
    ):
        raise JudgeError(
            f"max_output_tokens={settings['max_tokens']!r}: expected a whole number above 0"
        )
    return settings


def list_calls(requests, judge, options, form=None, choices=None):
    """Return a list of calls (dicts): key, prompt_key, provider, model, params, repeat, item,
    system, shared, prompt, max_tokens and form (the name of an entry of data/prompts/forms.yaml for
    a structured answer, else None).

    `key` is the SHA-256 of all that determines the answer: provider, model, parameters, endpoint,
    prompt and repeat. Raises JudgeError for missing columns, an item twice, or a cell that is not
    text.
    """
    provider, model = split_judge(judge)
    if missing := [column for column in ("item", "shared", "prompt") if column not in requests]:
        raise JudgeError(
            f"requests lack the column {missing[0]!r}; expected item, shared, prompt and perhaps"
            " system"
        )
    if requests["item"].duplicated().any():
        raise JudgeError(
            f"requests: item {requests.loc[requests['item'].duplicated(), 'item'].iloc[0]!r} stands"
            " twice"
        )
    if options.repeats < 1:
        raise JudgeError(f"repeats={options.repeats!r}: expected 1 or more")
    table = requests.head(options.limit) if options.limit else requests
    settings = settings_of(provider, model, options, form, choices)
    common = {
        "provider": provider,
        "model": model,
        "params": json.dumps(settings, sort_keys=True),
        "max_tokens": settings.get("max_tokens", 0),
        "form": form if "form" in settings else None,
    }
    where, shared_keys, calls = endpoint(provider), {}, []
    columns = [
        table[name].tolist() if name in table else [""] * len(table)
        for name in ("item", "system", "shared", "prompt")
    ]
    for item, system, shared, prompt in zip(*columns):
        if not all(isinstance(cell, str) for cell in (item, system, shared, prompt)):
            raise JudgeError(
                f"requests: item {item!r} has a cell that is not text; fill missing parts with ''"
            )
        if shared not in shared_keys:
            shared_keys[shared] = digest(shared)
        prompt_key = digest([system, shared_keys[shared], prompt])
        for repeat in range(1, options.repeats + 1):
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


def distinct(calls):
    """Return the calls without those that ask the same again: one answer is for all of them."""
    return [*{call["key"]: call for call in calls}.values()]


def group_calls(calls):
    """Return lists of calls in order; calls with the same shared text form one, a call without
    shared text one of its own."""
    groups = {}
    for call in calls:
        groups.setdefault(
            (call["system"], call["shared"]) if call["shared"] else call["key"], []
        ).append(call)
    return list(groups.values())


def estimate(todo, price, store=None, output_tokens=None):
    """Return a dict for calls still to be made: calls, tokens (four characters each) and USD,
    without and with the provider's prompt cache.

    An answer is taken to be `output_tokens` long (default: the mean of this judge's answers in
    `store`, else the maximum).
    """
    sql = "SELECT avg(output_tokens) FROM answers WHERE provider=? AND model=?"
    seen = store.rows(sql, todo[0]["provider"], todo[0]["model"])[0][0] if store and todo else None
    sizes = [prices.count_tokens(call["system"] + call["shared"] + call["prompt"]) for call in todo]
    cached = written = 0
    for first, *rest in group_calls(todo):
        tokens = prices.count_tokens(first["system"] + first["shared"]) if rest else 0
        if tokens >= price["min_cached_tokens"]:
            written, cached = written + tokens, cached + tokens * len(rest)
    output = round(
        sum(min(output_tokens or seen or call["max_tokens"], call["max_tokens"]) for call in todo)
    )
    kinds = {"live": (0, 0), "cached": (cached, written)}
    found = {
        "calls": len(todo),
        "input_tokens": sum(sizes),
        "cached_tokens": cached,
        "output_tokens": output,
    }
    return found | {
        f"usd_{kind}": prices.cost(price, sum(sizes), output, *cache, max(sizes, default=0))
        for kind, cache in kinds.items()
    }


def plan(requests, judge, options=None, output_tokens=None):
    """Return a one-line table of what `judges.ask` would do: judge, calls, answered (free, in
    whatever form), tokens and USD of `estimate`.

    Raises prices.PriceError for a paid model without a price.
    """
    (provider, model), options = split_judge(judge), options or Options()
    price, path = prices.find_price(provider, model), find_store(options.transcripts)
    calls = distinct(list_calls(requests, judge, options))
    todo = dict(enumerate(calls if provider in LIVE else ()))
    with Store(path) if todo and path.exists() else nullcontext() as store:
        for way in (
            [{}, {"choices": True}, *({"form": form} for form in read_form())] if store else ()
        ):
            keys = [call["key"] for call in distinct(list_calls(requests, judge, options, **way))]
            found = store.get(keys)
            todo = {place: call for place, call in todo.items() if keys[place] not in found}
        guess = estimate([*todo.values()], price, store, output_tokens)
    return pd.DataFrame(
        [{"judge": judge, "answered": len(calls) - len(todo), **guess, "price_date": price["date"]}]
    )
