"""What calls cost: by the dated price file, and for models that it lacks by `genai-prices`."""

import difflib
import math
import os
import re
from datetime import UTC, datetime, time
from importlib.metadata import version
from pathlib import Path

import pandas as pd

NUMBERS = ["input", "cached_input", "cache_write", "output"]  # USD per million tokens
NUMBERS += ["min_cached_tokens", "long_from", "long_factor"]
COLUMNS = ["provider", "model", *NUMBERS, "date", "source"]
FREE = dict.fromkeys(NUMBERS, 0) | {"model": "", "date": ""}
UNKNOWN = dict.fromkeys(NUMBERS, math.nan) | {"model": "", "date": "nobody knows"}
# the end of a dated model's name
DATED = re.compile(r"(-latest|-preview|-0|[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-\d{4})$")
NO_NAMES = ("", "none", "null", "unknown")  # what a reply says that does not know its model
# what `genai-prices` calls our columns, and what a text is never billed by
INPUT, READ, WRITE = "input_mtok", "cache_read_mtok", "cache_write_mtok"
OUTPUTS = ("output_mtok", "output_reasoning_mtok", "output_citation_mtok")
BY_THE_CALL = ("requests_kcount", "input_text_messages_kcount")


class PriceError(ValueError):
    """A price is unknown, or the price file is bad; the message says how to give one."""


def find_price(provider, model):
    """Return a model's price, or its undated name's, as a dict of NUMBERS, model and date: of the
    price file, else of `genai-prices` (date: its version). PriceError if neither has it."""
    lines = read_prices(provider)
    for name in (model, undated(model)):
        if name in lines:
            return lines[name]
    others = read_others(provider)
    for name in (model, undated(model)):
        if name in others:
            return make_line(others[name])
    near = difflib.get_close_matches(model, [*lines, *others], 3)
    hint = f"; known are {', '.join(near)}" if near else ""
    raise PriceError(
        f"no price for {provider}/{model}{hint}: name a model that costs as much, ?price="
        f"provider/model behind the judge's name, or add a line to a copy of goodjudge/ask/"
        "prices.csv and name it in the environment variable GOODJUDGE_PRICES"
        f" ({', '.join(COLUMNS)}; USD per million tokens)"
    )


def read_prices(provider):
    """Return {model: line of the price file} of a provider; PriceError with file and line.

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


def read_others(provider):
    """Return {model: what `genai-prices` knows of it} of a provider, also by its undated name,
    without models that are billed by the call."""
    from genai_prices.data import providers  # only live judges need it

    models = [model for each in providers if each.id == provider for model in each.models]
    usable = [model for model in models if has_price(model)]
    return {undated(model.id): model for model in usable} | {model.id: model for model in usable}


def list_dates(provider, is_asked):
    """Return {model: price} of those models, known by either, of which `is_asked` says so."""
    others = {name: model for name, model in read_others(provider).items() if is_asked(name)}
    asked = {name: line for name, line in read_prices(provider).items() if is_asked(name)}
    return {name: make_line(model) for name, model in others.items()} | asked


def has_price(model):
    """Return whether `genai-prices` knows what tokens in and out of a model cost, and that they are
    all that is billed."""
    return all(
        {INPUT, "output_mtok"} <= price.keys() and not price.keys() & {*BY_THE_CALL}
        for price in prices_today(model)
    )


def prices_today(model):
    """Return the prices of a model of `genai-prices` at each hour of today, as dicts: some have a
    night's."""
    today = datetime.now(UTC).date()
    hours = [datetime.combine(today, time(hour), UTC) for hour in range(24)]
    prices = [vars(model.get_prices(hour)) for hour in hours]
    return [{name: usd for name, usd in price.items() if usd is not None} for price in prices]


def make_line(model):
    """Return the dearest price that a model of `genai-prices` has today, as `find_price` does."""
    lines = [make_line_of_hour(price) for price in prices_today(model)]
    facts = {"model": model.id, "date": f"genai-prices {version('genai-prices')}"}
    return take_dearest(lines) | facts


def make_line_of_hour(price):
    """Return the NUMBERS of a price of `prices_today`."""
    tiered = [value for value in price.values() if hasattr(value, "tiers")]
    tiers = [(tier, value.base) for value in tiered for tier in value.tiers]
    return {
        "input": read_usd(price, INPUT),
        "cached_input": read_usd(price, READ if READ in price else INPUT),
        "cache_write": read_usd(price, WRITE if WRITE in price else INPUT),
        "output": read_usd(price, *OUTPUTS),
        "min_cached_tokens": 1024,
        "long_from": min((tier.start for tier, _ in tiers), default=0),
        "long_factor": max((float(tier.price / base) for tier, base in tiers if base), default=1),
    }


def read_usd(price, *names):
    """Return the dearest of those of a price's values that there are, of short requests."""
    values = [price[name] for name in names if name in price]
    return max(float(getattr(value, "base", value)) for value in values)


def take_dearest(lines):
    """Return the numbers of a price that no one of `lines` exceeds: the highest of each, and the
    earliest from which a request counts as long (0: none does)."""
    dearest = {name: max(line[name] for line in lines) for name in NUMBERS}
    starts = [line["long_from"] for line in lines if line["long_from"]]
    dearest["long_from"] = min(starts, default=0)
    return dearest


# ── What a call costs ─────────────────────────────────────────────────────────────────────────────


def count_tokens(text):
    """Return an estimate of the tokens in a text: four characters of English prose each, one
    outside ASCII, as in Chinese, where few tokens hold more."""
    plain = sum(map(str.isascii, text))
    return math.ceil(plain / 4) + len(text) - plain


def cost(price, input_tokens, output_tokens, cached_tokens=0, written_tokens=0, longest=None):
    """Return the USD of one call, or of several whose longest input is `longest`."""
    plain_tokens = input_tokens - cached_tokens - written_tokens
    usd = (
        plain_tokens * price["input"]
        + cached_tokens * price["cached_input"]
        + written_tokens * price["cache_write"]
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


# ── Names of models ───────────────────────────────────────────────────────────────────────────────


def undated(model):
    """Return a model's name without its date: gpt-4o of gpt-4o-2024-08-06."""
    return DATED.sub("", model)


def bare_name(model):
    """Return a model's name in lower case, without what stands before a slash."""
    return model.rsplit("/", 1)[-1].lower()


def is_name(served):
    """Return whether what a reply calls its model is a name at all."""
    return bool(re.fullmatch(r"[\w.:/@+-]+", served)) and served.lower() not in NO_NAMES


def same_model(asked, served):
    """Return whether the model asked for answered: by its name, or with a date. gpt-4o-2024-08-06
    answers for gpt-4o, but not for gpt-4o-2024-05-13, and gpt-4o-mini for neither."""
    asked_name = bare_name(asked)
    served_name = bare_name(served)
    if asked_name == served_name:
        return True
    if undated(asked_name) != undated(served_name):
        return False
    return not (has_date(asked_name) and has_date(served_name))


def has_date(name):
    """Return whether a model's name ends with a date: -2024-08-06, not -latest or -0."""
    ending = name.removeprefix(undated(name))
    return any(character.isdigit() for character in ending[2:])
