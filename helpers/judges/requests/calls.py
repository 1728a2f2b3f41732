"""From requests to calls: which judge, which parameters, the key of each answer."""

import hashlib
import json
from typing import NamedTuple
from urllib.parse import parse_qsl

from helpers.judges.errors import JudgeError
from helpers.judges.live.addresses import endpoint
from helpers.judges.requests.prompts import form as read_form

LIVE = ("openai", "anthropic", "local")
PROVIDERS = (*LIVE, "recorded", "simulated")
# where not given: 150 words and a label for a small model, room to think for others
OUTPUT_TOKENS = {"local": 400}
LOGPROBS = {"logprobs": True, "top_logprobs": 20}  # what an OpenAI-compatible server is asked for
CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
# the only parameters that a paid model is sent: none of them adds a fee or a second answer
ALLOWED = {
    "openai": "temperature top_p seed stop presence_penalty frequency_penalty logit_bias"
    " reasoning_effort verbosity max_tokens",
    "anthropic": "temperature top_p top_k stop_sequences thinking max_tokens",
}
# what a local server is not sent either
OURS = {"model", "messages", "system", "n", "stream", "tools", "max_completion_tokens"}


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


def digest(value):
    """Return the SHA-256 (hex) of the canonical JSON of a value: sorted keys, no spaces, UTF-8."""
    return hashlib.sha256(CANONICAL.encode(value).encode("utf8", "surrogatepass")).hexdigest()
