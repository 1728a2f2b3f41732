"""Sweeps: files checked, cells named for good, nothing run twice even after kill -9, kernels shared
without traces, one table."""

import collections
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time

import nbformat
import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_notebook

from helpers import results
from helpers.sources.files import round_number
from helpers.sources.public import ROOT
from helpers.workshop import run as runs
from helpers.workshop import sweep, sweep_table
from helpers.workshop.sweep import SweepError, list_cells, read_config

PARAMETERS = """judge = "simulated/coin"
seed = 1
share = 0.5
tags = ["a"]
max_usd = 0.0
transcripts = ""
own = ""
outputs = "."
"""
BODY = """import time
import numpy as np
from helpers import results
note = lambda word: open(transcripts, "a").write(f"{word} {seed}\\n") if transcripts else None
note("start")
time.sleep(0.3)
assert seed != 13, "unlucky"
value = np.random.default_rng(seed).random()
results.save_findings("toy", "simulated", [f"value {value:.2f}"], outputs,
                      values={"value": value, "big": value > 0.5})
note("end")
"""


def write_notebook(folder, body=BODY):
    """Write the toy notebook and return its path."""
    cells = [new_code_cell(PARAMETERS, metadata={"tags": ["parameters"]}), new_code_cell(body)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    nbformat.write(new_notebook(cells=cells, metadata=metadata), folder / "toy.ipynb")
    return folder / "toy.ipynb"


def write_sweep(folder, name="toy", **more):
    """Write a sweep file beside the toy notebook and return its path."""
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump({"notebook": "toy.ipynb", "grid": {"seed": [1, 2]}} | more))
    return path


@pytest.fixture
def folder(tmp_path):
    write_notebook(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "more, said",
    [
        ({"grid": {"sede": [1]}}, "did you mean 'seed'"),
        ({"grid": {"seed": 3}}, "belongs under `fixed`"),
        ({"grid": {"seed": []}}, "expected a list"),
        ({"grid": {"seed": {"from": 5, "to": 1}}}, "expected a list"),
        ({"grid": {"seed": [1, 2, 1]}}, "seed lists 1 twice"),
        ({"grid": {"seed": ["one"]}}, "seed has 'one', expected a number"),
        ({"grid": {"judge": [3]}}, "judge has 3, expected a text"),
        ({"grid": {"tags": ["a", "b"]}}, "tags has 'a', expected a list"),
        ({"fixed": {"share": True}}, "share has True, expected a number"),
        ({"grid": {"outputs": ["here"]}}, "`outputs` is chosen by the sweep"),
        ({"grids": {}}, "did you mean 'grid'"),
        ({"grid": [1]}, "`grid` has [1], expected one like {}"),
        ({"notebook": "02-llm-judge-base"}, "did you mean '02-llm-judge-baseline'"),
        ({"notebook": "other.ipynb"}, "there is no notebook"),
        ({"kernel": "shared"}, "'kernel' is not a key of a sweep"),
        ({"fixed": {"max_usd": 1.5}}, "together may spend 3.00 USD"),
        ({"fixed": {"max_usd": 1.5}, "max_usd": 2.0}, "together may spend 3.00 USD"),
    ],
)
def test_a_bad_sweep_file_gets_one_clear_error(folder, more, said):
    with pytest.raises((SweepError, runs.ParameterError), match=re.escape(said)):
        read_config(write_sweep(folder, **more))


def test_a_missing_file_and_broken_yaml_are_named_and_the_status_is_2(folder, capsys):
    assert sweep.main([str(folder / "none.yaml")]) == 2
    assert "none.yaml: there is no such file" in capsys.readouterr().err
    (folder / "broken.yaml").write_text("grid: [1, 2")
    assert sweep.main([str(folder / "broken.yaml")]) == 2
    assert "error: broken.yaml is not YAML" in capsys.readouterr().err


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.dictionaries(st.sampled_from(["notebook", "grid", "fixed", "max_usd", "figure"]), VALUES))
def test_hostile_files_never_get_another_error(folder, content):
    path = folder / "hostile.yaml"
    path.write_text(yaml.safe_dump({"notebook": "toy.ipynb"} | content))
    try:
        assert read_config(path)["notebooks"]
    except (SweepError, runs.ParameterError) as fault:
        assert str(fault)


def test_a_cell_keeps_its_name_when_the_grid_grows(folder):
    small = read_config(write_sweep(folder, grid={"seed": [1, 2], "share": [0.1]}))
    grid = {"seed": {"from": 1, "to": 3}, "share": [0.1, 0.2], "tags": [["a"], ["a", "b"]]}
    large = read_config(write_sweep(folder, grid=grid))
    assert len(list_cells(large)) == len({cell["cell"] for cell in list_cells(large)}) == 12
    larger = read_config(write_sweep(folder, grid={"seed": [2, 3, 1], "share": [0.2, 0.1]}))
    assert {cell["cell"] for cell in list_cells(small)} < {
        cell["cell"] for cell in list_cells(larger)
    }


