"""The budget that nothing exceeds, the bill of a run against it, and amounts as text.

Before a request is sent the worst that it can cost is set aside; when it is over, what it did cost
is booked and the rest is free again. So the requests under way can never cost more together than is
left, however many there are. A reply is never believed to our advantage:

| the reply                                    | it is booked at                                  |
|----------------------------------------------|--------------------------------------------------|
| names the model asked for, or no model       | its tokens, at that model's price                |
| names one of its dates                       | its tokens, at the dearer of both prices         |
| names another model                          | the dearest price known, the worst or more       |
| names a tier, region or cache not asked for  | the same                                         |
| has no possible number of tokens             | the worst                                        |

*The worst* is what was set aside: each byte of the request a token, the longest answer, at the
dearest price of the model asked for.
"""

import math
import threading
from contextlib import suppress
from typing import NamedTuple

from goodjudge.ask import prices
from goodjudge.ask.addresses import runs_here
from goodjudge.ask.calls import read_params, split_judge
from goodjudge.ask.errors import JudgeError

COUNTS = ("input_tokens", "output_tokens", "cached_tokens", "written_tokens")
PRICED = ("openai", "anthropic")  # whose models have a price


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
    """Return what calls will cost as text; guess: of `cost.estimate`, price: a line of prices."""
    likely, most = tell_usd(guess["usd_live"]), tell_most(guess["usd_most"])
    return f"about {likely}, at most {most} (prices of {price['date']})"


def to_micro(usd):
    """Return USD in whole millionths, rounded up."""
    return math.ceil(round(usd * 1e6, 6))


class Budget:
    """USD that the runs of this process may cost in all; counted in whole millionths, rounded up.

    `spent`, `left`: USD that are or may be billed, and that may still be; `held`: the most that
    requests under way can cost, in millionths. Two processes have a budget each. Raises JudgeError
    for what is no amount.
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


def name_price(judge):
    """Return (provider, model) whose price is a judge's: its own, or what ?price= names; None for a
    judge that has none. JudgeError for a price that is no name of a model."""
    provider, model = split_judge(judge)
    named = read_params(judge).get("price")
    if named is None:
        return (provider, model) if provider in PRICED else None
    if named == "free" and provider == "local":
        return None
    provider, _, model = str(named).partition("/")
    if not model:
        raise JudgeError(
            f"judge={judge!r}: expected ?price=provider/model, say ?price=google/gemini-2.5-flash,"
            " or ?price=free for a local/ judge whose server bills nobody"
        )
    return provider, model


def find_price(judge):
    """Return the price of a judge (`prices.find_price`): FREE if it is recorded, simulated, on this
    machine or said to be free; UNKNOWN at somebody else's server without ?price=."""
    name = name_price(judge)
    if name:
        return prices.find_price(*name)
    is_billed = split_judge(judge)[0] == "local" and read_params(judge).get("price") is None
    return prices.UNKNOWN if is_billed and not runs_here() else prices.FREE


class Reserve(NamedTuple):
    """The worst case of one request: the USD that are set aside for it, the tokens that can go into
    it at most, and those of the longest answer."""

    usd: float
    tokens: int
    longest: int


class Bill:
    """The bill of one run, all of whose calls go to one judge.

    price: of the judge; dearest: the worst of the model's dates. budget: shared with other runs.
    micro: what this run has cost, in millionths of a USD. Raises JudgeError where nobody knows a
    price, since `max_usd` could not be kept.
    """

    def __init__(self, judge, budget):
        self.provider, self.model = split_judge(judge)
        self.price = find_price(judge)
        if math.isnan(self.price["output"]):
            raise JudgeError(
                f"nobody knows what {judge} costs there, so max_usd cannot be kept; nothing was"
                " asked. Behind the judge's name say ?price=provider/model (openrouter/…, google/…,"
                " mistral/…, deepseek/…), or ?price=free if its server bills nobody"
            )
        named = self.named = name_price(judge)
        self.known = prices.read_prices(named[0]) if named else {}
        self.names = {self.model, named[1]} if named else {self.model}
        self.dates = prices.list_dates(named[0], self.is_asked) if named else {}
        self.dearest = self.price | prices.take_dearest([self.price, *self.dates.values()])
        self.budget = budget
        self.micro = 0

    @property
    def usd(self):
        """USD that this run has cost."""
        return self.micro / 1e6

    def is_asked(self, served):
        """Return whether a model is the one that was asked for, under any of its names."""
        return any(prices.same_model(name, served) for name in self.names)

    def is_other(self, charge):
        """Return whether another model answered than was asked for. A reply that names none is of
        the one asked for. local/ servers call their models as they like: there it is another one
        if it is known to be dearer, as where a gateway falls back on it."""
        if not prices.is_name(charge.served) or self.is_asked(charge.served):
            return False
        return self.provider != "local" or self.is_dearer(charge.served)

    def is_dearer(self, served):
        """Return whether a model is known to cost more than the one whose price is named."""
        for name in (served, prices.bare_name(served)) if self.named else ():
            with suppress(prices.PriceError):
                line = prices.find_price(self.named[0], name)
                return any(line[kind] > self.dearest[kind] for kind in ("input", "output"))
        return False

    def reserve(self, call, tokens):
        """Return the Reserve of a request for a call, into which so many tokens go at most."""
        usd = prices.most(self.dearest, tokens, call.max_tokens)
        return Reserve(usd, tokens, call.max_tokens)

    def hold(self, reserve):
        """Set a reserve aside; return whether there is that much."""
        return self.budget.hold(to_micro(reserve.usd))

    def price_charge(self, charge, reserve):
        """Return the USD of a request. charge: what its reply says, a `replies.Charge`; True if
        nobody can say (the worst), False if it was surely not billed."""
        if charge is True or charge is False:
            return reserve.usd * charge
        is_unasked = self.is_other(charge) or bool(charge.unasked)
        lines = self.list_lines(charge.served, is_unasked)
        if charge.output_tokens is None:
            lines.append(self.dearest)
            return max(prices.most(line, reserve.tokens, reserve.longest) for line in lines)
        counts = {name: getattr(charge, name) for name in COUNTS}
        usd = max(prices.cost(line, **counts) for line in lines)
        return max(usd, reserve.usd) if is_unasked else usd

    def list_lines(self, served, is_unasked):
        """Return the prices that may be a reply's: of the model asked for and of its date, all that
        are known if something else may have been billed."""
        if is_unasked:
            with suppress(prices.PriceError):
                return [*self.known.values(), self.price, prices.find_price(self.provider, served)]
            return [*self.known.values(), self.price]
        name = prices.bare_name(served)
        names = (name, prices.undated(name))
        dated = [line for date, line in self.dates.items() if prices.bare_name(date) in names]
        return [self.price, *dated]

    def settle(self, reserve, usd):
        """Book what a request did cost, and free what was set aside for it."""
        self.micro += self.budget.settle(to_micro(reserve.usd), usd)
