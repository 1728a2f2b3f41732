"""What holds a live run back: how long it may take, and how much money it may cost."""

import math
import threading

from helpers.judges.addresses import JudgeError

REST = 0.02  # seconds between two looks at what others do
CALL_SECONDS = {"local": 1800.0, "likelihood": 1800.0}  # for one call with all its retries; a local server may queue
OTHERS_SECONDS = 300.0  # the same for every other provider
RUN_SECONDS = 86_400.0  # for a whole run


class Budget:
    """USD that one or several runs of this process may cost in all; counted in whole millionths, rounded up.

    Give one to every `ask` of a notebook as `max_usd=budget`. Two processes with a budget each may spend both, also
    where they share a transcript store. `spent`: what is or may be billed; `held`: the most that requests under way can
    cost. Raises JudgeError for what is no amount.
    """

    def __init__(self, max_usd):
        if isinstance(max_usd, bool) or not isinstance(max_usd, int | float) or not 0 <= max_usd < math.inf:
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
        """Give back what was set aside for a request that cost `usd` (at most); return that in millionths."""
        with self.lock:
            self.held -= micro
            self.spent_micro += to_micro(usd)
        return to_micro(usd)


def to_micro(usd):
    """Return USD in whole millionths, rounded up."""
    return math.ceil(round(usd * 1e6, 6))


def too_dear(what, usd, price, budget):
    """Return a sentence that says so if `what` may cost more than is left, else None."""
    if to_micro(usd) <= to_micro(budget.left):
        return None
    spent = f", of which ${budget.spent:.4f} are spent" if budget.spent else ""
    return (f"{what} would cost about ${usd:.4f} (prices of {price['date']}), max_usd={budget.max_usd}{spent}; "
            "raise max_usd, or set limit")
