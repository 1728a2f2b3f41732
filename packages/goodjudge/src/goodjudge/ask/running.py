"""A run of live calls while it is under way.

Some workers take calls from a queue. One call goes through these methods of `Run`:

- `take`: the first calls go one by one, until a reply could be read;
- `ask`: up to eight requests for a call, with a pause after each that failed;
- `wait_for_budget`: before each, the worst that it can cost is set aside;
- `send`: one request; what it did cost is booked, and its answer is on the disk at once;
- `give_up`: without an answer, why is noted; too many calls like this end the run.

Whatever ends a run (`halt`), requests under way are waited for, since they are paid.
"""

import asyncio
import random
import sqlite3
from contextlib import suppress
from typing import NamedTuple

from goodjudge.ask.bodies import most_tokens
from goodjudge.ask.budget import tell_usd
from goodjudge.ask.calls import group_calls
from goodjudge.ask.errors import JudgeError, NoForm
from goodjudge.ask.replies import Failed, OtherModel

TRIES = 8  # requests for one call
PAUSE = 0.5  # seconds before the second of them; doubles each time, up to LONGEST_PAUSE
LONGEST_PAUSE = 8.0
USELESS = 3  # replies to one call that are complete, of no use, and paid
REST = 0.02  # seconds between two looks at whether there is room for a call
# a run ends when the calls given up one after another, without a success between them, weigh so
# much: 25 that failed, 9 that ran out of time, or 3 whose replies were of no use
STREAK = 25
WEIGHT = 1
WEIGHT_STALLED = 3
WEIGHT_USELESS = 9


class Scope(NamedTuple):
    """All that was asked for: answers that were stored, calls with these, and the USD that all of
    them would likely cost."""

    stored: int
    calls: int
    usd: float


class Keeper:
    """Answers on their way to the disk. unkept: {key: Answer} that are not yet in the store, or
    that it cannot take."""

    def __init__(self, store):
        self.store = store
        self.unkept = {}
        self.writing = asyncio.Lock()

    async def keep(self, answer):
        """Return when an answer is on the disk; what comes while one commit runs shares the
        next."""
        self.unkept[answer.key] = answer
        async with self.writing:
            together = dict(self.unkept)
            await asyncio.to_thread(self.store.put, together.values())
            for key in together:
                del self.unkept[key]

    def keep_rest(self):
        """Write what came while the run was aborted; what cannot be written stays `unkept`."""
        with suppress(sqlite3.Error):  # `Run.keep` has said so
            self.store.put(self.unkept.values())


