"""What a run will cost, told before it begins."""

from contextlib import nullcontext

import pandas as pd

from helpers.judges.answers.store import Store, find_store
from helpers.judges.price import prices
from helpers.judges.requests.calls import LIVE, group_calls, list_calls, split_judge
from helpers.judges.requests.options import Options
from helpers.judges.requests.prompts import form as read_form

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
