"""Sweeps: files checked, cells named for good, only what changed runs again, one table."""

import fcntl
import importlib.util
import json
import os
import re
import shutil

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
BODY = """from helpers import results
assert seed != 13, "unlucky"
results.save_findings("toy", "simulated", ["one"], outputs, values={"twice": 2 * seed})"""


def write_notebook(folder, body=BODY, parameters=PARAMETERS, name="toy"):
    cells = [new_code_cell(parameters, metadata={"tags": ["parameters"]}), new_code_cell(body)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(made, folder / f"{name}.ipynb")


@pytest.fixture
def write_sweep(tmp_path):
    """Return write(**more): it writes a sweep file beside a toy notebook and returns its path; the
    results lie in the checkout, as `make sweep` has them, until the test ends."""
    write_notebook(tmp_path)
    write_notebook(
        tmp_path, parameters=PARAMETERS.replace("max_usd = 0.0", "max_usd = 0.3"), name="rich"
    )
    path = tmp_path / f"test-{os.getpid()}.yaml"

    def write(**more):
        path.write_text(yaml.safe_dump({"notebook": "toy.ipynb", "grid": {"seed": [1, 2]}} | more))
        return path

    yield write
    shutil.rmtree(ROOT / "outputs" / "sweeps" / path.stem, ignore_errors=True)


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
        ({"fixed": {"max_usd": float("nan")}}, "max_usd: nan: expected an amount in USD"),
        ({"grid": {"max_usd": [-0.3, 0.3]}}, "max_usd: -0.3: expected an amount in USD"),
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


def test_a_missing_file_and_broken_yaml_are_errors_too(tmp_path, capsys):
    assert sweep.main([str(tmp_path / "none.yaml")]) == 2
    (tmp_path / "broken.yaml").write_text("grid: [1, 2")
    assert sweep.main([str(tmp_path / "broken.yaml")]) == 2
    said = capsys.readouterr().err
    assert "error: none.yaml: no such file; expected one like sweeps/example.yaml" in said
    assert "error: broken.yaml: while parsing" in said
    (tmp_path / "deep.yaml").write_text("grid: " + "[" * 5000)
    assert sweep.main([str(tmp_path / "deep.yaml")]) == 2
    assert "error: deep.yaml: cannot be read as YAML" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["x{y}", "colon: x", "$HOME", "-x"])
def test_a_name_that_can_be_no_folder_is_refused(write_sweep, capsys, name):
    path = write_sweep()
    assert sweep.main([str(path.rename(path.with_name(f"{name}.yaml")))]) == 2
    assert "name of the sweep becomes a folder's; expected letters" in capsys.readouterr().err


def test_a_name_that_is_no_utf8_is_refused(write_sweep, capsys):
    path = write_sweep()
    path = path.rename(path.with_name(os.fsdecode(b"caf\xe9.yaml")))
    assert sweep.main([str(path)]) == 2
    assert "caf�.yaml: its name is not UTF-8 text" in capsys.readouterr().err


