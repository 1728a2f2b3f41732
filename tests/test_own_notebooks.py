"""A reader's own stories, poems, rubric and judge in notebooks 02 to 05, by parameters alone: the
examples of the README, one run per notebook. Bad files: `test_own.py`."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import nbformat
import pandas as pd
import pytest
import yaml
from asking_kit import cut_after_asking, names_read, read_of_the_judge
from test_notebooks import code, find, read, settings_for, texts

from helpers.sources.public import ROOT
from helpers.workshop import run as runs

NAMES = ["Opening", "Concrete detail", "Earned ending"]
POEM_TESTS = ["First line", "Concrete image", "Sound"]
README = (ROOT / "README.md").read_text(encoding="utf8").partition("## Bring your own")[2]
EXAMPLES = dict(re.findall(r"notebooks/(\d\d)\S+ mine/\d\d\.ipynb \\\n\s+-y '(\{.*\})'", README))


def own_cells(path):
    """Return the code cells of a run but for what they show of the committed run."""
    return [cell for cell in code(read(path)) if "results.in_short" not in cell.source]


class Run(NamedTuple):
    """What a run of a notebook left: what its cells show, the reader's table, its folder."""

    shown: str
    table: pd.DataFrame
    folder: Path


@pytest.fixture(scope="module")
def run(execute, tmp_path_factory):
    """A function that runs the README's example of a number, changed by what is given, each once;
    returns a `Run`."""
    done = {}

    def run_once(number, **given):
        if number not in done:
            done[number] = run_example(number, given, execute, tmp_path_factory.mktemp("own"))
        return done[number]

    return run_once


def run_example(number, given, execute, folder):
    """Run the README's example of a notebook, with less work than usual, into a folder."""
    path, parameters = find(number), yaml.safe_load(EXAMPLES[number])
    assert parameters.pop("outputs") == "mine"
    assert set(parameters) <= set(runs.read_parameters(path))
    less = {"subsets": 6, "shuffles": 2, "repeats": 2}
    parameters = settings_for(path, folder, **less | parameters | given)
    record = execute(path, folder / "run.ipynb", parameters)
    assert record["status"] == "ok", record["error"]
    cells = own_cells(folder / "run.ipynb")
    assert not any(output.get("name") == "stderr" for cell in cells for output in cell.outputs)
    shown = "\n".join(text for cell in cells for text in texts(cell))
    (table,) = folder.glob(f"own-results-{number}-*.csv")
    return Run(shown, pd.read_csv(table), folder)


def committed(number):
    """Return the findings of a notebook's committed run."""
    path = ROOT / "outputs" / f"{find(number).stem}.json"
    return json.loads(path.read_text(encoding="utf8"))["findings"]


def test_02_judges_own_stories_by_the_tests_of_a_rubric(run):
    own = run("02")
    assert "stories × 3 tests, judge simulated/coin" in own.shown
    assert [name for name in NAMES if name not in own.shown] == []
    assert "own-results-02-simulated-coin.csv` has one row per story and test" in own.shown


def test_02_leaves_a_row_per_own_story_test_and_repeat(run):
    table = run("02").table
    assert list(table) == ["judge", "story", "test", "repeat", "verdict", "status", "usd"]
    assert len(table) == 12 * 3 * 2
    assert set(table["verdict"]) == {"Yes", "No"}


def test_02_ends_after_own_stories_and_leaves_the_papers_findings_alone(run):
    folder = run("02").folder
    last = read(folder / "run.ipynb").cells[-1]
    assert "own-result" in last.metadata.tags, "the paper's study is left out"
    assert not (folder / "02-llm-judge-baseline.json").exists()


def test_03_judges_own_groups_beside_their_references(run):
    own = run("03", paper_study=True)
    assert "24 requests: 4 stories × 3 tests" in own.shown
    assert [name for name in ("ada", "bo", "lighthouse") if name not in own.shown] == []
    assert len(own.table) == 4 * 3
    assert set(own.table["status"]) == {"ok"}
    assert own.table["verdict"].notna().all()


