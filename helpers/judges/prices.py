"""What calls cost, by the dated price file, and the budget that nothing exceeds."""

import math
import os
import re
import threading
from pathlib import Path

import pandas as pd

from helpers.judges.addresses import JudgeError
from helpers.sources.public import ROOT

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

    The file: data/prices.csv, or what JUDGING_CREATIVITY_PRICES names. From `long_from` input
    tokens on (0: never) everything costs `long_factor` times its price, the most that it can.
    """
    path = Path(os.environ.get("JUDGING_CREATIVITY_PRICES") or ROOT / "data" / "prices.csv")
    try:
        table = pd.read_csv(path)
    except (OSError, ValueError) as fault:
        raise PriceError(f"{path.name}: no table of prices can be read ({fault})") from None
    if list(table.columns) != COLUMNS or not isinstance(table.index, pd.RangeIndex):
        raise PriceError(f"{path.name}, line 1: expected the columns {', '.join(COLUMNS)}")
    numbers = table[NUMBERS].apply(pd.to_numeric, errors="coerce")
    bad = ~numbers.apply(lambda column: column.between(0, math.inf, inclusive="left")).all(axis=1)
    bad |= table.duplicated(["provider", "model"]) | (numbers["long_factor"] < 1)
    bad |= pd.to_datetime(table["date"], format="%Y-%m-%d", errors="coerce").isna()
    bad |= (numbers[["input", "output"]] <= 0).any(axis=1)
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
    for name in (model, DATED.sub("", model)):
        if name in lines:
            return lines[name]
    raise PriceError(
        f"no price for {provider}/{model}: add a line to data/prices.csv (or to a copy that the"
        f" environment variable JUDGING_CREATIVITY_PRICES names) with {', '.join(COLUMNS)}; prices"
        " are USD per million tokens"
    )


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
    usd = (
        (input_tokens - cached_tokens - written_tokens) * price["input"]
        + cached_tokens * price["cached_input"]
        + written_tokens * price["cache_write"]
        + hour_tokens * max(HOUR * price["input"] - price["cache_write"], 0)
        + output_tokens * price["output"]
    ) / 1e6
    longest = input_tokens if longest is None else longest
    return usd * (price["long_factor"] if 0 < price["long_from"] <= longest else 1)


def most(price, size, max_tokens):
    """Return the most USD that a request of `size` bytes can cost: a token per byte."""
    dear = price | {"input": max(price["input"], price["cached_input"], price["cache_write"])}
    return cost(dear, size, max_tokens)


def tell_usd(usd):
    """Return an amount as text: two decimals; below a cent three digits that are not 0."""
    decimals = count_decimals(usd)
    return f"${usd:,.{decimals}f}"


def tell_most(usd):
    """Return an amount that nothing exceeds as text, as `tell_usd` but rounded up."""
    unit = 10 ** count_decimals(usd)
    return tell_usd(math.ceil(round(usd * unit, 6)) / unit)


def count_decimals(usd):
    """Return with how many decimals an amount is told."""
    if usd <= 0 or usd >= 0.01:
        return 2
    return 2 - math.floor(math.log10(usd))


def tell_guess(guess, price):
    """Return what calls will cost as text; guess: of `calls.estimate`, price: a line of prices."""
    likely, most = tell_usd(guess["usd_live"]), tell_most(guess["usd_most"])
    return f"about {likely}, at most {most} (prices of {price['date']})"


def to_micro(usd):
    """Return USD in whole millionths, rounded up."""
    return math.ceil(round(usd * 1e6, 6))


class Budget:
    """USD that the runs of this process may cost in all, in whole millionths, rounded up.

    `spent`: what is or may be billed; `held`: the most that requests under way can cost. Two
    processes have a budget each. Raises JudgeError for what is no amount.
    """

    def __init__(self, max_usd):
        number = isinstance(max_usd, int | float) and not isinstance(max_usd, bool)
        if not number or not 0 <= max_usd < math.inf:
            raise JudgeError(f"max_usd={max_usd!r}: expected an amount in USD, 0 or more")
        self.max_usd, self.limit = max_usd, math.floor(round(max_usd * 1e6, 3))
        self.spent_micro = self.held = 0
        self.lock = threading.Lock()

    @property
    def spent(self):
        """USD that are or may be billed so far."""
        return self.spent_micro / 1e6

    @property
    def left(self):
        """USD that are neither spent nor set aside."""
        return (self.limit - self.spent_micro - self.held) / 1e6

    def hold(self, micro):
        """Set an amount aside and return True if there is that much, else return False."""
        with self.lock:
            fits = self.spent_micro + self.held + micro <= self.limit or not micro
            self.held += micro * fits
        return fits

    def settle(self, micro, usd):
        """Book what a request cost, of what was set aside for it; return it in millionths."""
        with self.lock:
            self.held -= micro
            self.spent_micro += to_micro(usd)
        return to_micro(usd)

    def refuse(self, what, first, guess, price):
        """Return a sentence if the first call of `what` likely costs more than is left."""
        if to_micro(first) <= to_micro(self.left):
            return None
        spent = f", of which {tell_usd(self.spent)} are spent" if self.spent else ""
        return (
            f"{what} would cost {tell_guess(guess, price)}, max_usd={self.max_usd}{spent};"
            " raise max_usd, or set limit"
        )
