"""Run a notebook over a grid of parameters (`make sweep`), one Snakemake job per cell.

A sweep file names a notebook and a grid; every combination is a *cell*:

    notebook: 04-cat-poetry
    grid: {judge: [simulated/coin, recorded/gpt4], seed: {from: 1, to: 3}}

makes six. A cell's folder in outputs/sweeps/<the file's name>/ is named by its parameters, so that
only new or changed cells run when the grid grows. table.csv has a row per cell: its parameters,
what became of it, and the values that the notebook saved.
"""

import argparse
import fcntl
import itertools
import json
import os
import re
import sys
from pathlib import Path

import pandas as pd
import yaml
from goodjudge.ask.calls import digest
from goodjudge.data.texts import read_text
from jsonschema import ValidationError, validate

from helpers.sources.files import DataError, replace_file
from helpers.sources.public import ROOT
from helpers.workshop import run as runs

NUMBERS = {"properties": {"from": {"type": "integer"}, "to": {"type": "integer"}}}
VALUES = {"type": ["array", "object"], "minItems": 1, "uniqueItems": True}  # or {from: 1, to: 10}
VALUES |= NUMBERS | {"required": ["from", "to"]}
SCHEMA = {
    "type": "object",
    "required": ["notebook", "grid"],
    "additionalProperties": False,
    "properties": {
        "notebook": {"type": "string"},
        "grid": {"type": "object", "additionalProperties": VALUES},
        "fixed": {"type": "object"},
        "max_usd": {"type": "number", "minimum": 0},
    },
}
KINDS = {bool: "boolean", int: "number", float: "number", str: "string", list: "array"}
STOPPED = 130  # the exit status after Ctrl-C


class SweepError(ValueError):
    """A sweep may spend more than it says, chooses `outputs`, or runs already."""


def list_cells(path):
    """Return the cells of a sweep file (as SCHEMA and sweeps/example.yaml say), in grid order, as
    dicts: cell (its folder's name), notebook, parameters, files (that these name).

    ValidationError for another file, or a value of another kind than the notebook's default;
    ParameterError for an unknown parameter; SweepError for a name that can be no folder, and if all
    cells together may spend more than the sweep's own `max_usd` (0 if there is none). A cell
    without a `max_usd` may spend its notebook's default.
    """
    config = yaml.safe_load(read_text(path, "one like sweeps/example.yaml"))
    validate(config, SCHEMA)
    beside = (path.parent / config["notebook"]).resolve()  # mine.ipynb, or 01-… of the project
    ours = ROOT / "notebooks" / f"{config['notebook']}.ipynb"
    notebook = beside if beside.suffix == ".ipynb" else ours
    for stem in (path.stem, notebook.stem):
        if not re.fullmatch(r"[\w][\w .+-]*", stem):
            advice = "expected letters, digits, blanks, and the marks . + - _; rename the file"
            raise SweepError(f"{stem!r} becomes a folder's name; {advice}")
    grid = {}
    for name, values in config["grid"].items():
        is_range = isinstance(values, dict)
        grid[name] = list(range(values["from"], values["to"] + 1)) if is_range else values
    fixed = config.get("fixed", {})
    check_values(notebook, {name: [value] for name, value in fixed.items()} | grid)
    cells = []
    for values in itertools.product(*grid.values()):
        parameters = fixed | dict(zip(grid, values))
        name = f"{notebook.stem}-{digest([notebook.stem, parameters])[:12]}"  # stays as grids grow
        cell = {"cell": name, "notebook": str(notebook), "parameters": parameters}
        cells.append(cell | {"files": named_files(parameters)})
    usual = runs.read_parameters(notebook).get("max_usd", 0.0)
    amounts = [cell["parameters"].get("max_usd", usual) for cell in cells]
    if not all(0 <= amount < float("inf") for amount in amounts):
        raise SweepError(f"max_usd: {amounts}: expected amounts in USD, 0 or more")
    if sum(amounts) > config.get("max_usd", 0.0):
        advice = f"write `max_usd: {sum(amounts):.2f}` beside `notebook` to allow it"
        raise SweepError(f"all cells together may spend {sum(amounts):.2f} USD; {advice}")
    return cells


def check_values(notebook, given):
    """Raise an error for a parameter that the notebook has not, or a value of another kind."""
    runs.check_parameters(notebook, given)
    if "outputs" in given:
        raise SweepError("`outputs` is chosen by the sweep (a folder per cell); leave it out")
    types = {name: type(value) for name, value in runs.read_parameters(notebook).items()}
    kinds = {name: {"items": {"type": KINDS[types[name]]}} for name in given}
    validate(given, {"properties": kinds})


