"""From requests to calls: which judge, which requests are the same, what a run will cost."""

import json
import math
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

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
LIKELY_TOKENS = 200  # of an answer, where none has been seen: some sentences and a label
# the only parameters that a paid model is sent: none of them adds a fee or a second answer
ALLOWED = {
    "openai": "temperature top_p seed stop presence_penalty frequency_penalty logit_bias"
    " reasoning_effort verbosity max_tokens",
    "anthropic": "temperature top_p top_k stop_sequences thinking max_tokens",
}
# what a local server is not sent either
OURS = {"model", "messages", "system", "n", "stream", "tools", "max_completion_tokens"}


@dataclass(frozen=True)
class Options:
    """How judges are asked; notebooks fill it from their parameters.

    max_usd: USD that nothing exceeds (0: no paid call), one `Budget` for all that is asked with
    these options. repeats: answers to each request. limit: the first so many requests (0: all).
    concurrency: live requests at a time. transcripts: path of the store ('' or None:
    outputs/transcripts.sqlite). offline: True forbids every call. params: further parameters of the
    model; those in a judge's name (`read_params`) come before them. max_output_tokens: longest
    answer. structured: False asks in plain text where a form is known. seed, simulators ({name:
    f(row, rng) -> text}): of simulated/ judges. recorded: a table item, text for recorded/<name>;
    without it data/recorded/<name>.jsonl is read. call_seconds, run_seconds: for one call with its
    retries (300, local/ 1800), for the run (a day).
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
        for name, least in {"repeats": 1, "limit": 0, "concurrency": 1}.items():
            if type(value := getattr(self, name)) is not int or value < least:
                raise JudgeError(f"{name}={value!r}: expected a whole number, {least} or more")
        for name in ("call_seconds", "run_seconds"):
            value = getattr(self, name)
            unset = name == "call_seconds" and value is None
            if not unset and not (type(value) in (int, float) and 1 <= value < math.inf):
                raise JudgeError(f"{name}={value!r}: expected a number of seconds, 1 or more")
        longest = self.max_output_tokens
        if longest is not None and not (type(longest) is int and longest > 0):
            raise JudgeError(f"max_output_tokens={longest!r}: expected a whole number above 0")
        if not isinstance(self.params, dict | None):
            raise JudgeError(f"params={self.params!r}: expected names and values, or None")
        if not isinstance(self.max_usd, prices.Budget):
            object.__setattr__(self, "max_usd", prices.Budget(self.max_usd))


class Call(NamedTuple):
    """One question to a judge. `key`, the SHA-256 of all that determines the answer: provider,
    model, parameters (JSON), endpoint, prompt and repeat."""

    key: str
    prompt_key: str
    provider: str
    model: str
    params: str
    repeat: int
    item: str
    system: str
    shared: str
    prompt: str

    @property
    def max_tokens(self):
        """The longest answer that is asked for."""
        return json.loads(self.params).get("max_tokens", 0)

    @property
    def form(self):
        """The name of a structured answer's form (data/prompts/forms.yaml), or None."""
        return json.loads(self.params).get("form", {}).get("name")


class Outcome(NamedTuple):
    """What asking gave: Answers, notes by key, why it stopped, its cost, what took no form."""

    answers: dict
    notes: dict = {}
    stop: str = ""
    calls: int = 0
    usd: float = 0.0
    formless: frozenset = frozenset()


def split_judge(judge):
    """Return (provider, model) of a judge: 'openai/gpt-4o'; a model may hold further slashes. What
    follows a '?' are the parameters of a live judge (`read_params`)."""
    provider, _, model = str(judge).partition("/")
    if provider in LIVE:
        model = model.partition("?")[0]
    if provider not in PROVIDERS or not model:
        known = ", ".join(PROVIDERS)
        raise JudgeError(f"judge={judge!r}: expected provider/name with a provider of {known}")
    return provider, model


def read_params(judge):
    """Return the parameters in a judge's name: local/x?max_tokens=2000&temperature=0.7."""
    written = str(judge).partition("?")[2]
    try:
        pairs = parse_qsl(written, strict_parsing=True, keep_blank_values=True) if written else []
    except ValueError:
        raise JudgeError(
            f"judge={judge!r}: expected name=value behind the question mark, joined by &, say"
            " ?max_tokens=2000&temperature=0.7"
        ) from None
    return {name: read_value(value) for name, value in pairs}


def read_value(text):
    """Return a parameter's value: JSON (0.7, true, [1]) or else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def find_store(transcripts=None):
    """Return the path of a transcript store, a file; a relative one is in the project's folder."""
    if str(transcripts).startswith((":memory:", "file:")):
        raise JudgeError(f"transcripts={transcripts!r}: expected a file, so that answers are kept")
    return ROOT / (transcripts or TRANSCRIPTS)


