"""Run live calls: adaptive concurrency, a hard limit on money, every finished answer kept, Ctrl-C at any time."""

import asyncio
import signal
import sqlite3
import sys
import threading
import time
from collections import deque
from contextlib import suppress

from tqdm.auto import tqdm

from helpers.judges import prices
from helpers.judges.addresses import JudgeError
from helpers.judges.attempts import Caller
from helpers.judges.pacing import CALL_SECONDS, OTHERS_SECONDS, REST, RUN_SECONDS, too_dear
from helpers.judges.requests import estimate, group_calls


class Run(Caller):
    """One run over the calls that are not in the store; `notes` says for each failed key why, `stop` why it ended early."""

    def __init__(self, todo, store, price, budget, concurrency, progress, call_seconds, run_seconds):
        self.store, self.price, self.budget, self.concurrency = store, price, budget, max(1, concurrency)
        self.seconds = call_seconds or CALL_SECONDS.get(todo[0]["provider"], OTHERS_SECONDS)
        self.run_seconds, self.moved = run_seconds or RUN_SECONDS, time.monotonic()
        self.notes, self.unkept, self.stop, self.fault = {}, {}, "", None
        self.calls = self.cost = self.streak = self.flying = self.good = self.quiet = 0
        self.over = threading.Event()  # not Thread.join, which Ctrl-C can make forget a running thread
        self.ready, self.held, self.taken = deque(), {}, []
        for first, *rest in group_calls(todo).values():  # one call of each group warms the provider's prompt cache
            self.ready.append(first)
            self.held[first["key"]] = rest
        often = 0.5 if sys.stderr.isatty() or "ipykernel" in sys.modules else 30.0  # seconds between two lines in a log
        self.bar = tqdm(total=len(todo), disable=not progress, unit="answer", mininterval=often, maxinterval=2 * often)

    def main(self):
        """Run to the end in this thread, with an event loop of its own (so that it works inside Jupyter too)."""
        try:
            asyncio.run(self._all())
        except BaseException as fault:  # handed to the thread that waits
            self.fault = fault
        finally:
            self.bar.close()
            self.over.set()

    def halt(self, why):
        """End the run: no request is sent any more, those under way are kept."""
        self.stop = self.stop or why

    async def _all(self):
        provider = self.ready[0]["provider"]
        self.done, self.client = asyncio.Queue(), make_client(provider)
        side = [asyncio.create_task(self._keep()), asyncio.create_task(self._beat())]
        try:
            await self.client.probe()
            await asyncio.gather(*(self._work() for _ in range(min(self.concurrency, self.bar.total))))
        except JudgeError as fault:
            self.halt(f"stopped: {fault}")
        finally:
            for task in side:
                task.cancel()
            await self.client.close()

    async def _beat(self):
        end = time.monotonic() + self.run_seconds
        while True:
            with suppress(sqlite3.Error):
                self.store.beat()
            if time.monotonic() > end:
                self.halt(f"stopped: the run took longer than {self.run_seconds:g} s (run_seconds); run again to go on")
            await asyncio.sleep(min(1.0, self.run_seconds))

    async def _keep(self):
        while True:  # all answers that have come in since the last commit go into the next one
            batch = [await self.done.get()]
            while not self.done.empty():
                batch.append(self.done.get_nowait())
            try:
                await asyncio.to_thread(self.store.put, [answer for answer, _ in batch])
            except Exception:  # one by one, so that what can be kept is
                for answer, _ in batch:
                    try:
                        await asyncio.to_thread(self.store.put, [answer])
                    except Exception as fault:
                        self.unkept[answer.key] = answer
                        self.notes[answer.key] = f"not kept: the store cannot be written ({fault})"
                        if isinstance(fault, sqlite3.OperationalError):  # a full disk: before more is paid for
                            self.halt(f"stopped: the store cannot be written ({fault}); what came is in the table")
            for _, kept in batch:
                kept.set_result(None)

    async def _work(self):
        while not self.stop and (self.ready or self.flying or self.taken):
            if not self.ready:
                await asyncio.sleep(REST if self.flying else 0.2)
                if not self.flying:  # another process works on these: look again
                    self.ready.extend(self.taken)
                    self.taken.clear()
                    if time.monotonic() - self.moved > self.seconds:
                        self.halt(f"stopped: another process asks for {len(self.ready)} of these answers, and none came "
                                  f"for {self.seconds:.0f} s; let it finish or end it, then run again")
                continue
            call = self.ready.popleft()
            self.flying += 1
            try:
                claim = self.store.claim(call["key"])
                if claim == "taken":
                    self.taken.append(call)
                elif claim == "answered":
                    self._tick()
                else:
                    await self._ask(call)
            except JudgeError as fault:
                self.fault = fault if fault.__class__ is not JudgeError else None
                self.halt(f"stopped: {fault}")
            except Exception as fault:  # whatever it is, it ends this call and not the others
                self._give_up(call, f"{type(fault).__name__}: {fault}"[:300])
            finally:
                self.flying -= 1
                self.ready.extendleft(reversed(self.held.pop(call["key"], [])))


def make_client(provider):
    """Return the client of a provider (its SDK loads only now)."""
    if provider == "likelihood":
        from helpers.extras.likelihood import Likelihood

        return Likelihood()
    from helpers.judges.providers import Client

    return Client(provider)


def run(todo, store, budget, *, calls, concurrency=8, progress=False, batch=False, call_seconds=None, run_seconds=None):
    """Ask for all calls in `todo`, those of `calls` that are not in `store`, and keep the answers there.

    Return (Answers that the store could not take, by key; notes by key; why it stopped or None; facts).
    Nothing is asked if the estimate exceeds the budget. Ctrl-C, however often, lets the calls that are under way finish
    and be kept.
    """
    price = prices.find_price(todo[0]["provider"], todo[0]["model"])
    if batch:
        from helpers.judges import batches

        return batches.run(todo, calls, store, price, budget)
    what = f"nothing was asked: {len(todo)} calls of {todo[0]['provider']}/{todo[0]['model']}"
    if stop := too_dear(what, estimate(todo, price, store)["usd_live"], price, budget):
        return {}, {call["key"]: "not asked" for call in todo}, stop, {"calls": 0, "usd": 0.0, "complete": False}
    work = Run(todo, store, price, budget, concurrency, progress, call_seconds, run_seconds)
    thread, before = threading.Thread(target=work.main, daemon=True), None
    if threading.current_thread() is threading.main_thread():  # where Ctrl-C arrives
        before = signal.signal(signal.SIGINT, lambda *_: work.halt("interrupted")) or signal.default_int_handler
    thread.start()
    while not work.over.wait(0.2):
        pass
    if before:
        signal.signal(signal.SIGINT, before)
    if work.stop == "interrupted" or work.fault:
        raise work.fault or KeyboardInterrupt
    for call in todo:
        if work.stop:
            work.notes.setdefault(call["key"], "not asked")
    facts = {"calls": work.calls, "usd": work.cost / 1e6, "complete": not work.stop and not work.notes}
    return work.unkept, work.notes, work.stop or None, facts
