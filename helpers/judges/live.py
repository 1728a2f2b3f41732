"""Have calls answered: from the store, the rest by live calls; Ctrl-C at any time loses
nothing."""

import asyncio
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, wait

from tqdm.auto import tqdm

from helpers.judges import prices
from helpers.judges.attempts import Run
from helpers.judges.calls import estimate
from helpers.judges.providers import Client

# for one call with all its retries (others 300); local servers queue
CALL_SECONDS = {"local": 1800.0}


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


def run(calls, store, options, facts):
    """Ask what is not in `store`; return ({key: Answer} of all; {key: why there is none}; why it
    stopped or None)."""
    provider, model, budget = calls[0]["provider"], calls[0]["model"], options.max_usd
    seconds = options.call_seconds or CALL_SECONDS.get(provider, 300.0)
    price, keys = prices.find_price(provider, model), [call["key"] for call in calls]
    with store.turn(provider, seconds):
        found = store.get(keys)
        todo = [call for call in calls if call["key"] not in found]
        usd = estimate(todo, price, store)["usd_live"]
        if stop := budget.refuse(
            f"nothing was asked: {len(todo)} calls of {provider}/{model}", usd, price
        ):
            return found, {call["key"]: "not asked" for call in todo}, stop
        # seconds between two lines in a log
        often = 0.5 if sys.stderr.isatty() or "ipykernel" in sys.modules else 30.0
        with tqdm(
            total=len(todo),
            disable=not options.progress,
            unit="answer",
            mininterval=often,
            maxinterval=2 * often,
        ) as bar:
            work = Run(Client(provider), store, price, budget, seconds, bar)
            main = work.main(todo, options.concurrency, options.run_seconds)
            run_apart(main, lambda: work.halt("interrupted"))
    if work.no_form:
        raise work.no_form
    for call in todo if work.stop else ():
        work.notes.setdefault(call["key"], "not asked")
    facts |= {"calls": work.calls, "usd": work.cost / 1e6}
    return work.unkept | store.get(keys), work.notes, work.stop or None
