"""A reader's own stories, poems, rubric and judge in notebooks 02 to 05, by parameters alone: the
examples of the README, one run per notebook. Bad files: `test_own.py`."""

import json
import re

import pandas as pd
import pytest
import yaml
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


@pytest.fixture
def run(execute, tmp_path):
    """A function that runs the README's example of a number, changed by what is given; returns what
    it shows and the table it leaves."""

    def run(number, **given):
        path, parameters = find(number), yaml.safe_load(EXAMPLES[number])
        assert parameters.pop("outputs") == "mine"
        assert set(parameters) <= set(runs.read_parameters(path))
        quick = {"subsets": 6, "shuffles": 2, "repeats": 2}
        given = settings_for(path, tmp_path, **quick | parameters | given)
        record = execute(path, tmp_path / "run.ipynb", given)
        assert record["status"] == "ok", record["error"]
        cells = own_cells(tmp_path / "run.ipynb")
        assert not any(output.get("name") == "stderr" for cell in cells for output in cell.outputs)
        said = "\n".join(text for cell in cells for text in texts(cell))
        (left,) = tmp_path.glob(f"own-results-{number}-*.csv")
        return said, pd.read_csv(left)

    return run


def test_own_stories_and_rubric_in_notebook_02(run, tmp_path):
    said, rows = run("02")
    assert "stories × 3 tests, judge simulated/coin" in said and "read nothing" in said
    assert all(name in said for name in NAMES)
    assert "own-results-02-simulated-coin.csv` has one row per story and test" in said
    assert list(rows) == ["judge", "story", "test", "repeat", "verdict", "status", "usd"]
    assert len(rows) == 12 * 3 * 2 and set(rows["verdict"]) == {"Yes", "No"}
    last = read(tmp_path / "run.ipynb").cells[-1]
    assert "own-result" in last.metadata.tags, "the paper's study is left out"
    assert "No expert judged these texts" in said
    assert not (tmp_path / "02-llm-judge-baseline.json").exists(), "findings are the paper's"


def test_own_groups_and_the_papers_study_in_notebook_03(run, tmp_path):
    said, rows = run("03", paper_study=True)
    assert "24 requests: 4 stories × 3 tests" in said
    assert all(name in said for name in ["ada", "bo", "lighthouse"])
    assert len(rows) == 4 * 3 and set(rows["status"]) == {"ok"} and rows["verdict"].notna().all()
    assert "Exercise 1" in said and "Reference-based, v2" in said, "the study was asked for"
    findings = json.loads((tmp_path / "03-reference-based.json").read_text(encoding="utf8"))
    assert findings["findings"][0].startswith("Simulated judge (coin) ")


def test_own_poems_and_rubric_in_notebook_04(run, tmp_path):
    said, rows = run("04")
    assert "30 A / 30 B / 30 C" in said and "SIMULATED" in said and "ninety" not in said
    assert (
        "two halves of the answers of simulated judge (coin) about lists of 90 give orders" in said
    )
    assert all(f"By {name}, in lists of 90, the order" in said for name in POEM_TESTS)
    assert "reliability" not in said and not (tmp_path / "ledger-04.csv").exists()
    assert len(rows) == 90 and set(rows["asked alone"]) == {"Good", "Medium", "Bad"}
    for name in POEM_TESTS:
        place = rows[f"{name}, lists of 90: mean place (1: best)"]  # 2 shuffles: places add up
        assert place.between(1, 90).all() and place.sum() == pytest.approx(90 * 91 / 2)


def test_own_stories_beside_partners_in_notebook_05(run):
    said, rows = run("05")
    assert "12 stories, each beside 3 others" in said and "made up and read nothing" in said
    assert len(rows) == 18 * 2 * 2 * 2 and set(rows["criterion"]) == {
        "overall quality",
        "coherence",
    }
    assert "share of preferences that turn with the order" in said and rows["status"].eq("ok").all()


@pytest.mark.parametrize(
    ("number", "judge"), [(number, "simulated/always-no") for number in ("03", "04", "05")]
)
def test_a_run_without_a_usable_answer_is_one_clear_error_and_leaves_no_result(
    execute, tmp_path, number, judge
):
    old = tmp_path / f"own-results-{number}-simulated-always-no.csv"
    old.write_text("an older result")
    given = yaml.safe_load(EXAMPLES[number]) | {"judge": judge, "subsets": 4, "shuffles": 2}
    given = {name: given[name] for name in given if name in runs.read_parameters(find(number))}
    record = execute(find(number), tmp_path / "run.ipynb", given | {"outputs": str(tmp_path)})
    assert (
        record["status"] == "failed"
        and "judge simulated/always-no: not one usable" in (record["error"])
    )
    assert not old.exists()
    cells = own_cells(tmp_path / "failed/run.ipynb")
    shown = [output for cell in cells for output in cell.outputs]
    assert not any("image/png" in output.get("data", {}) for output in shown)


def test_a_bad_file_is_one_clear_error_of_the_run(execute, tmp_path):
    given = settings_for(find("02"), tmp_path, own_stories="nowhere")
    record = execute(find("02"), tmp_path / "run.ipynb", given)
    assert record["status"] == "failed"
    assert "nowhere: no such file or folder; expected a folder of .txt files" in record["error"]


def test_a_judge_in_notebook_05b_leaves_the_pairs_that_fine_tuning_reads(execute, tmp_path):
    given = settings_for(
        find("05b"), tmp_path, judge="simulated/faulty", data="simulated", limit=20
    )
    assert execute(find("05b"), tmp_path / "run.ipynb", given)["status"] == "ok"
    said = "\n".join(text for cell in code(read(tmp_path / "run.ipynb")) for text in texts(cell))
    lines = (tmp_path / "evolvr-pairs.jsonl").read_text(encoding="utf8").splitlines()
    assert f"has {len(lines)} explanations" in said and 5 < len(lines) < 20
    assert said.index("US dollars, at most") < said.index("checks by simulated judge")
    assert all("[[A: " in json.loads(line)["rationale"] for line in lines)


def test_earlier_pairs_stay_when_a_run_of_notebook_05b_makes_none(execute, tmp_path):
    earlier = tmp_path / "evolvr-pairs.jsonl"
    earlier.write_text("paid for")
    given = settings_for(
        find("05b"), tmp_path, judge="simulated/always-no", data="simulated", limit=20
    )
    assert execute(find("05b"), tmp_path / "run.ipynb", given)["status"] == "failed"
    assert earlier.read_text() == "paid for"
