"""Run a notebook over a grid of parameters: a sweep file read and checked, one Snakemake job a
cell."""

import argparse
import fcntl
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import yaml

from helpers.judges.store import digest
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT
from helpers.workshop import reproduce, sweep_table
from helpers.workshop import run as runs

KEYS = {"notebook": None, "grid": {}, "fixed": {}, "max_usd": 0.0, "figure": {}}
KINDS = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "names with values",
}


class SweepError(ValueError):
    """A sweep file is not what it must be, or the sweep runs already; the message
    says what to do."""


def read_config(path):
    """Return a sweep as a dict: name, folder, notebooks, grid {name: [values]}, fixed, max_usd,
    figure.

    The YAML file has `notebook` (one or a list) and `grid`; the rest has defaults (KEYS). A grid
    value is a list, or {from: 1, to: 10} for whole numbers. Raises SweepError for anything unknown,
    empty, repeated or of another kind than the notebook's default, ParameterError for an unknown
    parameter.
    """
    path = Path(path)
    if not path.is_file():
        raise SweepError(
            f"{path}: there is no such file; say make sweep CONFIG=sweeps/example.yaml"
        )
    try:
        given = yaml.safe_load(path.read_text(encoding="utf8"))
    except yaml.YAMLError as fault:
        raise SweepError(f"{path.name} is not YAML: {' '.join(str(fault).split())}") from None
    if not isinstance(given, dict) or not given.get("notebook"):
        raise SweepError(
            f"{path.name}: expected `notebook: <name>` and `grid:` with a list a parameter"
        )
    for key, value in given.items():
        if key not in KEYS:
            raise SweepError(
                f"{path.name}: {key!r} is not a key of a sweep{runs.near(key, KEYS)} It has:"
                f" {', '.join(KEYS)}"
            )
        if key != "notebook" and KINDS.get(type(value)) != KINDS[type(KEYS[key])]:
            raise SweepError(
                f"{path.name}: `{key}` has {value!r}, expected one like {KEYS[key]!r}; see"
                " sweeps/example.yaml"
            )
    config = KEYS | given | {"name": path.stem, "folder": ROOT / "outputs" / "sweeps" / path.stem}
    names = config["notebook"] if isinstance(config["notebook"], list) else [config["notebook"]]
    config["notebooks"] = [find_notebook(path, str(name)) for name in names]
    config["grid"] = {
        name: list_values(path.name, name, values) for name, values in config["grid"].items()
    }
    for notebook in config["notebooks"]:
        check_kinds(path.name, notebook, config)
    most = sum(cell["parameters"].get("max_usd", 0.0) for cell in list_cells(config))
    if not most <= config["max_usd"]:
        raise SweepError(
            f"{path.name}: all cells together may spend {most:.2f} USD (their max_usd, added up),"
            f" but the sweep's own max_usd is {config['max_usd']:.2f}; write `max_usd: {most:.2f}`"
            " beside `notebook` to allow it"
        )
    return config


def list_values(file, name, values):
    """Return the values of one grid parameter as a list; SweepError for none or a repeated one."""
    if isinstance(values, dict) and {key: type(value) for key, value in values.items()} == {
        "from": int,
        "to": int,
    }:
        values = list(range(values["from"], values["to"] + 1))
    if not isinstance(values, list) or not values:
        raise SweepError(
            f"{file}: {name} has {values!r}, expected a list of values or "
            "{from: 1, to: 10}; a single value belongs under `fixed`"
        )
    words = [repr(value) for value in values]
    if twice := [word for word in words if words.count(word) > 1]:
        raise SweepError(f"{file}: {name} lists {twice[0]} twice; each once")
    return values


