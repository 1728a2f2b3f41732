"""What a run will cost, told before it begins."""

import math
from contextlib import nullcontext

import pandas as pd

from helpers.judges.answers.reader import Reader
from helpers.judges.answers.store import Store, find_store
from helpers.judges.live.addresses import runs_here
from helpers.judges.price import prices
from helpers.judges.requests.calls import LIVE, group_calls, list_calls, split_judge
from helpers.judges.requests.options import Options
from helpers.judges.requests.prompts import form

LIKELY_TOKENS = 200  # of an answer, where none has been seen: some sentences and a label


def estimate(todo, price, store=None, output_tokens=None):
    """Return a dict for calls still to be made: calls, tokens and likely USD.

    Four characters a token. usd_live: without the provider's prompt cache, usd_cached: with it,
    usd_most: with answers of full length. output_tokens: of an answer (default: the mean in
    `store`, else LIKELY_TOKENS).
    """
    if store and todo and not output_tokens:
        sql = "SELECT avg(output_tokens) FROM answers WHERE provider=? AND model=?"
        output_tokens = store.rows(sql, todo[0].provider, todo[0].model)[0][0]
    likely = output_tokens or LIKELY_TOKENS
    inputs = [prices.count_tokens(call.system + call.shared + call.prompt) for call in todo]
    longest_outputs = [call.max_tokens for call in todo]
    output = round(sum(min(likely, longest) for longest in longest_outputs))
    cached, written = count_cached(todo, price)
    usual = {"input_tokens": sum(inputs), "longest": max(inputs, default=0)}
    live = usual | {"output_tokens": output}
    full = usual | {"output_tokens": sum(longest_outputs)}
    return {
        "calls": len(todo),
        "input_tokens": sum(inputs),
        "cached_tokens": cached,
        "output_tokens": output,
        "usd_live": prices.cost(price, **live),
        "usd_cached": prices.cost(price, **live, cached_tokens=cached, written_tokens=written),
        "usd_most": prices.cost(price, **full),
    }


def count_cached(todo, price):
    """Return (tokens read from, tokens written to) the provider's prompt cache by these calls: of
    each text that several share, if it is long enough for the cache."""
    cached = written = 0
    for first, *rest in group_calls(todo):
        tokens = prices.count_tokens(first.system + first.shared) if rest else 0
        if tokens >= price["min_cached_tokens"]:
            written += tokens
            cached += tokens * len(rest)
    return cached, written


def plan(requests, judge, options=None, output_tokens=None):
    """Return one line on what `judges.ask` would do: judge, answered, calls, tokens, USD,
    price_date.

    answered: stored already, in whatever form, and so free; the rest as in `estimate`, where the
    USD are missing if no price is known (a server of others asked as local/) and calls are still to
    be made. Raises JudgeError, PriceError.
    """
    options = options or Options()
    provider, model = split_judge(judge)
    price = prices.find_price(provider, model)
    path = find_store(options.transcripts)
    # all ways in which the same may have been asked: in plain text, for probabilities, for a form
    plain = Reader(str)
    readers = [plain, Reader(str, choices={"": 0})]
    readers += [Reader(str, form=name) for name in form()]
    asked = list_calls(requests, judge, options, plain)
    todo = {call.key: call for call in asked} if provider in LIVE else {}
    with Store(path) if todo and path.exists() else nullcontext() as store:
        for reader in readers if store else ():
            calls = list_calls(requests, judge, options, reader)
            stored = store.get(call.key for call in calls)
            for first, call in zip(asked, calls):
                if call.key in stored:
                    todo.pop(first.key, None)
        guess = estimate([*todo.values()], price, store, output_tokens)
    if todo and provider == "local" and not runs_here():
        guess |= dict.fromkeys(["usd_live", "usd_cached", "usd_most"], math.nan)
    answered = len({call.key for call in asked}) - len(todo)
    counts = {"judge": judge, "answered": answered}
    return pd.DataFrame([counts | guess | {"price_date": price["date"]}])
