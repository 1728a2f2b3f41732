"""One run of many live calls: within time and budget, all answers kept.

`run_calls` is the door: it tells the price and refuses what costs too much. Then one call goes
through these methods of `Run`:

- `finish`: the first calls go one by one, until a reply could be read;
- `ask`: some requests for a call, with a pause after each that failed (`replies` has the ends);
- `wait_for_room`: before each, the worst that it can cost is set aside;
- `send`: one request; its answer is on the disk at once, and what it did cost is booked;
- `give_up`: without an answer, why is noted; too many in a row end the run.

Whatever ends a run (`halt`), no request is sent any more, and those under way are waited for, since
they are paid. All of it runs in a thread of its own, since a notebook is busy with its own event
loop.
"""

import asyncio
import random
import signal
import sqlite3
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import NamedTuple

from tqdm.auto import tqdm

from goodjudge.ask.addresses import runs_here
from goodjudge.ask.budget import Bill, tell_guess, tell_usd
from goodjudge.ask.calls import group_calls
from goodjudge.ask.cost import estimate, tell
from goodjudge.ask.errors import JudgeError, NoForm
from goodjudge.ask.providers import Client, most_tokens
from goodjudge.ask.replies import AGAIN, LATER, NEVER, Failed
from goodjudge.ask.table import Outcome

# for one call with all its requests; local servers queue
CALL_SECONDS = {"openai": 300.0, "anthropic": 300.0, "local": 1800.0}
TRIES = {AGAIN: 4, LATER: 8, NEVER: 1}  # requests for one call that may fail in this way
PAUSE = 0.5  # seconds after the first of them; doubles each time, up to LONGEST_PAUSE
LONGEST_PAUSE = 30.0
REST = 0.02  # seconds between two looks at whether there is room for a call
IN_A_ROW = 5  # calls given up, without a success between them, that end a run
PATIENCE = 1.0  # seconds after which a second Ctrl-C is meant, and not of a trembling finger
STOPS = ("SIGINT", "SIGTERM", "SIGHUP")  # Ctrl-C, kill, a terminal that is closed


def run_calls(judge, calls, stored, store, options):
    """Return the Outcome of calls to a judge, of which `stored` ({key: Answer}) are answered.

    Raises JudgeError, PriceError, StoreError before anything is sent.
    """
    provider = calls[0].provider
    bill = Bill(judge, options.max_usd)
    todo = [call for call in calls if call.key not in stored]
    guess = estimate(todo, bill.price, store)
    refusal = refuse_cost(todo, judge, bill, guess, store)
    if refusal:
        return Outcome(stored, {call.key: "not asked" for call in todo}, refusal)
    if options.progress:
        counts = f"{len(stored):,} answers from the store, {len(todo):,} to ask"
        tell(f"{judge}: {counts}, {tell_price(guess, bill.price, bill.budget)}")
    with show_progress(len(todo), options.progress) as bar:
        seconds = options.call_seconds or CALL_SECONDS[provider]
        scope = Scope(len(stored), len(calls), estimate(calls, bill.price, store)["usd_live"])
        run = Run(Client(provider), bill, store, scope, seconds, bar)
        run_apart(run, todo, options)
    if run.stop:
        for call in todo:
            if call.key not in run.answers:
                run.notes.setdefault(call.key, "not asked")
    return Outcome(stored | run.answers, run.notes, run.stop, run.calls, bill.usd)


def refuse_cost(todo, judge, bill, guess, store):
    """Return a sentence if already the first of these calls likely costs more than is left, else
    None; guess: of `cost.estimate` for all of them."""
    first = estimate(todo[:1], bill.price, store)
    what = f"nothing was asked: {len(todo)} calls of {judge}"
    return bill.budget.refuse(what, first["usd_live"], guess, bill.price)


def tell_price(guess, price, budget):
    """Return what calls will cost and what is allowed as text, or why that is nothing; guess: of
    `cost.estimate`, price: a line of prices."""
    if price["output"] > 0:
        return f"{tell_guess(guess, price)}; you allow {tell_usd(budget.max_usd)}"
    if runs_here():
        return "no price: runs on your machine (a gateway that others bill needs ?price=)"
    return "no price, as ?price=free says"


def show_progress(count, shown):
    """Return a bar of progress over so many calls; in a log it has a line every half minute."""
    somebody_looks = sys.stderr.isatty() or "ipykernel" in sys.modules
    pause = 0.5 if somebody_looks else 30.0
    return tqdm(total=count, disable=not shown, mininterval=pause, maxinterval=2 * pause)


# ── A thread of its own, and how it is stopped ────────────────────────────────────────────────────


