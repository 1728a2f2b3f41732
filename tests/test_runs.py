"""Headless runs: parameters, records of failures, refreshing in place, the command line."""

import contextlib
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import NamedTuple

import nbformat
import papermill
import pytest
import slice_kit
from jupyter_client.connect import LocalPortCache
from nbclient.exceptions import DeadKernelError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from test_notebooks import find, read

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
        ("{Data: 1}", "did you mean 'data'?"),
        ("{zzz: 1}", "has no parameter 'zzz'. It has: data, max_usd, names, offset"),
        ("{data: [", "-y: expected '{name: value, name: value}', got '{data: ['"),
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


def test_a_run_gets_its_parameters_beside_its_notebook_and_is_headless(failed_and_mended):
    folder, failed, _ = failed_and_mended
    assert failed.printed == [f"open ['x', 1] {folder} None\n"]


def test_a_failure_is_told_with_its_cell_and_its_notebook_is_kept(failed_and_mended):
    folder, failed, _ = failed_and_mended
    assert failed.status == 1
    kept = folder / "out" / "failed" / "a.ipynb"
    told = f"error: a, cell 4: AssertionError: (no message)\n       the run so far is in {kept}"
    assert told in failed.said
    assert failed.record["status"] == "failed"


def test_a_run_that_ends_well_is_recorded_and_has_all_its_cells(failed_and_mended):
    _, _, mended = failed_and_mended
    assert mended.status == 0
    assert mended.record["seconds"] > 0
    rest = {"notebook": "a", "status": "ok", "error": ""}
    assert mended.record == rest | {"seconds": mended.record["seconds"]}
    assert mended.printed[-1] == "after\n"


def test_a_run_that_ends_well_leaves_nothing_of_a_failed_one(failed_and_mended):
    assert failed_and_mended[2].files == ["a.ipynb", "a.run.json"]


def test_a_stopped_run_leaves_no_record_of_an_earlier_one(tmp_path, monkeypatch):
    path, output = write(tmp_path / "a.ipynb"), tmp_path / "out" / "a.ipynb"
    output.parent.mkdir()
    (output.parent / "a.run.json").write_text('{"status": "ok"}')

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(runs, "run_cells", stop)
    with pytest.raises(KeyboardInterrupt):
        runs.execute(path, output)
    assert not (output.parent / "a.run.json").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.ipynb", "is the notebook that is to be run"),
        ("link.ipynb", "is the notebook that is to be run"),
        ("b.ipynb", "no run of a notebook has written it"),
        ("thesis.docx", "expected a name that ends in .ipynb"),
        ("new.docx", "expected a name that ends in .ipynb"),
        ("thesis.docx/c.ipynb", "thesis.docx: is a file; expected a folder"),
        ("kept.ipynb", "kept.ipynb: is there already"),
        ("folder.ipynb", "folder.ipynb: is there already"),
    ],
)
def test_a_run_writes_over_nothing_that_is_not_its_own(tmp_path, capsys, name, said):
    path = write(tmp_path / "a.ipynb")
    write(tmp_path / "b.ipynb")
    (tmp_path / "link.ipynb").symlink_to("a.ipynb")
    (tmp_path / "thesis.docx").write_text("three years")
    (tmp_path / "folder.ipynb").mkdir()
    (tmp_path / "failed").mkdir()
    (tmp_path / "failed" / "kept.ipynb").write_text("mine")
    files = sorted(file for file in tmp_path.rglob("*") if file.is_file())
    before = [file.read_bytes() for file in files]
    assert runs.main(["run", str(path), str(tmp_path / name)]) == 2
    assert said in capsys.readouterr().err
    assert sorted(file for file in tmp_path.rglob("*") if file.is_file()) == files
    assert [file.read_bytes() for file in files] == before


