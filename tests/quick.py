"""What `make quick` runs: style, and the test modules nearest to what changed against main.

A test module is near a changed file if it imports it, imports something that imports it, or names
it. goodjudge's own tests run where a file of packages/goodjudge changed, and only then. What is
farther away, the slow modules below (unless they changed themselves) and the strict pass over the
notebooks are left to `make test`.
With paths as arguments it takes these for changed: `python tests/quick.py helpers/results.py`;
`--list` only says which test modules hold them.
"""

import argparse
import ast
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "packages" / "goodjudge"
FOLDERS = ("helpers", "tools", "teaching", "benchmarks", "tests")
STEPS = 2  # a test that imports a module that imports the changed one
# they build the site, start a browser or execute notebooks: left to continuous integration
SLOW = "lab report rating_form live_judge".split()


def module_name(path):
    """Return the name that a Python file of the project is imported by."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "tests" else parts  # pytest puts tests/ on the path
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path):
    """Return the names of all modules that a Python file may import."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def changed_files():
    """Return the files that differ from where this branch left main, or are not committed."""

    def git(*command):
        done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True)
        return done.stdout.splitlines() if done.returncode == 0 else []

    start = git("merge-base", "HEAD", "main") or ["HEAD"]
    names = git("diff", "--name-only", start[0]) + git("ls-files", "--others", "--exclude-standard")
    return sorted({ROOT / name for name in names})


def readers(changed, texts):
    """Return the Python files that name one of the changed other files, or its inner folder."""
    found = set()
    for path in changed:
        if path.suffix != ".py":
            found |= {file for file, text in texts.items() if path.name in text}
            if path.parent.parent not in (ROOT, ROOT.parent):
                folder = f'"{path.parent.name}"'
                found |= {file for file, text in texts.items() if folder in text}
    return found


def near_tests(changed, steps=STEPS):
    """Return two lists: the test modules near changed files (paths), and those left out as slow."""
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    imported = {path: imports(path) for path in files}
    texts = {path: path.read_text(encoding="utf8") for path in files}
    tests = {path for path in files if path.name.startswith("test_")}
    reached, named = set(changed), readers(changed, texts)
    near = tests & reached
    for _ in range(steps):
        names = {module_name(path) for path in reached if path in imported}
        reached = named | {path for path in files if imported[path] & names}
        near |= tests & reached
        named = set()  # to name a file is one step, as to import one
    if any(path.suffix == ".ipynb" for path in changed):
        near.add(ROOT / "tests" / "test_notebooks.py")
    slow = {ROOT / "tests" / f"test_{name}.py" for name in SLOW} - set(changed)
    return sorted(near - slow), sorted(near & slow)


def main(arguments=None):
    """Run style and the tests nearest to what changed; return 0 only if all pass."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="default: what differs from main")
    parser.add_argument("--list", action="store_true", help="only name the test modules")
    parser.add_argument("--cores", type=int, default=2)
    given = parser.parse_args(arguments)
    changed = [path.resolve() for path in given.paths] or changed_files()
    near, slow = ([str(path.relative_to(ROOT)) for path in some] for some in near_tests(changed))
    if given.list:
        print(*near, *(f"{name} (slow: not in make quick)" for name in slow), sep="\n")
        return 0
    every = len(list((ROOT / "tests").glob("test_*.py")))
    print(f"changed: {len(changed)} files; test modules near them: {len(near)} of {every}")
    commands = [["ruff", "check", "."], ["ruff", "format", "--check", "."]]
    if near:
        commands.append(["pytest", "-n", str(given.cores), "--dist", "loadfile", *near])
    if any(PACKAGE in path.parents for path in changed):
        own = str(PACKAGE / "tests")
        commands.append(["pytest", "-n", str(given.cores), "-m", "not slow", own])
    failed, start = [], time.monotonic()
    for command in commands:
        print(f"\n== {' '.join(command[:6])}{' …' * (len(command) > 6)}", flush=True)
        if subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode:
            failed.append(" ".join(command[:3]))
    verdict = f"FAILED: {'; '.join(failed)}" if failed else "ok"
    print(f"\nmake quick: {verdict} after {time.monotonic() - start:.0f} s")
    if slow:
        print(f"Near, but slow, so not run: {', '.join(slow)}")
    print(
        f"Not run: {every - len(near) - len(slow)} test modules farther away, and the strict pass"
    )
    print("over the committed notebooks. `make test` runs all; run it before you commit.")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
