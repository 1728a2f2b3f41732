"""Attack the promises of asking: random servers against random caps, and runs killed at random.

`python benchmarks/attack_judges.py [--runs 100] [--kills 20]` prints what was found; its exit
status is 1 if a cap was exceeded, an answer lost, or one that was on the disk paid twice. A small
slice of it runs with the tests (packages/goodjudge/tests/ask: test_money, test_stops).
"""

import argparse
import asyncio
import functools
import os
import queue
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

KITS = Path(__file__).parents[1] / "packages" / "goodjudge" / "tests" / "ask"
sys.path.insert(0, str(KITS))

import fault_server  # noqa: E402
import judges_kit as kit  # noqa: E402
from goodjudge.ask import run  # noqa: E402, F401 (it loads before a run forks)
from goodjudge.ask.store import Store  # noqa: E402

COUNT = 200  # requests of a run that is killed
CONCURRENCY = 8
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT]


def attack_caps(runs, folder):
    """Return (runs whose bill exceeded the cap or what was booked, the highest share of a cap that
    was billed) of random servers on random caps."""
    exceeded, highest = 0, 0.0
    with pytest.MonkeyPatch.context() as patch:
        kit.set_keys(patch)
        for seed in range(runs):
            provide = functools.partial(kit.put_provider, patch)
            rng = random.Random(1000 + seed)
            billed, budget = kit.attack(rng, provide, folder / f"{seed}.sqlite")
            exceeded += billed > min(budget.spent, budget.max_usd) + 1e-9
            highest = max(highest, billed / budget.max_usd)
    return exceeded, highest


def serve(provider):
    """Start a real server of a Provider in a thread; return its port."""
    told = queue.Queue()
    main = fault_server.main(told.put, provider)
    threading.Thread(target=asyncio.run, args=[main], daemon=True).start()
    return told.get(timeout=10)[0]


def begin(path):
    """Begin a run on a store in a process of its own; return its id. It ends with 0 if all requests
    were answered."""
    if child := os.fork():
        return child
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        answers, _ = kit.ask(kit.table(COUNT), kit.OPENAI, path, concurrency=CONCURRENCY)
        os._exit(0 if answers["status"].eq("ok").all() else 1)
    except BaseException:
        os._exit(2)


def end(child):
    """Wait for a run and return its exit status."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill(child, provider, number, count):
    """Send a run a signal when its provider has been asked so often, and wait for it."""
    while len(provider.asked) < count:
        time.sleep(0.001)
    os.kill(child, number)
    end(child)


def attack_runs(kills, folder):
    """Return (answers lost, asked again though on the disk, asked again since the kill came before
    the disk) of runs that were killed at a random moment, alone or two at once, and resumed."""
    provider = kit.Provider(latency=0.05)
    os.environ |= {"OPENAI_BASE_URL": f"http://127.0.0.1:{serve(provider)}/v1"}
    os.environ |= {"OPENAI_API_KEY": kit.KEY}
    lost = twice = again = 0
    for seed in range(kills):
        rng, path = random.Random(seed), folder / f"kill-{seed}.sqlite"
        provider.asked.clear()
        number, count = SIGNALS[seed % len(SIGNALS)], rng.randint(1, COUNT - CONCURRENCY)
        others = [begin(path)] if seed % 5 == 4 else []  # on the same store, and it goes on
        kill(begin(path), provider, number, count)
        lost += any(end(other) for other in others)
        with Store(path) as store:
            kept = set(store.get(provider.asked))
        before = list(provider.asked)
        lost += end(begin(path)) != 0
        twice += len(kept & set(provider.asked[len(before) :]))
        repeated = len(provider.asked) - len({*provider.asked})
        allowed = CONCURRENCY if number == signal.SIGKILL else 0
        lost += repeated > allowed
        again += repeated
        told = f"{len(kept)} kept, {repeated} asked again"
        print(f"  {number.name} at request {count}: {told}", flush=True)
    return lost, twice, again


def main():
    """Attack, print what was found, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--kills", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        exceeded, highest = attack_caps(given.runs, Path(folder))
        print(
            f"{given.runs} random servers: {exceeded} caps exceeded, at most {highest:.3f} of one"
        )
        lost, twice, again = attack_runs(given.kills, Path(folder))
        print(
            f"{given.kills} kills: {lost} went wrong, {twice} kept answers asked again, {again}"
            " requests under way at a kill -9 asked again"
        )
    return int(bool(exceeded or lost or twice))


if __name__ == "__main__":
    sys.exit(main())
