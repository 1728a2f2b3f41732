"""Run all notebooks as another machine would and ask whether every byte comes out: other
processors, places and seeds, and none of the public files."""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import numpy as np

from helpers.sources.public import ROOT
from helpers.workshop.run import number

FOLDER = ROOT / "outputs" / "portability"
STRICTLY = ["-q", "--dist", "loadfile", "-p", "no:cacheprovider", "--nbval"]
# what the notebooks leave; pictures of another processor may differ where nobody can see it
WRITTEN = ("[0-9S]*.json", "*-judges.csv", "ledger.csv")


def disguises():
    """Return {name: environment variables} that make this machine look like another one.

    Only what this processor has can be switched off or named; the first disguise takes everything
    away.
    """
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    x86 = any(name.startswith(("X86", "AVX")) for name in found)
    wide = [name for name in found if "AVX512" in name or name == "X86_V4"]
    every = {  # OpenBLAS as on this processor, what numpy must not use, threads, more
        "oldest processor": ("Prescott", found, "1", {"TZ": "Pacific/Chatham", "LC_ALL": "C"}),
        "no AVX-512, Haswell": ("Haswell", wide, "1", {}),
        "Zen, four threads": ("Zen", wide, "4", {"TZ": "America/St_Johns", "LC_ALL": "POSIX"}),
    }
    if wide:
        every["AVX-512, SkylakeX"] = ("SkylakeX", [], "2", {"LC_ALL": "C.UTF-8"})
    dressed = {}
    for name, (core, off, threads, more) in every.items():
        env = {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads, **more}
        env["PYTHONHASHSEED"] = "random"
        if x86:
            env["OPENBLAS_CORETYPE"] = core
        if off:
            env["NPY_DISABLE_CPU_FEATURES"] = " ".join(off)
        dressed[name] = env
    return dressed


def dress(name, env, cores):
    """Execute all committed notebooks strictly (nbval) under `env` in a folder of their own; return
    the problems found.

    Each ends with its exercises tried; then ledger and findings are compared with the committed
    ones byte by byte. There is neither a mirror nor a cache nor a network.
    """
    folder = FOLDER / name.replace(" ", "-").replace(",", "")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "notebooks").mkdir(parents=True)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        shutil.copyfile(path, folder / "notebooks" / path.name)
        add_cells(folder / "notebooks" / path.name, str(folder / "outputs"))
    sanitized = ["--nbval-sanitize-with", str(ROOT / "tests" / "sanitize.cfg")]
    command = [sys.executable, "-m", "pytest", *STRICTLY, *sanitized, f"--rootdir={folder}"]
    nothing = {"MIRROR": "none", "CACHE": str(folder / "cache"), "OFFLINE": "1"}
    env |= {f"JUDGING_CREATIVITY_{name}": value for name, value in nothing.items()}
    env = os.environ | env | {"PYTHONPATH": str(ROOT / "tests")}
    problems = []
    for pattern in ("[0S][0-57-9]*.ipynb", "06*.ipynb"):  # the last joins what the others left
        paths = (folder / "notebooks").glob(pattern)
        paths = sorted(paths, key=lambda path: -path.stat().st_size)
        words = [*command, "-n", str(min(cores, len(paths))), *map(str, paths)]
        if subprocess.run(words, cwd=folder, env=env, check=False).returncode:
            problems.append(f"{pattern}: outputs differ from the committed ones, see above")
    return problems + differing(folder / "outputs")


def add_cells(path, outputs):
    """Give a copied notebook its own folder of outputs, and at its end a cell that tries its
    exercises."""
    nb = nbformat.read(path, as_version=4)
    tagged = ["parameters" in cell.metadata.get("tags", []) for cell in nb.cells]
    if True in tagged:
        own = nbformat.v4.new_code_cell(f"outputs = {outputs!r}")
        nb.cells.insert(tagged.index(True) + 1, own)
    study = number(path)
    if (ROOT / "teaching" / "solutions" / f"{study}.py").is_file():
        trial = f"import solutions\nassert solutions.try_solutions({study!r}, globals()) == []"
        nb.cells.append(nbformat.v4.new_code_cell(trial))
    nbformat.write(nb, path)


def differing(folder, committed=ROOT / "outputs"):
    """Return a line for each committed ledger, findings file or judge card that `folder` has not
    got to the byte."""
    problems = []
    for path in sorted(path for pattern in WRITTEN for path in committed.glob(pattern)):
        made = Path(folder) / path.relative_to(committed)
        if not made.is_file() or made.read_bytes() != path.read_bytes():
            problems.append(f"{path.name} differs from the committed one")
    return problems


def main(arguments=None):
    """Command line: `[NAME] [--cores N]`: all disguises, or the one named."""
    known = disguises()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="?", choices=list(known))
    parser.add_argument("--cores", type=int, default=2)
    given = parser.parse_args(arguments)
    failed = 0
    for name in [given.name] if given.name else known:
        start = time.monotonic()
        problems = dress(name, known[name], given.cores)
        failed += bool(problems)
        settings = " ".join(f"{key}={value!r}" for key, value in known[name].items())
        verdict = "DIFFERS" if problems else "ok"
        print(f"{name:22} {time.monotonic() - start:5.0f} s  {verdict:7} {settings}", flush=True)
        print("".join(f"  {problem}\n" for problem in problems), end="", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
