"""Plan and run a grid of notebook runs: cells with stable names, batches of cells as Snakemake jobs, nothing run twice."""
import argparse
import json
import logging
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import nbformat

from helpers.judges.store import digest
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT
from helpers.workshop import run as runs
from helpers.workshop.sweep_config import SweepError, list_cells, read_cell, read_config

FRESH_START = "import matplotlib.pyplot; matplotlib.pyplot.close('all'); get_ipython().reset(new_session=True)"


def fingerprint(notebook, parameters, sources):
    """Return a hash of all that a cell's result depends on: code of notebook and helpers, data, files named as parameters.

    sources: {data set: origin} of `workflow.fetch`. Outputs stored in the notebook do not count, nor does the transcript
    store, which grows while cells run and only saves calls.
    """
    code = [cell.source for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code"]
    named = [ROOT / "notebooks" / value for name, value in parameters.items()
             if isinstance(value, str) and 0 < len(value) < 200 and name not in ("transcripts", "outputs")]
    files = [*(ROOT / "helpers").rglob("*.py"), *(ROOT / "data").rglob("*.*"), ROOT / "requirements.lock",
             *(file for path in named for file in ([path] if path.is_file() else path.rglob("*")))]
    parts = [f"{path.name} {sha256(path.read_bytes()).hexdigest()}" for path in sorted(files) if path.is_file()]
    return digest([code, parts, {name: bool(origin) for name, origin in sources.items()}])[:16]


def plan(config, sources):
    """Write batches/<stamp>-NNNNN.json with the cells that are not finished; return (all cells, the unfinished ones)."""
    cells, marks = list_cells(config), {}
    for cell in cells:
        words = (cell["notebook"], *(str(v) for v in cell["parameters"].values() if isinstance(v, str)))
        if words not in marks:
            marks[words] = fingerprint(cell["notebook"], cell["parameters"], sources)
        cell["fingerprint"] = marks[words]
    unfinished = [cell for cell in cells if not is_finished(config["folder"] / cell["cell"], cell["fingerprint"])]
    folder, stamp = config["folder"] / "batches", f"{time.time_ns():x}"  # names of their own: an old mark must not count
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number, start in enumerate(range(0, len(unfinished), config["batch"])):
        batch = {"kernel": config["kernel"], "cells": unfinished[start : start + config["batch"]]}
        (folder / f"{stamp}-{number:05d}.json").write_text(json.dumps(batch))
    return cells, unfinished


def is_finished(folder, mark):
    """Return whether the cell in `folder` has run well with the fingerprint `mark`."""
    record = read_cell(folder)
    return record.get("status") == "ok" and record.get("fingerprint") == mark


@contextmanager
def hold(path):
    """Hold a lock file; yield False if another process has it. The system frees it when its holder dies, however it dies."""
    import fcntl  # POSIX only, as make is

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


def run_batch(path):
    """Run the cells of one batch file one after the other, each once; return the names of those that failed.

    A finished cell, and one that a process left over from a killed sweep works on at this moment, is left alone.
    """
    from jupyter_client import KernelManager

    os.environ["JUDGING_CREATIVITY_OFFLINE"] = "1"  # the sweep fetched the data before
    path, kernels, failed = Path(path).resolve(), {}, []
    batch = json.loads(path.read_text())
    for cell in batch["cells"]:
        folder, notebook = path.parents[1] / cell["cell"], Path(cell["notebook"])
        with hold(folder / ".lock") as held:
            if not held or is_finished(folder, cell["fingerprint"]):
                continue
            if batch["kernel"] == "shared" and notebook not in kernels:
                kernels[notebook] = KernelManager(kernel_name="python3")
                kernels[notebook].start_kernel(cwd=str(notebook.parent), extra_arguments=runs.QUIET)
            record = _run_cell(cell, folder, notebook, kernels.get(notebook))
            replace_file(folder / "cell.json", json.dumps(record))
            if record["status"] != "ok":
                failed.append(f"{cell['cell']}: {record['error']}")
                if notebook in kernels:  # the next cell gets a kernel without this one's traces
                    kernels.pop(notebook).shutdown_kernel(now=True)
    for kernel in kernels.values():
        kernel.shutdown_kernel(now=True)
    return failed


def _run_cell(cell, folder, notebook, kernel):
    try:
        if kernel:
            client = kernel.blocking_client()
            client.start_channels()
            client.wait_for_ready(timeout=120)
            client.execute_interactive(FRESH_START, silent=True, store_history=False)
            client.stop_channels()
        record = runs.execute(notebook, folder / notebook.name, cell["parameters"] | {"outputs": str(folder)}, kernel=kernel)
    except Exception as fault:  # a dead kernel, an unreadable notebook: one failed cell, not a failed sweep
        record = {"status": "failed", "seconds": 0.0, "error": f"{type(fault).__name__}: {str(fault).splitlines()[:1]}"}
    found = folder / f"{notebook.stem}.json"
    result = json.loads(found.read_text(encoding="utf8")) if found.is_file() else {}
    values = result.get("values", {}) if record["status"] == "ok" else {}
    return cell | {"status": record["status"], "seconds": record["seconds"], "error": record["error"],
                   "source": result.get("source", ""), "values": values}


def run(path, cores=2, profile="", dry=False):
    """Run what is unfinished of the sweep file `path`, gather table and figure; return the exit status."""
    from helpers.workshop import reproduce as workflow  # a job (`batch`) need not wait for what only the sweep itself uses
    from helpers.workshop import sweep_table

    config, start = read_config(path), time.monotonic()
    with hold(config["folder"] / ".lock") as held:
        if not held:
            raise SweepError(f"the sweep {config['name']} is running already; wait for it, or stop it first")
        cells, unfinished = plan(config, workflow.fetch())
        jobs = len(list((config["folder"] / "batches").glob("*.json")))
        print(f"{config['name']}: {len(cells):,} cells, {len(cells) - len(unfinished):,} finished, {len(unfinished):,} to run in "
              f"{jobs:,} jobs (planned in {time.monotonic() - start:.1f} s)", flush=True)
        status = snakemake(config["folder"], cores, profile, dry) if unfinished else 0
        if not dry:
            print("\n".join(sweep_table.report(config, cells)))
    return status


def snakemake(folder, cores, profile, dry):
    """Run sweeps/Snakefile over the batches in `folder`; return its exit status. A dry run is silent unless it fails."""
    where = ["--workflow-profile", str(profile)] if profile else ["--cores", str(cores)]
    command = [sys.executable, "-m", "snakemake", "--snakefile", "sweeps/Snakefile", *where, "--keep-going", "--nolock",
               "--rerun-incomplete", "--drop-metadata", "--rerun-triggers", "mtime", *(["--dry-run"] if dry else []),
               "--quiet", "all", "--config", f"folder={folder.relative_to(ROOT)}", f"root={ROOT}", f"python={sys.executable}"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=dry, text=True)
    if dry and done.returncode:
        print(done.stdout[-3000:] + done.stderr[-3000:], file=sys.stderr)
    return done.returncode


def main(arguments=None):
    """Command line: `run CONFIG [--cores N] [--profile FOLDER] [--dry-run]`, `batch FILE` (what a job calls)."""
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.sweep", description=__doc__)
    parser.add_argument("command", choices=["run", "batch"])
    parser.add_argument("path")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--profile", default="", help="a Snakemake profile, e.g. profiles/slurm")
    parser.add_argument("--dry-run", action="store_true", help="plan only")
    given = parser.parse_args(arguments)
    logging.getLogger("papermill").setLevel(logging.ERROR)
    if given.command == "batch":
        failed = run_batch(given.path)
        print("".join(f"error: {line}\n" for line in failed), end="", file=sys.stderr)
        return int(bool(failed))
    try:
        return run(given.path, given.cores, given.profile, given.dry_run)
    except (SweepError, runs.ParameterError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
