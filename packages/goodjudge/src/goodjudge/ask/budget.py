"""The budget that nothing exceeds, and amounts as text."""

import math
import threading

from goodjudge.ask.errors import JudgeError


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
    """Return what calls will cost as text; guess: of `plan.estimate`, price: a line of prices."""
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
