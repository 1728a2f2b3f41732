"""What `make test` runs: every part in turn, whatever fails, then one line per part and the
judgement.

With CI=1 in the environment (`.ci/run`) also what starts a browser, builds the site, executes
notebooks once more or installs a wheel; without, it says that it leaves these out.
"""

import argparse
import os
import subprocess
import sys
import time

import portability

from helpers.sources.public import ROOT


def run(*command):
    """Run a command of this Python; return a problem if it fails."""
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False)
    return [f"{' '.join(command[:2])}: exit status {done.returncode}"] if done.returncode else []


def strictly(cores):
    """Run the committed notebooks once, as on the oldest processor and without the public files:
    the same outputs and bytes?"""
    name, env = next(iter(portability.disguises().items()))
    return portability.dress(name, env, cores)


def test(cores):
    """Run the compendium's tests, without those that are left to continuous integration."""
    return run("pytest", "-n", str(cores), "--dist", "loadfile", "-m", "not ci", "tests")


def test_more(cores):
    """Run those: the site in a browser, JupyterLab, forms, live judges in notebooks."""
    return run("pytest", "-n", str(cores), "--dist", "loadfile", "-m", "ci", "tests")


def test_package(cores):
    """Run goodjudge's own tests here, some of which hold it against other packages."""
    tests = "packages/goodjudge/tests"
    return run("pytest", "-n", str(cores), "--dist", "loadfile", "-m", "not slow", tests)


def test_wheel():
    """Build goodjudge's wheel and run its commands where nothing else is installed."""
    return run("pytest", "-m", "slow", "packages/goodjudge/tests")


def main(arguments=None):
    """Run all parts; return 0 only if none has a problem."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cores", type=int, default=2)
    cores = parser.parse_args(arguments).cores
    parts = {
        "style (ruff)": lambda: run("ruff", "check", ".") + run("ruff", "format", "--check", "."),
        "notebooks, strictly, in disguise": lambda: strictly(cores),
        "tests (pytest)": lambda: test(cores),
        "goodjudge's tests (pytest)": lambda: test_package(cores),
    }
    more = {
        "browsers, site, notebooks again": lambda: test_more(cores),
        "goodjudge, its wheel alone": test_wheel,
    }
    everything = os.environ.get("CI", "") not in ("", "0", "false")
    parts |= more if everything else {}
    lines, failed = [], False
    for number, (name, part) in enumerate(parts.items(), 1):
        print(f"\n== {number} of {len(parts)}: {name}", flush=True)
        start = time.monotonic()
        problems = part()
        failed |= bool(problems)
        verdict = "FAILED: " + "; ".join(problems) if problems else "ok"
        lines.append(f"{name:33} {time.monotonic() - start:5.0f} s  {verdict}")
    print("\n" + "\n".join(lines), flush=True)
    if not everything:
        print(f"Left out: {'; '.join(more)}. `CI=1 make test` runs them too, as .ci/run does.")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
