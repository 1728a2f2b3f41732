"""How far a long run is: its section, or the answers that have come."""

import re
import sqlite3
import time

import nbformat

from helpers.workshop import progress


def wait_for(read):
    """Return what `read()` gives as soon as it is not empty, at the latest after 30 s."""
    deadline = time.monotonic() + 30
    text = read()
    while not text and time.monotonic() < deadline:
        time.sleep(0.01)
        text = read()
    return text


def write_partial(folder):
    """Write a notebook whose second cell is under way, as papermill leaves it."""
    cells = [nbformat.v4.new_markdown_cell("## The people"), nbformat.v4.new_code_cell("1")]
    cells[1].metadata["papermill"] = {"status": "running"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "07.1.partial.ipynb")


def test_long_work_says_which_section_is_under_way(tmp_path):
    write_partial(tmp_path)
    assert progress.find_section(tmp_path) == ": cell 2 of 2, The people"


def test_between_two_cells_the_next_counts_as_under_way(tmp_path):
    cells = [nbformat.v4.new_code_cell(str(number)) for number in range(3)]
    for cell, state in zip(cells, ["completed", "pending", "pending"]):
        cell.metadata["papermill"] = {"status": state}
    heading = nbformat.v4.new_markdown_cell("## The people")
    heading.metadata["papermill"] = {"status": "completed"}
    notebook = nbformat.v4.new_notebook(cells=[heading, *cells])
    nbformat.write(notebook, tmp_path / "07.1.partial.ipynb")
    assert progress.find_section(tmp_path) == ": cell 3 of 4, The people"


def test_where_no_notebook_is_under_way_no_section_is_said(tmp_path):
    assert progress.find_section(tmp_path / "none") == ""


def test_sections_are_told_from_time_to_time_and_no_more_at_the_end(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(progress, "SECONDS", 0.01)
    write_partial(tmp_path)
    with progress.telling_sections(tmp_path):
        told = wait_for(lambda: capsys.readouterr().err)
    assert re.match(r"at work for \d+ s: cell 2 of 2, The people\n", told)
    capsys.readouterr()  # what was said until the end
    time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_answers_that_were_there_before_are_not_counted(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(progress, "SECONDS", 0.01)
    store = tmp_path / "answers.sqlite"
    with sqlite3.connect(store) as db:
        db.execute("CREATE TABLE answers (label TEXT)")
        db.execute("INSERT INTO answers VALUES ('Yes')")
    with progress.telling_answers(store, 4):
        time.sleep(0.1)
        assert capsys.readouterr().out == "", "none is new"
        with sqlite3.connect(store) as db:
            db.execute("INSERT INTO answers VALUES ('No')")
        told = wait_for(lambda: capsys.readouterr().out)
    db.close()
    assert told.startswith("1 new answers of at most 4, at most ")


def test_the_time_left_is_that_of_the_answers_that_are_left():
    told = progress.tell_left(40, 20, 160, 60)
    assert told == "40 new answers of at most 160, at most 3 min left"


def test_a_server_that_answers_no_more_is_told():
    told = progress.tell_left(40, 40, 160, 80)
    assert told.endswith("none in the last 20 s")
