"""From requests to calls: which judge, which parameters, the key of each answer."""

import hashlib
import json
from typing import NamedTuple
from urllib.parse import parse_qsl

from goodjudge.ask.addresses import endpoint, refuse_key
from goodjudge.ask.errors import JudgeError

LIVE = ("openai", "anthropic", "local")
ABOUT = ("item", "aspect", "partner", "order")  # what a request is about
PARTS = ("system", "shared", "prompt")  # of what a judge reads
PROVIDERS = (*LIVE, "recorded", "simulated")
READ_NOTHING = ("always-yes", "always-no", "first", "coin")  # simulated judges
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
ALLOWED["local"] = f"{ALLOWED['openai']} top_k min_p server"  # with a price
# what a local server is not sent either
OURS = {"model", "messages", "system", "n", "stream", "tools", "max_completion_tokens", "price"}
OURS |= {"best_of", "models", "plugins", "service_tier", "web_search_options"}  # may cost more


class Call(NamedTuple):
    """One question to a judge, one of the repeats of a request.

    key: SHA-256 of all that determines the answer: provider, model, parameters (JSON), endpoint,
    prompt and repeat. request: the number of its request; about: what that is about
    (`name_requests`). grammar: that a local model is held to (`find_grammar`).
    """

    key: str
    prompt_key: str
    provider: str
    model: str
    params: str
    repeat: int
    request: int
    about: str
    system: str
    shared: str
    prompt: str
    grammar: str = ""

    @property
    def max_tokens(self):
        """The longest answer that is asked for."""
        return json.loads(self.params).get("max_tokens", 0)

    @property
    def form(self):
        """The name of the `reader.Form` that is asked for, or None."""
        return json.loads(self.params).get("form", {}).get("name")


def split_judge(judge):
    """Return (provider, model) of a judge: 'openai/gpt-4o'; a model may hold further slashes. What
    follows a '?' are the parameters of a live judge (`read_params`)."""
    refuse_key(judge, "the judge's name")
    provider, _, model = str(judge).partition("/")
    if provider in LIVE:
        model = model.partition("?")[0]
    if provider not in PROVIDERS or not model:
        known = ", ".join(PROVIDERS)
        raise JudgeError(f"judge={judge!r}: expected provider/name with a provider of {known}")
    return provider, model


def read_params(judge):
    """Return the parameters in a judge's name: local/x?max_tokens=2000&temperature=0.7. `price`
    says what it costs (`budget.find_price`) and is no part of a key."""
    written = str(judge).partition("?")[2]
    if not written:
        return {}
    try:
        pairs = parse_qsl(written, strict_parsing=True, keep_blank_values=True)
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


def list_settings(judge, options, reader):
    """Return the parameters of a judge's calls, {name: value}, part of their keys.

    Of a live judge: those of `options`, those in its name, the longest answer, and what `reader`
    wants: a form of answer or probabilities. JudgeError for one that might change the cost.
    """
    provider, model = split_judge(judge)
    params = dict(options.params or {})
    if provider == "recorded":
        return params
    if provider == "simulated":
        return {"seed": options.seed} | params
    written = read_params(judge)
    is_billed = written.pop("price", "free") != "free" or provider != "local"
    params |= written
    structured = params.pop("structured", options.structured)
    refuse_params(params, provider, is_billed)
    longest = options.max_output_tokens or OUTPUT_TOKENS.get(provider, 1024)
    settings = {"max_tokens": longest}
    if provider == "local":
        settings["temperature"] = 0
    if reader.choices and provider != "anthropic":
        settings |= LOGPROBS
    held = provider == "local" and "+" in model  # by a grammar
    if reader.form and structured and not reader.choices and not held:
        settings["form"] = {"name": reader.form.name, "schema": reader.form.schema}
    refuse_key(CANONICAL.encode(params), "params")
    settings |= params
    length = settings["max_tokens"]
    if type(length) is not int or length < 1:
        raise JudgeError(f"max_tokens={length!r}: expected a whole number above 0")
    return settings


def refuse_params(params, provider, is_billed):
    """Raise JudgeError for a parameter that may change what a call of a live judge costs;
    is_billed: False for a server of local/ without a price."""
    if is_billed:
        allowed = ALLOWED[provider].split()
        wrong = sorted(set(params) - set(allowed), key=str)
        known = f"known: {', '.join(allowed)}; "
    else:
        wrong = sorted(OURS & set(params))
        known = ""
    if wrong:
        raise JudgeError(
            f"params: {wrong[0]!r} might change what a call costs or returns; leave it out"
            f" ({known}the length of an answer is max_tokens)"
        )


