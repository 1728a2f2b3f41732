"""Have calls answered: from the store, the rest by live calls or batches; Ctrl-C at any time loses
nothing."""

import asyncio
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, wait

from tqdm.auto import tqdm

from helpers.judges import batches, prices
from helpers.judges.addresses import JudgeError
from helpers.judges.attempts import Run
from helpers.judges.providers import Client
from helpers.judges.requests import estimate


def run_apart(main, halt):
    """Run a coroutine in a thread of its own (Jupyter's loop is busy); Ctrl-C calls `halt`, and is
    raised once all is done."""
    pressed, before = [], None
    if threading.current_thread() is threading.main_thread():  # where Ctrl-C arrives
        before = signal.signal(signal.SIGINT, lambda *_: (pressed.append(1), halt()))
    try:
        with ThreadPoolExecutor(1) as pool:
            done = pool.submit(asyncio.run, main)
            while wait([done], 0.2).not_done:
                pass
    finally:
        if before:
            signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
    return done.result()


def run(calls, store, budget, facts, *, concurrency, progress, batch, call_seconds, run_seconds):
    """Ask what is not in `store`; return ({key: Answer} of all; {key: why there is none}; why it
    stopped or None)."""
    provider, model, run_seconds = calls[0]["provider"], calls[0]["model"], run_seconds or 86_400.0
    if batch and provider not in ("openai", "anthropic"):
        raise JudgeError(f"batch=True: {provider}/ has no batch API; leave batch out")
    price, keys = prices.find_price(provider, model), [call["key"] for call in calls]
    with store.turn(provider, call_seconds):
        found = store.get(keys)
        todo = [call for call in calls if call["key"] not in found]
        if batch:
            work = batches.Batches(provider, store, price)
            notes, stop = run_apart(
                work.run(todo, calls, budget, facts, run_seconds), lambda: work.halt("interrupted")
            )
            return store.get(keys), notes, stop
        usd = estimate(todo, price, store)["usd_live"]
        if stop := budget.refuse(
            f"nothing was asked: {len(todo)} calls of {provider}/{model}", usd, price
        ):
            return found, {call["key"]: "not asked" for call in todo}, stop
        if provider == "likelihood":
            from helpers.extras.likelihood import Likelihood  # which few install
        client = Likelihood() if provider == "likelihood" else Client(provider)
        # seconds between two lines in a log
        often = 0.5 if sys.stderr.isatty() or "ipykernel" in sys.modules else 30.0
        with tqdm(
            total=len(todo),
            disable=not progress,
            unit="answer",
            mininterval=often,
            maxinterval=2 * often,
        ) as bar:
            work = Run(client, store, price, budget, call_seconds, bar)
            run_apart(work.main(todo, concurrency, run_seconds), lambda: work.halt("interrupted"))
    if work.no_form:
        raise work.no_form
    for call in todo if work.stop else ():
        work.notes.setdefault(call["key"], "not asked")
    facts |= {"calls": work.calls, "usd": work.cost / 1e6}
    return work.unkept | store.get(keys), work.notes, work.stop or None
