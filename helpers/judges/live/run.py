"""Have calls answered live: many at once, within time and budget, all answers kept."""

import asyncio
import random
import signal
import sqlite3
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress

from tqdm.auto import tqdm

from helpers.judges.answers.replies import Failed, OtherModel
from helpers.judges.answers.table import Outcome
from helpers.judges.errors import JudgeError, NoForm
from helpers.judges.live.addresses import runs_here
from helpers.judges.live.bodies import most_tokens
from helpers.judges.live.providers import Client
from helpers.judges.live.terminal import tell
from helpers.judges.price import prices
from helpers.judges.price.budget import tell_guess, tell_usd, to_micro
from helpers.judges.price.charges import find_known, usd_of
from helpers.judges.price.plan import estimate
from helpers.judges.requests.calls import group_calls

# for one call with all its retries (others 300); local servers queue
CALL_SECONDS = {"local": 1800.0}
TRIES = 8  # requests for one call
PAUSE = 0.5  # seconds before the second of them; doubles each time, up to eight
USELESS = 3  # replies to one call that are complete, of no use, and paid
# calls given up one after another, without a success, that stop a run; one that is out of time
# counts three
STREAK = 25
WEIGHT = 9  # of a call whose replies are of no use: three in a row stop a run
REST = 0.02  # seconds between two looks at whether there is room for a call


def run_calls(calls, store, options):
    """Return the Outcome of asking what is not in `store`; all calls are of one judge.

    Raises JudgeError, PriceError, StoreError before anything is sent.
    """
    provider, model = calls[0].provider, calls[0].model
    budget = options.max_usd
    seconds = options.call_seconds or CALL_SECONDS.get(provider, 300.0)
    known, dearest = find_known(provider, model)
    price = known[model]
    keys = [call.key for call in calls]
    with store.turn(provider, seconds):
        stored = store.get(keys)
        todo = [call for call in calls if call.key not in stored]
        guess = estimate(todo, price, store)
        first = estimate(todo[:1], price, store)
        what = f"nothing was asked: {len(todo)} calls of {provider}/{model}"
        if stop := budget.refuse(what, first["usd_live"], guess, price):
            return Outcome(stored, {call.key: "not asked" for call in todo}, stop)
        if options.progress and todo:
            counts = f"{len(stored):,} answers from the store, {len(todo):,} to ask"
            tell(f"{provider}/{model}: {counts}, {tell_price(guess, price, budget)}")
        with show_progress(len(todo), options.progress) as bar:
            run = Run(Client(provider), store, (known, dearest), budget, seconds, bar)
            run.stored, run.all = len(stored), len(calls)
            run.all_usd = estimate(calls, price, store)["usd_live"]
            main = run.main(todo, options.concurrency, options.run_seconds)
            try:
                run_apart(main, run)
            except OSError as fault:
                main.close()
                raise JudgeError(f"the run cannot start ({fault}); close some files") from None
    if run.stop:
        for call in todo:
            run.notes.setdefault(call.key, "not asked")
    answers = run.unkept | store.get(keys)
    return Outcome(answers, run.notes, run.stop, run.calls, run.cost / 1e6)


def show_progress(count, shown):
    """Return a bar of progress over so many calls; in a log it has a line every half minute."""
    somebody_looks = sys.stderr.isatty() or "ipykernel" in sys.modules
    pause = 0.5 if somebody_looks else 30.0
    return tqdm(total=count, disable=not shown, mininterval=pause, maxinterval=2 * pause)


def tell_price(guess, price, budget):
    """Return what calls will cost and what is allowed as text, or why there is no price; guess: of
    `plan.estimate`, price: a line of prices."""
    if price["output"] > 0:
        allowed = tell_usd(budget.max_usd)
        return f"{tell_guess(guess, price)}; you allow {allowed}"
    if runs_here():
        return "no price: runs on your machine"
    return "price not known, so nothing limits what it costs"


