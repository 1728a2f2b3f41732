"""Sweeps: files checked, cells named for good, only what changed runs again, one table."""

import fcntl
import importlib.util
import os
import re
import shutil
from functools import partial
from pathlib import Path
from typing import NamedTuple

import nbformat
import pandas as pd
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_notebook

from helpers.sources.public import ROOT
from helpers.workshop import sweep

PARAMETERS = """judge = "simulated/coin"
seed = 1
share = 0.5
tags = ["a"]
max_usd = 0.0
own = ""
outputs = "."
"""
BODY = """assert seed != 13, "unlucky"
from helpers import results
results.save_findings("toy", "simulated", ["one"], outputs, values={"twice": 2 * seed})"""


def write_notebook(folder, body=BODY, parameters=PARAMETERS, name="toy"):
    """Write a notebook of two cells, its parameters and its body."""
    cells = [new_code_cell(parameters, metadata={"tags": ["parameters"]}), new_code_cell(body)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, folder / f"{name}.ipynb")


def write_file(path, **more):
    """Write a sweep file of the toy notebook, changed by what is given; return its path."""
    path.write_text(yaml.safe_dump({"notebook": "toy.ipynb", "grid": {"seed": [1, 2]}} | more))
    return path


def results_of(path):
    """Return the folder of a sweep's results, in the checkout as the command has it."""
    return ROOT / "outputs" / "sweeps" / path.stem


@pytest.fixture
def write_sweep(tmp_path):
    """Return write(**more): it writes a sweep file beside two toy notebooks and returns its path;
    its results go when the test ends."""
    write_notebook(tmp_path)
    costly = PARAMETERS.replace("max_usd = 0.0", "max_usd = 0.3")
    write_notebook(tmp_path, parameters=costly, name="rich")
    path = tmp_path / f"test-{os.getpid()}.yaml"
    yield partial(write_file, path)
    shutil.rmtree(results_of(path), ignore_errors=True)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"grid": {"sede": [1]}}, "did you mean 'seed'"),
        ({"grid": {"seed": {"from": 1}}}, "grid.seed: 'to' is a required property"),
        ({"grid": {"seed": ["one"]}}, "seed[0]: 'one' is not of type 'number'"),
        ({"fixed": {"share": True}}, "share[0]: True is not of type 'number'"),
        ({"grid": {"outputs": ["here"]}}, "`outputs` is chosen by the sweep"),
        ({"notebook": "02-llm-judge-base"}, "02-llm-judge-base.ipynb"),
        ({"fixed": {"max_usd": 1.5}}, "together may spend 3.00 USD"),
        ({"fixed": {"max_usd": 1.5}, "max_usd": 2.99}, "together may spend 3.00 USD"),
        ({"grid": {"max_usd": [0.5, 0.25]}, "max_usd": 0.74}, "together may spend 0.75 USD"),
        ({"fixed": {"max_usd": float("nan")}}, "max_usd: [nan, nan]: expected amounts in USD"),
        ({"grid": {"max_usd": [-0.3, 0.3]}}, "max_usd: [-0.3, 0.3]: expected amounts in USD"),
        ({"notebook": "rich.ipynb"}, "together may spend 0.60 USD"),
    ],
)
def test_a_bad_sweep_file_gets_one_clear_error(write_sweep, capsys, more, said):
    assert sweep.main([str(write_sweep(**more))]) == 2
    assert said in capsys.readouterr().err


def test_a_cell_keeps_its_name_when_the_grid_grows(write_sweep):
    def names(**more):
        return {cell["cell"] for cell in sweep.list_cells(write_sweep(**more))}

    small = names(grid={"seed": [1, 2], "share": [0.1]})
    large = names(grid={"seed": {"from": 1, "to": 3}, "share": [0.2, 0.1], "tags": [["a"], []]})
    larger = names(grid={"seed": [2, 3, 1], "share": [0.2, 0.1]})
    assert (len(small), len(large), len(larger)) == (2, 12, 6) and small < larger
    assert names(grid={"seed": [1]}).isdisjoint(names(grid={"seed": [2]}))
    assert len(names(fixed={"max_usd": 1.5}, max_usd=3.0)) == 2


class Swept(NamedTuple):
    """A sweep that has run: its file, the notebook's folder, the text that its cells name, the
    folder of its results, its exit status."""

    path: Path
    notebooks: Path
    text: Path
    results: Path
    status: int

    @property
    def table(self):
        """Its table.csv, a row per cell, by seed."""
        return pd.read_csv(self.results / "table.csv").set_index("seed")

    @property
    def files(self):
        """The bytes of all that it reads, to be put back."""
        paths = (self.text, self.notebooks / "toy.ipynb")
        return {path: path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """A sweep of two cells, one of which fails, run once by Snakemake."""
    place = tmp_path_factory.mktemp("swept")
    write_notebook(place)
    text = place / "stories" / "a.txt"
    text.parent.mkdir()
    text.write_text("a")
    fixed = {"own": str(text.parent)}
    path = write_file(place / f"swept-{os.getpid()}.yaml", grid={"seed": [20, 13]}, fixed=fixed)
    yield Swept(path, place, text, results_of(path), sweep.run(path))
    shutil.rmtree(results_of(path), ignore_errors=True)


@pytest.fixture
def plan(swept, capfd):
    """Return a function that counts the jobs that would run, {rule: how many}; what a test has
    changed is put back."""
    before = swept.files

    def count_jobs():
        capfd.readouterr()
        assert sweep.run(swept.path, dry=True) == 0
        told = "".join(capfd.readouterr())
        return dict(re.findall(r"^(house|cell) +(\d+)$", told, re.MULTILINE))

    yield count_jobs
    for path, content in before.items():
        path.write_bytes(content)


def test_a_sweep_has_a_row_per_cell_with_its_status_and_its_values(swept):
    assert swept.table["status"].to_dict() == {20: "ok", 13: "failed"}
    assert swept.table["twice"].dropna().to_dict() == {20: 40}


def test_another_date_with_the_same_words_is_no_change(swept, plan):
    swept.text.write_text("a")
    assert plan() == {"cell": "1"}, "the failed one"


def test_another_text_runs_its_cells_again(swept, plan):
    swept.text.write_text("b")
    assert plan() == {"cell": "2"}


def test_a_sweep_that_runs_already_is_not_run_twice(write_sweep):
    path = write_sweep()
    results_of(path).mkdir(parents=True)
    with (results_of(path) / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(sweep.SweepError, match="runs already"):
            sweep.run(path)


@pytest.mark.parametrize("name", ["kubernetes", "slurm"])
def test_a_cluster_profile_plans(name, write_sweep):
    if importlib.util.find_spec(f"snakemake_executor_plugin_{name}") is None:
        pytest.skip("needs the extra `cluster`: uv pip install -e '.[cluster]'")
    assert sweep.run(write_sweep(), profile=f"sweeps/profiles/{name}", dry=True) == 0
