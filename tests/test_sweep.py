"""Sweeps: files checked, cells named for good, only what changed runs again, one table."""

import fcntl
import importlib.util
import json
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
    """Return the folder of a sweep's results, in the checkout as `make sweep` has it."""
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


@pytest.fixture
def no_snakemake(monkeypatch):
    """Let a sweep plan and list its cells, and start nothing."""
    monkeypatch.setattr(sweep.runs, "call_group", lambda command, **_: 0)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"grid": {"sede": [1]}}, "did you mean 'seed'"),
        ({"grid": {"seed": 3}}, "grid.seed: 3 is not of type"),
        ({"grid": {"seed": []}}, "grid.seed: [] should be non-empty"),
        ({"grid": {"seed": {"from": 1}}}, "grid.seed: 'to' is a required property"),
        ({"grid": {"seed": [1, 2, 1]}}, "grid.seed: [1, 2, 1] has non-unique elements"),
        ({"grid": {"seed": ["one"]}}, "seed[0]: 'one' is not of type 'number'"),
        ({"grid": {"judge": [3]}}, "judge[0]: 3 is not of type 'string'"),
        ({"grid": {"tags": ["a"]}}, "tags[0]: 'a' is not of type 'array'"),
        ({"fixed": {"share": True}}, "share[0]: True is not of type 'number'"),
        ({"fixed": {"sede": 1}}, "did you mean 'seed'"),
        ({"grid": {"outputs": ["here"]}}, "`outputs` is chosen by the sweep"),
        ({"grids": {}}, "('grids' was unexpected)"),
        ({"grid": [1]}, "grid: [1] is not of type 'object'"),
        ({"notebook": "02-llm-judge-base"}, "02-llm-judge-base.ipynb"),
        ({"fixed": {"max_usd": 1.5}}, "together may spend 3.00 USD"),
        ({"fixed": {"max_usd": 1.5}, "max_usd": 2.99}, "together may spend 3.00 USD"),
        ({"grid": {"max_usd": [0.5, 0.25]}, "max_usd": 0.74}, "together may spend 0.75 USD"),
        ({"fixed": {"max_usd": float("nan")}}, "max_usd: [nan, nan]: expected amounts in USD"),
        ({"grid": {"max_usd": [-0.3, 0.3]}}, "max_usd: [-0.3, 0.3]: expected amounts in USD"),
        ({"max_usd": -1}, "max_usd: -1 is less than the minimum of 0"),
        ({"notebook": "rich.ipynb"}, "together may spend 0.60 USD"),
    ],
)
def test_a_bad_sweep_file_gets_one_clear_error(write_sweep, capsys, more, said):
    assert sweep.main([str(write_sweep(**more))]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("path", sorted(ROOT.glob("sweeps/*.yaml")), ids=lambda path: path.stem)
def test_the_examples_name_parameters_that_their_notebooks_have(path):
    assert len(sweep.list_cells(path)) > 1


BROKEN_FILES = [
    (None, "there is no such file; expected one like sweeps/example.yaml"),
    ("grid: [1, 2", "while parsing"),
    ("grid: " + "[" * 5000, "maximum recursion depth"),
]


@pytest.mark.parametrize(("text", "said"), BROKEN_FILES, ids=["missing", "broken", "deep"])
def test_a_missing_file_and_broken_yaml_are_errors_too(tmp_path, capsys, text, said):
    path = tmp_path / "mine.yaml"
    if text is not None:
        path.write_text(text)
    assert sweep.main([str(path)]) == 2
    assert f"mine.yaml: {said}" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["x{y}", "colon: x", "$HOME", "-x"])
def test_a_name_that_can_be_no_folder_is_refused(write_sweep, capsys, name):
    path = write_sweep()
    assert sweep.main([str(path.rename(path.with_name(f"{name}.yaml")))]) == 2
    assert f"'{name}' becomes a folder's name; expected letters" in capsys.readouterr().err


