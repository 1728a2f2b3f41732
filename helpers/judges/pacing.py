"""What holds a live run back: how many calls may run at once, and how much money may be spent."""

import asyncio
import time

from helpers.judges import prices
from helpers.judges.replies import usd_of

REST = 0.02  # seconds between two looks at a closed gate


class Gate:
    """How many calls may run at once: fewer when the provider says it is busy, slowly more with every success."""

    def __init__(self, ceiling):
        self.ceiling = self.limit = float(ceiling)
        self.active, self.until, self.cut = 0, 0.0, 0.0

    def slow(self, seconds):
        """Take one 'too busy' into account (a burst of them within a second counts once) and wait as long as it says."""
        moment = time.monotonic()
        if moment - self.cut > 1:
            self.limit, self.cut = max(1.0, self.limit * 0.7), moment
        self.until = max(self.until, moment + seconds)

    async def __aenter__(self):
        while self.active >= int(self.limit) or time.monotonic() < self.until:
            await asyncio.sleep(REST)
        self.active += 1

    async def __aexit__(self, *fault):
        self.active -= 1
        if fault[0] is None:
            self.limit = min(self.ceiling, self.limit + 1 / self.limit)


class Budget:
    """USD of a run, never over `max_usd`: `spent` (known), `maybe` (at most, for lost replies), `reserved` (calls under way)."""

    def __init__(self, price, max_usd):
        self.price, self.max_usd = price, max_usd
        self.spent, self.maybe, self.reserved = 0.0, 0.0, 0.0

    def at_most(self, call):
        """Return what a call may cost at most."""
        size = prices.count_tokens(call["system"] + call["shared"] + call["prompt"]) * 1.5 + 20  # estimates can be short
        return prices.cost(self.price, size, call["max_tokens"], written_tokens=size if call["shared"] else 0)

    async def reserve(self, usd, stopped):
        """Set `usd` aside as soon as the calls under way leave room; False if they never will, or once `stopped()` is true."""
        while usd and self.spent + self.maybe + self.reserved + usd > self.max_usd:
            if not self.reserved or stopped():
                return False
            await asyncio.sleep(REST)
        self.reserved += usd
        return True

    def settle(self, usd, lost):
        """Give back what was set aside for a call, of which `lost` requests got no response and may be billed."""
        self.reserved -= usd
        self.maybe += lost * usd

    def pay(self, reply):
        """Count a reply as paid for; return its USD."""
        usd = usd_of(reply, self.price)
        self.spent += usd
        return usd


def too_dear(what, usd, price, max_usd):
    """Return a sentence that says so if `what` is estimated above `max_usd`, else None."""
    if usd <= max_usd:
        return None
    return f"{what} would cost about ${usd:.4f} (prices of {price['date']}), max_usd={max_usd}; raise max_usd, or set limit"
