"""Headless runs: parameters, records of failures, refreshing in place, the summary, and what the
command line answers."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.workshop import run as runs

DEFAULTS = 'data = "auto"\nmax_usd = 0.0  # money\nnames = ["a", "b"]\noffset = -1'
PARAMETERS = new_code_cell(DEFAULTS, metadata={"tags": ["parameters"]})


def write(path, *sources):
    """A notebook of a title, the parameters cell and one code cell a source."""
    nb = new_notebook(
        cells=[new_markdown_cell("# What is it?"), PARAMETERS.copy(), *map(new_code_cell, sources)]
    )
    nb.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.write(nb, path)
    return path


def test_parameters_are_read_from_their_cell_alone(tmp_path):
    path = write(tmp_path / "a.ipynb", "other = 3")
    assert runs.read_parameters(path) == {
        "data": "auto",
        "max_usd": 0.0,
        "names": ["a", "b"],
        "offset": -1,
    }


@pytest.mark.parametrize(
    ("given", "near"),
    [
        ("max_ud", "did you mean 'max_usd'?"),
        ("Data", "did you mean 'data'?"),
        ("zzz", "has no parameter 'zzz'. It has: data, max_usd"),
    ],
)
def test_a_mistyped_parameter_is_an_error_with_the_near_name(tmp_path, given, near):
    path = write(tmp_path / "a.ipynb")
    with pytest.raises(runs.ParameterError) as fault:
        runs.check_parameters(path, {"data": "open", given: 1})
    assert near in str(fault.value) and "a.ipynb has no parameter" in str(fault.value)


def test_the_command_line_answers_a_mistyped_parameter_with_2_and_runs_nothing(tmp_path, capsys):
    path, output = write(tmp_path / "a.ipynb"), tmp_path / "out" / "a.ipynb"
    assert runs.main(["run", str(path), str(output), "-y", "{max_ud: 1}"]) == 2
    assert "did you mean 'max_usd'?" in capsys.readouterr().err
    assert not output.parent.exists()


def test_a_run_gets_its_parameters_beside_its_notebook_and_leaves_the_original_alone(tmp_path):
    path, output = (
        write(tmp_path / "a.ipynb", "import os; print(data, names, os.getcwd())"),
        tmp_path / "out" / "a.ipynb",
    )
    before = path.read_bytes()
    assert runs.main(["run", str(path), str(output), "-y", "{data: open, names: [x, 1]}"]) == 0
    printed = [
        out.text for cell in nbformat.read(output, 4).cells for out in cell.get("outputs", [])
    ]
    assert printed == [f"open ['x', 1] {tmp_path}\n"]
    assert path.read_bytes() == before and not list(output.parent.glob("*.partial.*"))
    record = json.loads((tmp_path / "out" / "a.run.json").read_text())
    assert (
        record["status"] == "ok"
        and record["error"] == ""
        and record["notebook"] == "a"
        and record["seconds"] > 0
    )


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("1 / 0", "cell 3: ZeroDivisionError: division by zero"),
        ("assert data == 'x'", "cell 3: AssertionError: (no message)"),
        ("raise ValueError('first\\nsecond')", "cell 3: ValueError: first"),
    ],
)
def test_a_failing_notebook_is_named_with_cell_and_error_and_its_partial_output_stays(
    tmp_path, capsys, source, error
):
    path, output = (
        write(tmp_path / "a.ipynb", "print('before')", source, "print('after')"),
        tmp_path / "out" / "a.ipynb",
    )
    output.parent.mkdir()
    output.write_text("an older run")
    assert runs.main(["run", str(path), str(output)]) == 1
    said = capsys.readouterr().err
    assert (
        f"error: a, {error}" in said
        and str(output.parent / "failed" / "a.ipynb") in said
        and "second" not in said
    )
    partial = nbformat.read(output.parent / "failed" / "a.ipynb", 4)
    texts = [out.get("text", "") for cell in partial.cells for out in cell.get("outputs", [])]
    assert "before\n" in texts and "after\n" not in texts
    assert json.loads((output.parent / "a.run.json").read_text())["status"] == "failed"
    write(path, "print('mended')")
    assert runs.main(["run", str(path), str(output)]) == 0
    assert not (output.parent / "failed" / "a.ipynb").exists(), (
        "a mended notebook has no failed run"
    )


def test_a_kernel_that_dies_is_a_failed_run_too(tmp_path, capsys):
    path, output = (
        write(tmp_path / "a.ipynb", "print('before')", "import os; os._exit(1)"),
        tmp_path / "out" / "a.ipynb",
    )
    assert runs.main(["run", str(path), str(output)]) == 1
    assert (
        "error: a, " in capsys.readouterr().err and (output.parent / "failed" / "a.ipynb").is_file()
    )


def test_refreshing_executes_in_place_without_timings_and_twice_gives_the_same_bytes(tmp_path):
    path = write(tmp_path / "a.ipynb", "data + '!'")
    nb = nbformat.read(path, 4)
    nb.metadata["language_info"] = {"name": "python", "version": "3.11.4"}
    nb.cells[1].metadata["collapsed"] = True
    nbformat.write(nb, path)
    runs.refresh(path)
    first = path.read_bytes()
    nb = nbformat.read(path, 4)
    assert nb.cells[2].outputs[0].data["text/plain"] == "'auto!'" and [
        c.execution_count for c in nb.cells[1:]
    ] == [1, 2]
    assert all(set(cell.metadata) <= {"tags"} for cell in nb.cells) and nb.metadata[
        "language_info"
    ] == {"name": "python"}
    runs.refresh(path)
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("name", "number"), [("04-poems", "04"), ("04b-more.ipynb", "04b"), ("07-coin", "07")]
)
def test_the_number_of_a_notebook_stands_before_the_dash(name, number):
    assert runs.number(name) == number