def run_apart(main, run):
    """Run a coroutine in a thread (Jupyter's loop is busy); Ctrl-C halts, again it aborts."""
    pressed = []  # times of Ctrl-C
    handler = None

    def press(*_):
        run.halt("interrupted")
        pressed.append(time.monotonic())
        if pressed[-1] - pressed[0] > 1:  # not by a trembling finger
            run.abort()
        run.bar.set_postfix_str("waiting for answers under way; Ctrl-C again ends it at once")

    if threading.current_thread() is threading.main_thread():  # where Ctrl-C arrives
        handler = signal.signal(signal.SIGINT, press)
    try:
        with ThreadPoolExecutor(1) as pool:
            done = pool.submit(asyncio.run, main)
            while wait([done], 0.2).not_done:
                pass
    finally:
        if handler:
            signal.signal(signal.SIGINT, handler)
    if pressed:
        raise KeyboardInterrupt
    done.result()


class Run:
    """One run of calls, all of one judge.

    stop: why it ends, '' while it goes on; notes: {key: why a call has no answer}; unkept: {key:
    Answer} not yet in the store, or that it cannot take; calls: requests sent; cost: in millionths
    of a USD; good: calls answered; streak: how near the run is to giving up; proven: replies can be
    read; quiet: until when the provider asks to be left alone. stored: answers that were there;
    all, all_usd: the calls with these, and what all of them would likely cost.
    """

    def __init__(self, client, store, prices, budget, seconds, bar):
        self.client = client
        self.store = store
        self.prices, self.dearest = prices
        self.budget = budget
        self.seconds = seconds
        self.bar = bar
        self.notes = {}
        self.unkept = {}
        self.stop = ""
        self.calls = 0
        self.cost = 0
        self.streak = 0
        self.good = 0
        self.quiet = 0
        self.proven = False
        self.stored = 0
        self.all = 0
        self.all_usd = 0.0
        self.alone = asyncio.Lock()
        self.writing = asyncio.Lock()

    async def main(self, todo, concurrency, run_seconds):
        """Make all calls; one of each group first, which warms the provider's cache."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        self.clock = loop.time
        self.abort = lambda: loop.call_soon_threadsafe(task.cancel)
        groups = asyncio.LifoQueue()
        for group in reversed(group_calls(todo)):
            groups.put_nowait(group)
        late = f"the run took longer than {run_seconds:g} s (run_seconds); run again to go on"
        loop.call_later(run_seconds, self.halt, late)
        count = max(1, min(concurrency, len(todo)))
        workers = [asyncio.create_task(self.work(groups)) for _ in range(count)]
        try:
            await groups.join()
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            with suppress(sqlite3.Error):  # as `keep` has said
                self.store.put(self.unkept.values())  # what came while it was aborted
            await self.client.api.close()

    def halt(self, why):
        """End the run: no request is sent any more, those under way are kept."""
        self.stop = self.stop or f"stopped: {why}"

    async def work(self, groups):
        """Take calls until the run is over."""
        while True:
            call, *rest = await groups.get()
            try:
                await self.take(call)
            except NoForm as fault:
                if self.good:  # a server that takes it for others
                    self.give_up(call, str(fault))
                else:
                    self.halt(str(fault))
            except JudgeError as fault:
                self.halt(str(fault))
            except Exception as fault:  # whatever it is, it ends this call and not the others
                self.give_up(call, f"{type(fault).__name__}: {fault}"[:300])
            for later in reversed(rest):
                groups.put_nowait([later])
            groups.task_done()

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
        end = self.clock() + self.seconds
        until = 0.0
        useless = 0
        size = most_tokens(call)
        most = prices.most(self.dearest, size, call.max_tokens) if self.dearest["output"] else 0.0
        for turn in range(1, TRIES + 1):
            if not await self.wait_for_budget(most, until):
                return
            # what a call has waited, for money or for the provider, is not taken from its request
            left = max(min(30.0, self.seconds / 2), end - self.clock())
            fault = await self.send(call, most, size, left)
            if not fault:
                return
            pause = min(8.0, PAUSE * 2 ** (turn - 1)) * random.uniform(0.75, 1)
            until = self.clock() + max(fault.wait, pause)
            if fault.wait:
                self.obey(fault, end)
            useless += fault.useless
            last = fault.stalled or not fault.again or useless == USELESS
            if last or turn == TRIES or until >= end:
                self.give_up(call, f"{fault} (request {turn})", fault)
                return

    def obey(self, fault, end):
        """Let every call wait as long as a busy provider asks; JudgeError if too long."""
        until = self.clock() + fault.wait
        if until > end:
            raise JudgeError(
                f"the provider asks to wait {fault.wait:.0f} s ({fault}), longer than a call"
                f" may take (call_seconds, {self.seconds:.0f} s); all answers are kept, run"
                " again later"
            )
        self.quiet = max(self.quiet, until)
        self.bar.set_postfix_str(f"the provider asks to wait {fault.wait:.0f} s")

    async def wait_for_budget(self, most, until):
        """Wait for time, provider and money, set aside; return False if the run ends."""
        while not self.stop:
            left = max(until, self.quiet) - self.clock()
            if left <= 0 and self.budget.hold(to_micro(most)):
                return True
            # no money will come back from requests under way
            if left <= 0 and not self.budget.held:
                answered = f"{self.stored + self.good:,} of {self.all:,} answered"
                self.halt(
                    f"the next call may cost {tell_usd(most)}, and"
                    f" {tell_usd(self.budget.left)} of max_usd={self.budget.max_usd} are"
                    f" left; {answered}; all would cost about {tell_usd(self.all_usd)};"
                    " the answers are kept, raise max_usd and run again"
                )
            await asyncio.sleep(min(max(left, REST), 0.1))
        return False

    async def send(self, call, most, size, seconds):
        """Send one request and book what it cost; return None if it is kept, else Failed.

        most: USD that are set aside for it; size: tokens that it can have at most.
        """
        begin = self.clock()
        usd, charge = most, True  # whatever goes wrong, the worst is booked
        answer, fault = None, None
        self.calls += 1
        try:
            answer, charge = await self.client.ask(call, seconds)
            usd = usd_of(charge, call, self.prices, most, size)
        except Failed as failed:
            fault, charge = failed, failed.billed
            usd = usd_of(charge, call, self.prices, most, size)
        except JudgeError:
            usd = 0.0
            raise
        finally:
            self.cost += self.budget.settle(to_micro(most), usd)
        self.look_at_bill(charge, fault, usd, most)
        if fault:
            if usd:
                self.store.fail(str(fault), call.key, usd=usd)
            return fault
        self.good += 1
        self.streak = 0
        self.proven = True
        seconds = round(self.clock() - begin, 4)
        versions = self.client.versions
        self.unkept[call.key] = answer._replace(seconds=seconds, usd=usd, versions=versions)
        await self.keep()
        spent = f"${self.budget.spent:.4f}, {len(self.notes)} failed"
        self.bar.set_postfix_str(spent, refresh=False)
        self.bar.update(1)
        return None

    def look_at_bill(self, charge, fault, usd, most):
        """End the run if a reply was, or may be, billed otherwise than such a call can be."""
        if isinstance(fault, OtherModel):
            self.halt(
                f"{fault}; no more was asked, since its price is another. Name the model that is to"
                " answer, or look at what stands between you and it; for a server that names none,"
                " use local/ and LOCAL_BASE_URL"
            )
        if unasked := getattr(charge, "unasked", ""):
            self.halt(
                f"a reply names {unasked}, which was not asked for and may cost more; change it in"
                " the settings of your account, project or workspace, and run again"
            )
        if usd > most:
            self.halt(
                f"a reply was billed at ${usd:.4f}, more than such a call can cost (${most:.4f}),"
                " so max_usd cannot be kept; look at the server's token counts and at"
                " data/prices.csv"
            )

    async def keep(self):
        """Return when `unkept` is on the disk; what comes while one commit runs shares the next."""
        async with self.writing:
            together = dict(self.unkept)
            try:
                await asyncio.to_thread(self.store.put, together.values())
            except Exception as fault:
                self.halt(f"the store cannot be written ({fault}); what came is in the table")
            else:
                for key in together:
                    del self.unkept[key]

    def give_up(self, call, note, fault=None):
        """Note why a call has no answer; stop a run of such calls."""
        useless = getattr(fault, "useless", False)
        stalled = getattr(fault, "stalled", False)
        self.proven |= not useless
        self.notes[call.key] = note
        if useless:
            self.streak += WEIGHT
        else:
            self.streak += 3 if stalled else 1
        try:
            self.store.fail(note, call.key)
        except sqlite3.Error as failed:
            self.halt(f"the store cannot be written ({failed})")
        self.bar.update(1)
        if self.streak < STREAK:
            return
        if useless:
            self.halt(f"the server's replies are of no use: {note}; look at what answers there")
        self.halt(f"{len(self.notes)} calls failed, the last with {note}; run again later")
