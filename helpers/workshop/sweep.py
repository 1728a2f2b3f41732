"""Run a notebook over a grid of parameters (`python -m helpers.workshop.sweep`), a job per cell.

A sweep file names a notebook and a grid; every combination is a *cell*:

    notebook: 04-cat-poetry
    grid: {judge: [simulated/coin, recorded/gpt4], seed: {from: 1, to: 3}}

makes six. A cell's folder in outputs/sweeps/<the file's name>/ is named by its parameters, so that
only new or changed cells run when the grid grows. table.csv has a row per cell: its parameters,
what became of it, and the values that the notebook saved.
"""

import argparse
import fcntl
import importlib.util
import itertools
import json
import math
import os
import re
import sys
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import yaml
from goodjudge.ask.calls import digest
from jsonschema import ValidationError, validate

from helpers.sources.files import DataError, replace_file
from helpers.sources.public import ROOT
from helpers.sources.readers import check_name, read_text
from helpers.workshop import run as runs

# a list of values, or {from: 1, to: 10} for whole numbers
VALUES = {
    "type": ["array", "object"],
    "minItems": 1,
    "uniqueItems": True,
    "required": ["from", "to"],
    "properties": {"from": {"type": "integer"}, "to": {"type": "integer"}},
}
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
PROFILES = ROOT / "sweeps" / "profiles"
NO_RECORD = "no record of a run: it has not begun, or was killed; the same command runs it"
STOPPED = 130  # the exit status after Ctrl-C
BUILT_IN = ("local", "dryrun", "touch")  # executors that Snakemake has without a plugin


class SweepError(ValueError):
    """A sweep may spend more than it says, chooses `outputs`, or runs already."""


def list_cells(path):
    """Return the cells of a sweep file (as SCHEMA and sweeps/example.yaml say), in grid order, as
    dicts: cell (its folder's name), notebook, parameters, files (that these name).

    ValidationError for another file, or a value of another kind than the notebook's default;
    ParameterError for an unknown parameter; SweepError if all cells together may spend more than
    the sweep's own `max_usd` (0 if there is none), or a cell's is no amount. A cell without a
    `max_usd` may spend its notebook's default.
    """
    config = read_config(path)
    notebook = find_notebook(path, config["notebook"])
    fixed = config.get("fixed", {})
    grid = {name: list_values(values) for name, values in config["grid"].items()}
    check_values(notebook, {name: [value] for name, value in fixed.items()} | grid)
    cells = []
    for values in itertools.product(*grid.values()):
        varied = dict(zip(grid, values))
        cells.append(describe_cell(notebook, fixed | varied))
    check_budget(notebook, cells, config.get("max_usd", 0.0))
    return cells


def read_config(path):
    """Return what a sweep file holds, as SCHEMA says."""
    check_stem(check_name(path), "sweep")
    if not path.exists():
        raise SweepError("no such file; expected one like sweeps/example.yaml")
    text = read_text(path)
    try:
        config = yaml.safe_load(text)
    except RecursionError:
        raise SweepError("cannot be read as YAML (too many levels)") from None
    validate(config, SCHEMA)
    return config


def find_notebook(path, name):
    """Return the path of a sweep's notebook: "01-…" of the project, or "mine.ipynb", which lies
    beside the sweep file."""
    beside = (path.parent / name).resolve()
    notebook = beside if beside.suffix == ".ipynb" else ROOT / "notebooks" / f"{name}.ipynb"
    check_stem(notebook, "notebook")
    return notebook


def list_values(values):
    """Return a parameter's values in a grid: the list, or the whole numbers from … to …."""
    if isinstance(values, dict):
        return list(range(values["from"], values["to"] + 1))
    return values


def describe_cell(notebook, parameters):
    """Return the cell of a notebook with these parameters, as `list_cells` does; its name depends
    on nothing else, so that it stays when the grid grows."""
    letters = digest([notebook.stem, parameters])[:12]
    return {
        "cell": f"{notebook.stem}-{letters}",
        "notebook": str(notebook),
        "parameters": parameters,
        "files": named_files(parameters),
    }


def check_budget(notebook, cells, most):
    """Raise SweepError if all cells together may spend more than `most` USD, or one of them what is
    no amount."""
    usual = runs.read_parameters(notebook).get("max_usd", 0.0)
    amounts = [cell["parameters"].get("max_usd", usual) for cell in cells]
    for amount in amounts:
        if not 0 <= amount < math.inf:
            raise SweepError(f"max_usd: {amount}: expected an amount in USD, 0 or more")
    total = sum(amounts)
    if not total <= most:
        advice = f"write `max_usd: {total:.2f}` beside `notebook` to allow it"
        raise SweepError(f"all cells together may spend {total:.2f} USD; {advice}")


def check_stem(path, what):
    """Raise SweepError for a file name that Snakemake, or a table, would take for something else:
    it becomes the name of a folder."""
    if not re.fullmatch(r"[\w][\w .+-]*", path.stem):
        advice = "expected letters, digits, blanks, and the marks . + - _; rename it"
        raise SweepError(f"the name of the {what} becomes a folder's; {advice}")


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
        if name == "transcripts" or not is_short_text:
            continue
        place = ROOT / value
        inside = (place, *place.rglob("*.*"))
        files |= {str(path) for path in inside if path.is_file()}
    return sorted(files)


def gather(folder, cells):
    """Return one row per cell: parameters, status (ok, failed, pending), seconds, saved values."""
    return pd.DataFrame([describe_result(folder / cell["cell"], cell) for cell in cells])


