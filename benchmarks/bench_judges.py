"""Speed of the judge interface against the ideal, a sequential loop and inspect_ai, on a loopback server with 100 ms latency.

`python benchmarks/bench_judges.py [--inspect PYTHON]`: PYTHON is an interpreter with inspect_ai and openai installed (its own
environment, since it pins other versions). Prints a small table; every number comes from this one run.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
COUNT, LATENCY, CONCURRENCY = 2000, 0.1, 64
INSPECT = """
import sys, time
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample, MemoryDataset
from inspect_ai.solver import generate
count, width, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
task = Task(dataset=MemoryDataset([Sample(input="word " * 50 + str(i)) for i in range(count)]), solver=[generate()])
begin = time.perf_counter()
log = eval(task, model="openai/gpt-4o", max_connections=width, max_samples=width, display="none", log_dir=folder)[0]
print(log.status, log.results.completed_samples if log.results else 0, time.perf_counter() - begin)
"""


def timed(function):
    """Return (seconds, result)."""
    begin = time.perf_counter()
    result = function()
    return time.perf_counter() - begin, result


def main(inspect):
    from helpers import batches, judges, live, prompts, providers  # noqa: F401 (imports are not part of what is timed)
    from helpers.store import COLUMNS, Store

    folder = Path(tempfile.mkdtemp())
    server = subprocess.Popen(
        [sys.executable, ROOT / "tests" / "fault_server.py", f"--latency={LATENCY}"], stdout=subprocess.PIPE, text=True
    )
    url = f"http://127.0.0.1:{server.stdout.readline().strip()}"
    os.environ |= {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": "none", "LOCAL_BASE_URL": f"{url}/v1"}
    requests = pd.DataFrame(
        {"item": [str(i) for i in range(COUNT)], "shared": "", "prompt": ["word " * 50 + str(i) for i in range(COUNT)]}
    )
    rows = []

    def ask(table, store, **options):
        return judges.ask(table, "local/any", prompts.parse_yes_no, transcripts=folder / store, **options)

    try:
        ideal = COUNT * LATENCY / CONCURRENCY
        rows.append(("ideal: requests x latency / concurrency", ideal))
        rows.append(
            (f"this project, concurrency {CONCURRENCY}", timed(lambda: ask(requests, "a.sqlite", concurrency=CONCURRENCY))[0])
        )
        part = timed(lambda: ask(requests.head(100), "b.sqlite", concurrency=1))[0]
        rows.append((f"sequential loop (100 measured, times {COUNT // 100})", part * COUNT / 100))
        if inspect:
            done = subprocess.run(
                [inspect, "-c", INSPECT, str(COUNT), str(CONCURRENCY), str(folder / "logs")], capture_output=True, text=True
            )
            words = done.stdout.split()
            rows.append(
                (f"inspect_ai ({' '.join(words[:2]) or done.stderr[-200:]})", float(words[2]) if len(words) > 2 else float("nan"))
            )
    finally:
        server.kill()
    table = pd.DataFrame(rows, columns=["2,000 requests at 100 ms", "seconds"])
    table["times the ideal"] = table["seconds"] / ideal
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}")
    print(table.round(2).to_string(index=False))
    big = pd.DataFrame(
        {"item": [str(i) for i in range(100_000)], "shared": "word " * 2000, "prompt": [f"test {i}?" for i in range(100_000)]}
    )
    with Store(folder / "c.sqlite") as store:
        from helpers.calls import list_calls

        store.put(
            [
                tuple(
                    (dict.fromkeys(COLUMNS) | call | {"text": "Weighed. " * 40 + "\nVerdict: Yes", "finish": "stop"})[name]
                    for name in COLUMNS
                )
                for call in list_calls(big, "local/any")
            ]
        )
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds, answers = timed(lambda: ask(big, "c.sqlite", offline=True))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (answers["status"] == "ok").all()
    print(
        f"100,000 answers from the store: {seconds:.1f} s, {100_000 / seconds:,.0f} a second; the table holds "
        f"{answers.memory_usage(deep=True).sum() / 2**20:.0f} MiB, "
        f"peak of the process {after / 1024:.0f} MiB (before: {before / 1024:.0f})"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inspect", help="an interpreter that has inspect_ai")
    main(parser.parse_args().inspect)