def run_apart(run, todo, options):
    """Let a run make its calls in a thread of its own; return when it is over. Ctrl-C, TERM and HUP
    halt it; KeyboardInterrupt afterwards. JudgeError if it cannot start."""
    main = run.main(todo, options.concurrency, options.run_seconds)
    with ThreadPoolExecutor(1) as pool, halting(run) as signals:
        done = pool.submit(asyncio.run, main)
        try:
            while wait([done], 0.2).not_done:  # short, so that a signal is heard
                pass
        except BaseException:  # a signal that somebody else hears
            run.halt("interrupted")
            raise
    if signals:
        raise KeyboardInterrupt
    try:
        done.result()
    except OSError as fault:
        main.close()
        raise JudgeError(f"the run cannot start ({fault}); close some files") from None


@contextmanager
def halting(run):
    """Let the signals of STOPS halt a run while this lasts; yield the list of when one came. What
    is under way is waited for and kept; a second signal, a while later, ends it at once. A signal
    that is ignored, as HUP after nohup, stays so."""
    times = []

    def stop(*_):
        run.halt("interrupted")
        times.append(time.monotonic())
        if times[-1] - times[0] > PATIENCE:
            run.abort()
        run.bar.set_postfix_str("waiting for answers under way; Ctrl-C again ends it at once")

    before = {}
    if threading.current_thread() is threading.main_thread():  # which alone hears signals
        for name in STOPS:
            number = getattr(signal, name, signal.SIGINT)  # Windows has no HUP
            if signal.getsignal(number) not in (signal.SIG_IGN, stop):
                before[number] = signal.signal(number, stop)
    try:
        yield times
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# ── A run under way ───────────────────────────────────────────────────────────────────────────────


class Scope(NamedTuple):
    """All that was asked for: answers that were stored, calls with these, and the USD that all of
    them would likely cost."""

    stored: int
    calls: int
    usd: float


