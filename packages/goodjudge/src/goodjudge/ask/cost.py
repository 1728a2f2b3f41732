"""What a run will cost, told before it begins.

A token is taken for four characters (one outside ASCII), an answer for as long as this model's
answers in the store were on average. A hundred requests of 4,000 characters and answers of 200
tokens, at $2.50 for a million tokens of input and $10 of output, will likely cost 100 · (1,000 ·
2.5 + 200 · 10) / 1e6 = $0.45. Beside it stands what they cost if every answer is as long as it may
be. Neither is a limit: what a run cannot exceed, `budget.Budget` holds.
"""

import json
import os
import sys
from contextlib import nullcontext

import pandas as pd

from goodjudge.ask import budget, prices
from goodjudge.ask.calls import LIVE, group_calls, list_calls, other_keys, split_judge
from goodjudge.ask.options import Options
from goodjudge.ask.reader import Form, Reader
from goodjudge.ask.store import Store, find_store

LIKELY_TOKENS = 200  # of an answer, where none has been seen: some sentences and a label


def plan_cost(requests, judge, options=None, output_tokens=None):
    """Return one line on what `ask` would do: judge, answered, calls, tokens, USD,
    price_date.

    answered: stored already, in whatever form, and so free; the rest as in `estimate`, where the
    USD are missing if nobody knows a price (somebody else's server, asked as local/ without
    ?price=) and calls are still to be made. output_tokens: of an answer, as in `estimate`. Raises
    JudgeError, PriceError.
    """
    options = options or Options()
    price = budget.find_price(judge)
    asked = list_calls(requests, judge, options, Reader(str))
    by_key = {call.key: call for call in asked}  # one answer is for all that ask the same
    todo = by_key if split_judge(judge)[0] in LIVE else {}
    path = find_store(options.transcripts)
    with Store(path) if todo and path.exists() else nullcontext() as store:
        if store:
            stored = find_answers(by_key.values(), list_forms(judge, store), store)
            todo = {key: call for key, call in todo.items() if key not in stored}
        guess = estimate([*todo.values()], price if todo else prices.FREE, store, output_tokens)
    counts = {"judge": judge, "answered": len(by_key) - len(todo)}
    return pd.DataFrame([counts | guess | {"price_date": price["date"]}])


def list_forms(judge, store):
    """Return the forms in which stored answers of a judge were asked for."""
    sql = "SELECT DISTINCT params FROM answers WHERE provider=? AND model=?"
    params = [json.loads(row[0]) for row in store.rows(sql, *split_judge(judge))]
    return [Form(**each["form"]) for each in params if "form" in each]


def find_answers(calls, forms, store):
    """Return {key: Answer} of those calls that have an answer in the store, in whatever form it was
    asked for: in plain text, with probabilities, or as JSON in one of `forms`."""
    calls = [*calls]
    answers = store.get(call.key for call in calls)
    ways = {call.key: other_keys(call, forms) for call in calls if call.key not in answers}
    others = store.get(key for keys in ways.values() for key in keys)
    for own, keys in ways.items():
        found = [others[key] for key in keys if key in others]
        if found:
            answers[own] = found[0]
    return answers


def estimate(todo, price, store=None, output_tokens=None):
    """Return a dict for calls still to be made: calls, input_tokens, cached_tokens, output_tokens,
    and USD.

    usd_live: without the provider's prompt cache, usd_cached: with it, usd_most: with answers of
    full length. output_tokens: of an answer (default: the mean in `store`, else LIKELY_TOKENS).
    """
    inputs = [prices.count_tokens(call.system + call.shared + call.prompt) for call in todo]
    usual_answer = output_tokens or measure_answers(todo, store) or LIKELY_TOKENS
    likely_output = round(sum(min(usual_answer, call.max_tokens) for call in todo))
    longest_output = sum(call.max_tokens for call in todo)
    cached, written = count_cached(todo, price)

    def cost(output, **from_cache):
        """Return the USD of all calls, if they give so many tokens."""
        longest = max(inputs, default=0)
        return prices.cost(price, sum(inputs), output, longest=longest, **from_cache)

    return {
        "calls": len(todo),
        "input_tokens": sum(inputs),
        "cached_tokens": cached,
        "output_tokens": likely_output,
        "usd_live": cost(likely_output),
        "usd_cached": cost(likely_output, cached_tokens=cached, written_tokens=written),
        "usd_most": cost(longest_output),
    }


def measure_answers(todo, store):
    """Return the mean tokens of the answers that the model of these calls gave; None if the store
    has none."""
    if not store or not todo:
        return None
    sql = "SELECT avg(output_tokens) FROM answers WHERE provider=? AND model=?"
    return store.rows(sql, todo[0].provider, todo[0].model)[0][0]


def count_cached(todo, price):
    """Return (tokens read from, tokens written to) the provider's prompt cache by these calls: of
    each text that several share, if it is long enough for the cache."""
    cached = 0
    written = 0
    for first, *later in group_calls(todo):
        tokens = prices.count_tokens(first.system + first.shared)
        if later and tokens >= price["min_cached_tokens"]:
            written += tokens
            cached += tokens * len(later)
    return cached, written


def tell(sentence):
    """Write a sentence to the terminal that began a run, also from within a notebook that runs
    headlessly. In JupyterLab, where a notebook shows its plan: nothing."""
    if "JPY_SESSION_NAME" in os.environ:
        return
    # a kernel's stderr goes into the notebook; it keeps where its errors went before
    terminal = getattr(sys.stderr, "_original_stdstream_copy", None)
    if terminal is None:
        print(sentence, file=sys.stderr, flush=True)
    else:
        os.write(terminal, f"{sentence}\n".encode())
