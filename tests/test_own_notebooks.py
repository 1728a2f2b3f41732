"""A reader's own stories, poems, rubric and judge in notebooks 02 to 04, by parameters alone; bad
files are one clear error."""

import csv
import json
import re

import pandas as pd
import pytest
import yaml
from test_notebooks import PATHS, code, read, settings_for, texts

from helpers.sources.public import ROOT
from helpers.workshop import run as runs

RUBRIC = str(ROOT / "data" / "rubrics" / "example.yaml")
NAMES = ["Opening", "Concrete detail", "Earned ending"]
STORIES = ROOT / "data" / "stories"


def write_csv(path, columns, rows):
    with path.open("w", newline="", encoding="utf8") as file:
        csv.writer(file).writerows([columns, *rows])
    return str(path)


def groups_csv(folder, human=True):
    crafts = {
        "careful": ("reference", ""),
        "plain": ("Ada", 3),
        "told": ("Bo", 2),
        "broken": ("Cy", 1),
    }
    rows = [
        (
            group,
            writer,
            (STORIES / f"{group}-{craft}.txt").read_text(encoding="utf8"),
            score if human else "",
        )
        for group in ("ferry", "shop")
        for craft, (writer, score) in crafts.items()
    ]
    return write_csv(folder / "groups.csv", ["group", "writer", "text", "human"], rows)


def poems_csv(folder, tiers=("finalist", "other")):
    lines = [
        "The bus is late again, and so am I.",
        "A gull stands on the post.",
        "Rain, then no rain, then tea.",
        "I kept your coat on its hook.",
        "Snow falls up past the lamp.",
        "The clock says what it said.",
    ]
    rows = [
        (f"Poem {i}", f"Poet {i}", tiers[i % 2], f"{line}\nAnd what of it, said line {i}.")
        for i, line in enumerate(lines)
    ]
    return write_csv(folder / "poems.csv", ["title", "author", "tier", "text"], rows)


@pytest.fixture
def run(execute, tmp_path):
    """A function that runs the notebook of a number, quickly; returns its record."""

    def run(number, **given):
        path, quick = (
            find(number),
            {"data": "published", "replicates": 10, "subsets": 6, "shuffles": 2, "repeats": 2},
        )
        return execute(path, tmp_path / "run.ipynb", settings_for(path, tmp_path, **quick | given))

    return run


def find(number):
    return next(path for path in PATHS if runs.number(path) == number)


def said_by(folder):
    cells = code(read(folder / "run.ipynb"))
    assert not any(output.get("name") == "stderr" for cell in cells for output in cell.outputs)
    return "\n".join(text for cell in cells for text in texts(cell))


README = (ROOT / "README.md").read_text(encoding="utf8").partition("## Bring your own")[2]
EXAMPLES = re.findall(r"notebooks/(\d\d)\S+ mine/\d\d\.ipynb \\\n\s+-y '(\{.*\})'", README)
SAID = {
    "02": "stories × 3 tests, judge simulated/coin",
    "03": "24 requests: 4 stories × 3 tests",
    "04": "30 A / 30 B / 30 C",
}


def test_the_readme_has_an_example_for_each_of_three_notebooks():
    assert [number for number, _ in EXAMPLES] == list(SAID)


@pytest.mark.parametrize(("number", "parameters"), EXAMPLES)
def test_the_examples_of_the_readme_run(run, tmp_path, number, parameters):
    given = yaml.safe_load(parameters)
    assert given.pop("outputs") == "mine" and set(given) <= set(runs.read_parameters(find(number)))
    record = run(number, **given)
    assert record["status"] == "ok", record["error"]
    said = said_by(tmp_path)
    assert SAID[number] in said and all(
        name in said for name in (NAMES if number != "03" else ["ada", "bo", "lighthouse"])
    )


