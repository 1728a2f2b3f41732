"""Ask for one call: as soon as there is room and money, within its time, again where that makes sense."""

import asyncio
import random
import sqlite3
import time

from helpers.judges import prices
from helpers.judges.addresses import JudgeError, NoForm
from helpers.judges.pacing import REST, to_micro
from helpers.judges.replies import Failed, usd_of
from helpers.judges.store import Answer

TRIES = 8  # requests for one call
PAUSE = 0.5  # seconds before the second of them; doubles each time, up to eight
USELESS = 3  # replies to one call that are complete, of no use, and paid
STREAK = 25  # calls given up one after another, without a success, that stop a run


class Caller:
    """What a run does for one call; `live.Run` says which call comes next."""

    async def _ask(self, call):
        """Ask until there is an answer, the time for one call is over, or asking again makes no sense."""
        end, useless = time.monotonic() + self.seconds, 0
        most = prices.most(self.price, self.client.size(call), call["max_tokens"]) if self.price["output"] else 0.0
        for turn in range(1, TRIES + 1):
            if not await self._pause(self.quiet) or not await self._hold(most):
                return
            fault = await self._send(call, most, max(0.1, end - time.monotonic()))
            if not fault:
                return
            wait, left = max(fault.wait, min(8.0, PAUSE * 2 ** (turn - 1)) * random.uniform(0.75, 1)), end - time.monotonic()
            if fault.wait > max(left, 0):
                raise JudgeError(f"the provider asks to wait {fault.wait:.0f} s ({fault}), longer than a call may take "
                                 f"(call_seconds, {self.seconds:.0f} s); all answers are kept, run again later")
            if fault.wait:
                self.quiet = max(self.quiet, time.monotonic() + fault.wait)
                self.bar.set_postfix_str(f"the provider asks to wait {fault.wait:.0f} s")
            useless += isinstance(fault.billed, Answer)
            if not fault.again or fault.stalled or useless == USELESS or turn == TRIES or wait >= left:
                return self._give_up(call, f"{fault} (request {turn})", STREAK / self.concurrency if fault.stalled else 1)
            await self._pause(time.monotonic() + wait)

    async def _pause(self, until):
        """Wait until then, or until the run is stopped; return whether it goes on."""
        while not self.stop and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(0.1, left))
        return not self.stop

    async def _hold(self, most):
        """Set money for one request aside, as soon as those under way leave room; stop the run if they never will."""
        while not self.budget.hold(to_micro(most)):
            if not self.budget.held or self.stop:
                self.halt(f"stopped: the next call may cost ${most:.4f}, and ${self.budget.left:.4f} of max_usd="
                          f"{self.budget.max_usd} are left; all answers are kept, raise max_usd and run again")
                return False
            await asyncio.sleep(REST)
        return True

    async def _send(self, call, most, seconds):
        """Send one request and book what it cost; return None if its answer is kept, else Failed."""
        usd, fault, begin = most, None, time.monotonic()  # whatever goes wrong, the worst is booked
        try:
            self.calls += 1
            answer = await self.client.ask(call, seconds)
            usd = usd_of(answer, self.price, most)
        except Failed as failed:
            fault, usd = failed, usd_of(failed.billed, self.price, most)
        except JudgeError as refused:
            usd, fault = 0.0, Failed(str(refused), again=False)
            if not (isinstance(refused, NoForm) and self.good):
                raise
        finally:
            self.cost += self.budget.settle(to_micro(most), usd)
        if usd > most:
            self.halt(f"stopped: a reply was billed at ${usd:.4f}, more than such a call can cost (${most:.4f}), so max_usd "
                      "cannot be kept; look at the server's token counts and at data/prices.csv")
        if fault:
            if usd:
                self.store.fail(call["key"], str(fault), usd, final=False)
            return fault
        self.good, self.streak = self.good + 1, 0
        kept = asyncio.get_running_loop().create_future()
        facts = {"usd": usd, "seconds": round(time.monotonic() - begin, 4), "versions": self.client.versions}
        self.done.put_nowait((answer._replace(**facts), kept))
        await kept  # the next call begins only when this answer is on the disk
        self._tick()

    def _give_up(self, call, note, weight=1):
        self.notes[call["key"]], self.streak = note, self.streak + weight
        try:
            self.store.fail(call["key"], note)
        except sqlite3.Error as fault:
            self.halt(f"stopped: the store cannot be written ({fault})")
        self._tick()
        if self.streak >= STREAK:
            self.halt(f"stopped: {len(self.notes)} calls failed, the last with {note}; run again later")

    def _tick(self):
        self.moved = time.monotonic()
        self.bar.set_postfix_str(f"${self.budget.spent:.4f}, {len(self.notes)} failed", refresh=False)
        self.bar.update(1)