def find_notebook(config, name):
    """Return the path of a study's notebook by name, or of an .ipynb beside the sweep file."""
    path = config.parent / name if name.endswith(".ipynb") else ROOT / "notebooks" / f"{name}.ipynb"
    if not path.is_file():
        known = [path.stem for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
        raise SweepError(
            f"{config.name}: there is no notebook {name!r}{runs.near(name, known)} There are:"
            f" {', '.join(known)}"
        )
    return path.resolve()


def check_kinds(file, notebook, config):
    """Raise an error for a parameter that the notebook has not, or a value of another kind."""
    given = {name: [value] for name, value in config["fixed"].items()} | config["grid"]
    runs.check_parameters(notebook, given)
    if "outputs" in given:
        raise SweepError(
            f"{file}: `outputs` is chosen by the sweep (a folder a cell); leave it out"
        )
    defaults = runs.read_parameters(notebook)
    for name, value in ((name, value) for name, values in given.items() for value in values):
        wanted = KINDS.get(type(defaults[name]))
        if wanted and KINDS.get(type(value)) != wanted:
            raise SweepError(
                f"{file}: {name} has {value!r}, expected {wanted} like the default"
                f" {defaults[name]!r}"
            )


def list_cells(config):
    """Return one dict a cell, in grid order: cell (its folder's name), notebook, parameters, files
    (that these name)."""
    cells = []
    for notebook, values in itertools.product(
        config["notebooks"], itertools.product(*config["grid"].values())
    ):
        parameters = config["fixed"] | dict(zip(config["grid"], values))
        name = f"{notebook.stem}-{digest([notebook.stem, parameters])[:12]}"
        cells.append(
            {
                "cell": name,
                "notebook": str(notebook),
                "parameters": parameters,
                "files": named_files(parameters),
            }
        )
    return cells


def named_files(parameters):
    """Return the files that parameters name, also all of a folder; not the transcript store, which
    only saves calls."""
    found = [
        ROOT / value
        for name, value in parameters.items()
        if name != "transcripts" and isinstance(value, str) and 0 < len(value) < 200
    ]
    files = {file for path in found for file in (path, *path.rglob("*.*")) if file.is_file()}
    return sorted(map(str, files))


def run(path, cores=2, profile="", dry=False):
    """Run what is unfinished of a sweep file, write table and figure; return the exit status.

    Raises SweepError if the sweep runs already (a lock that the system frees however a run ends).
    """
    config = read_config(path)
    folder, cells = config["folder"], list_cells(config)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SweepError(
                f"the sweep {config['name']} is running already; wait for it, or stop it first"
            ) from None
        reproduce.fetch(folder)
        replace_file(folder / "cells.json", json.dumps(cells))
        where = ["--workflow-profile", profile] if profile else ["--cores", str(cores)]
        command = [
            sys.executable,
            "-m",
            "snakemake",
            "--snakefile",
            "sweeps/Snakefile",
            *where,
            "--keep-going",
            "--nolock",
            "--ignore-incomplete",
            *(["--dry-run"] if dry else []),
            "--quiet",
            "rules",
            "reason",
            "host",
            "--config",
            f"folder={folder}",
            f"root={ROOT}",
            f"python={sys.executable}",
        ]
        print(f"{config['name']}: {len(cells):,} cells", flush=True)
        env = os.environ | {"JUDGING_CREATIVITY_OFFLINE": "1"}  # fetched just now
        status = subprocess.run(
            command, cwd=ROOT, env=env, check=False, pass_fds=[lock.fileno()]
        ).returncode
    if not dry:
        print("\n".join(sweep_table.report(config, cells)))
    return status


def main(arguments=None):
    """Command line: `CONFIG [--cores N] [--profile FOLDER] [--dry-run]`."""
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.sweep", description=__doc__)
    parser.add_argument("path")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument(
        "--profile", default="", help="a Snakemake profile, e.g. sweeps/profiles/slurm"
    )
    parser.add_argument("--dry-run", action="store_true", help="plan only")
    given = parser.parse_args(arguments)
    try:
        return run(given.path, given.cores, given.profile, given.dry_run)
    except (SweepError, runs.ParameterError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