def plant_cell(folder, cell, status, **values):
    """Leave what a run of a cell leaves."""
    place = folder / cell["cell"]
    place.mkdir(parents=True)
    record = {"status": status, "seconds": 1.0, "error": "" if status == "ok" else "cell 2: no"}
    (place / "run.run.json").write_text(json.dumps(record))
    (place / "toy.json").write_text(json.dumps({"source": "open", "values": values}))


def test_the_table_has_a_row_a_cell_and_no_values_of_a_failed_or_damaged_one(folder):
    cells = list_cells(read_config(write_sweep(folder, grid={"seed": [1, 2, 3, 4]})))
    plant_cell(folder / "out", cells[0], "ok", value=0.5)
    plant_cell(folder / "out", cells[1], "failed", value=0.7)
    plant_cell(folder / "out", cells[2], "ok", value=0.9)
    (folder / "out" / cells[2]["cell"] / "run.run.json").write_text('{"status": "o')
    table = sweep_table.gather(folder / "out", cells)
    assert list(table["status"]) == ["ok", "failed", "pending", "pending"]
    assert table["value"].dropna().tolist() == [0.5] and table["error"].tolist()[:2] == [
        "",
        "cell 2: no",
    ]


def test_values_are_numbers_or_null(tmp_path, capsys):
    results.save_findings("toy", "open", ["x"], tmp_path)
    assert set(json.loads((tmp_path / "toy.json").read_text())) == {
        "notebook",
        "source",
        "findings",
    }
    results.save_findings(
        "toy",
        "open",
        ["x"],
        tmp_path,
        values={"a": np.float32(0.5), "b": np.int64(3), "c": np.nan, "d": True},
    )
    assert json.loads((tmp_path / "toy.json").read_text())["values"] == {
        "a": 0.5,
        "b": 3,
        "c": None,
        "d": 1,
    }
    with pytest.raises(ValueError, match=r"values\['table'\] is list"):
        results.save_findings("toy", "open", ["x"], tmp_path, values={"table": [1]})


def make_table(folder, figure=None, source="simulated"):
    config = read_config(
        write_sweep(
            folder, grid={"judge": ["a", "be"], "seed": {"from": 1, "to": 8}}, figure=figure or {}
        )
    )
    cells = list_cells(config)
    rows = [
        {
            "cell": cell["cell"],
            "notebook": "toy",
            **cell["parameters"],
            "status": "ok",
            "seconds": 1.0,
            "source": source,
            "score": cell["parameters"]["seed"] + 10 * (cell["parameters"]["judge"] == "be"),
            "hit": cell["parameters"]["seed"] % 2,
            "error": "",
        }
        for cell in cells
    ]
    table = pd.DataFrame(rows)
    return table, config


def test_the_figure_says_finding_interval_and_n_and_that_it_is_simulated(folder):
    table, config = make_table(folder)
    figure, text = sweep_table.draw(table, config)
    assert text.startswith("score is highest at judge be: 14.500 [12.452, 16.548], n = 8 cells")
    assert figure.texts[-1].get_text().replace("\n", " ").startswith("SIMULATED: score is highest")
    table["source"] = "open"
    assert sweep_table.draw(table, config)[0].texts[-1].get_text().startswith("score")
    shares = sweep_table.average(table, "hit", ["judge"])
    assert shares["low"].iloc[0] == pytest.approx(0.2152, abs=1e-3) and shares["high"].iloc[
        0
    ] == pytest.approx(0.7848, abs=1e-3)
    assert sweep_table.average(table.head(1), "score", ["judge"])["low"].isna().all()


def test_a_figure_of_an_unknown_column_names_those_that_exist(folder):
    with pytest.raises(ValueError, match="no column 'scor'; it has: score, hit, judge"):
        sweep_table.draw(*make_table(folder, {"y": "scor"}))
    with pytest.raises(ValueError, match="no column 'jude'"):
        sweep_table.draw(*make_table(folder, {"by": "jude"}))
    table, config = make_table(folder)
    with pytest.raises(ValueError, match="saved no `values`"):
        sweep_table.draw(table.drop(columns=["score", "hit"]), config)


@pytest.fixture
def in_tree(folder):
    """A sweep whose results lie in the checkout, as make sweep has them; removed afterwards."""
    name = f"test-{os.getpid()}-{time.time_ns()}"
    yield lambda **more: (write_sweep(folder, name, **more), ROOT / "outputs" / "sweeps" / name)
    subprocess.run(["rm", "-rf", str(ROOT / "outputs" / "sweeps" / name)], check=True)