def named_files(parameters):
    """Return the files that parameters name, all of a folder, but no transcript store."""
    files = set()
    for name, value in parameters.items():
        is_short_text = isinstance(value, str) and 0 < len(value) < 200  # longer ones are no paths
        if is_short_text and name != "transcripts":
            inside = (ROOT / value, *(ROOT / value).rglob("*.*"))
            files |= {str(path) for path in inside if path.is_file()}
    return sorted(files)


def gather(folder, cells):
    """Return one row per cell: parameters, status (ok, failed, pending), seconds, saved values."""
    rows = []
    for cell in cells:
        place = folder / cell["cell"]
        record = runs.read_json(place / "run.run.json")
        is_done = (place / "run.done").is_file()  # written last
        if not is_done and record.get("status") != "failed":
            record = {"status": "pending"}  # it has not begun, or was killed
        is_ok = record["status"] == "ok"
        saved = runs.read_json(place / f"{Path(cell['notebook']).stem}.json") if is_ok else {}
        outcome = {name: record.get(name) for name in ("status", "seconds", "error")}
        values = {"source": saved.get("source")} | saved.get("values", {})
        rows.append({"cell": cell["cell"]} | cell["parameters"] | outcome | values)
    return pd.DataFrame(rows)


def run(path, cores=2, profile="", dry=False):
    """Run what is unfinished of a sweep file and write its table.csv; return the exit status,
    STOPPED after Ctrl-C or `kill`. dry: only show what is finished and what would run. SweepError
    if the sweep runs already."""
    if profile and not (ROOT / profile / "config.yaml").is_file():  # which Snakemake would not say
        raise SweepError(f"no profile {profile!r}; expected a folder such as sweeps/profiles/slurm")
    cells = list_cells(path)
    folder = ROOT / "outputs" / "sweeps" / path.stem
    runs.check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "snakemake", "--snakefile", "sweeps/Snakefile"]
    command += ["--workflow-profile", profile] if profile else ["--cores", str(cores)]
    command += ["--keep-going", "--nolock", "--ignore-incomplete", *["--dry-run"] * dry]
    command += ["--quiet", "rules", "reason", "host"]
    command += ["--config", f"folder={folder}", f"root={ROOT}", f"python={sys.executable}"]
    with (folder / ".lock").open("a") as lock:  # which the system frees however a run ends
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SweepError(f"the sweep {folder.name} runs already; wait, or stop it") from None
        replace_file(folder / "cells.json", json.dumps(cells))
        print(f"{path.stem}: {len(cells):,} cells", flush=True)
        if dry:
            planned = gather(folder, cells)[["status", *cells[0]["parameters"]]]
            print(planned.to_string(index=False, max_rows=40), flush=True)
        env = os.environ | {runs.QUIET_STOP: "1"}
        try:  # its cells hold the lock too: a sweep whose Snakemake was killed counts as running
            status = runs.call_group(command, cwd=ROOT, env=env, pass_fds=[lock.fileno()])
        except KeyboardInterrupt:  # Snakemake, and the runs it started, have ended
            print("\nstopped; what is done is kept, the same command goes on", flush=True)
            status = STOPPED
    if not dry:
        table = gather(folder, cells)
        replace_file(folder / "table.csv", table.to_csv(index=False, lineterminator="\n"))
        print(f"{table['status'].value_counts().to_dict()}; table: {folder / 'table.csv'}")
    return status


def main(arguments=None):
    """Command line: `CONFIG [--cores N] [--profile FOLDER] [--dry-run]`."""
    about = __doc__.splitlines()[0]
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.sweep", description=about)
    parser.add_argument("path", type=Path)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--profile", default="", help="of Snakemake, e.g. sweeps/profiles/slurm")
    parser.add_argument("--dry-run", action="store_true", help="plan only")
    given = parser.parse_args(arguments)
    runs.stop_when_killed()
    try:
        return run(given.path, given.cores, given.profile, given.dry_run)
    except ValidationError as fault:
        message = f"{given.path.name}: {fault.json_path.lstrip('$.')}: {fault.message}"
    except (SweepError, runs.RunError, yaml.YAMLError, RecursionError) as fault:
        message = f"{given.path.name}: {fault}"
    except DataError as fault:  # names the file
        message = str(fault)
    print(f"error: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