def test_without_the_open_data_own_stories_meet_the_fourteen_tests_in_our_words(run, tmp_path):
    record = run("02", own_stories=str(STORIES), judge="simulated/always-yes")
    assert record["status"] == "ok", record["error"]
    said = said_by(tmp_path)
    assert (
        "12 stories × 14 tests, judge simulated/always-yes: 336 of 336 answers have a verdict, 100"
        " % of them Yes." in said
    )
    assert "Asked again, it says the same in 100 % of 168 cases" in said


PASTED = {
    "First": (STORIES / "ferry-plain.txt").read_text(encoding="utf8"),
    "$a and $b": "Rain fell, then none did. " * 9,
}


def test_two_pasted_texts_are_enough_and_the_result_is_all_there_is(run, tmp_path):
    record = run("02", own_stories=PASTED, repeats=1)
    assert record["status"] == "ok", record["error"]
    nb = read(tmp_path / "run.ipynb")
    assert "own-result" in nb.cells[-1].metadata.tags, "the paper's study is left out"
    pictures = [
        out for cell in code(nb) for out in cell.outputs if "image/png" in out.get("data", {})
    ]
    said = said_by(tmp_path)
    assert (
        len(pictures) == 1
        and "2 stories × 14 tests, judge simulated/coin" in said
        and "reads nothing" in said
    )
    with (tmp_path / "own-results.csv").open(encoding="utf8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert (
        list(rows[0]) == ["story", "test", "repeat", "verdict", "status", "usd"] and len(rows) == 28
    )
    assert {row["story"] for row in rows} == set(PASTED) and {row["verdict"] for row in rows} == {
        "Yes",
        "No",
    }
    card = json.loads((tmp_path / "judges" / "own-simulated-coin.json").read_text(encoding="utf8"))
    assert card["texts"] == "own" and "No expert judged these texts" in str(card)
    assert not (tmp_path / "02-llm-judge-baseline.json").exists(), (
        "findings are the paper's study's"
    )


def test_the_papers_study_follows_a_readers_result_when_asked_for(run, tmp_path):
    record = run(
        "02", own_stories=list(PASTED.values()), judge="simulated/always-no", paper_study=True
    )
    assert record["status"] == "ok", record["error"]
    said = said_by(tmp_path)
    assert said.index("2 stories × 14 tests") < said.index("not tried yet")
    assert len(read(tmp_path / "run.ipynb").cells) > len(read(find("02")).cells), (
        "all of it, and the given parameters"
    )
    cards = {path.name for path in (tmp_path / "judges").glob("*.json")}
    assert {"own-simulated-always-no.json", "simulated-always-no.json"} <= cards, (
        "beside experts as well"
    )


@pytest.mark.parametrize(("variant", "human"), [("no analysis", True), ("no reference", False)])
def test_own_groups_and_rubric_in_notebook_03(run, tmp_path, variant, human):
    given = {
        "own_stories": groups_csv(tmp_path, human),
        "rubric": RUBRIC,
        "judge": "simulated/coin",
        "variant": variant,
    }
    record = run("03", **given, paper_study=not human)
    assert record["status"] == "ok", record["error"]
    said = said_by(tmp_path)
    assert (
        f"{18 if variant == 'no reference' else 36} requests: 6 stories × 3 tests" in said
        and all(name in said for name in ("Ada", "Bo", "Cy"))
    )
    assert ("against your human scores" in said) == human and ("more words" in said) == human
    assert ("Exercise 1" in said) == ("Reference-based, v2" in said) == (not human), (
        "the paper's study is for those who ask"
    )
    assert said.index("Simulated judge (coin) ") < said.index("own-results.csv"), (
        "the result, then where it is kept"
    )
    each = pd.read_csv(tmp_path / "own-results.csv")
    assert len(each) == 6 * 3 and set(each["status"]) == {"ok"} and each["verdict"].notna().all()
    findings = tmp_path / "03-reference-based.json"
    assert findings.exists() == (not human), "findings are the paper's study's"
    assert human or json.loads(findings.read_text(encoding="utf8"))["findings"][-1].startswith(
        "Simulated judge (coin) "
    )