def describe_result(place, cell):
    """Return the row of a cell whose run left its files in the folder `place`."""
    record = runs.read_json(place / "run.run.json")
    is_done = (place / "run.done").is_file()  # written last
    if not is_done and record.get("status") != "failed":
        record = {"status": "pending", "error": NO_RECORD}
    result = {}
    if record["status"] == "ok":
        result = runs.read_json(place / f"{Path(cell['notebook']).stem}.json")
    outcome = {
        "status": record["status"],
        "seconds": record.get("seconds"),
        "source": result.get("source", ""),
        "error": record.get("error", ""),
    }
    return {"cell": cell["cell"]} | cell["parameters"] | outcome | result.get("values", {})


def check_profile(profile):
    """Raise SweepError for a profile that is not there, or whose extra is not installed."""
    path = ROOT / profile / "config.yaml"
    if not path.is_file():
        known = ", ".join(f"sweeps/profiles/{folder.name}" for folder in sorted(PROFILES.iterdir()))
        raise SweepError(f"no profile {profile!r} (a folder with config.yaml); there are {known}")
    executor = (yaml.safe_load(path.read_text(encoding="utf8")) or {}).get("executor", "local")
    module = f"snakemake_executor_plugin_{executor.replace('-', '_')}"
    if executor not in BUILT_IN and importlib.util.find_spec(module) is None:
        raise SweepError(
            f"the profile {profile} needs packages that are not installed; install them with"
            " VIRTUAL_ENV=.venv .venv/bin/uv pip install -e '.[cluster]'"
        )


def describe_plan(folder, cells, most=40):
    """Return one line per cell: what became of it and its settings that differ; before them the
    settings that all cells share, after them how many lines are left out:

        in every cell: judge = "simulated/coin"
          ok       seed = 1
          pending  seed = 2
          … and 38 cells more
    """
    statuses = gather(folder, cells)["status"]
    names = list(cells[0]["parameters"])
    values = pd.DataFrame([cell["parameters"] for cell in cells])[names].map(json.dumps)
    varies = values.nunique() > 1  # by parameter
    lines = []
    if not varies.all():
        lines.append(f"in every cell: {list_settings(values.iloc[0][~varies])}")
    for place, status in enumerate(statuses[:most]):
        lines.append(f"  {status:7}  {list_settings(values.iloc[place][varies])}")
    if len(cells) > most:
        lines.append(f"  … and {len(cells) - most:,} cells more")
    return lines


def list_settings(values):
    """Return parameters and their values in a line; values: a Series by parameter."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def run(path, cores=2, profile="", dry=False):
    """Run what is unfinished of a sweep file and write its table.csv; return the exit status.

    dry: only print the settings of each cell and what would run. Raises SweepError if the sweep
    runs already, or for a profile that cannot be used.
    """
    if profile:
        check_profile(profile)
    cells = list_cells(path)
    folder = ROOT / "outputs" / "sweeps" / path.stem
    runs.check_folder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    command = write_command(folder, cores, profile, dry)
    with hold_lock(folder) as lock:
        replace_file(folder / "cells.json", json.dumps(cells))
        print(f"{path.stem}: {len(cells):,} cells", flush=True)
        if dry:
            print(*describe_plan(folder, cells), sep="\n", flush=True)
        status = run_snakemake(command, lock)
    if not dry:
        table = gather(folder, cells)
        replace_file(folder / "table.csv", table.to_csv(index=False, lineterminator="\n"))
        print(f"{table['status'].value_counts().to_dict()}; table: {folder / 'table.csv'}")
    return status


def write_command(folder, cores, profile, dry):
    """Return the command that lets Snakemake run the cells of `folder`/cells.json."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", "sweeps/Snakefile"]
    command += ["--workflow-profile", profile] if profile else ["--cores", str(cores)]
    command += ["--keep-going", "--nolock", "--ignore-incomplete"]
    if dry:
        command += ["--dry-run"]
    command += ["--quiet", "rules", "reason", "host"]
    command += ["--config", f"folder={folder}", f"root={ROOT}", f"python={sys.executable}"]
    return command


@contextmanager
def hold_lock(folder):
    """Hold a sweep's lock while this lasts, which the system frees however a run ends; give its
    file. SweepError if another run holds it."""
    with (folder / ".lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SweepError(f"the sweep {folder.name} runs already; wait, or stop it") from None
        yield lock


def run_snakemake(command, lock):
    """Run Snakemake and return its exit status, STOPPED after Ctrl-C or `kill`; its cells hold the
    lock too, so that a sweep whose Snakemake was killed still counts as running."""
    env = os.environ | {runs.QUIET_STOP: "1"}
    held = [lock.fileno()]
    try:
        return runs.call_group(command, cwd=ROOT, env=env, pass_fds=held)
    except KeyboardInterrupt:  # Snakemake, and the runs it started, have ended
        print("\nstopped; what is done is kept, the same command goes on", flush=True)
        return STOPPED


def main(arguments=None):
    """Command line: `CONFIG [--cores N] [--profile FOLDER] [--dry-run]`."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers.workshop.sweep", description=__doc__.splitlines()[0]
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--profile", default="", help="of Snakemake, e.g. sweeps/profiles/slurm")
    parser.add_argument("--dry-run", action="store_true", help="plan only")
    given = parser.parse_args(arguments)
    runs.stop_when_killed()
    try:
        return run(given.path, given.cores, given.profile, given.dry_run)
    except ValidationError as fault:
        place = fault.json_path.lstrip("$.")
        message = f"{given.path.name}: {place}: {fault.message}"
    except (SweepError, runs.RunError, yaml.YAMLError) as fault:
        message = f"{given.path.name}: {fault}"
    except DataError as fault:  # names the file
        message = str(fault)
    print(f"error: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
