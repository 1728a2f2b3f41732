"""Headless runs: parameters, records of failures, refreshing in place, the command line."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import NamedTuple

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.sources.public import ROOT
from helpers.workshop import run as runs

DEFAULTS = 'data = "auto"\nmax_usd = 0.0  # money\nnames = ["a", "b"]\noffset = -1'
PARAMETERS = new_code_cell(DEFAULTS, metadata={"tags": ["parameters"]})


def write(path, *sources):
    """A notebook of a title, the parameters cell and one code cell per source."""
    cells = [new_markdown_cell("# What is it?"), PARAMETERS.copy(), *map(new_code_cell, sources)]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": runs.KERNEL}), path)
    return path


def test_parameters_are_read_from_their_cell_alone(tmp_path):
    read = runs.read_parameters(write(tmp_path / "a.ipynb", "other = 3"))
    assert read == {"data": "auto", "max_usd": 0.0, "names": ["a", "b"], "offset": -1}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("{data: open, max_ud: 1}", "a.ipynb has no parameter 'max_ud'; did you mean 'max_usd'?"),
        ("{zzz: 1}", "has no parameter 'zzz'. It has: data, max_usd, names, offset"),
        ("open", "-y: expected '{name: value, name: value}', got 'open'"),
    ],
)
def test_wrong_parameters_are_an_error_and_nothing_runs(tmp_path, capsys, given, said):
    path, output = write(tmp_path / "a.ipynb"), tmp_path / "out" / "a.ipynb"
    assert runs.main(["run", str(path), str(output), "-y", given]) == 2
    assert said in capsys.readouterr().err and not output.parent.exists()


class Done(NamedTuple):
    """A run from the terminal, and what it left."""

    status: int  # its exit status
    said: str  # on stderr
    printed: list  # by the cells of the executed copy, or of the partial one
    record: dict  # for programs
    files: list  # beside the executed copy, by name


@pytest.fixture(scope="module")
def failed_and_mended(tmp_path_factory):
    """Return (folder, a run that fails at its parameters, one of the same notebook that does not),
    over an older run's output, from within a Jupyter session."""
    folder = tmp_path_factory.mktemp("runs")
    code = (
        "import os; print(data, names, os.getcwd(), os.getenv('JPY_SESSION_NAME'))",
        "assert data == 'x'",
        "print('after')",
    )
    notebook = write(folder / "a.ipynb", *code)
    output = folder / "out" / "a.ipynb"
    output.parent.mkdir()
    output.write_text('{"metadata": {"papermill": {}}}')  # of an older run

    def run(parameters):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            status = runs.main(["run", str(notebook), str(output), "-y", parameters])
        copy = output.parent / "failed" / "a.ipynb" if status else output
        outputs = [
            shown for cell in nbformat.read(copy, 4).cells for shown in cell.get("outputs", [])
        ]
        printed = [shown.text for shown in outputs if "text" in shown]
        record = json.loads((output.parent / "a.run.json").read_text())
        files = sorted(str(path.relative_to(output.parent)) for path in output.parent.rglob("*.*"))
        return Done(status, said.getvalue(), printed, record, files)

    before = notebook.read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JPY_SESSION_NAME", "reader.ipynb")  # `!` within Jupyter
        failed = run("{data: open, names: [x, 1]}")
        mended = run("{data: x}")
    assert notebook.read_bytes() == before, "a run writes its copy alone"
    return folder, failed, mended


def test_a_failure_is_told_with_its_cell_and_its_notebook_is_kept(failed_and_mended):
    folder, failed, _ = failed_and_mended
    assert failed.status == 1
    kept = folder / "out" / "failed" / "a.ipynb"
    told = f"error: a, cell 4: AssertionError: (no message)\n       the run so far is in {kept}"
    assert told in failed.said
    assert failed.record["status"] == "failed"
    assert failed.printed == [f"open ['x', 1] {folder} None\n"]