def test_a_pipe_is_refused(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe.yaml")
    assert sweep.main([str(tmp_path / "pipe.yaml")]) == 2
    assert "pipe.yaml: is no regular file" in capsys.readouterr().err


def test_a_file_in_the_folder_s_place_is_refused_and_stays(write_sweep, capsys):
    path = write_sweep()
    place = results_of(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("mine")
    try:
        assert sweep.main([str(path)]) == 2
        assert "is a file; expected a folder" in capsys.readouterr().err
        assert place.read_text() == "mine"
    finally:
        place.unlink()


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


def test_a_failed_cell_is_told_and_its_notebook_is_kept(swept):
    assert swept.status == 1
    failed = swept.table.loc[13]
    assert failed["error"] == "cell 2: AssertionError: unlucky"
    assert (swept.results / failed["cell"] / "failed" / "run.ipynb").is_file()


HOUSE = ["helpers/workshop/run.py", "helpers/figures.py", "data/registry.yaml", "requirements.lock"]


@pytest.mark.parametrize("name", HOUSE)
def test_cells_rest_on_the_house(swept, name):
    listed = (swept.results / "house.txt").read_text()
    assert f"{ROOT / name}\n" in listed


def test_another_date_with_the_same_words_is_no_change(swept, plan):
    swept.text.write_text("a")
    assert plan() == {"cell": "1"}, "the failed one"


def test_another_text_runs_its_cells_again(swept, plan):
    swept.text.write_text("b")
    assert plan() == {"cell": "2"}


def test_another_notebook_runs_its_cells_again(swept, plan):
    write_notebook(swept.notebooks, BODY + "\n1")
    assert plan() == {"cell": "2"}


def test_a_sweep_that_runs_already_is_not_run_twice(write_sweep):
    path = write_sweep()
    results_of(path).mkdir(parents=True)
    with (results_of(path) / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(sweep.SweepError, match="runs already"):
            sweep.run(path)


def test_a_damaged_record_is_pending_and_a_failed_cell_has_no_values(tmp_path):
    cells = [{"cell": name, "notebook": "toy.ipynb", "parameters": {"seed": 1}} for name in "abc"]
    records = {"a": '{"status": "ok"}', "b": '{"status": "failed", "error": "x"}', "c": '{"stat'}
    for name, record in records.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.run.json").write_text(record)
        (tmp_path / name / "toy.json").write_text(
            json.dumps({"source": "open", "values": {"v": 1}})
        )
    (tmp_path / "a" / "run.done").touch()
    table = sweep.gather(tmp_path, cells)
    assert list(table["status"]) == ["ok", "failed", "pending"]
    assert table["error"].isna().tolist() == [True, False, True]
    assert table["v"].notna().tolist() == [True, False, False]


@pytest.mark.parametrize("name", ["kubernetes", "slurm"])
def test_a_cluster_profile_plans(name, write_sweep):
    if importlib.util.find_spec(f"snakemake_executor_plugin_{name}") is None:
        pytest.skip("needs the extra `cluster`: uv pip install -e '.[cluster]'")
    assert sweep.run(write_sweep(), profile=f"sweeps/profiles/{name}", dry=True) == 0


def test_a_profile_that_is_not_there_is_named_with_those_that_are(write_sweep, capsys):
    assert sweep.main([str(write_sweep()), "--profile", "sweeps/profiles/slum"]) == 2
    told = capsys.readouterr().err
    assert "no profile 'sweeps/profiles/slum'" in told
    assert "sweeps/profiles/slurm" in told


def test_a_dry_run_shows_the_settings_of_each_cell(write_sweep, no_snakemake, capfd):
    path = write_sweep(grid={"seed": [1, 2], "share": [0.1, 0.2]})
    assert sweep.run(path, dry=True) == 0
    said = capfd.readouterr().out
    settings = re.findall(r"^pending +(\d) +(0.\d)$", said, re.MULTILINE)
    assert settings == [("1", "0.1"), ("1", "0.2"), ("2", "0.1"), ("2", "0.2")]


def test_of_many_runs_that_are_stopped_the_sweep_alone_speaks(write_sweep, monkeypatch, capfd):
    told = {}

    def interrupt(command, env, **_):
        told.update(env)
        raise KeyboardInterrupt

    monkeypatch.setattr(sweep.runs, "call_group", interrupt)
    assert sweep.run(write_sweep()) == sweep.STOPPED
    said = capfd.readouterr()
    assert said.out.count("stopped; what is done is kept") == 1 and not said.err
    assert told[sweep.runs.QUIET_STOP]