def test_a_pipe_and_a_file_in_the_folders_place_are_refused(write_sweep, capsys, tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    assert sweep.main([str(tmp_path / "pipe.yaml")]) == 2
    assert "pipe.yaml: is no regular file" in capsys.readouterr().err
    path = write_sweep()
    place = ROOT / "outputs" / "sweeps" / path.stem
    place.parent.mkdir(exist_ok=True)
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


def test_only_what_changed_runs_again_and_a_failed_cell_is_kept(write_sweep, tmp_path, capfd):
    own = tmp_path / "stories"
    own.mkdir()
    (own / "a.txt").write_text("a")
    path = write_sweep(grid={"seed": [20, 13]}, fixed={"own": str(own)})
    folder = ROOT / "outputs" / "sweeps" / path.stem

    def planned():
        capfd.readouterr()
        assert sweep.run(path, dry=True) == 0
        said = "".join(capfd.readouterr())
        return dict(re.findall(r"^(house|cell) +(\d+)$", said, re.MULTILINE))

    assert sweep.run(path) == 1
    table = pd.read_csv(folder / "table.csv").set_index("seed")
    assert table["status"].to_dict() == {20: "ok", 13: "failed"}
    assert table["twice"].dropna().to_dict() == {20: 40}
    assert table.loc[13, "error"] == "cell 2: AssertionError: unlucky"
    assert (folder / table.loc[13, "cell"] / "failed" / "run.ipynb").is_file()
    listed = (folder / "house.txt").read_text()
    for name in ("helpers/workshop/run.py", "helpers/figures.py", "data/registry.yaml"):
        assert f"{ROOT / name}\n" in listed
    assert f"{ROOT / 'requirements.lock'}\n" in listed

    (own / "a.txt").write_text("a")
    assert planned() == {"cell": "1"}, (
        "the failed one; another date with the same words is no change"
    )
    (own / "a.txt").write_text("b")
    assert planned() == {"cell": "2"}
    (own / "a.txt").write_text("a")
    write_notebook(tmp_path, BODY + "\n1")
    assert planned() == {"cell": "2"}
    with (folder / ".lock").open("a") as lock:
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
    assert list(table["error"]) == ["", "x", sweep.NO_RECORD]
    assert table["v"].notna().tolist() == [True, False, False]


@pytest.mark.parametrize("name", ["kubernetes", "slurm"])
def test_a_cluster_profile_plans(name, write_sweep):
    if importlib.util.find_spec(f"snakemake_executor_plugin_{name}") is None:
        pytest.skip("needs the extra `cluster`: uv pip install -e '.[cluster]'")
    assert sweep.run(write_sweep(), profile=f"sweeps/profiles/{name}", dry=True) == 0


def test_a_profile_without_its_extra_is_one_sentence_with_the_command(
    write_sweep, capsys, monkeypatch
):
    find = importlib.util.find_spec

    def hide(name):
        return None if name.startswith("snakemake_executor") else find(name)

    monkeypatch.setattr(sweep.importlib.util, "find_spec", hide)
    path = str(write_sweep())
    assert sweep.main([path, "--profile", "sweeps/profiles/slurm", "--dry-run"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "uv pip install -e '.[cluster]'" in said
    assert sweep.main([path, "--profile", "sweeps/profiles/slum"]) == 2
    said = capsys.readouterr().err
    assert "no profile 'sweeps/profiles/slum'" in said and "sweeps/profiles/slurm" in said


def test_a_dry_run_shows_the_settings_of_each_cell(write_sweep, capfd):
    path = write_sweep(
        grid={"seed": [1, 2], "share": [0.1, 0.2]}, fixed={"judge": "simulated/coin"}
    )
    assert sweep.run(path, dry=True) == 0
    said = capfd.readouterr().out
    assert 'in every cell: judge = "simulated/coin"\n' in said
    settings = re.findall(r"^  pending  seed = (\d), share = (0.\d)$", said, re.MULTILINE)
    assert settings == [("1", "0.1"), ("1", "0.2"), ("2", "0.1"), ("2", "0.2")]


def test_of_many_cells_a_dry_run_shows_the_first_and_counts_the_rest(write_sweep, tmp_path):
    cells = sweep.list_cells(write_sweep(grid={"seed": {"from": 1, "to": 50}}))
    lines = sweep.describe_plan(tmp_path, cells)
    assert len(lines) == 41 and lines[-1] == "  … and 10 cells more"


def test_of_many_runs_that_are_stopped_the_sweep_alone_speaks(write_sweep, monkeypatch, capfd):
    told = {}

    def interrupt(command, env, **_):
        told.update(env)
        raise KeyboardInterrupt

    monkeypatch.setattr(sweep.subprocess, "run", interrupt)
    assert sweep.run(write_sweep()) == sweep.STOPPED
    said = capfd.readouterr()
    assert said.out.count("stopped; what is done is kept") == 1 and not said.err
    assert told[sweep.runs.QUIET_STOP]
