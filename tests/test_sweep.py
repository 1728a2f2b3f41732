"""Sweeps: files checked, cells named for good, nothing run twice even after kill -9, kernels shared without traces, one table."""
import collections
import importlib.util
import json
import os
import re
import shutil
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
from helpers.workshop.sweep_config import SweepError, list_cells, read_cell, read_config

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
assert "trace" not in globals(), "a name of another cell is here"
trace = 1
note = lambda word: open(transcripts, "a").write(f"{word} {seed}\\n") if transcripts else None
note("start")
time.sleep(0.3)
assert seed != 13, "unlucky"
value = np.random.default_rng(seed).random()
results.save_findings("toy", "simulated", [f"value {value:.2f}"], outputs, values={"value": value, "big": value > 0.5})
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


@pytest.mark.parametrize("more, said", [
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
    ({"kernel": "warm"}, "fresh or shared"),
    ({"batch": 0}, "a whole number above 0"),
    ({"fixed": {"max_usd": 1.5}}, "together may spend 3.00 USD"),
    ({"fixed": {"max_usd": 1.5}, "max_usd": 2.0}, "together may spend 3.00 USD"),
])
def test_a_bad_sweep_file_gets_one_clear_error(folder, more, said):
    with pytest.raises((SweepError, runs.ParameterError), match=re.escape(said)):
        read_config(write_sweep(folder, **more))


def test_a_missing_file_and_broken_yaml_are_named_and_the_status_is_2(folder, capsys):
    assert sweep.main(["run", str(folder / "none.yaml")]) == 2
    assert "none.yaml: there is no such file" in capsys.readouterr().err
    (folder / "broken.yaml").write_text("grid: [1, 2")
    assert sweep.main(["run", str(folder / "broken.yaml")]) == 2
    assert "error: broken.yaml is not YAML" in capsys.readouterr().err


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
                      max_leaves=6)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(["notebook", "grid", "fixed", "batch", "kernel", "max_usd", "figure"]), VALUES))
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
    assert {cell["cell"] for cell in list_cells(small)} < {cell["cell"] for cell in list_cells(larger)}


def test_a_fingerprint_follows_code_and_named_files_but_not_outputs(folder):
    path = folder / "toy.ipynb"
    (folder / "own.csv").write_text("a")
    named = {"own": str(folder / "own.csv")}
    first = sweep.fingerprint(path, named, {"ttcw": "mirror"})
    (folder / "store.sqlite").write_text("grows")
    assert sweep.fingerprint(path, named | {"transcripts": str(folder / "store.sqlite")}, {"ttcw": "mirror"}) == first
    notebook = nbformat.read(path, 4)
    notebook.cells[1].outputs = [nbformat.v4.new_output("stream", text="later")]
    nbformat.write(notebook, path)
    assert sweep.fingerprint(path, named, {"ttcw": "cache"}) == first
    assert sweep.fingerprint(path, named, {"ttcw": ""}) != first
    (folder / "own.csv").write_text("b")
    second = sweep.fingerprint(path, named, {"ttcw": "mirror"})
    assert second != first
    notebook.cells[1].source += "\n1"
    nbformat.write(notebook, path)
    assert sweep.fingerprint(path, named, {"ttcw": "mirror"}) not in (first, second)


@pytest.mark.parametrize("cells, seconds", [(2000, 10)])
def test_a_plan_leaves_out_what_is_finished_and_stays_quick(folder, cells, seconds):
    config = read_config(write_sweep(folder, grid={"seed": {"from": 1, "to": cells}}, batch=100)) | {"folder": folder / "out"}
    start = time.process_time()
    listed, unfinished = sweep.plan(config, {})
    assert len(listed) == len(unfinished) == cells and len(list(folder.glob("out/batches/*.json"))) == cells // 100
    assert time.process_time() - start < seconds
    for cell, status in zip(listed, ["ok", "failed"]):
        (config["folder"] / cell["cell"]).mkdir()
        (config["folder"] / cell["cell"] / "cell.json").write_text(json.dumps(cell | {"status": status}))
    damaged = config["folder"] / listed[2]["cell"]
    damaged.mkdir()
    (damaged / "cell.json").write_text('{"status": "o')
    assert [cell["cell"] for cell in sweep.plan(config, {})[1][:2]] == [listed[1]["cell"], listed[2]["cell"]]
    assert len(sweep.plan(config, {"ttcw": "mirror"})[1]) == cells


