"""Have calls answered live: many at once, within time and budget, all answers kept.

`run_calls` is the door: it takes the turn at the provider, tells the price, and refuses what costs
too much. What happens to each call then, `running.Run` says. All of it runs in a thread of its own,
since a notebook is busy with its own event loop.
"""

import asyncio
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait

from tqdm.auto import tqdm

from goodjudge.ask.addresses import runs_here
from goodjudge.ask.bill import Bill
from goodjudge.ask.budget import tell_guess, tell_usd
from goodjudge.ask.errors import JudgeError
from goodjudge.ask.plan import estimate
from goodjudge.ask.providers import Client
from goodjudge.ask.running import Run, Scope
from goodjudge.ask.table import Outcome
from goodjudge.ask.terminal import tell

# for one call with all its requests; local servers queue
CALL_SECONDS = {"openai": 300.0, "anthropic": 300.0, "local": 1800.0}
PATIENCE = 1.0  # seconds after which a second Ctrl-C is meant, and not of a trembling finger


def run_calls(calls, store, options):
    """Return the Outcome of asking what is not in `store`; all calls are of one judge.

    Raises JudgeError, PriceError, StoreError before anything is sent.
    """
    provider, model = calls[0].provider, calls[0].model
    judge = f"{provider}/{model}"
    seconds = options.call_seconds or CALL_SECONDS[provider]
    bill = Bill(provider, model, options.max_usd)
    keys = [call.key for call in calls]
    with store.turn(provider, seconds):
        stored = store.get(keys)
        todo = [call for call in calls if call.key not in stored]
        guess = estimate(todo, bill.price, store)
        refusal = refuse_cost(todo, judge, bill, guess, store)
        if refusal:
            return Outcome(stored, {call.key: "not asked" for call in todo}, refusal)
        if options.progress and todo:
            counts = f"{len(stored):,} answers from the store, {len(todo):,} to ask"
            tell(f"{judge}: {counts}, {tell_price(guess, bill.price, bill.budget)}")
        usd_of_all = estimate(calls, bill.price, store)["usd_live"]
        scope = Scope(len(stored), len(calls), usd_of_all)
        with show_progress(len(todo), options.progress) as bar:
            run = Run(Client(provider), bill, store, scope, seconds, bar)
            finish(run, todo, options)
    if run.stop:
        for call in todo:
            run.notes.setdefault(call.key, "not asked")
    answers = run.keeper.unkept | store.get(keys)
    return Outcome(answers, run.notes, run.stop, run.calls, bill.usd)


def refuse_cost(todo, judge, bill, guess, store):
    """Return a sentence if already the first of these calls likely costs more than is left, else
    None; guess: of `plan.estimate` for all of them."""
    first = estimate(todo[:1], bill.price, store)
    what = f"nothing was asked: {len(todo)} calls of {judge}"
    return bill.budget.refuse(what, first["usd_live"], guess, bill.price)


def finish(run, todo, options):
    """Let a run make its calls; return when it is over. JudgeError if it cannot start."""
    main = run.main(todo, options.concurrency, options.run_seconds)
    try:
        run_apart(main, run)
    except OSError as fault:
        main.close()
        raise JudgeError(f"the run cannot start ({fault}); close some files") from None


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
    """Run a coroutine in a thread (Jupyter's loop is busy).

    Ctrl-C halts the run: what is under way is waited for and kept. A second one, a while later,
    ends it at once. KeyboardInterrupt after either.
    """
    pressed = []  # times of Ctrl-C

    def press(*_):
        run.halt("interrupted")
        pressed.append(time.monotonic())
        if pressed[-1] - pressed[0] > PATIENCE:
            run.abort()
        run.bar.set_postfix_str("waiting for answers under way; Ctrl-C again ends it at once")

    hears_signals = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, press) if hears_signals else None
    try:
        with ThreadPoolExecutor(1) as pool:
            done = pool.submit(asyncio.run, main)
            while wait([done], 0.2).not_done:  # short, so that Ctrl-C is heard
                pass
    finally:
        if handler:
            signal.signal(signal.SIGINT, handler)
    if pressed:
        raise KeyboardInterrupt
    done.result()
