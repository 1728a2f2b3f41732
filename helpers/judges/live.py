"""Run live calls: adaptive concurrency, a hard limit on money, every finished answer kept, Ctrl-C at any time."""

import asyncio
import threading
import time
from collections import deque

from tqdm.auto import tqdm

from helpers.judges import prices
from helpers.judges.pacing import REST, Budget, Gate, too_dear
from helpers.judges.replies import Rejected, Reply, Transient, answer_row
from helpers.judges.requests import JudgeError, estimate, group_calls

ROUNDS = 4  # times a call is put back after the SDK's own retries are used up
STREAK = 25  # calls given up one after another, without a success, that stop a run


class Run:
    """One run over the calls that are not in the store; `notes` says for each failed key why, `stop` why the run ended early."""

    def __init__(self, todo, store, price, concurrency, max_usd, progress):
        self.store, self.budget, self.concurrency = store, Budget(price, max_usd), concurrency
        self.notes, self.stop, self.calls, self.streak, self.flying = {}, "", 0, 0, 0
        self.rounds, self.taken, self.fault = {}, [], None
        self.over = threading.Event()  # not Thread.join, which Ctrl-C can make forget a running thread
        self.ready, self.held = deque(), {}
        for first, *rest in group_calls(todo).values():  # one call of each group warms the provider's prompt cache
            self.ready.append(first)
            self.held[first["key"]] = rest
        self.bar = tqdm(total=len(todo), disable=not progress, unit="call")

    def main(self):
        """Run to the end in this thread, with an event loop of its own (so that it works inside Jupyter too)."""
        try:
            asyncio.run(self._all())
        except BaseException as fault:  # handed to the thread that waits
            self.fault = fault
        finally:
            self.bar.close()
            self.over.set()

    async def _all(self):
        self.gate = Gate(self.concurrency)
        self.client = make_client(self.ready[0]["provider"], self.gate.slow)
        self.done = asyncio.Queue()
        side = [asyncio.create_task(self._keep()), asyncio.create_task(self._beat())]
        try:
            await asyncio.gather(*(self._work() for _ in range(max(1, min(self.concurrency, self.bar.total)))))
        finally:
            for task in side:
                task.cancel()
            await self.client.close()

    async def _beat(self):
        while True:
            self.store.beat()
            await asyncio.sleep(2)

    async def _keep(self):
        while True:  # all answers that have come in since the last commit go into the next one
            batch = [await self.done.get()]
            while not self.done.empty():
                batch.append(self.done.get_nowait())
            try:
                await asyncio.to_thread(self.store.put, [row for row, _ in batch])
            except Exception as fault:  # a full disk: stop at once, before more is paid for
                self.stop, self.fault = self.stop or f"stopped: the store cannot be written ({fault})", fault
            for _, kept in batch:
                kept.set_result(None)
            self._tick(len(batch))

    async def _work(self):
        while not self.stop:
            if not self.ready:
                if self.flying:
                    await asyncio.sleep(REST)
                elif self.taken:  # another process works on these: look again
                    self.flying += 1
                    await asyncio.sleep(0.2)
                    self.flying -= 1
                    self.ready.extend(self.taken)
                    self.taken.clear()
                else:
                    return
                continue
            call = self.ready.popleft()
            self.flying += 1
            try:
                await self._one(call)
            finally:
                self.flying -= 1
                self.ready.extendleft(reversed(self.held.pop(call["key"], [])))

    async def _one(self, call):
        claim = self.store.claim(call["key"])
        if claim == "answered":
            return self._tick(1)
        if claim == "taken":
            return self.taken.append(call)
        money, most = self.budget, self.budget.at_most(call)
        if not await money.reserve(most, lambda: self.stop):
            self.stop = self.stop or (
                f"stopped: the next call may cost ${most:.4f}, ${money.spent + money.maybe:.4f} of max_usd={money.max_usd} "
                "are spent; all answers are kept, raise max_usd and run again"
            )
            return
        begin = time.monotonic()
        try:
            async with self.gate:
                if self.stop:
                    return
                begin = time.monotonic()
                self.calls += 1
                reply = await self.client.ask(call)
            await self._keep_reply(call, reply, time.monotonic() - begin)
        except Transient as fault:
            self.rounds[call["key"]] = turn = self.rounds.get(call["key"], 0) + 1
            usd = money.pay(fault.paid) if fault.paid else 0.0
            if turn < ROUNDS:
                self.ready.append(call)
            else:
                self._give_up(call, f"{fault} ({turn} rounds)", usd)
        except Rejected as fault:
            if str(fault) == "content_filter":
                await self._keep_reply(call, Reply("", "content_filter", call["model"], 0, 0, 0, 0), time.monotonic() - begin)
            else:
                self._give_up(call, str(fault))
        except JudgeError as fault:
            self.stop = self.stop or f"stopped: {fault}"
        finally:
            money.settle(most, call.pop("lost", 0))

    async def _keep_reply(self, call, reply, seconds):
        usd, self.streak = self.budget.pay(reply), 0
        row = answer_row(call, reply, usd=usd, seconds=round(seconds, 4), versions=self.client.versions)
        kept = asyncio.get_running_loop().create_future()
        self.done.put_nowait((row, kept))
        await kept  # the next call begins only when this answer is on the disk

    def _give_up(self, call, note, usd=0.0):
        self.notes[call["key"]] = note
        self.store.fail(call["key"], note, usd)
        self.streak += 1
        self._tick(1)
        if self.streak >= STREAK:
            self.stop = self.stop or f"stopped: {self.streak} calls in a row failed, the last with {note}; run again later"

    def _tick(self, count):
        self.bar.update(count)
        self.bar.set_postfix_str(f"${self.budget.spent:.4f}, {len(self.notes)} failed", refresh=False)


def make_client(provider, busy):
    """Return the client of a provider (its SDKs load only now)."""
    if provider == "likelihood":
        from helpers.likelihood import Likelihood

        return Likelihood()
    from helpers.judges.providers import Client

    return Client(provider, busy)


def run(todo, store, *, concurrency=8, max_usd=0.0, progress=False, batch=False):
    """Ask for all calls in `todo` and keep the answers in `store`; return (notes by key, why it stopped or None, facts).

    Nothing is asked if the estimate exceeds `max_usd`. Ctrl-C lets the calls that are under way finish and be kept.
    """
    price = prices.find_price(todo[0]["provider"], todo[0]["model"])
    if batch:
        from helpers.judges import batches

        return batches.run(todo, store, price, max_usd)
    what = f"nothing was asked: {len(todo)} calls of {todo[0]['provider']}/{todo[0]['model']}"
    if stop := too_dear(what, estimate(todo, price, store)["usd_live"], price, max_usd):
        return {call["key"]: "not asked" for call in todo}, stop, {"calls": 0, "usd": 0.0, "complete": False}
    work = Run(todo, store, price, concurrency, max_usd, progress)
    thread = threading.Thread(target=work.main, daemon=True)
    thread.start()
    try:
        while not work.over.wait(0.2):
            pass
    except KeyboardInterrupt:
        work.stop = "interrupted"
        work.over.wait(60)
        raise
    if work.fault:
        raise work.fault from None
    for call in todo:
        if work.stop:
            work.notes.setdefault(call["key"], "not asked")
    money, complete = work.budget, not work.stop and not work.notes
    facts = {"calls": work.calls, "usd": money.spent, "usd_maybe": money.maybe, "complete": complete}
    return work.notes, work.stop or None, facts
