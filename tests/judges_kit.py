"""What the judge tests share: a fault server in a process of its own, its log, and requests to
send."""

import json
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pandas as pd

from helpers.judges import prompts

KEY = "sk-planted-0123456789abcdef"
MODELS = {"openai": "openai/gpt-4o", "anthropic": "anthropic/claude-opus-5-5"}


class Log:
    """The server's log: `asked`, `answered` (keys in order), `lines` (all)."""

    def __init__(self, path):
        self.path = Path(path)

    @property
    def lines(self):
        return [
            json.loads(line) for line in self.path.read_text().splitlines() if line.endswith("}")
        ]

    def keys(self, event):
        return [line["key"] for line in self.lines if line["event"] == event]


@contextmanager
def fault_server(folder, monkeypatch, **options):
    """Run the fault server and point both providers at it; yield its Log."""
    log = Path(folder) / "server.log"
    log.touch()
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    process = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("fault_server.py"), f"--log={log}", *words],
        stdout=subprocess.PIPE,
        text=True,
    )
    port = process.stdout.readline().strip()
    for name, value in {
        "OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1",
        "OPENAI_API_KEY": KEY,
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        "LOCAL_BASE_URL": f"http://127.0.0.1:{port}/v1",
    }.items():
        monkeypatch.setenv(name, value)
    try:
        yield Log(log)
    finally:
        process.kill()
        process.wait()


def make_requests(stories, tests, word="", size=50):
    """Return stories x tests requests in the form of the TTCW study; `word` in a test tells the
    server what to do."""
    prompt = prompts.load("ttcw-yes-no")
    return pd.DataFrame(
        [
            {
                "item": f"{s}/{t}",
                **prompt.fill(story="word " * size + str(s), test=f"{word} test {t}?"),
            }
            for s in range(stories)
            for t in range(tests)
        ]
    )