def test_a_run_that_ends_well_is_recorded_and_has_all_its_cells(failed_and_mended):
    _, _, mended = failed_and_mended
    assert mended.status == 0
    assert mended.record["seconds"] > 0
    rest = {"notebook": "a", "status": "ok", "error": ""}
    assert mended.record == rest | {"seconds": mended.record["seconds"]}
    assert mended.printed[-1] == "after\n"
    assert mended.files == ["a.ipynb", "a.run.json"], "nothing of the failed one"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.ipynb", "is the notebook that is to be run"),
        ("link.ipynb", "is the notebook that is to be run"),
        ("b.ipynb", "no run of a notebook has written it"),
        ("thesis.docx", "expected a name that ends in .ipynb"),
        ("thesis.docx/c.ipynb", "thesis.docx: is a file; expected a folder"),
        ("kept.ipynb", "kept.ipynb: is there already"),
    ],
)
def test_a_run_writes_over_nothing_that_is_not_its_own(tmp_path, capsys, name, said):
    path = write(tmp_path / "a.ipynb")
    write(tmp_path / "b.ipynb")
    (tmp_path / "link.ipynb").symlink_to("a.ipynb")
    (tmp_path / "thesis.docx").write_text("three years")
    (tmp_path / "failed").mkdir()
    (tmp_path / "failed" / "kept.ipynb").write_text("mine")
    files = sorted(file for file in tmp_path.rglob("*") if file.is_file())
    before = [file.read_bytes() for file in files]
    assert runs.main(["run", str(path), str(tmp_path / name)]) == 2
    assert said in capsys.readouterr().err
    assert sorted(file for file in tmp_path.rglob("*") if file.is_file()) == files
    assert [file.read_bytes() for file in files] == before


def test_a_stopped_run_lets_its_cell_end_and_says_where_it_is(tmp_path):
    code = """import time
try:
    open("begun", "w").close()
    time.sleep(600)
finally:
    open("ended", "w").close()"""
    path, output = write(tmp_path / "a.ipynb", code), tmp_path / "out" / "a.ipynb"
    command = [sys.executable, "-m", "helpers.workshop.run", "run", str(path), str(output)]

    def hear():  # what a background job starts would ignore Ctrl-C
        signal.signal(signal.SIGINT, signal.default_int_handler)

    run = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, preexec_fn=hear)
    deadline = time.monotonic() + 300  # on a busy machine
    while not (tmp_path / "begun").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=300)[1]
    failed = output.parent / "failed" / "a.ipynb"
    assert run.returncode == 130
    assert (tmp_path / "ended").exists()
    assert f"stopped; the run so far is in {failed}; " in said and "Traceback" not in said
    assert [file.name for file in output.parent.rglob("*")] == ["failed", "a.ipynb"]


def test_refreshing_leaves_no_timings_and_no_machine_and_twice_gives_the_same(
    tmp_path, monkeypatch
):
    path = write(tmp_path / "a.ipynb", "1")
    notebook = nbformat.read(path, 4)
    notebook.metadata["language_info"] = {"name": "python", "version": "3.11.4"}
    notebook.cells[1].metadata["collapsed"] = True
    nbformat.write(notebook, path)
    made = []

    def client(notebook, **settings):
        made.append(settings)
        return SimpleNamespace(execute=lambda: None)

    monkeypatch.setattr(runs, "NotebookClient", client)
    runs.refresh(path)
    first, notebook = path.read_bytes(), nbformat.read(path, 4)
    assert [cell.metadata for cell in notebook.cells] == [{}, {"tags": ["parameters"]}, {}]
    assert [cell.id for cell in notebook.cells] == ["cell-00", "cell-01", "cell-02"]
    assert notebook.metadata == {"kernelspec": runs.KERNEL, "language_info": {"name": "python"}}
    runs.refresh(path)
    assert path.read_bytes() == first and made[0]["record_timing"] is False


@pytest.mark.skipif(os.name == "nt", reason="Windows has no groups of processes")
@pytest.mark.parametrize("how", [signal.SIGHUP])
def test_a_run_that_is_killed_ends_all_that_it_has_started(how):
    """A run starts a program (Snakemake, say), which starts another (a notebook's cells)."""
    begin = "import subprocess, sys; one = subprocess.Popen(['sleep', '60'])"
    program = f"{begin}; print(one.pid, flush=True); one.wait()"
    code = f"""if True:
        import sys
        from helpers.workshop import run
        run.stop_when_killed()
        try:
            run.call_group([sys.executable, "-c", {program!r}])
        except KeyboardInterrupt:
            sys.exit(130)"""
    command = [sys.executable, "-c", code]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    process = subprocess.Popen(command, cwd=ROOT, **pipes)
    started = int(process.stdout.readline())
    assert runs.is_alive(started)
    process.send_signal(how)
    assert process.wait(300) == 130  # on a busy machine
    process.stdout.close()
    assert not runs.is_alive(started)
