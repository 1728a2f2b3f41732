"""What calls cost, by the dated price file."""

import math
import os
import re
from pathlib import Path

import pandas as pd

NUMBERS = ["input", "cached_input", "cache_write", "output"]  # USD per million tokens
NUMBERS += ["min_cached_tokens", "long_from", "long_factor"]
COLUMNS = ["provider", "model", *NUMBERS, "date", "source"]
HOUR = 2  # times the price of input: what is written to the cache for an hour
# the end of a dated model's name
DATED = re.compile(r"(-latest|-preview|-0|[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-\d{4})$")


class PriceError(ValueError):
    """A price is unknown, or the price file is bad; the message says how to give one."""


def read_prices(provider):
    """Return {model: line of the price table} of a provider; PriceError with file and line.

    The file: prices.csv beside this module, or what GOODJUDGE_PRICES names. From `long_from` input
    tokens on (0: never) everything costs `long_factor` times its price, the most that it can.
    """
    path = Path(os.environ.get("GOODJUDGE_PRICES") or Path(__file__).with_name("prices.csv"))
    try:
        table = pd.read_csv(path)
    except (OSError, ValueError) as fault:
        raise PriceError(f"{path.name}: no table of prices can be read ({fault})") from None
    if list(table.columns) != COLUMNS or not isinstance(table.index, pd.RangeIndex):
        raise PriceError(f"{path.name}, line 1: expected the columns {', '.join(COLUMNS)}")
    numbers = table[NUMBERS].apply(pd.to_numeric, errors="coerce")
    dates = pd.to_datetime(table["date"], format="%Y-%m-%d", errors="coerce")
    usable = (numbers >= 0) & (numbers < math.inf)
    bad = ~usable.all(axis=1)
    bad |= (numbers[["input", "output"]] <= 0).any(axis=1)
    bad |= numbers["long_factor"] < 1
    bad |= table.duplicated(["provider", "model"])
    bad |= dates.isna()
    if bad.any():
        what = "a price that is no number above 0, a factor below 1, a model twice or no date"
        raise PriceError(f"{path.name}, line {bad.idxmax() + 2}: {what}")
    lines = table[table["provider"] == provider].to_dict("records")
    return {line["model"]: line for line in lines}


def find_price(provider, model):
    """Return a model's price as a dict, or its undated name's (0 for local/); PriceError."""
    if provider not in ("openai", "anthropic"):
        return dict.fromkeys(NUMBERS, 0) | {"date": ""}
    lines = read_prices(provider)
    for name in (model, undated(model)):
        if name in lines:
            return lines[name]
    raise PriceError(
        f"no price for {provider}/{model}: add a line to a copy of goodjudge/ask/prices.csv and"
        f" name it in the environment variable GOODJUDGE_PRICES ({', '.join(COLUMNS)}; USD per"
        " million tokens)"
    )


def undated(model):
    """Return a model's name without its date: gpt-4o of gpt-4o-2024-08-06."""
    return DATED.sub("", model)


def count_tokens(text):
    """Return an estimate of the tokens in a text: four characters of English prose each."""
    return math.ceil(len(text) / 4)


def cost(
    price,
    input_tokens,
    output_tokens,
    cached_tokens=0,
    written_tokens=0,
    longest=None,
    hour_tokens=0,
):
    """Return the USD of one call, or of several whose longest input is `longest`.

    hour_tokens: those of written_tokens that stay in the cache for an hour; they cost HOUR times
    the price of input (Anthropic; no other provider tells them).
    """
    plain_tokens = input_tokens - cached_tokens - written_tokens
    more_for_an_hour = max(HOUR * price["input"] - price["cache_write"], 0)
    usd = (
        plain_tokens * price["input"]
        + cached_tokens * price["cached_input"]
        + written_tokens * price["cache_write"]
        + hour_tokens * more_for_an_hour
        + output_tokens * price["output"]
    ) / 1e6
    if longest is None:
        longest = input_tokens
    if 0 < price["long_from"] <= longest:
        usd *= price["long_factor"]
    return usd


def most(price, size, max_tokens):
    """Return the most USD that a request of `size` bytes can cost: a token per byte."""
    dear = price | {"input": max(price["input"], price["cached_input"], price["cache_write"])}
    return cost(dear, size, max_tokens)