class Run:
    """One run of calls, all of one judge.

    client: of its provider; seconds: for one call with all its requests; bar: of progress. stop:
    why the run ends, '' while it goes on. notes: {key: why a call has no answer}. calls: requests
    sent. good: calls answered. proven: replies can be read. quiet_until: when the provider wants to
    be asked again. streak: how near the run is to giving up (STREAK).
    """

    def __init__(self, client, bill, store, scope, seconds, bar):
        self.client = client
        self.bill = bill
        self.store = store
        self.keeper = Keeper(store)
        self.scope = scope
        self.seconds = seconds
        self.bar = bar
        self.stop = ""
        self.notes = {}
        self.calls = 0
        self.good = 0
        self.proven = False
        self.quiet_until = 0.0
        self.streak = 0
        self.alone = asyncio.Lock()

    async def main(self, todo, concurrency, run_seconds):
        """Make all calls; one of each group first, which warms the provider's cache."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        self.clock = loop.time
        self.abort = lambda: loop.call_soon_threadsafe(task.cancel)
        late = f"the run took longer than {run_seconds:g} s (run_seconds); run again to go on"
        loop.call_later(run_seconds, self.halt, late)
        queue = asyncio.LifoQueue()  # of lists of calls; the last put in comes out first
        for group in reversed(group_calls(todo)):
            queue.put_nowait(group)
        count = max(1, min(concurrency, len(todo)))
        workers = [asyncio.create_task(self.work(queue)) for _ in range(count)]
        try:
            await queue.join()
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            self.keeper.keep_rest()
            await self.client.api.close()

    def halt(self, why):
        """End the run: no request is sent any more, those under way are kept."""
        self.stop = self.stop or f"stopped: {why}"

    async def work(self, queue):
        """Take calls until the run is over: the first of a group, then the others one by one."""
        while True:
            call, *later = await queue.get()
            await self.finish(call)
            for next_call in reversed(later):
                queue.put_nowait([next_call])
            queue.task_done()

    async def finish(self, call):
        """Have a call answered or given up; what goes wrong ends this call, or the run."""
        try:
            await self.take(call)
        except NoForm as fault:
            if self.good:  # a server that takes the form for other calls
                self.give_up(call, str(fault))
            else:
                self.halt(str(fault))
        except JudgeError as fault:
            self.halt(str(fault))
        except Exception as fault:  # whatever it is, it ends this call and not the others
            self.give_up(call, f"{type(fault).__name__}: {fault}"[:300])

    async def take(self, call):
        """Ask a call; alone, until a reply could be read: a wrong model, address, tier or form is
        met by one request and not by many."""
        async with self.alone:
            if not self.proven:
                await self.ask(call)
                return
        await self.ask(call)

    async def ask(self, call):
        """Ask until there is an answer, time is over, or asking again makes no sense."""
        deadline = self.clock() + self.seconds
        reserve = self.bill.reserve(call, most_tokens(call))
        not_before = 0.0  # when the next request may be sent
        useless = 0
        for number in range(1, TRIES + 1):
            if not await self.wait_for_budget(reserve, not_before):
                return
            # what a call has waited, for money or for the provider, is not taken from its request
            least = min(30.0, self.seconds / 2)
            fault = await self.send(call, reserve, max(least, deadline - self.clock()))
            if not fault:
                return
            not_before = self.clock() + max(fault.wait, draw_pause(number))
            if fault.wait:
                self.obey(fault, deadline)
            useless += fault.useless
            is_last = (
                number == TRIES
                or useless == USELESS
                or fault.stalled
                or not fault.again
                or not_before >= deadline
            )
            if is_last:
                self.give_up(call, f"{fault} (request {number})", fault)
                return

    def obey(self, fault, deadline):
        """Let every call wait as long as a busy provider asks; JudgeError if that is longer than a
        call may take."""
        quiet_until = self.clock() + fault.wait
        if quiet_until > deadline:
            raise JudgeError(
                f"the provider asks to wait {fault.wait:.0f} s ({fault}), longer than a call"
                f" may take (call_seconds, {self.seconds:.0f} s); all answers are kept, run"
                " again later"
            )
        self.quiet_until = max(self.quiet_until, quiet_until)
        self.bar.set_postfix_str(f"the provider asks to wait {fault.wait:.0f} s")

    async def wait_for_budget(self, reserve, not_before):
        """Wait until it is time, the provider wants to be asked and the reserve is set aside;
        return False if the run ends before."""
        while not self.stop:
            pause = max(not_before, self.quiet_until) - self.clock()
            if pause <= 0:
                if self.bill.hold(reserve):
                    return True
                if not self.bill.budget.held:  # no money will come back from requests under way
                    self.halt(self.tell_empty(reserve))
            await asyncio.sleep(min(max(pause, REST), 0.1))
        return False

    def tell_empty(self, reserve):
        """Return the sentence that ends a run for lack of money."""
        budget = self.bill.budget
        answered = f"{self.scope.stored + self.good:,} of {self.scope.calls:,} answered"
        return (
            f"the next call may cost {tell_usd(reserve.usd)}, and {tell_usd(budget.left)} of"
            f" max_usd={budget.max_usd} are left; {answered}; all would cost about"
            f" {tell_usd(self.scope.usd)}; the answers are kept, raise max_usd and run again"
        )

    async def send(self, call, reserve, seconds):
        """Send one request and keep its answer; return None if there is one, else Failed."""
        begin = self.clock()
        answer, fault, usd = await self.request(call, reserve, seconds)
        if fault:
            return fault
        self.good += 1
        self.streak = 0
        self.proven = True
        seconds = round(self.clock() - begin, 4)
        versions = self.client.versions
        await self.keep(answer._replace(seconds=seconds, usd=usd, versions=versions))
        spent = f"${self.bill.budget.spent:.4f}, {len(self.notes)} failed"
        self.bar.set_postfix_str(spent, refresh=False)
        self.bar.update(1)
        return None

    async def request(self, call, reserve, seconds):
        """Send one request and book what it cost; return (Answer or None, Failed or None, USD)."""
        charge = True
        usd = reserve.usd  # whatever goes wrong, the worst is booked
        answer = None
        fault = None
        self.calls += 1
        try:
            answer, charge = await self.client.ask(call, seconds)
            usd = self.bill.price_charge(charge, call, reserve)
        except Failed as failed:
            fault = failed
            charge = failed.billed
            usd = self.bill.price_charge(charge, call, reserve)
        except JudgeError:  # refused, so nothing was done
            usd = 0.0
            raise
        finally:
            self.bill.settle(reserve, usd)
        self.look_at_bill(charge, fault, usd, reserve)
        if fault and usd:
            self.store.fail(str(fault), call.key, usd=usd)
        return answer, fault, usd

    def look_at_bill(self, charge, fault, usd, reserve):
        """End the run if a reply was, or may be, billed otherwise than such a call can be."""
        if isinstance(fault, OtherModel):
            self.halt(
                f"{fault}; no more was asked, since its price is another. Name the model that is to"
                " answer, or look at what stands between you and it; for a server that names none,"
                " use local/ and LOCAL_BASE_URL"
            )
        unasked = getattr(charge, "unasked", "")
        if unasked:
            self.halt(
                f"a reply names {unasked}, which was not asked for and may cost more; change it in"
                " the settings of your account, project or workspace, and run again"
            )
        if usd > reserve.usd:
            self.halt(
                f"a reply was billed at ${usd:.4f}, more than such a call can cost"
                f" (${reserve.usd:.4f}), so max_usd cannot be kept; look at the server's token"
                " counts and at data/prices.csv"
            )

    async def keep(self, answer):
        """Return when an answer is on the disk; end the run if the store cannot take it."""
        try:
            await self.keeper.keep(answer)
        except Exception as fault:
            self.halt(f"the store cannot be written ({fault}); what came is in the table")

    def give_up(self, call, note, fault=None):
        """Note why a call has no answer; end a run of such calls."""
        self.notes[call.key] = note
        try:
            self.store.fail(note, call.key)
        except sqlite3.Error as failed:
            self.halt(f"the store cannot be written ({failed})")
        is_useless = bool(fault) and fault.useless
        if not is_useless:
            self.proven = True  # the server speaks as it should, so the others need not wait
        self.streak += weigh(fault)
        self.bar.update(1)
        if self.streak >= STREAK and is_useless:
            self.halt(f"the server's replies are of no use: {note}; look at what answers there")
        if self.streak >= STREAK:
            self.halt(f"{len(self.notes)} calls failed, the last with {note}; run again later")


def weigh(fault):
    """Return how much a call that was given up adds to the streak; fault: its last Failed, or None
    for an error of our own."""
    if fault is None:
        return WEIGHT
    if fault.useless:
        return WEIGHT_USELESS
    return WEIGHT_STALLED if fault.stalled else WEIGHT


def draw_pause(number):
    """Return the seconds to wait after the request of this number (from 1) failed: 0.5, 1, 2, … 8,
    less up to a quarter at random, so that calls which failed together do not meet again."""
    longest = min(LONGEST_PAUSE, PAUSE * 2 ** (number - 1))
    return longest * random.uniform(0.75, 1)
