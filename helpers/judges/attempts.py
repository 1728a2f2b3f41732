"""Make live calls: many at once, each asked again where that makes sense, within its time and the
budget; all answers kept."""

import asyncio
import random
import sqlite3
import time

from helpers.judges import prices
from helpers.judges.addresses import JudgeError, NoForm
from helpers.judges.calls import group_calls
from helpers.judges.providers import most_tokens
from helpers.judges.replies import Failed, usd_of
from helpers.judges.store import Answer

TRIES = 8  # requests for one call
PAUSE = 0.5  # seconds before the second of them; doubles each time, up to eight
USELESS = 3  # replies to one call that are complete, of no use, and paid
# calls given up one after another, without a success, that stop a run; one that is out of time
# counts three
STREAK = 25
REST = 0.02  # seconds between two looks at whether there is room for a call


class Run:
    """One run. `notes`: why a call has no answer, by key; `unkept`: answers that the store cannot
    take; `stop`: why it ends."""

    def __init__(self, client, store, price, budget, seconds, bar):
        self.client, self.store, self.price, self.budget, self.seconds, self.bar = (
            client,
            store,
            price,
            budget,
            seconds,
            bar,
        )
        self.notes, self.unkept, self.stop, self.no_form = {}, {}, "", None
        self.calls = self.cost = self.streak = self.good = self.quiet = 0
        self.waiting, self.writing = [], asyncio.Lock()

    async def main(self, todo, concurrency, run_seconds):
        """Make all calls; one of each group goes first and warms the provider's prompt cache for
        the rest."""
        groups = asyncio.LifoQueue()
        for group in reversed(group_calls(todo)):
            groups.put_nowait(group)
        asyncio.get_running_loop().call_later(
            run_seconds,
            self.halt,
            f"the run took longer than {run_seconds:g} s (run_seconds); run again to go on",
        )
        workers = [
            asyncio.create_task(self.work(groups))
            for _ in range(max(1, min(concurrency, len(todo))))
        ]
        await groups.join()
        for worker in workers:
            worker.cancel()
        await self.client.close()

    def halt(self, why):
        """End the run: no request is sent any more, those under way are kept."""
        self.stop = self.stop or f"stopped: {why}"

    async def work(self, groups):
        """Take calls until the run is over."""
        while True:
            call, *rest = await groups.get()
            try:
                if not self.stop:
                    await self.ask(call)
            except JudgeError as fault:
                self.no_form = self.no_form or (fault if isinstance(fault, NoForm) else None)
                self.halt(str(fault))
            except Exception as fault:  # whatever it is, it ends this call and not the others
                self.give_up(call, f"{type(fault).__name__}: {fault}"[:300])
            for other in reversed(rest):
                groups.put_nowait([other])
            groups.task_done()

    async def ask(self, call):
        """Ask until there is an answer, the time for one call is over, or asking again makes no
        sense."""
        end, until, useless = time.monotonic() + self.seconds, 0.0, 0
        most = (
            prices.most(self.price, most_tokens(call), call["max_tokens"])
            if self.price["output"]
            else 0.0
        )
        for turn in range(1, TRIES + 1):
            if not await self.wait_for_budget(most, until):
                return
            # what a call has waited, for money or for the provider, is not taken from its request
            fault = await self.send(
                call, most, max(min(30.0, self.seconds / 2), end - time.monotonic())
            )
            if not fault:
                return
            now = time.monotonic()
            until = now + max(
                fault.wait, min(8.0, PAUSE * 2 ** (turn - 1)) * random.uniform(0.75, 1)
            )
            if fault.wait and now + fault.wait > end:
                raise JudgeError(
                    f"the provider asks to wait {fault.wait:.0f} s ({fault}), longer than a call"
                    f" may take (call_seconds, {self.seconds:.0f} s); all answers are kept, run"
                    " again later"
                )
            if fault.wait:
                self.quiet = max(self.quiet, until)
                self.bar.set_postfix_str(f"the provider asks to wait {fault.wait:.0f} s")
            useless += isinstance(fault.billed, Answer)
            if (
                not fault.again
                or fault.stalled
                or useless == USELESS
                or turn == TRIES
                or until >= end
            ):
                return self.give_up(call, f"{fault} (request {turn})", 3 if fault.stalled else 1)

    async def wait_for_budget(self, most, until):
        """Wait until then and for a busy provider, set money for one request aside; return False if
        the run ends before."""
        while not self.stop:
            left = max(until, self.quiet) - time.monotonic()
            if left <= 0 and self.budget.hold(prices.to_micro(most)):
                return True
            # no money will come back from requests under way
            if left <= 0 and not self.budget.held:
                self.halt(
                    f"the next call may cost ${most:.4f}, and ${self.budget.left:.4f} of"
                    f" max_usd={self.budget.max_usd} are left; all answers are kept, raise max_usd"
                    " and run again"
                )
            await asyncio.sleep(min(max(left, REST), 0.1))
        return False

    async def send(self, call, most, seconds):
        """Send one request and book what it cost; return None if its answer is
        kept, else Failed."""
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
            self.cost += self.budget.settle(prices.to_micro(most), usd)
        if usd > most:
            self.halt(
                f"a reply was billed at ${usd:.4f}, more than such a call can cost (${most:.4f}),"
                " so max_usd cannot be kept; look at the server's token counts and at"
                " data/prices.csv"
            )
        if fault:
            if usd:
                self.store.fail(call["key"], str(fault), usd)
            return fault
        self.good, self.streak = self.good + 1, 0
        await self.keep(
            answer._replace(
                usd=usd, seconds=round(time.monotonic() - begin, 4), versions=self.client.versions
            )
        )
        self.bar.set_postfix_str(
            f"${self.budget.spent:.4f}, {len(self.notes)} failed", refresh=False
        )
        self.bar.update(1)

    async def keep(self, answer):
        """Return when the answer is on the disk; those that come while one commit runs share the
        next."""
        self.waiting.append(answer)
        async with self.writing:
            together, self.waiting = self.waiting, []
            for lost, fault in await asyncio.to_thread(put, self.store, together):
                self.unkept[lost.key], self.notes[lost.key] = (
                    lost,
                    f"not kept: the store cannot be written ({fault})",
                )
                # a full disk, a file that is spoilt
                if type(fault) in (sqlite3.OperationalError, sqlite3.DatabaseError):
                    self.halt(f"the store cannot be written ({fault}); what came is in the table")

    def give_up(self, call, note, weight=1):
        """Note why a call has no answer; stop a run of such calls."""
        self.notes[call["key"]], self.streak = note, self.streak + weight
        try:
            self.store.fail(call["key"], note)
        except sqlite3.Error as fault:
            self.halt(f"the store cannot be written ({fault})")
        self.bar.update(1)
        if self.streak >= STREAK:
            self.halt(f"{len(self.notes)} calls failed, the last with {note}; run again later")


def put(store, answers):
    """Keep answers, one by one where all at once fails; return [(answer that cannot be kept, why),
    ...]."""
    try:
        store.put(answers)
    except Exception as fault:
        return (
            [(answers[0], fault)]
            if len(answers) == 1
            else [lost for one in answers for lost in put(store, [one])]
        )
    return []