def settings_of(judge, options, form, choices):
    """Return the parameters of a call, part of its key; JudgeError for what changes its cost."""
    provider, model = split_judge(judge)
    params = (options.params or {}) | (read_params(judge) if provider in LIVE else {})
    if provider not in LIVE:
        return ({"seed": options.seed} if provider == "simulated" else {}) | params
    known = ALLOWED.get(provider, "").split()
    if wrong := sorted((set(params) - set(known) if known else OURS & set(params)), key=str):
        raise JudgeError(
            f"params: {wrong[0]!r} might change what a call costs or returns; leave it out"
            f" ({'known: ' + ', '.join(known) + '; ' if known else ''}the length of an answer is"
            " max_tokens)"
        )
    settings = {"max_tokens": options.max_output_tokens or OUTPUT_TOKENS.get(provider, 1024)}
    settings |= {"temperature": 0} if provider == "local" else {}
    settings |= LOGPROBS if choices and provider != "anthropic" else {}
    if form and not (provider == "local" and "+" in model):
        settings["form"] = {"name": form, "schema": read_form(form)["schema"]}
    settings |= params
    length = settings["max_tokens"]
    if not (type(length) is int and length > 0):
        raise JudgeError(f"max_tokens={length!r}: expected a whole number above 0")
    return settings


def list_calls(requests, judge, options, form=None, choices=None):
    """Return the Calls of requests in order; JudgeError for what is missing, twice or no text."""
    provider, model = split_judge(judge)
    if missing := [column for column in ("item", "shared", "prompt") if column not in requests]:
        expected = "expected item, shared, prompt and perhaps system"
        raise JudgeError(f"requests lack the column {missing[0]!r}; {expected}")
    if (twice := requests["item"].duplicated()).any():
        raise JudgeError(f"requests: item {requests.loc[twice, 'item'].iloc[0]!r} is there twice")
    table = requests.head(options.limit) if options.limit else requests
    settings, where = settings_of(judge, options, form, choices), endpoint(provider)
    try:
        params = json.dumps(settings, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as fault:
        raise JudgeError(f"params: {fault}; expected numbers, text and lists") from None
    shared_keys, calls = {}, []
    texts = table.reindex(columns=["item", "system", "shared", "prompt"], fill_value="")
    for item, *parts in texts.itertuples(index=False):
        if not all(isinstance(cell, str) for cell in (item, *parts)):
            advice = "fill missing parts with ''"
            raise JudgeError(f"requests: item {item!r} has a cell that is not text; {advice}")
        system, shared, prompt = parts
        if shared not in shared_keys:
            shared_keys[shared] = digest(shared)
        prompt_key = digest([system, shared_keys[shared], prompt])
        for repeat in range(1, options.repeats + 1):
            key = digest([prompt_key, provider, model, params, where, repeat])
            calls.append(Call(key, prompt_key, provider, model, params, repeat, item, *parts))
    return calls


def group_calls(calls):
    """Return lists of calls in order: those with the same shared text, each without one alone."""
    groups = {}
    for call in calls:
        name = (call.system, call.shared) if call.shared else call.key
        groups.setdefault(name, []).append(call)
    return [*groups.values()]


def estimate(todo, price, store=None, output_tokens=None):
    """Return a dict for calls still to be made: calls, tokens and likely USD.

    Four characters a token. usd_live: without the provider's prompt cache, usd_cached: with it,
    usd_most: with answers of full length. output_tokens: of an answer (default: the mean in
    `store`, else LIKELY_TOKENS).
    """
    if store and todo and not output_tokens:
        sql = "SELECT avg(output_tokens) FROM answers WHERE provider=? AND model=?"
        output_tokens = store.rows(sql, todo[0].provider, todo[0].model)[0][0]
    sizes = [prices.count_tokens(call.system + call.shared + call.prompt) for call in todo]
    longest = [call.max_tokens for call in todo]
    output = round(sum(min(output_tokens or LIKELY_TOKENS, each) for each in longest))
    cached = written = 0
    for first, *rest in group_calls(todo):
        tokens = prices.count_tokens(first.system + first.shared) if rest else 0
        if tokens >= price["min_cached_tokens"]:
            written, cached = written + tokens, cached + tokens * len(rest)
    given = {"input_tokens": sum(sizes), "output_tokens": output, "longest": max(sizes, default=0)}
    full = given | {"output_tokens": sum(longest)}
    return {
        "calls": len(todo),
        "input_tokens": sum(sizes),
        "cached_tokens": cached,
        "output_tokens": output,
        "usd_live": prices.cost(price, **given),
        "usd_cached": prices.cost(price, **given, cached_tokens=cached, written_tokens=written),
        "usd_most": prices.cost(price, **full),
    }


def plan(requests, judge, options=None, output_tokens=None):
    """Return one line on what `judges.ask` would do: judge, calls, tokens, USD; PriceError.

    answered: stored already, in whatever form, and so free; the rest as `estimate` says.
    """
    (provider, model), options = split_judge(judge), options or Options()
    price, path = prices.find_price(provider, model), find_store(options.transcripts)
    calls = {call.key: call for call in list_calls(requests, judge, options)}
    todo = dict(enumerate(calls.values() if provider in LIVE else ()))
    with Store(path) if todo and path.exists() else nullcontext() as store:
        ways = [{}, {"choices": True}, *({"form": form} for form in read_form())]
        for way in ways if store else ():
            asked = list_calls(requests, judge, options, **way)
            keys = [*dict.fromkeys(call.key for call in asked)]
            found = store.get(keys)
            todo = {place: call for place, call in todo.items() if keys[place] not in found}
        guess = estimate([*todo.values()], price, store, output_tokens)
    counts = {"judge": judge, "answered": len(calls) - len(todo)}
    return pd.DataFrame([{**counts, **guess, "price_date": price["date"]}])