@pytest.mark.parametrize("kernel", ["fresh", "shared"])
def test_a_batch_runs_each_cell_once_and_a_failure_leaves_no_trace(folder, kernel, monkeypatch):
    monkeypatch.setenv("JUDGING_CREATIVITY_OFFLINE", "1")
    log = folder / "log.txt"
    config = read_config(write_sweep(folder, grid={"seed": [1, 13, 2]}, fixed={"transcripts": str(log)}, kernel=kernel))
    config["folder"] = folder / "out"
    cells, _ = sweep.plan(config, {})
    batch = next(config["folder"].glob("batches/*.json"))
    failed = sweep.run_batch(batch)
    assert len(failed) == 1 and "cell 2: AssertionError: unlucky" in failed[0]
    assert len(sweep.run_batch(batch)) == 1
    assert sorted(log.read_text().splitlines()) == ["end 1", "end 2", "start 1", "start 13", "start 13", "start 2"]
    table = sweep_table.gather(config["folder"], cells)
    assert list(table["status"]) == ["ok", "failed", "ok"] and table["error"][1].startswith("cell 2")
    expected = [round_number(np.random.default_rng(seed).random()) for seed in (1, 2)]
    assert list(table["value"].dropna()) == expected and (config["folder"] / cells[1]["cell"] / "failed" / "toy.ipynb").is_file()
    done = nbformat.read(config["folder"] / cells[2]["cell"] / "toy.ipynb", 4)
    assert [cell.execution_count for cell in done.cells] == list(range(1, len(done.cells) + 1))


def test_a_cell_that_another_process_runs_is_left_alone(folder):
    config = read_config(write_sweep(folder)) | {"folder": folder / "out"}
    cells, _ = sweep.plan(config, {})
    with sweep.hold(config["folder"] / cells[0]["cell"] / ".lock"), sweep.hold(config["folder"] / cells[1]["cell"] / ".lock"):
        assert sweep.run_batch(next(config["folder"].glob("batches/*.json"))) == []
    assert read_cell(config["folder"] / cells[0]["cell"]) == {}


def test_values_are_numbers_or_null(tmp_path, capsys):
    results.save_findings("toy", "open", ["x"], tmp_path)
    assert set(json.loads((tmp_path / "toy.json").read_text())) == {"notebook", "source", "findings"}
    results.save_findings("toy", "open", ["x"], tmp_path, values={"a": np.float32(0.5), "b": np.int64(3), "c": np.nan, "d": True})
    assert json.loads((tmp_path / "toy.json").read_text())["values"] == {"a": 0.5, "b": 3, "c": None, "d": 1}
    with pytest.raises(ValueError, match=r"values\['table'\] is list"):
        results.save_findings("toy", "open", ["x"], tmp_path, values={"table": [1]})


def make_table(folder, figure=None, source="simulated"):
    config = read_config(write_sweep(folder, grid={"judge": ["a", "b"], "seed": {"from": 1, "to": 8}}, figure=figure or {}))
    cells = list_cells(config)
    rows = [{"cell": cell["cell"], "notebook": "toy", **cell["parameters"], "status": "ok", "seconds": 1.0, "source": source,
             "score": cell["parameters"]["seed"] + 10 * (cell["parameters"]["judge"] == "b"),
             "hit": cell["parameters"]["seed"] % 2, "error": ""} for cell in cells]
    table = pd.DataFrame(rows)
    return table, config


def test_the_figure_says_finding_interval_and_n_and_that_it_is_simulated(folder):
    table, config = make_table(folder)
    figure, text = sweep_table.draw(table, config)
    assert text.startswith("score is highest at judge b: 14.500 [12.452, 16.548], n = 8 cells")
    assert figure._suptitle.get_text().startswith("SIMULATED: score is highest")
    table["source"] = "open"
    assert sweep_table.draw(table, config)[0]._suptitle.get_text().startswith("score")
    shares = sweep_table.average(table, "hit", ["judge"])
    assert shares["low"][0] == pytest.approx(0.2152, abs=1e-3) and shares["high"][0] == pytest.approx(0.7848, abs=1e-3)
    assert sweep_table.average(table.head(1), "score", ["judge"])["low"].isna().all()