class Run:
    """One run of calls, all of one judge.

    client: of its provider; seconds: for one call with all its requests; bar: of progress. stop:
    why the run ends, '' while it goes on. answers: {key: Answer} that came; notes: {key: why a call
    has no answer}. calls: requests sent. proven: replies can be read. quiet_until: when the
    provider wants to be asked again. failed: calls given up one after another.
    """

    def __init__(self, client, bill, store, scope, seconds, bar):
        self.client = client
        self.bill = bill
        self.store = store
        self.seconds = seconds
        self.bar = bar
        self.scope = scope
        self.stop = ""
        self.answers = {}
        self.notes = {}
        self.calls = 0
        self.proven = False
        self.quiet_until = 0.0
        self.failed = 0
        self.alone = asyncio.Lock()
        self.abort = lambda: None

    async def main(self, todo, concurrency, run_seconds):
        """Make all calls; one of each group first, which warms the provider's cache."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        self.clock = loop.time
        self.abort = lambda: loop.call_soon_threadsafe(task.cancel)
        late = f"the run took longer than {run_seconds:g} s (run_seconds); run again to go on"
        loop.call_later(run_seconds, self.halt, late)
        self.groups = asyncio.Semaphore(concurrency)  # of calls that share a text, at a time
        self.room = asyncio.Semaphore(concurrency)
        try:
            await asyncio.gather(*(self.finish_group(group) for group in group_calls(todo)))
        finally:
            await self.client.api.close()

    def halt(self, why):
        """End the run: no request is sent any more, those under way are kept."""
        self.stop = self.stop or f"stopped: {why}"

    async def finish_group(self, group):
        """Finish calls that share a text: the first, and then the others."""
        async with self.groups:
            first, *later = group
            await self.finish(first)
            await asyncio.gather(*(self.finish(call) for call in later))

    async def finish(self, call):
        """Have a call answered or given up; alone, until a reply could be read: a wrong model,
        address, tier or form is met by one request and not by many."""
        async with self.room:
            async with self.alone:
                is_first = not self.proven
                if is_first:
                    await self.take(call)
            if not is_first:
                await self.take(call)

    async def take(self, call):
        """Ask a call; whatever goes wrong ends this call, or the run."""
        try:
            await self.ask(call)
        except NoForm as fault:
            if self.answers:  # a server that takes the form for other calls
                self.give_up(call, str(fault))
            else:
                self.halt(str(fault))
        except JudgeError as fault:
            self.halt(str(fault))
        except Exception as fault:  # whatever it is, it ends this call and not the others
            self.give_up(call, f"{type(fault).__name__}: {fault}"[:300])

    async def ask(self, call):
        """Ask until there is an answer, time is over, or asking again makes no sense."""
        deadline = self.clock() + self.seconds
        reserve = self.bill.reserve(call, most_tokens(call))
        not_before = 0.0  # when the next request may be sent
        tries = Counter()
        while await self.wait_for_room(reserve, not_before):
            # what a call has waited, for money or for the provider, is not taken from its request
            least = min(30.0, self.seconds / 2)
            fault = await self.send(call, reserve, max(least, deadline - self.clock()))
            if not fault:
                return
            tries[fault.end] += 1
            not_before = self.clock() + max(fault.wait, draw_pause(tries.total()))
            if fault.wait:
                self.obey(fault, deadline)
            if tries[fault.end] == TRIES[fault.end] or not_before >= deadline:
                self.give_up(call, f"{fault} (request {tries.total()})", fault.end)
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

    async def wait_for_room(self, reserve, not_before):
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
        answered = f"{self.scope.stored + len(self.answers):,} of {self.scope.calls:,} answered"
        return (
            f"the next call may cost {tell_usd(reserve.usd)}, and {tell_usd(budget.left)} of"
            f" max_usd={budget.max_usd} are left; {answered}; all would cost about"
            f" {tell_usd(self.scope.usd)}; the answers are kept, raise max_usd and run again"
        )

    async def send(self, call, reserve, seconds):
        """Send one request, keep its answer and book what it cost; return None if there is an
        answer, else Failed."""
        begin = self.clock()
        charge = True  # whatever goes wrong, the worst is booked
        fault = None
        usd = reserve.usd
        self.calls += 1
        try:
            answer, charge = await self.client.ask(call, seconds)
            usd = self.bill.price_charge(charge, reserve)
            seconds = round(self.clock() - begin, 4)
            versions = self.client.versions
            if charge is False or not self.bill.is_other(charge):
                self.keep(answer._replace(seconds=seconds, usd=usd, versions=versions))
        except Failed as failed:
            fault = failed
            charge = failed.billed
            usd = self.bill.price_charge(charge, reserve)
        except JudgeError:  # refused, so nothing was done
            usd = 0.0
            raise
        finally:
            self.bill.settle(reserve, usd)
        fault = self.look_at_bill(charge, fault, usd, reserve)
        if fault and usd:
            self.write(self.store.fail, str(fault), call.key, usd=usd)
        return fault

    def look_at_bill(self, charge, fault, usd, reserve):
        """End the run if a reply was, or may be, billed otherwise than such a call can be; return
        the fault of its call, if any."""
        if charge is True or charge is False:
            return fault
        if self.bill.is_other(charge):
            fault = Failed(f"asked for {self.bill.model}, answered by {charge.served}", NEVER)
            self.halt(
                f"{fault}; no more was asked, since its price is another. Name the model that is to"
                " answer, or look at what stands between you and it; a server that calls its models"
                " as it likes is asked as local/, with LOCAL_BASE_URL and ?price="
            )
        elif charge.unasked:
            self.halt(
                f"a reply names {charge.unasked}, which was not asked for and may cost more; change"
                " it in the settings of your account, project or workspace, and run again"
            )
        elif usd > reserve.usd:
            self.halt(
                f"a reply was billed at ${usd:.4f}, more than such a call can cost"
                f" (${reserve.usd:.4f}), so max_usd cannot be kept; look at the server's token"
                " counts and at its price"
            )
        return fault

    def keep(self, answer):
        """Put an answer on the disk, before anything else happens."""
        self.answers[answer.key] = answer
        self.write(self.store.put, [answer])
        self.failed = 0
        self.proven = True
        spent = f"${self.bill.budget.spent:.4f}, {len(self.notes)} failed"
        self.bar.set_postfix_str(spent, refresh=False)
        self.bar.update(1)

    def write(self, work, *words, **more):
        """Have the store written; end the run if it cannot be."""
        try:
            work(*words, **more)
        except sqlite3.Error as fault:
            self.halt(f"the store cannot be written ({fault}); what came is in the table")

    def give_up(self, call, note, end=NEVER):
        """Note why a call has no answer; end a run of such calls. One that fails by itself, say for
        a text that is too long, does not count where others are answered."""
        self.notes[call.key] = note
        self.write(self.store.fail, note, call.key)
        self.bar.update(1)
        if end != NEVER or not (self.answers or self.scope.stored):
            self.failed += 1
        if self.failed >= IN_A_ROW:
            self.halt(
                f"{self.failed} calls in a row failed, the last with {note}; look at what answers"
                " there, or run again later"
            )


def draw_pause(number):
    """Return the seconds to wait after the request of this number (from 1) failed: 0.5, 1, 2, …,
    less up to a quarter at random, so that calls which failed together do not meet again."""
    longest = min(LONGEST_PAUSE, PAUSE * 2 ** (number - 1))
    return longest * random.uniform(0.75, 1)
