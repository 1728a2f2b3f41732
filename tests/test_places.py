"""Where pages lie: each has a name of its own, each run a folder that is removed."""

import os
import subprocess
import sys

from helpers.workshop import places


def test_files_of_one_name_and_other_judges_have_pages_of_their_own(tmp_path):
    files = [tmp_path / folder / "my ratings.csv" for folder in ("a", "b")]
    judges = [tmp_path / f"{name}.csv" for name in ("gpt", "claude")]
    names = {places.name_page("judge-card", file, judge) for file in files for judge in judges}
    assert len(names) == 4


def test_a_page_is_named_by_what_is_judged_and_by_what_always_alike(tmp_path):
    name = places.name_page("judge-card", tmp_path / "my ratings.csv", tmp_path / "gpt.csv")
    assert name.startswith("judge-card-my-ratings-gpt-")
    assert name == places.name_page("judge-card", tmp_path / "my ratings.csv", tmp_path / "gpt.csv")


def test_one_file_read_in_two_ways_has_two_pages(tmp_path):
    plain = places.name_page("judge-card", tmp_path / "a.csv", given={})
    other = places.name_page("judge-card", tmp_path / "a.csv", given={"a": "writer"})
    assert plain != other


def test_a_judge_s_name_makes_no_folder_and_no_markup(tmp_path):
    name = places.name_page("judge", tmp_path / "a.csv", "local/<b>x</b>", "")
    assert "/" not in name
    assert "<" not in name


def test_a_run_has_a_folder_of_its_own_that_is_removed(tmp_path):
    with places.private_folder(tmp_path, "page") as one:
        with places.private_folder(tmp_path, "page") as another:
            assert one != another
    assert list(tmp_path.iterdir()) == []


def test_the_notebook_of_a_failed_run_is_left(tmp_path):
    with places.private_folder(tmp_path, "page") as private:
        (private / "failed").mkdir()
        (private / "failed" / "07-x.ipynb").write_text("{}")
    assert [path.name for path in tmp_path.rglob("*")] == ["failed", "page.ipynb"]


def test_what_a_killed_run_has_left_is_removed_and_what_lives_stays(tmp_path, capsys):
    killed = subprocess.Popen([sys.executable, "-c", ""])
    killed.wait()
    mine = f".judge-card-my-page-run{os.getpid()}-ab_cd"
    others = [".judge-notes-run1x-y", "judge-card-mine-run99999999-x"]  # no private folders
    for name in (f".judge-card-my-page-run{killed.pid}-ab_cd", mine, *others):
        (tmp_path / name).mkdir()
    with places.private_folder(tmp_path, "judge-card-my-page"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [mine, *others]
    assert "removed what a killed run had left: .judge-card" in capsys.readouterr().err