def list_calls(requests, judge, options, reader):
    """Return the Calls of requests in order, the repeats of each in a row.

    requests: as for `judges.ask`. JudgeError for a column that is missing, a cell that is no text,
    a number that is there twice.
    """
    provider, model = split_judge(judge)
    table = number_requests(requests, texts=needs_texts(judge))
    if options.limit:
        table = table.head(options.limit)
    settings = list_settings(judge, options, reader)
    if provider in LIVE and options.repeats > 1 and settings.get("temperature") == 0:
        raise JudgeError(
            f"repeats={options.repeats}: at temperature 0 {judge} says the same again; ask once, or"
            " set a temperature, say ?temperature=1 behind the judge's name"
        )
    try:
        params = json.dumps(settings, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as fault:
        raise JudgeError(f"params: {fault}; expected numbers, text and lists") from None
    grammar = find_grammar(judge, reader)
    shared_keys = {}  # one long text is shared by many prompts
    calls = []
    texts = table.reindex(columns=["request", "item", *PARTS], fill_value="")
    for about, row in zip(name_requests(table), texts.itertuples(index=False)):
        cells = (row.item, row.system, row.shared, row.prompt)
        if not all(isinstance(cell, str) for cell in cells):
            advice = "fill missing parts with ''"
            raise JudgeError(f"requests: item {row.item!r} has a cell that is not text; {advice}")
        if row.shared not in shared_keys:
            shared_keys[row.shared] = digest(row.shared)
        if row.prompt or row.shared:
            prompt_key = digest([row.system, shared_keys[row.shared], row.prompt])
        else:  # without a text a request is told by what it is about
            prompt_key = digest([about])
        for repeat in range(1, options.repeats + 1):
            call = Call(
                key="",
                prompt_key=prompt_key,
                provider=provider,
                model=model,
                params=params,
                repeat=repeat,
                request=row.request,
                about=about,
                system=row.system,
                shared=row.shared,
                prompt=row.prompt,
                grammar=grammar,
            )
            calls.append(call._replace(key=make_key(call)))
    return calls


def find_grammar(judge, reader):
    """Return the grammar (GBNF) of a judge local/<model>+<closing>, by which a small model, that
    would never come to a label by itself, has to end (llama.cpp); '' for another judge."""
    provider, model = split_judge(judge)
    _, _, closing = model.partition("+")
    is_known = reader.form and reader.form.closing == closing
    return reader.form.grammar if provider == "local" and closing and is_known else ""


def make_key(call):
    """Return the key of a call; stored and recorded answers are found by it, so it never
    changes."""
    asked = (call.prompt_key, call.provider, call.model, call.params)
    return digest([*asked, endpoint(call.provider), call.repeat])


def other_keys(call, forms):
    """Return the keys under which the same question may have been answered in another form: in
    plain text, with probabilities, or as JSON in one of `forms` (`reader.Form`). A call for
    probabilities has none, since no other answer has them."""
    settings = json.loads(call.params)
    if "logprobs" in settings:
        return []
    settings.pop("form", None)
    others = [settings, settings | LOGPROBS]
    others += [settings | {"form": {"name": form.name, "schema": form.schema}} for form in forms]
    keys = []
    for other in others:
        params = json.dumps(other, sort_keys=True)
        keys.append(make_key(call._replace(params=params)))
    return keys


def name_requests(table):
    """Return what each row of a table is about, a text such as 'story/test/+': those of ABOUT that
    it has. For a reader of the store, and to find a recorded answer; nothing cuts it up again."""
    columns = [column for column in ABOUT if column in table]
    names = []
    for row in table[columns].astype(str).itertuples(index=False):
        names.append("/".join(part for part in row if part))
    return names


def needs_texts(judge):
    """Return whether a judge has to be given what it judges: not if its answers are recorded, or if
    it is a rule that reads nothing."""
    provider, model = split_judge(judge)
    return provider in LIVE or (provider == "simulated" and model not in READ_NOTHING)


def number_requests(requests, texts):
    """Return requests with the column request first: a number of its own each, else the row's.

    texts: False where a judge need not read them. JudgeError for a column that is missing, or a
    number that is there twice.
    """
    has_texts = "shared" in requests or "prompt" in requests
    needed = ["item", "shared", "prompt"] if texts or has_texts else ["item"]
    for column in needed:
        if column not in requests:
            expected = "expected item, shared, prompt and perhaps system"
            raise JudgeError(f"requests lack the column {column!r}; {expected}")
    if "request" not in requests:
        table = requests.reset_index(drop=True)
        table.insert(0, "request", table.index)
        return table
    twice = requests["request"].duplicated()
    if twice.any():
        number = requests.loc[twice, "request"].iloc[0]
        raise JudgeError(f"requests: request {number} is there twice; give each its own number")
    return requests


def group_calls(calls):
    """Return lists of calls in order: those with the same shared text, each without one alone."""
    groups = {}
    for call in calls:
        begins = (call.system, call.shared) if call.shared else call.key
        groups.setdefault(begins, []).append(call)
    return [*groups.values()]


def digest(value):
    """Return the SHA-256 (hex) of the canonical JSON of a value: sorted keys, no spaces, UTF-8."""
    return hashlib.sha256(CANONICAL.encode(value).encode("utf8", "surrogatepass")).hexdigest()
