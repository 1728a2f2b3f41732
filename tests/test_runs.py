"""Headless runs: parameters, records of failures, refreshing in place, the command line."""

import json
from types import SimpleNamespace

import nbformat
import pytest
from nbclient.exceptions import DeadKernelError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

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


def test_a_run_gets_its_parameters_beside_its_notebook_and_a_failure_is_kept(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setenv("JPY_SESSION_NAME", "reader.ipynb")  # `!` within Jupyter: headless too
    code = (
        "import os; print(data, names, os.getcwd(), os.getenv('JPY_SESSION_NAME'))",
        "assert data == 'x'",
        "print('after')",
    )
    path, output = write(tmp_path / "a.ipynb", *code), tmp_path / "out" / "a.ipynb"
    before = path.read_bytes()
    output.parent.mkdir()
    output.write_text("an older run")
    assert runs.main(["run", str(path), str(output), "-y", "{data: open, names: [x, 1]}"]) == 1
    said, failed = capsys.readouterr().err, output.parent / "failed" / "a.ipynb"
    assert (
        f"error: a, cell 4: AssertionError: (no message)\n       the run so far is in {failed}"
        in said
    )
    cells = nbformat.read(failed, 4).cells
    printed = [out.text for cell in cells for out in cell.get("outputs", []) if "text" in out]
    assert printed == [f"open ['x', 1] {tmp_path} None\n"] and path.read_bytes() == before
    assert json.loads((output.parent / "a.run.json").read_text())["status"] == "failed"

    assert runs.main(["run", str(path), str(output), "-y", "{data: x}"]) == 0
    record = json.loads((output.parent / "a.run.json").read_text())
    assert record.pop("seconds") > 0
    assert record == {"notebook": "a", "status": "ok", "error": ""}
    assert "after" in output.read_text() and not failed.exists()
    assert sorted(path.name for path in output.parent.iterdir()) == [
        "a.ipynb",
        "a.run.json",
        "failed",
    ]


def test_a_kernel_that_dies_is_a_failed_run_too(tmp_path, monkeypatch):
    def die(*_, **__):
        raise DeadKernelError("Kernel died")

    monkeypatch.setattr(runs.papermill, "execute_notebook", die)
    record = runs.execute(write(tmp_path / "a.ipynb"), tmp_path / "out" / "a.ipynb")
    assert record["status"] == "failed" and record["error"].startswith("the kernel died")
    assert (tmp_path / "out" / "failed" / "a.ipynb").is_file()


@pytest.mark.parametrize(
    ("parameters", "kept"),
    [
        ({}, 4),
        ({"own_stories": "mine"}, 3),
        ({"own_poems": "mine"}, 3),
        ({"own_stories": "mine", "paper_study": True}, 4),
    ],
)
def test_with_own_texts_a_notebook_ends_at_their_result(tmp_path, parameters, kept):
    path = write(tmp_path / "a.ipynb", "own", "study")
    notebook = nbformat.read(path, 4)
    notebook.cells[2].metadata["tags"] = ["own-result"]
    nbformat.write(notebook, path)
    assert len(runs.cut(path, parameters).cells) == kept


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
