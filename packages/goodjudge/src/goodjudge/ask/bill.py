"""What the calls of one run may cost and have cost, against the budget.

Before a request is sent the worst that it can cost is set aside; when it is over, what it did cost
is booked and the rest is free again. So the requests under way can never cost more together than is
left, however many there are.
"""

from typing import NamedTuple

from goodjudge.ask import prices
from goodjudge.ask.budget import to_micro
from goodjudge.ask.charges import find_known, usd_of


class Reserve(NamedTuple):
    """The worst case of one request: the USD that are set aside for it, and the tokens that can go
    into it at most."""

    usd: float
    tokens: int


class Bill:
    """The bill of one run, all of whose calls go to one model.

    price: of the model (a line of prices.csv). known: {model: price} of those that might answer in
    its place; dearest: the worst of those that may do so. budget: shared with other runs. micro:
    what this run has cost, in millionths of a USD.
    """

    def __init__(self, provider, model, budget):
        self.known, self.dearest = find_known(provider, model)
        self.price = self.known[model]
        self.budget = budget
        self.micro = 0

    @property
    def usd(self):
        """USD that this run has cost."""
        return self.micro / 1e6

    def reserve(self, call, tokens):
        """Return the Reserve of a request for a call, into which so many tokens go at most."""
        is_free = not self.dearest["output"]
        usd = 0.0 if is_free else prices.most(self.dearest, tokens, call.max_tokens)
        return Reserve(usd, tokens)

    def hold(self, reserve):
        """Set a reserve aside; return whether there is that much."""
        return self.budget.hold(to_micro(reserve.usd))

    def price_charge(self, charge, call, reserve):
        """Return the USD of a request: of a Charge, or of True or False (`charges.usd_of`)."""
        return usd_of(charge, call, self.known, reserve.usd, reserve.tokens)

    def settle(self, reserve, usd):
        """Book what a request did cost, and free what was set aside for it."""
        self.micro += self.budget.settle(to_micro(reserve.usd), usd)
