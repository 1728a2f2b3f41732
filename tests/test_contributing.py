"""The worked examples of CONTRIBUTING.md and of the data's card run as they stand, and do what is
said of them."""

import json
import re

import pytest
import yaml
from goodjudge.comparison import compare

from helpers.sources import kept as sources_kept
from helpers.sources import public as data
from helpers.sources.public import ROOT
from helpers.workshop import run as runs

SECTION = re.compile(r"^## Add a ([\w ]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf8")
DATA = (ROOT / "data" / "ratings" / "README.md").read_text(encoding="utf8")
EXAMPLES = {
    title: re.findall(r"```(\w+)\n(.*?)```", section, re.DOTALL)
    for title, section in SECTION.findall(f"{TEXT}\n{DATA}")
}
RATINGS = "story,rater,score\na,1,3\na,2,5\nb,1,1\n"


def run_example(title, **names):
    """Execute the Python block of a section, which may use `names`; return all its names."""
    names["__name__"] = "example"
    exec(compile(dict(EXAMPLES[title])["python"], f"CONTRIBUTING.md, {title}", "exec"), names)
    return names


def test_a_study_runs_with_other_parameters_and_saves_its_values(tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path)
    run_example("study")
    notebook = tmp_path / "notebooks" / "09-coin.ipynb"
    given = {"seed": 8, "stories": 400, "outputs": str(tmp_path)}
    assert runs.execute(notebook, tmp_path / "out.ipynb", given)["status"] == "ok"
    saved = json.loads((tmp_path / "09-coin.json").read_text(encoding="utf8"))
    assert saved["findings"][0].startswith("SIMULATED: a coin follows people at ")
    rows = compare.from_values(saved["values"]).loc["coin"]
    assert rows.at["the judge", "n"] == 100 and abs(rows.at["the judge", "estimate"]) < 0.2
    assert rows.at["a person", "estimate"] > 0.4 and rows.at["the judge less a person", "high"] < 0


def test_a_sixth_paper_is_a_folder_and_a_page_of_checks(monkeypatch):
    monkeypatch.chdir(ROOT)
    lines = run_example("sixth paper")["lines"].set_index(["row", "column"])
    counts = lines["verdict"].value_counts()
    assert counts[["consistent", "not contradicted", "inconsistent"]].tolist() == [7, 1, 1]
    wrong = lines[lines["verdict"] == "inconsistent"].squeeze()
    assert wrong["value"] == "51.9" and wrong["computed"] == pytest.approx(50.85)


def test_a_judge_follows_its_rule_and_nothing_else():
    names = run_example("judge")
    assert set(names["answers"]["status"]) == {"ok"} and len(names["answers"]) == 100
    assert names["yes"]["long"] > 0.75 and names["yes"]["short"] < 0.25


def test_a_data_set_is_found_verified_and_checked(tmp_path, monkeypatch):
    entry = yaml.safe_load(dict(EXAMPLES["data set"])["yaml"])
    assert set(entry["tiny"]) == set(next(iter(data.registry().values())))
    monkeypatch.setattr(data, "registry", lambda: entry)
    monkeypatch.setenv("JUDGING_CREATIVITY_MIRROR", str(tmp_path))
    (tmp_path / "tiny").mkdir()
    file = tmp_path / "tiny" / "ratings.csv"
    file.write_bytes(RATINGS.encode())
    names = run_example("data set")
    kept = tmp_path / "kept"
    kept.mkdir()
    names["read_tiny"]().to_csv(kept / "tiny-ratings.csv", index=False)
    monkeypatch.setattr(sources_kept, "FOLDER", kept)
    found = names["load"]()
    assert list(found.ratings["score"]) == [3, 5, 1]
    assert list(found.items["item"]) == ["a", "b"]
    file.write_bytes(RATINGS.replace("5", "6").encode())
    with pytest.raises(data.DataError, match="ratings.csv: checksum"):
        names["read_tiny"]()
