"""A judge in notebook 05b: what it leaves, and that nothing below reads it."""

import json

import nbformat
import pytest
from asking_kit import cut_after_asking, names_read, read_of_the_judge
from test_notebooks import code, read, settings_for, texts


@pytest.fixture
def notebook_05b(tmp_path):
    """Notebook 05b up to the cell that asks a judge for explanations."""
    return cut_after_asking("05b", tmp_path)


def test_what_follows_the_part_of_a_judge_reads_nothing_of_it():
    assert read_of_the_judge("05b") == set()


@pytest.mark.parametrize("line", ["print(counts)", "counts += 1", "def f(x):\n    return counts"])
def test_a_later_cell_that_reads_what_the_judge_left_is_noticed(line):
    cells = [nbformat.v4.new_code_cell(source) for source in (line, "counts = 1", "counts")]
    assert "counts" in names_read(cells)
    assert "counts" not in names_read(cells[1:])


def test_a_judge_in_notebook_05b_leaves_the_pairs_that_fine_tuning_reads(
    execute, tmp_path, notebook_05b
):
    given = settings_for(notebook_05b, tmp_path, judge="simulated/faulty", limit=20)
    assert execute(notebook_05b, tmp_path / "run.ipynb", given)["status"] == "ok"
    said = "\n".join(text for cell in code(read(tmp_path / "run.ipynb")) for text in texts(cell))
    lines = (tmp_path / "evolvr-pairs.jsonl").read_text(encoding="utf8").splitlines()
    assert f"has {len(lines)} explanations" in said and 5 < len(lines) < 20
    assert said.index("US dollars, at most") < said.index("checks by simulated judge")
    assert all("[[A: " in json.loads(line)["rationale"] for line in lines)


def test_earlier_pairs_stay_when_a_run_of_notebook_05b_makes_none(execute, tmp_path, notebook_05b):
    earlier = tmp_path / "evolvr-pairs.jsonl"
    earlier.write_text("paid for")
    given = settings_for(notebook_05b, tmp_path, judge="simulated/always-no", limit=20)
    assert execute(notebook_05b, tmp_path / "run.ipynb", given)["status"] == "failed"
    assert earlier.read_text() == "paid for"