def test_after_kill_9_nothing_finished_is_repeated(folder, in_tree):
    log = folder / "log.txt"
    path, out = in_tree(grid={"seed": [20, 13, 21, 22]}, fixed={"transcripts": str(log)})
    command = [sys.executable, "-m", "helpers.workshop.sweep", str(path), "--cores", "2"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    first = subprocess.Popen(command, cwd=ROOT, start_new_session=True, **quiet)
    until = time.monotonic() + 120
    while (
        not (done := list(out.glob("*/*.done")))
        and time.monotonic() < until
        and first.poll() is None
    ):
        time.sleep(0.05)
    assert done and first.poll() is None, "killed while it runs"
    with pytest.raises(SweepError, match="is running already"):
        sweep.run(path)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    finished = {
        cell["parameters"]["seed"]
        for cell in json.loads((out / "cells.json").read_text())
        if out / cell["cell"] / "run.done" in done
    }
    again = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert again.returncode == 1 and "3 ok, 1 failed" in again.stdout, again.stdout + again.stderr
    words = [line.split() for line in log.read_text().splitlines()]
    starts = collections.Counter(seed for word, seed in words if word == "start")
    assert all(starts[str(seed)] == 1 for seed in finished)
    # what was running at the kill, and the failure, begin again
    assert sum(starts.values()) <= 4 + 3
    table = pd.read_csv(out / "table.csv").set_index("seed")
    expected = [round_number(np.random.default_rng(seed).random()) for seed in (20, 21, 22)]
    assert list(table.loc[[20, 21, 22], "value"]) == expected and (out / "figure.png").is_file()
    failed = table.loc[13]
    assert failed["error"] == "cell 2: AssertionError: unlucky"
    assert (out / failed["cell"] / "failed" / "run.ipynb").is_file()


def test_a_cell_runs_again_when_its_notebook_a_file_that_it_names_or_the_data_changed_and_else_not(
    folder, in_tree, monkeypatch, capfd
):
    own, log = folder / "stories", folder / "log.txt"
    own.mkdir()
    (own / "a.txt").write_text("a")
    path, _ = in_tree(grid={"seed": [1]}, fixed={"own": str(own), "transcripts": str(log)})

    def planned():
        capfd.readouterr()
        assert sweep.run(path, dry=True) == 0
        return sorted(
            set(re.findall(r"^(house|cell) +1$", "".join(capfd.readouterr()), re.MULTILINE))
        )

    assert planned() == ["cell", "house"]
    assert sweep.run(path) == 0
    (own / "a.txt").write_text("a")
    assert planned() == [], (
        "neither the transcript store nor a file of another date with the same words counts"
    )
    (own / "a.txt").write_text("b")
    assert planned() == ["cell"]
    (own / "a.txt").unlink()
    assert planned() == ["cell"]
    (own / "a.txt").write_text("a")
    notebook = (folder / "toy.ipynb").read_bytes()
    write_notebook(folder, BODY + "1")
    assert planned() == ["cell"]
    (folder / "toy.ipynb").write_bytes(notebook)
    for name, value in {"MIRROR": "none", "CACHE": str(folder / "cache"), "OFFLINE": "1"}.items():
        monkeypatch.setenv(f"JUDGING_CREATIVITY_{name}", value)
    assert planned() == ["cell", "house"]


def test_the_house_is_all_helpers_and_data(in_tree):
    path, out = in_tree()
    assert sweep.run(path, dry=True) == 0
    subprocess.run(
        [
            sys.executable,
            "-m",
            "snakemake",
            "--snakefile",
            "sweeps/Snakefile",
            "--nolock",
            "--cores",
            "1",
            "--quiet",
            "all",
            "--config",
            f"folder={out}",
            f"root={ROOT}",
            f"python={sys.executable}",
            "--",
            f"{out}/house.txt",
        ],
        cwd=ROOT,
        timeout=120,
        check=True,
    )
    listed = (out / "house.txt").read_text()
    for name in (
        "helpers/workshop/run.py",
        "helpers/figures.py",
        "data/registry.yaml",
        "requirements.lock",
    ):
        assert f"{ROOT / name}\n" in listed
    assert f"{out}/sources.json\n" in listed


def test_a_thousand_cells_are_planned_in_seconds(in_tree):
    path, _ = in_tree(grid={"seed": {"from": 1, "to": 1000}})
    start = os.times()
    assert sweep.run(path, dry=True) == 0
    spent = os.times()
    assert spent.user - start.user + spent.children_user - start.children_user < 30


@pytest.mark.parametrize(
    "plugin, profile",
    [("kubernetes", "sweeps/profiles/kubernetes"), ("slurm", "sweeps/profiles/slurm")],
)
def test_a_cluster_profile_plans(plugin, profile, in_tree):
    if importlib.util.find_spec(f"snakemake_executor_plugin_{plugin}") is None:
        pytest.skip("needs the extra `cluster`: uv pip install -e '.[cluster]'")
    path, out = in_tree()
    assert sweep.run(path, profile=profile, dry=True) == 0
    assert len(json.loads((out / "cells.json").read_text())) == 2 and not list(out.glob("*/*.done"))


def test_an_executor_plugin_runs_the_jobs(folder, in_tree):
    if importlib.util.find_spec("snakemake_executor_plugin_cluster_generic") is None:
        pytest.skip("needs the extra `cluster`: uv pip install -e '.[cluster]'")
    profile = folder / "profile"
    profile.mkdir()
    (profile / "config.yaml").write_text(
        "executor: cluster-generic\ncluster-generic-submit-cmd: bash\njobs: 2\n"
    )
    path, out = in_tree(grid={"seed": [1, 2]})
    assert sweep.run(path, profile=profile) == 0
    assert list(pd.read_csv(out / "table.csv")["status"]) == ["ok", "ok"]
