"""What a call costs: the dated price file, one function for an answer, a bound and a plan."""

import difflib
import math
import os
import re
from pathlib import Path

import pandas as pd

from helpers.sources.public import ROOT

FREE = ("recorded", "simulated", "local", "likelihood")
COLUMNS = ["provider", "model", "input", "cached_input", "cache_write", "output", "batch_factor", "min_cached_tokens",
           "long_from", "long_factor", "date", "source"]
CHARACTERS = 4.0  # characters of English prose a token, for estimates before a run
DATED = re.compile(r"^(-latest|-0|[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-\d{4}|-preview)?$")


class PriceError(ValueError):
    """A price is unknown or the price file is not what it must be; the message says how to give one."""


def read_prices(path=None):
    """Return the price table: USD per million tokens of input, cached input, cache write and output; factor in batch.

    From `long_from` input tokens on (0: never) everything is taken at `long_factor` times its price, the most that any
    part of such a request costs. `path`: data/prices.csv, or the file that JUDGING_CREATIVITY_PRICES names.
    Raises PriceError with file and line.
    """
    path = Path(path or os.environ.get("JUDGING_CREATIVITY_PRICES") or ROOT / "data" / "prices.csv")
    table = pd.read_csv(path)
    if list(table.columns) != COLUMNS:
        raise PriceError(f"{path.name}, line 1: expected the columns {', '.join(COLUMNS)}")
    numbers = table[COLUMNS[2:10]].apply(pd.to_numeric, errors="coerce")
    bad = ~numbers.ge(0).all(axis=1) | numbers.eq(math.inf).any(axis=1)
    bad |= table.duplicated(["provider", "model"]) | table["date"].isna()
    if bad.any():
        raise PriceError(f"{path.name}, line {bad.idxmax() + 2}: a price that is no number, a model twice or no date")
    return table


def find_price(provider, model, path=None):
    """Return the price of a model as a dict (all zero for free judges); a dated name matches its undated line.

    Raises PriceError for a paid model that is not in the file.
    """
    if provider in FREE:
        return dict.fromkeys(COLUMNS[2:10], 0) | {"date": "", "source": "free"}
    table = read_prices(path)
    table = table[table["provider"] == provider]
    for line in table.sort_values("model", key=lambda names: -names.str.len(), kind="stable").to_dict("records"):
        if model.startswith(line["model"]) and DATED.match(model[len(line["model"]) :]):
            return line
    near = difflib.get_close_matches(model, table["model"], 3, 0.5)
    hint = f"did you mean {' or '.join(near)}? Else " if near else ""
    raise PriceError(
        f"no price for {provider}/{model}: {hint}add a line to data/prices.csv (or to a copy that the environment "
        f"variable JUDGING_CREATIVITY_PRICES names) with {', '.join(COLUMNS)}; prices are USD per million tokens"
    )


def count_tokens(text):
    """Return an estimate of the tokens in a text (four characters each, rounded up)."""
    return math.ceil(len(text) / CHARACTERS)


def cost(price, input_tokens, output_tokens, cached_tokens=0, written_tokens=0, batch=False, longest=None):
    """Return the USD of calls: `input_tokens` include those read from (`cached`) and written to the provider's cache.

    `longest`: input tokens of the longest of several calls (default: it is one call).
    """
    plain = input_tokens - cached_tokens - written_tokens
    usd = (
        plain * price["input"]
        + cached_tokens * price["cached_input"]
        + written_tokens * price["cache_write"]
        + output_tokens * price["output"]
    ) / 1e6
    long = price["long_from"] and (input_tokens if longest is None else longest) >= price["long_from"]
    return usd * (price["batch_factor"] if batch else 1.0) * (price["long_factor"] if long else 1)


def most(price, size, max_tokens, batch=False):
    """Return the most USD that one request of `size` bytes can cost: a token a byte, each as dear as a token can be."""
    dear = price | {"input": max(price["input"], price["cached_input"], price["cache_write"])}
    return cost(dear, size, max_tokens, batch=batch)
