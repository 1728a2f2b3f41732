"""Run all notebooks as other machines would and ask whether every byte comes out: other processors,
places and seeds."""

import argparse
import json
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


def disguises():
    """Return {name: environment variables}: what makes this machine look like another one to numpy,
    BLAS and the rest.

    Only what this processor has can be switched off or named; the first disguise takes everything
    away.
    """
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    x86 = any(name.startswith(("X86", "AVX")) for name in found)
    wide = [name for name in found if "AVX512" in name or name == "X86_V4"]
    every = {  # OpenBLAS as on this processor, what numpy must not use, threads, more
        "oldest processor": ("Prescott", found, 1, {"TZ": "Pacific/Chatham", "LC_ALL": "C"}),
        "no AVX-512, Haswell": ("Haswell", wide, 1, {}),
        "Zen, four threads": ("Zen", wide, 4, {"TZ": "America/St_Johns", "LC_ALL": "POSIX"}),
    } | ({"AVX-512, SkylakeX": ("SkylakeX", [], 2, {"LC_ALL": "C.UTF-8"})} if wide else {})
    return {
        name: (
            {
                "OPENBLAS_NUM_THREADS": str(threads),
                "OMP_NUM_THREADS": str(threads),
                "PYTHONHASHSEED": "random",
            }
            | more
            | ({"OPENBLAS_CORETYPE": core} if x86 else {})
            | ({"NPY_DISABLE_CPU_FEATURES": " ".join(off)} if off else {})
        )
        for name, (core, off, threads, more) in every.items()
    }


def dress(name, env, cores):
    """Execute all committed notebooks strictly (nbval) under `env` in a folder of their own; return
    the problems found.

    Each ends with its exercises tried; then ledger and findings are compared with the committed
    ones byte by byte.
    """
    folder = FOLDER / name.replace(" ", "-").replace(",", "")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "notebooks").mkdir(parents=True)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        shutil.copyfile(path, folder / "notebooks" / path.name)
        add_cells(folder / "notebooks" / path.name, str(folder / "outputs"))
    problems = []
    for pattern in ("0[0-57-9]*.ipynb", "06*.ipynb"):  # the last joins what the others left
        paths = sorted((folder / "notebooks").glob(pattern), key=lambda path: -path.stat().st_size)
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            str(cores),
            "--dist",
            "loadfile",
            "-p",
            "no:cacheprovider",
            "--nbval",
            "--nbval-sanitize-with",
            str(ROOT / "tests" / "sanitize.cfg"),
            f"--rootdir={folder}",
        ]
        if subprocess.run(
            [*command, *map(str, paths)], cwd=folder, env=os.environ | env, check=False
        ).returncode:
            problems.append(
                f"notebooks {pattern}: outputs differ from the committed ones, see above"
            )
    return problems + differing(folder / "outputs")


def add_cells(path, outputs):
    """Give a copied notebook its own folder of outputs, and at its end a cell that tries its
    exercises."""
    nb = nbformat.read(path, as_version=4)
    place = next(
        (at for at, cell in enumerate(nb.cells) if "parameters" in cell.metadata.get("tags", [])),
        None,
    )
    if place is not None:
        nb.cells.insert(place + 1, nbformat.v4.new_code_cell(f"outputs = {outputs!r}"))
    study = number(path)
    if (ROOT / "teaching" / "solutions" / f"{study}.py").is_file():
        trial = (
            f"from helpers import results\nassert results.try_solutions({study!r}, globals()) == []"
        )
        nb.cells.append(nbformat.v4.new_code_cell(trial))
    nbformat.write(nb, path)


def differing(folder, committed=ROOT / "outputs"):
    """Return a line for each committed ledger, findings file or judge card that `folder` has not
    got to the byte."""
    paths = [
        *sorted(committed.glob("[0-9]*.json")),
        *sorted(committed.glob("judges/*.json")),
        committed / "ledger.csv",
    ]
    pairs = [(path, Path(folder) / path.relative_to(committed)) for path in paths]
    return [
        f"{path.name} differs from the committed one"
        for path, made in pairs
        if not made.is_file() or made.read_bytes() != path.read_bytes()
    ]


def differing_outputs(executed, committed):
    """Return the numbers of the code cells whose text outputs differ between an executed notebook
    and the committed one."""

    def texts(output):
        kept = {
            kind: value
            for kind, value in output.get("data", {}).items()
            if not kind.startswith("image/")
        }
        return [output.get("name"), output.get("text"), kept]

    def shown(path):
        cells = [
            cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"
        ]
        return [
            json.dumps([texts(output) for output in cell.outputs])
            for cell in cells
            if "injected-parameters" not in cell.metadata.get("tags", [])
        ]

    here, there = shown(executed), shown(committed)
    assert len(here) == len(there), (
        f"{executed} has {len(here)} code cells, {committed} has {len(there)}"
    )
    return [number for number, pair in enumerate(zip(here, there)) if pair[0] != pair[1]]


def main(arguments=None):
    """Command line: `[NAME] [--cores N]`: all disguises, or the one named (`first`: the one that
    takes most away)."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers.workshop.portability", description=__doc__
    )
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--cores", type=int, default=2)
    given = parser.parse_args(arguments)
    known = disguises()
    names = (
        [next(iter(known))]
        if given.name == "first"
        else [given.name]
        if given.name
        else list(known)
    )
    failed = 0
    for name in names:
        if name not in known:
            parser.error(f"{name!r}: expected one of {', '.join(known)}")
        start = time.monotonic()
        problems = dress(name, known[name], given.cores)
        failed += bool(problems)
        settings = " ".join(f"{key}={value!r}" for key, value in known[name].items())
        print(
            f"{name:22} {time.monotonic() - start:5.0f} s  {'ok' if not problems else 'DIFFERS'} "
            f" {settings}",
            flush=True,
        )
        print("".join(f"  {problem}\n" for problem in problems), end="", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