def test_03_goes_on_to_the_papers_study_when_it_is_asked_for(run):
    own = run("03", paper_study=True)
    assert "Exercise 1" in own.shown
    assert "Reference-based, v2" in own.shown
    first, *others = json.loads((own.folder / "03-reference-based.json").read_text())["findings"]
    assert first.startswith("Simulated judge (coin) ")
    assert others == committed("03"), "the same whoever was asked"


def test_04_ranks_own_poems_and_says_that_the_judge_is_simulated(run):
    shown = run("04").shown
    assert "30 A / 30 B / 30 C" in shown
    assert "SIMULATED" in shown
    assert "two halves of the answers of simulated judge (coin) about lists of 90" in shown
    assert [name for name in POEM_TESTS if f"By {name}, in lists of 90," not in shown] == []


def test_04_says_nothing_of_the_papers_poems_where_it_has_only_own_ones(run):
    own = run("04")
    assert "ninety" not in own.shown
    assert "reliability" not in own.shown
    assert not (own.folder / "ledger-04.csv").exists()


def test_04_leaves_a_row_per_own_poem_with_its_place_by_each_test(run):
    table = run("04").table
    assert len(table) == 90
    assert set(table["asked alone"]) == {"Good", "Medium", "Bad"}
    for name in POEM_TESTS:
        place = table[f"{name}, lists of 90: mean place (1: best)"]  # 2 shuffles: places add up
        assert place.between(1, 90).all()
        assert place.sum() == pytest.approx(90 * 91 / 2)


def test_05_compares_own_stories_with_partners_in_both_orders(run):
    own = run("05")
    assert "12 stories, each beside 3 others" in own.shown
    assert "made up and read nothing" in own.shown
    assert "share of preferences that turn with the order" in own.shown


def test_05_leaves_a_row_per_own_pair_criterion_order_and_repeat(run):
    table = run("05").table
    assert len(table) == 18 * 2 * 2 * 2
    assert set(table["criterion"]) == {"overall quality", "coherence"}
    assert table["status"].eq("ok").all()


@pytest.mark.parametrize("number", ["03", "04", "05"])
def test_a_run_without_a_usable_answer_is_one_clear_error_and_leaves_no_result(
    execute, tmp_path, number
):
    old = tmp_path / f"own-results-{number}-simulated-always-no.csv"
    old.write_text("an older result")
    judge = "simulated/always-no"
    given = yaml.safe_load(EXAMPLES[number]) | {"judge": judge, "subsets": 4, "shuffles": 2}
    given = {name: given[name] for name in given if name in runs.read_parameters(find(number))}
    record = execute(find(number), tmp_path / "run.ipynb", given | {"outputs": str(tmp_path)})
    assert record["status"] == "failed"
    assert "judge simulated/always-no: not one usable" in record["error"]
    assert not old.exists()
    cells = own_cells(tmp_path / "failed/run.ipynb")
    shown = [output for cell in cells for output in cell.outputs]
    assert not any("image/png" in output.get("data", {}) for output in shown)


def test_a_bad_file_is_one_clear_error_of_the_run(execute, tmp_path):
    given = settings_for(find("02"), tmp_path, own_stories="nowhere")
    record = execute(find("02"), tmp_path / "run.ipynb", given)
    assert record["status"] == "failed"
    assert "nowhere: no such file or folder; expected a folder of .txt files" in record["error"]


@pytest.fixture
def notebook_05b(tmp_path):
    """Notebook 05b up to the cell that asks a judge for explanations."""
    return cut_after_asking("05b", tmp_path)


@pytest.mark.parametrize("number", ["05", "05b"])
def test_what_follows_the_part_of_a_judge_reads_nothing_of_it(number):
    assert read_of_the_judge(number) == set()


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