def test_what_is_no_notebook_or_no_folder_is_one_sentence(tmp_path, capsys):
    code = "outputs = '.'"
    path, other = write(tmp_path / "a.ipynb"), tmp_path / "b.ipynb"
    other.write_text("no notebook")
    for given, said in ((tmp_path / "none.ipynb", "no such notebook"), (other, "as a notebook")):
        assert runs.main(["run", str(given), str(tmp_path / "out.ipynb")]) == 2
        assert said in capsys.readouterr().err
    nbformat.write(
        new_notebook(cells=[new_code_cell(code, metadata={"tags": ["parameters"]})]), path
    )
    given = ["run", str(path), str(tmp_path / "out.ipynb"), "-y", f"{{outputs: {other}}}"]
    assert runs.main(given) == 2
    assert f"error: {other}: is a file; expected a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("how", "quiet"), [(signal.SIGINT, ""), (signal.SIGTERM, ""), (signal.SIGINT, "1")]
)
def test_a_stopped_run_lets_its_cell_end_and_says_where_it_is(tmp_path, monkeypatch, how, quiet):
    if quiet:  # a sweep, which stops many runs, says it once
        monkeypatch.setenv(runs.QUIET_STOP, quiet)
    code = """import time
open("begun", "w").close()
try:
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
    run.send_signal(how)
    said = run.communicate(timeout=300)[1]
    failed = output.parent / "failed" / "a.ipynb"
    assert run.returncode == 130
    assert (tmp_path / "ended").exists()
    assert (f"stopped; the run so far is in {failed}; " in said) == (not quiet)
    assert "Traceback" not in said and not (quiet and said)
    assert [file.name for file in output.parent.rglob("*")] == ["failed", "a.ipynb"]


def test_a_kernel_that_dies_is_a_failed_run_too(tmp_path, monkeypatch):
    def die(*_, **__):
        raise DeadKernelError("Kernel died")

    monkeypatch.setattr(runs.papermill, "execute_notebook", die)
    output = tmp_path / "out" / "a.ipynb"
    record = runs.execute(write(tmp_path / "a.ipynb"), output, kernel=SimpleNamespace())
    assert record["status"] == "failed"
    assert record["error"].startswith("the kernel died")
    assert (tmp_path / "out" / "failed" / "a.ipynb").is_file()


def test_a_kernel_whose_port_another_program_took_is_started_again(tmp_path, monkeypatch):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        chosen = [other.getsockname()[1]]
        choose = LocalPortCache.find_available_port

        def choose_what_is_taken_then(cache, address):
            return chosen.pop() if chosen else choose(cache, address)

        monkeypatch.setattr(LocalPortCache, "find_available_port", choose_what_is_taken_then)
        record = runs.execute(write(tmp_path / "a.ipynb"), tmp_path / "out" / "a.ipynb")
    assert not chosen, "the taken port was tried"
    assert record["status"] == "ok"


def test_a_kernel_that_cannot_start_is_a_failed_run_with_its_reason(tmp_path, monkeypatch):
    tried, ended = [], []

    def never_answer(timeout):
        tried.append(timeout)
        raise RuntimeError("Kernel died before replying to kernel_info")

    client = SimpleNamespace(
        start_channels=lambda: None, stop_channels=lambda: None, wait_for_ready=never_answer
    )
    manager = SimpleNamespace(
        start_kernel=lambda **_: None,
        blocking_client=lambda: client,
        shutdown_kernel=lambda now: ended.append(now),
    )
    monkeypatch.setattr(runs, "KernelManager", lambda **_: manager)
    output = tmp_path / "out" / "a.ipynb"
    record = runs.execute(write(tmp_path / "a.ipynb"), output)
    reason = "the kernel did not start in 3 tries (Kernel died before replying to kernel_info)"
    assert (record["status"], record["error"]) == ("failed", reason)
    assert runs.read_json(output.with_suffix(".run.json")) == record
    assert len(tried) == len(ended) == 3


@pytest.mark.parametrize(("seconds", "least", "most"), [(60, 1, 2), (0, 8, 99)])
def test_a_run_under_way_is_saved_from_time_to_time_and_is_whole_at_its_end(
    tmp_path, monkeypatch, seconds, least, most
):
    """papermill saves before and after each of the cells; ours waits `BETWEEN_SAVES`."""
    saves = []
    write_really = papermill.engines.write_ipynb

    def count_and_write(notebook, place):
        saves.append(place)
        write_really(notebook, place)

    monkeypatch.setattr(papermill.engines, "write_ipynb", count_and_write)
    monkeypatch.setattr(runs, "BETWEEN_SAVES", seconds)
    path = write(tmp_path / "a.ipynb", *[f"print({cell})" for cell in range(4)])
    runs.run_cells(path, {}, tmp_path)
    assert least <= len(saves) <= most
    printed = [cell.outputs[0].text for cell in nbformat.read(path, 4).cells[2:]]
    assert printed == ["0\n", "1\n", "2\n", "3\n"]


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


def test_the_number_of_a_notebook_stands_before_the_dash():
    assert [runs.number(name) for name in ("04-poems", "04b-more.ipynb")] == ["04", "04b"]


def test_a_damaged_or_missing_record_is_empty(tmp_path):
    (tmp_path / "a.json").write_text('{"status": "o')
    assert runs.read_json(tmp_path / "a.json") == runs.read_json(tmp_path / "b.json") == {}


def test_what_a_killed_run_left_is_removed_by_the_next_and_a_running_one_is_not(tmp_path):
    dead, alive = 999_999_999, os.getpid()
    for number in (dead, alive):
        (tmp_path / f"page.{number}.partial.ipynb").write_text("{}", encoding="utf8")
    runs.remove_orphans(tmp_path / "page.ipynb")
    assert [path.name for path in tmp_path.iterdir()] == [f"page.{alive}.partial.ipynb"]


@pytest.mark.parametrize(
    ("kind", "message", "told"),
    [
        ("DataError", "a.csv, row 2: bad", "a.csv, row 2: bad"),
        ("Incomplete", "stopped: no server answers", "stopped: no server answers"),
        ("ValueError", "judge='x' never read", "judge='x' never read"),
        ("KeyError", "'left_out'", "KeyError: 'left_out'"),
        ("Incomplete", "", "Incomplete: "),
    ],
)
def test_a_fault_begins_with_no_class_name_of_ours(kind, message, told):
    assert runs.tell_fault(kind, message) == told


def test_papermill_by_hand_writes_nothing_outside_the_project(tmp_path):
    # the notebook alone: what it writes goes where the package is, or here; of its cells all that
    # write, and what these need
    path = tmp_path / "clone" / "notebooks" / "S2.ipynb"
    path.parent.mkdir(parents=True)
    shutil.copy(slice_kit.keep("S2", tmp_path, {"outputs", "open_judge"}), path)
    shutil.rmtree(tmp_path / "cut")
    kept_cells = {cell.source for cell in read(path).cells}
    left_out = [cell.source for cell in read(find("S2")).cells if cell.source not in kept_cells]
    assert not re.search(r"save|\.write|open\(|mkdir|\.to_(csv|json|excel)", "\n".join(left_out))
    kept = ROOT / "outputs" / "executed" / "S2-new-and-small-judges.json"
    before = kept.read_bytes() if kept.is_file() else None
    words = [str(path), str(tmp_path / "out.ipynb"), "-p", "open_judge", "qwen2.5-coder-1.5b"]
    try:
        subprocess.run(
            [sys.executable, "-m", "papermill", *words],
            cwd=tmp_path / "clone",
            check=True,
            capture_output=True,
            timeout=120,
        )
        assert kept.is_file()
    finally:
        kept.unlink(missing_ok=True)
        if before is not None:
            kept.write_bytes(before)
    written = [str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()]
    assert sorted(written) == ["clone/notebooks/S2.ipynb", "out.ipynb"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no groups of processes")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
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
    assert process.wait(30) == 130
    process.stdout.close()
    assert not runs.is_alive(started)
