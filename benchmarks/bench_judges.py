"""The judge interface on a loopback server with 100 ms latency: against the ideal, a sequential
loop, inspect_ai; then the store.

Set INSPECT_PYTHON to an interpreter with inspect_ai and openai (its own environment, since it pins
other versions) for that row.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd
from goodjudge.ask import (
    labels,
    run,  # noqa: F401 (imports are not part of what is timed)
)
from goodjudge.ask.answer import answer_to
from goodjudge.ask.calls import list_calls
from goodjudge.ask.reader import Reader
from goodjudge.ask.store import Store

from helpers import judges
from helpers.sources.public import ROOT
from helpers.ttcw import ask
from helpers.ttcw import load as ttcw

KITS = ROOT / "packages" / "goodjudge" / "tests" / "ask"
COUNT, LATENCY, CONCURRENCY, LOOPED, STORED = 2000, 0.1, 64, 100, 100_000
IDEAL = COUNT * LATENCY / CONCURRENCY
TEXT = "Weighed. " * 40 + "\nVerdict: Yes"
INSPECT = """
import sys, time
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample, MemoryDataset
from inspect_ai.solver import generate
count, width, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
samples = [Sample(input="word " * 50 + str(i)) for i in range(count)]
task = Task(dataset=MemoryDataset(samples), solver=[generate()])
begin = time.perf_counter()
options = dict(max_connections=width, max_samples=width, display="none", log_dir=folder)
log = eval(task, model="openai/gpt-4o", **options)[0]
print(log.status, log.results.completed_samples, time.perf_counter() - begin)
"""


def make_requests(count, words=50):
    """Return `count` requests that share a text of so many words."""
    numbers = [str(i) for i in range(count)]
    return pd.DataFrame(
        {"item": numbers, "shared": "word " * words, "prompt": [f"test {i}?" for i in numbers]}
    )


def time_ask(requests, path, **options):
    """Return (seconds, answers) of asking a local model; every answer must be good."""
    begin = time.perf_counter()
    answers = judges.ask(
        requests,
        "local/any",
        labels.YES_NO,
        judges.Options(transcripts=path, progress=False, **options),
    )
    seconds = time.perf_counter() - begin
    if not (answers["status"] == "ok").all():
        raise AssertionError(
            f"{(answers['status'] != 'ok').sum()} of {len(answers)} answers are not ok"
        )
    return seconds, answers


def time_inspect(python, folder):
    """Return the seconds that inspect_ai takes for the same requests; raise RuntimeError with its
    words if it fails."""
    done = subprocess.run(
        [python, "-c", INSPECT, str(COUNT), str(CONCURRENCY), str(folder)],
        capture_output=True,
        text=True,
    )
    words = done.stdout.split()
    if words[:2] != ["success", str(COUNT)]:
        raise RuntimeError(f"inspect_ai: {done.stdout[-200:]} {done.stderr[-200:]}")
    return float(words[2])


def rows_live(folder):
    """Return the rows on live calls: ours, the sequential loop, inspect_ai where it is."""
    server = subprocess.Popen(
        [sys.executable, KITS / "fault_server.py", f"--latency={LATENCY}"],
        stdout=subprocess.PIPE,
        text=True,
    )
    url, before = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1", dict(os.environ)
    os.environ |= {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none", "LOCAL_BASE_URL": url}
    size = f"{COUNT:,} requests at {1000 * LATENCY:.0f} ms"
    try:
        ours, _ = time_ask(make_requests(COUNT), folder / "live.sqlite", concurrency=CONCURRENCY)
        loop = (
            time_ask(make_requests(LOOPED), folder / "loop.sqlite", concurrency=1)[0]
            * COUNT
            / LOOPED
        )
        found = [
            (
                "judges, live",
                ours,
                (
                    f"{size}, concurrency {CONCURRENCY}; requests x latency / concurrency ="
                    f" {IDEAL:.2f} s"
                ),
            ),
            ("judges, one at a time", loop, f"{size}; scaled from {LOOPED}"),
        ]
        if python := os.environ.get("INSPECT_PYTHON"):
            found.append(
                (
                    "inspect_ai, live",
                    time_inspect(python, folder),
                    f"{size}, concurrency {CONCURRENCY}",
                )
            )
    finally:
        server.kill()
        os.environ.clear()
        os.environ.update(before)
    rows = [
        {"name": name, "value": seconds, "unit": "s", "note": note} for name, seconds, note in found
    ]
    return rows + [
        {
            "name": f"{name} / ideal",
            "value": seconds / IDEAL,
            "unit": "x",
            "note": "ratio within this run",
        }
        for name, seconds, _ in found
    ]


def rows_store(folder):
    """Return the rows on finished answers: how many a second, how large the table is, how high the
    process stands."""
    many, path = make_requests(STORED, 2000), folder / "store.sqlite"
    with Store(path) as store:
        store.put(
            [
                answer_to(call, TEXT)
                for call in list_calls(many, "local/any", judges.Options(), Reader(str))
            ]
        )
    seconds, answers = time_ask(many, path, offline=True)
    size = f"{STORED:,} answers about a text of 2,000 words"
    return [
        {
            "name": "answers from the store",
            "value": STORED / seconds,
            "unit": "1/s",
            "better": "higher",
            "note": size,
        },
        {
            "name": "table of answers",
            "value": answers.memory_usage(deep=True).sum() / 2**20,
            "unit": "MiB",
            "note": size,
        },
        {
            "name": "peak of the process",
            "value": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "unit": "MiB",
            "note": f"{size}; of all benchmarks run so far in this process",
        },
    ]


def rows_bill():
    """Return what is paid of the plain input price of the fourteen tests by the cache;
    nothing without the public texts."""
    try:
        public = ttcw.load_stories().dropna(subset="words")
        asked = ask.requests(*ask.fetch_texts(public))
    except FileNotFoundError:
        return []
    plan = judges.plan_cost(asked, "anthropic/claude-opus-5-5", output_tokens=1).iloc[0]
    note = f"{len(asked)} requests, answers of one token, {plan['judge']}, prices of"
    return [
        {
            "name": "paid of the plain price, cache",
            "value": plan["usd_cached"] / plan["usd_live"],
            "unit": "x",
            "note": f"{note} {plan['price_date']}",
        }
    ]


def rows():
    """Return the rows of the judge benchmark (contract: benchmarks/README.md)."""
    with tempfile.TemporaryDirectory() as folder:
        return rows_live(Path(folder)) + rows_store(Path(folder)) + rows_bill()