def test_two_pasted_texts_and_no_judge_are_enough_in_notebook_03(run, tmp_path):
    careful, told = (
        (STORIES / f"ferry-{craft}.txt").read_text(encoding="utf8") for craft in ("careful", "told")
    )
    record = run("03", own_stories={"reference": careful, "mine": told})
    assert record["status"] == "ok", record["error"]
    assert (
        "this judge read nothing" in said_by(tmp_path)
        and len(pd.read_csv(tmp_path / "own-results.csv")) == 4
    )


def test_own_poems_and_rubric_in_notebook_04(run, tmp_path):
    record = run("04", own_poems=poems_csv(tmp_path), rubric=RUBRIC)
    assert record["status"] == "ok", record["error"]
    said = said_by(tmp_path)
    assert "3 finalist / 3 other" in said and all(f"{name}, lists of 6" in said for name in NAMES)
    assert "reliability" not in said and not (tmp_path / "ledger-04.csv").exists(), (
        "the paper's study was not asked for"
    )
    mine = pd.read_csv(tmp_path / "own-results.csv")
    assert sorted(mine["title"]) == [f"Poem {i}" for i in range(6)] and set(
        mine["asked alone"]
    ) <= {"Good", "Medium", "Bad"}
    for name in NAMES:
        assert (mine[f"{name}, lists of 6: answers valid"] == 2).all() and mine[
            f"{name}, lists of 6: mean place"
        ].sum() == 21
    found = json.loads((tmp_path / "04-cat-poetry.json").read_text(encoding="utf8"))["findings"]
    assert (
        all(f"By {name}, the order" in found[place] for place, name in enumerate(NAMES))
        and "on your 6 poems" in found[3]
    )


def test_a_judge_without_a_valid_list_of_own_poems_and_the_papers_study_asked_for(run, tmp_path):
    record = run(
        "04", own_poems=poems_csv(tmp_path), judge="simulated/always-yes", paper_study=True
    )
    assert record["status"] == "ok", record["error"]
    mine = pd.read_csv(tmp_path / "own-results.csv")
    assert (mine["Quality, lists of 6: answers unparsed"] == 6).all() and not mine.filter(
        like="mean"
    ).size
    assert "0 of 2 first answers" in said_by(tmp_path) and (tmp_path / "ledger-04.csv").exists()


@pytest.mark.parametrize(
    ("number", "given", "message"),
    [
        (
            "02",
            {"own_stories": "nowhere"},
            "nowhere: no such file or folder; expected a folder of .txt files or a CSV file",
        ),
        ("02", {"own_stories": str(STORIES), "judge": "recorded/gpt4"}, "never read your stories"),
        (
            "02",
            {"own_stories": ["only a few words, but more than any path has"]},
            "'Text 1' has fewer than 30 words",
        ),
        (
            "02",
            {"own_stories": 3},
            "own_stories=3: expected a folder of .txt files or a CSV file, or the texts",
        ),
        (
            "03",
            {"own_stories": "data/examples/groups", "judge": "simulated/always-yes"},
            "not one usable answer (32 unparsed",
        ),
        ("02", {"rubric": RUBRIC}, "rubric needs own_stories"),
        (
            "03",
            {"own_stories": "nowhere", "judge": "simulated/coin"},
            "nowhere: no such file or folder; expected a folder with",
        ),
        ("03", {"rubric": RUBRIC}, "never read your stories or tests"),
        (
            "03",
            {"own_stories": {"mine": "Once."}},
            "own_stories, group yours: expected one story by the writer 'reference'",
        ),
        ("03", {"own_stories": 7}, "own_stories=7: expected a folder with"),
        ("04", {"own_poems": "nowhere.csv"}, "nowhere.csv: no such file"),
        (
            "04",
            {"rubric": "nowhere.yaml"},
            "nowhere.yaml: no such file or folder; expected one like data/rubrics/example.yaml",
        ),
    ],
)
def test_a_bad_file_is_one_clear_error_of_the_run(run, number, given, message):
    record = run(number, **given)
    assert record["status"] != "ok" and message in record["error"]