def test_a_figure_of_an_unknown_column_names_those_that_exist(folder):
    with pytest.raises(ValueError, match="no column 'scor'; it has: score, hit, judge"):
        sweep_table.draw(*make_table(folder, {"y": "scor"}))
    table, config = make_table(folder)
    with pytest.raises(ValueError, match="saved no `values`"):
        sweep_table.draw(table.drop(columns=["score", "hit"]), config)


@pytest.fixture
def in_tree(folder):
    """A sweep whose results lie in the checkout, as make sweep has them; removed afterwards."""
    name = f"test-{os.getpid()}-{time.time_ns()}"
    yield lambda **more: (write_sweep(folder, name, **more), ROOT / "outputs" / "sweeps" / name)
    subprocess.run(["rm", "-rf", str(ROOT / "outputs" / "sweeps" / name)], check=True)


def test_after_kill_9_nothing_finished_is_repeated(folder, tmp_path):
    root, log = tmp_path / "copy", folder / "log.txt"  # a copy, so that nobody changes the code between the two runs
    for part in ("helpers", "data", "sweeps"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "requirements.lock", root)
    path = write_sweep(folder, grid={"seed": {"from": 20, "to": 31}}, fixed={"transcripts": str(log)}, batch=6, kernel="shared")
    out = root / "outputs" / "sweeps" / "toy"
    command = [sys.executable, "-m", "helpers.workshop.sweep", "run", str(path), "--cores", "2"]
    options = {"cwd": root, "env": os.environ | {"PYTHONPATH": str(root)}}
    first = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    until = time.monotonic() + 240
    while len(list(out.glob("*/cell.json"))) < 3 and time.monotonic() < until and first.poll() is None:
        time.sleep(0.05)
    with sweep.hold(out / ".lock") as held:
        assert not held
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    time.sleep(1)
    finished = {read_cell(p.parent)["parameters"]["seed"] for p in out.glob("*/cell.json")}
    assert 3 <= len(finished) < 12
    again = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **options)
    assert again.returncode == 0, again.stderr[-2000:]
    assert f"12 cells, {len(finished)} finished, {12 - len(finished)} to run" in again.stdout and "12 ok" in again.stdout
    starts = collections.Counter(line.split()[1] for line in log.read_text().splitlines() if line.startswith("start"))
    assert all(starts[str(seed)] == 1 for seed in finished) and set(starts.values()) <= {1, 2}
    assert sum(starts.values()) <= 12 + 2  # at most the two cells that were running were begun again
    table = pd.read_csv(out / "table.csv")
    assert list(table["seed"]) == list(range(20, 32)) and table["value"].notna().all() and (out / "figure.png").is_file()


def test_a_sweep_that_runs_is_not_started_twice(in_tree):
    path, out = in_tree()
    with sweep.hold(out / ".lock"), pytest.raises(SweepError, match="is running already"):
        sweep.run(path)


@pytest.mark.parametrize("plugin, profile", [("kubernetes", "profiles/kubernetes"), ("slurm", "profiles/slurm")])
def test_a_cluster_profile_plans(plugin, profile, in_tree):
    if importlib.util.find_spec(f"snakemake_executor_plugin_{plugin}") is None:
        pytest.skip("needs the extra `cluster`: uv pip install -e '.[cluster]'")
    path, out = in_tree(batch=1)
    assert sweep.run(path, profile=profile, dry=True) == 0
    assert len(list(out.glob("batches/*.json"))) == 2 and not list(out.glob("batches/*.done"))


def test_an_executor_plugin_runs_the_jobs(folder, in_tree):
    if importlib.util.find_spec("snakemake_executor_plugin_cluster_generic") is None:
        pytest.skip("needs the extra `cluster`: uv pip install -e '.[cluster]'")
    profile = folder / "profile"
    profile.mkdir()
    (profile / "config.yaml").write_text("executor: cluster-generic\ncluster-generic-submit-cmd: bash\njobs: 2\n")
    path, out = in_tree(batch=1, grid={"seed": [1, 2]})
    assert sweep.run(path, profile=profile) == 0
    assert list(pd.read_csv(out / "table.csv")["status"]) == ["ok", "ok"]
