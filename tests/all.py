"""What `make test` runs: every part in turn, whatever fails, then one line a part and the
judgement."""

import argparse
import json
import subprocess
import sys
import time

from helpers.sources.public import ROOT
from helpers.workshop import portability

EXECUTED = ROOT / "outputs" / "executed"


def snapshot():
    """Return {path: bytes} of all that `make reproduce` may write among the committed files."""
    outputs = ROOT / "outputs"
    return {
        path: path.read_bytes()
        for path in [*outputs.glob("*.*"), *outputs.glob("judges/*"), ROOT / "README.md"]
    }


def has_open_data():
    """Return whether the last `make reproduce` found all open data."""
    return set(json.loads((EXECUTED / "sources.json").read_text()).values()) == {"open"}


def reproduce(cores):
    """Run `make reproduce`; return the problems: a failure, a committed file that changed, an
    output that differs."""
    before = snapshot()
    command = [
        sys.executable,
        "-m",
        "helpers.workshop.reproduce",
        "reproduce",
        "--cores",
        str(cores),
    ]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        return ["a notebook failed, see above"]
    if not has_open_data():
        return []
    after = snapshot()
    problems = [f"{path.name} changed" for path in after if after[path] != before.get(path)]
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        if cells := portability.differing_outputs(EXECUTED / path.name, path):
            problems.append(
                f"{path.name}: code cells {cells} (counted from 0) show something else than the"
                " committed notebook"
            )
    return problems


def run(*command):
    """Run a command of this Python; return a problem if it fails."""
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False)
    return [f"exit status {done.returncode}, see above"] if done.returncode else []


def main(arguments=None):
    """Run all parts; return 0 only if none has a problem."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cores", type=int, default=2)
    cores = parser.parse_args(arguments).cores
    words = ["--cores", str(cores)]
    parts = {
        "style (ruff)": lambda: run("ruff", "check", ".") + run("ruff", "format", "--check", "."),
        "reproduce, the same bytes": lambda: reproduce(cores),
        "strict outputs in disguise": lambda: (
            run("helpers.workshop.portability", "first", *words) if has_open_data() else []
        ),
        "tests (pytest)": lambda: run("pytest", "-n", str(cores), "--dist", "loadfile", "tests"),
    }
    lines, failed = [], False
    for number, (name, part) in enumerate(parts.items(), 1):
        print(f"\n== {number} of {len(parts)}: {name}", flush=True)
        start = time.monotonic()
        problems = part()
        failed |= bool(problems)
        lines.append(
            f"{name:28} {time.monotonic() - start:5.0f} s "
            f" {'ok' if not problems else 'FAILED: ' + '; '.join(problems)}"
        )
    print("\n" + "\n".join(lines), flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
