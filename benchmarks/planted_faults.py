"""Do the tests notice? Plant faults of one token at random into `helpers` and `goodjudge`, one at a
time in a copy of the last commit, and see which of the tests near it notices.

Run it: python benchmarks/planted_faults.py [--faults 60] [--seed 20261128]; it takes about two
hours of two cores, keeps each fault at once in results/planted-faults.csv and goes on from there.
A fault that no near test notices is tried on the strict pass over the notebooks.
"""

import argparse
import contextlib
import io
import random
import signal
import subprocess
import sys
import tempfile
import tokenize
from pathlib import Path

import pandas as pd
from statsmodels.stats.proportion import proportion_confint

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "benchmarks" / "results" / "planted-faults.csv"
PACKAGES = ("helpers", "packages/goodjudge/src/goodjudge")
LONGEST = 900  # seconds of one run of tests: whatever hangs is noticed
SWAPS = {
    "comparison": {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    "sign": {"+": "-", "-": "+"},
    "logic": {"and": "or", "or": "and", "not": "", "True": "False", "False": "True"},
    "extreme": {"min": "max", "max": "min", "any": "all", "all": "any"},
}
COLUMNS = ["file", "line", "column", "kind", "before", "after", "noticed by"]


def find_sites(text):
    """Return each place of a module where one token can be made wrong: (line, column, kind, before,
    after); a column's name becomes another one of the same module."""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    swaps = {old: (kind, new) for kind, pairs in SWAPS.items() for old, new in pairs.items()}
    triples = list(zip(tokens, tokens[1:], tokens[2:], strict=False))
    names = {one.string for before, one, after in triples if is_name(before, one, after)}
    sites = []
    for before, one, after in triples:
        place, old = one.start, one.string
        if one.type in (tokenize.OP, tokenize.NAME) and old in swaps:
            kind, new = swaps[old]
            sites.append((*place, kind, old, new))
        elif one.type == tokenize.NUMBER and old.isdecimal():
            sites.append((*place, "off by one", old, str(int(old) + 1)))
        elif is_name(before, one, after) and len(names) > 1:
            others = sorted(names - {old})
            sites.append((*place, "column", old, others[place[0] % len(others)]))
    return [site for site in sites if is_python(plant(text, *site))]


def is_name(before, one, after):
    """Return whether a token stands alone in brackets, as a column's name does."""
    return one.type == tokenize.STRING and (before.string, after.string) == ("[", "]")


def plant(text, line, column, kind, before, after):
    """Return a module's text with one token replaced."""
    lines = text.splitlines(keepends=True)
    old = lines[line - 1]
    assert old[column:].startswith(before), (kind, old)
    lines[line - 1] = old[:column] + after + old[column + len(before) :]
    return "".join(lines)


def is_python(text):
    with contextlib.suppress(SyntaxError):
        compile(text, "planted", "exec")
        return True
    return False


def draw_faults(number, seed, root=ROOT):
    """Return so many faults as a table: modules are drawn in proportion to their lines."""
    rng = random.Random(seed)
    modules = sorted(path for package in PACKAGES for path in (root / package).rglob("*.py"))
    texts = {path.relative_to(root).as_posix(): path.read_text("utf8") for path in modules}
    lines = [text.count("\n") for text in texts.values()]
    drawn = {}
    while len(drawn) < number:
        (name,) = rng.choices(list(texts), lines)
        sites = find_sites(texts[name])
        if sites:
            site = rng.choice(sites)
            drawn[name, site[:2]] = (name, *site)
    return pd.DataFrame(drawn.values(), columns=COLUMNS[:-1])


def near_tests(copy, file):
    """Return the tests to run, the nearest first, in lists that one command takes each."""
    if file.startswith("packages"):
        return [["packages/goodjudge/tests"], ["tests"]]
    lists = []
    for steps in (1, 2):
        code = (
            "import sys, quick; from pathlib import Path; "
            f"near = quick.near_tests([Path({str(copy / file)!r})], {steps})[0]; print(*near)"
        )
        found = run(copy, "-c", code, where=copy / "tests").stdout.split()
        lists.append([path for path in found if path not in sum(lists, [])])
    return [some for some in lists if some]


def run(copy, *command, where=None):
    """Run the copy's Python."""
    python = copy / ".venv" / "bin" / "python"
    options = {"capture_output": True, "text": True, "timeout": LONGEST, "check": False}
    return subprocess.run([python, *command], cwd=where or copy, **options)


def notice(copy, lists):
    """Return what noticed a fault: a test, `time` (a run that does not end), or ""; lists: tests,
    as `near_tests` gives them."""
    options = ["-x", "-q", "-n", "2", "--dist", "loadfile", "-m"]
    try:
        for some in lists:
            left_out = "not slow" if some[0].startswith("packages") else "not ci"
            done = run(copy, "-m", "pytest", *options, left_out, *some)
            if done.returncode:
                told = [row for row in done.stdout.splitlines() if row[:6] in ("FAILED", "ERROR ")]
                if not told:
                    print(done.stdout[-2000:], done.stderr[-2000:], file=sys.stderr)
                return " ".join(told[0].split()[1:])[:120] if told else "a run that broke off"
    except subprocess.TimeoutExpired:
        return "time"
    return ""


def notice_in_notebooks(copy):
    """Return `notebooks` if their strict pass notices a fault, else ""."""
    strict = "import sys, all; sys.exit(bool(all.strictly(2)))"
    try:
        failed = run(copy, "-c", strict, where=copy / "tests").returncode
    except subprocess.TimeoutExpired:
        return "time"
    return "notebooks" if failed else ""


def main(arguments=None):
    """Plant all faults; print the share that was noticed, with Wilson's interval."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=60)
    parser.add_argument("--seed", type=int, default=20261128)
    given = parser.parse_args(arguments)
    for sign in (signal.SIGINT, signal.SIGHUP):  # else tests of stops fail under nohup
        signal.signal(sign, signal.SIG_DFL)
    faults = draw_faults(given.faults, given.seed).astype(str)
    done = pd.DataFrame(columns=COLUMNS)
    if KEPT.exists():  # what was tried on code that was otherwise does not count
        done = faults.merge(pd.read_csv(KEPT, dtype=str, keep_default_na=False))
    is_open = faults.merge(done, how="left")["noticed by"].isna().to_numpy()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        subprocess.run(["git", "clone", "-q", ROOT, copy], check=True)
        subprocess.run(["make", "-s", "setup"], cwd=copy, check=True)
        if without := notice(copy, [["packages/goodjudge/tests"], ["tests"]]):
            sys.exit(f"error: {without} fails without any fault; mend it first")
        for fault in faults[is_open].itertuples(index=False):
            path = copy / fault.file
            whole = path.read_text("utf8")
            place = int(fault.line), int(fault.column)
            path.write_text(plant(whole, *place, *fault[3:]), "utf8")
            noticed = notice(copy, near_tests(copy, fault.file)) or notice_in_notebooks(copy)
            subprocess.run(["git", "checkout", "-q", "."], cwd=copy, check=True)
            row = pd.DataFrame([[*fault, noticed]], columns=COLUMNS)
            done = pd.concat([done, row], ignore_index=True)
            done.to_csv(KEPT, index=False)
            print(*fault, "->", noticed or "NOBODY", flush=True)
    caught, number = int(done["noticed by"].ne("").sum()), len(done)
    low, high = proportion_confint(caught, number, method="wilson")
    print(f"noticed: {caught} of {number} ({caught / number:.0%}; 95 %: {low:.0%} to {high:.0%})")


if __name__ == "__main__":
    sys.exit(main())
